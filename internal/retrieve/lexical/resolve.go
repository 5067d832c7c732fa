package lexical

import (
	"cmp"
	"slices"
)

// clause is a word of the question, looked up in the vocabulary.
type clause struct {
	surface  string
	order    int // place in the question
	idf      float64
	synonyms []synonym
	evidence evidence
}

// synonym is a term that stands for the word, worth 1 when it is the word.
type synonym struct {
	name   string
	terms  []uint32 // its number in each store, 0 where it is not
	live   int      // documents that have it
	weight float64
	guess  bool // one of several corrections, or a far one
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

// resolve looks up the words of a question. Words that nobody wrote are
// corrected unless the question insists on them.
func (c *collection) resolve(q Query, prefix bool) plan {
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
				lookup := c.lookup
				switch {
				case g.mandatory || g.bonus:
					lookup = c.lookupExact
				case prefix && i == len(q.groups)-1:
					lookup = c.lookupPrefix
				}
				cl := clause{surface: word.surface, order: order, synonyms: lookup(word), evidence: word.evidence}
				order++
				cl.idf = c.idf(c.frequency(cl.synonyms)) * word.weight
				if len(cl.synonyms) > 0 {
					if cl.synonyms[0].guess {
						cl.evidence = none
					}
					w.clauses = append(w.clauses, cl)
				}
				switch {
				case len(cl.synonyms) == 0:
					mass += cl.idf * word.absence
				case cl.synonyms[0].guess:
					// A guess at the word leaves the word itself unanswered.
					mass += c.idf(0) * word.weight * word.absence
				default:
					mass += cl.idf
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
		for _, cl := range p.clauses {
			p.mass += cl.idf
		}
	}
	slices.SortStableFunc(p.clauses, func(a, b clause) int {
		return cmp.Or(cmp.Compare(b.idf, a.idf), cmp.Compare(a.order, b.order))
	})
	return p
}

// frequency counts the documents that hold the word, or its stand-ins where
// nobody wrote it, as if no document held two of them.
func (c *collection) frequency(synonyms []synonym) int {
	n := 0
	for _, syn := range synonyms {
		if syn.weight == synonyms[0].weight {
			n += syn.live
		}
	}
	return min(n, c.live)
}

func (c *collection) lookupExact(w queryWord) []synonym {
	var found []synonym
	for _, name := range w.terms {
		if s, ok := c.term(name); ok {
			found = append(found, s)
		}
	}
	return found
}

func (c *collection) lookup(w queryWord) []synonym {
	found := c.relatives(w, c.lookupExact(w))
	if len(found) == 0 {
		found = c.corrections(w)
	}
	return found
}

// lookupPrefix serves a word that is still being typed.
func (c *collection) lookupPrefix(w queryWord) []synonym {
	found := c.completions(w, c.lookupExact(w))
	if len(found) == 0 {
		found = c.corrections(w)
	}
	return found
}

func stands(name string) func(synonym) bool {
	return func(s synonym) bool { return s.name == name }
}
