package evidence

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"driftless/internal/op"
)

// Known is all that is known about the solutions of one topic, as it is read beside the topic.
type Known struct {
	Topic uuid.UUID `json:"topic"`
	// Revisions are those of the current solutions, by id.
	Revisions map[string]int `json:"revisions"`
	// Feedback is about the current revisions alone: a changed solution starts clean.
	Feedback  []feedbackOn `json:"feedback"`
	Clearings []clearingOf `json:"clearings"`
	Attempts  []Attempt    `json:"attempts"`
}

type feedbackOn struct {
	Solution string `json:"solution"`
	Report
}

type clearingOf struct {
	Solution string    `json:"solution"`
	Reason   string    `json:"reason"`
	At       time.Time `json:"at"`
}

// Attempt is what somebody tried in vain.
type Attempt struct {
	ID       uuid.UUID   `json:"id"`
	Env      Environment `json:"environment"`
	Summary  string      `json:"summary"`
	Steps    []string    `json:"steps"`
	Reason   string      `json:"reason"`
	By       string      `json:"by,omitempty"`
	At       time.Time   `json:"at"`
	Archived bool        `json:"archived,omitempty" jsonschema:"an answer stands now"`
}

// Judged is a solution with what the reports say about it.
type Judged struct {
	Solution string `json:"solution"`
	Revision int    `json:"revision"`
	Verdict
	// Withheld says why the steps are left out.
	Withheld string `json:"withheld,omitempty"`
	Cleared  string `json:"cleared_because,omitempty"`
}

// Answer is what a topic says to somebody in an environment.
type Answer struct {
	HasAnswer bool      `json:"has_answer" jsonschema:"a solution applies whose steps are here"`
	NoneWorks bool      `json:"no_known_working_solution"`
	State     State     `json:"answer_state,omitempty" jsonschema:"of the best solution that applies"`
	Judged    []Judged  `json:"answers"`
	Attempts  []Attempt `json:"failed_attempts,omitempty"`
	Next      []op.Next `json:"next_calls" jsonschema:"ready to send"`
}

// Question is what somebody asks of the solutions of a topic.
type Question struct {
	Topic string
	Env   Environment
	// Only is the id of the one solution asked for, or empty.
	Only string
	// Archived asks for attempts also where an answer stands.
	Archived bool
	// Abandoned is how many alternatives there are that were not asked for.
	Abandoned int
}

// Answer chooses the solutions for the question, the best first, without the steps of what is known to fail, and says what
// is known about them.
func (k Known) Answer(solutions []Solution, q Question) (Answer, []Solution) {
	out, shown := Answer{Judged: []Judged{}}, []Solution{}
	working := -1
	for _, s := range Applicable(solutions, q.Env) {
		if q.Only != "" && s.ID != q.Only {
			continue
		}
		j := k.judge(s, q.Env)
		if j.State == KnownFailed {
			s.Fix, s.Verify = []string{}, ""
			j.Withheld = fmt.Sprintf("known_failed: it failed for %d people in %s, so its steps are left out", j.Failed, q.Env)
		} else if working < 0 {
			working = len(shown)
		}
		s.Revision = j.Revision
		out.Judged, shown = append(out.Judged, j), append(shown, s)
	}
	out.HasAnswer = working >= 0
	out.NoneWorks = !out.HasAnswer
	switch {
	case out.HasAnswer:
		out.State = out.Judged[working].State
	case len(out.Judged) > 0:
		out.State = out.Judged[0].State
	}
	kept := 0
	for _, a := range k.Attempts {
		if a.Env.Meets(q.Env) {
			kept++
		}
		if a.Archived = out.HasAnswer; a.Env.Meets(q.Env) && (!a.Archived || q.Archived) {
			out.Attempts = append(out.Attempts, a)
		}
	}
	out.Next = append(out.next(q, working), q.more(kept-len(out.Attempts))...)
	return out, shown
}

func (k Known) judge(s Solution, env Environment) Judged {
	j := Judged{Solution: s.ID, Revision: max(k.Revisions[s.ID], 1)}
	var reports []Report
	for _, f := range k.Feedback {
		if f.Solution == s.ID {
			reports = append(reports, f.Report)
		}
	}
	var cleared *time.Time
	for _, c := range k.Clearings {
		if c.Solution == s.ID {
			cleared, j.Cleared = &c.At, c.Reason
		}
	}
	j.Verdict = Judge(reports, env, cleared)
	if j.State != Cleared {
		j.Cleared = ""
	}
	return j
}

// next are the calls that make sense now: reporting how it went, or leaving what was tried.
func (a Answer) next(q Question, working int) []op.Next {
	if working >= 0 {
		j := a.Judged[working]
		return []op.Next{{
			Tool: "driftless_feedback_report",
			Arguments: map[string]any{
				"topic": q.Topic, "solution": j.Solution, "revision": j.Revision, "outcome": string(Solved), "env": q.Env.canonical(),
			},
			Why: "say whether the steps worked; set outcome to what you saw",
		}}
	}
	return []op.Next{
		{
			Tool: "driftless_feedback_attempt",
			Arguments: map[string]any{
				"topic": q.Topic, "environment": q.Env.canonical(), "summary": "what was tried", "steps": []string{"step"}, "reason": "why it did not work",
			},
			Why: "spare the next one what you tried in vain",
		},
		{
			Tool: "driftless_context_search", Arguments: map[string]any{"query": q.Topic},
			Why: "another topic may hold the answer",
		},
	}
}

// more are the calls that show what was left out.
func (q Question) more(attempts int) []op.Next {
	var out []op.Next
	again := func(flag, why string) {
		out = append(out, op.Next{
			Tool: "driftless_context_get", Arguments: map[string]any{"topic": q.Topic, "env": q.Env.canonical(), flag: true}, Why: why,
		})
	}
	if q.Abandoned > 0 {
		again("include_alternatives", "ways that were abandoned")
	}
	if attempts > 0 {
		again("include_archived_failures", "what was tried in vain before there was an answer")
	}
	return out
}
