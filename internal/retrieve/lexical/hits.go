package lexical

import (
	"cmp"
	"math"
	"slices"
)

// Floor is what a document must reach to be an answer. The zero value lets
// everything pass.
type Floor struct {
	// Answer is what one of the best documents must reach; otherwise nothing
	// answers the question. It is counted as the share of the highest score that
	// the question allows. Since an absent word weighs as much as the rarest and
	// one that occurs once in a long text gains little, neither common words nor
	// long documents reach it by chance.
	Answer float64
	// Title is how much the share of the question that stands in the title adds
	// to that.
	Title float64
	// Weak is the coverage that such a document must reach, with a word in its
	// title, where it holds only words that every question about software has,
	// such as fix and code.
	Weak float64
	// Share is the least part of the best hit's score, and Tail that of hits after
	// the fifth: what comes late has to be near to be worth its room.
	Share, Tail float64
}

// DefaultFloor is the floor for questions in prose. A search box, where people
// expect every document with one of the words, goes without.
func DefaultFloor() Floor {
	return Floor{Answer: 0.29, Title: 0.3, Weak: 0.75, Share: 0.1, Tail: 0.45}
}

// longQuestion is the number of words from which on a question says more than
// one document can hold.
const longQuestion = 8

// scaled is what a question of so many words demands. The demand falls with
// the root of the length: a long task names many things beside its subject.
func (f Floor) scaled(words int) Floor {
	if words > longQuestion {
		f.Answer *= math.Sqrt(longQuestion / float64(words))
	}
	return f
}

// decisive is how many of the best documents may show that a question has an
// answer. More than one, because the order of near equals says nothing.
const decisive = 3

// early is how many of the best documents need not reach [Floor.Tail].
const early = 5

// above drops what the best documents decide; the rest was judged before.
func (f Floor) above(best []ranked) []ranked {
	if !slices.ContainsFunc(best[:min(len(best), decisive)], f.answers) {
		return nil
	}
	top, rows := best[0].score, 0
	return slices.DeleteFunc(best, func(c ranked) bool {
		rows++
		return c.score < top*float32(f.Share) || rows > early && c.score < top*float32(f.Tail)
	})
}

// answers reports whether a document is good enough for the question to have an
// answer.
func (f Floor) answers(c ranked) bool {
	a, mass := &c.from.docs[c.doc], c.from.plan.mass
	if f.Weak > 0 && a.naming == 0 && (a.title == 0 || c.coverage() < f.Weak) {
		return false
	}
	return (float64(a.score)+f.Title*float64(a.title))/mass >= f.Answer
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
		a := &r.docs[b.doc]
		hits[i] = Hit{
			ID: b.id(), Score: float64(b.score), Coverage: b.coverage(), TitleShare: float64(r.coverage(a.title)), Weak: a.naming == 0,
		}
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
