package lexical

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func id(n int) DocID { return DocID{byte(n >> 8), byte(n)} }

// build indexes documents under the ids 1, 2, 3 and so on.
func build(docs ...Doc) *Index {
	ix := New(DefaultWeights())
	for i, d := range docs {
		ix.Put(id(i+1), d)
	}
	return ix
}

// found returns the numbers of the documents a question finds, best first.
func found(ix *Index, q Query, o Options) []int {
	var out []int
	for _, h := range ix.Search(q, o) {
		out = append(out, int(h.ID[0])<<8|int(h.ID[1]))
	}
	return out
}

func kettles() *Index {
	return build(
		Doc{Title: "Alpha queue", What: "The red kettle boils quickly."},
		Doc{Title: "Beta queue", What: "The kettle is red today."},
		Doc{Title: "Gamma store", What: "A blue anchor."},
		Doc{Title: "Delta", Lists: []string{"Paint it red.", "Kettle descaling is monthly."}},
	)
}

func TestQueryLanguage(t *testing.T) {
	t.Parallel()
	ix := kettles()
	for _, c := range []struct {
		query string
		want  []int
	}{
		{`"red kettle"`, []int{1}},
		{`"the red kettle"`, []int{1}},
		{`"kettle is red"`, []int{2}},
		{`“red kettles”`, []int{1}},
		{`kettle -boils`, []int{2, 4}},
		{`kettle -"red kettle"`, []int{2, 4}},
		{`kettle −boiling`, []int{2, 4}},
		{`boils OR anchor`, []int{3, 1}},
		{`anchor OR "red kettle"`, []int{1, 3}},
		{`"red kettle" anchor`, []int{1}},
		{`queue -kettle`, nil},
		{`-boils`, nil},
		{`xylophone-nowhere`, nil},
		{`zzzz qqqq unknown`, nil},
		{`red anchor`, []int{3, 2, 1, 4}},
	} {
		got := found(ix, Parse(c.query), Options{})
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.query, diff)
		}
	}
}
