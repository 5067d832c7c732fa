package topic

import (
	"testing"

	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

// An open edit that is extended follows the topic: what its author replaces on the revision they read is replaced, also
// when that is the text the edit began with.
func TestAnOpenEditFollowsTheTopicItIsAbout(t *testing.T) {
	t.Parallel()
	b := setup(t)
	member := pgtest.Person(t, b.owner, tenant.Member)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Queue", "what": "One.", "how": "By hand.", "gotchas": []string{"A.", "B."}})
	b.ok(b.owner, "topics.approve", map[string]any{"topic": "queue"})
	edit := b.ok(member, "topics.update", map[string]any{"topic": "queue", "what": "Two.", "base_revision": 2})["proposal_id"]
	other := b.ok(b.owner, "topics.update", map[string]any{
		"topic": "queue", "how": "By a job.", "append_gotchas": []string{"C."}, "base_revision": 2,
	})
	b.ok(b.owner, "edits.merge", map[string]any{"proposal": other["proposal_id"]})

	again := b.ok(member, "topics.patch", map[string]any{
		"topic": "queue", "base_revision": 3, "summary": "Back", "ops": patchSteps("/how", "By hand."),
	})
	if again["proposal_id"] != edit {
		t.Errorf("another edit was opened: %v", again)
	}
	b.ok(member, "topics.patch", map[string]any{
		"topic": "queue", "base_revision": 3, "summary": "Not so", "ops": []map[string]any{{"op": "remove", "path": "/gotchas/2"}},
	})
	b.ok(b.owner, "edits.merge", map[string]any{"proposal": edit})
	got := b.ok(b.owner, "topics.get", map[string]any{"topic": "queue"})
	if got["what"] != "Two." || got["how"] != "By hand." || len(got["gotchas"].([]any)) != 2 {
		t.Errorf("after the merge: what %v, how %v, gotchas %v", got["what"], got["how"], got["gotchas"])
	}
}
