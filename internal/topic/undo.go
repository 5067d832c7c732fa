package topic

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
	"driftless/internal/topic/undo"
)

type undoIn struct {
	RevisionID string `json:"revision_id" jsonschema:"from undo of the write"`
	UndoToken  string `json:"undo_token" jsonschema:"undo.token"`
}

func (s *Service) undoOp() op.Operation {
	return op.Write(op.Spec{
		Tool: "driftless_context_undo", ID: "topics.undo", Title: "Take back a change",
		Doc:   `Take back what one write of yours changed; later changes elsewhere stay. Example: {"revision_id":"0198…","undo_token":"…"}`,
		Scope: tenant.TopicsWrite, Role: tenant.Member, REST: "POST /undo", CLI: "context undo <revision_id> <undo_token>",
		Rules: op.Rules{"revision_id": op.Length(1, 100), "undo_token": op.Length(1, 200)},
	}, s.undo)
}

// undo writes, as the next revision, what reverses one revision. The token identifies and the role authorises: on what has
// become Knowledge since, the reversal is a suggested edit like any other change.
func (s *Service) undo(_ context.Context, tx *pg.Tx, in undoIn) (Written, error) {
	id, err := uuid.Parse(in.RevisionID)
	if err != nil {
		return Written{}, undo.Invalid()
	}
	// Two uses of one token at once become one after the other.
	if err := event.Lock(tx); err != nil {
		return Written{}, err
	}
	if err := undo.Redeem(tx, id, in.UndoToken); err != nil {
		return Written{}, err
	}
	after, ok, err := revisionByID(tx, id)
	if err != nil {
		return Written{}, err
	}
	before, has, err := revisionOf(tx, after.TopicID, after.Revision-1)
	if err != nil {
		return Written{}, err
	}
	if !ok || !has {
		return Written{}, undo.Invalid()
	}
	slug, err := slugOf(tx, after.TopicID)
	if err != nil {
		return Written{}, err
	}
	t, err := load(tx, slug, false)
	if err != nil {
		return Written{}, err
	}
	return s.rewrite(tx, t, rewrite{
		act:    act{op: "topics.undo", event: "topic.undone", summary: fmt.Sprintf("undo of revision %d", after.Revision), detail: map[string]any{"undone": after.Revision}},
		change: func(now Content) (Content, error) { return undone(after.Snapshot, before.Snapshot, now) },
		tell:   true,
	})
}

// undone is a content without what turned before into after. Where somebody has changed the same places since, nothing is
// taken back.
func undone(after, before, now Content) (Content, error) {
	out, conflicts, err := revert(after, before, now)
	if err != nil {
		return Content{}, fmt.Errorf("take a revision back: %w", err)
	}
	if len(conflicts) == 0 {
		return out, nil
	}
	e := fault.New(fault.Conflict, fault.CodeUndoConflict, "later changes touch the same places", "nothing was written and the token still works; write what it should say with driftless_context_patch")
	for _, c := range conflicts {
		e.Fields = append(e.Fields, fault.Field{Path: c.Path, Problem: "has changed since"})
	}
	e.Current = map[string]any{"conflicts": conflicts}
	return Content{}, e
}
