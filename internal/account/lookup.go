package account

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// Lookup is one look for the caller behind a credential. It is for one use.
type Lookup struct {
	// Queue asks for a batch over the global tables.
	Queue func(*pg.Batch)
	// Found is the caller, and when the credential was last used, once the batch is answered. Where there is none, it has no person.
	Found func() (caller tenant.Caller, used time.Time)
	// Touch notes that the credential was used.
	Touch func(*pg.Tx) error
	// Now is the time of the look; zero means that of the clock.
	Now time.Time
}

// lastUseStep is how fine the last use of a credential is kept: writing it on every call would cost more than the call.
const lastUseStep = time.Minute

// Look finds the caller behind a credential in one round trip, and notes the use where the last one is long ago.
func Look(ctx context.Context, db *pg.DB, l Lookup) (caller tenant.Caller, ok bool, err error) {
	if err := db.ReadGlobal(ctx, l.Queue); err != nil {
		return caller, false, err
	}
	caller, used := l.Found()
	if caller.Person == uuid.Nil {
		return tenant.Caller{}, false, nil
	}
	if l.Now.IsZero() {
		l.Now = time.Now()
	}
	if l.Now.Sub(used) > lastUseStep {
		if err := db.System(ctx, uuid.Nil, l.Touch); err != nil {
			return tenant.Caller{}, false, fmt.Errorf("note the use of a credential: %w", err)
		}
	}
	return caller, true, nil
}

// rememberedMax is how many callers are remembered; beyond it any of them makes room.
const rememberedMax = 50_000

// Callers finds the callers behind credentials. Whoever was found is remembered for as long as their last use is kept, which saves
// a round trip: a read may begin as the caller that was here a moment ago, if it asks in its own transaction, before anything
// else, whether that is still true. Nothing is decided by what is remembered alone.
type Callers struct {
	db   *pg.DB
	look func(secret string) (Lookup, bool)

	mu   sync.Mutex
	last map[[sha256.Size]byte]remembered
}

type remembered struct {
	caller tenant.Caller
	until  time.Time
}

// NewCallers makes the callers; look is false for what cannot be a credential.
func NewCallers(db *pg.DB, look func(secret string) (Lookup, bool)) *Callers {
	return &Callers{db: db, look: look, last: map[[sha256.Size]byte]remembered{}}
}

// Find looks for the caller behind a credential in one round trip.
func (c *Callers) Find(ctx context.Context, secret string) (caller tenant.Caller, ok bool, err error) {
	l, ok := c.look(secret)
	if !ok {
		return caller, false, nil
	}
	caller, ok, err = Look(ctx, c.db, l)
	if err != nil {
		return caller, false, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	key := sha256.Sum256([]byte(secret))
	if !ok {
		delete(c.last, key)
		return caller, false, nil
	}
	if len(c.last) >= rememberedMax {
		for other := range c.last {
			delete(c.last, other)
			break
		}
	}
	c.last[key] = remembered{caller, time.Now().Add(lastUseStep)}
	return caller, true, nil
}

// Recalled is a caller as they were a moment ago.
type Recalled struct {
	Caller tenant.Caller
	prove  func(*pg.Batch)
	proven *atomic.Bool
	db     *pg.DB
}

// Recall answers who was behind a credential; ok is false where that is not remembered.
func (c *Callers) Recall(secret string) (r Recalled, ok bool) {
	c.mu.Lock()
	known, ok := c.last[sha256.Sum256([]byte(secret))]
	c.mu.Unlock()
	if !ok || time.Now().After(known.until) {
		return r, false
	}
	proven := new(atomic.Bool)
	return Recalled{Caller: known.caller, db: c.db, proven: proven, prove: func(b *pg.Batch) {
		l, _ := c.look(secret)
		l.Queue(b)
		b.Then(func() error {
			now, _ := l.Found()
			if !now.Same(known.caller) {
				return fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "the credential has changed", "send the call again")
			}
			proven.Store(true)
			return nil
		})
	}}, true
}

// Within makes the first batch of the context prove the caller ahead of all that it reads.
func (r Recalled) Within(ctx context.Context) context.Context { return pg.Ahead(ctx, r.prove) }

// Proven reports whether the caller is still who they were. Where no batch has asked it does.
func (r Recalled) Proven(ctx context.Context) bool {
	return r.proven.Load() || r.db.ReadGlobal(ctx, r.prove) == nil
}
