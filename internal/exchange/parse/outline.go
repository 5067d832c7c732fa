package parse

import (
	"sort"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// outline is what the formats need to know of a Markdown text (CommonMark).
// Offsets are bytes of the source.
type outline struct {
	source   string
	headings []heading
	blocks   []piece // paragraphs and items of lists, as plain text
	codes    []piece // inline code
	links    []link
}

type heading struct {
	level int
	text  string
	start int // of its line
	body  int // of what follows it
}

type piece struct {
	at   int
	text string
}

type link struct {
	at   int
	dest string
}

// outlineOf parses Markdown. Only headings of the document itself count: those
// inside fences, comments, quotes and lists are words of their section.
func outlineOf(source string) outline {
	o := outline{source: source}
	src := tame(source)
	doc := goldmark.DefaultParser().Parse(text.NewReader(src))
	at := 0
	// The visitor returns no error, so neither does the walk.
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		if n.Type() == ast.TypeBlock && n.Lines().Len() > 0 {
			at = n.Lines().At(0).Start
		}
		switch n := n.(type) {
		case *ast.Heading:
			if n.Parent() == doc && n.Lines().Len() > 0 {
				o.headings = append(o.headings, headingAt(n, src))
			}
		case *ast.Paragraph, *ast.TextBlock:
			if t := plain(n, src); t != "" {
				o.blocks = append(o.blocks, piece{at, t})
			}
		case *ast.Text:
			at = n.Segment.Start
		case *ast.CodeSpan:
			o.codes = append(o.codes, piece{at, plain(n, src)})
		case *ast.Link:
			o.links = append(o.links, link{at, string(n.Destination)})
		}
		return ast.WalkContinue, nil
	})
	return o
}

// tame returns a copy of the same length in which markup beyond any honest use
// is blank: the time of the parser grows with the square of open brackets in a
// paragraph, and of quotes and lists nested in a line.
func tame(source string) []byte {
	const (
		maxBrackets = 500 // in a paragraph
		maxNested   = 50  // in a line
	)
	src := []byte(source)
	brackets, nested := 0, 0
	blank, leading := true, true // so far, the line is blank; markers of quotes and lists alone
	for i, c := range src {
		switch {
		case c == '\n':
			if blank {
				brackets = 0
			}
			nested, blank, leading = 0, true, true
			continue
		case c == ' ' || c == '\t' || c >= '0' && c <= '9':
		case strings.IndexByte(">-+*.)", c) >= 0:
			if nested++; leading && nested > maxNested {
				src[i] = ' '
			}
		case c == '[':
			leading = false
			if brackets++; brackets > maxBrackets {
				src[i] = ' '
			}
		default:
			leading = false
		}
		blank = blank && (c == ' ' || c == '\t' || c == '>')
	}
	return src
}

func headingAt(n *ast.Heading, src []byte) heading {
	lines := n.Lines()
	start := lines.At(0).Start
	for start > 0 && src[start-1] != '\n' {
		start--
	}
	body := lines.At(lines.Len() - 1).Stop
	for body < len(src) && src[body-1] != '\n' {
		body++
	}
	if !strings.HasPrefix(strings.TrimLeft(string(src[start:body]), " "), "#") {
		// An underline belongs to the heading above it.
		for body < len(src) && src[body] != '\n' {
			body++
		}
		body = min(len(src), body+1)
	}
	return heading{level: n.Level, text: plain(n, src), start: start, body: body}
}

// plain returns the text of a node without markup, images left out.
func plain(n ast.Node, src []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Image:
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			b.Write(n.Segment.Value(src))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.URL(src))
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(b.String())
}

// title returns the text of the first heading of the first level.
func (o outline) title() string {
	for _, h := range o.headings {
		if h.level == 1 {
			return h.text
		}
	}
	return ""
}

// first returns the first paragraph or item in a range that says something: a
// table does not, nor do a few words that lead up to a list.
func (o outline) first(from, to int) string {
	const lead = 60 // bytes
	fallback := ""
	i := sort.Search(len(o.blocks), func(i int) bool { return o.blocks[i].at >= from })
	for ; i < len(o.blocks) && o.blocks[i].at < to; i++ {
		t := o.blocks[i].text
		if strings.HasPrefix(t, "|") {
			continue
		}
		if !strings.HasSuffix(t, ":") || len(t) > lead {
			return t
		}
		if fallback == "" {
			fallback = t
		}
	}
	return fallback
}

// section returns the range below the first heading that has one of the names,
// to the next heading of its level or above.
func (o outline) section(names ...string) (from, to int, ok bool) {
	for _, name := range names {
		for i, h := range o.headings {
			if !strings.EqualFold(strings.TrimRight(h.text, ": "), name) {
				continue
			}
			to = len(o.source)
			for _, next := range o.headings[i+1:] {
				if next.level <= h.level {
					to = next.start
					break
				}
			}
			return h.body, to, true
		}
	}
	return 0, 0, false
}

// part is a stretch of a text with the headings that name it.
type part struct {
	start, end int
	headings   []heading
}

// parts cuts the text at headings up to a level.
func (o outline) parts(level int) []part {
	out := []part{{end: len(o.source)}}
	for _, h := range o.headings {
		if h.level > level {
			continue
		}
		last := &out[len(out)-1]
		last.end = h.start
		if strings.TrimSpace(o.source[last.start:last.end]) == "" {
			last.end = len(o.source)
			last.headings = []heading{h}
			continue
		}
		out = append(out, part{h.start, len(o.source), []heading{h}})
	}
	return out
}

// short is what a part needs to stand alone, in bytes without blanks around.
const short = 200

// merge joins parts that are too short to stand alone with the one before, or,
// at the beginning, with the one after.
func (o outline) merge(parts []part) []part {
	var out []part
	for _, p := range parts {
		last := len(out) - 1
		switch {
		case last < 0:
			out = append(out, p)
		case o.tooShort(p) && p.end-out[last].start < MaxContent, last == 0 && o.tooShort(out[0]):
			out[last].end = p.end
			out[last].headings = append(out[last].headings, p.headings...)
		default:
			out = append(out, p)
		}
	}
	return out
}

func (o outline) tooShort(p part) bool {
	return len(strings.TrimSpace(o.source[p.start:p.end])) < short
}

// bounded splits parts beyond MaxContent, at headings as far as they help, then
// at line ends.
func (o outline) bounded(parts []part) []part {
	var out []part
	for _, p := range parts {
		for p.end-p.start > MaxContent {
			cut := o.cut(p)
			out = append(out, part{p.start, cut, p.headings})
			p.start, p.headings = cut, nil
			for _, h := range o.headings {
				if h.start == cut {
					p.headings = []heading{h}
				}
			}
		}
		out = append(out, p)
	}
	return out
}

func (o outline) cut(p part) int {
	limit := p.start + MaxContent
	for i := len(o.headings) - 1; i >= 0; i-- {
		if at := o.headings[i].start; at > p.start && at <= limit {
			return at
		}
	}
	if i := strings.LastIndexByte(o.source[p.start:limit], '\n'); i > 0 {
		return p.start + i + 1
	}
	for limit > p.start+1 && o.source[limit]&0xc0 == 0x80 {
		limit--
	}
	return limit
}
