package lexical

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"slices"
)

// DefaultLimit is the number of hits a search returns when none is asked for.
const DefaultLimit = 10

// Options bound a search. The zero value asks for the ten best documents of
// the whole index, however weak.
type Options struct {
	Limit int
	// Only, unless nil, names the documents to rank; all others are left out
	// unread.
	Only []DocID
	// Filter leaves documents out before they are ranked. It may be called
	// from many searches at once and more than once for a document, and must
	// not call the index.
	Filter func(DocID) bool
	// Floor drops what is too weak to be an answer.
	Floor Floor
	// Prefix takes the last word as one that is still being typed.
	Prefix bool
	// Explain fills the parts of each hit.
	Explain bool
}

// Hit is a document that answers a question.
type Hit struct {
	ID DocID
	// Score orders hits of one search; it has no upper bound.
	Score float64
	// Terms are the words of the question, as written there, that the document
	// holds.
	Terms []string
	// TitleMatch tells that one of them stands in the title.
	TitleMatch bool
	// TitleShare is the share of the question, between 0 and 1, that stands there.
	TitleShare float64
	// Coverage is the share of the question, between 0 and 1, that the document
	// holds, with rare words counting more than common ones.
	Coverage float64
	// Weak tells that it holds none of the words that name something, only those
	// that every question about software has.
	Weak bool
	// Parts splits the score before coordination by field. Nil unless asked for.
	Parts map[Field]float64
}

// Search returns the best documents for a question, best first. Equal scores
// are ordered by id. The result is empty when nothing matches.
func (ix *Index) Search(q Query, o Options) []Hit { return Union{ix}.Search(q, o) }

// candidates lists the documents that satisfy all mandatory groups.
func (s *store) candidates(must []group) []uint32 {
	var docs []uint32
	for i, g := range must {
		var either []uint32
		for _, seq := range g.members {
			either = append(either, s.matching(seq)...)
		}
		slices.Sort(either)
		either = slices.Compact(either)
		if i == 0 {
			docs = either
			continue
		}
		docs = slices.DeleteFunc(docs, func(doc uint32) bool {
			_, ok := slices.BinarySearch(either, doc)
			return !ok
		})
	}
	return docs
}

// accumulator gathers what is known of a document while terms are read.
type accumulator struct {
	score  float32
	cover  float32
	part   float32 // contribution of the current clause, its best synonym so far
	last   uint16  // number of that clause, from 1; 0 is a document not seen yet
	title  float32 // what stands in its title, of words that say something
	named  uint16  // number of the last clause counted there, from 1
	naming uint8   // how many words it holds that name what is asked for
}

// scratch is reused between searches, all zero in between.
type scratch struct {
	docs    []accumulator
	touched []uint32
}

// ranking is one search in progress in one of the indexes.
type ranking struct {
	*scratch
	ix      *Index
	at      int // the place of the index among those of the search
	plan    *plan
	options *Options
	gains   *gains
	out     bitset // dead and excluded documents
	// coordination is the share of the score that hangs on coverage.
	coordination float32
}

// rank reads the postings; best then knows the answer. The ranking has to end
// before the lock on the index does.
func (r *ranking) rank(not []sequence) {
	s := &r.ix.data
	r.scratch = r.ix.scratch.Get().(*scratch)
	if len(r.docs) < len(s.docs) {
		r.docs = make([]accumulator, len(s.docs)+len(s.docs)/8)
	}
	r.out = s.dead
	if len(not) > 0 {
		r.out = slices.Clone(s.dead)
		for _, seq := range not {
			for _, doc := range s.matching(seq) {
				r.out = r.out.with(doc)
			}
		}
	}
	switch {
	case len(r.plan.must) > 0:
		docs := s.candidates(r.plan.must)
		if r.options.Only != nil {
			only := s.numbers(r.options.Only)
			docs = slices.DeleteFunc(docs, func(doc uint32) bool { _, ok := slices.BinarySearch(only, doc); return !ok })
		}
		r.rankOnly(docs)
	case r.options.Only != nil:
		r.rankOnly(s.numbers(r.options.Only))
	default:
		r.rankAll()
	}
}

// numbers are the documents of these ids, in order.
func (s *store) numbers(ids []DocID) []uint32 {
	docs := make([]uint32, 0, len(ids))
	for _, id := range ids {
		if doc, ok := s.ids[id]; ok {
			docs = append(docs, doc)
		}
	}
	slices.Sort(docs)
	return slices.Compact(docs)
}

func (r *ranking) end() {
	for _, doc := range r.touched {
		r.docs[doc] = accumulator{}
	}
	r.touched = r.touched[:0]
	r.ix.scratch.Put(r.scratch)
}

// rankAll reads the postings of the rarest word first. Once the words that are
// left could not lift a new document among the best, only documents already
// seen that still can get there are followed up; the result is the same as
// that of reading everything.
func (r *ranking) rankAll() {
	idf, cover, postings := r.remaining(0)
	for i := range r.plan.clauses {
		if i > 0 && postings > 2*len(r.touched)+1000 {
			if worst, full := r.worst(); full && r.final(idf, cover) < worst*(1-1e-5) {
				r.follow(i, worst)
				return
			}
		}
		r.read(i)
		idf, cover, postings = r.remaining(i + 1)
	}
}

// remaining sums what the clauses from i on can add to a document, and the
// length of their postings.
func (r *ranking) remaining(i int) (idf, cover float32, postings int) {
	for _, c := range r.plan.clauses[i:] {
		idf += float32(c.idf)
		cover += float32(c.idf)
		for _, syn := range c.synonyms {
			postings += int(r.ix.data.terms[syn.terms[r.at]].total)
		}
	}
	return idf, cover, postings
}

