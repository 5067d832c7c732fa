package event

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"driftless/internal/pg"
)

// glance is how often a process asks whether a workspace that is watched has new events. It is half of the second within which
// a reader learns of one.
const glance = 500 * time.Millisecond

// Watch tells readers in this process that there is something to read in their workspace. It asks once for a workspace, however
// many read there, and not at all where nobody does. It says nothing about the events themselves: who is told reads them from a
// cursor, with their own authority. No connection is held, so a pooler in transaction mode may stand before the database.
type Watch struct {
	db    *pg.DB
	every time.Duration

	mu      sync.Mutex
	watched map[uuid.UUID]*readers
}

// readers are those of one workspace, and the end of the loop that asks for them.
type readers struct {
	signals map[chan struct{}]struct{}
	stop    context.CancelFunc
}

// NewWatch watches nothing yet.
func NewWatch(db *pg.DB) *Watch {
	return &Watch{db: db, every: glance, watched: map[uuid.UUID]*readers{}}
}

// Join answers a channel that receives at once, and again whenever events were committed since it received last; several that
// come together are one. leave ends it, and has to be called once.
func (w *Watch) Join(workspace uuid.UUID) (news <-chan struct{}, leave func()) {
	signal := make(chan struct{}, 1)
	signal <- struct{}{}
	w.mu.Lock()
	defer w.mu.Unlock()
	of := w.watched[workspace]
	if of == nil {
		ctx, stop := context.WithCancel(context.Background())
		of = &readers{signals: map[chan struct{}]struct{}{}, stop: stop}
		w.watched[workspace] = of
		go w.look(ctx, workspace, of)
	}
	of.signals[signal] = struct{}{}
	return signal, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(of.signals, signal)
		if len(of.signals) == 0 {
			of.stop()
			delete(w.watched, workspace)
		}
	}
}

// look asks for the head of a workspace until it is told to stop. What it cannot learn now it learns the next time. The first
// answer is told too: it may be younger than what the readers that came at once have read.
func (w *Watch) look(ctx context.Context, workspace uuid.UUID, of *readers) {
	tick := time.NewTicker(w.every)
	defer tick.Stop()
	for last := int64(-1); ; {
		if head, err := head(ctx, w.db, workspace); err == nil && head != last {
			last = head
			w.tell(of)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (w *Watch) tell(of *readers) {
	w.mu.Lock()
	all := slices.Collect(maps.Keys(of.signals))
	w.mu.Unlock()
	for _, signal := range all {
		select {
		case signal <- struct{}{}:
		default: // it was told already, and has not looked yet
		}
	}
}
