package topic

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// QueueSince reads, in the order of writing, every topic of the actor's workspace that was written after a place in the
// workspace's sequence, in whatever state it is now: derived indexes follow it. Zero reads all.
func QueueSince(b *pg.Batch, a tenant.Actor, seq int64, scan func(*Document) error) {
	b.JSON(scanDocument(scan), documentSQL+`t.workspace_id = ? and t.seq > ? order by t.seq`, a.Workspace, seq)
}

// QueueByID reads the topics with these ids as the actor may see them, in no particular order. What is archived or in the
// trash is left out.
func QueueByID(b *pg.Batch, a tenant.Actor, ids []uuid.UUID, scan func(*Document) error) {
	b.JSON(scanDocument(scan), documentSQL+`t.workspace_id = ? and t.id = any(?) and t.status not in ('archived', 'trash')`, a.Workspace, ids)
}

// QueueSaid reads what a topic says, or what a suggested edit of it would make of it, as the actor may see it. Scan is not called
// where there is no such topic or edit.
func QueueSaid(b *pg.Batch, a tenant.Actor, slug, proposal string, scan func(topic uuid.UUID, said Content) error) {
	if proposal == "" {
		b.JSON(scanDocument(func(d *Document) error { return scan(d.ID, d.Content()) }),
			documentSQL+`t.workspace_id = ? and t.slug = ? and t.status <> 'trash'`, a.Workspace, slug)
		return
	}
	b.JSON(func(raw []byte) error {
		var e struct {
			Topic uuid.UUID `json:"topic"`
			Said  Content   `json:"said"`
		}
		if err := json.Unmarshal(raw, &e); err != nil {
			return err
		}
		return scan(e.Topic, e.Said)
	}, `select json_build_object('topic', t.id, 'said', e.snapshot)
		from suggested_edit e join topic t on t.workspace_id = e.workspace_id and t.id = e.topic_id
		where e.workspace_id = ? and t.slug = ? and e.id::text = ? and t.status <> 'trash'`, a.Workspace, slug, proposal)
}

// QueueHead reads the number of the last write of the workspace.
func QueueHead(b *pg.Batch, a tenant.Actor, seq *int64) {
	b.JSON(func(raw []byte) error { return json.Unmarshal(raw, seq) },
		`select to_json(seq) from workspace_head where workspace_id = ?`, a.Workspace)
}

func scanDocument(scan func(*Document) error) func([]byte) error {
	return func(raw []byte) error {
		d := new(Document)
		if err := json.Unmarshal(raw, d); err != nil {
			return err
		}
		return scan(d)
	}
}

// Named reads the topics with these slugs as the actor may see them, by slug. What is missing, foreign, archived or in the
// trash is left out.
func (s *Service) Named(ctx context.Context, a tenant.Actor, slugs []string) (map[string]*Document, error) {
	out := map[string]*Document{}
	err := s.db.Read(ctx, a, func(b *pg.Batch) {
		b.JSON(scanDocument(func(d *Document) error {
			out[d.Slug] = d
			return nil
		}), documentSQL+`t.workspace_id = ? and t.slug = any(?) and t.status not in ('archived', 'trash')`, a.Workspace, slugs)
	})
	return out, err
}

// InOrder reads at most limit topics with ids above this one, in the order of their ids, archived ones too, as the actor may
// see them.
func (s *Service) InOrder(ctx context.Context, a tenant.Actor, above uuid.UUID, limit int) ([]*Document, error) {
	var out []*Document
	err := s.db.Read(ctx, a, func(b *pg.Batch) {
		b.JSON(scanDocument(func(d *Document) error {
			out = append(out, d)
			return nil
		}), documentSQL+`t.workspace_id = ? and t.id > ? and t.status <> 'trash' order by t.id limit ?`, a.Workspace, above, limit)
	})
	return out, err
}
