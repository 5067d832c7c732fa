package topic

import (
	"context"
	"time"

	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// TrashTTL is how long a deleted topic can be restored.
const TrashTTL = 30 * 24 * time.Hour

type deleteIn struct {
	Topic   string `json:"topic" jsonschema:"slug"`
	Restore bool   `json:"restore,omitempty" jsonschema:"take it out of the trash"`
	// BaseRevision is what If-Match carries: a deletion meant for another text is refused.
	BaseRevision int `json:"base_revision,omitempty" jsonschema:"revision you read"`
}

// Deleted is the answer to a deletion or to its reversal.
type Deleted struct {
	Slug             string     `json:"slug"`
	Status           string     `json:"status"`
	RecoverableUntil *time.Time `json:"recoverable_until,omitempty"`
	NextAction       *op.Next   `json:"next_action,omitempty"`
}

func (s *Service) deleteOp() op.Operation {
	return op.Write(op.Spec{
		Tool: "driftless_context_delete", ID: "topics.delete", Title: "Delete a topic",
		Doc:    `Move a topic to the trash, where it stays restorable for 30 days. Example: {"topic":"old-queue"}`,
		Hidden: []string{"base_revision"},
		Scope:  tenant.TopicsWrite, Role: tenant.Member, Effect: op.Idempotent | op.Destroys,
		REST: "DELETE /topics/{topic}", CLI: "context delete <topic>",
	}, s.delete)
}

func (s *Service) delete(ctx context.Context, tx *pg.Tx, in deleteIn) (Deleted, error) {
	if in.Restore {
		return s.recover(ctx, tx, recoverIn{Topic: in.Topic})
	}
	t, err := load(tx, in.Topic, false)
	if fault.Is(err, fault.CodeNotFound) {
		gone, again := load(tx, in.Topic, true)
		switch {
		case again == nil:
			if _, err := decide(gone, tx.Actor(), Recover); err == nil {
				return gone.deleted(), nil
			}
		case !fault.Is(again, fault.CodeNotFound):
			return Deleted{}, again
		}
	}
	if err != nil {
		return Deleted{}, err
	}
	if in.BaseRevision != 0 {
		if err := checkBase(tx, t, in.BaseRevision); err != nil {
			return Deleted{}, err
		}
	}
	if err := t.putAway(tx, Delete, act{op: "topics.delete", event: "topic.trashed"}); err != nil {
		return Deleted{}, err
	}
	return t.deleted(), nil
}

func (t *Topic) deleted() Deleted {
	until := t.TrashedAt.Add(TrashTTL).UTC()
	return Deleted{
		Slug: t.Slug, Status: string(t.Status), RecoverableUntil: &until,
		NextAction: &op.Next{
			Tool: "driftless_context_delete", Arguments: map[string]any{"topic": t.Slug, "restore": true},
			Why: "take it out of the trash again",
		},
	}
}
