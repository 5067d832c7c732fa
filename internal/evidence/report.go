package evidence

import (
	"context"
	"fmt"
	"slices"

	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// Limits of what is reported, in characters; StepsMax in elements.
const (
	ReasonMax  = 2000
	SummaryMax = 500
	StepsMax   = 50
	PartMax    = 60
)

type reportIn struct {
	Topic      string      `json:"topic" jsonschema:"slug"`
	Solution   string      `json:"solution" jsonschema:"its id"`
	Revision   int         `json:"revision" jsonschema:"the solution's, as you read it"`
	Outcome    string      `json:"outcome" jsonschema:"what you saw"`
	Env        Environment `json:"env" jsonschema:"{os,runtime,pkg_manager}"`
	Evidence   Proof       `json:"evidence,omitzero" jsonschema:"{verify,exit_code}"`
	Reason     string      `json:"reason,omitempty" jsonschema:"why it failed"`
	AgentModel string      `json:"agent_model,omitempty" jsonschema:"a label; it makes no second reporter"`
	Retract    bool        `json:"retract,omitempty" jsonschema:"take your report back"`
}

// Proof is what was run to see whether the steps worked.
type Proof struct {
	Verify   string `json:"verify,omitempty" jsonschema:"the command"`
	ExitCode *int   `json:"exit_code,omitempty" jsonschema:"its status"`
}

// Reported is what the reports say now.
type Reported struct {
	Topic      string   `json:"topic"`
	Env        string   `json:"environment"`
	Answer     Judged   `json:"answer"`
	Retracted  bool     `json:"retracted,omitempty"`
	NextAction *op.Next `json:"next_action"`
}

func (s *Service) reportOp() op.Operation {
	return op.Write(op.Spec{
		Tool: "driftless_feedback_report", ID: "feedback.report", Title: "Report how a solution went",
		Doc: "Say whether the steps of a solution worked in your environment. Text and trust stay. " +
			`Example: {"topic":"broken-import","solution":"linux","revision":1,"outcome":"solved","env":{"os":"linux"}}`,
		Scope: tenant.TopicsWrite, Role: tenant.Member, REST: "POST /topics/{topic}/solutions/{solution}/feedback", Created: true,
		CLI: "context feedback <topic> <solution>",
		Rules: op.Rules{
			"outcome": op.OneOf("", Outcomes()...), "reason": op.Length(0, ReasonMax), "agent_model": op.Length(0, PartMax),
			"revision": op.Number(1, 1<<31-1),
		},
	}, s.report)
}

func (s *Service) report(_ context.Context, tx *pg.Tx, in reportIn) (Reported, error) {
	if err := in.Env.Check("env"); err != nil {
		return Reported{}, err
	}
	t, chosen, err := solutionOf(tx, in.Topic, in.Solution)
	if err != nil {
		return Reported{}, err
	}
	if in.Revision != chosen.Revision {
		e := fault.New(fault.Conflict, fault.CodeStaleBase, fmt.Sprintf("solution %q is at revision %d, your report is about %d", in.Solution, chosen.Revision, in.Revision),
			"read the solution again; what changed may be what failed for you")
		e.Current = map[string]any{"revision": chosen.Revision}
		return Reported{}, e
	}
	kind := "solution.reported"
	if in.Retract {
		kind = "solution.retracted"
		removed, err := retract(tx, t.ID, in)
		if err != nil {
			return Reported{}, err
		}
		if !removed {
			return Reported{}, fault.New(fault.NotFound, fault.CodeNotFound, "you have no report on this solution in that environment",
				"give the env that your report was made with")
		}
	} else if err := record(tx, t.ID, in); err != nil {
		return Reported{}, err
	}
	if _, err := event.Append(tx, "feedback.report", kind, &t.ID, map[string]any{"solution": in.Solution, "revision": in.Revision, "outcome": in.Outcome}); err != nil {
		return Reported{}, err
	}
	return reported(tx, t, chosen, in.Env, in.Retract)
}

// reported answers what is known now.
func reported(tx *pg.Tx, t found, s Solution, env Environment, retracted bool) (Reported, error) {
	known, err := known(tx, t.ID)
	if err != nil {
		return Reported{}, err
	}
	return Reported{
		Topic: t.Slug, Env: env.canonical().String(), Answer: known.judge(s, env), Retracted: retracted,
		NextAction: &op.Next{
			Tool: "driftless_context_get", Arguments: map[string]any{"topic": t.Slug, "env": env.canonical()}, Why: "what the topic answers in this environment now",
		},
	}, nil
}

// solutionOf finds a current solution of a topic that the actor may see, with its revision.
func solutionOf(tx *pg.Tx, slug, id string) (found, Solution, error) {
	if err := event.Lock(tx); err != nil {
		return found{}, Solution{}, err
	}
	t, err := find(tx, slug)
	if err != nil {
		return t, Solution{}, err
	}
	at := slices.IndexFunc(t.Solutions, func(s Solution) bool { return s.ID == id })
	if at < 0 {
		ids := make([]string, 0, len(t.Solutions))
		for _, s := range t.Solutions {
			ids = append(ids, s.ID)
		}
		return t, Solution{}, fault.Choice("solution", id, ids)
	}
	known, err := known(tx, t.ID)
	if err != nil {
		return t, Solution{}, err
	}
	chosen := t.Solutions[at]
	chosen.Revision = max(known.Revisions[id], 1)
	return t, chosen, nil
}
