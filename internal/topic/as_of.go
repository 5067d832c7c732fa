package topic

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"driftless/internal/pg"
	"driftless/internal/relation"
	"driftless/internal/tenant"
)

// queueRevision reads one revision of a topic by slug in a batch.
func queueRevision(b *pg.Batch, a tenant.Actor, slug string, number int, into **revisionRow) {
	b.JSON(func(raw []byte) error {
		var r struct {
			Status      Status    `json:"status"`
			Snapshot    Content   `json:"snapshot"`
			Revision    int       `json:"revision"`
			ContentHash string    `json:"content_hash"`
			At          time.Time `json:"at"`
		}
		if err := json.Unmarshal(raw, &r); err != nil {
			return err
		}
		*into = &revisionRow{Status: r.Status, Snapshot: r.Snapshot, Revision: r.Revision, ContentHash: r.ContentHash, At: r.At}
		return nil
	}, `select json_build_object('status', r.status, 'snapshot', r.snapshot, 'revision', r.revision, 'content_hash', r.content_hash, 'at', r.at)
		from revision r join topic t on t.workspace_id = r.workspace_id and t.id = r.topic_id
		where r.workspace_id = ? and t.slug = ? and r.revision = ? and t.status <> 'trash'`, a.Workspace, slug, number)
}

// at is the document as it was at an old revision: its words and status then.
func (d *Document) at(r revisionRow) *Document {
	old := *d
	c := r.Snapshot
	old.Title, old.What, old.Body, old.Area, old.Tags = c.Title, c.What, bodyOf(c), c.Area, c.Tags
	old.Status, old.Revision, old.ContentHash, old.UpdatedAt = r.Status, r.Revision, r.ContentHash, r.At
	if old.Status != Archived && old.Status != Trash {
		old.ReturnsTo = nil
	}
	return &old
}

// asOfSQL reads topics as their last revision before a place in the sequence has them. What is in the trash now was deleted, and
// is not brought back by asking for an earlier day.
const asOfSQL = `select json_build_object('id', t.id, 'slug', t.slug, 'author_id', t.author_id, 'created_at', t.created_at,
		'seq', r.seq, 'revision', r.revision, 'status', r.status, 'content_hash', r.content_hash, 'at', r.at, 'is_private', r.is_private,
		'editor_id', r.author_id, 'snapshot', r.snapshot,
		'people', (select json_object_agg(p.id, json_build_object('name', p.name, 'email', p.email)) from person p where p.id in (t.author_id, r.author_id)))
	from topic t cross join lateral (select * from revision x where x.workspace_id = t.workspace_id and x.topic_id = t.id and x.seq <= ?
		order by x.revision desc limit 1) r
	where t.workspace_id = ? and t.status <> 'trash' and r.status not in ('archived', 'trash')`

// QueueLastRevision reads the place in the sequence of the last revision up to a place: between the two the workspace held the same.
func QueueLastRevision(b *pg.Batch, a tenant.Actor, seq int64, last *int64) {
	b.JSON(func(raw []byte) error { return json.Unmarshal(raw, last) }, `select to_json(coalesce((select r.seq from revision r
		where r.workspace_id = ? and r.seq <= ? order by r.seq desc limit 1), 0))`, a.Workspace, seq)
}

// QueueAsOf reads every topic that the actor's workspace held at a place in its sequence, with the words, the filing and the trust
// of that moment; only those with these ids where some are given. Drift, reports and what others say about a topic are not kept
// by revisions, so that they are absent; so is what may be done now. What was archived then is left out.
func QueueAsOf(b *pg.Batch, a tenant.Actor, seq int64, ids []uuid.UUID, scan func(*Document) error) {
	query, args := asOfSQL, []any{seq, a.Workspace}
	if ids != nil {
		query, args = query+` and t.id = any(?)`, append(args, ids)
	}
	b.JSON(func(raw []byte) error {
		var r struct {
			Document
			Snapshot Content   `json:"snapshot"`
			At       time.Time `json:"at"`
		}
		if err := json.Unmarshal(raw, &r); err != nil {
			return err
		}
		d := r.at(revisionRow{Status: r.Status, Snapshot: r.Snapshot, Revision: r.Revision, ContentHash: r.ContentHash, At: r.At})
		d.ReviewState, d.DriftState, d.past = "none", "fresh", true
		for _, e := range r.Snapshot.Relations {
			d.Outgoing = append(d.Outgoing, edgeRow{Type: e.Type, Slug: e.To})
		}
		return scan(d)
	}, query, args...)
}

// Superseded tells a document that was read as of an earlier moment which Knowledge replaced the topic then.
func (d *Document) Superseded(by []string) {
	for _, slug := range by {
		d.Incoming = append(d.Incoming, edgeRow{Type: string(relation.Supersedes), Slug: slug, Status: Reviewed})
	}
}
