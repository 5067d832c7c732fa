package topic

import (
	"context"

	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
	"driftless/internal/topic/trash"
)

type purgeIn struct {
	Topic string `json:"topic" jsonschema:"slug of a topic in the trash"`
}

func (s *Service) purgeOp() op.Operation {
	return op.Write(op.Spec{
		ID: "topics.purge", Title: "Delete for good", Doc: "Remove a topic from the trash for good, with its revisions, edits and comments. Its events stay in the log. Owners only.",
		Scope: tenant.TopicsWrite, Role: tenant.Owner, Human: true, Effect: op.Destroys,
		REST: "POST /topics/{topic}/purge", CLI: "context purge <topic>",
	}, s.purge)
}

func (s *Service) purge(_ context.Context, tx *pg.Tx, in purgeIn) (Deleted, error) {
	if err := op.NoApplication(tx.Actor(), "deleting for good"); err != nil {
		return Deleted{}, err
	}
	t, err := load(tx, in.Topic, true)
	if fault.Is(err, fault.CodeNotFound) {
		here, again := load(tx, in.Topic, false)
		if again != nil {
			return Deleted{}, again
		}
		e := fault.New(fault.State, fault.CodeStateConflict, "only what is in the trash is deleted for good", "delete it first; look at it once more before you repeat this")
		e.Current = map[string]any{"status": here.Status, "revision": here.Revision}
		return Deleted{}, e
	}
	if err != nil {
		return Deleted{}, err
	}
	err = removeForGood(tx, trash.Topic{ID: t.ID, Slug: t.Slug, IsPrivate: t.IsPrivate})
	return Deleted{Slug: t.Slug, Status: "purged"}, err
}
