package topic

import (
	"slices"

	"driftless/internal/evidence"
	"driftless/internal/fault"
)

// solutions are those of the document, each with its revision.
func (d *Document) solutions() []evidence.Solution {
	out := slices.Clone(d.Body.Solutions)
	for i := range out {
		out[i].Revision = max(d.Revisions[out[i].ID], 1)
	}
	return out
}

// For narrows a document to what it says for an environment, without the steps that are known to fail there, and answers what is known
// about that.
func (d *Document) For(known evidence.Known, env evidence.Environment) evidence.Answer {
	a, shown := known.Answer(d.solutions(), evidence.Question{Topic: d.Slug, Env: env})
	d.Body.Solutions, d.Body.Alternatives = shown, nil
	return a
}

// asks reports whether a read is about what to do in an environment.
func (in getIn) asks() bool { return in.Env != nil || in.Solution != "" }

// check refuses questions that have no answer.
func (in getIn) check() error {
	switch {
	case in.asks() && in.Revision > 0:
		return fault.Fieldf("revision", "what is known about solutions is about the current text; leave out revision, or env and solution")
	case !in.asks() && (in.Alternatives || in.Attempts):
		return fault.Fieldf("env", "say for which environment, e.g. {\"os\":\"linux\"}")
	}
	return nil
}

// answer narrows a topic to what it says for an environment, with what is known about it.
func (g *Got) answer(d *Document, in getIn, known evidence.Known) error {
	if in.Solution != "" && !slices.ContainsFunc(d.Body.Solutions, func(s evidence.Solution) bool { return s.ID == in.Solution }) {
		ids := make([]string, 0, len(d.Body.Solutions))
		for _, s := range d.Body.Solutions {
			ids = append(ids, s.ID)
		}
		return fault.Choice("solution", in.Solution, ids)
	}
	q := evidence.Question{Topic: d.Slug, Only: in.Solution, Archived: in.Attempts}
	if in.Env != nil {
		q.Env = *in.Env
	}
	abandoned := evidence.Applicable(d.Body.Alternatives, q.Env)
	if !in.Alternatives {
		q.Abandoned = len(abandoned)
	}
	a, shown := known.Answer(d.solutions(), q)
	g.Answer, g.Solutions = &a, shown
	g.Alternatives = nil
	if in.Alternatives {
		g.Alternatives = abandoned
	}
	return nil
}
