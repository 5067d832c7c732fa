package lexical

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// vocabulary is small, so that documents collide, and mixes languages,
// identifiers, stop words and near misses.
var vocabulary = []string{
	"kettle", "kettles", "ketle", "red", "blue", "the", "of", "anchor", "retryAfter", "retry_after", "HTTPServer2", "la", "los",
	"facturación", "facturas", "son", "queue", "queues", "boils", "2", "and/or", "dead-letter", "año", "数据",
}

func texts() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 0, 8).Draw(t, "words"), " ")
	})
}

func docs() *rapid.Generator[Doc] {
	return rapid.Custom(func(t *rapid.T) Doc {
		list := rapid.SliceOfN(texts(), 0, 2)
		return Doc{
			Title: texts().Draw(t, "title"), What: texts().Draw(t, "what"), Lists: list.Draw(t, "lists"), Content: texts().Draw(t, "content"),
			Anchors: list.Draw(t, "anchors"), Code: list.Draw(t, "code"), Tags: list.Draw(t, "tags"),
		}
	})
}

func queries() *rapid.Generator[Query] {
	return rapid.Custom(func(t *rapid.T) Query {
		var b strings.Builder
		for range rapid.IntRange(1, 4).Draw(t, "operands") {
			form := rapid.SampledFrom([]string{"%s ", `"%s" `, "-%s ", `-"%s" `, "%s OR %[1]s ", "%s OR "}).Draw(t, "form")
			fmt.Fprintf(&b, form, texts().Draw(t, "text"))
		}
		if rapid.Bool().Draw(t, "free") {
			return FreeText(b.String())
		}
		return Parse(b.String())
	})
}

func options() *rapid.Generator[Options] {
	return rapid.Custom(func(t *rapid.T) Options {
		o := Options{
			Limit: rapid.IntRange(1, 12).Draw(t, "limit"), Prefix: rapid.Bool().Draw(t, "prefix"), Explain: rapid.Bool().Draw(t, "explain"),
		}
		if rapid.Bool().Draw(t, "floor") {
			o.Floor = DefaultFloor()
		}
		if rapid.Bool().Draw(t, "filter") {
			o.Filter = func(id DocID) bool { return id[1]%3 != 0 }
		}
		return o
	})
}

func TestChangedIndexAnswersLikeOneBuiltAfresh(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ix := New(DefaultWeights())
		kept := make(map[DocID]Doc)
		for range rapid.IntRange(0, 120).Draw(t, "changes") {
			id := id(rapid.IntRange(1, 15).Draw(t, "id"))
			if rapid.IntRange(0, 3).Draw(t, "change") == 0 {
				ix.Delete(id)
				delete(kept, id)
				continue
			}
			d := docs().Draw(t, "doc")
			ix.Put(id, d)
			kept[id] = d
		}
		fresh := New(DefaultWeights())
		for id, d := range kept { // in any order
			fresh.Put(id, d)
		}
		if ix.Len() != len(kept) {
			t.Fatalf("%d documents, want %d", ix.Len(), len(kept))
		}
		for range 8 {
			q, o := queries().Draw(t, "query"), options().Draw(t, "options")
			hits := ix.Search(q, o)
			if diff := cmp.Diff(fresh.Search(q, o), hits); diff != "" {
				t.Fatalf("search (-fresh +changed):\n%s", diff)
			}
			if diff := cmp.Diff(fresh.Nearest(q, o, 3), ix.Nearest(q, o, 3)); diff != "" {
				t.Fatalf("nearest (-fresh +changed):\n%s", diff)
			}
			for _, h := range hits {
				if _, ok := kept[h.ID]; !ok {
					t.Fatalf("removed document %x found", h.ID)
				}
				if o.Filter != nil && !o.Filter(h.ID) {
					t.Fatalf("filtered document %x found", h.ID)
				}
				if h.Score <= 0 || h.Coverage <= 0 || h.Coverage > 1 || len(h.Terms) == 0 {
					t.Fatalf("hit without evidence: %+v", h)
				}
			}
		}
	})
}

