package lexical

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// corpus makes topics of about 150 words with a Zipf vocabulary, which is how
// words of a language are distributed; the most frequent are stop words, as
// they are in any text.
type corpus struct {
	zipf  *rand.Zipf
	words []string
}

func newCorpus() *corpus {
	rng := rand.New(rand.NewPCG(7, 11))
	c := &corpus{zipf: rand.NewZipf(rng, 1.07, 8, 199_999)}
	const consonants, vowels = "bcdfghjklmnprstvz", "aeiou"
	c.words = slices.Sorted(maps.Keys(englishStops))
	for n := range 200_000 {
		var b strings.Builder
		for m := n + 300; m > 0; m /= len(consonants) * len(vowels) {
			b.WriteByte(consonants[m%len(consonants)])
			b.WriteByte(vowels[m/len(consonants)%len(vowels)])
		}
		c.words = append(c.words, b.String())
	}
	return c
}

func (c *corpus) text(words int) string {
	out := make([]string, words)
	for i := range out {
		out[i] = c.words[c.zipf.Uint64()]
	}
	return strings.Join(out, " ")
}

func (c *corpus) doc() Doc {
	return Doc{
		Title: c.text(5), What: c.text(20), Lists: []string{c.text(12), c.text(12), c.text(12)}, How: c.text(20),
		Content: c.text(70), Anchors: []string{"cmd/" + c.text(1) + "/**/*.go"}, Tags: []string{c.text(1)},
	}
}

func (c *corpus) index(docs int) *Index {
	ix := New(DefaultWeights())
	ix.PutAll(func(yield func(DocID, Doc) bool) {
		for n := range docs {
			if !yield(DocID{1, byte(n >> 16), byte(n >> 8), byte(n)}, c.doc()) {
				return
			}
		}
	})
	return ix
}

func benchmarkSearch(b *testing.B, docs int) {
	c := newCorpus()
	ix := c.index(docs)
	floor := DefaultFloor()
	b.Logf("%d documents, %d terms, %.1f MiB", docs, len(ix.data.terms), float64(ix.Bytes())/(1<<20))
	for _, words := range []int{3, 8, 25} {
		b.Run(fmt.Sprintf("words=%d", words), func(b *testing.B) {
			queries := make([]Query, 200)
			for i := range queries {
				queries[i] = FreeText(c.text(words))
			}
			i := 0
			for b.Loop() {
				ix.Search(queries[i%len(queries)], Options{Limit: 50, Floor: floor})
				i++
			}
		})
	}
	b.Run("phrase", func(b *testing.B) {
		queries := make([]Query, 200)
		for i := range queries {
			queries[i] = Parse(`"` + c.text(2) + `"`)
		}
		i := 0
		for b.Loop() {
			ix.Search(queries[i%len(queries)], Options{})
			i++
		}
	})
	b.Run("typo", func(b *testing.B) {
		q := Parse("kettelbakerupo")
		for b.Loop() {
			ix.Search(q, Options{})
		}
	})
}

func BenchmarkSearch10k(b *testing.B)  { benchmarkSearch(b, 10_000) }
func BenchmarkSearch100k(b *testing.B) { benchmarkSearch(b, 100_000) }

func BenchmarkPut(b *testing.B) {
	c := newCorpus()
	docs := make([]Doc, 5000)
	for i := range docs {
		docs[i] = c.doc()
	}
	ix := New(DefaultWeights())
	n := 0
	for b.Loop() {
		ix.Put(DocID{byte(n >> 8), byte(n)}, docs[n%len(docs)])
		n = (n + 1) % (1 << 14)
	}
}
