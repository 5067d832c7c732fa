package drift

import (
	"strings"

	"driftless/internal/anchor"
	"driftless/internal/drift/cite"
	"driftless/internal/drift/claim"
	"driftless/internal/pg"
	"driftless/internal/source"
)

// suggestionsMax is how many anchors are suggested for one topic.
const suggestionsMax = 10

// Suggestion is an anchor that the words of a topic give reason for.
type Suggestion struct {
	Anchor string `json:"anchor" jsonschema:"in its canonical form"`
	Count  int    `json:"count" jsonschema:"files that it matches"`
	Cited  string `json:"cited" jsonschema:"the words that it comes from"`
}

// Suggest finds anchors for texts: the files, folders, globs and symbols that they cite and that are in the default branch of a connected
// repository, in the order of the texts, at most 10. What would be too broad is left out. The sources are the files that the texts came
// from; relative references start at their folders.
func Suggest(tx *pg.Tx, sources []string, texts ...string) ([]Suggestion, error) {
	var set cite.Set
	for _, text := range texts {
		set.Read(text)
	}
	out := []Suggestion{}
	if len(set.Refs) == 0 {
		return out, nil
	}
	places, err := branches(tx)
	if err != nil {
		return nil, err
	}
	bases := claim.Bases(sources)
	var anchors anchor.Set
	cited := map[string]string{}
	for _, r := range set.Refs {
		for _, p := range places {
			means, is := p.files.Resolve(r, bases)
			if !is || p.head.Branch != p.source.DefaultBranch {
				continue
			}
			if a, err := anchor.Parse(anchorOf(means)); err == nil && cited[a.Text] == "" && !anchor.IsGenerated(means.Path) {
				cited[a.Text] = r.Text
				anchors = append(anchors, a)
			}
		}
	}
	checked, err := source.Validate(tx, anchors)
	if err != nil {
		return nil, err
	}
	for _, v := range checked {
		if v.Result == anchor.OK && len(out) < suggestionsMax {
			out = append(out, Suggestion{Anchor: v.Anchor, Count: v.Count, Cited: cited[v.Anchor]})
		}
	}
	return out, nil
}

// anchorOf is the anchor that matches what a reference means, and nothing else: a plain name alone would match at any depth.
func anchorOf(t cite.Target) string {
	text := t.Path
	if t.Symbol != "" {
		return text + "#" + t.Symbol
	}
	if folder, is := strings.CutSuffix(text, "/"); is {
		text = folder + "/**"
	}
	if !strings.Contains(text, "/") {
		text = "./" + text
	}
	return text
}
