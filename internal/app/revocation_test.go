package app_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/google/uuid"

	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// dead checks that an application reaches nothing any more, by any way.
func (a *application) dead(t *testing.T, why string) {
	t.Helper()
	list := a.w.Registry.Operation("topics.list")
	a.w.rest(t, a.access, list, a.w.owner.Slug, nil).is(t, why+": REST", http.StatusUnauthorized, "UNAUTHENTICATED")
	a.w.rpc(t, a.access, "tools/list", nil).is(t, why+": MCP", http.StatusUnauthorized, "UNAUTHENTICATED")
	a.w.modern(t, a.access, "tools/list", nil).is(t, why+": MCP since 2026-07-28", http.StatusUnauthorized, "UNAUTHENTICATED")
	if r := a.tryRefresh(t); r.status != http.StatusBadRequest || r.json["error"] != "invalid_grant" {
		t.Errorf("%s: refreshing answers HTTP %d %s", why, r.status, r.raw)
	}
}

func (a *application) lives(t *testing.T) {
	t.Helper()
	if r := a.w.rest(t, a.access, a.w.Registry.Operation("topics.list"), a.w.owner.Slug, nil); r.status != http.StatusOK {
		t.Fatalf("before: HTTP %d %s", r.status, r.raw)
	}
}

func TestM20WhoLeavesTakesTheirApplicationsAlong(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for role, leave := range map[tenant.Role]func(c *console){
		tenant.Member: func(c *console) { w.do(t, "members.remove", map[string]any{"person": c.person.Person.String()}) },
		tenant.Viewer: func(c *console) {
			r := c.send(t, http.MethodDelete, "/api/v1/workspaces/"+w.owner.Slug+"/members/"+c.person.Person.String(), nil)
			if r.status != http.StatusOK {
				t.Fatalf("leaving: HTTP %d %s", r.status, r.raw)
			}
		},
	} {
		c := w.signIn(t, role)
		a := c.connect(t)
		a.lives(t)
		leave(c)
		a.dead(t, "a "+string(role)+" who left")
		if rows := asList(c.send(t, http.MethodGet, "/api/v1/connections", nil).json["results"]); len(rows) != 0 {
			t.Errorf("connections that are left: %v", rows)
		}
	}
}

func TestM20TheApplicationsOfADisabledPersonAreDead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.signIn(t, tenant.Admin)
	a := c.connect(t)
	a.lives(t)
	err := w.Database.System(t.Context(), uuid.Nil, func(tx *pg.Tx) error {
		return tx.Store().Exec(`update person set disabled_at = now() where id = ?`, c.person.Person).Error
	})
	if err != nil {
		t.Fatal(err)
	}
	a.dead(t, "a disabled person")
}

func TestM20AnApplicationMayDoNoMoreThanItsPersonAtThatMoment(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.signIn(t, tenant.Member)
	a := c.connect(t)
	create := w.Registry.Operation("topics.create")
	if r := w.rest(t, a.access, create, w.owner.Slug, map[string]any{"title": "While a member"}); r.status != http.StatusCreated {
		t.Fatalf("a member: HTTP %d %s", r.status, r.raw)
	}
	w.do(t, "members.change", map[string]any{"person": c.person.Person.String(), "role": "viewer"})
	for range 2 {
		w.rest(t, a.access, create, w.owner.Slug, map[string]any{"title": "As a viewer"}).is(t, "REST", http.StatusForbidden, "INSUFFICIENT_ROLE")
		if r, failed := w.tool(t, a.access, create, "", map[string]any{"title": "As a viewer"}); !failed || r.code() != "INSUFFICIENT_ROLE" {
			t.Errorf("MCP: %s", r.raw)
		}
		if slices.Contains(w.tools(t, a.access, ""), create.Tool) {
			t.Error("the tool is still listed")
		}
		a.lives(t)
		a.renew(t) // the scopes stay, and give no role
	}
	if a.scope != scopeList() {
		t.Errorf("scope %q", a.scope)
	}
}
