package retrieve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"driftless/internal/obs"
)

const (
	// keepEvery is how often the indexes that changed much are written.
	keepEvery = time.Minute
	// A snapshot is written anew after so many events, and one for so many topics: applying what came since has to stay cheap, and
	// so has writing.
	keepAfter   = 200
	keepPerMany = 20
)

// Keep writes the snapshots of indexes that changed much, until ctx ends. Without a folder it does nothing.
func (s *Service) Keep(ctx context.Context) {
	if s.files.dir == "" {
		return
	}
	s.files.tidy()
	tick := time.NewTicker(keepEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.keepAll(ctx, (*space).wantsSaving)
		}
	}
}

// Close writes the snapshots of all indexes that changed, until ctx ends: what is not written then is built or brought up to date
// after the start. The service may still be used.
func (s *Service) Close(ctx context.Context) {
	if s.files.dir != "" {
		s.keepAll(ctx, (*space).changed)
	}
	s.saving.Wait()
}

// changed reports whether a snapshot would hold anything new; wantsSaving whether it would hold enough to be written now.
func (sp *space) changed() bool {
	sp.mu.RLock()
	defer sp.mu.RUnlock()
	return sp.asOf == present && sp.index != nil && sp.index.known != sp.saved
}

func (sp *space) wantsSaving() bool {
	if !sp.changed() {
		return false
	}
	sp.mu.RLock()
	defer sp.mu.RUnlock()
	return sp.saved == unsaved || sp.index.known-sp.saved > max(keepAfter, int64(len(sp.index.topics)/keepPerMany))
}

// keepAll writes the indexes that want it, the most recently used first.
func (s *Service) keepAll(ctx context.Context, wants func(*space) bool) {
	s.mu.Lock()
	all := make([]*space, 0, len(s.spaces))
	for e := s.recent.Front(); e != nil; e = e.Next() {
		all = append(all, e.Value.(*space))
	}
	s.mu.Unlock()
	for _, sp := range all {
		if ctx.Err() != nil {
			return
		}
		if wants(sp) {
			s.keep(ctx, sp)
		}
	}
}

// keepInBackground writes an index that was dropped, so that it need not be built again.
func (s *Service) keepInBackground(sp *space) {
	if s.files.dir == "" {
		return
	}
	s.saving.Go(func() {
		if sp.changed() {
			s.keep(context.Background(), sp)
		}
	})
}

// keep writes one index. That it cannot be is a loss of time after the next start and nothing else.
func (s *Service) keep(ctx context.Context, sp *space) {
	if err := hold(ctx, s.turn); err != nil {
		return
	}
	defer func() { <-s.turn }()
	began := time.Now()
	size, err := s.write(ctx, sp)
	if err != nil {
		s.metrics.Snapshot(obs.SnapshotFailed)
		s.log.Warn("index not kept", "workspace", sp.workspace, "error", err)
		return
	}
	s.metrics.Snapshot(obs.SnapshotWritten)
	s.log.Debug("index kept", "workspace", sp.workspace, "bytes", size, "took", time.Since(began))
}

func (s *Service) write(ctx context.Context, sp *space) (size int, err error) {
	sp.mu.RLock()
	known, raw := sp.index.known, sp.index.pack()
	sp.mu.RUnlock()
	hash, err := s.hashAt(ctx, sp.workspace, known)
	if err != nil {
		return 0, err
	}
	if err := s.files.save(sp.workspace, raw, mark{known, hash}); err != nil {
		return 0, err
	}
	sp.mu.Lock()
	defer sp.mu.Unlock()
	sp.saved = known
	return len(raw), nil
}

// restore takes the index of a workspace from its snapshot; it still has to follow what happened since. An error means that it has to be
// built.
func (s *Service) restore(ctx context.Context, sp *space) error {
	if s.files.dir == "" {
		return errNoSnapshot
	}
	err := s.make(sp, obs.FromSnapshot, func() (*index, error) {
		ix, m, err := s.files.load(sp.workspace)
		if err != nil {
			return nil, err
		}
		return ix, s.checkMark(ctx, sp.workspace, m)
	})
	switch {
	case errors.Is(err, errNoSnapshot):
	case err != nil:
		s.metrics.Snapshot(obs.SnapshotRefused)
		s.log.Info("snapshot of an index not used", "workspace", sp.workspace, "reason", err)
	default:
		s.metrics.Snapshot(obs.SnapshotLoaded)
	}
	return err
}

// checkMark refuses the snapshot of another state of the database.
func (s *Service) checkMark(ctx context.Context, workspace uuid.UUID, m mark) error {
	hash, err := s.hashAt(ctx, workspace, m.seq)
	if err != nil {
		return err
	}
	if !bytes.Equal(hash, m.hash) {
		return fmt.Errorf("the event %d is another one than when it was written", m.seq)
	}
	return nil
}
