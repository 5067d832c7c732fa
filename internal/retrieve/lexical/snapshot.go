package lexical

import (
	"fmt"

	"driftless/internal/retrieve/packed"
)

// Pack writes the index in the form that [Unpack] reads. It holds terms, not texts, and the weights are not part of it. Whoever keeps
// it says beside it by which program it was made: another one may cut words otherwise.
func (ix *Index) Pack(w *packed.Writer) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	s := &ix.data
	w.Uint(uint64(len(s.terms)))
	for i := range s.terms {
		t := &s.terms[i]
		w.String(t.name)
		w.Blob(t.buf)
		w.Uint(uint64(len(t.skips)))
		for _, k := range t.skips {
			w.Uint(uint64(k.doc))
			w.Uint(uint64(k.offset))
		}
		w.Uint(uint64(t.total))
		w.Uint(uint64(t.live))
		w.Uint(uint64(t.last))
	}
	w.Uint(uint64(len(s.docs)))
	for i, d := range s.docs {
		dead := s.dead.has(uint32(i))
		if w.Bool(dead); dead {
			continue
		}
		w.Raw(d.id[:])
		w.Uint(uint64(d.language))
		w.Raw(s.codes[i][:])
		w.Blob(d.stream)
	}
}

// Unpack reads an index. It keeps the bytes as a part of itself. The error says that they are too few or none of an index; that
// they are those that were written is for a checksum to say.
func Unpack(weights Weights, r *packed.Reader) (*Index, error) {
	ix := New(weights)
	s := &ix.data
	n := r.Count(6)
	for i := range n {
		name := r.String()
		if number := s.intern(name); r.Err() == nil && int(number) != i {
			return nil, fmt.Errorf("the term %d: %w", i, packed.ErrDamaged)
		}
		if r.Err() != nil {
			break
		}
		readPostings(r, &s.terms[i].postings)
	}
	count := r.Count(1)
	s.docs, s.codes, s.ids = make([]record, count), make([][fieldCount]uint8, count), make(map[DocID]uint32, count)
	for i := range s.docs {
		if r.Bool() {
			s.dead = s.dead.with(uint32(i))
			continue
		}
		d := &s.docs[i]
		copy(d.id[:], r.Raw(len(d.id)))
		d.language = Language(r.Uint())
		copy(s.codes[i][:], r.Raw(fieldCount))
		d.stream = r.Blob()
		if r.Err() != nil {
			break
		}
		s.ids[d.id] = uint32(i)
		s.live++
		for f, code := range s.codes[i] {
			s.sizes[f].add(code, 1)
		}
	}
	if r.Err() != nil || len(s.ids) != s.live {
		return nil, fmt.Errorf("an index of text: %w", packed.ErrDamaged)
	}
	return ix, nil
}

func readPostings(r *packed.Reader, p *postings) {
	p.buf = r.Blob()
	if n := r.Count(2); n > 0 {
		p.skips = make([]skip, n)
		for i := range p.skips {
			p.skips[i] = skip{uint32(r.Uint()), uint32(r.Uint())}
		}
	}
	p.total, p.live, p.last = int32(r.Uint()), int32(r.Uint()), uint32(r.Uint())
}
