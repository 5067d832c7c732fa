package topic

import (
	"testing"

	"driftless/internal/fault"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

// contested makes Knowledge of which one member's open edit and what it says now differ, and answers the member and the edit.
func contested(b bench, first, second map[string]any) (author tenant.Actor, edit any) {
	b.t.Helper()
	author = pgtest.Person(b.t, b.owner, tenant.Member)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Queue", "what": "Old.", "how": "Old way."})
	b.ok(b.owner, "topics.approve", map[string]any{"topic": "queue"})
	for _, change := range []map[string]any{first, second} {
		change["topic"], change["base_revision"] = "queue", 2
	}
	edit = b.ok(author, "topics.update", first)["proposal_id"]
	second["apply"] = "merge"
	b.ok(b.owner, "topics.update", second)
	return author, edit
}

func TestAChangeBackToTheOldTextIsNotLostInAnEditThatIsInConflict(t *testing.T) {
	t.Parallel()
	b := setup(t)
	author, edit := contested(b, map[string]any{"what": "Suggested.", "how": "Suggested way."}, map[string]any{"what": "New."})
	b.fails(b.owner, "edits.merge", map[string]any{"proposal": edit}, fault.CodeVersionConflict)
	b.ok(author, "topics.update", map[string]any{"topic": "queue", "what": "Old.", "base_revision": 3})
	b.ok(b.owner, "edits.merge", map[string]any{"proposal": edit})
	got := b.ok(b.owner, "topics.get", map[string]any{"topic": "queue"})
	if got["what"] != "Old." || got["how"] != "Suggested way." {
		t.Errorf("the Knowledge says %v, %v", got["what"], got["how"])
	}
}

func TestAnotherPlaceInConflictKeepsAnEditFromBeingSettledByHalves(t *testing.T) {
	t.Parallel()
	b := setup(t)
	author, edit := contested(b, map[string]any{"what": "Suggested.", "how": "Suggested way."}, map[string]any{"what": "New.", "how": "New way."})
	e := b.fails(author, "topics.update", map[string]any{"topic": "queue", "what": "Old.", "base_revision": 3}, fault.CodeVersionConflict)
	if left := e.Current.(map[string]any)["conflicts"].([]Conflict); len(left) != 1 || left[0].Path != "/how" {
		t.Errorf("the refusal names %v", left)
	}
	// What is no contested place, and what differs from the old text, is taken as before; the conflict stands.
	b.ok(author, "topics.update", map[string]any{"topic": "queue", "append_gotchas": []string{"A."}})
	b.ok(author, "topics.update", map[string]any{"topic": "queue", "what": "Better.", "base_revision": 3})
	b.fails(b.owner, "edits.merge", map[string]any{"proposal": edit}, fault.CodeVersionConflict)
	b.ok(author, "topics.update", map[string]any{"topic": "queue", "what": "Old.", "how": "Old way.", "base_revision": 3})
	b.ok(b.owner, "edits.merge", map[string]any{"proposal": edit})
	got := b.ok(b.owner, "topics.get", map[string]any{"topic": "queue"})
	if got["what"] != "Old." || got["how"] != "Old way." || len(got["gotchas"].([]any)) != 1 {
		t.Errorf("the Knowledge says %v", got)
	}
}

func TestAnIndexReadInKnowledgeNamesNothingElseInOnesOwnEdit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Queue", "gotchas": []string{"A.", "B.", "C."}, "decisions": []string{"One.", "Two."}})
	b.ok(b.owner, "topics.approve", map[string]any{"topic": "queue"})
	patch := func(ops ...map[string]any) map[string]any {
		return map[string]any{"topic": "queue", "base_revision": 2, "summary": "x", "ops": ops}
	}
	b.ok(b.owner, "topics.patch", patch(map[string]any{"op": "remove", "path": "/gotchas/0"}))
	e := b.fails(b.owner, "topics.patch", patch(map[string]any{"op": "remove", "path": "/gotchas/1"}), fault.CodeVersionConflict)
	if e.Current.(map[string]any)["path"] != "/gotchas" {
		t.Errorf("the refusal names %v", e.Current)
	}
	for _, ops := range []map[string]any{
		{"op": "set", "path": "/gotchas/-", "value": "D."},
		{"op": "remove", "path": "/decisions/1"},
		{"op": "set", "path": "/gotchas", "value": []string{"C.", "D."}},
	} {
		b.ok(b.owner, "topics.patch", patch(ops))
	}
	edit := b.ok(b.owner, "proposals.list", map[string]any{"kind": "edits"})["results"].([]any)[0].(map[string]any)
	merged := edit["merged"].(map[string]any)
	if mustJSON(t, merged["gotchas"]) != `["C.","D."]` || mustJSON(t, merged["decisions"]) != `["One."]` {
		t.Errorf("the edit says %v", merged)
	}
}
