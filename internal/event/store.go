package event

import (
	"bytes"
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

// Report is what checking a chain found.
type Report struct {
	Entries int64
	// Head is the hash of the last entry, hexadecimal; keep it to detect a truncation later.
	Head string
	// FirstBad is the sequence number of the first entry that does not fit or is missing at the end, 0 when all are there
	// and fit; Reason says why.
	FirstBad int64
	Reason   string
}

// Verify walks the chain of the actor's workspace from the beginning and checks each entry against the one before it, and
// the last one against the head. Run it as [tenant.System], which sees every entry.
func Verify(tx *pg.Tx) (Report, error) {
	var r Report
	rows, err := tx.Store().Raw(`select workspace_id, seq, id, type, topic_id, detail, person_id, via, client, op, request_id, at,
		prev_hash, hash from event where workspace_id = ? order by seq`, tx.Actor().Workspace).Rows()
	if err != nil {
		return r, fmt.Errorf("read the chain: %w", err)
	}
	defer func() { _ = rows.Close() }()
	bad := func(seq int64, reason string) {
		if r.FirstBad == 0 {
			r.FirstBad, r.Reason = seq, reason
		}
	}
	var before []byte
	for rows.Next() {
		var e Event
		var detail []byte
		if err := rows.Scan(&e.Workspace, &e.Seq, &e.ID, &e.Type, &e.Topic, &detail, &e.Person, &e.Via, &e.Client, &e.Op,
			&e.RequestID, &e.At, &e.PrevHash, &e.Hash); err != nil {
			return r, fmt.Errorf("read an entry of the chain: %w", err)
		}
		e.Detail = detail
		r.Entries++
		switch {
		case e.Seq != r.Entries:
			bad(e.Seq, "an entry before it is missing")
		case !bytes.Equal(e.PrevHash, before):
			bad(e.Seq, "it does not continue the entry before it")
		case !bytes.Equal(e.Hash, e.digest()):
			bad(e.Seq, "its content was changed")
		}
		before = e.Hash
	}
	if err := rows.Err(); err != nil {
		return r, fmt.Errorf("read the chain: %w", err)
	}
	seq, head, err := headOf(tx)
	if err != nil {
		return r, err
	}
	switch {
	case seq > r.Entries:
		bad(r.Entries+1, "the last entries are missing")
	case seq < r.Entries:
		bad(seq+1, "the head does not fit the last entry")
	case !bytes.Equal(head, before):
		bad(max(seq, 1), "the head does not fit the last entry")
	}
	r.Head = fmt.Sprintf("%x", before)
	return r, nil
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
