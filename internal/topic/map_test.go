package topic

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

func TestTheMapShowsTopicsWithRelationsAndMentionsOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Old"})
	b.ok(b.owner, "topics.create", map[string]any{"title": "New", "content": "Not as in [[old]]; see [[alone]] and [[nowhere]].", "rels": []any{
		map[string]any{"to": "old", "type": "supersedes"},
	}})
	b.ok(b.owner, "topics.create", map[string]any{"title": "Alone"})
	b.ok(b.owner, "topics.create", map[string]any{"title": "Put away"})
	b.ok(b.owner, "topics.archive", map[string]any{"topic": "put-away"})
	out := b.ok(b.owner, "graph.show", nil)
	if diff := cmp.Diff([]string{"alone", "new", "old"}, slugsOf(out)); diff != "" {
		t.Errorf("topics (-want +got):\n%s", diff)
	}
	want := []any{
		map[string]any{"from": "new", "type": "mention", "to": "alone"},
		map[string]any{"from": "new", "type": "supersedes", "to": "old"},
	}
	if diff := cmp.Diff(want, out["edges"]); diff != "" {
		t.Errorf("edges (-want +got):\n%s", diff)
	}
}

func TestTheMapShowsNoPrivateDraftOfSomebodyElse(t *testing.T) {
	t.Parallel()
	b := setup(t)
	member := pgtest.Person(t, b.owner, tenant.Member)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Public"})
	b.ok(member, "notes.add", map[string]any{"content": "Secret sauce, see [[public]]."})
	if out := b.ok(member, "graph.show", nil); len(slugsOf(out)) != 2 || len(out["edges"].([]any)) != 1 {
		t.Errorf("the author sees %v", out)
	}
	if out := b.ok(b.owner, "graph.show", nil); len(slugsOf(out)) != 1 || len(out["edges"].([]any)) != 0 {
		t.Errorf("somebody else sees %v", out)
	}
}
