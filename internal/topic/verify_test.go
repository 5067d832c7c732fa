package topic

import (
	"testing"

	"driftless/internal/fault"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

func TestVerifyChangesNothingButTheRecord(t *testing.T) {
	t.Parallel()
	b := setup(t)
	member := pgtest.Person(t, b.owner, tenant.Member)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Known", "what": "x"})
	b.ok(b.owner, "topics.approve", map[string]any{"topic": "known"})
	before := b.ok(b.owner, "topics.get", map[string]any{"topic": "known"})
	b.fails(member, "topics.verify", map[string]any{"topic": "known"}, fault.CodeInsufficientRole)
	b.fails(b.owner, "topics.verify", map[string]any{"topic": "known", "commit": "not a commit"}, fault.CodeValidation)
	b.ok(b.owner, "topics.verify", map[string]any{"topic": "known", "commit": "4f1c2ab", "note": "Read the code again."})
	after := b.ok(b.owner, "topics.get", map[string]any{"topic": "known"})
	if before["revision"] != after["revision"] || before["content_hash"] != after["content_hash"] || after["trust"] != "reviewed" {
		t.Errorf("verify changed the topic: %v, then %v", before, after)
	}
	events := b.ok(b.owner, "events.list", map[string]any{"topic": "known", "types": []string{"topic.verified"}})
	if events["shown"] != 1.0 {
		t.Errorf("%v events say that it was verified", events["shown"])
	}
	draft := b.ok(member, "topics.create", map[string]any{"title": "Own draft", "status": "draft"})
	b.ok(member, "topics.verify", map[string]any{"topic": draft["slug"]})
}
