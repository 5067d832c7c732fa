package retrieve

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"driftless/internal/evidence"
	"driftless/internal/fault"
	"driftless/internal/label"
	"driftless/internal/op"
	"driftless/internal/retrieve/lexical"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

type searchIn struct {
	Query     string                `json:"query" jsonschema:"words, \"phrases\", OR, -not"`
	Tags      []string              `json:"tags,omitempty" jsonschema:"any of"`
	Area      string                `json:"area,omitempty" jsonschema:"area"`
	Status    string                `json:"status,omitempty" jsonschema:"state"`
	Stale     *bool                 `json:"stale,omitempty" jsonschema:"drifted"`
	Env       *evidence.Environment `json:"env,omitempty" jsonschema:"{os,runtime}"`
	Ecosystem string                `json:"ecosystem,omitempty" jsonschema:"npm, go"`
	AsOf      string                `json:"as_of,omitempty" jsonschema:"time or commit"`
	Prefix    bool                  `json:"prefix,omitempty" jsonschema:"last word unfinished"`
	Limit     int                   `json:"limit,omitempty" jsonschema:"rows"`
	Cursor    string                `json:"cursor,omitempty" jsonschema:"next_cursor"`
	Facets    bool                  `json:"facets,omitempty" jsonschema:"count by trust, area, tag and drift"`
}

// searchDepth is how many topics a search can page through.
const searchDepth = 500

func (s *Service) searchOp() op.Operation {
	return op.Query(op.Spec{
		Tool: "driftless_context_search", ID: "context.search", Title: "Search topics",
		Doc:    `Find topics by words, best first. Example: {"query":"\"dead letter\" queue -kafka"}`,
		Hidden: []string{"prefix", "as_of", "facets"},
		Scope:  tenant.ContextRead, Role: tenant.Viewer, Core: true, REST: "GET /search", CLI: "context search <query>",
		Rules: op.Rules{
			"query": op.Length(1, 1000), "status": topic.StatusRule(), "tags": op.Items(0, label.TagsMax), "limit": op.Range(1, 20, 5), "as_of": asOfRule(), "ecosystem": op.Length(0, 64),
		},
	}, s.search)
}

// reached is where a page of a search ended: what was shown, by the first bytes of its ids. A place in the order would not do: whatever
// is written between two pages moves the scores of all that match, and a topic that stood still could be shown twice or never.
type reached struct {
	Shown []byte `json:"s"`
}

// markBytes of an id tell 500 topics apart but for one chance in ten million. They are of its end, which is random.
const markBytes = 5

func markOf(id uuid.UUID) [markBytes]byte { return [markBytes]byte(id[len(id)-markBytes:]) }

// with adds topics to what was shown.
func (p reached) with(rows []*candidate) reached {
	out := reached{Shown: slices.Clone(p.Shown)}
	for _, c := range rows {
		mark := markOf(c.id)
		out.Shown = append(out.Shown, mark[:]...)
	}
	return out
}

// rest is what was not shown yet, in the order of now.
func (p reached) rest(rows []*candidate) []*candidate {
	shown := map[[markBytes]byte]bool{}
	for mark := range slices.Chunk(p.Shown, markBytes) {
		shown[[markBytes]byte(mark)] = true
	}
	return slices.DeleteFunc(rows, func(c *candidate) bool { return shown[markOf(c.id)] })
}

