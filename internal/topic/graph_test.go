package topic

import (
	"fmt"
	"slices"
	"testing"

	"driftless/internal/fault"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

func slugsOf(out map[string]any) []string {
	var slugs []string
	for _, n := range out["nodes"].([]any) {
		slugs = append(slugs, n.(map[string]any)["slug"].(string))
	}
	slices.Sort(slugs)
	return slugs
}

func TestAGraphWalksBothWaysToItsDepthAndNoFurther(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Link 0"})
	for i := 1; i < 5; i++ {
		b.ok(b.owner, "topics.create", map[string]any{"title": fmt.Sprintf("Link %d", i), "rels": []any{
			map[string]any{"to": fmt.Sprintf("link-%d", i-1), "type": "depends_on"},
		}})
	}
	for depth, want := range map[int]int{1: 3, 2: 5} {
		if got := slugsOf(b.ok(b.owner, "topics.graph", map[string]any{"topic": "link-2", "depth": depth})); len(got) != want {
			t.Errorf("at depth %d: %v", depth, got)
		}
	}
	// A ring ends, and a mention that a relation covers is not drawn twice.
	b.ok(b.owner, "topics.update", map[string]any{"topic": "link-0", "rels": []any{map[string]any{"to": "link-4", "type": "depends_on"}}, "append_gotchas": []string{"See [[link-4]]."}})
	ring := b.ok(b.owner, "topics.graph", map[string]any{"topic": "link-0", "depth": 5})
	if nodes, edges := slugsOf(ring), ring["edges"].([]any); len(nodes) != 5 || len(edges) != 5 {
		t.Errorf("a ring of five has %d nodes and %d edges: %v", len(nodes), len(edges), edges)
	}
	if got := slugsOf(b.ok(b.owner, "topics.graph", map[string]any{"topic": "link-0", "types": []string{"blocks"}})); len(got) != 1 {
		t.Errorf("along a type that is not there: %v", got)
	}
	b.fails(b.owner, "topics.graph", map[string]any{"topic": "nowhere"}, fault.CodeNotFound)
}

func TestAGraphShowsNoPrivateDraftOfSomebodyElse(t *testing.T) {
	t.Parallel()
	b := setup(t)
	member := pgtest.Person(t, b.owner, tenant.Member)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Public"})
	note := b.ok(member, "notes.add", map[string]any{"content": "Secret sauce, see [[public]]."})
	b.ok(member, "topics.update", map[string]any{"topic": note["slug"], "rels": []any{map[string]any{"to": "public", "type": "depends_on"}}})
	if got := slugsOf(b.ok(member, "topics.graph", map[string]any{"topic": "public"})); len(got) != 2 {
		t.Errorf("the author sees %v", got)
	}
	if got := slugsOf(b.ok(b.owner, "topics.graph", map[string]any{"topic": "public"})); len(got) != 1 {
		t.Errorf("somebody else sees %v", got)
	}
	b.fails(b.owner, "topics.graph", map[string]any{"topic": note["slug"]}, fault.CodeNotFound)
}

func TestASymmetricRelationIsOneEdge(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Right"})
	b.ok(b.owner, "topics.create", map[string]any{"title": "Left", "rels": []any{map[string]any{"to": "right", "type": "relates_to"}}})
	b.ok(b.owner, "topics.update", map[string]any{"topic": "right", "rels": []any{map[string]any{"to": "left", "type": "relates_to"}}})
	if edges := b.ok(b.owner, "topics.graph", map[string]any{"topic": "left"})["edges"].([]any); len(edges) != 1 {
		t.Errorf("edges = %v", edges)
	}
}
