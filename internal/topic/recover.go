package topic

import (
	"context"

	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type recoverIn struct {
	Topic string `json:"topic" jsonschema:"slug"`
}

func (s *Service) recoverOp() op.Operation {
	return op.Write(op.Spec{
		ID: "topics.recover", Title: "Restore from the trash", Doc: "Take a topic out of the trash. Knowledge comes back as proposed.",
		Scope: tenant.TopicsWrite, Role: tenant.Member, Effect: op.Idempotent,
		REST: "POST /topics/{topic}/restore", CLI: "context restore <topic>",
	}, s.recover)
}

func (s *Service) recover(_ context.Context, tx *pg.Tx, in recoverIn) (Deleted, error) {
	t, err := load(tx, in.Topic, true)
	if fault.Is(err, fault.CodeNotFound) {
		switch here, again := load(tx, in.Topic, false); {
		case again == nil:
			return Deleted{Slug: here.Slug, Status: string(here.Status)}, nil
		case !fault.Is(again, fault.CodeNotFound):
			return Deleted{}, again
		}
	}
	if err != nil {
		return Deleted{}, err
	}
	if err := t.comeBack(tx, Recover, act{op: "topics.recover", event: "topic.recovered"}); err != nil {
		return Deleted{}, err
	}
	return Deleted{Slug: t.Slug, Status: string(t.Status)}, nil
}