func (s *Service) search(ctx context.Context, a tenant.Actor, in searchIn) (Answer, error) {
	var after reached
	paging, err := op.ParseCursor(in.Cursor, &after)
	if err != nil {
		return Answer{}, err
	}
	if paging && (len(after.Shown) == 0 || len(after.Shown)%markBytes != 0) {
		return Answer{}, fault.Fieldf("cursor", "is not one that a search gave out; leave it out to begin again")
	}
	tags, err := label.Tags(in.Tags)
	if err != nil {
		return Answer{}, err
	}
	here, err := surroundingsOf(in.Env, in.Ecosystem, in.AsOf)
	if err != nil {
		return Answer{}, err
	}
	then, err := s.moment(ctx, a, in.AsOf)
	if err != nil {
		return Answer{}, err
	}
	q := question{
		actor: a, text: lexical.Parse(in.Query), prefix: in.Prefix, depth: searchDepth,
		keep: filter{status: in.Status, area: areaKey(in.Area), tags: tags, stale: in.Stale}, place: here,
	}
	if err := s.survey(ctx, a, &q); err != nil {
		return Answer{}, err
	}
	var rows []*candidate
	var near []*facts
	var over map[uuid.UUID][]string
	err = s.at(ctx, a.Workspace, then, func(ix *index) {
		rows = ix.rank(q).rows
		if then != nil {
			over = ix.replaced(rows)
		}
		if len(rows) == 0 {
			near = ix.nearest(q)
		}
	})
	if err != nil {
		return Answer{}, err
	}
	if len(rows) == 0 && then == nil && q.keep.area != "" { // where something is filed there, the area exists
		if err := s.knownArea(ctx, a, in.Area); err != nil {
			return Answer{}, err
		}
	}
	var counts *topic.Facets
	if in.Facets {
		if counts, err = s.facets(ctx, a, rows); err != nil {
			return Answer{}, err
		}
	}
	if paging {
		rows = after.rest(rows)
	}
	more := len(rows) > in.Limit
	rows = rows[:min(len(rows), in.Limit)]
	docs, err := s.readAt(ctx, a, then, ids(rows, near...))
	if err != nil {
		return Answer{}, err
	}
	recall(docs, over)
	answers, err := s.judge(ctx, a, here, docs)
	if err != nil {
		return Answer{}, err
	}
	l := layout{view: topic.Summary, past: then != nil, env: in.Env, answers: answers}
	shown, place := make([]Row, 0, len(rows)), map[string]int{}
	for i, c := range rows {
		d := docs[c.id]
		if d == nil {
			continue
		}
		r, err := row(c, d, l, a)
		if err != nil {
			return Answer{}, err
		}
		shown, place[r.Slug] = append(shown, r), i+1
	}
	page := op.NewPage(shown, more, in.done(a, shown, l), func(last Row, _ int) (string, *op.Next) {
		cursor := op.Cursor(after.with(rows[:place[last.Slug]]))
		return cursor, &op.Next{Tool: "driftless_context_search", Arguments: in.again(cursor), Why: "there are more matches"}
	})
	page.Nearest, page.ContentTrust = slugs(near, docs), topic.UntrustedData
	return Answer{Page: &page, AsOf: then, Facets: counts}, nil
}

// done is the next step when no match is left.
func (in searchIn) done(a tenant.Actor, rows []Row, l layout) *op.Next {
	switch {
	case len(rows) > 0:
		return l.readFirst(rows)
	case in.Status == string(topic.Archived):
		return &op.Next{
			Tool: "driftless_context_list", Arguments: map[string]any{"status": in.Status}, Why: "the archive is listed, not searched",
		}
	}
	return nothing(a, nil)
}

// again is the same call for the next page.
func (in searchIn) again(cursor string) map[string]any {
	out := map[string]any{"query": in.Query, "cursor": cursor, "limit": in.Limit}
	if len(in.Tags) > 0 {
		out["tags"] = in.Tags
	}
	if in.Area != "" {
		out["area"] = in.Area
	}
	if in.Status != "" {
		out["status"] = in.Status
	}
	if in.Stale != nil {
		out["stale"] = *in.Stale
	}
	if in.Prefix {
		out["prefix"] = true
	}
	if in.Facets {
		out["facets"] = true
	}
	if in.Env != nil {
		out["env"] = in.Env
	}
	if in.Ecosystem != "" {
		out["ecosystem"] = in.Ecosystem
	}
	if in.AsOf != "" {
		out["as_of"] = in.AsOf
	}
	return out
}
