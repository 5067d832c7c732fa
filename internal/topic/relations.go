package topic

import (
	"context"
	"encoding/json"
	"slices"

	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type relationsIn struct {
	Topic string `json:"topic" jsonschema:"slug"`
}

// Mention is a weak edge made by [[slug]] in a text.
type Mention struct {
	Slug string `json:"slug"`
	Dead bool   `json:"dead,omitempty"`
}

// RelationsView is everything that leads from and to a topic.
type RelationsView struct {
	Slug        string    `json:"slug"`
	Outgoing    []Edge    `json:"outgoing"`
	Incoming    []Edge    `json:"incoming"`
	Mentions    []Mention `json:"mentions"`
	MentionedBy []Mention `json:"mentioned_by"`
	NextAction  *op.Next  `json:"next_action"`
}

func (s *Service) relationsOp() op.Operation {
	return op.Query(op.Spec{
		Tool: "driftless_context_relations", ID: "topics.relations", Title: "Relations of a topic",
		Doc:   `Typed edges in both directions, and mentions apart; dead ones are marked. Example: {"topic":"billing-retries"}`,
		Scope: tenant.ContextRead, Role: tenant.Viewer, REST: "GET /topics/{topic}/relations", CLI: "context relations <topic>",
	}, s.relations)
}

func (s *Service) relations(ctx context.Context, a tenant.Actor, in relationsIn) (RelationsView, error) {
	var d *Document
	live := map[string]bool{}
	err := s.db.Read(ctx, a, func(b *pg.Batch) {
		b.JSON(func(raw []byte) error {
			d = new(Document)
			return json.Unmarshal(raw, d)
		}, documentSQL+`t.workspace_id = ? and t.slug = ? and t.status <> 'trash'`, a.Workspace, in.Topic)
		b.JSON(func(raw []byte) error {
			var slug string
			if err := json.Unmarshal(raw, &slug); err != nil {
				return err
			}
			live[slug] = true
			return nil
		}, `select to_json(o.slug) from topic t
			join mention m on m.workspace_id = t.workspace_id and m.from_id = t.id
			join topic o on o.workspace_id = m.workspace_id and o.slug = m.to_slug and o.status <> 'trash'
			where t.workspace_id = ? and t.slug = ?`, a.Workspace, in.Topic)
	})
	if err != nil {
		return RelationsView{}, err
	}
	if d == nil {
		return RelationsView{}, fault.Missing("topic", in.Topic)
	}
	out := RelationsView{
		Slug: d.Slug, Outgoing: edges(d.Outgoing, false), Incoming: edges(d.Incoming, true),
		Mentions: []Mention{}, MentionedBy: []Mention{},
		NextAction: &op.Next{Tool: "driftless_context_get", Arguments: map[string]any{"topic": d.Slug}, Why: "read the topic itself"},
	}
	// A typed edge says more than a mention in the same direction.
	for _, slug := range d.Mentions {
		if !leads(out.Outgoing, slug) {
			out.Mentions = append(out.Mentions, Mention{Slug: slug, Dead: !live[slug]})
		}
	}
	for _, slug := range d.MentionedBy {
		if !leads(out.Incoming, slug) {
			out.MentionedBy = append(out.MentionedBy, Mention{Slug: slug})
		}
	}
	return out, nil
}

func leads(edges []Edge, slug string) bool {
	return slices.ContainsFunc(edges, func(e Edge) bool { return e.Slug == slug })
}
