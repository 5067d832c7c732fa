package screen

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// stop ends a sentence in folded text.
const stop = '.'

// folded is text reduced to what the lexicon compares: lower-case letters and
// digits without accents, single blanks, and stops. at holds the byte offset of
// the character each rune came from.
type folded struct {
	text   []rune
	at     []int
	length int // bytes of the original
}

func (f folded) offset(i int) int {
	if i >= len(f.at) {
		return f.length
	}
	return f.at[i]
}

// end is the offset just behind the character before i.
func (f folded) end(i int) int {
	if i < len(f.at) && i > 0 && f.at[i] > f.at[i-1] {
		return f.at[i]
	}
	if i == 0 {
		return 0
	}
	for ; i < len(f.at); i++ {
		if f.at[i] > f.at[i-1] {
			return f.at[i]
		}
	}
	return f.length
}

// fold reduces text. NFKD (UAX #15) turns styled, full-width and accented
// letters into base letters and marks; the marks go.
func fold(text string) folded {
	f := folded{text: make([]rune, 0, len(text)), at: make([]int, 0, len(text)), length: len(text)}
	var it norm.Iter
	it.InitString(norm.NFKD, text)
	breaks := 0
	for !it.Done() {
		at := it.Pos()
		segment := it.Next()
		for len(segment) > 0 {
			r, size := utf8.DecodeRune(segment)
			segment = segment[size:]
			f.add(r, at, text[it.Pos():], &breaks)
		}
	}
	f.despace()
	f.unleet()
	return f
}

// add appends one decomposed rune. A full stop ends a sentence before a blank
// only ("evil.example" is one word); a blank line and a new list item do too.
func (f *folded) add(r rune, at int, rest string, breaks *int) {
	switch {
	case r == '\n':
		*breaks++
		if *breaks > 1 || startsItem(rest) {
			f.put(stop, at)
		} else {
			f.put(' ', at)
		}
		return
	case r == ' ' || r == '\t' || r == '\r':
		f.put(' ', at)
		return
	case invisible(r), joiner(r), selector(r), unicode.Is(unicode.Mn, r):
		return
	}
	*breaks = 0
	switch {
	case r == '!' || r == '?' || r == ';' || r == '。' || r == '।' || r == '؟':
		f.put(stop, at)
	case r == '.':
		if rest == "" || rest[0] == ' ' || rest[0] == '\n' || rest[0] == '\r' || rest[0] == '\'' || rest[0] == '"' {
			f.put(stop, at)
		} else {
			f.put(' ', at)
		}
	case r == '@' && addressed(rest):
		f.put(' ', at)
		f.put('@', at)
		f.put(' ', at)
	case r == '@' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mc, r):
		f.put(plainLetter(unicode.ToLower(r)), at)
	default:
		f.put(' ', at)
	}
}

// addressed reports what follows the sign in an e-mail address.
func addressed(rest string) bool {
	end := run(rest, 0, dotted)
	return strings.Contains(rest[:end], ".")
}

// put appends. Blanks collapse to two, which still tells words apart when
// their letters are spaced out.
func (f *folded) put(r rune, at int) {
	n := len(f.text)
	if r == ' ' && n > 1 && f.text[n-1] == ' ' && f.text[n-2] == ' ' {
		return
	}
	f.text = append(f.text, r)
	f.at = append(f.at, at)
}

// wordEnd returns the end of the word that goes on at i, a word being short.
func (f folded) wordEnd(i int) int {
	const longest = 24
	for limit := i + longest; i < len(f.text) && i < limit && f.text[i] != ' ' && f.text[i] != stop && !unspaced(f.text[i]); {
		i++
	}
	return i
}

func startsItem(rest string) bool {
	for len(rest) > 0 && (rest[0] == ' ' || rest[0] == '\t') {
		rest = rest[1:]
	}
	return len(rest) > 1 && (rest[0] == '-' || rest[0] == '*' || rest[0] == '#' || rest[0] == '+' || rest[0] == '|' || rest[0] >= '0' && rest[0] <= '9')
}

// plainLetter maps letters that NFKD keeps whole.
func plainLetter(r rune) rune {
	switch r {
	case 'ı':
		return 'i'
	case 'đ':
		return 'd'
	case 'ł':
		return 'l'
	case 'ø':
		return 'o'
	}
	return r
}

// despace joins words that are written one letter at a time ("i g n o r e"),
// and collapses blanks and stops.
func (f *folded) despace() {
	text, at := f.text[:0], f.at[:0]
	keep := func(i int) {
		r, n := f.text[i], len(text)
		switch {
		case r != ' ' && r != stop:
		case n == 0 || text[n-1] == stop:
			return
		case text[n-1] == ' ':
			text[n-1] = r
			return
		}
		text, at = append(text, r), append(at, f.at[i])
	}
	for i := 0; i < len(f.text); {
		letters := f.spacedOut(i)
		for ; letters > 0; letters-- {
			keep(i)
			i += 2
		}
		if i < len(f.text) {
			keep(i)
			i++
		}
	}
	f.text, f.at = text, at
}

// spacedOut counts the letters of a spaced-out word at i that are followed by
// one blank and another letter of it; fewer than three are ordinary words.
func (f *folded) spacedOut(i int) int {
	if i > 0 && f.text[i-1] != ' ' && f.text[i-1] != stop {
		return 0
	}
	single := func(j int) bool {
		return j < len(f.text) && unicode.IsLetter(f.text[j]) && f.text[j] < 0x250 && (j+1 == len(f.text) || f.text[j+1] == ' ' || f.text[j+1] == stop)
	}
	n := 0
	for single(i+2*n) && single(i+2*n+2) && f.text[i+2*n+1] == ' ' {
		n++
	}
	if n < 3 {
		return 0
	}
	return n
}

// unleet turns digits and signs that touch a letter into the letter they look
// like ("1gn0r3"). No phrase of the lexicon holds such a digit.
func (f *folded) unleet() {
	letter := func(i int) bool { return i >= 0 && i < len(f.text) && unicode.IsLetter(f.text[i]) }
	for i, r := range f.text {
		var plain rune
		switch r {
		case '0':
			plain = 'o'
		case '1':
			plain = 'i'
		case '3':
			plain = 'e'
		case '4', '@':
			plain = 'a'
		case '5', '$':
			plain = 's'
		case '7':
			plain = 't'
		default:
			continue
		}
		if r == '@' && letter(i-1) && letter(i+1) {
			continue // an address
		}
		if letter(i-1) || letter(i+1) {
			f.text[i] = plain
		}
	}
}

// unspaced reports scripts that are written without blanks between words.
func unspaced(r rune) bool {
	return r >= 0x0e00 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) || r == 'ー')
}
