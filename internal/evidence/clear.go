package evidence

import (
	"context"

	"driftless/internal/event"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type clearIn struct {
	Topic    string `json:"topic" jsonschema:"slug"`
	Solution string `json:"solution" jsonschema:"its id"`
	Reason   string `json:"reason" jsonschema:"why it holds again"`
}

func (s *Service) clearOp() op.Operation {
	return op.Write(op.Spec{
		ID: "feedback.clear", Title: "Clear a solution that failed",
		Doc: "Say with a reason that a solution holds, whatever was reported about this revision before. Owners only; what is reported " +
			"later counts again.",
		Scope: tenant.WorkWrite, Role: tenant.Owner, Human: true, REST: "POST /topics/{topic}/solutions/{solution}/clear",
		CLI:   "context clear <topic> <solution> <reason>",
		Rules: op.Rules{"reason": op.Length(1, ReasonMax)},
	}, func(_ context.Context, tx *pg.Tx, in clearIn) (Reported, error) {
		t, chosen, err := solutionOf(tx, in.Topic, in.Solution)
		if err != nil {
			return Reported{}, err
		}
		if err := clearFailures(tx, t.ID, chosen, in.Reason); err != nil {
			return Reported{}, err
		}
		_, err = event.Append(tx, "feedback.clear", "solution.cleared", &t.ID, map[string]any{"solution": in.Solution, "revision": chosen.Revision})
		if err != nil {
			return Reported{}, err
		}
		return reported(tx, t, chosen, chosen.Env, false)
	})
}
