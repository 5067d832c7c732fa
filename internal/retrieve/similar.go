package retrieve

import (
	"context"

	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

type similarIn struct {
	Topic    string `json:"topic" jsonschema:"slug"`
	Proposal string `json:"proposal,omitempty" jsonschema:"id of a suggested edit of it, to compare what it would say"`
}

// Resembling is what looks as if it said the same as a topic.
type Resembling struct {
	Topic        string          `json:"topic"`
	Similar      []topic.Similar `json:"similar"`
	ContentTrust string          `json:"content_trust"`
}

func (s *Service) similarOp() op.Operation {
	return op.Query(op.Spec{
		ID: "topics.similar", Title: "What looks the same", Doc: "Up to three topics that look as if they said the same as one, for a reviewer.",
		Scope: tenant.ContextRead, Role: tenant.Viewer, REST: "GET /topics/{topic}/similar", CLI: "context similar <topic>",
		Rules: op.Rules{"topic": op.Length(1, 200), "proposal": op.Length(0, 200)},
	}, s.similar)
}

func (s *Service) similar(ctx context.Context, a tenant.Actor, in similarIn) (Resembling, error) {
	var self uuid.UUID
	var said topic.Content
	err := s.db.Read(ctx, a, func(b *pg.Batch) {
		topic.QueueSaid(b, a, in.Topic, in.Proposal, func(id uuid.UUID, c topic.Content) error {
			self, said = id, c
			return nil
		})
	})
	switch {
	case err != nil:
		return Resembling{}, err
	case self == uuid.Nil && in.Proposal != "":
		return Resembling{}, fault.Missing("suggested edit", in.Proposal)
	case self == uuid.Nil:
		return Resembling{}, fault.Missing("topic", in.Topic)
	}
	found, err := s.alike(ctx, a, self, said)
	return Resembling{Topic: in.Topic, Similar: found, ContentTrust: topic.UntrustedData}, err
}
