package lexical

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"
)

// maxTokenRunes is where a token is cut off. Longer ones are encoded blobs
// that nobody types, and cutting them bounds the vocabulary.
const maxTokenRunes = 64

// word is a piece of text before stemming: lower case, NFKC, accents kept,
// because the Spanish stemmer reads them.
type word struct {
	text string
	// whole marks an identifier that is kept beside its parts. The parts
	// follow it; it takes no position of its own.
	whole bool
}

// scan splits a text into words and hands them over in order. A run of letters
// and digits, joined by single connectors (_ - . /), is one identifier: it is
// emitted whole and then in parts, cut at connectors, case and digits. Scripts
// written without spaces are cut by Unicode word segmentation (UAX #29).
func scan(text string, emit func(word)) {
	text = normalise(text)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !isWordRune(r) {
			i += size
			continue
		}
		end := chunkEnd(text, i)
		emitChunk(text[i:end], emit)
		i = end
	}
}

// chunkEnd finds the end of the identifier that starts at i.
func chunkEnd(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case isWordRune(r):
			i += size
		case isConnector(r) || isApostrophe(r):
			next, _ := utf8.DecodeRuneInString(text[i+size:])
			if !isWordRune(next) {
				return i
			}
			i += size
		default:
			return i
		}
	}
	return i
}

func emitChunk(chunk string, emit func(word)) {
	if isLower(chunk) { // most words of prose, and nothing to do
		emit(word{text: cutRunes(chunk)})
		return
	}
	if strings.IndexFunc(chunk, isSpoken) < 0 {
		return
	}
	parts := splitChunk(chunk)
	if len(parts) > 1 && strings.IndexFunc(chunk, isUnspaced) < 0 {
		emit(word{text: cutRunes(strings.ToLower(chunk)), whole: true})
	}
	for _, p := range parts {
		emit(word{text: cutRunes(strings.ToLower(p))})
	}
}

// splitChunk cuts an identifier into its parts, in order.
func splitChunk(chunk string) []string {
	var parts []string
	start := 0
	closePart := func(end int) {
		if end > start {
			parts = appendSegments(parts, trimApostrophe(chunk[start:end]))
		}
		start = end
	}
	var before, last rune // the two runes before the current one, 0 where a part begins
	for i, r := range chunk {
		switch {
		case isConnector(r):
			closePart(i)
			start = i + utf8.RuneLen(r)
			last = 0
			continue
		case last == 0 || unicode.IsMark(r) || isApostrophe(r):
		case unicode.IsDigit(r) != unicode.IsDigit(last) && !isApostrophe(last):
			closePart(i)
			last = 0
		case unicode.IsUpper(r) && unicode.IsLower(last):
			closePart(i)
			last = 0
		case unicode.IsLower(r) && unicode.IsUpper(last) && unicode.IsUpper(before) && !isPluralEnd(chunk[i:]):
			// HTTPServer: the last capital belongs to the word that follows.
			closePart(i - utf8.RuneLen(last))
		}
		before, last = last, r
	}
	closePart(len(chunk))
	return parts
}

// isPluralEnd reports whether the rest of an identifier is only a plural s, as
// in URLs and IDs_of.
func isPluralEnd(rest string) bool {
	if rest[0] != 's' {
		return false
	}
	next, _ := utf8.DecodeRuneInString(rest[1:])
	return !unicode.IsLower(next)
}

// appendSegments appends a part, cut further where its script has no spaces.
func appendSegments(parts []string, part string) []string {
	if strings.IndexFunc(part, isSpoken) < 0 {
		return parts
	}
	if strings.IndexFunc(part, isUnspaced) < 0 {
		return append(parts, part)
	}
	state := -1
	for part != "" {
		var segment string
		segment, part, state = uniseg.FirstWordInString(part, state)
		if strings.IndexFunc(segment, isSpoken) >= 0 {
			parts = append(parts, segment)
		}
	}
	return parts
}

// trimApostrophe drops the possessive ending and joins contractions, so that
// "team's" is team and "don't" is dont.
func trimApostrophe(s string) string {
	i := strings.LastIndexAny(s, "'’")
	if i < 0 {
		return s
	}
	_, size := utf8.DecodeRuneInString(s[i:])
	if rest := s[i+size:]; rest == "s" || rest == "S" {
		s = s[:i]
	}
	return strings.NewReplacer("'", "", "’", "").Replace(s)
}

func isConnector(r rune) bool  { return r == '_' || r == '-' || r == '.' || r == '/' }
func isApostrophe(r rune) bool { return r == '\'' || r == '’' }

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

func isLower(s string) bool {
	for i := range len(s) {
		if s[i] < 'a' || s[i] > 'z' {
			return false
		}
	}
	return true
}

// isSpoken reports a rune that makes a word; a mark alone does not.
func isSpoken(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// isUnspaced reports scripts whose words are not parted by spaces.
func isUnspaced(r rune) bool {
	return r >= utf8.RuneSelf &&
		unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// normalise applies NFKC and removes what a reader cannot see. White space and
// bytes that are not UTF-8 stay: they part words.
func normalise(text string) string {
	if !isPlain(text) {
		text = norm.NFKC.String(strings.Map(dropHidden, strings.ToValidUTF8(text, " ")))
	}
	return text
}

func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= utf8.RuneSelf || c < ' ' && c != '\n' && c != '\t' && c != '\r' || c == 0x7f {
			return false
		}
	}
	return true
}

// dropHidden removes control and format characters, variation selectors and
// the letters that render as nothing.
func dropHidden(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Variation_Selector),
		r == '\u034f', r == '\u115f', r == '\u1160', r == '\u3164', r == '\uffa0':
		return -1
	}
	return r
}

// fold removes accents from Latin, Greek and Cyrillic letters. Marks of other
// scripts carry vowels and stay.
func fold(s string) string {
	if isPlain(s) {
		return s
	}
	s = strings.Map(func(r rune) rune {
		if '\u0300' <= r && r <= '\u036f' {
			return -1
		}
		return r
	}, norm.NFD.String(s))
	return norm.NFC.String(strings.NewReplacer("ø", "o", "ł", "l", "đ", "d", "ß", "ss", "æ", "ae", "œ", "oe").Replace(s))
}

func cutRunes(s string) string {
	if len(s) <= maxTokenRunes {
		return s
	}
	n := 0
	for i := range s {
		if n == maxTokenRunes {
			return s[:i]
		}
		n++
	}
	return s
}
