package topic

import (
	"context"

	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type withdrawIn struct {
	Topic string `json:"topic" jsonschema:"slug"`
}

func (s *Service) withdrawOp() op.Operation {
	return op.Write(op.Spec{
		ID: "topics.withdraw", Title: "Withdraw a proposal", Doc: "Take your own proposal back to draft. It stays visible.",
		Scope: tenant.WorkWrite, Role: tenant.Member, Effect: op.Idempotent,
		REST: "POST /topics/{topic}/withdraw", CLI: "context withdraw <topic>",
	}, s.withdraw)
}

func (s *Service) withdraw(_ context.Context, tx *pg.Tx, in withdrawIn) (Written, error) {
	t, err := load(tx, in.Topic, false)
	if err != nil {
		return Written{}, err
	}
	if t.Status, err = decide(t, tx.Actor(), Withdraw); err != nil {
		return Written{}, err
	}
	t.ReviewState, t.ProposedAt = "none", nil
	if err := save(tx, t, t.Content, act{op: "topics.withdraw", event: "topic.withdrawn"}); err != nil {
		return Written{}, err
	}
	return s.written(tx, t, Written{})
}
