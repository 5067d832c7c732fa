package topic

import (
	"testing"

	"driftless/internal/fault"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

func TestAnOldRevisionComesBackAsANewOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	member := pgtest.Person(t, b.owner, tenant.Member)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Target"})
	b.ok(b.owner, "topics.create", map[string]any{
		"title": "Forth", "what": "V1.", "rels": []any{map[string]any{"to": "target", "type": "depends_on"}},
	})
	b.ok(b.owner, "topics.update", map[string]any{
		"topic": "forth", "what": "V2.", "base_revision": 1, "remove_rels": []any{map[string]any{"to": "target", "type": "depends_on"}},
	})
	back := map[string]any{"topic": "forth", "revision": 1}
	b.fails(b.owner, "topics.restore_revision", map[string]any{"topic": "forth", "revision": 9}, fault.CodeNotFound)
	b.fails(b.owner, "topics.restore_revision", map[string]any{"topic": "forth", "revision": 1, "base_revision": 1}, fault.CodeStaleBase)
	got := b.ok(b.owner, "topics.restore_revision", back)
	if got["what"] != "V1." || got["revision"] != 3.0 || got["undo"] == nil {
		t.Errorf("the restored revision is %v", got)
	}
	if out := b.ok(b.owner, "topics.relations", map[string]any{"topic": "forth"})["outgoing"].([]any); len(out) != 1 {
		t.Errorf("restored relations: %v", out)
	}
	b.ok(b.owner, "topics.approve", map[string]any{"topic": "forth"})
	back["revision"] = 2
	if got := b.ok(member, "topics.restore_revision", back); got["applied"] != "suggested_edit" || got["what"] != "V1." {
		t.Errorf("restoring over Knowledge answered %v", got)
	}
}
