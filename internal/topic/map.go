package topic

import (
	"context"
	"encoding/json"
	"strings"

	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// Limits of a map: topics, and edges between them.
const (
	MapNodesMax = 2000
	mapEdgesMax = 10_000
)

type mapIn struct {
	Area string `json:"area,omitempty" jsonschema:"only topics of this area"`
}

// Spot is a topic on a map.
type Spot struct {
	Slug       string `json:"slug"`
	Title      string `json:"title"`
	Trust      string `json:"trust"`
	Area       string `json:"area,omitempty"`
	Stale      bool   `json:"stale,omitempty"`
	Superseded bool   `json:"superseded,omitempty"`
}

// Map is all topics of a workspace with the edges between them; when there are more than fit, Knowledge stays before Notes, and
// the newer before the older.
type Map struct {
	Nodes     []Spot  `json:"nodes"`
	Edges     []Arrow `json:"edges"`
	Truncated bool    `json:"truncated" jsonschema:"there are more topics or edges than are shown"`
	// ContentTrust marks that titles are data.
	ContentTrust string `json:"content_trust"`
}

func (s *Service) mapOp() op.Operation {
	return op.Query(op.Spec{
		ID: "graph.show", Title: "Graph of the workspace",
		Doc: "All topics that are neither archived nor in the trash, at most 2,000, and the relations and mentions between them: for a picture. " +
			`Example: {"area":"Payments"}`,
		Scope: tenant.ContextRead, Role: tenant.Viewer, REST: "GET /graph", CLI: "context map",
		Rules: op.Rules{"area": op.Length(0, 200)},
	}, s.drawMap)
}

// mapSQL reads topics and edges at once: a row has one of them. A mention that a relation covers in the same direction is left
// out, as everywhere.
const mapSQL = `with shown as materialized (
		select t.id, t.slug, t.title, t.status, t.merged_into, t.area_id, t.drift_state, row_number() over (order by (t.status = 'reviewed') desc, t.id desc) as place
		from topic t where t.workspace_id = ? and t.status in ('draft', 'proposed', 'reviewed')
			and (? = '' or t.area_id = (select x.id from area x where x.workspace_id = t.workspace_id and x.name_key = lower(?)))
		order by place limit ?
	), near as materialized (select * from shown where place <= ?), edges as (
		select r.from_id, r.type, r.to_id from relation r where r.workspace_id = ?
			and r.from_id in (select id from near) and r.to_id in (select id from near)
		union
		select m.from_id, 'mention', n.id from mention m join near n on n.slug = m.to_slug
			where m.workspace_id = ? and m.from_id in (select id from near) and n.id <> m.from_id
				and not exists (select 1 from relation r where r.workspace_id = m.workspace_id and r.from_id = m.from_id and r.to_id = n.id)
	)
	(select json_build_object('node', json_build_object('slug', s.slug, 'title', s.title, 'status', s.status,
			'area', coalesce((select a.name from area a where a.workspace_id = ? and a.id = s.area_id), ''),
			'stale', s.drift_state in ('review', 'broken'),
			'superseded', exists (select 1 from relation r join topic o on o.workspace_id = r.workspace_id and o.id = r.from_id
				where r.workspace_id = ? and r.to_id = s.id and r.type = 'supersedes' and o.status = 'reviewed')))
		from shown s order by s.place)
	union all
	(select json_build_object('edge', json_build_object('from', f.slug, 'type', e.type, 'to', o.slug))
		from edges e join near f on f.id = e.from_id join near o on o.id = e.to_id order by f.slug, e.type, o.slug limit ?)`

func (s *Service) drawMap(ctx context.Context, a tenant.Actor, in mapIn) (Map, error) {
	out := Map{Nodes: []Spot{}, Edges: []Arrow{}, ContentTrust: UntrustedData}
	ws, area := a.Workspace, strings.TrimSpace(in.Area)
	err := s.db.Read(ctx, a, func(b *pg.Batch) {
		b.JSON(func(raw []byte) error {
			var row struct {
				Node *struct {
					Spot
					Status Status `json:"status"`
				} `json:"node"`
				Edge Arrow `json:"edge"`
			}
			if err := json.Unmarshal(raw, &row); err != nil {
				return err
			}
			switch {
			case row.Node == nil && len(out.Edges) < mapEdgesMax:
				out.Edges = append(out.Edges, row.Edge)
			case row.Node != nil && len(out.Nodes) < MapNodesMax:
				row.Node.Trust = trust(row.Node.Status, nil)
				out.Nodes = append(out.Nodes, row.Node.Spot)
			default:
				out.Truncated = true
			}
			return nil
		}, mapSQL, ws, area, area, MapNodesMax+1, MapNodesMax, ws, ws, ws, ws, mapEdgesMax+1)
	})
	return out, err
}
