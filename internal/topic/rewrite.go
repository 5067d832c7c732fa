package topic

import (
	"encoding/json"
	"slices"
	"strings"

	"driftless/internal/evidence"
	"driftless/internal/label"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/relation"
	"driftless/internal/tenant"
	"driftless/internal/topic/undo"
)

// rewrite is a change of what a topic says, however it is asked for: by fields, by a patch, by taking something back.
type rewrite struct {
	act
	// change answers what a content says after the change. It is pure, and may be asked for more than one content: the topic's,
	// or that of the suggested edit that is extended.
	change func(Content) (Content, error)
	// meant, where there is one, refuses to change a suggested edit instead of the Knowledge that the caller read.
	meant func(knowledge, edit Content) error
	// rels and removed are the relations of a caller who named them one by one; each gets a result. Without them, the
	// relations that the changed content has more are tried.
	rels, removed []relation.Edge
	// files says that the call can touch nothing but the filing.
	files bool
	// merge asks for the merge of the suggested edit that the change becomes.
	merge bool
	// dry answers what would change and writes nothing.
	dry bool
	// tell puts the leaf changes into the answer.
	tell bool
	// lasting hands out no token: the change is part of a larger act that is not taken back in pieces.
	lasting bool
}

// rewrite writes at once where no reviewer has vouched for the words, and where only the filing changes; a change of
// Knowledge opens or extends the actor's suggested edit. What is written at once can be taken back with the token in undo.
func (s *Service) rewrite(tx *pg.Tx, t *Topic, r rewrite) (Written, error) {
	start := t.Content
	target, results, err := r.target(tx, t, start)
	if err != nil {
		return Written{}, err
	}
	verb, suggests := Update, false
	var open *editRow
	if t.Status == Reviewed {
		verb, suggests = SuggestEdit, !r.files && !filing(Diff(start, target))
	}
	if suggests {
		// One's own open edit is extended, so that several calls make one thing to review.
		e, ok, err := ownOpenEdit(tx, t)
		if err != nil {
			return Written{}, err
		}
		if ok {
			open, start = &e, e.Snapshot
			if r.meant != nil {
				if err := r.meant(t.Content, start); err != nil {
					return Written{}, err
				}
			}
			if target, results, err = r.target(tx, t, start); err != nil {
				return Written{}, err
			}
		}
	}
	if _, err := decide(t, tx.Actor(), verb); err != nil {
		return Written{}, err
	}
	changes := Diff(start, target)
	w := Written{RelationResults: results}
	if r.tell {
		w.Changes = digest(changes)
	}
	if start.Title != target.Title || start.What != target.What || start.Text != target.Text {
		w.Says = &target
	}
	switch {
	case r.dry:
		w.DryRun = true
		return s.written(tx, t, w)
	case suggests && r.merge:
		return s.suggestAndMerge(tx, t, target, open, r, w)
	case suggests:
		return s.suggest(tx, t, target, open, r.summary, w)
	}
	w.Applied = "immediate"
	if len(changes) > 0 {
		if err := t.become(tx, target, r.act); err != nil {
			return Written{}, err
		}
	}
	if len(changes) > 0 && !r.lasting {
		token, err := undo.Issue(tx, t.RevisionID)
		if err != nil {
			return Written{}, err
		}
		w.Undo = &token
	}
	return s.written(tx, t, w)
}

// become stores what a topic says now as its next revision.
func (t *Topic) become(tx *pg.Tx, target Content, w act) error {
	before := t.Content
	t.Content = target
	t.voidVerdict()
	if t.Status == Reviewed {
		w.event = "topic.filed"
	}
	return save(tx, t, before, w)
}

// target is the content that the change leads to, in the form in which it is kept, with everything checked that can be
// without writing. What was kept before on somebody's word is not screened again.
func (r rewrite) target(tx *pg.Tx, t *Topic, from Content) (Content, []RelationResult, error) {
	to, err := r.change(from)
	if err != nil {
		return to, nil, err
	}
	if to.Text != from.Text {
		lift(&to)
	}
	rels := r.rels
	if rels == nil {
		rels = slices.DeleteFunc(slices.Clone(to.Relations), func(e relation.Edge) bool { return slices.Contains(from.Relations, e) })
		to.Relations = slices.DeleteFunc(slices.Clone(to.Relations), func(e relation.Edge) bool { return slices.Contains(rels, e) })
	}
	results, err := relate(tx, &to, t, rels, r.removed)
	if err != nil {
		return to, nil, err
	}
	if err := to.normalise(); err != nil {
		return to, nil, err
	}
	if err := evidence.NoTwoAnswers(to.Solutions); err != nil {
		return to, nil, err
	}
	if to.Tags, err = label.Tags(to.Tags); err != nil {
		return to, nil, err
	}
	slices.Sort(to.Tags)
	if to.Area != "" && to.Area != from.Area {
		if _, err := label.FindArea(tx, to.Area); err != nil {
			return to, nil, err
		}
	}
	return to, results, refuseSecrets(fresh(t.Content, to)...)
}

// filing reports whether a change touches tags, area, owners and the date of the next review alone, for which no reviewer
// has vouched.
func filing(changes []Change) bool {
	return len(changes) > 0 && !slices.ContainsFunc(changes, func(c Change) bool {
		field, _, _ := strings.Cut(strings.TrimPrefix(c.Path, "/"), "/")
		return !slices.Contains([]string{"tags", "area", "owners", "review_by"}, field)
	})
}

// suggestAndMerge opens the edit and asks for its merge in the same breath. It is a merge like any other: by an owner or
// admin, for whom the policy of the workspace decides whether a person confirms.
func (s *Service) suggestAndMerge(tx *pg.Tx, t *Topic, target Content, open *editRow, r rewrite, w Written) (Written, error) {
	a := tx.Actor()
	switch {
	case !a.HasScope(tenant.WorkWrite):
		return Written{}, op.MissingScope(tenant.WorkWrite)
	case a.Service:
		return Written{}, op.MissingHuman()
	case !a.Role.AtLeast(tenant.Admin):
		return Written{}, op.InsufficientRole(a.Role, tenant.Admin)
	}
	w, err := s.suggest(tx, t, target, open, r.summary, w)
	if err != nil {
		return Written{}, err
	}
	asked, err := s.mergeEdit(tx.Context(), tx, mergeEditIn{Proposal: w.ProposalID})
	if err != nil {
		return Written{}, err
	}
	if asked.ConfirmURL != "" {
		w.Status, w.ConfirmURL, w.ExpiresAt, w.NextAction = asked.Status, asked.ConfirmURL, asked.ExpiresAt, asked.NextAction
		w.Confirmation = asked.Confirmation
		return w, nil
	}
	w.Applied = asked.Status
	return s.written(tx, t, w)
}

// The answer to a write says what changed in at most so much; the whole stands in the history.
const (
	digestChanges = 200
	digestText    = 1000
	digestBytes   = 16 << 10
)

// digest shortens leaf changes to what an answer has room for: long texts are cut, and the last values may be left out.
func digest(changes []Change) []Change {
	out := []Change{}
	spent := 0
	short := func(v any) any {
		if text, ok := v.(string); ok {
			v = cut(text, digestText)
		}
		raw, err := json.Marshal(v)
		if spent += len(raw); err != nil || spent > digestBytes {
			return nil
		}
		return v
	}
	for _, c := range changes[:min(len(changes), digestChanges)] {
		out = append(out, Change{Op: c.Op, Path: c.Path, Before: short(c.Before), After: short(c.After)})
	}
	return out
}
