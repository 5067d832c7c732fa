package pg

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"driftless/internal/fault"
	"driftless/internal/tenant"
)

// Rows is what a queued query answers.
type Rows = pgx.Rows

// Batch collects the queries of one [DB.Read]. Only files called store.go queue anything.
type Batch struct {
	inner pgx.Batch
	last  *pgx.QueuedQuery
	scan  func(Rows) error // of the last
}

// Query queues one query, with ? for each argument as everywhere; scan runs with its rows when the batch is answered, in
// the order of queueing.
func (b *Batch) Query(scan func(Rows) error, query string, args ...any) {
	b.last, b.scan = b.inner.Queue(numbered(query), native(args)...), scan
	b.last.Query(scan)
}

// native writes ids as the type that the driver knows: it would ask ours for its text, and read that again, which takes longer than
// everything else it does to send a query.
func native(args []any) []any {
	out := make([]any, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case uuid.UUID:
			out[i] = pgtype.UUID{Bytes: arg, Valid: true}
		case []uuid.UUID:
			ids := make([]pgtype.UUID, len(arg))
			for i, id := range arg {
				ids[i] = pgtype.UUID{Bytes: id, Valid: true}
			}
			out[i] = ids
		default:
			out[i] = arg
		}
	}
	return out
}

// Then runs fn when the query that was queued last has been answered; its error ends the batch.
func (b *Batch) Then(fn func() error) {
	scan := b.scan
	b.last.Query(func(rows Rows) error {
		if err := scan(rows); err != nil {
			return err
		}
		return fn()
	})
}

// JSON queues a query whose rows have one JSON column, and gives each to scan.
func (b *Batch) JSON(scan func([]byte) error, query string, args ...any) {
	b.Query(func(rows Rows) error { return eachJSON(rows, scan) }, query, args...)
}

// cursor is what the rows of the mapper and those of a batch have in common.
type cursor interface {
	Next() bool
	Scan(into ...any) error
	Err() error
}

// eachJSON gives the one column of every row to scan.
func eachJSON(rows cursor, scan func([]byte) error) error {
	for rows.Next() {
		var raw []byte
		if err := rows.Scan(&raw); err != nil {
			return err
		}
		if err := scan(raw); err != nil {
			return err
		}
	}
	return rows.Err()
}

// numbered writes the parameters ?, ?, … the way the wire protocol names them: $1, $2, …
func numbered(query string) string {
	var out strings.Builder
	n := 0
	for part := range strings.SplitSeq(query, "?") {
		if n > 0 {
			out.WriteString("$" + strconv.Itoa(n))
		}
		out.WriteString(part)
		n++
	}
	return out.String()
}

// ahead is what a context has to be asked first.
type ahead struct {
	queue func(*Batch)
	asked atomic.Bool
}

type aheadKey struct{}

// Ahead makes the first [DB.Read] of the context ask this before anything else, in its own round trip and transaction. An error
// of it is that of the Read, and nothing else of it is answered then.
func Ahead(ctx context.Context, queue func(*Batch)) context.Context {
	return context.WithValue(ctx, aheadKey{}, &ahead{queue: queue})
}

// Read enters the actor's workspace and runs the queued queries in one round trip, as one read-only transaction. It is
// the door for hot reads: about four times the throughput of a transaction of its own for a point read.
func (db *DB) Read(ctx context.Context, actor tenant.Actor, queue func(*Batch)) error {
	var b Batch
	if first, ok := ctx.Value(aheadKey{}).(*ahead); ok && first.asked.CompareAndSwap(false, true) {
		first.queue(&b)
	}
	var who any
	if actor.Person != uuid.Nil {
		who = actor.Person
	}
	system := actor.Via == tenant.ViaSystem
	b.inner.Queue(`select enter_workspace($1, $2, $3, true)`, native([]any{actor.Workspace, who, system})...).QueryRow(func(row pgx.Row) error {
		var role string
		if err := row.Scan(&role); err != nil {
			return err
		}
		if role == "" && !system {
			return fault.Missing("workspace", actor.Slug)
		}
		return nil
	})
	queue(&b)
	return db.send(ctx, &b)
}

// ReadGlobal runs queries over the global tables in one round trip, as one transaction. Authentication uses it: its first
// query may set app.person_id locally, and the next one then sees that person's memberships.
func (db *DB) ReadGlobal(ctx context.Context, queue func(*Batch)) error {
	var b Batch
	queue(&b)
	return db.send(ctx, &b)
}

func (db *DB) send(ctx context.Context, b *Batch) error {
	err := db.pool.SendBatch(ctx, &b.inner).Close()
	if err == nil {
		return nil
	}
	var known *fault.Error
	if errors.As(err, &known) {
		return err
	}
	return translate(err)
}
