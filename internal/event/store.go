package event

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"driftless/internal/pg"
	"driftless/internal/tenant"
)

func lockHead(tx *pg.Tx) (seq int64, hash []byte, err error) {
	var head struct {
		Seq  int64
		Hash []byte
	}
	err = tx.Store().Raw(`select seq, hash from workspace_head where workspace_id = ? for update`, tx.Actor().Workspace).
		Scan(&head).Error
	if err != nil {
		return 0, nil, fmt.Errorf("lock the head of the workspace: %w", err)
	}
	return head.Seq, head.Hash, nil
}

func insert(tx *pg.Tx, e Event) error {
	err := tx.Store().Exec(`insert into event
		(workspace_id, seq, id, type, topic_id, detail, person_id, via, client, op, request_id, at, prev_hash, hash)
		values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		e.Workspace, e.Seq, e.ID, e.Type, e.Topic, string(e.Detail), e.Person, e.Via, e.Client, e.Op, e.RequestID, e.At,
		e.PrevHash, e.Hash).Error
	if err != nil {
		return fmt.Errorf("append an event: %w", err)
	}
	err = tx.Store().Exec(`update workspace_head set seq = ?, hash = ? where workspace_id = ?`, e.Seq, e.Hash, e.Workspace).Error
	if err != nil {
		return fmt.Errorf("move the head of the workspace: %w", err)
	}
	return nil
}

// Row is an event as it is read, with the names a person needs.
type Row struct {
	Seq         int64
	ID          uuid.UUID
	Type        string
	TopicSlug   *string
	Detail      []byte
	PersonName  *string
	PersonEmail *string
	Via         string
	Client      string
	At          time.Time
}

// Filter narrows a listing. Zero values do not filter. Before is exclusive and pages backwards; After is exclusive, and turns
// the order round.
type Filter struct {
	Topic  *uuid.UUID
	Types  []string
	Since  time.Time
	Before int64
	After  *int64
	Limit  int
}

// List reads events newest first, or oldest first where the filter has After.
func List(tx *pg.Tx, f Filter) ([]Row, error) {
	q := tx.Store().Table("event e").
		Select(`e.seq, e.id, e.type, t.slug as topic_slug, e.detail, p.name as person_name, p.email as person_email, e.via, e.client, e.at`).
		Joins("left join topic t on t.workspace_id = e.workspace_id and t.id = e.topic_id").
		Joins("left join person p on p.id = e.person_id").
		Where("e.workspace_id = ?", tx.Actor().Workspace).Limit(f.Limit)
	if f.After != nil {
		q = q.Where("e.seq > ?", *f.After).Order("e.seq")
	} else {
		q = q.Order("e.seq desc")
	}
	if f.Topic != nil {
		q = q.Where("e.topic_id = ?", *f.Topic)
	}
	if len(f.Types) > 0 {
		q = q.Where("e.type in ?", f.Types)
	}
	if !f.Since.IsZero() {
		q = q.Where("e.at >= ?", f.Since)
	}
	if f.Before > 0 {
		q = q.Where("e.seq < ?", f.Before)
	}
	var rows []Row
	if err := q.Scan(&rows).Error; err != nil {
		return nil, fmt.Errorf("read events: %w", err)
	}
	return rows, nil
}

// QueueUntil reads the number and the time of the last event up to a moment that the actor may see. They stay as they are where there
// is none.
func QueueUntil(b *pg.Batch, a tenant.Actor, moment time.Time, seq *int64, at *time.Time) {
	queuePlace(b, seq, at, `e.at <= ?`, a.Workspace, moment)
}

// QueueUpTo reads the same up to a number.
func QueueUpTo(b *pg.Batch, a tenant.Actor, number int64, seq *int64, at *time.Time) {
	queuePlace(b, seq, at, `e.seq <= ?`, a.Workspace, number)
}

// QueueHash reads the hash of the event of a number; it stays as it is where there is none.
func QueueHash(b *pg.Batch, a tenant.Actor, number int64, hash *[]byte) {
	b.Query(func(rows pg.Rows) error {
		for rows.Next() {
			if err := rows.Scan(hash); err != nil {
				return err
			}
		}
		return rows.Err()
	}, `select e.hash from event e where e.workspace_id = ? and e.seq = ?`, a.Workspace, number)
}

func queuePlace(b *pg.Batch, seq *int64, at *time.Time, where string, args ...any) {
	b.Query(func(rows pg.Rows) error {
		for rows.Next() {
			if err := rows.Scan(seq, at); err != nil {
				return err
			}
		}
		return rows.Err()
	}, `select e.seq, e.at from event e where e.workspace_id = ? and `+where+` order by e.seq desc limit 1`, args...)
}

// head is the number of the last event of a workspace, in one round trip.
func head(ctx context.Context, db *pg.DB, workspace uuid.UUID) (seq int64, err error) {
	err = db.Read(ctx, tenant.System(workspace), func(b *pg.Batch) {
		b.Query(func(rows pg.Rows) error {
			for rows.Next() {
				if err := rows.Scan(&seq); err != nil {
					return err
				}
			}
			return rows.Err()
		}, `select seq from workspace_head where workspace_id = ?`, workspace)
	})
	if err != nil {
		return 0, fmt.Errorf("read the head of a workspace: %w", err)
	}
	return seq, nil
}

// Verify walks the chain of the actor's workspace from the beginning and checks each entry against the one before it, and
// the last one against the head, and the head that was kept, if any. Run it as [tenant.System], which sees every entry.
func Verify(tx *pg.Tx, kept Kept) (Report, error) {
	w := walk{kept: kept}
	if err := read(tx, w.entry); err != nil {
		return w.Report, err
	}
	seq, head, err := headOf(tx)
	if err != nil {
		return w.Report, err
	}
	return w.end(seq, head), nil
}

// read hands out the entries of the workspace in the order of their numbers.
func read(tx *pg.Tx, each func(Event)) error {
	rows, err := tx.Store().Raw(`select workspace_id, seq, id, type, topic_id, detail, person_id, via, client, op, request_id, at,
		prev_hash, hash from event where workspace_id = ? order by seq`, tx.Actor().Workspace).Rows()
	if err != nil {
		return fmt.Errorf("read the chain: %w", err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var e Event
		var detail []byte
		if err := rows.Scan(&e.Workspace, &e.Seq, &e.ID, &e.Type, &e.Topic, &detail, &e.Person, &e.Via, &e.Client, &e.Op,
			&e.RequestID, &e.At, &e.PrevHash, &e.Hash); err != nil {
			return fmt.Errorf("read an entry of the chain: %w", err)
		}
		e.Detail = detail
		each(e)
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read the chain: %w", err)
	}
	return nil
}

func headOf(tx *pg.Tx) (int64, []byte, error) {
	var head struct {
		Seq  int64
		Hash []byte
	}
	err := tx.Store().Raw(`select seq, hash from workspace_head where workspace_id = ?`, tx.Actor().Workspace).Scan(&head).Error
	if err != nil {
		return 0, nil, fmt.Errorf("read the head of the workspace: %w", err)
	}
	return head.Seq, head.Hash, nil
}

// Lock takes the workspace's place in the order of writes without writing yet. A write that decides by what it reads calls
// it first, so that writers of one workspace wait here and cannot deadlock over rows.
func Lock(tx *pg.Tx) error {
	_, _, err := lockHead(tx)
	return err
}
