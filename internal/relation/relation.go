// Package relation owns the edges between topics: the seven types with the names of their inverses, and mentions, the weak
// edges that [[slug]] in a text makes.
//
// It refuses to follow an edge to a topic that the reader may not see; the database hides such edges altogether.
package relation

import (
	"regexp"
	"slices"

	"github.com/google/uuid"
)

// Type is the type of a relation. "A type B" reads as an English sentence.
type Type string

// The seven types.
const (
	RelatesTo  Type = "relates_to"
	DependsOn  Type = "depends_on"
	Supersedes Type = "supersedes"
	Blocks     Type = "blocks"
	Implements Type = "implements"
	Documents  Type = "documents"
	RiskFor    Type = "risk_for"
)

var inverses = map[Type]string{
	RelatesTo: "relates_to", DependsOn: "dependency_of", Supersedes: "superseded_by", Blocks: "blocked_by",
	Implements: "implemented_by", Documents: "documented_by", RiskFor: "at_risk_from",
}

// Types lists the types in the order in which they are shown.
func Types() []string {
	return []string{
		string(RelatesTo), string(DependsOn), string(Supersedes), string(Blocks), string(Implements), string(Documents),
		string(RiskFor),
	}
}

// Known reports whether there is such a type.
func (t Type) Known() bool { return slices.Contains(Types(), string(t)) }

// Inverse is the name of the edge as its target sees it.
func (t Type) Inverse() string { return inverses[t] }

// Edge is a relation out of a topic, by slug.
type Edge struct {
	To   string `json:"to" jsonschema:"slug of the other topic"`
	Type string `json:"type" jsonschema:"relates_to, depends_on, supersedes, blocks, implements, documents or risk_for"`
}

// OutMax is how many relations a topic may have out.
const OutMax = 200

var mention = regexp.MustCompile(`\[\[([a-z0-9][a-z0-9-]{0,79})\]\]`)

// mentionsMax bounds how many mentions of one topic are kept.
const mentionsMax = 500

// code is what stands between backticks: a fence over lines, or a span within one.
var code = regexp.MustCompile("(?s)```.*?(```|$)|~~~.*?(~~~|$)|`[^`\n]*`")

// Mentions finds the slugs in [[double brackets]] in the texts, each once, sorted, without the topic's own. What
// stands in code is an example, not a mention.
func Mentions(self string, texts ...string) []string {
	seen := map[string]bool{self: true}
	var out []string
	for _, text := range texts {
		for _, m := range mention.FindAllStringSubmatch(code.ReplaceAllString(text, " "), -1) {
			if slug := m[1]; !seen[slug] && len(out) < mentionsMax {
				seen[slug] = true
				out = append(out, slug)
			}
		}
	}
	slices.Sort(out)
	return out
}

// Target is a topic that an edge leads to.
type Target struct {
	ID        uuid.UUID
	Slug      string
	IsPrivate bool
}
