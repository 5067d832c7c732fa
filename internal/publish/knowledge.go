package publish

import (
	"context"
	"time"

	"driftless/internal/account"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

// Listed is a piece of public knowledge as a row.
type Listed struct {
	Slug       string    `json:"slug"`
	Title      string    `json:"title"`
	What       string    `json:"what"`
	Trust      string    `json:"trust" jsonschema:"reviewed: a person vouched for it"`
	Stale      bool      `json:"stale" jsonschema:"what it is about changed since"`
	Revision   int       `json:"revision"`
	ReviewedAt time.Time `json:"reviewed_at"`
}

func listed(d *topic.Document) Listed {
	v := d.Public()
	out := Listed{Slug: v.Slug, Title: v.Title, What: v.What, Trust: v.Trust, Stale: v.Stale, Revision: v.Revision}
	if d.ApprovedAt != nil {
		out.ReviewedAt = d.ApprovedAt.UTC()
	}
	return out
}

// Opened answers nil where the workspace with this slug is open to everybody now, and otherwise the one refusal that a closed
// workspace and one that does not exist have in common.
func (s *Service) Opened(ctx context.Context, slug string) error {
	return s.open(ctx, tenant.Actor{Slug: slug}, func(*pg.Tx) error { return nil })
}

// open runs fn on what is open in the workspace of the actor.
func (s *Service) open(ctx context.Context, a tenant.Actor, fn func(*pg.Tx) error) error {
	c := account.PublicKnowledge{}.Or(s.cfg, a.Slug)
	return s.db.Public(ctx, a, pg.Configured{Enabled: c.Enabled, Tags: c.Tags}, fn)
}

// shown reads open topics with nothing in their texts that the public may not read.
func (s *Service) shown(tx *pg.Tx, q openQuery) ([]*topic.Document, error) {
	var docs []*topic.Document
	var names []string
	err := openTopics(tx, q, func(d *topic.Document) error {
		docs = append(docs, d)
		names = append(names, mentioned(d)...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	open, err := openSlugs(tx, names)
	if err != nil {
		return nil, err
	}
	for _, d := range docs {
		s.scrub.document(d, func(slug string) bool { return open[slug] })
	}
	return docs, nil
}

// missing is the answer for what is not open, whatever it is.
func missing(slug string) error { return fault.Missing("topic", slug) }

// nextKnowledge is the call that reads a piece in full.
func nextKnowledge(slug, why string) *op.Next {
	return &op.Next{Tool: "driftless_knowledge_get", Arguments: map[string]any{"slug": slug}, Why: why}
}
