package publish

import (
	"context"

	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

type listKnowledgeIn struct {
	Limit  int    `json:"limit,omitempty" jsonschema:"rows"`
	Cursor string `json:"cursor,omitempty" jsonschema:"next_cursor of the page before"`
}

// Contents is the table of contents of public knowledge.
type Contents struct {
	op.Page[Listed]
	Facts int `json:"facts" jsonschema:"how many topics are open"`
}

func (s *Service) listKnowledgeOp() op.Operation {
	return op.Public(op.Spec{
		Tool: "driftless_knowledge_toc", ID: "knowledge.list", Title: "Contents of public knowledge",
		Doc:  `The reviewed topics that were opened to everybody, in the order of their slugs, without their texts. Example: {"limit":100}`,
		REST: "GET /api/v1/public/{workspace}/knowledge", CLI: "knowledge toc",
		Rules: op.Rules{"limit": op.Range(1, 200, 50)},
	}, s.listKnowledge)
}

// behind is the slug after which a page begins.
type behind struct {
	Slug string `json:"s"`
}

func (s *Service) listKnowledge(ctx context.Context, a tenant.Actor, in listKnowledgeIn) (Contents, error) {
	var at behind
	if _, err := op.ParseCursor(in.Cursor, &at); err != nil {
		return Contents{}, err
	}
	var out Contents
	err := s.open(ctx, a, func(tx *pg.Tx) error {
		now, err := openVersion(tx)
		if err != nil {
			return err
		}
		docs, err := s.shown(tx, openQuery{behind: at.Slug, most: in.Limit + 1})
		if err != nil {
			return err
		}
		more := len(docs) > in.Limit
		rows := make([]Listed, 0, in.Limit)
		for _, d := range docs[:min(len(docs), in.Limit)] {
			rows = append(rows, listed(d))
		}
		var done *op.Next
		if len(rows) > 0 {
			done = nextKnowledge(rows[0].Slug, "read one in full")
		}
		page := op.NewPage(rows, more, done, func(last Listed, _ int) (string, *op.Next) {
			cursor := op.Cursor(behind{last.Slug})
			return cursor, &op.Next{
				Tool: "driftless_knowledge_toc", Arguments: map[string]any{"cursor": cursor, "limit": in.Limit}, Why: "there are more topics",
			}
		})
		page.ContentTrust = topic.UntrustedData
		out = Contents{Page: page, Facts: now.Topics}
		return nil
	})
	return out, err
}

// Fit makes room for what stands beside the rows, and then drops rows.
func (c *Contents) Fit(limit int) error { return c.Page.Fit(limit - len(`"facts":9999999,`)) }
