package retrieve

import (
	"container/list"
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/obs"
	"driftless/internal/pg"
	"driftless/internal/topic"
)

// Service finds topics for one server process. It is safe for concurrent use.
type Service struct {
	db      *pg.DB
	limit   int64
	log     *slog.Logger
	metrics *obs.Indexes
	files   snapshots
	dense   dense
	saving  sync.WaitGroup
	turn    chan struct{} // holds a value while a snapshot is written

	mu     sync.Mutex
	spaces map[place]*list.Element // of *space
	recent *list.List              // most recently used first
	bytes  int64
}

// New makes the service. The indexes together hold about limitBytes; above that the one that was not used for the longest
// time is dropped and built again when it is next asked for. The one in use stays, however large. The operations of a nil
// service can be listed, not called.
func New(db *pg.DB, limitBytes int64, options ...Option) *Service {
	s := &Service{
		db: db, limit: limitBytes, spaces: map[place]*list.Element{}, recent: list.New(), turn: make(chan struct{}, 1),
		log: slog.New(slog.DiscardHandler), metrics: obs.NewMetrics().Indexes,
	}
	for _, option := range options {
		option(s)
	}
	s.metrics.Watch(s.held)
	return s
}

// Option changes how a [Service] keeps its indexes.
type Option func(*Service)

// WithObservation tells what happens to indexes.
func WithObservation(log *slog.Logger, metrics *obs.Metrics) Option {
	return func(s *Service) { s.log, s.metrics = log, metrics.Indexes }
}

// WithEmbedder adds likeness of meaning to the ranking. Without it, or with nil, words and files rank alone.
func WithEmbedder(e Embedder) Option {
	return func(s *Service) { s.dense.embedder, s.dense.vectors = e, map[uuid.UUID]*vectors{} }
}

// WithSnapshots keeps indexes in a folder between two runs of the same build of the program, which build names when it is first asked.
// Without it, or with no folder, none is kept.
func WithSnapshots(dir string, build func() string) Option {
	return func(s *Service) { s.files = snapshots{dir: dir, build: build} }
}

// held is how many indexes are in memory, and their bytes.
func (s *Service) held() (indexes int, bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.spaces), s.bytes
}

// place names an index: that of a workspace as it is now, or as it was at an earlier place in its sequence, or that of what its owner
// opened to everybody.
type place struct {
	workspace uuid.UUID
	asOf      int64 // present for the index that follows the workspace, open for what is open now
}

const (
	present = -1
	open    = -2
)

// earlier reports whether it is the index of an earlier state.
func (p place) earlier() bool { return p.asOf >= 0 }

// space is where an index is held.
type space struct {
	place
	building chan struct{} // holds a value while somebody builds
	past     chan struct{} // holds a value while somebody builds an earlier state of this workspace

	mu    sync.RWMutex // readers of the index hold it for reading
	index *index       // nil until it is built
	stale int          // changes since the size was last taken
	size  int64
	saved int64 // the place in the sequence of the snapshot
	// version is that of what is open, where this is the index of it.
	version string

	// Under the service's lock.
	users   int
	counted int64 // what of size is in the service's sum
}

// sizeEvery is after how many changes the size of an index is taken anew.
const sizeEvery = 200

// with runs fn on the workspace's index, complete up to what was committed before the call. fn must not keep anything of it
// that a change could touch.
func (s *Service) with(ctx context.Context, workspace uuid.UUID, fn func(*index)) error {
	sp := s.enter(place{workspace, present})
	defer s.leave(sp)
	if err := s.catchUp(ctx, sp); err != nil {
		return err
	}
	sp.mu.RLock()
	defer sp.mu.RUnlock()
	fn(sp.index)
	return nil
}

// enter finds or makes the space of an index and keeps it from being dropped until leave.
func (s *Service) enter(at place) *space {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.spaces[at]
	if e == nil {
		if at.earlier() {
			s.makeRoom(at.workspace)
		}
		e = s.recent.PushFront(&space{place: at, building: make(chan struct{}, 1), past: make(chan struct{}, 1)})
		s.spaces[at] = e
	}
	s.recent.MoveToFront(e)
	sp := e.Value.(*space)
	sp.users++
	return sp
}

