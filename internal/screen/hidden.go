package screen

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ErrNotText is wrapped by every error of [Valid].
var ErrNotText = errors.New("not text")

// Valid reports bytes that no text field may carry: NUL, which PostgreSQL
// cannot store, and sequences that are not UTF-8 (RFC 3629). The error names
// the byte offset.
func Valid(text string) error {
	for i, r := range text {
		switch {
		case r == 0:
			return fmt.Errorf("%w: NUL at byte %d", ErrNotText, i)
		case r == utf8.RuneError:
			if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
				return fmt.Errorf("%w: invalid UTF-8 at byte %d", ErrNotText, i)
			}
		}
	}
	return nil
}

const (
	zwnj       = '\u200c'
	zwj        = '\u200d'
	blackFlag  = '\U0001F3F4'
	tagFirst   = '\U000E0000'
	tagLast    = '\U000E007F'
	textStyle  = '\ufe0e'
	emojiStyle = '\ufe0f'
)

// Strip removes what a person cannot see and a machine can read: bidirectional
// controls, zero-width characters, tag characters, joiners and variation
// selectors where they join and vary nothing, other format characters, and
// controls apart from tab, line feed and carriage return. CR LF becomes LF.
//
// Kept, because they are visible in effect: joiners inside emoji and inside
// scripts that join, variation selectors after a character that has variants,
// and the three subdivision flags recommended for interchange (UTS #51).
//
// removed counts characters, not line endings. Bytes that are not UTF-8 become
// U+FFFD: dropping them could join their neighbours into a hidden character.
// Strip is idempotent.
func Strip(text string) (clean string, removed int) {
	if isPlain(text) {
		return text, 0
	}
	visible, removed := dropInvisible(text)
	visible, stray := dropStray(visible)
	return joinLines(visible), removed + stray
}

// isPlain says that nothing in the text needs a closer look.
func isPlain(text string) bool {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c >= utf8.RuneSelf || c == 0x7f || c < ' ' && c != '\t' && c != '\n' {
			return false
		}
	}
	return true
}

// dropInvisible removes the characters that are hidden wherever they stand.
func dropInvisible(text string) (kept []rune, removed int) {
	kept = make([]rune, 0, len(text))
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == blackFlag {
			if n := flagTags(text[i+size:]); n > 0 {
				kept = append(kept, []rune(text[i:i+size+n])...)
				i += size + n
				continue
			}
		}
		if invisible(r) {
			removed++
		} else {
			kept = append(kept, r)
		}
		i += size
	}
	return kept, removed
}

// flagTags returns the length of the tag sequence of England, Scotland or
// Wales at the start of s. Other subdivisions are not recommended for
// interchange, and would let a black flag carry arbitrary text.
func flagTags(s string) int {
	for _, region := range []string{"gbeng", "gbsct", "gbwls"} {
		var b strings.Builder
		for _, c := range region {
			b.WriteRune(tagFirst + c)
		}
		b.WriteRune(tagLast)
		if strings.HasPrefix(s, b.String()) {
			return b.Len()
		}
	}
	return 0
}

// invisible reports characters that are never wanted. Joiners, variation
// selectors and flag tags depend on their neighbours and are not among them.
func invisible(r rune) bool {
	switch {
	case r == '\t', r == '\n', r == '\r', r == zwj, r == zwnj:
		return false
	case unicode.IsControl(r):
		return true
	case r >= tagFirst && r <= tagLast:
		return true
	case r == '\u034f', r == '\u115f', r == '\u1160', r == '\u17b4', r == '\u17b5', r == '\u3164', r == '\uffa0':
		return true // fillers: letters and marks in name, blank on the page
	case unicode.Is(unicode.Cf, r):
		return !visibleFormat(r)
	}
	return false
}

