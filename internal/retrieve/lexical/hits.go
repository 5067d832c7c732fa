package lexical

import (
	"cmp"
	"math"
	"slices"
)

// Floor is what a document must reach to be an answer. The zero value lets
// everything pass.
type Floor struct {
	// Answer is the [Hit.Coverage] that the best document must reach;
	// otherwise nothing answers the question. Since an absent word weighs as
	// much as the rarest, documents that share only common words with a
	// question do not reach it.
	Answer float64
	// Coverage is what each document must reach once the question has an
	// answer.
	Coverage float64
	// Share is the least part of the best hit's score.
	Share float64
}

// DefaultFloor is the floor for questions in prose. A search box, where people
// expect every document with one of the words, goes without.
func DefaultFloor() Floor { return Floor{Answer: 0.25, Coverage: 0.1, Share: 0.15} }

// longQuestion is the number of words from which on a question says more than
// one document can hold.
const longQuestion = 8

// scaled is what a question of so many words demands. The demand falls with
// the root of the length: a long task names many things beside its subject.
func (f Floor) scaled(words int) Floor {
	if words > longQuestion {
		less := math.Sqrt(longQuestion / float64(words))
		f.Answer *= less
		f.Coverage *= less
	}
	return f
}

// Nearest returns up to n documents that come closest to a question without
// answering it: they fail the floor, or have the words of a phrase apart.
// Filter and prefix of the options hold.
func (ix *Index) Nearest(q Query, o Options, n int) []Hit {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	if n <= 0 {
		return nil
	}
	answers := make(map[DocID]bool)
	for _, h := range ix.search(q, o) {
		answers[h.ID] = true
	}
	o.Limit = n + len(answers)
	o.Floor = Floor{}
	hits := slices.DeleteFunc(ix.search(q.relaxed(), o), func(h Hit) bool { return answers[h.ID] })
	return hits[:min(n, len(hits))]
}

// hits looks up, for the documents to return, which words they hold and where.
func (r *ranking) hits(best []ranked) []Hit {
	s := &r.ix.data
	type match struct {
		order   int
		surface string
	}
	hits := make([]Hit, len(best))
	matches := make([][]match, len(best))
	places := make([]int, len(best)) // of the hits, by rising document
	for i, b := range best {
		places[i] = i
		a := &r.docs[b.doc]
		hits[i] = Hit{ID: s.docs[b.doc].id, Score: float64(b.score), Coverage: float64(r.coverage(a.cover))}
		if r.options.Explain {
			hits[i].Parts = make(map[Field]float64)
		}
	}
	slices.SortFunc(places, func(a, b int) int { return cmp.Compare(best[a].doc, best[b].doc) })
	for ci := range r.plan.clauses {
		clause := &r.plan.clauses[ci]
		cursors := make([]cursor, len(clause.synonyms))
		for i, syn := range clause.synonyms {
			cursors[i] = s.terms[syn.term].cursor()
		}
		for _, i := range places {
			doc := best[i].doc
			var parts [fieldCount]float64
			part, found := 0.0, false
			for j := range cursors {
				if !cursors[j].seek(doc) {
					continue
				}
				found = true
				if p, split := r.split(&cursors[j], doc, clause.idf*clause.synonyms[j].weight); p > part {
					part, parts = p, split
				}
				cursors[j].fields(func(f Field, _ int) { hits[i].TitleMatch = hits[i].TitleMatch || f == Title })
			}
			if !found {
				continue
			}
			matches[i] = append(matches[i], match{clause.order, clause.surface})
			for f, p := range parts {
				if p > 0 && r.options.Explain {
					hits[i].Parts[Field(f)] += p
				}
			}
		}
	}
	for i := range hits {
		slices.SortFunc(matches[i], func(a, b match) int { return cmp.Compare(a.order, b.order) })
		for _, m := range matches[i] {
			if !slices.Contains(hits[i].Terms, m.surface) {
				hits[i].Terms = append(hits[i].Terms, m.surface)
			}
		}
	}
	return hits
}

// split divides what a term adds to a document among its fields.
func (r *ranking) split(c *cursor, doc uint32, most float64) (total float64, parts [fieldCount]float64) {
	tf := 0.0
	c.fields(func(f Field, n int) {
		parts[f] = float64(r.gains[f][r.ix.data.codes[doc][f]]) * float64(n)
		tf += parts[f]
	})
	if tf == 0 {
		return 0, parts
	}
	total = most * tf / (r.ix.weights.K1 + tf)
	for f := range parts {
		parts[f] *= total / tf
	}
	return total, parts
}
