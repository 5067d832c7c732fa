package parse

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"
)

// file is a text with its front matter taken off.
type file struct {
	name    string
	front   string
	meta    fields
	body    string
	outline outline
}

// document is a draft on its way, with what only the whole tree can settle.
type document struct {
	path      string
	format    format
	part      part
	fragments []string // slugs of the headings inside
	draft     Draft
	paths     []string // candidates for anchors, as cited
	edges     []edge
}

// edge is a relation whose end is still as the text names it.
type edge struct {
	to       string // a link, a number, a slug
	kind     string
	incoming bool // the other document is the one that supersedes
}

// documents makes a document of each part of the body.
func (f file) documents(kind format, parts []part) []*document {
	o := f.outline
	seen := map[string]int{}
	var out []*document
	for i, p := range parts {
		content := strings.Trim(f.body[p.start:p.end], "\n")
		if strings.TrimSpace(content) == "" {
			continue
		}
		d := &document{path: f.name, format: kind, part: p}
		d.draft = Draft{Key: f.name, Content: content + "\n", ContentHash: hash(f.front, content)}
		// A context file may gain a part at any time; a whole file is cut by its
		// size alone. What was there before keeps its key.
		if name := fragment(p, i, seen); kind == contextFile || i > 0 {
			d.draft.Key += "#" + name
		}
		for _, h := range o.headings {
			if h.start >= p.start && h.start < p.end {
				d.fragments = append(d.fragments, headingSlug(h.text))
			}
		}
		d.draft.What = clip(sentence(o.first(p.start, p.end)), maxWhat)
		d.draft.Tags = f.meta.tags()
		d.draft.Area = f.meta.text("area")
		d.draft.ReviewBy = f.meta.text("review_by")
		d.draft.Sources = []string{d.draft.Key}
		for _, c := range o.codes {
			if c.at >= p.start && c.at < p.end {
				d.paths = append(d.paths, c.text)
			}
		}
		for _, l := range o.links {
			if l.at >= p.start && l.at < p.end {
				d.paths = append(d.paths, l.dest)
				d.edges = append(d.edges, edge{to: l.dest, kind: relatesTo})
			}
		}
		out = append(out, d)
	}
	return out
}

// fragment names a part by its first heading; repeated names are counted.
func fragment(p part, i int, seen map[string]int) string {
	name := fmt.Sprintf("part-%d", i+1)
	if i == 0 && len(p.headings) == 0 {
		name = "preamble"
	} else if len(p.headings) > 0 {
		if s := headingSlug(p.headings[0].text); s != "" {
			name = s
		}
	}
	seen[name]++
	if n := seen[name]; n > 1 {
		return fmt.Sprintf("%s-%d", name, n)
	}
	return name
}

// whole makes one document of the file, or as many as its size asks for. The
// title falls back to the first heading, then to the name of the file.
func (f file) whole(kind format, title string) []*document {
	o := f.outline
	if title == "" {
		title = o.title()
	}
	if title == "" {
		title = nameOf(f.name)
	}
	if kind == decision || kind == enhancement {
		title = unnumbered(title)
	}
	docs := f.documents(kind, o.bounded([]part{{end: len(f.body), headings: o.headings[:min(1, len(o.headings))]}}))
	for i, d := range docs {
		d.draft.Title = clip(title, maxTitle)
		if i > 0 {
			d.draft.Title = clip(title, maxTitle-12) + fmt.Sprintf(" (part %d)", i+1)
		}
	}
	return docs
}

// plain reads any Markdown file.
func (f file) plain() []*document {
	if isDecision(f.outline) {
		return f.decision()
	}
	title := f.meta.text("title")
	if title == "" && f.outline.title() == "" {
		title = f.meta.text("name")
	}
	docs := f.whole(markdown, title)
	f.describe(docs)
	return docs
}

// describe prefers the description of the front matter to the first sentence.
func (f file) describe(docs []*document) {
	if text := f.meta.text("description"); text != "" && len(docs) > 0 {
		docs[0].draft.What = clip(text, maxWhat)
	}
}

// rule reads a file whose front matter names the files it is about.
func (f file) rule(globs string) []*document {
	kind := formatOf(f.name)
	docs := f.whole(kind, f.meta.text("title"))
	f.describe(docs)
	scope := scopeOf(f.name)
	var anchors []string
	for _, g := range f.meta.words(globs) {
		anchors = unique(anchors, maxAnchors, within(scope, g))
	}
	if len(anchors) == 0 && scope != "" {
		anchors = []string{scope + "/**"}
	}
	for _, d := range docs {
		d.draft.Anchors = anchors[:len(anchors):len(anchors)]
	}
	return docs
}

// within puts a glob into the folder its file speaks of. A glob without a slash
// means any depth below it.
func within(scope, glob string) string {
	if scope == "" {
		return glob
	}
	not := ""
	if rest, ok := strings.CutPrefix(glob, "!"); ok {
		not, glob = "!", rest
	}
	glob = strings.TrimPrefix(strings.TrimPrefix(glob, "./"), "/")
	if !strings.Contains(glob, "/") && glob != "**" {
		glob = "**/" + glob
	}
	return not + scope + "/" + glob
}

var pointer = regexp.MustCompile(`^@?[\w./-]+\.md$`)

// context reads a file of standing instructions: a draft for each section that
// stands alone. One that only names another file says nothing itself.
func (f file) context() []*document {
	if pointer.MatchString(strings.TrimSpace(f.body)) {
		return nil
	}
	o := f.outline
	docs := f.documents(contextFile, o.bounded(o.merge(o.parts(2))))
	scope := scopeOf(f.name)
	for _, d := range docs {
		d.draft.Title = f.sectionTitle(d.part, scope)
		if scope != "" {
			d.draft.Anchors = []string{scope + "/**"}
		}
	}
	if len(docs) == 1 {
		f.describe(docs)
	}
	return docs
}

// sectionTitle joins the headings of a part. The title of the file alone says
// little where sections follow it, and the folder tells sections of several
// files apart.
func (f file) sectionTitle(p part, scope string) string {
	var names []string
	for _, h := range p.headings {
		if h.level > 1 || len(p.headings) == 1 || h.text != f.outline.title() {
			names = unique(names, 10, h.text)
		}
	}
	title := strings.Join(names, ", ")
	if title == "" {
		title = path.Base(f.name)
	}
	if scope == "" {
		return clip(title, maxTitle)
	}
	if utf8.RuneCountInString(scope) > maxTitle/2 {
		scope = clip(path.Base(scope), maxTitle/2)
	}
	suffix := " (" + scope + ")"
	return clip(title, maxTitle-utf8.RuneCountInString(suffix)) + suffix
}