// visibleFormat names format characters that draw something: Arabic and
// Syriac number signs, Kaithi signs, hieroglyph joiners.
func visibleFormat(r rune) bool {
	switch {
	case r >= 0x0600 && r <= 0x0605, r == 0x06dd, r == 0x070f, r == 0x0890, r == 0x0891, r == 0x08e2:
		return true
	case r == 0x110bd, r == 0x110cd, r >= 0x13430 && r <= 0x1343f:
		return true
	}
	return false
}

// dropStray removes joiners and selectors that have nothing to act on. Of a run
// of them only the first can act, so a run is judged once: that keeps the pass
// linear and its result stable.
func dropStray(text []rune) (kept []rune, removed int) {
	kept = text[:0]
	for i := 0; i < len(text); {
		r := text[i]
		switch {
		case joiner(r):
			end := i + 1
			for end < len(text) && joiner(text[end]) {
				end++
			}
			if joins(r, kept, text[end:]) {
				kept = append(kept, r)
				removed--
			}
			removed += end - i
			i = end
		case selector(r):
			if len(kept) > 0 && varies(kept[len(kept)-1], r) {
				kept = append(kept, r)
			} else {
				removed++
			}
			i++
		default:
			kept = append(kept, r)
			i++
		}
	}
	return kept, removed
}

func joiner(r rune) bool { return r == zwj || r == zwnj }

// joins reports whether a joiner between before and after changes the picture.
func joins(r rune, before, after []rune) bool {
	if len(before) == 0 || len(after) == 0 {
		return false
	}
	last, next := before[len(before)-1], after[0]
	if unicode.In(last, joiningScripts()...) && unicode.In(next, joiningScripts()...) {
		return true
	}
	if last == emojiStyle && len(before) > 1 {
		last = before[len(before)-2]
	}
	return r == zwj && pictographic(last) && pictographic(next)
}

// joiningScripts are those whose letters change shape beside one another, so
// that a joiner is spelling.
func joiningScripts() []*unicode.RangeTable {
	return []*unicode.RangeTable{
		unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Mandaic, unicode.Adlam,
		unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil,
		unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
	}
}

func selector(r rune) bool {
	return r >= '\ufe00' && r <= emojiStyle || r >= 0xe0100 && r <= 0xe01ef || r >= 0x180b && r <= 0x180f
}

// varies reports whether a variation selector can act on the base before it.
func varies(base, s rune) bool {
	switch {
	case s == textStyle || s == emojiStyle:
		return pictographic(base) || base == '#' || base == '*' || base >= '0' && base <= '9'
	case s >= 0x180b && s <= 0x180f:
		return unicode.Is(unicode.Mongolian, base)
	case s >= 0xe0100:
		return unicode.Is(unicode.Han, base)
	}
	return unicode.In(base, unicode.Han, unicode.Myanmar, unicode.Phags_Pa, unicode.Sm)
}

// pictographic approximates Extended_Pictographic (UTS #51) by its blocks.
func pictographic(r rune) bool {
	switch {
	case r >= 0x1f000 && r <= 0x1faff, r >= 0x2600 && r <= 0x27bf, r >= 0x2300 && r <= 0x23ff:
		return true
	case r >= 0x2190 && r <= 0x21ff, r >= 0x25a0 && r <= 0x25ff, r >= 0x2900 && r <= 0x297f, r >= 0x2b00 && r <= 0x2bff:
		return true
	case r == 0xa9, r == 0xae, r == 0x203c, r == 0x2049, r == 0x2122, r == 0x2139, r == 0x24c2, r == 0x3030, r == 0x303d, r == 0x3297, r == 0x3299:
		return true
	}
	return false
}

// joinLines turns CR LF into LF. Carriage returns in front of one go together:
// taking one alone would leave the next for a second call.
func joinLines(text []rune) string {
	out := text[:0]
	for _, r := range text {
		if r == '\n' {
			for len(out) > 0 && out[len(out)-1] == '\r' {
				out = out[:len(out)-1]
			}
		}
		out = append(out, r)
	}
	return string(out)
}
