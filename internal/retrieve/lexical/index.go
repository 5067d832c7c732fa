package lexical

import (
	"bytes"
	"encoding/binary"
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"
)

// DocID names a document; it is the topic's UUID.
type DocID [16]byte

// Index is the inverted index of one workspace. Searches run side by side;
// a change waits for them and they wait for it. Analysis, the slow part of a
// change, happens outside the lock.
type Index struct {
	weights Weights
	scratch sync.Pool // *scratch, sized for the largest index seen

	mu   sync.RWMutex
	data store
}

// store is the part of an index that compaction replaces.
type store struct {
	docs  []record
	codes [][fieldCount]uint8 // length codes, apart because ranking reads little else
	ids   map[DocID]uint32
	dead  bitset
	live  int
	sizes [fieldCount]fieldSize

	terms  []term
	stops  [Spanish + 1]bitset // terms that stand in streams, not in postings
	vocab  map[string]uint32
	shapes map[shape][]shaped

	// Room for the document being written.
	stream []byte
	found  []uint64 // term number and field of each occurrence
}

// record is a document. Its stream holds the term numbers of each field in
// order: phrases are checked against it, and removal finds the terms there.
type record struct {
	id       DocID
	stream   []byte
	language Language
}

type term struct {
	name string
	postings
}

// shape groups the vocabulary for typo correction and prefix search.
type shape struct {
	first rune
	runes int
}

// New makes an empty index.
func New(w Weights) *Index {
	ix := &Index{weights: w, data: newStore()}
	ix.scratch.New = func() any { return new(scratch) }
	return ix
}

func newStore() store {
	s := store{ids: make(map[DocID]uint32), vocab: make(map[string]uint32), shapes: make(map[shape][]shaped)}
	s.intern("") // number 0 is the gap between two entries of a list
	return s
}

// Put adds a document or replaces the one with the same id.
func (ix *Index) Put(id DocID, d Doc) {
	ix.put(id, &d, newStems())
}

// PutAll puts many documents, as the first load of a workspace does. It is
// about twice as fast as single calls, because words are stemmed once.
func (ix *Index) PutAll(docs iter.Seq2[DocID, Doc]) {
	known := newStems()
	for id, d := range docs {
		ix.put(id, &d, known)
	}
}

func (ix *Index) put(id DocID, d *Doc, known *stems) {
	a := analyse(d, known)
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.data.remove(id)
	ix.data.insert(id, &a)
	ix.data.compact()
}

// Delete removes a document. An unknown id is no error.
func (ix *Index) Delete(id DocID) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.data.remove(id)
	ix.data.compact()
}

// Len returns the number of documents.
func (ix *Index) Len() int {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return ix.data.live
}

// Language returns the language a document was read in.
func (ix *Index) Language(id DocID) (Language, bool) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	n, ok := ix.data.ids[id]
	if !ok {
		return English, false
	}
	return ix.data.docs[n].language, true
}

// Bytes estimates the memory the index holds, in bytes: about one KiB for a
// topic of 150 words. Each search that runs at the moment needs another 24 bytes
// a document. It walks the vocabulary, so ask after a batch of changes rather
// than after each.
func (ix *Index) Bytes() int64 {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	const (
		mapSlot  = 1.6 // slots of a map for each entry, growth included
		idEntry  = 16 + 4 + 1
		strEntry = 16 + 4 + 1 + 8 // with its place among the shapes
	)
	s := &ix.data
	n := int64(cap(s.docs))*int64(unsafe.Sizeof(record{})) +
		int64(cap(s.codes))*int64(fieldCount) + int64(cap(s.dead))*8 +
		int64(cap(s.terms))*int64(unsafe.Sizeof(term{})) +
		int64(float64(len(s.ids)*idEntry+len(s.vocab)*strEntry)*mapSlot)
	for i := range s.docs {
		n += int64(cap(s.docs[i].stream))
	}
	for i := range s.terms {
		t := &s.terms[i]
		n += int64(len(t.name)) + int64(cap(t.buf)) + int64(cap(t.skips))*8
	}
	return n
}