func TestFewHitsAreTheBeginningOfManyHits(t *testing.T) {
	t.Parallel()
	// Large enough for the early end of ranking to set in.
	c := newCorpus()
	ix := c.index(4000)
	odd := func(id DocID) bool { return id[3]%2 == 1 }
	for n := range 150 {
		q := FreeText(c.text(4 + n%20))
		for _, o := range []Options{{}, {Floor: DefaultFloor()}, {Filter: odd}} {
			o.Limit = ix.Len()
			all := ix.Search(q, o)
			o.Limit = 5
			if diff := cmp.Diff(all[:min(5, len(all))], ix.Search(q, o)); diff != "" {
				t.Fatalf("query %d (-all +few):\n%s", n, diff)
			}
		}
	}
}

func TestSearchesAndChangesRunSideBySide(t *testing.T) {
	t.Parallel()
	ix := kettles()
	var wg sync.WaitGroup
	for n := range 4 {
		wg.Go(func() {
			for i := range 60 {
				ix.Put(id(100+n), Doc{Title: fmt.Sprintf("Kettle %d", i)})
				if hits := ix.Search(Parse(`kettle OR "red kettle" -anchor`), Options{Limit: 50}); len(hits) < 3 {
					t.Errorf("%d hits, want at least the 3 documents that nobody touches", len(hits))
				}
				ix.Delete(id(100 + n))
			}
		})
	}
	wg.Wait()
	if ix.Len() != 4 {
		t.Errorf("%d documents afterwards, want 4", ix.Len())
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"", `"red kettle"`, "a OR b -c", "((((", "NOT", "OR OR", "-", "--", `"`, `"unclosed`, `-"x`, "%s%n", "' OR 1=1 --", "a:b & !c | (d", "\xff\"\xfe",
		"“x” −y", `a OR "b c" OR d-e`, "{{7*7}}", "数据 OR año",
	} {
		f.Add(s)
	}
	ix := kettles()
	f.Fuzz(func(t *testing.T, s string) {
		for _, q := range []Query{Parse(s), FreeText(s)} {
			hits := ix.Search(q, Options{Explain: true, Prefix: true})
			if q.Empty() && len(hits) > 0 {
				t.Errorf("an empty question found %d documents", len(hits))
			}
			ix.Nearest(q, Options{Floor: DefaultFloor()}, 3)
		}
	})
}

func TestAUnionAnswersLikeOneIndexOfAllDocuments(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		whole, parts := New(DefaultWeights()), Union{New(DefaultWeights()), New(DefaultWeights()), New(DefaultWeights())}
		for n := range rapid.IntRange(0, 15).Draw(t, "documents") {
			d := docs().Draw(t, "document")
			whole.Put(id(n), d)
			rapid.SampledFrom(parts).Draw(t, "part").Put(id(n), d)
		}
		for range 8 {
			q, o := queries().Draw(t, "query"), options().Draw(t, "options")
			if diff := cmp.Diff(whole.Search(q, o), parts.Search(q, o)); diff != "" {
				t.Fatalf("search (-one +union):\n%s", diff)
			}
			if diff := cmp.Diff(whole.Nearest(q, o, 3), parts.Nearest(q, o, 3)); diff != "" {
				t.Fatalf("nearest (-one +union):\n%s", diff)
			}
		}
	})
}

func TestNamedDocumentsRankAsIfTheOthersWereFilteredOut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ix := New(DefaultWeights())
		for n := range rapid.IntRange(0, 15).Draw(t, "documents") {
			ix.Put(id(n), docs().Draw(t, "document"))
		}
		only := []DocID{id(99)}
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, 15), 0, 6).Draw(t, "only") {
			only = append(only, id(n))
		}
		q, o := queries().Draw(t, "query"), options().Draw(t, "options")
		o.Filter = func(id DocID) bool { return slices.Contains(only, id) }
		want := ix.Search(q, o)
		o.Filter, o.Only = nil, only
		if diff := cmp.Diff(want, ix.Search(q, o)); diff != "" {
			t.Fatalf("(-filter +only):\n%s", diff)
		}
	})
}
