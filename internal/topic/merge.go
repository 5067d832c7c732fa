package topic

import (
	"context"
	"slices"

	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/relation"
	"driftless/internal/tenant"
)

type mergeTopicsIn struct {
	Source string `json:"source" jsonschema:"slug of the duplicate"`
	Into   string `json:"into" jsonschema:"slug of the survivor"`
	DryRun bool   `json:"dry_run,omitempty" jsonschema:"only say what would move"`
}

// Merged says what went from a duplicate to its survivor, or would go.
type Merged struct {
	Source string `json:"source"`
	Into   string `json:"into"`
	DryRun bool   `json:"dry_run,omitempty"`
	Moves  Moves  `json:"moves"`
	// Applied is what became of the survivor: immediate, suggested_edit, or unchanged.
	Applied string `json:"applied"`
	// Waits says that the duplicate stays, and what leads to it too, until the suggested edit is merged.
	Waits      bool     `json:"waits,omitempty" jsonschema:"the duplicate is archived once the suggested edit is merged"`
	ProposalID string   `json:"proposal_id,omitempty"`
	Topic      *View    `json:"topic,omitempty"`
	NextAction *op.Next `json:"next_action"`
}

// Moves is what a merge takes over. Words are never among it.
type Moves struct {
	Anchors   []string        `json:"anchors"`
	Tags      []string        `json:"tags"`
	Relations []relation.Edge `json:"relations"`
	// Incoming are the topics whose relations lead to the survivor then.
	Incoming []Redirect `json:"incoming"`
	// Mentions are the topics that keep naming the duplicate in their text, which is not rewritten: it leads to the survivor.
	Mentions []string `json:"mentions"`
}

// Redirect is a topic whose relations are led to the survivor: at once, by a suggested edit where it is Knowledge, or once the
// survivor's own suggested edit is merged.
type Redirect struct {
	Slug       string `json:"slug"`
	Applied    string `json:"applied"` // immediate, suggested_edit or waits
	ProposalID string `json:"proposal_id,omitempty"`
}

func (s *Service) mergeTopicsOp() op.Operation {
	return op.Write(op.Spec{
		Tool: "driftless_context_merge", ID: "topics.merge", Title: "Merge a duplicate",
		Doc: "Archive a duplicate: its anchors, tags and relations go to the survivor, its words do not. For Knowledge, once a suggested edit is merged. " +
			`Example: {"source":"retry-billing","into":"billing-retries","dry_run":true}`,
		Scope: tenant.WorkWrite, Role: tenant.Member, Effect: op.Destroys, REST: "POST /topics/{source}/merge", CLI: "context merge <source> <into>",
		Rules: op.Rules{"source": op.Length(1, 200), "into": op.Length(1, 200)},
	}, s.mergeTopics)
}

// mergeTopics needs who may archive the source. Nothing becomes authoritative by it: a survivor that is Knowledge, and
// Knowledge that points at the source, get suggested edits. The source is archived, from where it can be restored, once the survivor
// has what it held; a private draft, which nobody else was led to, at once.
func (s *Service) mergeTopics(_ context.Context, tx *pg.Tx, in mergeTopicsIn) (Merged, error) {
	if in.Source == in.Into {
		return Merged{}, fault.Fieldf("into", "a topic cannot be merged into itself")
	}
	source, err := load(tx, in.Source, false)
	if err != nil {
		return Merged{}, err
	}
	into, err := load(tx, in.Into, false)
	if err != nil {
		return Merged{}, err
	}
	if _, err := decide(source, tx.Actor(), Archive); err != nil {
		return Merged{}, err
	}
	if source.IsPrivate != into.IsPrivate && into.IsPrivate {
		return Merged{}, fault.New(fault.State, fault.CodeStateConflict, "the survivor is private: others would lose the topic",
			"propose it first, or merge the other way round")
	}
	d, err := s.document(tx, source.Slug)
	if err != nil {
		return Merged{}, err
	}
	out := Merged{
		Source: source.Slug, Into: into.Slug, DryRun: in.DryRun, Moves: moves(source.Content, into),
		NextAction: &op.Next{Tool: "driftless_context_get", Arguments: map[string]any{"topic": into.Slug}, Why: "read the survivor; words worth keeping are yours to carry over"},
	}
	out.Moves.Mentions = slices.DeleteFunc(append([]string{}, d.MentionedBy...), func(slug string) bool { return slug == into.Slug })
	if err := s.absorb(tx, source, into, &out); err != nil {
		return Merged{}, err
	}
	out.Waits = out.Applied == "suggested_edit" && !source.IsPrivate
	if err := s.redirect(tx, source, into, &out); err != nil || in.DryRun {
		return out, err
	}
	if out.Waits {
		out.NextAction = &op.Next{
			Tool: "driftless_context_merge_proposal", Arguments: map[string]any{"proposal": out.ProposalID}, Why: "once a person merges the edit, the duplicate is archived",
		}
		err = postpone(tx, out.ProposalID, source)
	} else {
		err = archiveMerged(tx, source, into)
	}
	if err != nil {
		return out, err
	}
	if d, err = s.document(tx, into.Slug); err != nil {
		return out, err
	}
	v := d.View(Brief, tx.Actor())
	out.Topic = &v
	return out, nil
}

