package retrieve

import (
	"slices"

	"github.com/google/uuid"
)

const (
	// smallArea is up to how many topics an area is taken for one subject. The topics of a larger one have too little in
	// common.
	smallArea = 6
	// supporters are how many matches speak for an area.
	supporters = 3
)

// neighbourhood lists the topics of an area, by id.
func (ix *index) neighbourhood(area string) []*facts {
	all := make([]*facts, 0, len(ix.areas[area]))
	for id := range ix.areas[area] {
		all = append(all, ix.topics[id])
	}
	slices.SortFunc(all, byID)
	return all
}

// settle files a topic in its area, and takes it out of the one that it was in.
func (ix *index) settle(old, f *facts) {
	if old != nil {
		if delete(ix.areas[old.area], old.id); len(ix.areas[old.area]) == 0 {
			delete(ix.areas, old.area)
		}
	}
	if f != nil && f.area != "" {
		if ix.areas[f.area] == nil {
			ix.areas[f.area] = map[uuid.UUID]bool{}
		}
		ix.areas[f.area][f.id] = true
	}
}

// isSmall counts what the actor may see: others' private drafts change nothing.
func (ix *index) isSmall(q question, area string) bool {
	n := 0
	for id := range ix.areas[area] {
		if ix.topics[id].visible(q.actor) {
			n++
		}
		if n > smallArea {
			return false
		}
	}
	return n > 0
}

// weighAreas prefers the matches of the small areas that most matches speak for, and lets the other topics of the areas of
// the strongest ones follow.
func (ix *index) weighAreas(q question, found map[uuid.UUID]*candidate, r *ranking) {
	support, small := map[string]float64{}, map[string]bool{}
	counted := map[string]int{}
	most, top := 0.0, 0.0
	for _, c := range r.rows {
		top = max(top, c.parts.relevance())
		if _, known := small[c.area]; !known {
			small[c.area] = ix.isSmall(q, c.area)
		}
		if small[c.area] && counted[c.area] < supporters {
			counted[c.area]++
			support[c.area] += c.parts.relevance()
			most = max(most, support[c.area])
		}
	}
	if most == 0 {
		return
	}
	for _, c := range r.rows {
		if small[c.area] && !c.replaced {
			c.parts.Area = areaWeight * support[c.area] / most
			c.score = c.parts.sum()
		}
	}
	r.sort()
	strong := map[string]bool{}
	for _, c := range slices.Clone(r.rows) {
		if len(strong) == siblingAreas || !small[c.area] || strong[c.area] || c.parts.relevance() < strongShare*top {
			continue
		}
		strong[c.area] = true
		for _, f := range ix.neighbourhood(c.area) {
			if found[f.id] != nil || !q.admits(f) {
				continue
			}
			n := &candidate{facts: f, beside: c.slug, certain: relationWeight * c.certain, replaced: len(ix.superseded(f.slug)) > 0}
			n.parts.Area = siblingWeight * c.parts.relevance()
			n.score = n.parts.sum()
			found[f.id] = n
			r.rows = append(r.rows, n)
		}
	}
	r.sort()
}
