package retrieve

import (
	"context"

	"github.com/google/uuid"

	"driftless/internal/label"
	"driftless/internal/pg"
	"driftless/internal/retrieve/lexical"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

// since reads what was written after a place in the workspace's sequence, and the place of the last write. It reads as our
// own work, because the index holds private drafts for their authors.
func (s *Service) since(ctx context.Context, workspace uuid.UUID, seq int64, scan func(*topic.Document) error) (head int64, err error) {
	system := tenant.System(workspace)
	err = s.db.Read(ctx, system, func(b *pg.Batch) {
		topic.QueueHead(b, system, &head)
		topic.QueueSince(b, system, seq, scan)
	})
	return head, err
}

// build reads a whole workspace into a new index, one topic at a time.
func (s *Service) build(ctx context.Context, workspace uuid.UUID) (*index, error) {
	ix := newIndex()
	var err error
	ix.shared.text.PutAll(func(yield func(lexical.DocID, lexical.Doc) bool) {
		last := int64(0)
		ix.known, err = s.since(ctx, workspace, 0, func(d *topic.Document) error {
			last = max(last, d.Seq)
			switch s := ix.learn(d); s {
			case nil:
			case ix.shared:
				yield(lexical.DocID(d.ID), words(d)) // PutAll takes everything
			default:
				s.text.Put(lexical.DocID(d.ID), words(d))
			}
			return nil
		})
		ix.known = max(ix.known, last)
	})
	if err != nil {
		return nil, err
	}
	return ix, nil
}

// knownArea refuses an area that the workspace does not have and lists those it has.
func (s *Service) knownArea(ctx context.Context, a tenant.Actor, name string) error {
	return s.db.Workspace(ctx, a, pg.ReadOnly, func(tx *pg.Tx) error {
		_, err := label.FindArea(tx, name)
		return err
	})
}

// read reads topics as the actor, with the role and the visibility in force now. It is also what refuses somebody who has
// left the workspace, so it runs when there is nothing to read, too.
func (s *Service) read(ctx context.Context, a tenant.Actor, ids []uuid.UUID) (map[uuid.UUID]*topic.Document, error) {
	docs := make(map[uuid.UUID]*topic.Document, len(ids))
	err := s.db.Read(ctx, a, func(b *pg.Batch) {
		topic.QueueByID(b, a, ids, func(d *topic.Document) error {
			docs[d.ID] = d
			return nil
		})
	})
	return docs, err
}
