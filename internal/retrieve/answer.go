package retrieve

import (
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"driftless/internal/op"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

// Row is a topic that answers, with the reasons.
type Row struct {
	topic.View
	answered
	// WhyMatched lists the reasons: title, text:<terms>, anchor:<pattern> ~ <file>, symbol:<path#Name>,
	// relation:<type> <slug>, which reads "this topic type slug", area:<slug> for one filed beside a match.
	WhyMatched []string `json:"why_matched"`
	// MatchType is the strongest kind of reason: anchor, title, text, semantic, area or relation.
	MatchType string `json:"match_type"`
	// Confidence, 0 to 1, is how sure it is that the topic is about what was asked; not that it is right.
	Confidence float64 `json:"confidence"`
	// Tokens is the size of the row: characters of its JSON / 4.
	Tokens int `json:"tokens"`
	// Score and ScoreParts are there when an explanation was asked for.
	Score      *float64 `json:"score,omitempty"`
	ScoreParts *Parts   `json:"score_parts,omitempty"`
}

// Answer is a page of rows and what else there is to say.
type Answer struct {
	*op.Page[Row]
	// AsOf is the earlier state that the rows are of; without it they are of now.
	AsOf *Moment `json:"as_of,omitempty"`
	// Semantic says with explain whether likeness of meaning was asked.
	Semantic string `json:"semantic,omitempty"`
	// Facets count all that matches, where that was asked for.
	Facets *topic.Facets `json:"facets,omitempty"`
	// IgnoredFiles are those that can lie in no repository: absolute, climbing out of it, or too long.
	IgnoredFiles []string `json:"ignored_files,omitempty"`
	// Explanation is about the one topic that was asked after.
	Explanation *Explanation `json:"explanation,omitempty"`
}

// Fit makes room for what stands beside the rows, and then drops rows.
func (a Answer) Fit(limit int) error {
	beside, err := op.Marshal(Answer{AsOf: a.AsOf, Facets: a.Facets, IgnoredFiles: a.IgnoredFiles, Explanation: a.Explanation})
	if err != nil {
		return err
	}
	return a.Page.Fit(limit - len(beside))
}

const (
	termsShown   = 12
	ignoredShown = 10
	// rowMax is the largest row in bytes over MCP, so that one alone fits into an answer.
	rowMax = 44 * 1024
)

// row makes the row of a candidate from what the actor may read.
func row(c *candidate, d *topic.Document, l layout, a tenant.Actor) (Row, error) {
	out := Row{View: d.View(l.view, a), answered: l.answers[d.ID], Confidence: round(min(1, max(0, c.certain)), 2)}
	out.WhyMatched, out.MatchType = c.why()
	if l.explain {
		score, parts := round(c.score, 4), c.parts.rounded()
		out.Score, out.ScoreParts = &score, &parts
	}
	if out.HasAnswer != nil && l.view != topic.Full {
		out.NextAction = l.readNext(d.Slug, d.Revision, "the steps for this environment, and how to report on them")
	}
	return out, out.measure()
}

// why gives the reasons in words, the strongest kind first.
func (c *candidate) why() (reasons []string, kind string) {
	for _, m := range c.files {
		reasons, kind = append(reasons, m.why()), "anchor"
	}
	if c.hit.TitleMatch {
		reasons = append(reasons, "title")
		if kind == "" {
			kind = "title"
		}
	}
	if terms := c.hit.Terms; len(terms) > 0 {
		reasons = append(reasons, "text:"+strings.Join(terms[:min(len(terms), termsShown)], ","))
		if kind == "" {
			kind = "text"
		}
	}
	if c.meant > 0 {
		reasons = append(reasons, "semantic")
		if kind == "" {
			kind = "semantic"
		}
	}
	if c.beside != "" {
		reasons = append(reasons, "area:"+c.beside)
		if kind == "" {
			kind = "area"
		}
	}
	if c.via != nil {
		reasons = append(reasons, "relation:"+string(c.via.Type)+" "+c.via.Slug)
		if kind == "" {
			kind = "relation"
		}
	}
	return reasons, kind
}

// measure fills in the tokens of a row.
func (r *Row) measure() error {
	raw, err := op.Marshal(r)
	if err != nil {
		return err
	}
	r.Tokens = tokens(utf8.RuneCount(raw))
	return nil
}

// tokens is how the interface counts them: characters / 4.
func tokens(characters int) int { return (characters + 3) / 4 }

// shrink shows less of a row that is too large by itself: first without the content, then as a summary. Fields are whole or
// absent, and the row's own next step reads the rest.
func (r *Row) shrink(d *topic.Document, l layout, a tenant.Actor, fits func(Row, int) bool) error {
	view := l.view
	for _, smaller := range []string{topic.Brief, topic.Summary} {
		raw, err := op.Marshal(r)
		if err != nil {
			return err
		}
		if fits(*r, len(raw)) || view == topic.Summary {
			return nil
		}
		if view == smaller {
			continue
		}
		view = smaller
		r.View = d.View(view, a)
		r.NextAction = l.readNext(r.Slug, r.Revision, "too long for this answer; this reads all of it")
		if err := r.measure(); err != nil {
			return err
		}
	}
	return nil
}

// ids are the topics to read for an answer.
func ids(rows []*candidate, more ...*facts) []uuid.UUID {
	out := make([]uuid.UUID, 0, len(rows)+len(more))
	for _, c := range rows {
		out = append(out, c.id)
	}
	for _, f := range more {
		if f != nil {
			out = append(out, f.id)
		}
	}
	return out
}

// slugs names those of the topics that the actor could read.
func slugs(near []*facts, docs map[uuid.UUID]*topic.Document) []string {
	var out []string
	for _, f := range near {
		if d := docs[f.id]; d != nil {
			out = append(out, d.Slug)
		}
	}
	return out
}
