package anchor

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// wildcards are the characters that make a pattern more than a path. Braces are
// not among them, as they are gone from canonical forms.
const wildcards = "*?["

const hint = "; write ? for a # that is part of a file's name"

const climbs = `".." leaves the folder; write the path from the root of the repository`

// NormalizePath brings the path of a file to the form that patterns are matched
// against: relative to the root of its repository, NFC, without "." segments,
// doubled or trailing slashes. Its error is a *SyntaxError: a path that is
// empty, absolute, longer than MaxPath or climbs with ".." lies in no repository.
func NormalizePath(path string) (string, error) {
	if len(path) > MaxPath {
		return "", &SyntaxError{Text: path, Reason: fmt.Sprintf("the path is longer than %d bytes", MaxPath)}
	}
	if isNormal(path) {
		return path, nil
	}
	nfc := norm.NFC.String(path)
	if strings.HasPrefix(nfc, "/") {
		return "", &SyntaxError{Text: nfc, Reason: "the path is absolute; write it relative to the root of the repository"}
	}
	segments, climb := split(nfc)
	if climb >= 0 {
		return "", &SyntaxError{Text: nfc, Offset: climb, Reason: climbs}
	}
	if len(segments) == 0 {
		return "", &SyntaxError{Text: nfc, Reason: "the path names no file"}
	}
	return strings.Join(segments, "/"), nil
}

// isNormal spares the common path an allocation.
func isNormal(path string) bool {
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "" || segment == "." || segment == ".." {
			return false
		}
	}
	return norm.NFC.IsNormalString(path)
}

// split cuts a text at its slashes and leaves out what says nothing. It returns
// the offset of a ".." segment too, or -1.
func split(text string) (segments []string, climb int) {
	offset := 0
	for segment := range strings.SplitSeq(text, "/") {
		switch segment {
		case "", ".":
		case "..":
			return nil, offset
		default:
			segments = append(segments, segment)
		}
		offset += len(segment) + len("/")
	}
	return segments, -1
}

// parser knows the whole text, so that what it refuses is shown in place.
type parser struct {
	text  string // NFC
	start int    // where in text the pattern begins: behind the ! of an exclusion
}

func (p parser) refuse(at int, reason string) error {
	return &SyntaxError{Text: p.text, Offset: p.start + at, Reason: reason}
}

// pattern reads a glob or a file.
func (p parser) pattern(body string) (Kind, []string, error) {
	if err := p.check(body); err != nil {
		return "", nil, err
	}
	alternatives := expand(body)
	if alternatives == nil {
		return "", nil, p.refuse(strings.IndexByte(body, '{'), fmt.Sprintf("the braces stand for more than %d patterns; write fewer or use a wildcard", MaxAlternatives))
	}
	rooted := strings.Contains(body, "/")
	var canonical []string
	for _, alternative := range alternatives {
		patterns, reason := canonicalize(alternative, rooted)
		if reason != "" {
			return "", nil, p.refuse(max(0, strings.IndexByte(body, '{')), reason)
		}
		canonical = append(canonical, patterns...)
	}
	slices.Sort(canonical)
	kind := Glob
	if !strings.ContainsAny(body, wildcards+"{") && !isFolder(body) {
		kind = File
	}
	return kind, slices.Compact(canonical), nil
}

// check refuses everything in a pattern that has a place of its own.
func (p parser) check(body string) error {
	var open []int
	for i := 0; i < len(body); {
		switch body[i] {
		case '\\':
			return p.refuse(i, "a backslash neither escapes nor separates; write / between folders and [*] for a literal *")
		case '[':
			end, err := p.class(body, i)
			if err != nil {
				return err
			}
			i = end
			continue
		case '{':
			open = append(open, i)
		case '}':
			if len(open) == 0 {
				return p.refuse(i, `this "}" closes no brace; write [}] for a literal one`)
			}
			open = open[:len(open)-1]
		}
		i++
	}
	if len(open) > 0 {
		return p.refuse(open[len(open)-1], `this "{" is never closed with "}"`)
	}
	if _, climb := split(body); climb >= 0 {
		return p.refuse(climb, climbs)
	}
	return nil
}

