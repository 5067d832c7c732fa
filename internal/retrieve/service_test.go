package retrieve

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

func TestAReaderOnAnyProcessFindsWhatWasCommittedBefore(t *testing.T) {
	t.Parallel()
	a, owner := setup(t)
	b := serve(t, 64*mebibyte)
	markers := make([]string, 200) // far from one another, so that none passes for a misspelling of another
	for i := range markers {
		sum := sha256.Sum256([]byte{byte(i)})
		for _, b := range sum[:16] {
			markers[i] += string(rune('a' + b%26))
		}
	}
	for i := range 200 {
		writer, reader := a, b
		if i%2 == 1 {
			writer, reader = b, a
		}
		word := markers[i]
		switch i % 4 {
		case 0, 1:
			writer.create(owner, args{"title": word, "what": "Plain " + word + ".", "anchors": []string{word + "/*.go"}})
		case 2:
			slug := markers[i-2]
			writer.ok(owner, "topics.update", args{"topic": slug, "append_gotchas": []string{word}, "add_anchors": []string{word + "/*.go"}})
		case 3:
			slug := markers[i-2]
			writer.ok(owner, "topics.archive", args{"topic": slug})
			if got := found(reader.ok(owner, "context.search", args{"query": slug})); slices.Contains(got, slug) {
				t.Fatalf("read %d found the archived %s", i, slug)
			}
			continue
		}
		for _, s := range []server{reader, writer} {
			if got := found(s.ok(owner, "context.search", args{"query": word})); len(got) != 1 {
				t.Fatalf("search %d for %s found %v", i, word, got)
			}
			if got := found(s.ok(owner, "context.get_for_files", args{"files": []string{word + "/a.go"}})); len(got) != 1 {
				t.Fatalf("look-up %d of %s found %v", i, word, got)
			}
		}
	}
}

func TestManyReadersAndWritersAtOnceMissNothing(t *testing.T) {
	t.Parallel()
	_, owner := setup(t)
	servers := []server{serve(t, 64*mebibyte), serve(t, 64*mebibyte)}
	var wg sync.WaitGroup
	problems := make(chan error, 200)
	for w := range 6 {
		wg.Go(func() {
			for i := range 15 {
				word := fmt.Sprintf("w%dn%dq", w, i)
				writer, reader := servers[(w+i)%2], servers[(w+i+1)%2]
				if _, err := writer.call(owner, "topics.create", args{"title": word, "what": "Some words."}); err != nil {
					problems <- err
					continue
				}
				page, err := reader.call(owner, "context.search", args{"query": word, "limit": 1})
				if err != nil || len(found(page)) != 1 || found(page)[0] != word {
					problems <- fmt.Errorf("%s: found %v, %w", word, page, errors.Join(err, errors.New("missed")))
				}
			}
		})
	}
	wg.Wait()
	close(problems)
	for err := range problems {
		t.Error(err)
	}
	for _, s := range servers {
		known := s.svc.indexOf(t, owner).known
		var head int64
		err := pgtest.DB(t).Workspace(t.Context(), owner, pg.ReadOnly, func(tx *pg.Tx) error {
			return tx.Store().Raw(`select seq from workspace_head where workspace_id = ?`, owner.Workspace).Scan(&head).Error
		})
		if err != nil || known != head {
			t.Errorf("the index knows %d, the head is %d (%v)", known, head, err)
		}
	}
}

