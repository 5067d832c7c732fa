package drift_test

import (
	"testing"

	"driftless/internal/fault"
	"driftless/internal/pg/pgtest"
	"driftless/internal/source/repo"
	"driftless/internal/tenant"
)

func TestASyncKeepsTheFilesAndSaysWhatChanged(t *testing.T) {
	t.Parallel()
	w := setup(t)
	first := w.ok(w.owner, "sources.sync", push(t, 1, map[string]int{"a.go": 1, "b.go": 2, "old.go": 3}))
	if first["connected"] != true || first["files"] != 3.0 || first["tracked"] != true || first["before"] != nil {
		t.Errorf("the first sync: %v", first)
	}
	second := w.ok(w.owner, "sources.sync", push(t, 2, map[string]int{"a.go": 10, "c.go": 4, "new.go": 30}, repo.Rename{From: "old.go", To: "new.go"}))
	changes := second["changes"].(args)
	if changes["added"] != 1.0 || changes["modified"] != 1.0 || changes["deleted"] != 1.0 || changes["renamed"] != 1.0 || second["before"] != hexOf(1) {
		t.Errorf("the second sync: %v", second)
	}
	again := push(t, 2, nil)
	again["files"] = ""
	if third := w.ok(w.owner, "sources.sync", again); third["files"] != 3.0 || len(list(third, "changed")) != 0 {
		t.Errorf("the same commit again: %v", third)
	}
	again["head"] = hexOf(3)
	w.fails(w.owner, "sources.sync", again, fault.CodeValidation)
	sources := list(w.ok(w.owner, "sources.list", args{}), "results")
	if len(sources) != 1 || list(sources[0], "heads")[0]["head"] != hexOf(2) {
		t.Errorf("the repositories: %v", sources)
	}
	if n := w.ok(w.owner, "events.list", args{"types": []string{"source.synced"}})["shown"]; n != 2.0 {
		t.Errorf("%v events tell of two syncs", n)
	}
}

func TestEverySpellingOfARemoteSyncsOneRepository(t *testing.T) {
	t.Parallel()
	w := setup(t)
	for i, spelling := range []string{remote, "git@git.example.test:acme/shop.git", "ssh://git@GIT.example.test:22/acme/shop"} {
		in := push(t, i+1, map[string]int{"a": i})
		in["remote"] = spelling
		w.ok(w.owner, "sources.sync", in)
	}
	if n := len(list(w.ok(w.owner, "sources.list", args{}), "results")); n != 1 {
		t.Errorf("%d repositories", n)
	}
}

func TestAnUntrackedBranchIsHeardOfAndKeepsNothing(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.ok(w.owner, "sources.sync", push(t, 1, map[string]int{"a.go": 1}))
	feature := push(t, 2, map[string]int{"a.go": 2})
	feature["branch"] = "feature/x"
	if out := w.ok(w.owner, "sources.sync", feature); out["tracked"] != false {
		t.Errorf("an untracked branch: %v", out)
	}
	w.ok(w.owner, "sources.connect", args{"remote": remote, "default_branch": "main", "branches": []string{"feature/*"}})
	if out := w.ok(w.owner, "sources.sync", feature); out["tracked"] != true || out["before"] != nil {
		t.Errorf("a branch that is tracked by now: %v", out)
	}
}

func TestConnectingAgainChangesWhatIsGivenAlone(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.ok(w.owner, "sources.connect", args{"remote": remote, "default_branch": "trunk", "branches": []string{"release/*"}, "provider": "gitea"})
	same := w.ok(w.owner, "sources.connect", args{"remote": remote})
	if same["default_branch"] != "trunk" || same["provider"] != "gitea" || len(same["branches"].([]any)) != 1 {
		t.Errorf("connected again with nothing: %v", same)
	}
	if none := w.ok(w.owner, "sources.connect", args{"remote": remote, "branches": []string{}}); len(none["branches"].([]any)) != 0 {
		t.Errorf("connected again without branches: %v", none)
	}
}

func TestConnectingARepositoryNeedsAnAdmin(t *testing.T) {
	t.Parallel()
	w := setup(t)
	member := pgtest.Person(t, w.owner, tenant.Member)
	w.fails(member, "sources.sync", push(t, 1, map[string]int{"a": 1}), fault.CodeInsufficientRole)
	w.fails(member, "sources.connect", args{"remote": remote}, fault.CodeInsufficientRole)
	w.fails(w.owner, "sources.connect", args{"remote": "./here"}, fault.CodeValidation)
	w.fails(w.owner, "sources.connect", args{"remote": remote, "branches": []string{"a b"}}, fault.CodeValidation)
	id := w.ok(w.owner, "sources.connect", args{"remote": remote})["id"]
	w.ok(member, "sources.sync", push(t, 1, map[string]int{"a": 1}))
	gone := w.ok(w.owner, "sources.disconnect", args{"source": "git@git.example.test:acme/shop"})
	if gone["disconnected_at"] == nil || len(list(gone, "heads")) != 0 {
		t.Errorf("disconnected: %v", gone)
	}
	w.fails(member, "sources.sync", push(t, 1, map[string]int{"a": 1}), fault.CodeInsufficientRole)
	if back := w.ok(w.owner, "sources.sync", push(t, 1, map[string]int{"a": 1})); back["id"] != id {
		t.Error("connected again, it is another repository")
	}
}

func TestWhatIsNoCommitOrNoListOfFilesIsRefused(t *testing.T) {
	t.Parallel()
	w := setup(t)
	for field, value := range map[string]any{"head": "main", "files": "nothing", "remote": "shop", "branch": "refs/heads/main"} {
		in := push(t, 1, map[string]int{"a": 1})
		in[field] = value
		w.fails(w.owner, "sources.sync", in, fault.CodeValidation)
	}
}
