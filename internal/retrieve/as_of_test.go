package retrieve

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/fault"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/source"
	"driftless/internal/tenant"
)

// head is the number of the last event of the workspace.
func head(t testing.TB, a tenant.Actor) (seq int64) {
	t.Helper()
	err := pgtest.DB(t).Workspace(t.Context(), a, pg.ReadOnly, func(tx *pg.Tx) error {
		return tx.Store().Raw(`select seq from workspace_head where workspace_id = ?`, a.Workspace).Scan(&seq).Error
	})
	if err != nil {
		t.Fatal(err)
	}
	return seq
}

// heard is a sync that tells of a commit now.
func heard(t testing.TB, a tenant.Actor, commit string) {
	t.Helper()
	seq := head(t, a)
	err := pgtest.DB(t).Workspace(t.Context(), a, pg.ReadWrite, func(tx *pg.Tx) error {
		src, err := source.Connect(tx, source.Source{Name: "git.example.test/acme/shop", DefaultBranch: "main"})
		if err != nil {
			return err
		}
		return source.Heard(tx, src.ID, "main", commit, seq)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAsOfAnswersWhatWasKnowledgeThen(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	kettle := s.knowledge(owner, args{"title": "Kettle", "what": "Boil the kettle at ninety degrees.", "anchors": []string{"kettle/**"}})
	draft := s.create(owner, args{"title": "Kettle descaling", "what": "Descale the kettle on Mondays."})
	then := head(t, owner)
	heard(t, owner, strings.Repeat("ab", 20))
	moment := results(s.ok(owner, "context.retrieve", args{"task": "boil kettle"}))[0]["updated_at"].(string)

	// Everything changes: other words, other trust, one is put away, one is new.
	edit := s.ok(owner, "topics.update", args{"topic": kettle, "what": "Boil the kettle at eighty degrees.", "base_revision": 2, "apply": "merge"})
	if edit["applied"] == nil {
		t.Fatalf("the edit answered %v", edit)
	}
	s.ok(owner, "topics.approve", args{"topic": draft})
	s.ok(owner, "topics.archive", args{"topic": kettle})
	s.knowledge(owner, args{"title": "Kettle whistle", "what": "The kettle whistles when it boils.", "rels": []args{{"to": draft, "type": "supersedes"}}})

	for name, asOf := range map[string]string{"a sequence": fmt.Sprint(then), "a commit": strings.Repeat("ab", 20), "the beginning of one": "ababab"} {
		page := s.ok(owner, "context.retrieve", args{"task": "boil the kettle", "files": []string{"kettle/a.go"}, "as_of": asOf, "view": "full"})
		if diff := cmp.Diff([]string{kettle, draft}, found(page)); diff != "" {
			t.Errorf("%s: %s", name, diff)
			continue
		}
		first, second := results(page)[0], results(page)[1]
		if first["what"] != "Boil the kettle at ninety degrees." || first["trust"] != "reviewed" || first["revision"] != 2.0 || first["stale"] != false || first["allowed_actions"] != nil {
			t.Errorf("%s: the first row is %v", name, first)
		}
		if second["trust"] != "proposed" || second["superseded_by"] != nil {
			t.Errorf("%s: the second row is %v", name, second)
		}
		if moment := page["as_of"].(args); moment["sequence"] != float64(then) || moment["at"] == nil {
			t.Errorf("%s: as_of is %v", name, moment)
		}
		if next := page["next_action"].(args)["arguments"].(args); next["topic"] != kettle || next["revision"] != 2.0 {
			t.Errorf("%s: the next step is %v", name, next)
		}
		search := s.ok(owner, "context.search", args{"query": "ninety", "as_of": asOf})
		if diff := cmp.Diff([]string{kettle}, found(search)); diff != "" {
			t.Errorf("%s: search: %s", name, diff)
		}
	}
	// A time: the very moment of a revision holds it.
	page := s.ok(owner, "context.retrieve", args{"task": "boil kettle", "as_of": moment})
	if got := found(page); !slices.Contains(got, kettle) || slices.Contains(got, "kettle-whistle") {
		t.Errorf("at %s: %v", moment, got)
	}
	// Now is now.
	for _, now := range []string{"", fmt.Sprint(head(t, owner))} {
		page := s.ok(owner, "context.retrieve", args{"task": "boil kettle", "as_of": now})
		if slices.Contains(found(page), kettle) || page["as_of"] != nil {
			t.Errorf("as of %q: %v", now, page)
		}
	}
	early := s.ok(owner, "context.retrieve", args{"task": "boil kettle", "as_of": "2001-01-01"})
	if len(found(early)) != 0 || early["next_action"].(args)["tool"] != "driftless_context_retrieve" {
		t.Errorf("before anything: %v", early)
	}
}

func TestAsOfSaysWhatItTakes(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	s.create(owner, args{"title": "Kettle"})
	one, two := "ab12"+strings.Repeat("0", 36), "ab13"+strings.Repeat("0", 36)
	heard(t, owner, one)
	heard(t, owner, two)
	for asOf, want := range map[string]string{
		"yesterday":             "is not one of: a time such as",
		"2999-01-01T00:00:00Z":  "still to come",
		"99999":                 "neither a number up to",
		"feedface":              "nor a commit that a sync or push",
		"ab1":                   "is not one of",
		"ab1200ff":              "nor a commit",
		strings.Repeat("x", 64): "is not one of",
		"2026-13-01T00:00:00Z":  "is not one of",
	} {
		e := s.fails(owner, "context.retrieve", args{"task": "kettle", "as_of": asOf}, fault.CodeValidation)
		if len(e.Fields) != 1 || e.Fields[0].Path != "as_of" || !strings.Contains(e.Fields[0].Problem, want) {
			t.Errorf("%s: %v", asOf, e.Fields)
		}
	}
	if e := s.fails(owner, "context.retrieve", args{"task": "kettle", "as_of": "feedface"}, fault.CodeValidation); !slices.Contains(e.Allowed, one) || len(e.Allowed) != 2 {
		t.Errorf("allowed: %v", e.Allowed)
	}
}

func TestAsOfShowsNobodyAPrivateDraftOrWhatWasDeleted(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	member := pgtest.Person(t, owner, tenant.Member)
	note := s.ok(member, "notes.add", args{"content": "The kettle leaks at the zibbelon valve."})["slug"].(string)
	gone := s.create(owner, args{"title": "Zibbelon valve", "what": "The zibbelon valve is open."})
	then := fmt.Sprint(head(t, owner))
	s.ok(member, "topics.propose", args{"topic": note})
	s.ok(owner, "topics.delete", args{"topic": gone})
	if got := found(s.ok(owner, "context.retrieve", args{"task": "zibbelon valve", "as_of": then})); len(got) != 0 {
		t.Errorf("the owner is shown %v", got)
	}
	if got := found(s.ok(member, "context.retrieve", args{"task": "zibbelon valve", "as_of": then})); !slices.Equal(got, []string{note}) {
		t.Errorf("the author is shown %v", got)
	}
	foreign := pgtest.Workspace(t)
	if got := found(s.ok(foreign, "context.retrieve", args{"task": "zibbelon valve", "as_of": "0"})); len(got) != 0 {
		t.Errorf("another workspace is shown %v", got)
	}
}

func TestFewEarlierStatesOfAWorkspaceAreKept(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	var moments []int64
	for i := range 6 {
		s.create(owner, args{"title": fmt.Sprintf("Kettle %d", i)})
		moments = append(moments, head(t, owner))
	}
	for i, m := range moments[:5] {
		for range 2 {
			if got := found(s.ok(owner, "context.search", args{"query": "kettle", "limit": 20, "as_of": fmt.Sprint(m)})); len(got) != i+1 {
				t.Fatalf("as of %d there are %v", m, got)
			}
		}
	}
	kept := 0
	s.svc.mu.Lock()
	defer s.svc.mu.Unlock()
	for at := range s.svc.spaces {
		if at.workspace == owner.Workspace && at.asOf != present {
			kept++
		}
	}
	if kept != pastMost || s.svc.recent.Len() != len(s.svc.spaces) {
		t.Errorf("%d earlier states are kept, %d spaces in the list and %d in the map", kept, s.svc.recent.Len(), len(s.svc.spaces))
	}
}

// What is answered about a moment is what was answered at it.
func TestAnEarlierStateRanksAsItDidThen(t *testing.T) {
	t.Parallel()
	s, owner := setup(t)
	questions := []string{"kettle valve", "descale", "boil water for tea", "zibbelon"}
	type state struct {
		seq   int64
		found [][]string
	}
	var states []state
	for i := range 8 {
		slug := s.create(owner, args{"title": fmt.Sprintf("Kettle %d", i), "what": []string{"Descale the valve.", "Boil water.", "Tea is zibbelon.", "No words."}[i%4]})
		if i%3 == 0 {
			s.ok(owner, "topics.approve", args{"topic": slug})
		}
		if i > 3 {
			s.ok(owner, "topics.archive", args{"topic": fmt.Sprintf("kettle-%d", i-4)})
		}
		now := state{seq: head(t, owner)}
		for _, q := range questions {
			now.found = append(now.found, found(s.ok(owner, "context.search", args{"query": q, "limit": 20})))
		}
		states = append(states, now)
	}
	for _, was := range states {
		for i, q := range questions {
			got := found(s.ok(owner, "context.search", args{"query": q, "limit": 20, "as_of": fmt.Sprint(was.seq)}))
			if diff := cmp.Diff(was.found[i], got); diff != "" {
				t.Errorf("%q as of %d: %s", q, was.seq, diff)
			}
		}
	}
}
