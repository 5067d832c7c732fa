package retrieve

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"driftless/internal/relation"
)

func TestEdgesAreTheLastThatWereSetAndHaveTwoEnds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		type edge struct {
			from string
			link
		}
		slug := rapid.SampledFrom([]string{"a", "b", "c", "d"})
		links := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) link {
			return link{relation.Type(rapid.SampledFrom(relation.Types()).Draw(t, "type")), slug.Draw(t, "end")}
		}), 0, 4)
		g, model := newGraph(), map[edge]bool{}
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			at := slug.Draw(t, "topic")
			for e := range model {
				if e.from == at || e.Slug == at {
					delete(model, e)
				}
			}
			if rapid.Bool().Draw(t, "drop") {
				g.drop(at)
				continue
			}
			out, in := links.Draw(t, "out"), links.Draw(t, "in")
			g.set(at, out, in)
			for _, l := range out {
				model[edge{at, l}] = true
			}
			for _, l := range in {
				model[edge{l.Slug, link{l.Type, at}}] = true
			}
		}
		var want []string
		for e := range model {
			want = append(want, e.from+" "+string(e.Type)+" "+e.Slug)
		}
		slices.Sort(want)
		if got := g.sorted(); !slices.Equal(got, want) {
			t.Fatalf("edges %v, want %v", got, want)
		}
	})
}
