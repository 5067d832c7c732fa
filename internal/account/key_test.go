package account_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

// in runs an operation in another workspace than the house.
func (h *house) in(a tenant.Actor, workspace, id string, args map[string]any) map[string]any {
	h.t.Helper()
	out, err := h.tryIn(a, workspace, id, args)
	if err != nil {
		h.t.Fatalf("%s: %v", id, err)
	}
	return out
}

func (h *house) tryIn(a tenant.Actor, workspace, id string, args map[string]any) (map[string]any, error) {
	h.t.Helper()
	r, err := h.registry.Call(h.t.Context(), a.Caller, op.Call{Operation: h.registry.Operation(id), Workspace: workspace, Arguments: args})
	if err != nil {
		return nil, err
	}
	var out map[string]any
	if err := json.Unmarshal(r.JSON, &out); err != nil {
		h.t.Fatal(err)
	}
	return out, nil
}

// also puts the person into another workspace and answers them there, at the console with both places.
func (h *house) also(a tenant.Actor, role tenant.Role) (here, there tenant.Actor) {
	h.t.Helper()
	other := pgtest.Workspace(h.t)
	err := pgtest.DB(h.t).System(h.t.Context(), uuid.Nil, func(tx *pg.Tx) error {
		if err := tx.Enter(other.Workspace, uuid.Nil, tenant.ViaSystem); err != nil {
			return err
		}
		return tx.Store().Exec(`insert into membership (workspace_id, person_id, role, joined_at) values (?, ?, ?, now())`,
			other.Workspace, a.Person, string(role)).Error
	})
	if err != nil {
		h.t.Fatal(err)
	}
	m := tenant.Membership{Workspace: other.Workspace, Slug: other.Slug, Name: other.Slug, Role: role}
	a.Memberships = append([]tenant.Membership{a.Memberships[0]}, m)
	return a, a.In(m)
}

// keys lists the names of the keys that somebody sees in a workspace, with where they reach.
func (h *house) keys(a tenant.Actor, workspace string) map[string][]any {
	h.t.Helper()
	out := map[string][]any{}
	for _, row := range h.in(a, workspace, "keys.list", nil)["results"].([]any) {
		k := row.(map[string]any)
		out[k["name"].(string)] = k["workspaces"].([]any)
	}
	return out
}

func TestAKeyForSeveralWorkspacesReachesThemAsItsMaker(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	person, there := h.also(pgtest.Person(t, h.owner, tenant.Member), tenant.Viewer)
	here := h.owner.Slug
	made := h.in(person, here, "keys.create", map[string]any{
		"name": "both", "scopes": []any{"context:read", "work:write"}, "workspaces": []any{there.Slug, here},
	})
	if diff := cmp.Diff([]any{here, there.Slug}, made["workspaces"]); diff != "" {
		t.Error(diff)
	}
	h.in(person, here, "keys.create", map[string]any{"name": "one", "scopes": []any{"context:read"}})
	caller, ok, err := h.service.ByKey(t.Context(), made["secret"].(string))
	if err != nil || !ok || len(caller.Memberships) != 2 || caller.Memberships[1].Role != tenant.Viewer {
		t.Fatalf("the key reaches %v, %v, %v", caller.Memberships, ok, err)
	}
	// It does no more than its maker may: the viewer of the other workspace invites nobody there.
	caller.Via = tenant.ViaAPI
	if _, err := h.tryIn(caller.In(caller.Memberships[1]), there.Slug, "invitations.create", nil); !fault.Is(err, fault.CodeInsufficientRole) {
		t.Errorf("inviting with the key of a viewer: %v", err)
	}
	if diff := cmp.Diff(map[string][]any{"both": {here, there.Slug}, "one": {here}}, h.keys(person, here)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string][]any{"both": {here, there.Slug}}, h.keys(person, there.Slug)); diff != "" {
		t.Error(diff)
	}
	// The admins of a workspace see the event, not the key and not where else it reaches.
	if got := h.keys(h.owner, here); len(got) != 0 {
		t.Errorf("the owner sees the keys of a member: %v", got)
	}
	for _, a := range []tenant.Actor{person.In(person.Memberships[0]), there} {
		var seen int
		err := pgtest.DB(t).Workspace(t.Context(), a, pg.ReadOnly, func(tx *pg.Tx) error {
			return tx.Store().Raw(`select count(*) from event where workspace_id = ? and type = 'key.created' and detail->>'name' = 'both'
				and detail::text not like '%' || ? || '%' and person_id = ?`, a.Workspace, there.Slug, person.Person).Scan(&seen).Error
		})
		if err != nil || seen != 1 {
			t.Errorf("%s has %d events about the key: %v", a.Slug, seen, err)
		}
	}
}

