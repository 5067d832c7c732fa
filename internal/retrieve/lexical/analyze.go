package lexical

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
	"github.com/kljensen/snowball/spanish"
)

// Language says whose stemmer and stop words a text is read with.
type Language uint8

// The languages the index knows. A text in any other one is read as English,
// whose stemmer leaves words of other alphabets alone.
const (
	English Language = iota
	Spanish
)

// String returns the ISO 639-1 code.
func (l Language) String() string {
	if l == Spanish {
		return "es"
	}
	return "en"
}

// Detect tells the language of a text by its share of stop words that only
// one of the languages has. It is English when neither leads.
func Detect(text string) Language {
	var v vote
	scan(text, func(w word) { v.add(w) })
	return v.winner()
}

// vote counts the stop words that belong to one language alone.
type vote struct{ english, spanish int }

func (v *vote) add(w word) {
	if w.whole {
		return
	}
	key := fold(w.text)
	en, es := englishStops[key], spanishStops[key]
	switch {
	case en && !es:
		v.english++
	case es && !en && !englishLooking[key]:
		v.spanish++
	}
}

func (v vote) clear() bool { return v.english != v.spanish }

func (v vote) winner() Language {
	if v.spanish > v.english {
		return Spanish
	}
	return English
}

// isStop reports whether a folded word or stem is never indexed.
func isStop(term string, l Language) bool {
	if l == Spanish {
		return spanishStops[term]
	}
	return englishStops[term]
}

// stem turns a scanned word into the term of the index: stemmed, then without
// accents. Stop words come back as they are, which is how [isStop] knows them.
func stem(w word, l Language) string {
	key := fold(w.text)
	if w.whole || isStop(key, l) || !isAlphabetic(key) {
		return key
	}
	if l == Spanish {
		return fold(spanish.Stem(restoreAccent(w.text), true))
	}
	if len(key) != utf8.RuneCountInString(key) {
		return key
	}
	return english.Stem(key, true)
}

// restoreAccent writes back the accent that people leave out in the most common
// ending, which the Spanish stemmer knows only with it: migracion, sesion.
func restoreAccent(s string) string {
	if strings.HasSuffix(s, "cion") || strings.HasSuffix(s, "sion") {
		return s[:len(s)-2] + "ón"
	}
	return s
}

func isAlphabetic(s string) bool {
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			return false
		}
	}
	return s != ""
}

// Field is a part of a document with a weight of its own.
type Field uint8

// The fields of a document. The order is the order of the token stream.
const (
	Title Field = iota
	What
	Lists
	How
	Content
	Anchors
	Code
	Tags

	fieldCount = int(Tags) + 1
)

// String returns the field's name as explanations print it.
func (f Field) String() string {
	return [fieldCount]string{"title", "what", "lists", "how", "content", "anchors", "code", "tags"}[f]
}

// Doc is what the index reads of a topic. The text itself is not kept.
type Doc struct {
	Title, What string
	Lists       []string // decisions, gotchas, invariants, required checks
	How         string
	Content     string
	Anchors     []string // patterns and paths; their segments are the words
	Code        []string // identifiers named by symbol anchors or code blocks
	Tags        []string
}

func (d *Doc) texts(f Field) []string {
	switch f {
	case Title:
		return []string{d.Title}
	case What:
		return []string{d.What}
	case Lists:
		return d.Lists
	case How:
		return []string{d.How}
	case Content:
		return []string{d.Content}
	case Anchors:
		return d.Anchors
	case Code:
		return d.Code
	default:
		return d.Tags
	}
}

// fieldTerms is a field after analysis. Positions hold stop words too, because
// phrases need them; an empty term parts two entries of a list.
type fieldTerms struct {
	positions []string
	wholes    []string
}

// analysis is a document ready for the index.
type analysis struct {
	language Language
	fields   [fieldCount]fieldTerms
}

// stems remembers what words were stemmed to, because stemming is most of the
// cost of analysis.
type stems [Spanish + 1]map[string]string

func newStems() *stems { return &stems{make(map[string]string), make(map[string]string)} }

// maxStems bounds what a long load remembers of a language.
const maxStems = 1 << 16

func (known *stems) stem(w word, l Language) string {
	term, ok := known[l][w.text]
	if !ok {
		if len(known[l]) == maxStems {
			clear(known[l])
		}
		term = stem(w, l)
		known[l][strings.Clone(w.text)] = term // a clone does not keep the document alive
	}
	return term
}

func analyse(d *Doc, known *stems) analysis {
	var (
		words [fieldCount][]word
		v     vote
	)
	for f := range words {
		for i, text := range d.texts(Field(f)) {
			if i > 0 {
				words[f] = append(words[f], word{})
			}
			scan(text, func(w word) {
				v.add(w)
				words[f] = append(words[f], w)
			})
		}
	}
	a := analysis{language: v.winner()}
	for f, list := range words {
		t := &a.fields[f]
		for _, w := range list {
			switch {
			case w.text == "":
				t.positions = append(t.positions, "")
			case w.whole:
				t.wholes = append(t.wholes, stem(w, a.language))
			default:
				t.positions = append(t.positions, known.stem(w, a.language))
			}
		}
	}
	return a
}
