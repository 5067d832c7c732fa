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
	// Lone is what the best document must cover instead where it holds only one
	// of the words that name something, and not in its title, while nobody wrote
	// another one of them.
	Lone float64
	// Coverage is what each document must reach once the question has an
	// answer.
	Coverage float64
	// Weak is the coverage that a document must reach which holds only words
	// that every question about software has, such as fix and code; one of them
	// has to stand in its title then.
	Weak float64
	// Share is the least part of the best hit's score.
	Share float64
}

// DefaultFloor is the floor for questions in prose. A search box, where people
// expect every document with one of the words, goes without.
func DefaultFloor() Floor {
	return Floor{Answer: 0.28, Lone: 0.5, Coverage: 0.1, Weak: 0.75, Share: 0.15}
}

// longQuestion is the number of words from which on a question says more than
// one document can hold.
const longQuestion = 8

// scaled is what a question of so many words demands. The demand falls with
// the root of the length: a long task names many things beside its subject.
func (f Floor) scaled(words int) Floor {
	if words > longQuestion {
		less := math.Sqrt(longQuestion / float64(words))
		f.Answer *= less
		f.Lone *= less
		f.Coverage *= less
	}
	return f
}

// admits judges a document by itself.
func (f Floor) admits(a *accumulator, coverage float64) bool {
	if f.Weak > 0 && a.naming == 0 && (!a.titled || coverage < f.Weak) {
		return false
	}
	return coverage >= f.Coverage
}

// above drops what the best document decides; the rest was judged before.
func (f Floor) above(best []ranked, p *plan) []ranked {
	if len(best) == 0 || best[0].coverage() < f.demand(&best[0].from.docs[best[0].doc], p) {
		return nil
	}
	least := best[0].score * float32(f.Share)
	return slices.DeleteFunc(best, func(c ranked) bool { return c.score < least })
}

// demand is what the best document must cover.
func (f Floor) demand(a *accumulator, p *plan) float64 {
	if a.naming <= 1 && !a.titled && p.unknown > 0 {
		return max(f.Answer, f.Lone)
	}
	return f.Answer
}

// Nearest is [Union.Nearest] in one index.
func (ix *Index) Nearest(q Query, o Options, n int) []Hit { return Union{ix}.Nearest(q, o, n) }

// fill looks up, for those of the best documents that are its own, which words
// they hold and where.
func (r *ranking) fill(hits []Hit, best []ranked) {
	s := &r.ix.data
	type match struct {
		order   int
		surface string
	}
	matches := make([][]match, len(best))
	var places []int // of the hits, by rising document
	for i, b := range best {
		if b.from != r {
			continue
		}
		places = append(places, i)
		hits[i] = Hit{ID: b.id(), Score: float64(b.score), Coverage: b.coverage(), Weak: r.docs[b.doc].naming == 0}
		if r.options.Explain {
			hits[i].Parts = make(map[Field]float64)
		}
	}
	if len(places) == 0 {
		return
	}
	slices.SortFunc(places, func(a, b int) int { return cmp.Compare(best[a].doc, best[b].doc) })
	for ci := range r.plan.clauses {
		clause := &r.plan.clauses[ci]
		cursors := make([]cursor, len(clause.synonyms))
		for i, syn := range clause.synonyms {
			cursors[i] = s.terms[syn.terms[r.at]].cursor()
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
	for _, i := range places {
		slices.SortFunc(matches[i], func(a, b match) int { return cmp.Compare(a.order, b.order) })
		for _, m := range matches[i] {
			if !slices.Contains(hits[i].Terms, m.surface) {
				hits[i].Terms = append(hits[i].Terms, m.surface)
			}
		}
	}
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