// class checks the character class that begins at a "[" and returns where it ends.
func (p parser) class(body string, start int) (int, error) {
	length := strings.IndexByte(body[start:], ']')
	if length < 0 {
		return 0, p.refuse(start, `this "[" is never closed with "]"`)
	}
	members := body[start+1 : start+length]
	if strings.HasPrefix(members, "!") || strings.HasPrefix(members, "^") {
		members = members[1:]
	}
	switch {
	case members == "":
		return 0, p.refuse(start, `the class is empty; "]" cannot be a member`)
	case strings.Contains(members, "/"):
		return 0, p.refuse(start, `a class cannot hold "/"; it stands for one character of a name`)
	case strings.Contains(members, `\`):
		return 0, p.refuse(start, "a class cannot hold a backslash")
	case strings.HasPrefix(members, "[:"):
		return 0, p.refuse(start, "named classes are not known; write the range, such as [a-z]")
	}
	for rest := []rune(members); len(rest) >= 3; {
		if rest[1] != '-' {
			rest = rest[1:]
			continue
		}
		if rest[0] > rest[2] {
			return 0, p.refuse(start, fmt.Sprintf("the range %s runs backwards", string(rest[:3])))
		}
		rest = rest[3:]
	}
	return start + length + len("]"), nil
}

// expand writes a pattern out for each alternative of its braces, whose nesting
// check has found sound. It returns nil for more than MaxAlternatives.
func expand(body string) []string {
	parts := cutBraces(body)
	if parts == nil {
		return []string{body}
	}
	var middles []string
	for _, alternative := range parts.alternatives {
		expanded := expand(alternative)
		if expanded == nil {
			return nil
		}
		middles = append(middles, expanded...)
	}
	tails := expand(parts.tail)
	if tails == nil || len(middles)*len(tails) > MaxAlternatives {
		return nil
	}
	all := make([]string, 0, len(middles)*len(tails))
	for _, middle := range middles {
		for _, tail := range tails {
			all = append(all, parts.head+middle+tail)
		}
	}
	return all
}

type braces struct {
	head, tail   string
	alternatives []string
}

// cutBraces finds the first outermost braces, or nil. Inside a class a brace and
// a comma are themselves.
func cutBraces(body string) *braces {
	depth, open, last := 0, 0, 0
	var found braces
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case c == '[':
			i += strings.IndexByte(body[i:], ']')
		case c == '{':
			if depth++; depth == 1 {
				open, last = i, i+1
			}
		case c == ',' && depth == 1:
			found.alternatives = append(found.alternatives, body[last:i])
			last = i + 1
		case c == '}':
			if depth--; depth == 0 {
				found.alternatives = append(found.alternatives, body[last:i])
				found.head, found.tail = body[:open], body[i+1:]
				return &found
			}
		}
	}
	return nil
}

// canonicalize brings one alternative to canonical form, or gives the reason to
// refuse it. Whether it is rooted is for the whole text to say.
func canonicalize(text string, rooted bool) (patterns []string, reason string) {
	text = norm.NFC.String(text) // braces can put a letter and its accent together
	if text == "" {
		return nil, "one of the alternatives is empty"
	}
	if isSymbol(text) {
		return nil, "one of the alternatives is a symbol" + hint
	}
	segments, climb := split(text)
	if climb >= 0 {
		return nil, climbs
	}
	if !rooted {
		segments = append([]string{"**"}, segments...)
	}
	path, below := join(segments), join(append(segments, "**"))
	switch {
	case isFolder(text):
		return []string{below}, ""
	case strings.ContainsAny(text, wildcards):
		return []string{path}, ""
	default:
		return []string{path, below}, ""
	}
}

// join is the opposite of split. Doublestar reads repeated ** like one, except
// at the end, where only one matches the folder itself.
func join(segments []string) string {
	single := slices.CompactFunc(slices.Clone(segments), func(a, b string) bool { return a == "**" && b == "**" })
	return strings.Join(single, "/")
}

func isFolder(text string) bool {
	return text == "." || strings.HasSuffix(text, "/") || strings.HasSuffix(text, "/.")
}

// isSymbol tells path#Name from a path in which # is part of a folder's name.
func isSymbol(body string) bool {
	at := strings.LastIndexByte(body, '#')
	return at >= 0 && !strings.Contains(body[at:], "/")
}

// symbol reads path#Name. The path is plain and always from the root, since a
// symbol lives in one file.
func (p parser) symbol(body string) ([]string, string, error) {
	at := strings.LastIndexByte(body, '#')
	path, name := body[:at], body[at+1:]
	if i := strings.IndexAny(path, wildcards+`{}\`); i >= 0 {
		return nil, "", p.refuse(i, "the file of a symbol is a plain path without wildcards, braces or backslashes"+hint)
	}
	segments, climb := split(path)
	if climb >= 0 {
		return nil, "", p.refuse(climb, climbs)
	}
	if len(segments) == 0 || isFolder(path) {
		return nil, "", p.refuse(at, "a symbol needs the path of its file before #"+hint)
	}
	for part := range strings.SplitSeq(name, ".") {
		if !isIdentifier(part) {
			return nil, "", p.refuse(at+1, "a symbol is Name or Type.method"+hint)
		}
	}
	return []string{join(segments)}, name, nil
}

// isIdentifier accepts what most languages do: letters with their marks, digits
// but not in front, _ and $.
func isIdentifier(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	if s == "" || unicode.IsDigit(first) {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && r != '_' && r != '$'
	})
}