// worst returns the score of the last document that would be returned now.
func (r *ranking) worst() (float32, bool) {
	best := r.best()
	if len(best) < r.options.Limit {
		return 0, false
	}
	return best[len(best)-1].score, true
}

// follow completes the documents seen so far that may still beat worst.
func (r *ranking) follow(i int, worst float32) {
	docs := make([]uint32, 0, len(r.touched))
	idf, cover, _ := r.remaining(i)
	for _, doc := range r.touched {
		if a := &r.docs[doc]; r.final(a.score+idf, a.cover+cover) >= worst*(1-1e-5) {
			docs = append(docs, doc)
		}
	}
	slices.Sort(docs)
	for ; i < len(r.plan.clauses); i++ {
		r.complete(i, docs)
	}
}

// rankOnly ranks the given documents, in order, and no others.
func (r *ranking) rankOnly(docs []uint32) {
	docs = slices.DeleteFunc(docs, r.out.has)
	for i := range r.plan.clauses {
		r.complete(i, docs)
	}
}

// complete adds clause i to the given documents.
func (r *ranking) complete(i int, docs []uint32) {
	clause := &r.plan.clauses[i]
	for _, syn := range clause.synonyms {
		c := r.ix.data.terms[syn.terms[r.at]].cursor()
		for _, doc := range docs {
			if c.seek(doc) {
				var tf float32
				c.fields(func(f Field, n int) { tf += r.gains[f][r.ix.data.codes[doc][f]] * float32(n) })
				r.add(i, doc, tf, float32(clause.idf), float32(syn.weight), firstField(c.p.buf[c.head]))
			}
		}
	}
}

// read adds clause i to every document that has it. It is the inner loop of
// ranking, and reads the postings by hand for that reason.
func (r *ranking) read(i int) {
	clause := &r.plan.clauses[i]
	codes := r.ix.data.codes
	for _, syn := range clause.synonyms {
		var (
			doc    uint32
			buf    = r.ix.data.terms[syn.terms[r.at]].buf
			idf    = float32(clause.idf)
			weight = float32(syn.weight)
		)
		for off := 0; off < len(buf); {
			if delta := buf[off]; delta < 0x80 {
				doc += uint32(delta)
				off++
			} else {
				delta, n := binary.Uvarint(buf[off:])
				doc += uint32(delta)
				off += n
			}
			var tf float32
			lengths, first := &codes[doc], firstField(buf[off])
			for {
				h := buf[off]
				off++
				f := h >> 4 & 7
				tf += r.gains[f][lengths[f]] * float32(h&maxFrequency)
				if h&moreFields == 0 {
					break
				}
			}
			if !r.out.has(doc) {
				r.add(i, doc, tf, idf, weight, first)
			}
		}
	}
}

// add credits a document with clause i. Of several synonyms the best counts.
func (r *ranking) add(i int, doc uint32, tf, idf, weight float32, first Field) {
	a := &r.docs[doc]
	evidence := r.plan.clauses[i].evidence
	if first == Title && evidence > none && a.named != uint16(i+1) {
		a.named = uint16(i + 1)
		a.title += idf * weight
	}
	part := idf * weight * tf / (float32(r.ix.weights.K1) + tf)
	switch a.last {
	case uint16(i + 1):
		if part > a.part {
			a.score += part - a.part
			a.part = part
		}
		return
	case 0:
		r.touched = append(r.touched, doc)
	}
	a.score += part
	a.cover += idf * weight
	a.part = part
	if evidence == naming && a.naming < math.MaxUint8 {
		a.naming++
	}
	a.last = uint16(i + 1)
}

// final is the score after coordination.
func (r *ranking) final(score, cover float32) float32 {
	return score * (1 - r.coordination + r.coordination*r.coverage(cover))
}

func (r *ranking) coverage(cover float32) float32 {
	return min(1, cover/float32(r.plan.mass))
}

// ranked is a document with its final score.
type ranked struct {
	score float32
	doc   uint32
	from  *ranking
}

func (c ranked) id() DocID { return c.from.ix.data.docs[c.doc].id }

func (c ranked) coverage() float64 { return float64(c.from.coverage(c.from.docs[c.doc].cover)) }

// best selects the documents to return from those seen so far, best first.
func (r *ranking) best() []ranked {
	heap := make([]ranked, 0, r.options.Limit)
	for _, doc := range r.touched {
		a := &r.docs[doc]
		c := ranked{r.final(a.score, a.cover), doc, r}
		full := len(heap) == r.options.Limit
		if full && compare(c, heap[0]) > 0 {
			continue
		}
		if r.options.Filter != nil && !r.options.Filter(r.ix.data.docs[doc].id) {
			continue
		}
		if full {
			heap[0] = c
			siftDown(heap)
		} else {
			heap = append(heap, c)
			siftUp(heap)
		}
	}
	slices.SortFunc(heap, compare)
	return heap
}

// compare orders the better document first.
func compare(a, b ranked) int {
	if d := cmp.Compare(b.score, a.score); d != 0 {
		return d
	}
	one, other := a.id(), b.id()
	return bytes.Compare(one[:], other[:])
}

// The heap has the worst document on top.

func siftUp(heap []ranked) {
	for i := len(heap) - 1; i > 0; {
		parent := (i - 1) / 2
		if compare(heap[i], heap[parent]) <= 0 {
			return
		}
		heap[i], heap[parent] = heap[parent], heap[i]
		i = parent
	}
}

func siftDown(heap []ranked) {
	for i := 0; ; {
		worst := i
		for _, child := range []int{2*i + 1, 2*i + 2} {
			if child < len(heap) && compare(heap[child], heap[worst]) > 0 {
				worst = child
			}
		}
		if worst == i {
			return
		}
		heap[i], heap[worst] = heap[worst], heap[i]
		i = worst
	}
}
