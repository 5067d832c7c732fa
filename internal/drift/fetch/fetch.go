// Package fetch owns the work on mirrors: a job has git bring what a branch is now, and tells drift the same that 'driftless sync' would.
//
// It refuses to look at code by itself: files, renames and fingerprints go through the same doors as those of a checkout, and of what a
// fetch fails on only words for people are kept.
package fetch

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"path/filepath"
	"slices"
	"time"

	"driftless/internal/anchor/ctags"
	"driftless/internal/anchor/fingerprint"
	"driftless/internal/config"
	"driftless/internal/drift"
	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/job"
	"driftless/internal/pg"
	"driftless/internal/source"
	"driftless/internal/source/mirror"
	"driftless/internal/source/repo"
	"driftless/internal/tenant"
)

const (
	// atOnce is how many mirrors one process fetches at the same time; the other jobs have to get on.
	atOnce = 2
	// wait is how long a fetch is put off that finds no place.
	wait = 10 * time.Second
	// movedMax is how many contents are brought to find what was renamed with changes. Beyond it only files that moved unchanged are known.
	movedMax = 2000
	// batchPrints is how many fingerprints are stored in one transaction.
	batchPrints = 2000
)

// Service fetches the mirrors of one server.
type Service struct {
	db      *pg.DB
	sources *source.Service
	clones  mirror.Clones
	slots   chan struct{}
	ctags   string
}

// Option changes how mirrors are reached.
type Option func(*mirror.Clones)

// WithClones changes what the configuration says about clones.
func WithClones(change func(*mirror.Clones)) Option { return change }

// New makes the service. Clones are kept in the data folder.
func New(db *pg.DB, sources *source.Service, c config.Config, options ...Option) *Service {
	s := &Service{
		db: db, sources: sources, slots: make(chan struct{}, atOnce), ctags: c.Ctags,
		clones: mirror.Clones{Dir: filepath.Join(c.DataDir, "mirrors"), Limits: mirror.Limits{Bytes: c.MirrorBytes, Time: c.MirrorTimeout}},
	}
	for _, text := range c.MirrorInside {
		if network, err := netip.ParsePrefix(text); err == nil { // the configuration was checked
			s.clones.Guard.Inside = append(s.clones.Guard.Inside, network)
		}
	}
	for _, option := range options {
		option(&s.clones)
	}
	return s
}

// Work says how the jobs of this package are done.
func (s *Service) Work(w *job.Workers) {
	job.Work(w, func(ctx context.Context, f source.Fetch) error {
		select {
		case s.slots <- struct{}{}:
			defer func() { <-s.slots }()
			return s.Do(ctx, f)
		default:
			return job.Later(wait)
		}
	})
}

// Do fetches a mirror once and keeps what came of it; it is the job. A failure that would be the same at once waits for the next hour.
func (s *Service) Do(ctx context.Context, f source.Fetch) error {
	var src source.Source
	var m source.Mirror
	var began time.Time
	known := map[string]string{}
	err := s.inside(ctx, f, func(tx *pg.Tx) (err error) {
		began = tx.Now()
		if src, err = source.Pick(tx, f.Source.String()); err != nil {
			return err
		}
		var is bool
		if m, is, err = source.MirrorOf(tx, src.ID); err != nil || !is {
			return cmp.Or(err, error(fault.Missing("mirror of", src.Name)))
		}
		heads, err := source.Heads(tx)
		for _, h := range heads {
			if h.SourceID == src.ID {
				known[h.Branch] = h.Head
			}
		}
		return err
	})
	if fault.Is(err, fault.CodeNotFound) {
		return errors.Join(s.clones.Remove(f.Source.String()), job.GiveUp(errors.New("the repository is not mirrored any more")))
	}
	if err != nil || m.TriedAt != nil && !m.TriedAt.Before(m.AskedAt) {
		return err
	}
	keys, failed := s.fetch(ctx, src, m, known)
	var refusal *mirror.RefusalError
	problem := ""
	if errors.As(failed, &refusal) {
		problem = refusal.Reason
	} else if failed != nil {
		return failed
	}
	err = s.inside(context.WithoutCancel(ctx), f, func(tx *pg.Tx) error { return source.Tried(tx, src.ID, began, keys, problem) })
	if err == nil && refusal != nil {
		return job.GiveUp(refusal)
	}
	return err
}

