package topic

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
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
		id, err := newID()
		if err != nil {
			return Written{}, err
		}
		kind = "edit.opened"
		e = editRow{
			WorkspaceID: t.WorkspaceID, ID: id, TopicID: t.ID, BaseRevision: t.Revision, AuthorID: a.Person, Via: string(a.Via),
			Client: a.Client, Status: "open", CreatedAt: tx.Now(),
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

func (s *Service) rejectEditOp() op.Operation {
	return op.Write(op.Spec{
		ID: "edits.reject", Title: "Reject a suggested edit", Doc: "Decline a suggested edit with a reason; the topic stays as it is.",
		Scope: tenant.WorkWrite, Role: tenant.Admin, REST: "POST /proposals/{proposal}/reject", CLI: "context pr reject <proposal>",
		Rules: op.Rules{"reason": op.Length(0, ItemMax)},
	}, s.rejectEdit)
}

func (s *Service) rejectEdit(_ context.Context, tx *pg.Tx, in editDecisionIn) (Decided, error) {
	if in.Reason == "" {
		return Decided{}, fault.Fieldf("reason", "required: the author learns from it")
	}
	return s.closeEdit(tx, in, "rejected")
}

func (s *Service) withdrawEditOp() op.Operation {
	return op.Write(op.Spec{
		ID: "edits.withdraw", Title: "Withdraw a suggested edit", Doc: "Take back your own suggested edit.",
		Scope: tenant.WorkWrite, Role: tenant.Member, REST: "POST /proposals/{proposal}/withdraw", CLI: "context pr withdraw <proposal>",
	}, s.withdrawEdit)
}

func (s *Service) withdrawEdit(_ context.Context, tx *pg.Tx, in editDecisionIn) (Decided, error) {
	return s.closeEdit(tx, in, "withdrawn")
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

// rebased is what the Knowledge says once a suggested edit is carried over to what it says now. Overlapping changes are a
// conflict that shows both sides and loses neither.
func rebased(tx *pg.Tx, e editRow, t *Topic, resolution map[string]any) (Content, error) {
	if _, err := decide(t, tx.Actor(), Merge); err != nil {
		return Content{}, err
	}
	base, ok, err := revisionOf(tx, t.ID, e.BaseRevision)
	if err != nil {
		return Content{}, err
	}
	if !ok {
		return Content{}, fault.Missing("revision", strconv.Itoa(e.BaseRevision))
	}
	merged, conflicts, err := rebase(base.Snapshot, e.Snapshot, t.Content, resolution)
	if err != nil {
		return Content{}, fault.Fieldf("resolution", "a value does not have the type of its field").Because(err)
	}
	if err := checkResolution(base.Snapshot, e.Snapshot, t.Content, resolution); err != nil {
		return Content{}, err
	}
	if len(conflicts) > 0 {
		x := fault.New(fault.Conflict, fault.CodeVersionConflict, "the topic and the suggested edit changed the same fields differently",
			"choose a value for each path in current.conflicts and send them as resolution")
		x.Current = map[string]any{"revision": t.Revision, "conflicts": conflicts}
		return Content{}, x
	}
	return merged, merged.normalise()
}

// checkResolution refuses a value for what is not in conflict: it would be a change that nobody suggested.
func checkResolution(base, proposed, current Content, resolution map[string]any) error {
	_, conflicts, err := rebase(base, proposed, current, nil)
	if err != nil {
		return err
	}
	paths := make([]string, 0, len(conflicts))
	for _, c := range conflicts {
		paths = append(paths, c.Path)
	}
	for path := range resolution {
		if !slices.Contains(paths, path) {
			return fault.Choice("resolution", path, paths)
		}
	}
	return nil
}

// merge takes a suggested edit into the Knowledge it is about: the other place, beside makeKnowledge, where a person's decision
// changes what is authoritative.
func merge(tx *pg.Tx, e editRow, t *Topic, resolution map[string]any, via string) error {
	merged, err := rebased(tx, e, t, resolution)
	if err != nil {
		return err
	}
	before, a, now := t.Content, tx.Actor(), tx.Now()
	t.Content = merged
	t.ApprovedBy, t.ApprovedAt, t.ApprovedVia = &a.Person, &now, &via
	e.close(tx, "merged", "")
	if err := saveEdit(tx, e); err != nil {
		return err
	}
	return save(tx, t, before, act{
		op: "edits.merge", event: "edit.merged", summary: e.Summary, decides: true,
		detail: map[string]any{"edit": e.ID, "approved_via": via},
	})
}
