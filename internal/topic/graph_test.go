package topic

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/fault"
	"driftless/internal/op"
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

func TestAGraphDoesNotWalkThroughTheTrash(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Far"})
	b.ok(b.owner, "topics.create", map[string]any{"title": "Gone", "rels": []any{map[string]any{"to": "far", "type": "depends_on"}}})
	b.ok(b.owner, "topics.create", map[string]any{"title": "Near", "rels": []any{map[string]any{"to": "gone", "type": "depends_on"}}})
	if got := slugsOf(b.ok(b.owner, "topics.graph", map[string]any{"topic": "near"})); len(got) != 3 {
		t.Fatalf("before it goes: %v", got)
	}
	b.ok(b.owner, "topics.delete", map[string]any{"topic": "gone"})
	if got := slugsOf(b.ok(b.owner, "topics.graph", map[string]any{"topic": "near", "depth": 5})); len(got) != 1 {
		t.Errorf("behind the trash: %v", got)
	}
}

func TestAMentionOfADuplicateLeadsToTheSurvivor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Survivor", "content": "Was [[double]]."})
	b.ok(b.owner, "topics.create", map[string]any{"title": "Double"})
	b.ok(b.owner, "topics.create", map[string]any{"title": "Reader", "content": "See [[double]]."})
	b.ok(b.owner, "topics.merge", map[string]any{"source": "double", "into": "survivor"})
	for _, middle := range []string{"survivor", "reader"} {
		out := b.ok(b.owner, "topics.graph", map[string]any{"topic": middle, "types": []string{"mention"}})
		if got := slugsOf(out); !slices.Equal(got, []string{"reader", "survivor"}) {
			t.Errorf("around %s: %v", middle, got)
		}
		if diff := cmp.Diff([]any{map[string]any{"from": "reader", "type": "mention", "to": "survivor"}}, out["edges"]); diff != "" {
			t.Errorf("edges around %s (-want +got):\n%s", middle, diff)
		}
	}
}

func TestAGraphOfManyTopicsShowsTheNearestAndSaysSo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Hub"})
	const many = NodesMax + 5
	for i := range many {
		b.ok(b.owner, "topics.create", map[string]any{"title": fmt.Sprintf("Spoke %03d", i), "rels": []any{map[string]any{"to": "hub", "type": "depends_on"}}})
	}
	for _, depth := range []int{1, 5} {
		out, err := b.reg.Call(t.Context(), b.owner.Caller, op.Call{
			Operation: b.reg.Operation("topics.graph"), Arguments: map[string]any{"topic": "spoke-000", "depth": json.Number(fmt.Sprint(depth))},
		})
		if err != nil {
			t.Fatal(err)
		}
		g := out.Value.(*Graph)
		if want := map[int]int{1: 2, 5: NodesMax}[depth]; len(g.Nodes) != want || g.Truncated != (depth == 5) || g.Nodes[0].Slug != "spoke-000" || g.Nodes[1].Slug != "hub" {
			t.Errorf("at depth %d: %d nodes, truncated %v", depth, len(g.Nodes), g.Truncated)
		}
	}
}