func (s *Service) inside(ctx context.Context, f source.Fetch, do func(*pg.Tx) error) error {
	return s.db.Workspace(ctx, tenant.System(f.Workspace), pg.ReadWrite, do)
}

// fetch brings the tracked branches and tells of each that is another than before.
func (s *Service) fetch(ctx context.Context, src source.Source, m source.Mirror, known map[string]string) (hostKeys string, err error) {
	remote, err := s.sources.Remote(m)
	if err != nil {
		return "", err
	}
	clone, err := s.clones.Open(ctx, src.ID.String(), remote)
	if err != nil {
		return "", err
	}
	defer clone.Close()
	now, err := clone.Fetch(ctx, src.Tracks)
	if err != nil {
		return "", err
	}
	if now.Heads[src.DefaultBranch] == "" {
		reason := "the repository has no branch " + src.DefaultBranch
		if now.Default != "" {
			reason += "; its default branch is " + now.Default + ": connect it again with that"
		}
		return now.HostKeys, &mirror.RefusalError{Reason: reason, Lasting: true}
	}
	for _, branch := range slices.Sorted(maps.Keys(now.Heads)) {
		if err := s.tell(ctx, src, clone, branch, now.Heads[branch], known[branch]); err != nil {
			return now.HostKeys, err
		}
	}
	return now.HostKeys, nil
}

// tell says what a branch is now. One whose commit is known is told without its files, so that fingerprints which an
// earlier attempt did not bring are brought now.
func (s *Service) tell(ctx context.Context, src source.Source, clone *mirror.Clone, branch, head, known string) error {
	c := drift.Commit{Branch: branch, Head: head}
	at := clone.Checkout()
	committed, err := at.Committed(ctx, head)
	if err != nil {
		return err
	}
	c.CommittedAt = time.Unix(committed, 0)
	if head != known {
		if c.Files, err = at.Tree(ctx, head); err != nil {
			return err
		}
		if len(c.Files) > repo.FilesMax {
			return &mirror.RefusalError{Reason: fmt.Sprintf("the repository has %d files; at most %d are followed", len(c.Files), repo.FilesMax), Lasting: true}
		}
		c.Files = append(repo.Tree{}, c.Files...)
		if known != "" {
			if moved := at.Moved(ctx, known, head); len(moved) > 0 && len(moved) <= movedMax {
				if err := clone.Contents(ctx, moved); err != nil {
					return err
				}
			}
			c.Renames = at.Renames(ctx, known, head)
		}
	}
	f := source.Fetch{Workspace: src.WorkspaceID, Source: src.ID}
	var out drift.Synced
	err = s.inside(ctx, f, func(tx *pg.Tx) error {
		if err := event.Lock(tx); err != nil {
			return err
		}
		out, err = drift.Arrive(tx, src, c)
		return err
	})
	if err != nil || len(out.Want) == 0 {
		return err
	}
	return s.prints(ctx, f, src, clone, c, out.Want)
}

// prints takes the fingerprints that are wanted, as far as the host has the contents.
func (s *Service) prints(ctx context.Context, f source.Fetch, src source.Source, clone *mirror.Clone, c drift.Commit, wants []drift.Want) error {
	byBlob, ids := map[string]drift.Want{}, make([]string, 0, len(wants))
	for _, w := range wants {
		byBlob[w.Blob] = w
		ids = append(ids, w.Blob)
	}
	if err := clone.Contents(ctx, ids); err != nil {
		return err
	}
	tags := ctags.New(s.ctags)
	defer tags.Close()
	var batch []drift.PrintIn
	send := func(more bool) error {
		err := s.inside(ctx, f, func(tx *pg.Tx) error {
			if err := event.Lock(tx); err != nil {
				return err
			}
			_, err := drift.Bring(tx, src, c, slices.Clone(batch), nil, more)
			return err
		})
		batch = nil
		return err
	}
	err := clone.Checkout().Blobs(ctx, ids, fingerprint.ContentMax, func(id string, content []byte) error {
		w := byBlob[id]
		for _, p := range tags.Prints(ctx, w.Path, content, w.Symbols) {
			units := base64.StdEncoding.EncodeToString(fingerprint.PackUnits(p.Units))
			batch = append(batch, drift.PrintIn{Blob: id, Symbol: p.Symbol, Absent: p.Absent, Hash: p.Hash, Signature: p.Signature, Units: units, Method: p.Method})
		}
		if len(batch) < batchPrints {
			return nil
		}
		return send(true)
	})
	if err != nil {
		return err
	}
	return send(false)
}
