// Package fingerprint owns what stays the same when code only looks different: for a file or a symbol in it, a hash of all that
// is neither comment nor layout, and a short hash for each of its statements, by which one can say how much of it changed.
//
// Go is read by its own scanner and parser, any other language by the lexers of chroma, and what has no lexer line by line without
// its white space. It is pure and refuses to keep text: from a fingerprint none can be read back.
package fingerprint

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/fnv"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// ContentMax is the longest content that is read, in bytes. What is longer is compared as a whole.
	ContentMax = 1 << 20
	// unitsMax bounds the statements that are kept of one file or symbol.
	unitsMax = 20_000
)

// Print is the fingerprint of a file, or of a symbol in it.
type Print struct {
	// Symbol is Name or Type.method; empty for the file.
	Symbol string
	// Absent says that the file has no such symbol. Nothing else is set then.
	Absent bool
	// Hash is over everything that is neither comment nor layout, 32 hexadecimal digits.
	Hash string
	// Signature is over what callers see of a symbol; empty where there is no such thing, or no parser to tell.
	Signature string
	// Units are short hashes of the statements or lines, in order.
	Units []uint16
	// Whole says that a symbol was asked for and nothing here tells where it is, so that the file stands for it.
	Whole bool
	// Method is how the code was read. Fingerprints of two methods say nothing about one another.
	Method string
}

// The methods, by how much they know of a language.
const (
	MethodGo    = "go"    // its parser
	MethodTags  = "ctags" // universal-ctags says where symbols are, a lexer what is code
	MethodLexer = "lexer" // what is code; symbols are not told
	MethodLines = "lines" // lines without their white space
)

// Of takes the fingerprints of a file: of the whole for an empty symbol, else of that symbol. The path tells the language.
func Of(file string, content []byte, symbols []string) []Print {
	out := make([]Print, 0, len(symbols))
	if Symbols(file) {
		code := readGo(content)
		for _, s := range symbols {
			p := code.print(s)
			p.Method = MethodGo
			out = append(out, p)
		}
		return out
	}
	units, method := unitsOf(file, content)
	whole := printOf(units, method)
	for _, s := range symbols {
		p := whole
		p.Symbol, p.Whole = s, s != ""
		out = append(out, p)
	}
	return out
}

// Span is where a symbol stands in a file.
type Span struct {
	// From and To are its first and last line, counted from 1. A To of 0 is where the brackets close that it opens, or its statement ends.
	From, To int
	// Before is the line that it ends above in any case, 0 for none: the next thing that is no part of it begins there.
	Before int
	// Signature is what callers see of it; empty where nobody tells.
	Signature string
}

// OfSpans takes the fingerprints of a file in which somebody found the symbols: of the whole for an empty symbol, of its spans for one that
// has some. One that has none is absent where its name does not occur in the code; else the file stands for it, as nobody knows every way to
// declare something.
func OfSpans(file string, content []byte, symbols []string, find func(symbol string) []Span) []Print {
	units, method := unitsOf(file, content)
	whole := printOf(units, method)
	out := make([]Print, 0, len(symbols))
	for _, s := range symbols {
		p := whole
		p.Symbol, p.Whole = s, s != ""
		spans := []Span(nil)
		if s != "" && method == MethodLexer {
			spans = find(s)
		}
		switch {
		case s == "" || method != MethodLexer:
		case len(spans) > 0:
			p = ofSpans(units, spans)
			p.Symbol = s
		case !occurs(units, s[strings.LastIndexAny(s, ".#/:")+1:]):
			p = Print{Symbol: s, Absent: true, Method: MethodTags}
		}
		out = append(out, p)
	}
	return out
}

func ofSpans(units []unit, spans []Span) Print {
	var inside []unit
	var signatures []string
	for _, s := range spans {
		to := s.last(units)
		for _, u := range units {
			if u.line >= s.From && u.line <= to {
				inside = append(inside, u)
			}
		}
		if s.Signature != "" {
			signatures = append(signatures, strings.Join(strings.Fields(s.Signature), ""))
		}
	}
	p := printOf(inside, MethodTags)
	if len(signatures) > 0 {
		p.Signature = ofUnits(signatures).Hash
	}
	return p
}

