package drift_test

import (
	"testing"

	"driftless/internal/fault"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

func TestCoverageTellsKnowledgeNotesAndGapsApart(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.fails(w.owner, "coverage.show", args{}, fault.CodeStateConflict)
	w.ok(w.owner, "sources.sync", push(t, 1, map[string]int{
		"known/a.go": 1, "known/b.go": 2, "noted/c.go": 3, "bare/d.go": 4, "bare/e.go": 5, "bare/deep/f.go": 6, "vendor/x.go": 7, "Makefile": 8,
	}))
	w.knowledge("Known part", args{"anchors": []string{"known/*.go"}})
	w.ok(w.owner, "topics.create", args{"title": "Noted part", "anchors": []string{"noted/*.go", "known/a.go"}})
	got := w.ok(w.owner, "coverage.show", args{})
	total := got["total"].(args)
	if total["files"] != 7.0 || total["knowledge"] != 2.0 || total["note"] != 1.0 || total["none"] != 4.0 || total["share"] != 0.285 {
		t.Errorf("in all: %v", total)
	}
	gaps := list(got, "results")
	if len(gaps) != 3 || gaps[0]["path"] != "bare" || gaps[0]["files"] != 2.0 {
		t.Errorf("the gaps: %v", gaps)
	}
	if first := list(got, "folders")[0]; first["path"] != "bare" || first["none"] != 3.0 {
		t.Errorf("the folders: %v", got["folders"])
	}
	part := w.ok(w.owner, "coverage.show", args{"path": "./bare/"})
	if part["path"] != "bare" || part["total"].(args)["files"] != 3.0 {
		t.Errorf("one folder: %v", part)
	}
	if one := w.ok(w.owner, "coverage.show", args{"limit": 1}); one["has_more"] != true || one["next_action"].(args)["tool"] != "driftless_context_coverage" {
		t.Errorf("one gap: %v", one)
	}
	w.fails(w.owner, "coverage.show", args{"path": "../x"}, fault.CodeValidation)
	w.fails(w.owner, "coverage.show", args{"repo": "git.example.test/acme/other"}, fault.CodeNotFound)
}

func TestAPrivateDraftOfAnotherPersonCoversNothing(t *testing.T) {
	t.Parallel()
	w := setup(t)
	member := pgtest.Person(t, w.owner, tenant.Member)
	w.ok(w.owner, "sources.sync", push(t, 1, map[string]int{"a/x.go": 1}))
	w.ok(member, "notes.add", args{"content": "Mine.", "anchors": []string{"a/*"}})
	if mine := w.ok(member, "coverage.show", args{}); mine["total"].(args)["note"] != 1.0 {
		t.Errorf("the author sees %v", mine["total"])
	}
	if theirs := w.ok(w.owner, "coverage.show", args{}); theirs["total"].(args)["note"] != 0.0 {
		t.Errorf("somebody else sees %v", theirs["total"])
	}
}
