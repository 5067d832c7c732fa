package anchor

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/text/unicode/norm"
)

const (
	// MaxText is the longest anchor, in characters as written.
	MaxText = 500
	// MaxAlternatives is how many patterns the braces of one anchor may expand to.
	MaxAlternatives = 64
	// MaxAnchors is how many anchors one set may hold.
	MaxAnchors = 200
	// MaxPath is the longest path that is matched, in bytes (PATH_MAX of Linux).
	// It bounds the work that a path from outside can cause.
	MaxPath = 4096
)

// Kind says what an anchor claims.
type Kind string

// The kinds of anchors.
const (
	Glob   Kind = "glob"   // files by wildcards, braces or folder
	File   Kind = "file"   // a plain path or name
	Symbol Kind = "symbol" // a symbol in one file
)

// Anchor is one claim on code.
type Anchor struct {
	Text      string   // as the person wrote it
	Kind      Kind     // what it claims
	Exclude   bool     // whether it takes files away from the other anchors of its set
	Canonical []string // sorted doublestar patterns relative to the root; only these are matched
	Symbol    string   // Name or Type.method, for kind Symbol
	Repo      string   // the repository it is about, or empty for every one; set by the caller
}

// SyntaxError says why an anchor or a path is refused, and where.
type SyntaxError struct {
	Text   string // what was read, in NFC
	Offset int    // byte offset into Text
	Reason string // what is wrong there, and where it helps, what to write instead
}

// Error is one sentence; places are counted in characters from 1.
func (e *SyntaxError) Error() string {
	const shown = 80
	text := e.Text
	if utf8.RuneCountInString(text) > shown {
		text = string([]rune(text)[:shown]) + "…"
	}
	return fmt.Sprintf("%q is refused at character %d: %s", text, utf8.RuneCountInString(e.Text[:e.Offset])+1, e.Reason)
}

// LimitError says that a set has more anchors than MaxAnchors.
type LimitError struct {
	Count int // how many were given
	Limit int // how many are allowed
}

// Error is one sentence.
func (e *LimitError) Error() string {
	return fmt.Sprintf("%d anchors are given and at most %d are allowed", e.Count, e.Limit)
}

// Parse reads an anchor of 1 to MaxText characters. Its error is a
// *SyntaxError. The result keeps the text as written beside its canonical form.
func Parse(text string) (Anchor, error) {
	nfc := norm.NFC.String(text)
	refuse := func(offset int, reason string) (Anchor, error) {
		return Anchor{}, &SyntaxError{Text: nfc, Offset: offset, Reason: reason}
	}
	switch {
	case !utf8.ValidString(text):
		return refuse(0, "it is not valid UTF-8")
	case strings.TrimSpace(text) == "":
		return refuse(0, "it is empty; write a glob, a path or path#Symbol")
	case utf8.RuneCountInString(text) > MaxText:
		return refuse(0, fmt.Sprintf("it is longer than %d characters", MaxText))
	}
	if at := strings.IndexFunc(nfc, unicode.IsControl); at >= 0 {
		return refuse(at, "a control character cannot be part of an anchor")
	}

	body, exclude := strings.CutPrefix(nfc, "!")
	p := parser{text: nfc, start: len(nfc) - len(body)}
	if exclude && (body == "" || body[0] == '!') {
		return refuse(1, "an exclusion needs one ! and a pattern behind it; write ./! for a name that begins with !")
	}
	a := Anchor{Text: text, Exclude: exclude}
	var err error
	if isSymbol(body) {
		a.Kind = Symbol
		a.Canonical, a.Symbol, err = p.symbol(body)
	} else {
		a.Kind, a.Canonical, err = p.pattern(body)
	}
	if err != nil {
		return Anchor{}, err
	}
	if exclude && a.Kind == Symbol {
		return refuse(0, "a symbol cannot be excluded; exclude its file")
	}
	return a, nil
}

// Match reports whether the anchor's patterns match a path, which is normalised
// first. It does not look at Exclude: an exclusion matches what it takes away.
func (a Anchor) Match(path string) bool {
	clean, err := NormalizePath(path)
	return err == nil && a.matches(clean)
}

func (a Anchor) matches(clean string) bool {
	for _, pattern := range a.Canonical {
		if doublestar.MatchUnvalidated(pattern, clean) {
			return true
		}
	}
	return false
}

// identity tells anchors apart: those that claim the same in the same
// repository have one identity, however they are written.
func (a Anchor) identity() string {
	const unused = "\x00" // in no canonical form, as control characters are refused
	return fmt.Sprint(a.Exclude, unused, a.Repo, unused, a.Symbol, unused, strings.Join(a.Canonical, unused))
}

// Set is the anchors of one topic, in their order. Make it with ParseAll or NewSet.
type Set []Anchor

// ParseAll reads a topic's anchors. It fails with a *SyntaxError at the first
// that is refused, and with a *LimitError for more than MaxAnchors texts.
func ParseAll(texts []string) (Set, error) {
	if len(texts) > MaxAnchors {
		return nil, &LimitError{Count: len(texts), Limit: MaxAnchors}
	}
	anchors := make([]Anchor, 0, len(texts))
	for _, text := range texts {
		a, err := Parse(text)
		if err != nil {
			return nil, err
		}
		anchors = append(anchors, a)
	}
	return NewSet(anchors)
}

// NewSet makes a set of anchors that were read before, for example to give them
// a repository. Of anchors with the same canonical form the first stays. It
// fails with a *LimitError for more than MaxAnchors, duplicates included.
func NewSet(anchors []Anchor) (Set, error) {
	if len(anchors) > MaxAnchors {
		return nil, &LimitError{Count: len(anchors), Limit: MaxAnchors}
	}
	seen := make(map[string]bool, len(anchors))
	set := make(Set, 0, len(anchors))
	for _, a := range anchors {
		if id := a.identity(); !seen[id] {
			seen[id] = true
			set = append(set, a)
		}
	}
	return set, nil
}

// In is the part of the set that applies to a repository: the anchors that name
// it and those that name none.
func (s Set) In(repo string) Set {
	var part Set
	for _, a := range s {
		if a.Repo == "" || a.Repo == repo {
			part = append(part, a)
		}
	}
	return part
}

// Match returns the first anchor that matches a path, which is normalised
// first. A path that any exclusion matches is not matched at all, nor is one
// that NormalizePath refuses.
func (s Set) Match(path string) (Anchor, bool) {
	clean, err := NormalizePath(path)
	if err != nil || s.excludes(clean) {
		return Anchor{}, false
	}
	for _, a := range s {
		if !a.Exclude && a.matches(clean) {
			return a, true
		}
	}
	return Anchor{}, false
}

func (s Set) excludes(clean string) bool {
	for _, a := range s {
		if a.Exclude && a.matches(clean) {
			return true
		}
	}
	return false
}
