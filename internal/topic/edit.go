package topic

import (
	"fmt"

	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/notice"
	"driftless/internal/op"
	"driftless/internal/pg"
)

// suggest opens or extends the actor's suggested edit of a piece of Knowledge. The topic itself stays as it is.
func (s *Service) suggest(tx *pg.Tx, t *Topic, target Content, open *editRow, summary string, w Written) (Written, error) {
	if _, err := decide(t, tx.Actor(), SuggestEdit); err != nil {
		return Written{}, err
	}
	if err := target.normalise(); err != nil {
		return Written{}, err
	}
	base, a := t.Content, tx.Actor()
	var e editRow
	kind := "edit.extended"
	if open != nil {
		e = *open
		r, ok, err := revisionOf(tx, t.ID, e.BaseRevision)
		if err != nil {
			return Written{}, err
		}
		if ok {
			base = r.Snapshot
		}
	} else {
		kind = "edit.opened"
		e = editRow{
			WorkspaceID: t.WorkspaceID, ID: pg.NewID(), TopicID: t.ID, BaseRevision: t.Revision, AuthorID: a.Person, Via: string(a.Via),
			Client: a.Client, Status: "open", CreatedAt: tx.Now(),
		}
	}
	if open != nil && e.BaseRevision != t.Revision {
		settled, ok, err := overrule(base, e.Snapshot, target, t.Content)
		if err != nil {
			return Written{}, err
		}
		if ok {
			target, base, e.BaseRevision = settled, t.Content, t.Revision
		}
	}
	changes := Diff(base, target)
	if len(changes) == 0 {
		return Written{}, fault.Fieldf("topic", "the edit changes nothing")
	}
	same := open != nil && e.ContentHash == target.Hash() && len(Diff(e.Snapshot, target)) == 0
	e.Snapshot, e.Changes, e.ContentHash, e.UpdatedAt = target, changes, target.Hash(), tx.Now()
	if summary != "" {
		e.Summary = summary
	}
	switch {
	case same:
	case open == nil:
		if err := insertEdit(tx, e); err != nil {
			return Written{}, err
		}
	default:
		if err := saveEdit(tx, e); err != nil {
			return Written{}, err
		}
	}
	if !same {
		if _, err := event.Append(tx, "edits.suggest", kind, &t.ID, map[string]any{"edit": e.ID, "summary": e.Summary}); err != nil {
			return Written{}, err
		}
		if err := askReviewOf(tx, t, e); err != nil {
			return Written{}, err
		}
	}
	w.Applied, w.ProposalID = "suggested_edit", e.ID.String()
	w, err := s.written(tx, t, w)
	w.NextAction = &op.Next{
		Tool: "driftless_context_proposals", Arguments: map[string]any{"kind": "edits"}, Why: "the edit waits for a reviewer",
	}
	return w, err
}

type editDecisionIn struct {
	Proposal string `json:"proposal" jsonschema:"id of the suggested edit"`
	Reason   string `json:"reason,omitempty" jsonschema:"why"`
}

// Decided is the answer to a decision about a suggested edit.
type Decided struct {
	ProposalID string `json:"proposal_id"`
	Status     string `json:"status"`
	Topic      *View  `json:"topic,omitempty"`
}

func (s *Service) closeEdit(tx *pg.Tx, in editDecisionIn, status string) (Decided, error) {
	e, t, err := loadEdit(tx, in.Proposal)
	if err != nil {
		return Decided{}, err
	}
	if e.Status != "open" {
		return Decided{}, editClosed(e)
	}
	if status == "withdrawn" && e.AuthorID != tx.Actor().Person {
		return Decided{}, fault.New(fault.Forbidden, fault.CodeInsufficientRole, "only its author may withdraw an edit",
			"an owner or admin can reject it instead")
	}
	e.close(tx, status, in.Reason)
	if err := saveEdit(tx, e); err != nil {
		return Decided{}, err
	}
	_, err = event.Append(tx, "edits."+status, "edit."+status, &t.ID, map[string]any{"edit": e.ID, "reason": in.Reason})
	if err == nil {
		// Who withdrew it is its author, and knows.
		err = tellAuthor(tx, notice.Rejected, t, e.AuthorID, e.ID.String())
	}
	return Decided{ProposalID: e.ID.String(), Status: status}, err
}

func (e *editRow) close(tx *pg.Tx, status, reason string) {
	now, by := tx.Now(), tx.Actor().Person
	e.Status, e.Reason, e.DecidedBy, e.DecidedAt, e.UpdatedAt = status, reason, &by, &now, now
}

func editClosed(e editRow) error {
	x := fault.New(fault.State, fault.CodeStateConflict, fmt.Sprintf("the suggested edit is %s already", e.Status),
		"read the topic as it is now; suggest another edit if one is needed")
	x.Current = map[string]any{"status": e.Status}
	return x
}
