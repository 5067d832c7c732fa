package publish

import (
	"context"
	"strings"

	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

// The bounds of one page of an export.
const (
	exportTopics = 200
	exportBytes  = 1 << 20
	// exportRowMax is the largest text of one topic over MCP, in bytes, so that one alone fits into an answer.
	exportRowMax = 40 << 10
)

type exportKnowledgeIn struct {
	IfNoneMatch string `json:"if_none_match,omitempty" jsonschema:"etag you have: nothing is sent while it holds"`
	Cursor      string `json:"cursor,omitempty" jsonschema:"next_cursor of the page before"`
}

// Exported is one topic of an export.
type Exported struct {
	Slug     string `json:"slug"`
	Title    string `json:"title"`
	Revision int    `json:"revision"`
	Markdown string `json:"markdown,omitempty"`
	// TooLong stands in place of a text that does not fit into an answer.
	TooLong bool `json:"too_long,omitempty" jsonschema:"read it with driftless_knowledge_get, in parts"`
}

// Export is public knowledge as a whole, in the order of slugs. The same knowledge is the same bytes.
type Export struct {
	op.Page[Exported]
	ETag        string `json:"etag" jsonschema:"of all that is open"`
	Facts       int    `json:"facts" jsonschema:"how many topics are open"`
	NotModified bool   `json:"not_modified,omitempty" jsonschema:"what you have is current"`
}

// Meta is what an MCP client reads beside the answer.
func (e *Export) Meta() map[string]any {
	meta := map[string]any{"etag": e.ETag, "facts": e.Facts}
	if e.NotModified {
		meta["not_modified"] = true
	}
	return meta
}

// Validator is the ETag over HTTP and whether the client has what it names.
func (e *Export) Validator() (etag string, current bool) { return e.ETag, e.NotModified }

// Fit makes room for what stands beside the rows, and then drops rows.
func (e *Export) Fit(limit int) error { return e.Page.Fit(limit - 160) }

func (s *Service) exportKnowledgeOp() op.Operation {
	return op.Public(op.Spec{
		Tool: "driftless_knowledge_export", ID: "knowledge.export", Title: "Export public knowledge",
		Doc: "All reviewed topics that were opened to everybody, as Markdown, in the order of their slugs; the same knowledge gives the same answer. " +
			`Send the etag again to learn whether anything changed. Example: {"if_none_match":"9f86d081…"}`,
		REST: "GET /api/v1/public/{workspace}/knowledge/export", CLI: "knowledge export",
		Rules: op.Rules{"if_none_match": op.Length(0, 200)},
	}, s.exportKnowledge)
}

func (s *Service) exportKnowledge(ctx context.Context, a tenant.Actor, in exportKnowledgeIn) (Export, error) {
	var at behind
	if _, err := op.ParseCursor(in.Cursor, &at); err != nil {
		return Export{}, err
	}
	var out Export
	err := s.open(ctx, a, func(tx *pg.Tx) error {
		now, err := openVersion(tx)
		if err != nil {
			return err
		}
		out = Export{ETag: now.Digest, Facts: now.Topics}
		if strings.Trim(strings.TrimPrefix(in.IfNoneMatch, "W/"), `"`) == now.Digest {
			out.NotModified = true
			out.Page = op.NewPage[Exported](nil, false, nil, nil)
			return nil
		}
		docs, err := s.shown(tx, openQuery{behind: at.Slug, most: exportTopics + 1, whole: true})
		if err != nil {
			return err
		}
		out.Page = exportPage(docs, a.Via == tenant.ViaMCP)
		return nil
	})
	return out, err
}

// exportPage takes topics from the top, as many as the bounds allow and one in any case.
func exportPage(docs []*topic.Document, bounded bool) op.Page[Exported] {
	rows, size := []Exported{}, 0
	for _, d := range docs {
		row := Exported{Slug: d.Slug, Title: d.Title, Revision: d.Revision, Markdown: topic.Markdown(d.Public())}
		if bounded && len(row.Markdown) > exportRowMax {
			row.Markdown, row.TooLong = "", true
		}
		size += len(row.Markdown)
		if len(rows) == exportTopics || len(rows) > 0 && size > exportBytes {
			break
		}
		rows = append(rows, row)
	}
	page := op.NewPage(rows, len(rows) < len(docs), nil, func(last Exported, _ int) (string, *op.Next) {
		cursor := op.Cursor(behind{last.Slug})
		return cursor, &op.Next{Tool: "driftless_knowledge_export", Arguments: map[string]any{"cursor": cursor}, Why: "there are more topics"}
	})
	page.ContentTrust = topic.UntrustedData
	return page
}
