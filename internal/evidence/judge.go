package evidence

import (
	"time"

	"github.com/google/uuid"
)

// Outcome is what somebody saw when they took the steps of a solution.
type Outcome string

// The outcomes. Partial and NotApplicable are kept for readers and decide nothing.
const (
	Solved        Outcome = "solved"
	Failed        Outcome = "failed"
	Partial       Outcome = "partial"
	NotApplicable Outcome = "not_applicable"
)

// Outcomes are all of them.
func Outcomes() []string {
	return []string{string(Solved), string(Failed), string(Partial), string(NotApplicable)}
}

// State is what the reports say about a solution together.
type State string

// The states.
const (
	Unverified  State = "unverified"   // nobody reported
	Verified    State = "verified"     // it worked, and nobody says otherwise
	Unconfirmed State = "unconfirmed"  // one failure
	KnownFailed State = "known_failed" // it failed for two people or more: its steps are withheld
	Disputed    State = "disputed"     // it worked and it failed
	Cleared     State = "cleared"      // it failed once, and holds again
)

// Report is one report as the decision sees it. Person is who stands behind it: of a service account, whoever made it.
type Report struct {
	Person  uuid.UUID   `json:"person"`
	Env     Environment `json:"env"`
	Outcome Outcome     `json:"outcome"`
	At      time.Time   `json:"at"`
}

// Verdict is the state of one revision of a solution in an environment, with the people it rests on.
type Verdict struct {
	State  State `json:"state"`
	Solved int   `json:"solved" jsonschema:"people for whom it worked"`
	Failed int   `json:"failed" jsonschema:"people for whom it failed"`
}

// Judge decides what the reports about one revision of a solution say for an environment. Each person counts once on each
// side, by their latest report there. Cleared is when an owner cleared it, or nil: what was reported before counts no more.
//
// A failure is cleared by successes that came after the last one, of two people or more and at least as many as failed.
func Judge(reports []Report, env Environment, cleared *time.Time) Verdict {
	latest := map[uuid.UUID]Report{}
	for _, r := range reports {
		decides := r.Outcome == Solved || r.Outcome == Failed
		if !decides || !r.Env.Meets(env) || cleared != nil && !r.At.After(*cleared) {
			continue
		}
		if seen, ok := latest[r.Person]; !ok || r.At.After(seen.At) {
			latest[r.Person] = r
		}
	}
	var v Verdict
	var lastFailure time.Time
	for _, r := range latest {
		if r.Outcome == Failed {
			v.Failed++
			if r.At.After(lastFailure) {
				lastFailure = r.At
			}
		}
	}
	later := 0
	for _, r := range latest {
		if r.Outcome == Solved {
			v.Solved++
			if r.At.After(lastFailure) {
				later++
			}
		}
	}
	v.State = v.state(later, cleared != nil)
	return v
}

func (v Verdict) state(later int, cleared bool) State {
	switch {
	case v.Failed > 0 && later >= 2 && later >= v.Failed:
		return Cleared
	case v.Failed > 0 && v.Solved > 0:
		return Disputed
	case v.Failed >= 2:
		return KnownFailed
	case v.Failed == 1:
		return Unconfirmed
	case cleared:
		return Cleared
	case v.Solved > 0:
		return Verified
	}
	return Unverified
}