// moves is what the survivor does not have yet.
func moves(source Content, into *Topic) Moves {
	have := into.Content
	return Moves{
		Anchors: missing(source.Anchors, have.Anchors), Tags: missing(source.Tags, have.Tags),
		Relations: slices.DeleteFunc(missing(source.Relations, have.Relations), func(e relation.Edge) bool { return e.To == into.Slug }),
		Incoming:  []Redirect{}, Mentions: []string{},
	}
}

// missing lists what is in one list and not in another.
func missing[T comparable](from, have []T) []T {
	out := []T{}
	for _, item := range from {
		if !slices.Contains(have, item) {
			out = append(out, item)
		}
	}
	return out
}

// absorb gives the survivor what moves.
func (s *Service) absorb(tx *pg.Tx, source, into *Topic, out *Merged) error {
	m := out.Moves
	w := act{op: "topics.merge", event: "topic.absorbed", summary: "merged with " + source.Slug, detail: map[string]any{"source": source.Slug}}
	if source.IsPrivate && !into.IsPrivate {
		// Others read this history.
		w.summary, w.detail = "merged with a private draft", nil
	}
	done, err := s.rewrite(tx, into, rewrite{
		act: w,
		change: func(c Content) (Content, error) {
			c.Anchors = slices.Concat(c.Anchors, missing(m.Anchors, c.Anchors))
			c.Tags = slices.Concat(c.Tags, missing(m.Tags, c.Tags))
			c.Relations = slices.Concat(c.Relations, missing(m.Relations, c.Relations))
			return c, nil
		},
		dry: out.DryRun || len(m.Anchors)+len(m.Tags)+len(m.Relations) == 0, tell: true, lasting: true,
	})
	if err != nil {
		return err
	}
	out.Applied, out.ProposalID = done.Applied, done.ProposalID
	switch {
	case out.Applied != "":
	case len(done.Changes) == 0:
		out.Applied = "unchanged"
	case into.Status == Reviewed && !filing(done.Changes):
		out.Applied = "suggested_edit"
	default:
		out.Applied = "immediate"
	}
	return nil
}

// redirect leads the relations of others from the duplicate to the survivor.
func (s *Service) redirect(tx *pg.Tx, source, into *Topic, out *Merged) error {
	pointing, err := relation.Pointing(tx, source.ID)
	if err != nil {
		return err
	}
	for _, slug := range pointing {
		if slug == into.Slug {
			continue
		}
		if out.Waits {
			out.Moves.Incoming = append(out.Moves.Incoming, Redirect{Slug: slug, Applied: "waits"})
			continue
		}
		other, err := load(tx, slug, false)
		if err != nil {
			return err
		}
		w, err := s.rewrite(tx, other, rewrite{
			act:    act{op: "topics.merge", event: "topic.updated", summary: source.Slug + " was merged into " + into.Slug},
			change: func(c Content) (Content, error) { return redirected(c, source.Slug, into.Slug), nil },
			dry:    out.DryRun, lasting: true,
		})
		if err != nil {
			return err
		}
		r := Redirect{Slug: slug, Applied: w.Applied, ProposalID: w.ProposalID}
		switch {
		case out.DryRun && other.Status == Reviewed:
			r.Applied = "suggested_edit"
		case out.DryRun:
			r.Applied = "immediate"
		}
		out.Moves.Incoming = append(out.Moves.Incoming, r)
	}
	return nil
}

// redirected is a content whose relations lead elsewhere.
func redirected(c Content, from, to string) Content {
	edges := slices.Clone(c.Relations)
	for i := range edges {
		if edges[i].To == from {
			edges[i].To = to
		}
	}
	c.Relations = distinctEdges(edges)
	return c
}

// archiveMerged puts the duplicate away with a pointer to the survivor.
func archiveMerged(tx *pg.Tx, source, into *Topic) error {
	source.MergedInto = &into.ID
	err := source.putAway(tx, Archive, act{op: "topics.merge", event: "topic.merged", summary: "merged into " + into.Slug, detail: map[string]any{"into": into.Slug}})
	if err != nil {
		return err
	}
	return pointAt(tx, source.ID, into.ID)
}
