package account_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/account"
	"driftless/internal/config"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

func TestTwoPoliciesThatAreChangedAtOnceAreBothKept(t *testing.T) {
	t.Parallel()
	for range 20 {
		h := newHouse(t)
		var both sync.WaitGroup
		for _, change := range []map[string]any{{"agent_approval": "off"}, {"four_eyes": true}, {"public_knowledge": map[string]any{"enabled": true}}} {
			both.Go(func() {
				if _, err := h.try(h.owner, "settings.change", change); err != nil {
					t.Errorf("change %v: %v", change, err)
				}
			})
		}
		both.Wait()
		got := h.ok(h.owner, "settings.get", nil)
		public, _ := got["public_knowledge"].(map[string]any)
		if got["agent_approval"] != "off" || got["four_eyes"] != true || public["enabled"] != true {
			t.Fatalf("the policies are %v", got)
		}
	}
}

func TestOnlyAnOwnerInTheConsoleOpensKnowledgeToThePublic(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	open := map[string]any{"public_knowledge": map[string]any{"enabled": true}}
	admin, member := pgtest.Person(t, h.owner, tenant.Admin), pgtest.Person(t, h.owner, tenant.Member)
	for _, other := range []tenant.Actor{admin, member} {
		h.fails(other, "settings.change", open, fault.CodeInsufficientRole)
	}
	key, old := h.owner, h.owner
	key.Via, key.SignedInAt = tenant.ViaAPI, time.Time{}
	h.fails(key, "settings.change", open, fault.CodePolicyForbids)
	old.SignedInAt = time.Now().Add(-account.DecisionSignIn - time.Minute)
	h.fails(old, "settings.change", open, fault.CodeSessionTooOld)
	h.ok(admin, "settings.change", map[string]any{"agent_approval": "off", "public_knowledge": map[string]any{}})
	if got := h.ok(admin, "settings.get", nil)["public_knowledge"]; cmp.Diff(public(h, false, false, false), got) != "" {
		t.Errorf("without an owner's choice it is %v", got)
	}
}

func TestWhatIsNotSaidAboutPublicKnowledgeStays(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for _, step := range []struct {
		change map[string]any
		want   map[string]any
	}{
		{map[string]any{"enabled": true}, public(h, true, false, true)},
		{map[string]any{"tags": []any{"web", "api", "web"}}, public(h, true, false, true, "api", "web")},
		{map[string]any{"all_reviewed": true}, public(h, true, true, true, "api", "web")},
		{map[string]any{}, public(h, true, true, true, "api", "web")},
		{map[string]any{"tags": []any{}}, public(h, true, true, true)},
		{map[string]any{"enabled": false, "all_reviewed": false}, public(h, false, false, true)},
	} {
		h.ok(h.owner, "settings.change", map[string]any{"public_knowledge": step.change})
		if diff := cmp.Diff(step.want, h.ok(h.owner, "settings.get", nil)["public_knowledge"]); diff != "" {
			t.Errorf("after %v (-want +got):\n%s", step.change, diff)
		}
	}
	for _, tag := range []string{"", "Web", "two words", strings.Repeat("x", 65)} {
		h.fails(h.owner, "settings.change", map[string]any{"public_knowledge": map[string]any{"tags": []any{tag}}}, fault.CodeValidation)
	}
}

func TestTheConfigurationOpensKnowledgeUntilAnOwnerDecides(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	c := config.Config{PublicURL: "https://console.test", PublicKnowledge: []string{"elsewhere", h.owner.Slug}, PublicTags: []string{"web"}}
	reg, err := op.NewRegistry(pgtest.DB(t), account.New(pgtest.DB(t), c).Operations(), nil)
	if err != nil {
		t.Fatal(err)
	}
	h.registry = reg
	if diff := cmp.Diff(public(h, true, false, false, "web"), h.ok(h.owner, "settings.get", nil)["public_knowledge"]); diff != "" {
		t.Errorf("as configured (-want +got):\n%s", diff)
	}
	h.ok(h.owner, "settings.change", map[string]any{"public_knowledge": map[string]any{"enabled": false}})
	if diff := cmp.Diff(public(h, false, false, true, "web"), h.ok(h.owner, "settings.get", nil)["public_knowledge"]); diff != "" {
		t.Errorf("as saved (-want +got):\n%s", diff)
	}
}

func TestOpeningKnowledgeIsAnEventOfTheSameTransaction(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.ok(h.owner, "settings.change", map[string]any{"public_knowledge": map[string]any{"enabled": true, "tags": []any{"web"}}})
	h.ok(h.owner, "settings.change", map[string]any{"public_knowledge": map[string]any{"enabled": true}}) // changes nothing
	var got []map[string]any
	err := pgtest.DB(t).Workspace(t.Context(), h.owner, pg.ReadOnly, func(tx *pg.Tx) error {
		return tx.JSON(func(raw []byte) error {
			got = append(got, nil)
			return json.Unmarshal(raw, &got[len(got)-1])
		},
			`select to_json(detail -> 'after' -> 'public_knowledge') from event where workspace_id = ? and type = 'settings.changed'`, h.owner.Workspace)
	})
	want := []map[string]any{{"enabled": true, "all_reviewed": false, "tags": []any{"web"}, "saved": true}}
	if err != nil || cmp.Diff(want, got) != "" {
		t.Errorf("the events are %v, %v", got, err)
	}
}

// public is how the setting reads.
func public(h *house, enabled, all, saved bool, tags ...string) map[string]any {
	list := []any{}
	for _, tag := range tags {
		list = append(list, tag)
	}
	return map[string]any{"enabled": enabled, "all_reviewed": all, "tags": list, "saved": saved, "url": "https://console.test" + "/mcp/public/" + h.owner.Slug}
}
