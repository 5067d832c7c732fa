package publish

import (
	"context"

	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type sharedIn struct {
	Topic string `json:"topic" jsonschema:"slug"`
}

func (s *Service) sharedOp() op.Operation {
	return op.Read(op.Spec{
		ID: "topics.shared", Title: "How a topic is shared", Doc: "The address of its page on the web, and who may read it beside its author.",
		Scope: tenant.ContextRead, Role: tenant.Member, REST: "GET /topics/{topic}/share", CLI: "context shared <topic>",
	}, func(_ context.Context, tx *pg.Tx, in sharedIn) (Shared, error) {
		t, err := find(tx, in.Topic)
		if err != nil {
			return Shared{}, err
		}
		return s.standing(tx, t)
	})
}