// indexOf is the index of the actor's workspace after it caught up.
func (s *Service) indexOf(t *testing.T, a tenant.Actor) *index {
	t.Helper()
	var out *index
	if err := s.with(t.Context(), a.Workspace, func(ix *index) { out = ix }); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestAnIndexFollowedStepByStepEqualsOneBuiltAfresh(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	s.create(owner, args{"title": "Base", "what": "Under all."})
	s.ok(owner, "context.search", args{"query": "base"})
	for i := range 6 {
		s.create(owner, args{
			"title": fmt.Sprintf("Part %d", i), "what": "Of the base.", "anchors": []string{fmt.Sprintf("p%d/**", i)},
			"rels": []args{{"to": "base", "type": "depends_on"}, {"to": fmt.Sprintf("part-%d", i-1), "type": "supersedes"}},
		})
		s.ok(owner, "context.search", args{"query": "base"})
	}
	for _, step := range []struct {
		id string
		in args
	}{
		{"topics.approve", args{"topic": "part-2"}},
		{"topics.delete", args{"topic": "part-1"}},
		{"topics.update", args{"topic": "part-0", "append_gotchas": []string{"New."}}},
		{"topics.archive", args{"topic": "part-3"}},
		{"topics.update", args{"topic": "part-4", "append_gotchas": []string{"Newer."}, "remove_rels": []args{{"to": "base", "type": "depends_on"}}}},
		{"topics.recover", args{"topic": "part-1"}},
		{"topics.archive", args{"topic": "part-3", "restore": true}},
		{"topics.archive", args{"topic": "part-5"}},
	} {
		s.ok(owner, step.id, step.in)
		followed := s.svc.indexOf(t, owner)
		fresh := serve(t, 64*mebibyte).svc.indexOf(t, owner)
		for _, ask := range []args{{"task": "the parts of the base", "files": []string{"p1/a.go", "p3/a.go"}, "explain": true, "limit": 25}} {
			one, other := s.ok(owner, "context.retrieve", ask), serve(t, 64*mebibyte).ok(owner, "context.retrieve", ask)
			if a, b := found(one), found(other); !slices.Equal(a, b) {
				t.Errorf("after %s %v: followed %v, fresh %v", step.id, step.in, a, b)
			}
		}
		if a, b := followed.edges.sorted(), fresh.edges.sorted(); !slices.Equal(a, b) {
			t.Errorf("after %s %v: edges %v, fresh %v", step.id, step.in, a, b)
		}
		if followed.known != fresh.known || len(followed.topics) != len(fresh.topics) || followed.shared.files.Len() != fresh.shared.files.Len() {
			t.Errorf("after %s: %d topics at %d, fresh %d at %d", step.id, len(followed.topics), followed.known, len(fresh.topics), fresh.known)
		}
	}
}

// sorted lists the edges whose ends both are indexed: others have no effect.
func (g graph) sorted() []string {
	var all []string
	for from, links := range g.out {
		for _, l := range links {
			if !slices.Contains(g.in[l.Slug], link{l.Type, from}) {
				all = append(all, "one-sided "+from)
			}
			all = append(all, from+" "+string(l.Type)+" "+l.Slug)
		}
	}
	slices.Sort(all)
	return all
}

func TestIndexesAreDroppedByUseAndBuiltAgain(t *testing.T) {
	t.Parallel()
	s := serve(t, 1)
	first, second := pgtest.Workspace(t), pgtest.Workspace(t)
	for _, a := range []tenant.Actor{first, second} {
		s.create(a, args{"title": "Kettle", "what": "Of " + a.Slug})
	}
	there := func() []uuid.UUID {
		s.svc.mu.Lock()
		defer s.svc.mu.Unlock()
		var out []uuid.UUID
		for e := s.svc.recent.Front(); e != nil; e = e.Next() {
			out = append(out, e.Value.(*space).workspace)
		}
		if len(out) != len(s.svc.spaces) {
			t.Errorf("%d spaces in the list, %d in the map", len(out), len(s.svc.spaces))
		}
		return out
	}
	for range 3 {
		for _, a := range []tenant.Actor{first, second} {
			if got := found(s.ok(a, "context.search", args{"query": "kettle"})); len(got) != 1 {
				t.Errorf("found %v", got)
			}
			if got := there(); !slices.Equal(got, []uuid.UUID{a.Workspace}) {
				t.Errorf("after a read in %v there are %v", a.Workspace, got)
			}
		}
	}
	// One that is in use stays, however little room there is.
	err := s.svc.with(t.Context(), first.Workspace, func(*index) {
		s.ok(second, "context.search", args{"query": "kettle"})
		if got := there(); len(got) != 2 {
			t.Errorf("in use: %v", got)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	large := serve(t, 64*mebibyte)
	large.ok(first, "context.search", args{"query": "kettle"})
	large.ok(second, "context.search", args{"query": "kettle"})
	if n := len(large.svc.spaces); n != 2 {
		t.Errorf("with room there are %d", n)
	}
	if large.svc.bytes <= 0 {
		t.Errorf("they hold %d bytes", large.svc.bytes)
	}
}

func TestAnIndexOfAnotherDatabaseIsBuiltAgain(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	s.create(owner, args{"title": "Kettle"})
	ix := s.svc.indexOf(t, owner)
	ix.known += 1000 // as if the database had been set back to a backup
	s.create(owner, args{"title": "Anchor"})
	if got := found(s.ok(owner, "context.search", args{"query": "anchor"})); len(got) != 1 {
		t.Errorf("found %v", got)
	}
}

func TestACancelledReadLeavesTheIndexUsable(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	s.create(owner, args{"title": "Kettle"})
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	call := op.Call{Operation: s.reg.Operation("context.search"), Arguments: args{"query": "kettle"}}
	if _, err := s.reg.Call(gone, owner.Caller, call); !fault.Is(err, fault.CodeUnavailable) {
		t.Errorf("a cancelled read answered %v", err)
	}
	if got := found(s.ok(owner, "context.search", args{"query": "kettle"})); len(got) != 1 {
		t.Errorf("found %v", got)
	}
}

func TestOperationsOfANilServiceCanBeListed(t *testing.T) {
	t.Parallel()
	var none *Service
	cost := 0
	for _, o := range none.Operations() {
		if o.Tool == "" {
			continue
		}
		raw, err := op.Marshal(op.Shown(o.Input, o.Hidden...))
		if err != nil {
			t.Fatal(err)
		}
		if !o.Core || len(o.Doc) > 200 {
			t.Errorf("%s: core %v, %d characters of documentation", o.ID, o.Core, len(o.Doc))
		}
		cost += tokens(len(raw) + len(o.Doc) + len(o.Tool))
	}
	// The eight tools of the core set share 2,000 tokens.
	if cost > 750 {
		t.Errorf("the three tools cost a model %d tokens", cost)
	}
	t.Logf("%d tokens", cost)
	if _, err := op.NewRegistry(nil, none.Operations(), nil); err != nil {
		t.Error(err)
	}
}
