// Package packed owns the plain binary form in which an index is kept between two runs of a server: numbers of variable length and
// strings with their length before them.
//
// It refuses to know what is packed, and to trust what it reads: whatever does not fit is an error of the reader, never a panic
// and never an allocation beyond the bytes that are there. Whoever packs says in the file which form it has.
package packed

import (
	"encoding/binary"
	"errors"
)

// ErrDamaged says that the bytes are not what a [Writer] wrote.
var ErrDamaged = errors.New("the packed data is damaged")

// Writer appends to a buffer. Its zero value is ready.
type Writer struct{ buf []byte }

// Bytes is what was written.
func (w *Writer) Bytes() []byte { return w.buf }

// Uint writes a number.
func (w *Writer) Uint(n uint64) { w.buf = binary.AppendUvarint(w.buf, n) }

// Int writes a number that may be negative.
func (w *Writer) Int(n int64) { w.buf = binary.AppendVarint(w.buf, n) }

// Bool writes a truth.
func (w *Writer) Bool(b bool) {
	n := uint64(0)
	if b {
		n = 1
	}
	w.Uint(n)
}

// Blob writes bytes with their length.
func (w *Writer) Blob(b []byte) {
	w.Uint(uint64(len(b)))
	w.buf = append(w.buf, b...)
}

// String writes a text with its length.
func (w *Writer) String(s string) {
	w.Uint(uint64(len(s)))
	w.buf = append(w.buf, s...)
}

// Strings writes a list of texts.
func (w *Writer) Strings(all []string) {
	w.Uint(uint64(len(all)))
	for _, s := range all {
		w.String(s)
	}
}

// Raw writes bytes whose length the reader knows.
func (w *Writer) Raw(b []byte) { w.buf = append(w.buf, b...) }

// Reader reads what a Writer wrote, in the same order. After the first thing that does not fit, Err says so and all else is zero.
type Reader struct {
	data []byte
	err  error
}

// NewReader reads from data, which must not change any more: bytes are parts of it.
func NewReader(data []byte) *Reader { return &Reader{data: data} }

// Err is nil or ErrDamaged.
func (r *Reader) Err() error { return r.err }

// Done reports whether everything was read, and fits.
func (r *Reader) Done() bool { return r.err == nil && len(r.data) == 0 }

func (r *Reader) skip(n int) {
	if n <= 0 || n > len(r.data) {
		r.data, r.err = nil, ErrDamaged
		return
	}
	r.data = r.data[n:]
}

// Uint reads a number.
func (r *Reader) Uint() uint64 {
	n, size := binary.Uvarint(r.data)
	if r.skip(size); r.err != nil {
		return 0
	}
	return n
}

// Int reads a number that may be negative.
func (r *Reader) Int() int64 {
	n, size := binary.Varint(r.data)
	if r.skip(size); r.err != nil {
		return 0
	}
	return n
}

// Bool reads a truth.
func (r *Reader) Bool() bool { return r.Uint() == 1 }

// Count reads how many things follow, each of them at least one byte, or of so many bytes as each says.
func (r *Reader) Count(each int) int {
	n := r.Uint()
	if n > uint64(len(r.data)/max(each, 1)) {
		r.data, r.err = nil, ErrDamaged
		return 0
	}
	return int(n)
}

// Raw reads bytes of a known length.
func (r *Reader) Raw(n int) []byte {
	if n < 0 || n > len(r.data) {
		r.data, r.err = nil, ErrDamaged
		return nil
	}
	b := r.data[:n:n] // appending to it copies
	r.data = r.data[n:]
	return b
}

// Blob reads bytes.
func (r *Reader) Blob() []byte { return r.Raw(r.Count(1)) }

// String reads a text.
func (r *Reader) String() string { return string(r.Blob()) }

// Strings reads a list of texts.
func (r *Reader) Strings() []string {
	n := r.Count(1)
	if n == 0 {
		return nil
	}
	all := make([]string, n)
	for i := range all {
		all[i] = r.String()
	}
	return all
}
