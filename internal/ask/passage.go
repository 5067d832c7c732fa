package ask

import (
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf8"

	"driftless/internal/retrieve/lexical"
	"driftless/internal/topic"
)

// Limits of an extractive answer: passages, and characters of each.
const (
	passagesMax = 4
	passageMax  = 900
)

// passage is a piece of a topic that stands alone: a paragraph with the heading above it, an item of a list, the sentence.
type passage struct {
	source int // index of the topic
	head   string
	text   string
}

// passages cuts a topic into pieces.
func passages(source int, v topic.View) []passage {
	var out []passage
	add := func(head, text string) {
		if text = strings.TrimSpace(text); text != "" {
			out = append(out, passage{source, head, text})
		}
	}
	add(v.Title, v.What)
	for _, paragraph := range paragraphs(v.How) {
		add(v.Title, paragraph.text)
	}
	for _, list := range [][]string{v.Decisions, v.Gotchas, v.Invariants, v.RequiredChecks} {
		for _, item := range list {
			add(v.Title, item)
		}
	}
	for _, s := range v.Solutions {
		add(v.Title+" "+s.Env.String(), strings.Join(s.Fix, "\n"))
	}
	if v.Content != nil {
		for _, p := range paragraphs(*v.Content) {
			add(v.Title+" "+p.head, p.text)
		}
	}
	return out
}

type paragraph struct{ head, text string }

// paragraphs splits Markdown at blank lines, keeps a fenced block whole, and gives each paragraph the headings above it.
func paragraphs(markdown string) []paragraph {
	var out []paragraph
	var lines []string
	head, fence := "", ""
	flush := func() {
		if text := strings.TrimSpace(strings.Join(lines, "\n")); text != "" {
			out = append(out, paragraph{head, text})
		}
		lines = nil
	}
	for line := range strings.Lines(markdown) {
		line = strings.TrimRight(line, "\r\n")
		mark := strings.TrimSpace(line)
		switch {
		case fence != "":
			lines = append(lines, line)
			if strings.HasPrefix(mark, fence) {
				fence = ""
			}
		case strings.HasPrefix(mark, "```") || strings.HasPrefix(mark, "~~~"):
			fence = mark[:3]
			lines = append(lines, line)
		case mark == "":
			flush()
		case strings.HasPrefix(mark, "#"):
			flush()
			head = strings.TrimLeft(mark, "# ")
		default:
			lines = append(lines, line)
		}
	}
	flush()
	return out
}

// passageFloor leaves out what the best passage outweighs by far, such as a paragraph that has only its heading in common with
// the question. Whether anything answers at all was decided when the topics were chosen.
var passageFloor = lexical.Floor{Share: 0.5}

// best ranks passages for a question, with the analysis and the ranking that find topics; the same words stand once.
func best(query string, all []passage) []passage {
	weights := lexical.DefaultWeights()
	// A heading says what its paragraphs are about, not which of them answers.
	weights.Fields[lexical.Title] = 0.3
	ix := lexical.New(weights)
	for i, p := range all {
		var id lexical.DocID
		binary.BigEndian.PutUint64(id[8:], uint64(i))
		ix.Put(id, lexical.Doc{Title: p.head, Content: p.text})
	}
	var out []passage
	for _, hit := range ix.Search(lexical.FreeText(query), lexical.Options{Limit: 2 * passagesMax, Floor: passageFloor}) {
		p := all[binary.BigEndian.Uint64(hit.ID[8:])]
		again := slices.ContainsFunc(out, func(other passage) bool { return other.source == p.source && other.text == p.text })
		if !again && len(out) < passagesMax {
			out = append(out, p)
		}
	}
	return out
}

// cut shortens a passage at a word.
func cut(text string) string {
	if utf8.RuneCountInString(text) <= passageMax {
		return text
	}
	short := string([]rune(text)[:passageMax])
	if i := strings.LastIndexAny(short, " \n"); i > passageMax/2 {
		short = short[:i]
	}
	return short + " …"
}
