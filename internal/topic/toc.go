package topic

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/google/uuid"

	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type tocIn struct {
	Area   string `json:"area,omitempty" jsonschema:"only this area"`
	Limit  int    `json:"limit,omitempty" jsonschema:"rows"`
	Cursor string `json:"cursor,omitempty" jsonschema:"next_cursor of the page before"`
}

// Entry is a line of the table of contents.
type Entry struct {
	Area  string `json:"area" jsonschema:"empty for none"`
	Slug  string `json:"slug"`
	Title string `json:"title"`
	Trust string `json:"trust"`
	Stale bool   `json:"stale"`
}

func (s *Service) tocOp() op.Operation {
	return op.Query(op.Spec{
		ID: "topics.toc", Title: "Table of contents",
		Doc:   "What a workspace holds: slugs and titles with their trust, by area in the order of the alphabet, topics without an area last. The archive is left out.",
		Scope: tenant.ContextRead, Role: tenant.Viewer, REST: "GET /toc", CLI: "context toc",
		Rules: op.Rules{"limit": op.Range(1, 1000, 200), "area": op.Length(0, 64)},
	}, s.toc)
}

// turned is where a page of the contents ended. It is a place in the alphabet, so that what is written meanwhile stands before or
// after it and moves nothing else.
type turned struct {
	None  bool      `json:"n"`
	Area  string    `json:"a"`
	Title string    `json:"t"`
	ID    uuid.UUID `json:"i"`
}

func (s *Service) toc(ctx context.Context, a tenant.Actor, in tocIn) (op.Page[Entry], error) {
	var after turned
	paging, err := op.ParseCursor(in.Cursor, &after)
	if err != nil {
		return op.Page[Entry]{}, err
	}
	var rows []Entry
	var places []turned
	err = s.db.Read(ctx, a, func(b *pg.Batch) {
		queueToc(b, a, in, paging, after, func(e Entry, at turned) {
			rows, places = append(rows, e), append(places, at)
		})
	})
	if err != nil {
		return op.Page[Entry]{}, err
	}
	more := len(rows) > in.Limit
	rows = rows[:min(len(rows), in.Limit)]
	page := op.NewPage(rows, more, afterToc(rows), func(_ Entry, shown int) (string, *op.Next) {
		return op.Cursor(places[shown-1]), nil
	})
	page.ContentTrust = UntrustedData
	return page, nil
}

func afterToc(rows []Entry) *op.Next {
	if len(rows) == 0 {
		return nil
	}
	return &op.Next{Tool: "driftless_context_get", Arguments: map[string]any{"topic": rows[0].Slug}, Why: "read the first one in full"}
}

// queueToc reads one line more than the page holds.
func queueToc(b *pg.Batch, a tenant.Actor, in tocIn, paging bool, after turned, scan func(Entry, turned)) {
	query, args := `select json_build_object('area', x.area, 'slug', x.slug, 'title', x.title, 'status', x.status,
			'stale', x.drift_state in ('review', 'broken'), 'at', json_build_object('n', x.none, 'a', x.key, 't', x.sorted, 'i', x.id))
		from (select t.id, t.slug, t.title, t.status, t.drift_state, lower(t.title) as sorted,
				coalesce(r.name, '') as area, coalesce(r.name_key, '') as key, r.name is null as none
			from topic t left join area r on r.workspace_id = t.workspace_id and r.id = t.area_id
			where t.workspace_id = ? and t.status not in ('archived', 'trash')) x where true`, []any{a.Workspace}
	if in.Area != "" {
		query, args = query+` and x.key = lower(?)`, append(args, strings.TrimSpace(in.Area))
	}
	if paging {
		query, args = query+` and (x.none, x.key, x.sorted, x.id) > (?, ?, ?, ?)`, append(args, after.None, after.Area, after.Title, after.ID)
	}
	b.JSON(func(raw []byte) error {
		var row struct {
			Entry
			Status Status `json:"status"`
			At     turned `json:"at"`
		}
		if err := json.Unmarshal(raw, &row); err != nil {
			return err
		}
		row.Trust = trust(row.Status, nil)
		scan(row.Entry, row.At)
		return nil
	}, query+` order by x.none, x.key, x.sorted, x.id limit ?`, append(args, in.Limit+1)...)
}
