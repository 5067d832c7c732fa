package lexical

import "encoding/binary"

// postings lists the documents of one term in rising order:
//
//	entry  = uvarint(distance to the document before) header+
//	header = more(1 bit) field(3 bits) frequency(4 bits)
//
// A term that occurs in one field takes two bytes as a rule. Frequencies stop
// at 15, where saturation has long flattened them.
type postings struct {
	buf   []byte
	skips []skip
	total int32  // entries, removed documents included
	live  int32  // documents that have the term
	last  uint32 // document of the last entry
}

const (
	maxFrequency = 15
	moreFields   = 0x80
	skipEvery    = 128
)

// skip lets a reader start in the middle: the entry at offset follows doc.
type skip struct{ doc, offset uint32 }

// add appends an entry. Documents must come in rising order.
func (p *postings) add(doc uint32, freq *[fieldCount]uint8) {
	var headers [fieldCount]byte
	n := 0
	for f, tf := range freq {
		if tf > 0 {
			headers[n] = moreFields | byte(f)<<4 | min(tf, maxFrequency)
			n++
		}
	}
	headers[n-1] &^= moreFields //nolint:gosec // a document is added for a term that it has, so n is at least 1
	p.addEntry(doc, headers[:n])
}

// addEntry appends an entry whose headers are made.
func (p *postings) addEntry(doc uint32, headers []byte) {
	if p.total > 0 && p.total%skipEvery == 0 {
		p.skips = append(p.skips, skip{p.last, uint32(len(p.buf))})
	}
	var entry [binary.MaxVarintLen32 + fieldCount]byte
	n := binary.PutUvarint(entry[:], uint64(doc-p.last))
	n += copy(entry[n:], headers)
	p.buf = appendTight(p.buf, entry[:n])
	p.last = doc
	p.total++
	p.live++
}

// appendTight grows long lists by an eighth where append would double them:
// half-empty ones would be a third of the index.
func appendTight(buf, more []byte) []byte {
	need := len(buf) + len(more)
	if need > cap(buf) && need > 64 {
		grown := make([]byte, len(buf), need+need/8)
		copy(grown, buf)
		buf = grown
	}
	return append(buf, more...)
}

// cursor reads postings in order.
type cursor struct {
	p    *postings
	off  int
	head int // offset of the headers of the current entry
	doc  uint32
	done bool
}

func (p *postings) cursor() cursor { return cursor{p: p} }

// next moves to the next entry and reports whether there is one.
func (c *cursor) next() bool {
	if c.off >= len(c.p.buf) {
		c.done = true
		return false
	}
	delta, n := binary.Uvarint(c.p.buf[c.off:])
	c.doc += uint32(delta)
	c.head = c.off + n
	c.off = c.head
	for c.p.buf[c.off]&moreFields != 0 {
		c.off++
	}
	c.off++
	return true
}

// seek moves to the entry of doc and reports whether there is one. Calls must
// name rising documents.
func (c *cursor) seek(doc uint32) bool {
	if c.off > 0 && c.doc >= doc || c.done {
		return !c.done && c.doc == doc
	}
	c.jump(doc)
	for c.next() {
		if c.doc >= doc {
			return c.doc == doc
		}
	}
	return false
}

// jump skips the blocks that end before doc.
func (c *cursor) jump(doc uint32) {
	lo, hi := 0, len(c.p.skips)
	for lo < hi {
		if mid := (lo + hi) / 2; c.p.skips[mid].doc < doc {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo > 0 && int(c.p.skips[lo-1].offset) > c.off {
		c.off, c.doc = int(c.p.skips[lo-1].offset), c.p.skips[lo-1].doc
	}
}

// fields hands over the frequencies of the current entry.
func (c *cursor) fields(yield func(f Field, tf int)) {
	for i := c.head; ; i++ {
		h := c.p.buf[i]
		yield(Field(h>>4&7), int(h&maxFrequency))
		if h&moreFields == 0 {
			return
		}
	}
}

// firstField is the field of the first header of an entry, the lowest in which
// the term occurs.
func firstField(header byte) Field { return Field(header >> 4 & 7) }

// bitset marks documents.
type bitset []uint64

func (b bitset) has(doc uint32) bool { return int(doc>>6) < len(b) && b[doc>>6]&(1<<(doc&63)) != 0 }

// with returns the set with doc in it, grown where needed.
func (b bitset) with(doc uint32) bitset {
	for int(doc>>6) >= len(b) {
		b = append(b, 0)
	}
	b[doc>>6] |= 1 << (doc & 63)
	return b
}
