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
// error for: near enough, alphabetic and with the same first letter. A single
// one that differs in few letters is taken for the word that was meant.
func (c *collection) corrections(w queryWord) []synonym {
	found := c.repairedEndings(w)
	names := w.terms
	if stemmed, ok := strings.CutSuffix(fold(w.surface), "y"); ok {
		names = append(slices.Clip(names), stemmed+"i") // which is how the English stemmer leaves most of them
	}
	for _, name := range names {
		if !isAlphabetic(name) {
			continue
		}
		word, letters := []rune(name), lettersOf(name)
		surface := utf8.RuneCountInString(w.surface)
		edits := allowedEdits(min(surface, len(word)+1))
		if len(word) < minTypoRunes {
			edits = 0
		}
		for runes := max(minTypoRunes, len(word)-edits); edits > 0 && runes <= len(word)+edits; runes++ {
			c.shaped(shape{word[0], runes}, func(other string, theirs uint32) {
				if bits.OnesCount32(theirs^letters) > 2*edits {
					return
				}
				if d := distance(word, other, edits); d <= edits && isAlphabetic(other) {
					found = append(found, correction{other, d, max(runes, len(word)), (surface == len(word) || runes > shortRunes) && slip(word, []rune(other))})
				}
			})
		}
	}
	slices.SortFunc(found, func(a, b correction) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), strings.Compare(a.name, b.name), cmp.Compare(b.runes, a.runes))
	})
	var out []synonym
	for _, f := range found {
		// Farther words are noise where a nearer one exists.
		if f.distance > found[0].distance {
			break
		}
		if slices.ContainsFunc(out, stands(f.name)) {
			continue
		}
		s, _ := c.term(f.name)
		s.weight, s.guess = c.weights.Typo*(1-2*f.off()), true
		out = append(out, s)
	}
	if len(out) == 1 && found[0].slip && found[0].off() <= sureOff {
		out[0].weight, out[0].guess = c.weights.SureTypo, false
	}
	slices.SortStableFunc(out, func(a, b synonym) int { return cmp.Compare(b.live, a.live) })
	return out[:min(len(out), maxCorrections)]
}

// correction is a term and how many edits it is away from what was typed.
type correction struct {
	name            string
	distance, runes int
	slip            bool
}

// slip reports a difference that is rather a slip of the fingers than another
// word. In short words letters get lost, doubled or swapped, while another letter
// in the place of one mostly makes another word, such as train and trail; and a
// short stem stands for words that differ in their endings as well.
func slip(typed, other []rune) bool {
	if max(len(typed), len(other)) > shortRunes {
		return true
	}
	return len(typed) != len(other) || lettersOf(string(typed)) == lettersOf(string(other))
}

const shortRunes = 5

// off is the share of the letters that differ.
func (f correction) off() float64 { return float64(f.distance) / float64(f.runes) }

// sureOff is up to which share of its letters a word may differ from the only
// candidate and still be taken for it.
const sureOff = 0.2

// endings are those that the stemmers cut off. A slip in one of them keeps the
// word from its stem, which is then too far away for an edit distance.
var endings = [Spanish + 1][]string{
	English: {
		"tion", "tions", "sion", "ment", "ments", "ness", "ance", "ence", "able", "ible", "ing", "ings", "ized", "ated", "ation", "ations",
		"ator", "ability", "ally", "ative", "ful",
	},
	Spanish: {"cion", "ciones", "mente", "idad", "ando", "iendo", "ados", "idos"},
}

// repairedEndings finds terms whose word differs from what was typed by one
// edit in its ending.
func (c *collection) repairedEndings(w queryWord) []correction {
	typed := []rune(fold(w.surface))
	if len(typed) < 2*minTypoRunes-1 || !isAlphabetic(string(typed)) {
		return nil
	}
	var found []correction
	for l, list := range endings {
		for _, ending := range list {
			for cut := len(ending) - 1; cut <= len(ending)+1; cut++ {
				rest := len(typed) - cut
				if rest < minTypoRunes-1 || distance(typed[rest:], ending, 1) != 1 {
					continue
				}
				meant := string(typed[:rest]) + ending
				name := stem(word{text: meant}, Language(l))
				if _, ok := c.term(name); ok && name != meant {
					found = append(found, correction{name, 1, len(typed), true})
				}
			}
		}
	}
	return found
}

// completions adds to the found terms those that begin with the word as typed,
// the most frequent first.
func (c *collection) completions(w queryWord, found []synonym) []synonym {
	typed := fold(w.surface)
	first, _ := utf8.DecodeRuneInString(typed)
	known := make(map[string]bool, len(found))
	for _, s := range found {
		known[s.name] = true
	}
	var more []synonym
	for runes := utf8.RuneCountInString(typed); runes <= maxTokenRunes; runes++ {
		c.shaped(shape{first, runes}, func(name string, _ uint32) {
			if known[name] || !strings.HasPrefix(name, typed) {
				return
			}
			known[name] = true
			s, _ := c.term(name)
			s.weight = prefixWeight
			more = append(more, s)
		})
	}
	slices.SortFunc(more, func(a, b synonym) int { return cmp.Or(cmp.Compare(b.live, a.live), strings.Compare(a.name, b.name)) })
	return append(found, more[:min(len(more), maxCompletions)]...)
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