// leave drops indexes that were not used for the longest time while all together are too large.
func (s *Service) leave(sp *space) {
	sp.mu.RLock()
	size := sp.size
	sp.mu.RUnlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	sp.users--
	s.bytes += size - sp.counted
	sp.counted = size
	for e := s.recent.Back(); e != nil && e != s.recent.Front() && s.bytes > s.limit; {
		old, before := e.Value.(*space), e.Prev()
		if old.users == 0 {
			s.drop(e)
			s.metrics.Dropped()
			s.keepInBackground(old)
		}
		e = before
	}
}

// drop lets go of an index.
func (s *Service) drop(e *list.Element) {
	sp := e.Value.(*space)
	s.recent.Remove(e)
	delete(s.spaces, sp.place)
	s.bytes -= sp.counted
}

// catchUp brings an index up to what is committed now. Readers ask the database side by side and apply what they got one
// after the other; only the first build is done once for all who wait for it.
func (s *Service) catchUp(ctx context.Context, sp *space) error {
	ix, known := sp.known()
	if ix == nil {
		if err := hold(ctx, sp.building); err != nil {
			return err
		}
		defer func() { <-sp.building }()
		// Whoever built it meanwhile may have begun before this read did.
		if ix, known = sp.known(); ix == nil {
			if err := s.restore(ctx, sp); err != nil {
				return s.rebuild(ctx, sp)
			}
			ix, known = sp.known()
		}
	}
	var docs []*topic.Document
	head, err := s.since(ctx, sp.workspace, known, func(d *topic.Document) error {
		docs = append(docs, d)
		return nil
	})
	if err != nil {
		return fmt.Errorf("follow the workspace: %w", err)
	}
	if head == known && len(docs) == 0 {
		return nil
	}
	if head < known || !sp.apply(ix, docs, head) {
		// The sequence only grows: this is another database than the one the index was read from, such as a backup.
		return s.rebuild(ctx, sp)
	}
	return nil
}

// hold waits until nobody else does what the channel stands for.
func hold(ctx context.Context, turn chan struct{}) error {
	select {
	case turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fault.New(fault.Unavailable, fault.CodeUnavailable, "the call was cancelled while the index was being built",
			"send it again").Because(ctx.Err())
	}
}

func (s *Service) rebuild(ctx context.Context, sp *space) error {
	err := s.make(sp, obs.FromDatabase, func() (*index, error) { return s.build(ctx, sp.workspace) })
	if err != nil {
		return fmt.Errorf("build the index: %w", err)
	}
	return nil
}

// unsaved is the place of a snapshot that there is not.
const unsaved = -1

// make puts a new index in a space, and tells how long it took and what it came from.
func (s *Service) make(sp *space, from string, build func() (*index, error)) error {
	began, saved := time.Now(), int64(unsaved)
	s.metrics.Began()
	ix, err := build()
	if err != nil {
		s.metrics.Failed()
		return err
	}
	took, size := time.Since(began), ix.size()
	s.metrics.Made(from, took.Seconds())
	if from == obs.FromSnapshot {
		saved = ix.known
	}
	s.log.Info("index made", "workspace", sp.workspace, "from", from, "topics", len(ix.topics), "bytes", size, "took", took)
	sp.mu.Lock()
	defer sp.mu.Unlock()
	sp.index, sp.size, sp.stale, sp.saved = ix, size, 0, saved
	return nil
}

func (sp *space) known() (*index, int64) {
	sp.mu.RLock()
	defer sp.mu.RUnlock()
	if sp.index == nil {
		return nil, 0
	}
	return sp.index, sp.index.known
}

// apply changes the index that the documents were read for; it answers false when another has taken its place.
func (sp *space) apply(ix *index, docs []*topic.Document, head int64) bool {
	sp.mu.Lock()
	defer sp.mu.Unlock()
	if sp.index != ix {
		return false
	}
	ix.apply(docs, head)
	if sp.stale += len(docs); sp.stale >= sizeEvery {
		sp.size, sp.stale = ix.size(), 0
	}
	return true
}
