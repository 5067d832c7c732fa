package measure

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
)

// The constants of plain BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009).
const (
	plainK1 = 1.2
	plainB  = 0.75
)

// plain is what the product is compared with: BM25 over one field that holds all of a document, whose words are runs of
// letters and digits in lower case. It has no stemmer, no stop words and no floor.
type plain struct {
	ids      []string
	lengths  []int
	average  float64
	postings map[string][]posting
}

type posting struct{ doc, count int }

func newPlain(docs []Document) *plain {
	p := &plain{postings: map[string][]posting{}}
	total := 0
	for i, d := range docs {
		words := plainWords(d.all())
		counts := map[string]int{}
		for _, w := range words {
			counts[w]++
		}
		for w, n := range counts {
			p.postings[w] = append(p.postings[w], posting{i, n})
		}
		p.ids, p.lengths = append(p.ids, d.ID), append(p.lengths, len(words))
		total += len(words)
	}
	p.average = float64(total) / float64(max(1, len(docs)))
	return p
}

// all is everything that a document says, as one text.
func (d Document) all() string {
	return strings.Join(slices.Concat(
		[]string{d.Title, d.What, d.How, d.Text}, d.Decisions, d.Gotchas, d.Invariants, d.RequiredChecks, d.Tags, d.anchors(),
	), "\n")
}

// rank answers the ids of the best documents, at most depth. The paths of files are words of the question.
func (p *plain) rank(q Question) []string {
	scores := map[int]float64{}
	words := plainWords(q.Query + "\n" + strings.Join(q.Files, "\n"))
	slices.Sort(words)
	for _, w := range slices.Compact(words) {
		list := p.postings[w]
		n, df := float64(len(p.ids)), float64(len(list))
		idf := math.Log(1 + (n-df+0.5)/(df+0.5))
		for _, at := range list {
			tf := float64(at.count)
			scores[at.doc] += idf * tf * (plainK1 + 1) / (tf + plainK1*(1-plainB+plainB*float64(p.lengths[at.doc])/p.average))
		}
	}
	docs := make([]int, 0, len(scores))
	for doc := range scores {
		docs = append(docs, doc)
	}
	slices.SortFunc(docs, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	got := make([]string, 0, depth)
	for _, doc := range docs[:min(len(docs), depth)] {
		got = append(got, p.ids[doc])
	}
	return got
}

func plainWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
