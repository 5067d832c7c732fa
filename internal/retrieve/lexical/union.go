package lexical

import (
	"math"
	"slices"
)

// Union is a number of indexes that are searched as one: what is found, in what
// order and with what scores is as if one index held the documents of all. An
// index that is left out has no part in the answer, not even in how common a
// word is. No document may stand in two of them, and their weights must be
// equal.
type Union []*Index

// Search is [Index.Search] over all of the indexes.
func (u Union) Search(q Query, o Options) []Hit {
	defer u.lock()()
	return u.search(q, o)
}

// Nearest returns up to n documents that come closest to a question without
// answering it: they fail the floor, or have the words of a phrase apart.
// Filter and prefix of the options hold.
func (u Union) Nearest(q Query, o Options, n int) []Hit {
	defer u.lock()()
	if n <= 0 {
		return nil
	}
	answers := make(map[DocID]bool)
	for _, h := range u.search(q, o) {
		answers[h.ID] = true
	}
	o.Limit = n + len(answers)
	o.Floor = Floor{}
	hits := slices.DeleteFunc(u.search(q.relaxed(), o), func(h Hit) bool { return answers[h.ID] })
	return hits[:min(n, len(hits))]
}

// lock holds off changes until the function it returns is called.
func (u Union) lock() (unlock func()) {
	for _, ix := range u {
		ix.mu.RLock()
	}
	return func() {
		for _, ix := range u {
			ix.mu.RUnlock()
		}
	}
}

func (u Union) search(q Query, o Options) []Hit {
	c := u.collection()
	if q.Empty() || c.live == 0 {
		return nil
	}
	if o.Limit <= 0 {
		o.Limit = DefaultLimit
	}
	o.Limit = min(o.Limit, c.live)
	p := c.resolve(q, o.Prefix)
	if len(p.clauses) == 0 {
		return nil
	}
	var (
		best  []ranked
		table gains
	)
	c.weights.fillGains(&table, &c.sizes)
	rankings := make([]*ranking, len(u))
	for at, ix := range u {
		r := &ranking{
			ix: ix, at: at, plan: &p, options: &o, gains: &table,
			coordination: c.weights.coordination(p.words),
		}
		r.rank(q.not)
		rankings[at], best = r, append(best, r.best()...)
	}
	slices.SortFunc(best, compare)
	best = o.Floor.scaled(p.words).above(best[:min(len(best), o.Limit)])
	hits := make([]Hit, len(best))
	for _, r := range rankings {
		r.fill(hits, best)
	}
	for _, r := range rankings {
		r.end()
	}
	return hits
}

// collection is what the indexes of a search say about words, taken together.
type collection struct {
	stores  []*store
	weights *Weights
	live    int
	sizes   [fieldCount]fieldSize
}

func (u Union) collection() *collection {
	c := &collection{}
	for _, ix := range u {
		c.stores, c.weights = append(c.stores, &ix.data), &ix.weights
		c.live += ix.data.live
		for f, size := range ix.data.sizes {
			c.sizes[f].docs += size.docs
			c.sizes[f].length += size.length
		}
	}
	return c
}

// term looks a term up. It answers false for one that no document has.
func (c *collection) term(name string) (synonym, bool) {
	found := synonym{name: name, terms: make([]uint32, len(c.stores)), weight: 1}
	for i, s := range c.stores {
		n := s.vocab[name] // the number of the gap, which has no postings, where it is unknown
		found.terms[i] = n
		found.live += int(s.terms[n].live)
	}
	return found, found.live > 0
}

// shaped hands over the terms that begin with a letter and have so many, among
// them some that no document has any more, and some twice.
func (c *collection) shaped(key shape, yield func(name string, letters uint32)) {
	for _, s := range c.stores {
		for _, e := range s.shapes[key] {
			if t := &s.terms[e.term]; t.live > 0 {
				yield(t.name, e.letters)
			}
		}
	}
}

// priorDocs are imagined documents that hold none of the words. Without them a
// workspace of three topics would take every word it has for a common one.
const priorDocs = 50

func (c *collection) idf(df int) float64 {
	n := float64(c.live + priorDocs)
	return math.Log(1 + (n-float64(df)+0.5)/(float64(df)+0.5))
}
