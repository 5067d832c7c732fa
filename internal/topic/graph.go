package topic

import (
	"context"
	"encoding/json"

	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/relation"
	"driftless/internal/tenant"
)

// NodesMax is how many topics one graph shows.
const NodesMax = 200

// mentionType is the type under which a graph shows mentions.
const mentionType = "mention"

type graphIn struct {
	Topic string   `json:"topic" jsonschema:"slug in the middle"`
	Depth int      `json:"depth,omitempty" jsonschema:"steps"`
	Types []string `json:"types,omitempty" jsonschema:"only along these"`
}

// Node is a topic in a graph; Depth is its distance from the middle in steps.
type Node struct {
	Slug       string `json:"slug"`
	Title      string `json:"title"`
	Trust      string `json:"trust"`
	Stale      bool   `json:"stale,omitempty"`
	Superseded bool   `json:"superseded,omitempty"`
	Depth      int    `json:"depth"`
}

// Arrow is an edge of a graph, in the direction in which it was written.
type Arrow struct {
	From string `json:"from"`
	Type string `json:"type"`
	To   string `json:"to"`
}

// Graph is what lies around a topic.
type Graph struct {
	Nodes      []Node   `json:"nodes"`
	Edges      []Arrow  `json:"edges"`
	Truncated  bool     `json:"truncated"`
	NextAction *op.Next `json:"next_action"`
}

func (s *Service) graphOp() op.Operation {
	return op.Query(op.Spec{
		Tool: "driftless_context_graph", ID: "topics.graph", Title: "Graph around a topic",
		Doc:   `What is related to a topic, step by step, along relations and mentions in both directions. Example: {"topic":"billing-retries","depth":2}`,
		Scope: tenant.ContextRead, Role: tenant.Viewer, REST: "GET /topics/{topic}/graph", CLI: "context graph <topic>",
		Rules: op.Rules{
			"depth": op.Range(1, 5, 2), "types": op.Items(0, 8), "types[]": op.OneOf("", append(relation.Types(), mentionType)...),
		},
	}, s.graph)
}

// graphNodesSQL walks breadth-first by look-ups for each topic found, never through the trash. A mention of a duplicate that was
// merged leads to the survivor. A topic met again at the same distance is met once, so cycles end with the depth, and the walk
// ends when it has met more topics than are shown, each at every depth at most.
const graphNodesSQL = `with recursive walk(id, depth) as (
		select t.id, 0 from topic t where t.workspace_id = ? and t.slug = ? and t.status <> 'trash'
	union
		select e.id, w.depth + 1 from walk w cross join lateral (
			select r.to_id as id from relation r where r.workspace_id = ? and r.from_id = w.id and r.type = any(?)
			union select r.from_id from relation r where r.workspace_id = ? and r.to_id = w.id and r.type = any(?)
			union select coalesce(o.merged_into, o.id) from mention m join topic o on o.workspace_id = m.workspace_id and o.slug = m.to_slug
				where m.workspace_id = ? and m.from_id = w.id and ?
			union select m.from_id from topic s join mention m on m.workspace_id = s.workspace_id and m.to_slug = s.slug
				where s.workspace_id = ? and (s.id = w.id and s.merged_into is null or s.merged_into = w.id) and ?
			order by 1
		) e where w.depth < ? and (select t.status from topic t where t.workspace_id = ? and t.id = e.id) <> 'trash'
	), near as (
		select id, min(depth) as depth from (select id, depth from walk limit ?) met group by id
	)
	select json_build_object('id', t.id, 'slug', t.slug, 'title', t.title, 'status', t.status, 'returns_to', t.returns_to,
		'stale', t.drift_state in ('review', 'broken'), 'depth', n.depth,
		'superseded', exists (select 1 from relation r join topic o on o.workspace_id = r.workspace_id and o.id = r.from_id
			where r.workspace_id = t.workspace_id and r.to_id = t.id and r.type = 'supersedes' and o.status = 'reviewed'))
	from near n join topic t on t.workspace_id = ? and t.id = n.id
	order by n.depth, t.slug limit ?`

