package lexical

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// matching returns the live documents that hold a sequence, in order.
func (s *store) matching(seq sequence) []uint32 {
	numbers := make([][]uint32, len(seq))
	for i, w := range seq {
		for _, name := range w.exact {
			if n, ok := s.vocab[name]; ok {
				numbers[i] = append(numbers[i], n)
			}
		}
		if len(numbers[i]) == 0 {
			return nil
		}
	}
	var docs []uint32
	started := false
	for i, w := range seq {
		switch {
		case !w.everywhere && len(seq) > 1:
		case !started:
			docs, started = s.union(numbers[i]), true
		default:
			docs = s.keep(docs, numbers[i])
		}
	}
	if len(seq) > 1 {
		var buf []uint32
		encoded := encodedPhrase(numbers)
		docs = slices.DeleteFunc(docs, func(doc uint32) bool {
			if !bytes.Contains(s.docs[doc].stream, encoded) {
				return true
			}
			var ok bool
			ok, buf = adjacent(s.docs[doc].stream, numbers, buf)
			return !ok
		})
	}
	return docs
}

// encodedPhrase is how a stream spells the beginning of a phrase, as far as
// each word is one term. A stream without it lacks the phrase; one with it may,
// for the bytes may stand across two numbers.
func encodedPhrase(numbers [][]uint32) []byte {
	var encoded []byte
	for _, set := range numbers {
		if len(set) != 1 {
			break
		}
		encoded = binary.AppendUvarint(encoded, uint64(set[0]))
	}
	return encoded
}

// union lists the live documents that have any of the terms.
func (s *store) union(terms []uint32) []uint32 {
	var docs []uint32
	for _, n := range terms {
		for c := s.terms[n].cursor(); c.next(); {
			if !s.dead.has(c.doc) {
				docs = append(docs, c.doc)
			}
		}
	}
	if len(terms) > 1 {
		slices.Sort(docs)
		docs = slices.Compact(docs)
	}
	return docs
}

// keep drops the documents that have none of the terms.
func (s *store) keep(docs, terms []uint32) []uint32 {
	cursors := make([]cursor, len(terms))
	for i, n := range terms {
		cursors[i] = s.terms[n].cursor()
	}
	return slices.DeleteFunc(docs, func(doc uint32) bool {
		for i := range cursors {
			if cursors[i].seek(doc) {
				return false
			}
		}
		return true
	})
}

// adjacent reports whether a stream holds terms side by side, one of each set
// of numbers, within one entry of one field. It uses and returns buf.
func adjacent(stream []byte, numbers [][]uint32, buf []uint32) (bool, []uint32) {
	field := Field(0)
	found := false
	buf = buf[:0]
	flush := func() {
		found = found || holds(buf, numbers)
		buf = buf[:0]
	}
	walk(stream, func(f Field, n uint32, whole bool) {
		if f != field {
			flush()
			field = f
		}
		if !whole {
			buf = append(buf, n)
		}
	})
	flush()
	return found, buf
}

func holds(positions []uint32, numbers [][]uint32) bool {
next:
	for i := 0; i+len(numbers) <= len(positions); i++ {
		for j, set := range numbers {
			if !slices.Contains(set, positions[i+j]) {
				continue next
			}
		}
		return true
	}
	return false
}
