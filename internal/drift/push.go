package drift

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"path"
	"slices"
	"time"

	"github.com/google/uuid"

	"driftless/internal/drift/cite"
	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/job"
	"driftless/internal/pg"
	"driftless/internal/source"
	"driftless/internal/source/hook"
	"driftless/internal/source/repo"
	"driftless/internal/tenant"
)

// pushed is the job that judges the topics after a push.
type pushed struct {
	Workspace uuid.UUID `json:"workspace"`
	Source    uuid.UUID `json:"source"`
	Branch    string    `json:"branch"`
}

// Kind names the job.
func (pushed) Kind() string { return "drift.push" }

// Deliver takes what a forge delivered to the hook of a repository, and reports whether there is work to do about it. Whoever is
// not entitled learns nothing, not even whether there is such a repository.
func (s *Service) Deliver(ctx context.Context, provider, id string, header http.Header, body []byte) (accepted bool, err error) {
	src, secret, err := source.ByHook(ctx, s.db, id)
	if err != nil {
		return false, err
	}
	if err := hook.Verify(provider, header, body, secret); err != nil || src.Provider != provider {
		return false, fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "the delivery is not signed with the secret of this repository",
			"connect the repository again with new_secret, and set address and secret at the forge")
	}
	if !hook.IsPush(provider, header) {
		return false, nil
	}
	push, err := hook.Parse(body)
	if err != nil {
		return false, fault.Fieldf("/", "%v", err)
	}
	if push.Branch == "" || push.Deleted {
		return false, nil
	}
	err = s.db.Workspace(ctx, tenant.System(src.WorkspaceID), pg.ReadWrite, func(tx *pg.Tx) error {
		accepted, err = deliver(tx, src, push, hook.Delivery(header, body))
		return err
	})
	return accepted, err
}

// deliver keeps a push once and puts the work down. A branch that does not count is heard of and nothing more.
func deliver(tx *pg.Tx, src source.Source, push hook.Push, delivery string) (bool, error) {
	if err := event.Lock(tx); err != nil {
		return false, err
	}
	kind := "source.pushed"
	if !src.Tracks(push.Branch) {
		kind, push.Changes = "source.heard", nil
	}
	first, err := insertDelivery(tx, src.ID, delivery, push)
	if err != nil || !first {
		return false, err
	}
	seq, err := event.Append(tx, "hooks.push", kind, nil,
		map[string]any{"source": src.ID, "branch": push.Branch, "head": push.After, "changes": countChanges(push.Changes)})
	if err != nil || kind == "source.heard" {
		return false, err
	}
	if err := source.Heard(tx, src.ID, push.Branch, push.After, seq); err != nil {
		return false, err
	}
	if err := source.FetchSoon(tx, src.ID); err != nil {
		return false, err
	}
	return true, job.Enqueue(tx, pushed{Workspace: src.WorkspaceID, Source: src.ID, Branch: push.Branch})
}

// Work says how the jobs of this package are done.
func (s *Service) Work(w *job.Workers) {
	job.Work(w, func(ctx context.Context, p pushed) error {
		err := s.db.Workspace(ctx, tenant.System(p.Workspace), pg.ReadWrite, func(tx *pg.Tx) error { return foresee(tx, p) })
		if fault.Is(err, fault.CodeNotFound) {
			return job.GiveUp(errors.New("the repository or its workspace is gone"))
		}
		return err
	})
}

// foresee judges the topics by the names of files alone: what was pushed since the last sync is laid over what that told. No content
// is known, so that a change is a touch; what is gone or moved is told at once. The next sync takes the place of all this.
func foresee(tx *pg.Tx, p pushed) error {
	if err := event.Lock(tx); err != nil {
		return err
	}
	src, err := source.Pick(tx, p.Source.String())
	if err != nil {
		return err
	}
	head, known, err := source.HeadOf(tx, src.ID, p.Branch)
	if err != nil || !known {
		return err
	}
	pushes, err := deliveriesSince(tx, head)
	if err != nil || len(pushes) == 0 {
		return err
	}
	fold, after := hook.Fold{}, ""
	for _, d := range pushes {
		if d.After == head.Head {
			// A sync has seen it; what came before it as well.
			fold, after = hook.Fold{}, ""
			continue
		}
		for _, c := range d.Changes {
			fold.Add(c)
		}
		after = d.After
	}
	if after == "" {
		return nil
	}
	changes := fold.Changes()
	where := branch{source: src, head: head}
	targets, err := targetsAt(tx, where, oldPaths(changes))
	if err != nil {
		return err
	}
	overlay(targets, changes)
	if err := overlayCited(tx, where, targets, changes); err != nil {
		return err
	}
	where.head.Head = after
	open, err := openFindings(tx, where)
	if err != nil {
		return err
	}
	// What was found about other topics stands.
	before := map[uuid.UUID][]found{}
	for _, t := range targets {
		before[t.topic] = open[t.topic]
	}
	_, err = renew(tx, "hooks.push", "hook", where, before, targets)
	return err
}

// overlay tells targets what changes did to their files, of which only the names are known.
func overlay(targets []target, changes []repo.Change) {
	byPath := map[string]repo.Change{}
	for _, c := range changes {
		byPath[oldPath(c)] = c
	}
	for i := range targets {
		t := &targets[i]
		c, is := byPath[t.nowPath]
		if !is || t.role == cited && t.kind != cite.Symbol || t.gone() && c.Status != repo.Added {
			continue
		}
		switch c.Status {
		case repo.Deleted:
			t.nowBlob = ""
		case repo.Renamed:
			t.nowPath = c.Path
		case repo.Added, repo.Modified:
			t.nowBlob, t.known = "?", false
		}
	}
}

// overlayCited takes what is cited to the files that there would be after changes.
func overlayCited(tx *pg.Tx, p branch, targets []target, changes []repo.Change) error {
	left, came, moved := ways(changes)
	if len(left)+len(came) == 0 || !slices.ContainsFunc(targets, func(t target) bool { return t.role == cited && t.symbol == "" }) {
		return nil
	}
	files, err := source.Files(tx, p.source.ID, p.head.Branch)
	if err != nil {
		return err
	}
	index := cite.NewIndex(files.Apply(changes))
	for i := range targets {
		if t := &targets[i]; t.role == cited && t.symbol == "" {
			step(t, index, moved)
		}
	}
	return nil
}

func oldPath(c repo.Change) string {
	if c.OldPath != "" {
		return c.OldPath
	}
	return c.Path
}

// oldPaths are the paths that changes are about, and the folders, with a slash at the end, that may have lost their last file.
func oldPaths(changes []repo.Change) []string {
	seen := map[string]bool{}
	for _, c := range changes {
		name := oldPath(c)
		seen[name] = true
		if c.Status != repo.Deleted && c.Status != repo.Renamed {
			continue
		}
		for folder := path.Dir(name); folder != "."; folder = path.Dir(folder) {
			seen[folder+"/"] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// deliveriesKept is how long a delivery is known again.
const deliveriesKept = 30 * 24 * time.Hour

// delivered is a push as it was kept.
type delivered struct {
	After   string
	Changes []repo.Change
}

// Sweep forgets deliveries of the workspace of this transaction that are older than 30 days.
func Sweep(tx *pg.Tx) error {
	if err := sweepDeliveries(tx, tx.Now().Add(-deliveriesKept)); err != nil {
		return fmt.Errorf("sweep deliveries: %w", err)
	}
	return nil
}