func TestAKeyIsMadeForOnesOwnWorkspacesAlone(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	person, there := h.also(pgtest.Person(t, h.owner, tenant.Admin), tenant.Member)
	here, foreign := h.owner.Slug, pgtest.Workspace(t).Slug
	for name, args := range map[string]map[string]any{
		"a foreign workspace":             {"workspaces": []any{here, foreign}},
		"a workspace that is not there":   {"workspaces": []any{here, "no-such-one"}},
		"not the one where it is made":    {"workspaces": []any{there.Slug}},
		"a service account in two places": {"workspaces": []any{here, there.Slug}, "kind": "service"},
	} {
		args["name"], args["scopes"] = "x", []any{"context:read"}
		if _, err := h.tryIn(person, here, "keys.create", args); !fault.Is(err, fault.CodeValidation) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Somebody who has left in the meantime, with a session that still names the place, gets none for it.
	if _, err := h.tryIn(there, there.Slug, "members.remove", map[string]any{"person": person.Email}); err != nil {
		t.Fatal(err)
	}
	_, err := h.tryIn(person, here, "keys.create", map[string]any{"name": "x", "scopes": []any{"context:read"}, "workspaces": []any{here, there.Slug}})
	if !fault.Is(err, fault.CodeNotFound) || len(h.keys(person, here)) != 0 {
		t.Errorf("after leaving: %v, keys %v", err, h.keys(person, here))
	}
}

func TestAKeyForSeveralWorkspacesIsStoppedEverywhereByWhoReachesThemAll(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	person, there := h.also(pgtest.Person(t, h.owner, tenant.Member), tenant.Member)
	here, scopes := h.owner.Slug, []any{"context:read", "work:write"}
	both := h.in(person, here, "keys.create", map[string]any{"name": "both", "scopes": scopes, "workspaces": []any{here, there.Slug}})
	narrow := h.in(person, here, "keys.create", map[string]any{"name": "narrow", "scopes": scopes})
	caller, _, err := h.service.ByKey(t.Context(), narrow["secret"].(string))
	if err != nil {
		t.Fatal(err)
	}
	caller.Via = tenant.ViaAPI
	withKey := caller.In(caller.Memberships[0])
	if diff := cmp.Diff([]any{here}, h.keys(withKey, here)["both"]); diff != "" {
		t.Errorf("a key for one workspace is told of the other: %s", diff)
	}
	revoke := map[string]any{"key": both["id"]}
	if _, err := h.tryIn(withKey, here, "keys.revoke", revoke); !fault.Is(err, fault.CodePolicyForbids) {
		t.Errorf("a key for one workspace stops one for two: %v", err)
	}
	if _, err := h.tryIn(h.owner, here, "keys.revoke", revoke); !fault.Is(err, fault.CodeNotFound) {
		t.Errorf("the owner stops a member's key: %v", err)
	}
	h.in(there, there.Slug, "keys.revoke", revoke)
	if _, ok, err := h.service.ByKey(t.Context(), both["secret"].(string)); ok || err != nil {
		t.Errorf("the key works: %v, %v", ok, err)
	}
}
