package topic

import (
	"encoding/json"

	"driftless/internal/pg"
)

// FacetTagsMost is how many tags are counted, those with the most topics.
const FacetTagsMost = 50

// Facets count the topics that match, whatever of them is shown. The area of a topic without one is empty.
type Facets struct {
	Total int            `json:"total"`
	Trust map[string]int `json:"trust" jsonschema:"topics by trust"`
	Areas map[string]int `json:"areas" jsonschema:"topics by area, empty for none"`
	Tags  map[string]int `json:"tags" jsonschema:"topics by tag, the 50 most used"`
	Drift map[string]int `json:"drift" jsonschema:"topics by drift_state"`
}

// queueFacets counts the topics t that a condition admits.
func queueFacets(b *pg.Batch, where string, args []any, into *Facets) {
	b.JSON(func(raw []byte) error { return json.Unmarshal(raw, into) }, `with m as materialized (
			select t.workspace_id, t.id, t.area_id, t.drift_state,
				case when coalesce(t.returns_to, t.status) in ('draft', 'proposed', 'reviewed') then coalesce(t.returns_to, t.status) else 'draft' end as trust
			from topic t where `+where+`)
		select json_build_object('total', (select count(*) from m),
			'trust', coalesce((select json_object_agg(x.trust, x.n) from (select m.trust, count(*) as n from m group by 1) x), '{}'),
			'drift', coalesce((select json_object_agg(x.drift_state, x.n) from (select m.drift_state, count(*) as n from m group by 1) x), '{}'),
			'areas', coalesce((select json_object_agg(x.name, x.n) from (select coalesce(a.name, '') as name, count(*) as n
				from m left join area a on a.workspace_id = m.workspace_id and a.id = m.area_id group by 1) x), '{}'),
			'tags', coalesce((select json_object_agg(x.name, x.n) from (select g.name, count(*) as n
				from m join topic_tag o on o.workspace_id = m.workspace_id and o.topic_id = m.id join tag g on g.workspace_id = o.workspace_id and g.id = o.tag_id
				group by 1 order by 2 desc, 1 limit 50) x), '{}'))`, args...)
}
