package topic

import (
	"path"
	"testing"

	"driftless/internal/fault"
	"driftless/internal/tenant"
)

// No route hands a token to the page of a confirmation; should one ever, it is refused there.
func TestNoTokenOrKeyConfirmsWhatItAskedFor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Queue"})
	agent := via(b.owner, tenant.ViaMCP)
	asked := b.ok(agent, "topics.approve", map[string]any{"topic": "queue"})
	id := path.Base(asked["confirm_url"].(string))
	topics, _ := registry(t)
	for _, v := range []tenant.Via{tenant.ViaMCP, tenant.ViaAPI, tenant.ViaCLI} {
		if _, err := topics.Decide(t.Context(), via(b.owner, v).Caller, id, true, ""); !fault.Is(err, fault.CodePolicyForbids) {
			t.Errorf("a confirmation over %s answered %v", v, err)
		}
	}
	done, err := topics.Decide(t.Context(), b.owner.Caller, id, true, "")
	if err != nil || done.Status != "approved" {
		t.Errorf("in the console it answered %v, %v", done, err)
	}
}
