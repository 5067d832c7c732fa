package account_test

import (
	"testing"
	"time"

	"driftless/internal/fault"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

// atConsole is the person as they are there, signed in that long ago.
func atConsole(a tenant.Actor, ago time.Duration) tenant.Actor {
	a.Via, a.SignedInAt = tenant.ViaConsole, time.Now().Add(-ago)
	return a
}

func TestOnlyAnOwnerDeletesAWorkspaceInTheConsoleSoonAfterSigningInAndWithItsSlug(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	owner, slug := atConsole(h.owner, time.Minute), h.owner.Slug
	right := map[string]any{"confirm": slug}
	h.fails(atConsole(pgtest.Person(t, h.owner, tenant.Admin), time.Minute), "workspace.delete", right, fault.CodeInsufficientRole)
	byKey := owner
	byKey.Via = tenant.ViaAPI
	h.fails(byKey, "workspace.delete", right, fault.CodePolicyForbids)
	h.fails(atConsole(h.owner, time.Hour), "workspace.delete", right, fault.CodeSessionTooOld)
	h.fails(owner, "workspace.delete", map[string]any{"confirm": slug + "x"}, fault.CodeValidation)
	h.ok(owner, "workspaces.list", nil)
	if out := h.ok(owner, "workspace.delete", right); out["deleted"] != true {
		t.Fatalf("the answer is %v", out)
	}
	h.fails(owner, "settings.get", nil, fault.CodeNotFound)
}

func TestDeletingAWorkspaceEndsItsKeysAndLeavesOtherWorkspacesAlone(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key, err := h.service.Bootstrap(t.Context(), h.owner.Email, "a long enough one", h.owner.Slug)
	if err != nil {
		t.Fatal(err)
	}
	other := newHouse(t)
	h.ok(atConsole(h.owner, 0), "workspace.delete", map[string]any{"confirm": h.owner.Slug})
	if _, ok, err := h.service.ByKey(t.Context(), key.APIKey); ok || err != nil {
		t.Errorf("its key is answered %v, %v", ok, err)
	}
	other.ok(other.owner, "settings.get", nil)
	if _, err := h.service.Bootstrap(t.Context(), h.owner.Email, "a long enough one", h.owner.Slug); err != nil {
		t.Errorf("its slug cannot be used again: %v", err)
	}
}

func TestAWorkspaceIsRenamedByAdmins(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	admin := pgtest.Person(t, h.owner, tenant.Admin)
	h.fails(pgtest.Person(t, h.owner, tenant.Member), "workspace.rename", map[string]any{"name": "Mine"}, fault.CodeInsufficientRole)
	h.fails(admin, "workspace.rename", map[string]any{"name": "  "}, fault.CodeValidation)
	if out := h.ok(admin, "workspace.rename", map[string]any{"name": "  The   ledger "}); out["name"] != "The ledger" {
		t.Errorf("it is called %v", out["name"])
	}
}
