package parse

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// isDecision reports the headings of a decision record: those of Nygard, or
// those of MADR.
func isDecision(o outline) bool {
	has := func(names ...string) bool { _, _, ok := o.section(names...); return ok }
	return has("Decision") && has("Status") && has("Context", "Consequences") || has("Decision Outcome") && has("Context and Problem Statement", "Considered Options")
}

// decision reads an architecture decision record.
func (f file) decision() []*document {
	o := f.outline
	docs := f.whole(decision, f.meta.text("title"))
	if len(docs) == 0 {
		return nil
	}
	first := docs[0]
	first.draft.Tags = unique(first.draft.Tags, maxTags, "decision")
	if from, to, ok := o.section("Decision Outcome", "Decision"); ok {
		if outcome := o.first(from, to); outcome != "" {
			first.draft.What = clip(sentence(outcome), maxWhat)
			first.draft.Decisions = []string{clip(outcome, maxItem)}
		}
	} else if from, to, ok := o.section("Context and Problem Statement", "Context"); ok {
		first.draft.What = clip(sentence(o.first(from, to)), maxWhat)
	}
	f.describe(docs)
	if from, to, ok := o.section("Status"); ok {
		first.edges = append(statusEdges(f.body[from:to]), first.edges...)
	}
	// MADR keeps the status in front matter, or in a list below the title.
	for _, h := range o.headings {
		if h.level == 2 {
			first.edges = append(statusEdges(f.body[:h.start]), first.edges...)
			break
		}
	}
	for _, line := range strings.Split(f.front, "\n") {
		first.edges = append(statusEdges(line), first.edges...)
	}
	return docs
}

var (
	// said is a relation in the words of a status, and where it leads.
	said = regexp.MustCompile(`(?i)(superseded\s+by|superseded-by|replaced\s+by|supersedes|supercedes|superceded\s+by|replaces|amended\s+by|amends|related\s+to|depends\s+on|see)\b:?`)
	// named is a record by link or by number.
	named = regexp.MustCompile(`\]\(([^)\s]+)[^)]*\)|(?i:adr|kep)[-_ ]?(\d{1,5})\b|\b(\d{1,5}-[\w-]+\.md)\b`)
)

// statusEdges reads "Supersedes [1. A](0001-a.md)", "superseded by ADR-0005" and
// their like, line by line.
func statusEdges(text string) []edge {
	var out []edge
	for _, line := range strings.Split(text, "\n") {
		words := said.FindAllStringSubmatchIndex(line, -1)
		for i, w := range words {
			end := len(line)
			if i+1 < len(words) {
				end = words[i+1][0]
			}
			e := edge{kind: relatesTo}
			switch verb := strings.ToLower(line[w[2]:w[3]]); {
			case strings.HasPrefix(verb, "super") || strings.HasPrefix(verb, "replace"):
				e.kind = supersedes
				e.incoming = strings.HasSuffix(verb, "by")
			case strings.HasPrefix(verb, "depends"):
				e.kind = "depends_on"
			}
			for _, m := range named.FindAllStringSubmatch(line[w[1]:end], -1) {
				e.to = m[1] + m[2] + m[3]
				out = append(out, e)
			}
		}
	}
	return out
}

var errKEP = errors.New("kep.yaml beside it is not valid YAML")

// enhancement reads the README.md of a KEP with the kep.yaml beside it.
func (f file) enhancement(text string) ([]*document, error) {
	kep := fields{}
	if err := yaml.Unmarshal([]byte(text), &kep); err != nil {
		return nil, fmt.Errorf("%w: %s", errKEP, yamlReason(err))
	}
	docs := f.whole(enhancement, kep.text("title"))
	for i, d := range docs {
		d.draft.Tags = unique(d.draft.Tags, maxTags, "decision", "kep")
		d.draft.Area = clip(kep.text("owning-sig"), maxTag)
		d.draft.ContentHash = hash(text, f.front, d.draft.Content)
		d.draft.Sources = unique(d.draft.Sources, 2, path.Join(path.Dir(f.name), "kep.yaml"))
		if i > 0 {
			continue
		}
		if from, to, ok := f.outline.section("Summary", "Abstract", "Motivation"); ok {
			if summary := f.outline.first(from, to); summary != "" {
				d.draft.What = clip(sentence(summary), maxWhat)
			}
		}
		var edges []edge
		for _, name := range []string{"replaces", "superseded-by", "see-also"} {
			for _, to := range kep.list(name) {
				e := edge{to: to, kind: supersedes, incoming: name == "superseded-by"}
				if name == "see-also" {
					e.kind = relatesTo
				}
				edges = append(edges, e)
			}
		}
		d.edges = append(edges, d.edges...)
	}
	return docs, nil
}
