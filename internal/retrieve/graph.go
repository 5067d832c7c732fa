package retrieve

import (
	"cmp"
	"slices"

	"driftless/internal/relation"
)

// link is one end of a relation as a topic sees it: "this topic Type Slug", or for an incoming one "Slug Type this topic".
type link struct {
	Type relation.Type
	Slug string
}

// graph is the typed relations of a workspace, by slug. A document carries the edges of both directions, because an edge to
// a topic in the trash is hidden and comes back with that topic alone.
type graph struct {
	out, in map[string][]link
}

func newGraph() graph { return graph{out: map[string][]link{}, in: map[string][]link{}} }

// set replaces every edge that touches a topic.
func (g graph) set(slug string, out, in []link) {
	g.drop(slug)
	for _, l := range out {
		g.connect(slug, l.Type, l.Slug)
	}
	for _, l := range in {
		g.connect(l.Slug, l.Type, slug)
	}
}

func (g graph) connect(from string, kind relation.Type, to string) {
	if forth := (link{kind, to}); !slices.Contains(g.out[from], forth) {
		g.out[from] = append(g.out[from], forth)
		g.in[to] = append(g.in[to], link{kind, from})
	}
}

// drop removes every edge that touches a topic.
func (g graph) drop(slug string) {
	for _, l := range g.out[slug] {
		cut(g.in, l.Slug, link{l.Type, slug})
	}
	for _, l := range g.in[slug] {
		cut(g.out, l.Slug, link{l.Type, slug})
	}
	delete(g.out, slug)
	delete(g.in, slug)
}

func cut(edges map[string][]link, at string, l link) {
	left := slices.DeleteFunc(edges[at], func(other link) bool { return other == l })
	if len(left) == 0 {
		delete(edges, at)
		return
	}
	edges[at] = left
}

// neighbours lists the topics one step away, in an order that does not depend on how the graph came about. The type is named
// as the neighbour sees it: "neighbour Type this topic".
func (g graph) neighbours(slug string) []link {
	var all []link
	for _, l := range g.out[slug] {
		all = append(all, link{relation.Type(l.Type.Inverse()), l.Slug})
	}
	all = append(all, g.in[slug]...)
	slices.SortFunc(all, func(a, b link) int { return cmp.Or(cmp.Compare(a.Slug, b.Slug), cmp.Compare(a.Type, b.Type)) })
	return all
}

// linked reports whether a relation leads from one topic to the other, in either direction.
func (g graph) linked(one, other string) bool {
	leads := func(l link) bool { return l.Slug == other }
	return slices.ContainsFunc(g.out[one], leads) || slices.ContainsFunc(g.in[one], leads)
}

// replacements lists the topics that claim to supersede this one.
func (g graph) replacements(slug string) []string {
	var all []string
	for _, l := range g.in[slug] {
		if l.Type == relation.Supersedes {
			all = append(all, l.Slug)
		}
	}
	return all
}
