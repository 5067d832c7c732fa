package lexical

import (
	"bytes"
	"encoding/binary"
)

// compactFrom is the number of removed documents below which compaction is not
// worth the work.
const compactFrom = 32

// compact rewrites the store without its dead documents and unused terms once
// they are a third of it, so that its cost stays a small part of the changes'.
func (s *store) compact() {
	if dead := len(s.docs) - s.live; dead < compactFrom || dead < s.live/2 {
		return
	}
	fresh := newStore()
	fresh.live, fresh.sizes = s.live, s.sizes
	termMap := make([]uint32, len(s.terms))
	for n := range s.terms {
		// Stop words stand in streams without a posting to show for it.
		if t := &s.terms[n]; t.live > 0 || s.stops[English].has(uint32(n)) || s.stops[Spanish].has(uint32(n)) {
			termMap[n] = fresh.intern(t.name)
		}
	}
	docMap := make([]uint32, len(s.docs))
	fresh.docs = make([]record, 0, s.live)
	fresh.codes = make([][fieldCount]uint8, 0, s.live)
	for doc, r := range s.docs {
		if s.dead.has(uint32(doc)) {
			continue
		}
		docMap[doc] = uint32(len(fresh.docs))
		fresh.ids[r.id] = docMap[doc]
		r.stream = renumber(r.stream, termMap)
		fresh.docs = append(fresh.docs, r)
		fresh.codes = append(fresh.codes, s.codes[doc])
	}
	for n := range s.terms {
		p := &s.terms[n].postings
		if p.live == 0 {
			continue
		}
		to := &fresh.terms[termMap[n]].postings
		for c := p.cursor(); c.next(); {
			if !s.dead.has(c.doc) {
				to.addEntry(docMap[c.doc], p.buf[c.head:c.off])
			}
		}
	}
	*s = fresh
}

// renumber copies a token stream, with its terms under their new numbers.
func renumber(stream []byte, termMap []uint32) []byte {
	var out []byte
	for len(stream) > 0 {
		positions, n := binary.Uvarint(stream)
		wholes, m := binary.Uvarint(stream[n:])
		out = append(out, stream[:n+m]...)
		stream = stream[n+m:]
		for range positions + wholes {
			number, n := binary.Uvarint(stream)
			stream = stream[n:]
			out = binary.AppendUvarint(out, uint64(termMap[number]))
		}
	}
	return bytes.Clone(out) // without the room for growth
}

// walk reads a token stream: the positions of each field, then its wholes.
func walk(stream []byte, visit func(f Field, n uint32, whole bool)) {
	read := func() int {
		v, size := binary.Uvarint(stream)
		stream = stream[size:]
		return int(v)
	}
	for f := range Field(fieldCount) {
		if len(stream) == 0 {
			return
		}
		positions, wholes := read(), read()
		for range positions {
			visit(f, uint32(read()), false)
		}
		for range wholes {
			visit(f, uint32(read()), true)
		}
	}
}
