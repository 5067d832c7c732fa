package retrieve

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"driftless/internal/tenant"
	"driftless/internal/topic"
)

// facets counts the matches of a search, as many as it can page through.
func (s *Service) facets(ctx context.Context, a tenant.Actor, rows []*candidate) (*topic.Facets, error) {
	out := &topic.Facets{Total: len(rows), Trust: map[string]int{}, Areas: map[string]int{}, Tags: map[string]int{}, Drift: map[string]int{}}
	names, err := s.areaNames(ctx, a)
	if err != nil {
		return nil, err
	}
	tags := map[string]int{}
	for _, c := range rows {
		out.Trust[string(c.status)]++
		out.Drift[c.drift]++
		out.Areas[names[c.area]]++
		for _, t := range c.tags {
			tags[t]++
		}
	}
	most := slices.SortedFunc(maps.Keys(tags), func(x, y string) int { return cmp.Or(cmp.Compare(tags[y], tags[x]), cmp.Compare(x, y)) })
	for _, t := range most[:min(len(most), topic.FacetTagsMost)] {
		out.Tags[t] = tags[t]
	}
	return out, nil
}
