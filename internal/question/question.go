// Package question owns what the server asks of a client in the middle of its call, at the protocol revisions where a server
// may: the session that says what a client can be asked, the question that waits, and the answer that arrives as a request of
// its own, at this process or at another one.
//
// It refuses to keep anything in the memory of one process, to know what is asked, and to take an answer from anybody but
// the person and the session that were asked.
package question

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// Wait is the longest time that a question waits for its answer.
const Wait = 5 * time.Minute

// Open is the largest number of questions that wait under one credential.
const Open = 8

// The times between two looks for an answer. The first is short, because a program may have answered; then a person reads.
const (
	firstLook = 20 * time.Millisecond
	lastLook  = 500 * time.Millisecond
)

// Service asks, and takes answers.
type Service struct {
	db  *pg.DB
	now func() time.Time

	mu     sync.Mutex
	secret []byte

	stop    sync.Once
	stopped chan struct{}
}

// New makes a service on the database that all processes of the server share.
func New(db *pg.DB) *Service { return &Service{db: db, now: time.Now, stopped: make(chan struct{})} }

// Stop ends every wait of this process with an error, and every later one at once. A server that shuts down calls it, because
// a person may take longer than a shutdown.
func (s *Service) Stop() { s.stop.Do(func() { close(s.stopped) }) }

// Ask makes a question with an id that nobody can guess, lets send deliver it, and waits for its answer. It ends with an error
// when send fails, nobody answers within [Wait], ctx ends, the server stops, or the credential has too many that wait.
func (s *Service) Ask(ctx context.Context, caller tenant.Caller, in Session, send func(id string) error) (answer []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, Wait)
	defer cancel()
	id := rand.Text()
	err = s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		return insert(tx, row{
			ID: id, PersonID: caller.Person, Session: in.id[:], Credential: caller.Credential, ExpiresAt: tx.Now().Add(Wait),
		})
	})
	if err != nil {
		return nil, err
	}
	// Whatever comes of it, nobody answers it any more. The client may be gone already, and ctx with it.
	defer func() {
		gone, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = s.db.System(gone, uuid.Nil, func(tx *pg.Tx) error { return remove(tx, id) })
	}()
	if err := send(id); err != nil {
		return nil, fmt.Errorf("deliver a question: %w", err)
	}
	return s.await(ctx, id)
}

func (s *Service) await(ctx context.Context, id string) (answer []byte, err error) {
	err = s.Watch(ctx, func() (bool, error) {
		err := s.db.ReadGlobal(ctx, func(b *pg.Batch) { queueAnswer(b, id, &answer) })
		if fault.Is(err, fault.CodeUnavailable) { // it may pass
			err = nil
		}
		return answer != nil, err
	})
	return answer, err
}

// Watch looks again and again, ever less often, until it finds what is waited for or fails. It ends with an error when ctx ends
// or the server stops. Looking needs no connection of its own, which listening would, so a pooler may stand before the database.
func (s *Service) Watch(ctx context.Context, look func() (found bool, err error)) error {
	next := time.NewTimer(firstLook)
	defer next.Stop()
	for pause := firstLook; ; pause = min(2*pause, lastLook) {
		select {
		case <-next.C:
		case <-s.stopped:
			return fault.New(fault.Unavailable, fault.CodeUnavailable, "the server stops and waits no longer", "call again")
		case <-ctx.Done():
			return fault.New(fault.Unavailable, fault.CodeUnavailable, "there was no answer in time", "call again").Because(ctx.Err())
		}
		if found, err := look(); found || err != nil {
			return err
		}
		next.Reset(pause)
	}
}

// Answer takes the answer to a question, once. A question of somebody else, of another session, that was answered, that has
// expired or that nobody waits for any more looks like none.
func (s *Service) Answer(ctx context.Context, caller tenant.Caller, in Session, id string, answer []byte) error {
	return s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		taken, err := store(tx, caller.Person, in.id[:], id, answer)
		if err == nil && !taken {
			err = fault.Missing("question", id)
		}
		return err
	})
}

// Sweep removes questions whose process ended before it could.
func (s *Service) Sweep(ctx context.Context) error {
	return s.db.System(ctx, uuid.Nil, sweep)
}
