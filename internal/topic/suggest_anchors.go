package topic

import (
	"context"
	"slices"

	"driftless/internal/drift"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type suggestAnchorsIn struct {
	Topic string `json:"topic" jsonschema:"slug"`
}

func (s *Service) suggestAnchorsOp() op.Operation {
	return op.Read(op.Spec{
		ID: "topics.suggest_anchors", Title: "Suggest anchors for a topic",
		Doc: "Files, folders, patterns and symbols that the words of a topic cite and that are in a connected repository, in the form of anchors " +
			`with how many files each matches; those it has already are left out. Example: {"topic":"billing-retries"}`,
		Scope: tenant.ContextRead, Role: tenant.Viewer, REST: "GET /topics/{topic}/anchor-suggestions", CLI: "context anchor-suggest <topic>",
		Rules: op.Rules{"topic": op.Length(1, SlugMax)},
	}, s.suggestAnchors)
}

func (s *Service) suggestAnchors(_ context.Context, tx *pg.Tx, in suggestAnchorsIn) (op.Page[drift.Suggestion], error) {
	d, err := s.document(tx, in.Topic)
	if err != nil {
		return op.Page[drift.Suggestion]{}, err
	}
	rows, err := suggest(tx, d)
	if err != nil {
		return op.Page[drift.Suggestion]{}, err
	}
	rows = slices.DeleteFunc(rows, func(s drift.Suggestion) bool { return slices.Contains(d.Body.Anchors, s.Anchor) })
	var next *op.Next
	if len(rows) > 0 {
		anchors := make([]string, 0, len(rows))
		for _, r := range rows {
			anchors = append(anchors, r.Anchor)
		}
		next = &op.Next{
			Tool: "driftless_context_update", Arguments: map[string]any{"topic": d.Slug, "add_anchors": anchors, "summary": "Anchor what the text cites"},
			Why: "anchor those that the topic is really about",
		}
	}
	return op.NewPage(rows, false, next, nil), nil
}

// suggest finds anchors for the words of a topic.
func suggest(tx *pg.Tx, d *Document) ([]drift.Suggestion, error) {
	texts := slices.Concat([]string{d.What, d.Body.How, d.Body.Text}, d.Body.Decisions, d.Body.Gotchas, d.Body.Invariants, d.Body.RequiredChecks)
	return drift.Suggest(tx, d.Body.Sources, texts...)
}
