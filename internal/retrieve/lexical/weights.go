package lexical

import "math/bits"

// Weights tune the ranking. The zero value ranks nothing; start from
// [DefaultWeights].
type Weights struct {
	// Fields say how much an occurrence counts in each field, compared with
	// one in the content.
	Fields [fieldCount]float64
	// K1 sets how soon repetition stops to count.
	K1 float64
	// B sets, between 0 and 1, how much the length of a field counts against
	// what it says.
	B float64
	// Coordination is the share of the score, between 0 and 1, that a document
	// earns only by holding all of a short question. It fades from four words
	// on: of a long one no document holds all, and measured rankings got worse.
	Coordination float64
	// Typo is what a corrected word is worth beside the word itself, before
	// twice the share of its letters that differ is taken off.
	Typo float64
	// SureTypo is what a word is worth that can only be a slip for one other.
	SureTypo float64
}

// DefaultWeights are the values the product ships with.
func DefaultWeights() Weights {
	w := Weights{K1: 1.5, B: 0.8, Coordination: 0.3, Typo: 0.7, SureTypo: 0.9}
	w.Fields = [fieldCount]float64{
		Title: 3, What: 2, Lists: 1.5, How: 1.3, Content: 1, Anchors: 1.5, Code: 1.5, Tags: 2,
	}
	return w
}

func (w *Weights) coordination(words int) float32 {
	return float32(w.Coordination * min(1, 4/float64(max(words, 1))))
}

// lengthCode squeezes the length of a field into a byte: exact below 32, within
// six percent above.
func lengthCode(n int) uint8 {
	if n < 16 {
		return uint8(n)
	}
	shift := min(bits.Len(uint(n))-5, 14)
	return uint8(shift+1)<<4 | uint8(min(n>>shift, 31)&15)
}

// lengthOf is the inverse of [lengthCode].
func lengthOf(code uint8) int {
	if code < 16 {
		return int(code)
	}
	return (16 + int(code&15)) << (code>>4 - 1)
}

// gains tabulates, for each field and length code, what one occurrence adds
// before saturation.
type gains [fieldCount][256]float32

// fieldSize sums a field over the live documents that have it. Those without
// do not count: else one document with a text among many bare ones would pass
// for endless.
type fieldSize struct{ docs, length int64 }

// add counts a document in, or out with a sign of -1.
func (s *fieldSize) add(code uint8, sign int64) {
	if code > 0 {
		s.docs += sign
		s.length += sign * int64(lengthOf(code))
	}
}

func (s fieldSize) average() float64 {
	if s.docs == 0 {
		return 1
	}
	return float64(s.length) / float64(s.docs)
}

func (w *Weights) fillGains(g *gains, sizes *[fieldCount]fieldSize) {
	for f, size := range sizes {
		average := size.average()
		for code := range g[f] {
			// A field of stop words alone has no length, and no advantage.
			length := max(float64(lengthOf(uint8(code))), 1)
			g[f][code] = float32(w.Fields[f] / (1 - w.B + w.B*length/average))
		}
	}
}
