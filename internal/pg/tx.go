package pg

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"driftless/internal/fault"
	"driftless/internal/tenant"
)

// Mode says whether a transaction may write.
type Mode int

// The two modes. A write in a ReadOnly transaction is an error of ours, refused by the database.
const (
	ReadWrite Mode = iota
	ReadOnly
)

// attempts bounds how often a transaction that lost a serialization race is run; the last error is answered.
const attempts = 4

// Tx is a transaction behind one of the doors. It is for one goroutine and dies with the function it was given to.
type Tx struct {
	ctx   context.Context
	orm   *gorm.DB
	actor tenant.Actor
	now   time.Time
}

// Actor is who acts, with the role read inside this transaction. In a system transaction it is the zero actor.
func (tx *Tx) Actor() tenant.Actor { return tx.actor }

// Now is the one time of this transaction, UTC, in whole microseconds as the database keeps it.
func (tx *Tx) Now() time.Time { return tx.now }

// Context is the context of the transaction.
func (tx *Tx) Context() context.Context { return tx.ctx }

// Store is the mapper of this transaction. Only files called store.go use it.
func (tx *Tx) Store() *gorm.DB { return tx.orm }

// Queue is this transaction as the queue of jobs takes it; a job is there when the transaction is, or not at all. Only package
// job uses it.
func (tx *Tx) Queue() (*sql.Tx, error) {
	plain, ok := tx.orm.Statement.ConnPool.(*sql.Tx)
	if !ok {
		return nil, fmt.Errorf("the transaction is a %T", tx.orm.Statement.ConnPool)
	}
	return plain, nil
}

// Workspace runs fn in one transaction inside the actor's workspace. The role the actor holds is read again there, and fn
// sees that one. fn may run more than once when the database asks for a retry, so it must not act outside.
// Errors are faults; an actor without a membership gets the same answer as for a workspace that does not exist.
func (db *DB) Workspace(ctx context.Context, actor tenant.Actor, mode Mode, fn func(*Tx) error) error {
	return db.retry(ctx, mode, func(tx *Tx) error {
		role := ""
		system := actor.Via == tenant.ViaSystem
		var who any
		if actor.Person != uuid.Nil {
			who = actor.Person
		}
		err := tx.orm.Raw(`select enter_workspace(?, ?, ?, false)`, actor.Workspace, who, system).Scan(&role).Error
		if err != nil {
			return err
		}
		if !system {
			if role == "" {
				return fault.Missing("workspace", actor.Slug)
			}
			actor.Role = tenant.Role(role)
		}
		tx.actor = actor
		return fn(tx)
	})
}

// Configured is what holds for public knowledge in a workspace whose owner saved nothing.
type Configured struct {
	Enabled bool
	Tags    []string
}

// Public runs fn in one read-only transaction for somebody without an account, on what the owner of the workspace opened. No
// workspace is entered: every table of one is empty there, and what is open is read with the functions of the database that know it.
// The actor has a workspace and no person, scope or role. A workspace that is closed and one that does not exist get the same answer.
func (db *DB) Public(ctx context.Context, actor tenant.Actor, c Configured, fn func(*Tx) error) error {
	return db.retry(ctx, ReadOnly, func(tx *Tx) error {
		var open struct{ ID *uuid.UUID }
		if err := tx.orm.Raw(`select enter_public(?, ?, ?) as id`, actor.Slug, c.Enabled, Strings(c.Tags)).Scan(&open).Error; err != nil {
			return err
		}
		if open.ID == nil {
			return fault.New(fault.NotFound, fault.CodeNotFound, "there is no public knowledge here", "ask whoever gave you the address")
		}
		tx.actor = tenant.Actor{Caller: tenant.Caller{Via: actor.Via, RequestID: actor.RequestID}, Workspace: *open.ID, Slug: actor.Slug}
		return fn(tx)
	})
}

// System runs fn in one transaction over the global tables. Where person is not nil the person's own memberships and
// pending confirmations are visible; no other row of a workspace ever is.
func (db *DB) System(ctx context.Context, person uuid.UUID, fn func(*Tx) error) error {
	return db.retry(ctx, ReadWrite, func(tx *Tx) error {
		if person != uuid.Nil {
			if err := tx.orm.Exec(`select set_config('app.person_id', ?, true)`, person.String()).Error; err != nil {
				return err
			}
		}
		return fn(tx)
	})
}

func (db *DB) retry(ctx context.Context, mode Mode, fn func(*Tx) error) error {
	var err error
	for range attempts {
		now := time.Now().UTC().Truncate(time.Microsecond)
		err = db.orm.WithContext(ctx).Transaction(func(orm *gorm.DB) error {
			return fn(&Tx{ctx: ctx, orm: orm, now: now})
		}, &sql.TxOptions{ReadOnly: mode == ReadOnly})
		if err == nil || !transient(err) || ctx.Err() != nil {
			break
		}
	}
	if err == nil {
		return nil
	}
	var known *fault.Error
	if errors.As(err, &known) {
		return err
	}
	return translate(err)
}

// Savepoint runs fn so that its failure undoes only its own writes and the transaction around it lives on.
func (tx *Tx) Savepoint(fn func(*Tx) error) error {
	return tx.orm.Transaction(func(orm *gorm.DB) error {
		inner := *tx
		inner.orm = orm
		return fn(&inner)
	})
}

// Enter turns a system transaction into our own work in one workspace, so that founding a workspace, or adding somebody to
// one, is a single transaction with what it does to the global tables.
func (tx *Tx) Enter(workspace, person uuid.UUID, via tenant.Via) error {
	role := ""
	var who any
	if person != uuid.Nil {
		who = person
	}
	if err := tx.orm.Raw(`select enter_workspace(?, ?, true, false)`, workspace, who).Scan(&role).Error; err != nil {
		return err
	}
	tx.actor = tenant.Actor{
		Caller: tenant.Caller{Person: person, Via: via}, Workspace: workspace, Role: tenant.Role(role),
	}
	return nil
}

// Beside runs fn in another workspace of the same person, within this transaction, and comes back to this one. The role is the
// one that they hold there; without one the answer is that of a workspace that does not exist.
func (tx *Tx) Beside(m tenant.Membership, fn func(*Tx) error) error {
	enter := func(workspace uuid.UUID) (role string, err error) {
		err = tx.orm.Raw(`select enter_workspace(?, ?, false, false)`, workspace, tx.actor.Person).Scan(&role).Error
		return role, err
	}
	role, err := enter(m.Workspace)
	if err != nil {
		return err
	}
	if role == "" {
		return fault.Missing("workspace", m.Slug)
	}
	inner := *tx
	inner.actor = tx.actor.In(m)
	inner.actor.Role = tenant.Role(role)
	if err := fn(&inner); err != nil {
		return err
	}
	_, err = enter(tx.actor.Workspace)
	return err
}

// JSON runs a query whose rows have one JSON column, and gives each to scan. The same query serves [Batch.JSON], so that a
// document is read in one way however it is asked for.
func (tx *Tx) JSON(scan func([]byte) error, query string, args ...any) error {
	rows, err := tx.orm.Raw(query, args...).Rows() //nolint:rowserrcheck // eachJSON ends with it
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	return eachJSON(rows, scan)
}