// graphEdgesSQL reads the edges between topics that are shown; a mention that a relation covers in the same direction is left
// out.
const graphEdgesSQL = `select json_build_object('from', f.slug, 'type', e.type, 'to', o.slug) from (
		select r.from_id, r.type, r.to_id from relation r where r.workspace_id = ? and r.type = any(?)
			and r.from_id = any(?::uuid[]) and r.to_id = any(?::uuid[])
		union
		select m.from_id, 'mention', x.id from mention m join topic t on t.workspace_id = m.workspace_id and t.slug = m.to_slug
			cross join lateral (select coalesce(t.merged_into, t.id) as id) x
			where m.workspace_id = ? and ? and m.from_id = any(?::uuid[]) and x.id = any(?::uuid[]) and x.id <> m.from_id
				and not exists (select 1 from relation r where r.workspace_id = m.workspace_id and r.from_id = m.from_id and r.to_id = x.id)
	) e join topic f on f.workspace_id = ? and f.id = e.from_id join topic o on o.workspace_id = ? and o.id = e.to_id
	order by f.slug, e.type, o.slug`

func (s *Service) graph(ctx context.Context, a tenant.Actor, in graphIn) (Graph, error) {
	types, mentions := in.Types, len(in.Types) == 0
	if mentions {
		types = relation.Types()
	}
	for _, t := range in.Types {
		mentions = mentions || t == mentionType
	}
	ws := a.Workspace
	out := Graph{
		Nodes: []Node{}, Edges: []Arrow{},
		NextAction: &op.Next{Tool: "driftless_context_get", Arguments: map[string]any{"topic": in.Topic}, Why: "read the topic in the middle"},
	}
	var ids []string
	err := s.db.Read(ctx, a, func(b *pg.Batch) {
		b.JSON(func(raw []byte) error {
			var n struct {
				Node
				ID        string  `json:"id"`
				Status    Status  `json:"status"`
				ReturnsTo *Status `json:"returns_to"`
			}
			if err := json.Unmarshal(raw, &n); err != nil {
				return err
			}
			if len(out.Nodes) == NodesMax {
				out.Truncated = true
				return nil
			}
			n.Trust = trust(n.Status, n.ReturnsTo)
			out.Nodes, ids = append(out.Nodes, n.Node), append(ids, n.ID)
			return nil
		}, graphNodesSQL, ws, in.Topic, ws, types, ws, types, ws, mentions, ws, mentions,
			in.Depth, ws, (in.Depth+1)*(NodesMax+1), ws, NodesMax+1)
	})
	if err != nil {
		return out, err
	}
	if len(out.Nodes) == 0 {
		return out, fault.Missing("topic", in.Topic)
	}
	err = s.db.Read(ctx, a, func(b *pg.Batch) {
		b.JSON(func(raw []byte) error {
			var e Arrow
			if err := json.Unmarshal(raw, &e); err != nil {
				return err
			}
			out.Edges = append(out.Edges, e)
			return nil
		}, graphEdgesSQL, ws, types, ids, ids, ws, mentions, ids, ids, ws, ws)
	})
	return out, err
}

// Fit drops the topics farthest from the middle, and the edges that lead to them, until the encoded graph is at most limit
// bytes.
func (g *Graph) Fit(limit int) error {
	for {
		raw, err := op.Marshal(g)
		if err != nil {
			return err
		}
		if len(raw) <= limit || len(g.Nodes) == 1 {
			return nil
		}
		keep := max(1, len(g.Nodes)*limit/len(raw)-1)
		g.Nodes, g.Truncated = g.Nodes[:keep], true
		shown := map[string]bool{}
		for _, n := range g.Nodes {
			shown[n.Slug] = true
		}
		edges := g.Edges[:0]
		for _, e := range g.Edges {
			if shown[e.From] && shown[e.To] {
				edges = append(edges, e)
			}
		}
		g.Edges = edges
	}
}
