package topic

import (
	"testing"

	"driftless/internal/fault"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

// token is the arguments that take a write back.
func token(t *testing.T, written map[string]any) map[string]any {
	t.Helper()
	u, ok := written["undo"].(map[string]any)
	if !ok {
		t.Fatalf("a write without undo: %v", written)
	}
	return map[string]any{"revision_id": u["revision_id"], "undo_token": u["token"]}
}

func TestAnUndoWorksOnceForItsHolderAndCanBeUndone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	member := pgtest.Person(t, b.owner, tenant.Member)
	b.ok(member, "topics.create", map[string]any{"title": "Regretted", "what": "Before."})
	args := token(t, b.ok(member, "topics.update", map[string]any{"topic": "regretted", "what": "After.", "base_revision": 1}))
	b.fails(b.owner, "topics.undo", args, fault.CodeUndoTokenInvalid)
	b.fails(pgtest.Workspace(t), "topics.undo", args, fault.CodeUndoTokenInvalid)
	b.fails(member, "topics.undo", map[string]any{"revision_id": args["revision_id"], "undo_token": "A"}, fault.CodeUndoTokenInvalid)
	b.fails(member, "topics.undo", map[string]any{"revision_id": "none", "undo_token": args["undo_token"]}, fault.CodeUndoTokenInvalid)
	undone := b.ok(member, "topics.undo", args)
	if undone["what"] != "Before." || undone["revision"] != 3.0 {
		t.Errorf("an undo answered %v", undone)
	}
	b.fails(member, "topics.undo", args, fault.CodeUndoTokenUsed)
	if again := b.ok(member, "topics.undo", token(t, undone)); again["what"] != "After." {
		t.Errorf("undoing the undo answered %v", again)
	}
}

func TestAnUndoTokenExpires(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Too late", "what": "Before."})
	args := token(t, b.ok(b.owner, "topics.update", map[string]any{"topic": "too-late", "what": "After.", "base_revision": 1}))
	err := pgtest.DB(t).Workspace(t.Context(), b.owner, pg.ReadWrite, func(tx *pg.Tx) error {
		return tx.Store().Exec(`update undo_token set expires_at = now() - interval '1 second' where revision_id = ?`, args["revision_id"]).Error
	})
	if err != nil {
		t.Fatal(err)
	}
	b.fails(b.owner, "topics.undo", args, fault.CodeUndoTokenInvalid)
}

func TestALaterChangeOfTheSamePlaceStopsAnUndo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Both", "what": "W0.", "how": "H0."})
	one := token(t, b.ok(b.owner, "topics.update", map[string]any{"topic": "both", "what": "W1.", "base_revision": 1}))
	b.ok(b.owner, "topics.update", map[string]any{"topic": "both", "how": "H1.", "base_revision": 2})
	if got := b.ok(b.owner, "topics.undo", one); got["what"] != "W0." {
		t.Errorf("an undo below a disjoint change answered %v", got)
	}
	two := token(t, b.ok(b.owner, "topics.update", map[string]any{"topic": "both", "what": "W2.", "base_revision": 4}))
	b.ok(b.owner, "topics.update", map[string]any{"topic": "both", "what": "W3.", "base_revision": 5})
	if e := b.fails(b.owner, "topics.undo", two, fault.CodeUndoConflict); e.Fields[0].Path != "/what" {
		t.Errorf("the conflict is at %v", e.Fields)
	}
	b.ok(b.owner, "topics.update", map[string]any{"topic": "both", "what": "W2.", "base_revision": 6})
	if got := b.ok(b.owner, "topics.undo", two); got["what"] != "W0." {
		t.Errorf("a token that met a conflict was used up: %v", got)
	}
}

func TestAnUndoOfWhatBecameKnowledgeIsASuggestion(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Approved since", "what": "Before."})
	args := token(t, b.ok(b.owner, "topics.update", map[string]any{"topic": "approved-since", "what": "After.", "base_revision": 1}))
	b.ok(b.owner, "topics.approve", map[string]any{"topic": "approved-since"})
	got := b.ok(b.owner, "topics.undo", args)
	if got["applied"] != "suggested_edit" || got["what"] != "After." || got["trust"] != "reviewed" {
		t.Errorf("the undo answered %v", got)
	}
	filed := token(t, b.ok(b.owner, "topics.update", map[string]any{"topic": "approved-since", "tags": []string{"wrong"}}))
	if got := b.ok(b.owner, "topics.undo", filed); got["applied"] != "immediate" || len(got["tags"].([]any)) > 0 {
		t.Errorf("undoing a tag answered %v", got)
	}
}
