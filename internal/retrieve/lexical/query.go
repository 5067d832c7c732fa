package lexical

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxQueryWords bounds the words of one question that are ranked. Of a longer
// one the rarest words count.
const maxQueryWords = 64

// Query is a question after parsing. The zero value asks nothing.
type Query struct {
	groups []group    // each adds to the score of the documents that match it
	not    []sequence // none may occur
}

// group is a list of alternatives joined by OR; mostly it has one member.
type group struct {
	members []sequence
	// mandatory is set when a phrase is among the members: documents that
	// match no member are then left out.
	mandatory bool
	// bonus marks an identifier as a whole beside its parts. It lifts a
	// document that has it; one that lacks it misses nothing.
	bonus bool
}

// sequence is a word, or several that must stand side by side.
type sequence []queryWord

type queryWord struct {
	surface string // lower case, as the asker wrote it
	// terms are what the word may be in the index: its stem in each language,
	// for a document need not be in the language of the question. There are
	// none for a stop word.
	terms []string
	// exact are the terms in every language, stop words included; phrases and
	// negations are compared with them.
	exact []string
	// everywhere is set when the word is a stop word in no language, so that
	// every document with the word has a posting for it.
	everywhere bool
	// translations are its terms in the other language, see [glossary].
	translations []string
	weight       float64
	// absence is the share of its weight that the word keeps against a
	// document when nobody wrote it.
	absence  float64
	evidence evidence
}

// evidence is what it says about a document to hold a word of the question.
type evidence uint8

const (
	none   evidence = iota // nearly every document could hold it
	weak                   // only in the title it says something
	naming                 // it names what is asked for
)

// Empty reports that the question has no word to search for: it is blank, or
// holds only separators, stop words or negations. Its result is always empty.
func (q Query) Empty() bool { return len(q.groups) == 0 }

// FreeText reads prose, such as the description of a task: all of it is words,
// and quotes, dashes and OR mean nothing.
func FreeText(text string) Query {
	p := newParser(text)
	p.free(text)
	return p.query
}

// Parse reads the query language of the search box. Words are ranked by how
// much of the question a document holds; "a phrase" must occur; a OR b matches
// either; -word and -"a phrase" must not occur. Anything else, such as an
// unclosed quote or a lone operator, is a separator. There is no wrong query.
func Parse(text string) Query {
	text = normaliseOperators(text)
	p := newParser(text)
	or := false
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case unicode.IsSpace(r):
			text = text[size:]
			continue
		case r == '-' && startsOperand(text[size:]):
			var operand string
			operand, _, text = nextOperand(text[size:])
			p.exclude(operand)
			or = false
			continue
		}
		operand, quoted, rest := nextOperand(text)
		text = rest
		if operand == "OR" && !quoted {
			or = true
			continue
		}
		followed := strings.HasPrefix(strings.TrimLeftFunc(rest, unicode.IsSpace), "OR ")
		if or || quoted || followed {
			p.operand(operand, quoted, or)
		} else {
			p.free(operand)
		}
		or = false
	}
	return p.query
}

// normaliseOperators lets typographic quotes and the minus sign mean the same
// as the ones on a keyboard.
func normaliseOperators(text string) string {
	return strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, "−", "-").Replace(text)
}

func startsOperand(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return r == '"' || isWordRune(r)
}

// nextOperand takes a quoted phrase or a run up to the next space or quote. A
// quote that is never closed is a separator.
func nextOperand(text string) (operand string, quoted bool, rest string) {
	if text[0] == '"' {
		if end := strings.IndexByte(text[1:], '"'); end >= 0 {
			return text[1 : 1+end], true, text[end+2:]
		}
		return "", false, text[1:]
	}
	end := strings.IndexFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == '"' })
	if end < 0 {
		end = len(text)
	}
	return text[:end], false, text[end:]
}

// parser collects the groups of a question.
type parser struct {
	query Query
	// languages are those the question may be in: both where it does not show.
	languages []Language
	// open tells that the last group may still be joined by OR.
	open bool
}

