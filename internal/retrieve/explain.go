package retrieve

import (
	"fmt"
	"slices"

	"github.com/google/uuid"

	"driftless/internal/op"
	"driftless/internal/retrieve/lexical"
	"driftless/internal/topic"
)

// Explanation says why one topic is or is not among the rows.
type Explanation struct {
	Topic      string `json:"topic"`
	Returned   bool   `json:"returned"`
	Reason     string `json:"reason"`
	ScoreParts *Parts `json:"score_parts,omitempty"`
}

// inquest is what the index knows about the absence of a topic.
type inquest struct {
	facts  *facts // nil where the actor may see no such topic
	reason string
	parts  Parts
}

// inquire looks for the first reason that kept a topic out. Its words are the same for a topic that is hidden, archived,
// in another workspace, or was never written.
func (ix *index) inquire(q question, r ranking, slug string) *inquest {
	f := ix.slugs[slug]
	if f == nil || !f.visible(q.actor) {
		return &inquest{}
	}
	for _, c := range r.rows {
		if c.facts == f {
			return &inquest{facts: f, parts: c.parts}
		}
	}
	alone := question{actor: q.actor, text: q.text, files: q.files, now: q.now, depth: 1}
	c := &candidate{facts: f}
	for _, file := range alone.files {
		if a, ok := f.anchors.Match(file); ok {
			c.claim(fileMatch{file, a, worthOf(a, file)})
		}
	}
	hits := ix.text(q.actor).Search(q.text, lexical.Options{Limit: 1, Only: []lexical.DocID{lexical.DocID(f.id)}})
	if len(hits) > 0 {
		c.hit = hits[0]
		r.note(c.hit)
	}
	ix.weigh(q, c, r)
	out := &inquest{facts: f, parts: c.parts}
	switch {
	case !q.keep.admits(f) && q.keep.area != "" && q.keep.area != f.area:
		out.reason = "it is filed in another area than the one asked for"
	case !q.keep.admits(f):
		out.reason = "it has none of the tags asked for"
	case len(hits) > 0 && c.hit.Weak:
		out.reason = fmt.Sprintf("it is below the relevance floor: of the task it holds only words that say little (%s)", c.whyText())
	case len(hits) > 0:
		out.reason = fmt.Sprintf("it is below the relevance floor: it holds %.0f%% of the task, by the weight of the words (%s)",
			100*c.hit.Coverage, c.whyText())
	default:
		out.reason = "it shares no word with the task, and none of its anchors matches the files"
	}
	return out
}

func (c *candidate) whyText() string {
	reasons, _ := c.why()
	return reasons[len(reasons)-1]
}

// explain completes the reason with what happened after the ranking.
func (i *inquest) explain(slug string, ranked []*candidate, page *op.Page[Row], docs map[uuid.UUID]*topic.Document) *Explanation {
	out := &Explanation{Topic: slug, Reason: i.reason}
	if i.facts == nil || docs[i.facts.id] == nil {
		out.Reason = "there is no topic with this slug that you may see and that is not archived"
		return out
	}
	parts := i.parts.rounded()
	out.ScoreParts = &parts
	place := 1 + slices.IndexFunc(ranked, func(c *candidate) bool { return c.facts.id == i.facts.id })
	switch {
	case slices.ContainsFunc(page.Results, func(r Row) bool { return r.Slug == slug }):
		out.Returned, out.Reason = true, fmt.Sprintf("it is number %d of %d that fit", place, len(ranked))
	case place > 0:
		out.Reason = fmt.Sprintf("it is number %d of %d that fit; limit and max_tokens leave room for %d", place, len(ranked), page.Shown)
	}
	return out
}
