package exchange

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"driftless/internal/exchange/parse"
	"driftless/internal/op"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

type exportIn struct {
	Limit  int    `json:"limit,omitempty" jsonschema:"topics of a page"`
	Cursor string `json:"cursor,omitempty" jsonschema:"next_cursor of the page before"`
}

// Exported is a topic in two forms: the file that an import reads back, and everything the API tells of it.
type Exported struct {
	Slug     string     `json:"slug"`
	Markdown string     `json:"markdown" jsonschema:"front matter and content"`
	Topic    topic.View `json:"topic"`

	id uuid.UUID
}

func (s *Service) exportOp() op.Operation {
	return op.Query(op.Spec{
		ID: "workspace.export", Title: "Export topics",
		Doc: "All topics that the caller may see, archived ones too and the trash left out, as Markdown with front matter and as JSON, in pages. " +
			"Private drafts of other people are theirs to export.",
		Scope: tenant.ContextRead, Role: tenant.Viewer, REST: "GET /export", CLI: "workspace export",
		Rules: op.Rules{"limit": op.Range(1, 100, 50)},
	}, s.export)
}

func (s *Service) export(ctx context.Context, a tenant.Actor, in exportIn) (op.Page[Exported], error) {
	var above uuid.UUID
	if _, err := op.ParseCursor(in.Cursor, &above); err != nil {
		return op.Page[Exported]{}, err
	}
	docs, err := s.topics.InOrder(ctx, a, above, in.Limit+1)
	if err != nil {
		return op.Page[Exported]{}, err
	}
	more := len(docs) > in.Limit
	if more {
		docs = docs[:in.Limit]
	}
	rows := make([]Exported, 0, len(docs))
	for _, d := range docs {
		row, err := exported(d.View(topic.Full, a))
		if err != nil {
			return op.Page[Exported]{}, err
		}
		row.id = d.ID
		rows = append(rows, row)
	}
	page := op.NewPage(rows, more, nil, func(last Exported, _ int) (string, *op.Next) { return op.Cursor(last.id), nil })
	page.ContentTrust = topic.UntrustedData
	return page, nil
}

// exported writes the file of a topic from what a client of the API would read, as the command line does.
func exported(v topic.View) (Exported, error) {
	raw, err := op.Marshal(v)
	if err != nil {
		return Exported{}, fmt.Errorf("write %s: %w", v.Slug, err)
	}
	var t parse.Exported
	if err := json.Unmarshal(raw, &t); err != nil {
		return Exported{}, fmt.Errorf("write %s: %w", v.Slug, err)
	}
	file, err := parse.Render(t.Draft())
	return Exported{Slug: v.Slug, Markdown: string(file), Topic: v}, err
}