func newParser(text string) *parser {
	var v vote
	scan(text, func(w word) { v.add(w) })
	p := &parser{languages: []Language{English, Spanish}}
	if v.clear() {
		p.languages = []Language{v.winner()}
	}
	return p
}

// free adds each word of a text as a group of its own.
func (p *parser) free(text string) {
	p.open = false
	scan(text, func(w word) {
		if qw := p.word(w); len(qw.terms) > 0 {
			p.addGroup(group{members: []sequence{{qw}}, bonus: w.whole})
		}
	})
}

// operand adds a phrase or one side of an OR, joining it to the group before
// where one is open.
func (p *parser) operand(text string, quoted, or bool) {
	s := p.sequence(text)
	if !s.searchable(quoted) {
		return
	}
	needed := quoted || len(s) > 1
	if or && p.open {
		last := &p.query.groups[len(p.query.groups)-1]
		last.members = append(last.members, s)
		last.mandatory = last.mandatory || needed
		return
	}
	p.addGroup(group{members: []sequence{s}, mandatory: needed})
	p.open = true
}

func (p *parser) exclude(text string) {
	p.open = false
	if s := p.sequence(text); s.searchable(true) {
		p.query.not = append(p.query.not, s)
	}
}

// addGroup drops repetitions: a word said twice is not worth more.
func (p *parser) addGroup(g group) {
	if !g.mandatory && slices.ContainsFunc(p.query.groups, g.same) {
		return
	}
	p.query.groups = append(p.query.groups, g)
}

func (g group) same(other group) bool {
	return len(g.members) == 1 && len(other.members) == 1 && len(other.members[0]) == 1 && !other.mandatory &&
		slices.Equal(g.members[0][0].terms, other.members[0][0].terms)
}

func (p *parser) sequence(text string) sequence {
	var s sequence
	scan(text, func(w word) {
		if !w.whole {
			s = append(s, p.word(w))
		}
	})
	return s
}

// searchable reports that the index can find the sequence. A phrase made of
// stop words has no posting to start from.
func (s sequence) searchable(exact bool) bool {
	return slices.ContainsFunc(s, func(w queryWord) bool {
		return w.everywhere || !exact && len(s) == 1 && len(w.terms) > 0
	})
}

func (p *parser) word(w word) queryWord {
	qw := queryWord{surface: w.text, everywhere: true, weight: 1, absence: 1, evidence: naming}
	for _, l := range p.languages {
		qw.translations = append(qw.translations, glossary[l][stem(w, l)]...)
	}
	one := func(list map[string]bool) bool {
		return list[stem(w, English)] || slices.ContainsFunc(qw.translations, func(t string) bool { return list[t] })
	}
	switch {
	case askingWords[fold(w.text)]:
		qw.weight, qw.evidence = askingWeight, none
	case one(actWords):
		qw.weight, qw.absence, qw.evidence = tradeWeight, plainAbsence, none
	case one(tradeWords):
		qw.weight, qw.absence, qw.evidence = tradeWeight, plainAbsence, weak
	case one(plainWords):
		qw.absence, qw.evidence = plainAbsence, weak
	}
	stopped := 0
	for _, l := range []Language{English, Spanish} {
		term := stem(w, l)
		if !slices.Contains(qw.exact, term) {
			qw.exact = append(qw.exact, term)
		}
		switch {
		case isStop(term, l):
			qw.everywhere = false
			if slices.Contains(p.languages, l) {
				stopped++
			}
		case !slices.Contains(qw.terms, term):
			qw.terms = append(qw.terms, term)
		}
	}
	if stopped == len(p.languages) {
		qw.terms = nil // a stop word, whichever language was meant
	}
	return qw
}

// relaxed is the question with its phrases taken as mere words, for the nearest
// misses.
func (q Query) relaxed() Query {
	out := Query{not: q.not}
	p := parser{query: out}
	for _, g := range q.groups {
		if !g.mandatory {
			p.addGroup(g)
			continue
		}
		for _, s := range g.members {
			for _, w := range s {
				if len(w.terms) > 0 {
					p.addGroup(group{members: []sequence{{w}}})
				}
			}
		}
	}
	return p.query
}
