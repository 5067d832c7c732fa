package topic

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/uuid"

	"driftless/internal/label"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type listIn struct {
	Status string   `json:"status,omitempty" jsonschema:"all but archived when absent"`
	Stale  *bool    `json:"stale,omitempty" jsonschema:"drifted or not"`
	Tags   []string `json:"tags,omitempty" jsonschema:"any of these"`
	Area   string   `json:"area,omitempty" jsonschema:"area"`
	Mine   bool     `json:"mine,omitempty" jsonschema:"written by me"`
	// Unfiled is for whoever files topics, which is done in the console.
	Unfiled bool   `json:"unfiled,omitempty" jsonschema:"only those without an area"`
	Limit   int    `json:"limit,omitempty" jsonschema:"rows"`
	Cursor  string `json:"cursor,omitempty" jsonschema:"next_cursor of the page before"`
	Facets  bool   `json:"facets,omitempty" jsonschema:"count by trust, area, tag and drift"`
}

// Listed is a page of topics, with the counts of all that match where they were asked for.
type Listed struct {
	*op.Page[View]
	Facets *Facets `json:"facets,omitempty"`
}

// Fit makes room for the counts, and then drops rows.
func (l Listed) Fit(limit int) error {
	beside, err := op.Marshal(l.Facets)
	if err != nil {
		return err
	}
	return l.Page.Fit(limit - len(beside))
}

// StatusRule bounds an input field that names a state to filter by.
func StatusRule() op.Rule {
	return op.OneOf("", string(Draft), string(Proposed), string(Reviewed), string(Archived))
}

func (s *Service) listOp() op.Operation {
	return op.Query(op.Spec{
		Tool: "driftless_context_list", ID: "topics.list", Title: "List topics",
		Doc:   `Topics as rows, drifted first, then newest. Example: {"status":"reviewed","area":"Payments"}`,
		Scope: tenant.ContextRead, Role: tenant.Viewer, REST: "GET /topics", CLI: "context list",
		Hidden: []string{"facets", "unfiled"},
		Rules:  op.Rules{"status": StatusRule(), "limit": op.Range(1, 200, 40), "tags": op.Items(0, 50)},
	}, s.list)
}

// listed is where a page of the list ended. Ids grow with time and never change, so pages are stable under writes.
type listed struct {
	Drifted bool      `json:"d"`
	ID      uuid.UUID `json:"i"`
}

func (s *Service) list(ctx context.Context, a tenant.Actor, in listIn) (Listed, error) {
	var after listed
	paging, err := op.ParseCursor(in.Cursor, &after)
	if err != nil {
		return Listed{}, err
	}
	tags, err := label.Tags(in.Tags)
	if err != nil {
		return Listed{}, err
	}
	where := []string{"t.workspace_id = ?"}
	args := []any{a.Workspace}
	also := func(condition string, values ...any) {
		where, args = append(where, condition), append(args, values...)
	}
	if in.Status != "" {
		also("t.status = ?", in.Status)
	} else {
		also("t.status not in ('archived', 'trash')")
	}
	if in.Stale != nil {
		also("(t.drift_state in ('review', 'broken')) = ?", *in.Stale)
	}
	if in.Area != "" {
		also("t.area_id = (select x.id from area x where x.workspace_id = t.workspace_id and x.name_key = lower(?))", strings.TrimSpace(in.Area))
	}
	if in.Unfiled {
		also("t.area_id is null")
	}
	if len(tags) > 0 {
		also("exists (select 1 from topic_tag x join tag g on g.workspace_id = x.workspace_id and g.id = x.tag_id"+
			" where x.workspace_id = t.workspace_id and x.topic_id = t.id and g.name = any(?))", tags)
	}
	if in.Mine {
		also("t.author_id = ?", a.Person)
	}
	counted, countedArgs := strings.Join(where, " and "), slices.Clone(args)
	if paging {
		also("((t.drift_state in ('review', 'broken')), t.id) < (?, ?)", after.Drifted, after.ID)
	}
	query := documentSQL + strings.Join(where, " and ") +
		" order by (t.drift_state in ('review', 'broken')) desc, t.id desc limit ?"
	var docs []*Document
	var facets *Facets
	err = s.db.Read(ctx, a, func(b *pg.Batch) {
		if in.Facets {
			facets = &Facets{}
			queueFacets(b, counted, countedArgs, facets)
		}
		b.JSON(func(raw []byte) error {
			d := new(Document)
			docs = append(docs, d)
			return json.Unmarshal(raw, d)
		}, query, append(args, in.Limit+1)...)
	})
	if err != nil {
		return Listed{}, err
	}
	more := len(docs) > in.Limit
	if more {
		docs = docs[:in.Limit]
	}
	at := map[string]listed{}
	rows := make([]View, 0, len(docs))
	for _, d := range docs {
		rows = append(rows, d.View(Summary, a))
		at[d.Slug] = listed{Drifted: d.DriftState == "review" || d.DriftState == "broken", ID: d.ID}
	}
	page := op.NewPage(rows, more, nextAfterList(rows), func(last View, _ int) (string, *op.Next) {
		cursor := op.Cursor(at[last.Slug])
		return cursor, &op.Next{Tool: "driftless_context_list", Arguments: in.again(cursor), Why: "there are more topics"}
	})
	page.ContentTrust = UntrustedData
	return Listed{Page: &page, Facets: facets}, nil
}

// again is the same call for the next page.
func (in listIn) again(cursor string) map[string]any {
	out := map[string]any{"cursor": cursor, "limit": in.Limit}
	if in.Status != "" {
		out["status"] = in.Status
	}
	if in.Stale != nil {
		out["stale"] = *in.Stale
	}
	if len(in.Tags) > 0 {
		out["tags"] = in.Tags
	}
	if in.Area != "" {
		out["area"] = in.Area
	}
	if in.Mine {
		out["mine"] = true
	}
	if in.Facets {
		out["facets"] = true
	}
	if in.Unfiled {
		out["unfiled"] = true
	}
	return out
}

func nextAfterList(rows []View) *op.Next {
	if len(rows) == 0 {
		return &op.Next{
			Tool: "driftless_note_add", Arguments: map[string]any{"content": "What I learned: …"},
			Why: "nothing matches; leave what you learn as a note",
		}
	}
	return &op.Next{
		Tool: "driftless_context_get", Arguments: map[string]any{"topic": rows[0].Slug}, Why: "read the first one in full",
	}
}