// last is the line that a span ends on.
func (s Span) last(units []unit) int {
	if s.To >= s.From {
		return s.To
	}
	depth, opened, last := 0, false, s.From
	for _, u := range units {
		if u.line < s.From {
			continue
		}
		if s.Before > s.From && u.line >= s.Before {
			break
		}
		last = u.line
		for _, r := range u.marks {
			switch r {
			case '(', '[', '{':
				depth++
				opened = opened || r == '{'
			case ')', ']', '}':
				depth--
			}
			if depth < 0 || depth == 0 && (r == ';' || r == '}' && opened) {
				return last
			}
		}
	}
	return last
}

// occurs reports whether a name stands anywhere in the code.
func occurs(units []unit, name string) bool {
	for _, u := range units {
		for rest := u.text; ; {
			at := strings.Index(rest, name)
			if at < 0 {
				break
			}
			if !wordy(lastRune(rest[:at])) && !wordy(firstRune(rest[at+len(name):])) {
				return true
			}
			rest = rest[at+len(name):]
		}
	}
	return name == ""
}

func wordy(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

func firstRune(s string) rune { r, _ := utf8.DecodeRuneInString(s); return r }

func lastRune(s string) rune { r, _ := utf8.DecodeLastRuneInString(s); return r }

// Symbols reports whether the symbols of a file are told by a parser of its language, which is always there.
func Symbols(file string) bool { return path.Ext(file) == ".go" }

// unitsOf reads the lines of a file in a language other than Go, and says how.
func unitsOf(file string, content []byte) ([]unit, string) {
	if bytes.IndexByte(content[:min(len(content), 8000)], 0) >= 0 || len(content) > ContentMax {
		sum := sha256.Sum256(content)
		return []unit{{text: string(sum[:])}}, MethodLines
	}
	if units, ok := lexed(file, string(content)); ok {
		return units, MethodLexer
	}
	var units []unit
	number := 0
	for line := range strings.Lines(string(content)) {
		number++
		if line = strings.Join(strings.Fields(line), ""); line != "" {
			units = append(units, unit{text: line, line: number})
		}
	}
	return units, MethodLines
}

func printOf(units []unit, method string) Print {
	texts := make([]string, 0, len(units))
	for _, u := range units {
		texts = append(texts, u.text)
	}
	p := ofUnits(texts)
	p.Method = method
	return p
}

// ofUnits hashes statements, each of which is the text of its tokens. Where one ends is layout, so the whole hash does not see it.
func ofUnits(units []string) Print {
	whole := sha256.New()
	p := Print{Units: make([]uint16, 0, min(len(units), unitsMax))}
	for _, u := range units {
		whole.Write([]byte(u))
		if len(p.Units) < unitsMax {
			h := fnv.New32a()
			_, _ = h.Write([]byte(u))
			sum := h.Sum32()
			p.Units = append(p.Units, uint16(sum>>16)^uint16(sum))
		}
	}
	p.Hash = hex.EncodeToString(whole.Sum(nil)[:16])
	return p
}

// Share is how much of a file or symbol changed between two fingerprints: 0 where nothing but comments and layout did, 1 where
// nothing stayed. The order of statements does not count.
func Share(before, after Print) float64 {
	if before.Hash == after.Hash {
		return 0
	}
	left := map[uint16]int{}
	for _, u := range before.Units {
		left[u]++
	}
	added := 0
	for _, u := range after.Units {
		if left[u] > 0 {
			left[u]--
		} else {
			added++
		}
	}
	removed := len(before.Units) - (len(after.Units) - added)
	return float64(max(added, removed)) / float64(max(len(before.Units), len(after.Units), 1))
}

// PackUnits writes the hashes as bytes, two for each.
func PackUnits(units []uint16) []byte {
	out := make([]byte, 0, 2*len(units))
	for _, u := range units {
		out = binary.BigEndian.AppendUint16(out, u)
	}
	return out
}

// UnpackUnits reads what [PackUnits] wrote.
func UnpackUnits(raw []byte) []uint16 {
	out := make([]uint16, 0, len(raw)/2)
	for len(raw) >= 2 {
		out, raw = append(out, binary.BigEndian.Uint16(raw)), raw[2:]
	}
	return out
}
