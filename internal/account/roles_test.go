package account_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/fault"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

func TestRolesOfMembersAreChangedByThoseWhoMay(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	admin, member, second := pgtest.Person(t, h.owner, tenant.Admin), pgtest.Person(t, h.owner, tenant.Member), pgtest.Person(t, h.owner, tenant.Owner)
	change := func(who tenant.Actor, role string) map[string]any {
		return map[string]any{"person": who.Person.String(), "role": role}
	}
	h.fails(member, "members.change", change(member, "admin"), fault.CodeInsufficientRole)
	h.fails(admin, "members.change", change(member, "owner"), fault.CodeInsufficientRole)
	h.fails(admin, "members.change", change(second, "viewer"), fault.CodeInsufficientRole)
	h.fails(admin, "members.remove", map[string]any{"person": second.Email}, fault.CodeInsufficientRole)
	h.fails(member, "members.remove", map[string]any{"person": admin.Email}, fault.CodeInsufficientRole)
	h.fails(admin, "members.change", map[string]any{"person": "nobody@example.test", "role": "viewer"}, fault.CodeNotFound)
	h.ok(admin, "members.change", change(member, "viewer"))
	h.ok(h.owner, "members.change", change(second, "member"))
	h.fails(h.owner, "members.change", change(h.owner, "admin"), fault.CodeStateConflict)
	h.fails(h.owner, "members.remove", map[string]any{"person": h.owner.Email}, fault.CodeStateConflict)
	want := map[string]string{h.owner.Name: "owner", admin.Name: "admin", member.Name: "viewer", second.Name: "member"}
	if diff := cmp.Diff(want, h.roles()); diff != "" {
		t.Errorf("roles (-want +got):\n%s", diff)
	}
}

func TestAServiceAccountIsNeverMadeToDecide(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.ok(h.owner, "keys.create", map[string]any{"name": "robot", "kind": "service", "scopes": []any{"context:read"}})
	for _, row := range h.ok(h.owner, "members.list", map[string]any{})["results"].([]any) {
		if m := row.(map[string]any); m["service"] == true {
			h.fails(h.owner, "members.change", map[string]any{"person": m["person"].(map[string]any)["id"], "role": "owner"}, fault.CodeMissingHumanIdentity)
			return
		}
	}
	t.Fatal("no service account is a member")
}
