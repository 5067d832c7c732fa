package app_test

import (
	"net/http"
	"testing"

	"driftless/internal/tenant"
)

func TestServiceAccountsOfOnePersonAreOneWitness(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	slug, _ := w.do(t, "topics.create", map[string]any{
		"title": "Broken import", "solutions": []any{map[string]any{"id": "linux", "env": map[string]any{"os": "linux"}, "fix": []any{"do it"}}},
	})["slug"].(string)
	service := func(a tenant.Actor, name string) string {
		secret, _ := w.doAs(t, a, "keys.create", map[string]any{"name": name, "kind": "service", "scopes": []any{"topics:write", "context:read"}})["secret"].(string)
		return secret
	}
	admin, member := w.people[tenant.Admin], w.people[tenant.Member]
	first, second := service(admin, "first"), service(admin, "second")
	for i, step := range []struct {
		key, outcome, state string
		solved, failed      float64
	}{
		{first, "failed", "unconfirmed", 0, 1},
		{second, "failed", "unconfirmed", 0, 1},
		{w.key(t, admin), "failed", "unconfirmed", 0, 1},
		{second, "solved", "verified", 1, 0}, // the latest word of the one who stands behind all three
		{first, "failed", "unconfirmed", 0, 1},
		{w.key(t, member), "failed", "known_failed", 0, 2},
		{service(w.owner, "third"), "failed", "known_failed", 0, 3},
	} {
		r := w.rest(t, step.key, w.Registry.Operation("feedback.report"), w.owner.Slug, map[string]any{
			"topic": slug, "solution": "linux", "revision": 1, "outcome": step.outcome, "env": map[string]any{"os": "linux"},
		})
		answer, _ := r.json["answer"].(map[string]any)
		if r.status != http.StatusCreated || answer["state"] != step.state || answer["solved"] != step.solved || answer["failed"] != step.failed {
			t.Errorf("report %d: HTTP %d %s; want %s", i, r.status, r.raw, step.state)
		}
	}
}