// intern returns the number of a term, giving it one when it is new.
func (s *store) intern(name string) uint32 {
	if n, ok := s.vocab[name]; ok {
		return n
	}
	n := uint32(len(s.terms))
	name = strings.Clone(name) // it may be a piece of a document's text
	s.terms = append(s.terms, term{name: name})
	for l := range s.stops {
		if isStop(name, Language(l)) {
			s.stops[l] = s.stops[l].with(n)
		}
	}
	s.vocab[name] = n
	if name != "" {
		key := shapeOf(name)
		s.shapes[key] = append(s.shapes[key], shaped{n, lettersOf(name)})
	}
	return n
}

// shaped is a term with the set of its letters. One edit changes two letters of
// the set at most, which spares most comparisons.
type shaped struct{ term, letters uint32 }

func lettersOf(name string) uint32 {
	var set uint32
	for _, r := range name {
		set |= 1 << (uint32(r) & 31)
	}
	return set
}

func shapeOf(name string) shape {
	first, _ := utf8.DecodeRuneInString(name)
	return shape{first, utf8.RuneCountInString(name)}
}

// insert appends a document that is not in the store.
func (s *store) insert(id DocID, a *analysis) {
	stream, found := s.stream[:0], s.found[:0]
	var lengths [fieldCount]int
	note := func(name string, f int) (posted bool) {
		n := s.intern(name)
		stream = binary.AppendUvarint(stream, uint64(n))
		if n == 0 || s.stops[a.language].has(n) {
			return false
		}
		found = append(found, uint64(n)<<3|uint64(f))
		return true
	}
	for f := range a.fields {
		t := &a.fields[f]
		stream = binary.AppendUvarint(stream, uint64(len(t.positions)))
		stream = binary.AppendUvarint(stream, uint64(len(t.wholes)))
		for _, name := range t.positions {
			if note(name, f) {
				lengths[f]++
			}
		}
		for _, name := range t.wholes {
			note(name, f)
		}
	}
	s.stream, s.found = stream, found
	s.post(record{id: id, stream: bytes.Clone(stream), language: a.language}, found, lengths)
}

// post writes the postings of a document whose terms are known by number.
func (s *store) post(r record, found []uint64, lengths [fieldCount]int) {
	doc := uint32(len(s.docs))
	slices.Sort(found)
	for len(found) > 0 {
		n := uint32(found[0] >> 3)
		var freq [fieldCount]uint8
		for len(found) > 0 && uint32(found[0]>>3) == n {
			if f := found[0] & 7; freq[f] < maxFrequency {
				freq[f]++
			}
			found = found[1:]
		}
		s.terms[n].add(doc, &freq)
	}
	var codes [fieldCount]uint8
	for f, n := range lengths {
		codes[f] = lengthCode(n)
		s.sizes[f].add(codes[f], 1)
	}
	s.docs = append(s.docs, r)
	s.codes = append(s.codes, codes)
	s.ids[r.id] = doc
	s.live++
}

// remove marks a document as dead and takes it out of all counts.
func (s *store) remove(id DocID) {
	doc, ok := s.ids[id]
	if !ok {
		return
	}
	for _, n := range s.postedTerms(doc) {
		s.terms[n].live--
	}
	for f, code := range s.codes[doc] {
		s.sizes[f].add(code, -1)
	}
	delete(s.ids, id)
	s.docs[doc] = record{}
	s.dead = s.dead.with(doc)
	s.live--
}

// postedTerms returns the distinct numbers of the terms that have a posting
// for a document.
func (s *store) postedTerms(doc uint32) []uint32 {
	r := &s.docs[doc]
	var all []uint32
	walk(r.stream, func(_ Field, n uint32, _ bool) { all = append(all, n) })
	slices.Sort(all)
	all = slices.Compact(all)
	return slices.DeleteFunc(all, func(n uint32) bool { return n == 0 || s.stops[r.language].has(n) })
}
