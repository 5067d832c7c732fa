package lexical

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxCorrections = 8
	maxCompletions = 64
	prefixWeight   = 0.8
	minTypoRunes   = 4
)

// allowedEdits is the edit distance a word may be off: none below 4 runes, one
// below 8, two from there on.
func allowedEdits(runes int) int {
	switch {
	case runes < minTypoRunes:
		return 0
	case runes < 8:
		return 1
	default:
		return 2
	}
}

// corrections finds the terms that a word which nobody wrote may be a typing
// error for: near enough, alphabetic and with the same first letter.
func (ix *Index) corrections(w queryWord) []synonym {
	s := &ix.data
	type candidate struct {
		term, distance int
		runes          int
	}
	var found []candidate
	for _, name := range w.terms {
		if !isAlphabetic(name) {
			continue
		}
		word, letters := []rune(name), lettersOf(name)
		edits := allowedEdits(min(utf8.RuneCountInString(w.surface), len(word)+1))
		if len(word) < minTypoRunes {
			edits = 0
		}
		for runes := max(minTypoRunes, len(word)-edits); edits > 0 && runes <= len(word)+edits; runes++ {
			for _, e := range s.shapes[shape{word[0], runes}] {
				n := e.term
				if bits.OnesCount32(e.letters^letters) > 2*edits {
					continue
				}
				t := &s.terms[n]
				if t.live == 0 {
					continue
				}
				if d := distance(word, t.name, edits); d <= edits && isAlphabetic(t.name) {
					found = append(found, candidate{int(n), d, max(runes, len(word))})
				}
			}
		}
	}
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance),
			cmp.Compare(s.terms[b.term].live, s.terms[a.term].live),
			strings.Compare(s.terms[a.term].name, s.terms[b.term].name))
	})
	var out []synonym
	for _, c := range found {
		// Farther words are noise where a nearer one exists.
		if c.distance > found[0].distance || len(out) == maxCorrections {
			break
		}
		if !slices.ContainsFunc(out, func(o synonym) bool { return o.term == uint32(c.term) }) {
			off := float64(c.distance) / float64(c.runes)
			out = append(out, synonym{term: uint32(c.term), weight: ix.weights.Typo * (1 - 2*off), guess: true})
		}
	}
	return out
}

// completions adds to the found terms those that begin with the word as typed,
// the most frequent first.
func (ix *Index) completions(w queryWord, found []synonym) []synonym {
	s := &ix.data
	typed := fold(w.surface)
	first, _ := utf8.DecodeRuneInString(typed)
	var more []uint32
	for runes := utf8.RuneCountInString(typed); runes <= maxTokenRunes; runes++ {
		for _, e := range s.shapes[shape{first, runes}] {
			n := e.term
			known := slices.ContainsFunc(found, func(o synonym) bool { return o.term == n })
			if t := &s.terms[n]; t.live > 0 && !known && strings.HasPrefix(t.name, typed) {
				more = append(more, n)
			}
		}
	}
	slices.SortFunc(more, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(s.terms[b].live, s.terms[a].live), strings.Compare(s.terms[a].name, s.terms[b].name))
	})
	for _, n := range more[:min(len(more), maxCompletions)] {
		found = append(found, synonym{term: n, weight: prefixWeight})
	}
	return found
}

// distance is the edit distance with swaps of neighbours counted as one
// (optimal string alignment). It gives up above limit and returns limit+1.
func distance(a []rune, name string, limit int) int {
	b := make([]rune, 0, maxTokenRunes)
	for _, r := range name {
		b = append(b, r)
	}
	var rows [3][maxTokenRunes + 1]int
	before, last, row := &rows[0], &rows[1], &rows[2]
	if len(a) > maxTokenRunes || len(b) > maxTokenRunes {
		return limit + 1
	}
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		best := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			row[j] = d
			best = min(best, d)
		}
		if best > limit {
			return limit + 1
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
