package topic

import (
	"fmt"
	"slices"

	"github.com/google/uuid"

	"driftless/internal/evidence"
	"driftless/internal/label"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// ImportAction is what an import did with a topic.
type ImportAction string

// The actions.
const (
	ImportCreated   ImportAction = "created"
	ImportUpdated   ImportAction = "updated"
	ImportSuggested ImportAction = "suggested"
	ImportUnchanged ImportAction = "unchanged"
)

// Incoming is what a file says about a topic now.
type Incoming struct {
	// Topic is the slug of the topic that the file stands for; empty founds a new one.
	Topic string
	// Slug is the wished slug of a new topic. Where it is not Fixed and taken, -2, -3 … is appended.
	Slug  string
	Fixed bool
	// Base is what the file said when it was last imported. Only what changed since is carried over, so that what people
	// changed in the topic meanwhile stays. Nil means that nothing is known: then the file replaces what it speaks of.
	Base *Content
	// Content is what the file says now. Its relations are slugs.
	Content Content
}

// Imported is what an import did. ID is nil where nothing was looked at, because the file says what it said before. Content is
// what the file says, in the form to give as the next base.
type Imported struct {
	ID      uuid.UUID
	Slug    string
	Action  ImportAction
	Content Content
	Notes   []string
}

// Import writes what a file says: a new topic is a visible draft, a draft or proposed note changes at once, and Knowledge gets
// a suggested edit. Limits, anchors and secrets are refused as on any other write; a relation that does not hold is left out
// and noted.
func (s *Service) Import(tx *pg.Tx, in Incoming) (Imported, error) {
	lift(&in.Content)
	if err := in.Content.normalise(); err != nil {
		return Imported{}, err
	}
	tags, err := label.Tags(in.Content.Tags)
	if err != nil {
		return Imported{}, err
	}
	slices.Sort(tags)
	in.Content.Tags, in.Content.Relations = tags, distinctEdges(in.Content.Relations)
	if in.Topic != "" && in.Base != nil && len(Diff(*in.Base, in.Content)) == 0 {
		// The usual case of a second import; what the file says was screened when it was new.
		return Imported{Slug: in.Topic, Action: ImportUnchanged, Content: in.Content}, nil
	}
	if err := refuseSecrets(in.Content.texts()...); err != nil {
		return Imported{}, err
	}
	if in.Topic == "" {
		return importNew(tx, in)
	}
	return s.importInto(tx, in)
}

func importNew(tx *pg.Tx, in Incoming) (Imported, error) {
	t := &Topic{Slug: in.Slug, Status: Draft, Content: in.Content}
	if t.Slug == "" {
		t.Slug = Slugify(in.Content.Title)
	}
	out := Imported{Action: ImportCreated, Content: in.Content}
	var err error
	if out.Notes, err = relateImported(tx, &t.Content, t); err != nil {
		return out, err
	}
	out.Content.Relations = t.Content.Relations
	if err := found(tx, t, !in.Fixed, act{op: "imports.apply", event: "topic.created", summary: "imported"}); err != nil {
		return out, err
	}
	out.ID, out.Slug = t.ID, t.Slug
	return out, nil
}

func (s *Service) importInto(tx *pg.Tx, in Incoming) (Imported, error) {
	t, err := load(tx, in.Topic, false)
	if err != nil {
		return Imported{}, err
	}
	out := Imported{ID: t.ID, Slug: t.Slug, Action: ImportUnchanged, Content: in.Content}
	if out.Notes, err = relateImported(tx, &out.Content, t); err != nil {
		return out, err
	}
	current := t.Content
	var open *editRow
	if t.Status == Reviewed {
		// One's own open edit is extended, so that several imports make one thing to review.
		e, ok, err := ownOpenEdit(tx, t)
		if err != nil {
			return out, err
		}
		if ok {
			open, current = &e, e.Snapshot
		}
	}
	target, err := carry(in.Base, out.Content, current)
	if err != nil {
		return out, err
	}
	if err := evidence.NoTwoAnswers(target.Solutions); err != nil {
		return out, err
	}
	if len(Diff(current, target)) == 0 || len(Diff(t.Content, target)) == 0 {
		return out, nil
	}
	if t.Status == Archived {
		out.Notes = append(out.Notes, "the topic is archived and stays as it is")
		return out, nil
	}
	if a := tx.Actor(); !a.HasScope(tenant.TopicsWrite) && (t.AuthorID != a.Person || t.Revision > 1) {
		// To complete what one has just imported belongs to creating it.
		return out, op.MissingScope(tenant.TopicsWrite)
	}
	if t.Status == Reviewed {
		out.Action = ImportSuggested
		_, err := s.suggest(tx, t, target, open, "the imported file changed", Written{})
		return out, err
	}
	if _, err := decide(t, tx.Actor(), Update); err != nil {
		return out, err
	}
	out.Action = ImportUpdated
	before := t.Content
	t.Content = target
	t.voidVerdict()
	return out, save(tx, t, before, act{op: "imports.apply", event: "topic.updated", summary: "the imported file changed"})
}

// carry brings what a file says into the content that a topic has. Where both changed the same text, the file wins: the
// earlier text is a revision. Filing is the people's: a file that names no area, tags, owners or date takes none away.
func carry(base *Content, now, current Content) (Content, error) {
	if base == nil {
		merged := now
		if len(merged.Relations) == 0 {
			merged.Relations = current.Relations
		}
		merged.Owners = current.Owners
		if merged.Area == "" {
			merged.Area = current.Area
		}
		if len(merged.Tags) == 0 {
			merged.Tags = current.Tags
		}
		if merged.ReviewBy == "" {
			merged.ReviewBy = current.ReviewBy
		}
		return merged, nil
	}
	resolution := map[string]any{}
	_, conflicts, err := rebase(*base, now, current, nil)
	if err != nil {
		return current, fmt.Errorf("carry an imported change over: %w", err)
	}
	for _, c := range conflicts {
		resolution[c.Path] = c.Proposed
	}
	merged, _, err := rebase(*base, now, current, resolution)
	if err != nil {
		return current, fmt.Errorf("carry an imported change over: %w", err)
	}
	return merged, nil
}

// relateImported keeps the relations that hold, and notes the others.
func relateImported(tx *pg.Tx, c *Content, self *Topic) (notes []string, err error) {
	wanted := c.Relations
	c.Relations = nil
	results, err := relate(tx, c, self, wanted, nil)
	if err != nil {
		return nil, err
	}
	for _, r := range results {
		if !r.OK {
			notes = append(notes, fmt.Sprintf("the relation %s %s is left out: %s", r.Type, r.To, r.Error))
		}
	}
	return notes, nil
}
