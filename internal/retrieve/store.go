package retrieve

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"driftless/internal/event"
	"driftless/internal/evidence"
	"driftless/internal/label"
	"driftless/internal/pg"
	"driftless/internal/relation"
	"driftless/internal/source"
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

// progressEvery is after how many topics the log says how far the building of an index is.
const progressEvery = 20_000

// build reads a whole workspace into a new index, one topic at a time.
func (s *Service) build(ctx context.Context, workspace uuid.UUID) (*index, error) {
	ix := newIndex()
	last, began := int64(0), time.Now()
	err := ix.gather(func(take func(*topic.Document)) (err error) {
		ix.known, err = s.since(ctx, workspace, 0, func(d *topic.Document) error {
			last = max(last, d.Seq)
			take(d)
			s.metrics.Read(1)
			if n := len(ix.topics); n%progressEvery == 0 && n > 0 {
				s.log.Info("index is being made", "workspace", workspace, "topics", n, "took", time.Since(began))
			}
			return nil
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	ix.known = max(ix.known, last)
	return ix, nil
}

// buildAsOf reads a workspace as it was at a place in its sequence into a new index.
func (s *Service) buildAsOf(ctx context.Context, at place) (*index, error) {
	ix, system := newIndex(), tenant.System(at.workspace)
	ix.known = at.asOf
	// Each topic names the relations that lead away from it, so they are told once all topics are there.
	edges := map[string][]link{}
	err := ix.gather(func(take func(*topic.Document)) error {
		return s.db.Read(ctx, system, func(b *pg.Batch) {
			topic.QueueAsOf(b, system, at.asOf, nil, func(d *topic.Document) error {
				for _, e := range d.Outgoing {
					edges[d.Slug] = append(edges[d.Slug], link{relation.Type(e.Type), e.Slug})
				}
				take(d)
				return nil
			})
		})
	})
	if err != nil {
		return nil, err
	}
	for slug, out := range edges {
		for _, l := range out {
			if ix.slugs[l.Slug] != nil {
				ix.edges.connect(slug, l.Type, l.Slug)
			}
		}
	}
	return ix, nil
}

// hashAt is the hash of the event at a place in the sequence, empty where there is none.
func (s *Service) hashAt(ctx context.Context, workspace uuid.UUID, seq int64) (hash []byte, err error) {
	system := tenant.System(workspace)
	err = s.db.Read(ctx, system, func(b *pg.Batch) { event.QueueHash(b, system, seq, &hash) })
	return hash, err
}

// readVectors reads the vectors of a workspace that were made since a time.
func (s *Service) readVectors(ctx context.Context, workspace uuid.UUID, since time.Time, scan func(uuid.UUID, []byte)) error {
	system := tenant.System(workspace)
	return s.db.Read(ctx, system, func(b *pg.Batch) {
		b.Query(func(rows pg.Rows) error {
			for rows.Next() {
				var id uuid.UUID
				var bytes []byte
				if err := rows.Scan(&id, &bytes); err != nil {
					return err
				}
				scan(id, bytes)
			}
			return rows.Err()
		}, `select topic_id, vector from embedding where workspace_id = ? and model = ? and at >= ?`, workspace, s.dense.embedder.Model(), since)
	})
}

// missing reads topics that have no vector of their revision, and how many there are.
func (s *Service) missing(ctx context.Context, workspace uuid.UUID) (docs []*topic.Document, left int, err error) {
	system := tenant.System(workspace)
	var ids []uuid.UUID
	err = s.db.Read(ctx, system, func(b *pg.Batch) {
		b.Query(func(rows pg.Rows) error {
			for rows.Next() {
				var id uuid.UUID
				if err := rows.Scan(&id, &left); err != nil {
					return err
				}
				ids = append(ids, id)
			}
			return rows.Err()
		}, `select t.id, count(*) over () from topic t left join embedding e on e.workspace_id = t.workspace_id and e.topic_id = t.id and e.model = ?
			where t.workspace_id = ? and t.status not in ('archived', 'trash') and e.revision is distinct from t.revision order by t.id limit ?`,
			s.dense.embedder.Model(), workspace, embedBatch)
	})
	if err != nil || len(ids) == 0 {
		return nil, 0, err
	}
	found, err := s.read(ctx, system, ids)
	for _, d := range found {
		docs = append(docs, d)
	}
	return docs, left, err
}

// keepVectors stores the vectors of topics.
func (s *Service) keepVectors(ctx context.Context, workspace uuid.UUID, docs []*topic.Document, vectors [][]float32) error {
	return s.db.Workspace(ctx, tenant.System(workspace), pg.ReadWrite, func(tx *pg.Tx) error {
		for i, d := range docs {
			err := tx.Store().Exec(`insert into embedding (workspace_id, topic_id, model, revision, vector, at) values (?, ?, ?, ?, ?, ?)
				on conflict (workspace_id, topic_id, model) do update set revision = excluded.revision, vector = excluded.vector, at = excluded.at`,
				workspace, d.ID, s.dense.embedder.Model(), d.Revision, quantize(vectors[i]), tx.Now()).Error
			if err != nil {
				return fmt.Errorf("keep a vector: %w", err)
			}
		}
		return nil
	})
}

// workspaces are the ids of all.
func (s *Service) workspaces(ctx context.Context) (ids []uuid.UUID, err error) {
	err = s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		return tx.Store().Raw(`select id from workspace order by id`).Scan(&ids).Error
	})
	return ids, err
}

// lastRevision is the place of the last revision up to a place in the sequence.
func (s *Service) lastRevision(ctx context.Context, workspace uuid.UUID, seq int64) (last int64, err error) {
	system := tenant.System(workspace)
	err = s.db.Read(ctx, system, func(b *pg.Batch) { topic.QueueLastRevision(b, system, seq, &last) })
	return last, err
}

// places reads what the workspace knows about a state that is asked for.
func (s *Service) places(ctx context.Context, a tenant.Actor, q asked) (k places, err error) {
	err = s.db.Read(ctx, a, func(b *pg.Batch) {
		topic.QueueHead(b, a, &k.head)
		if q.isTime {
			event.QueueUntil(b, a, q.moment, &k.Sequence, &k.At)
			return
		}
		if q.number >= 0 {
			event.QueueUpTo(b, a, q.number, &k.Sequence, &k.At)
		}
		if commit.MatchString(q.commit) {
			source.QueueCommits(b, a, q.commit, &k.commits)
		}
		source.QueueLatestCommits(b, a, 5, &k.latest)
	})
	k.At = k.At.UTC()
	return k, err
}

// known reads what is known about the solutions of topics.
func (s *Service) known(ctx context.Context, a tenant.Actor, ids []uuid.UUID) (map[uuid.UUID]evidence.Known, error) {
	out := make(map[uuid.UUID]evidence.Known, len(ids))
	err := s.db.Read(ctx, a, func(b *pg.Batch) {
		evidence.QueueKnownOf(b, a, ids, func(k evidence.Known) { out[k.Topic] = k })
	})
	return out, err
}

// areaNames are the names of the areas, by what makes two of them the same.
func (s *Service) areaNames(ctx context.Context, a tenant.Actor) (map[string]string, error) {
	out := map[string]string{}
	err := s.db.Read(ctx, a, func(b *pg.Batch) {
		label.QueueAreaNames(b, a, func(name string) { out[areaKey(name)] = name })
	})
	return out, err
}

// knownArea refuses an area that the workspace does not have and lists those it has.
func (s *Service) knownArea(ctx context.Context, a tenant.Actor, name string) error {
	return s.db.Workspace(ctx, a, pg.ReadOnly, func(tx *pg.Tx) error {
		_, err := label.FindArea(tx, name)
		return err
	})
}

// readAt reads topics as they were at a moment, or now where it is nil, as the actor may see them.
func (s *Service) readAt(ctx context.Context, a tenant.Actor, m *Moment, ids []uuid.UUID) (map[uuid.UUID]*topic.Document, error) {
	if m == nil {
		return s.read(ctx, a, ids)
	}
	docs := make(map[uuid.UUID]*topic.Document, len(ids))
	err := s.db.Read(ctx, a, func(b *pg.Batch) {
		topic.QueueAsOf(b, a, m.held, ids, func(d *topic.Document) error {
			docs[d.ID] = d
			return nil
		})
	})
	return docs, err
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
