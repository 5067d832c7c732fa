package lexical

import (
	"cmp"
	"math"
	"slices"
)

// clause is a word of the question, looked up in the vocabulary.
type clause struct {
	surface  string
	order    int // place in the question
	idf      float64
	synonyms []synonym
}

// synonym is a term that stands for the word, worth 1 when it is the word.
type synonym struct {
	term   uint32
	weight float64
	guess  bool // a correction, not a word of the same meaning
}

// plan is a question made ready for one state of the index.
type plan struct {
	clauses []clause // rarest first
	// mass is the idf that a document would have to match to answer all of
	// the question; absent words count as the rarest.
	mass  float64
	words int // groups that make up the mass
	must  []group
}

// priorDocs are imagined documents that hold none of the words. Without them a
// workspace of three topics would take every word it has for a common one.
const priorDocs = 50

func (s *store) idf(df int) float64 {
	n := float64(s.live + priorDocs)
	return math.Log(1 + (n-float64(df)+0.5)/(float64(df)+0.5))
}

// resolve looks up the words of a question. Words that nobody wrote are
// corrected unless the question insists on them.
func (ix *Index) resolve(q Query, prefix bool) plan {
	s := &ix.data
	type weighed struct {
		clauses   []clause
		mass      float64
		mandatory bool
	}
	var groups []weighed
	order := 0
	var p plan
	for i, g := range q.groups {
		w := weighed{mandatory: g.mandatory}
		for _, seq := range g.members {
			mass := 0.0
			for _, word := range seq {
				if len(word.terms) == 0 {
					continue // a stop word inside a phrase
				}
				lookup := ix.lookup
				switch {
				case g.mandatory || g.bonus:
					lookup = ix.lookupExact
				case prefix && i == len(q.groups)-1:
					lookup = ix.lookupPrefix
				}
				c := clause{surface: word.surface, order: order, synonyms: lookup(word)}
				order++
				c.idf = s.idf(s.frequency(c.synonyms)) * word.weight
				if len(c.synonyms) > 0 {
					w.clauses = append(w.clauses, c)
				}
				switch {
				case len(c.synonyms) == 0:
					mass += c.idf * word.absence
				case c.synonyms[0].guess:
					// A guess at the word leaves the word itself unanswered.
					mass += s.idf(0) * word.weight * word.absence
				default:
					mass += c.idf
				}
			}
			w.mass = max(w.mass, mass)
		}
		if g.bonus {
			w.mass = 0
			if len(w.clauses) == 0 {
				continue
			}
		}
		if g.mandatory {
			p.must = append(p.must, g)
		}
		groups = append(groups, w)
	}
	if len(groups) > maxQueryWords {
		slices.SortStableFunc(groups, func(a, b weighed) int { return cmp.Compare(b.mass, a.mass) })
		groups = groups[:maxQueryWords]
	}
	for _, g := range groups {
		p.clauses = append(p.clauses, g.clauses...)
		p.mass += g.mass
		if g.mass > 0 {
			p.words++
		}
	}
	if p.mass == 0 {
		// Only an identifier whose parts are stop words, such as and/or.
		for _, c := range p.clauses {
			p.mass += c.idf
		}
	}
	slices.SortStableFunc(p.clauses, func(a, b clause) int {
		return cmp.Or(cmp.Compare(b.idf, a.idf), cmp.Compare(a.order, b.order))
	})
	return p
}

// frequency counts the documents that hold the word, or its stand-ins where
// nobody wrote it, as if no document held two of them.
func (s *store) frequency(synonyms []synonym) int {
	n := 0
	for _, syn := range synonyms {
		if syn.weight == synonyms[0].weight {
			n += int(s.terms[syn.term].live)
		}
	}
	return min(n, s.live)
}

func (ix *Index) lookupExact(w queryWord) []synonym {
	var found []synonym
	for _, name := range w.terms {
		if n, ok := ix.data.vocab[name]; ok && ix.data.terms[n].live > 0 {
			found = append(found, synonym{term: n, weight: 1})
		}
	}
	return found
}

func (ix *Index) lookup(w queryWord) []synonym {
	found := ix.relatives(w, ix.lookupExact(w))
	if len(found) == 0 {
		found = ix.corrections(w)
	}
	return found
}

// lookupPrefix serves a word that is still being typed.
func (ix *Index) lookupPrefix(w queryWord) []synonym {
	found := ix.completions(w, ix.lookupExact(w))
	if len(found) == 0 {
		found = ix.corrections(w)
	}
	return found
}
