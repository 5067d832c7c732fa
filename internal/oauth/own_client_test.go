package oauth_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"driftless/internal/account"
	"driftless/internal/config"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

// try runs an operation of the accounts or of the clients.
func (w *world) try(a tenant.Actor, id string, args map[string]any) (map[string]any, error) {
	w.t.Helper()
	accounts := account.New(pgtest.DB(w.t), config.Config{})
	registry, err := op.NewRegistry(pgtest.DB(w.t), slices.Concat(accounts.Operations(), w.server.Operations()), nil)
	if err != nil {
		w.t.Fatal(err)
	}
	r, err := registry.Call(w.t.Context(), a.Caller, op.Call{Operation: registry.Operation(id), Workspace: a.Slug, Arguments: args})
	if err != nil {
		return nil, err
	}
	var out map[string]any
	if err := json.Unmarshal(r.JSON, &out); err != nil {
		w.t.Fatal(err)
	}
	return out, nil
}

func (w *world) call(a tenant.Actor, id string, args map[string]any) map[string]any {
	w.t.Helper()
	out, err := w.try(a, id, args)
	if err != nil {
		w.t.Fatalf("%s: %v", id, err)
	}
	return out
}

func TestM7AClientOfAWorkspaceConnectsItsPeopleToThatWorkspaceAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	second := w.alsoIn(w.actor.Person, tenant.Member)
	made := w.call(w.actor, "clients.create", map[string]any{"name": "House tool", "redirect_uris": []any{callback}, "scopes": []any{"context:read", "topics:create"}})
	id := made["client_id"].(string)
	if _, has := made["client_secret"]; has || made["auth_method"] != "none" || made["created_by"] != w.actor.Name {
		t.Errorf("made %v", made)
	}
	path := w.ask(w.person, id, callback)
	asked := w.person.get(path).json(t)
	if got := asked["workspaces"].([]any); len(got) != 1 || got[0].(map[string]any)["slug"] != w.actor.Slug {
		t.Errorf("to choose from: %v", got)
	}
	answer := func(workspace string) answer {
		return w.person.post(path, map[string]any{"approve": true, "scopes": []string{"context:read"}, "workspaces": []string{workspace}})
	}
	if a := answer(second.Slug); a.status != http.StatusUnprocessableEntity {
		t.Errorf("another workspace of the person: HTTP %d %s", a.status, a.body)
	}
	got := w.pair(w.exchange(id, callback, w.redirected(answer(w.actor.Slug)).Get("code")))
	caller, ok, err := w.server.ByToken(t.Context(), got.access)
	if err != nil || !ok || caller.Client != "House tool" || len(caller.Memberships) != 1 || caller.Memberships[0].Slug != w.actor.Slug {
		t.Errorf("reaches %v, %v, %v", caller.Memberships, ok, err)
	}
	// More than was registered is not to be had, whatever is asked for.
	if got := w.connect(id, "scope", working); got.scope != "context:read topics:create" {
		t.Errorf("granted %q", got.scope)
	}
	w.sentBack(w.person.get(w.authorizePath(id, callback, "scope", "work:write")), callback, "invalid_scope")
	row := w.call(w.actor, "clients.list", nil)["results"].([]any)[0].(map[string]any)
	if row["client_id"] != id || row["last_used_at"] == nil || row["client_secret"] != nil {
		t.Errorf("listed as %v", row)
	}
	stranger := w.signIn(pgtest.Workspace(t).Person)
	w.sentBack(stranger.get(w.authorizePath(id, callback)), callback, "access_denied")
	w.sentBack(stranger.get(w.authorizePath(id, callback, "prompt", "none")), callback, "access_denied")
}

func TestM7AConfidentialClientOfAWorkspaceProvesItself(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const cb = "https://app.test/cb"
	for _, method := range []string{"client_secret_basic", "client_secret_post"} {
		made := w.call(w.actor, "clients.create", map[string]any{"name": "Server", "redirect_uris": []any{cb}, "auth_method": method})
		id, secret := made["client_id"].(string), made["client_secret"].(string)
		code := w.code(id, cb, "prompt", "consent")
		w.refused(w.exchange(id, cb, code), 401, "invalid_client")
		p := w.pair(w.exchange(id, cb, code, "client_secret", secret))
		w.refused(w.refresh(id, p.refresh, "client_secret", "wrong"), 401, "invalid_client")
		w.pair(w.refresh(id, p.refresh, "client_secret", secret))
	}
}

func TestM7DeletingAClientEndsWhatPeopleAllowedIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.call(w.actor, "clients.create", map[string]any{"name": "Short-lived", "redirect_uris": []any{callback}})["client_id"].(string)
	p, code := w.connect(id), w.code(id, callback)
	foreign := pgtest.Workspace(t)
	if _, err := w.try(foreign, "clients.delete", map[string]any{"client": id}); !fault.Is(err, fault.CodeNotFound) {
		t.Errorf("another workspace deletes it: %v", err)
	}
	if rows := w.call(foreign, "clients.list", nil)["results"].([]any); len(rows) != 0 {
		t.Errorf("another workspace sees %v", rows)
	}
	registered := w.register(callback)
	if _, err := w.try(w.actor, "clients.delete", map[string]any{"client": registered}); !fault.Is(err, fault.CodeNotFound) {
		t.Errorf("a client that registered itself is deleted: %v", err)
	}
	if got := w.call(w.actor, "clients.delete", map[string]any{"client": id}); got["connections"] != 2.0 {
		t.Errorf("deleted: %v", got)
	}
	if w.works(p.access) {
		t.Error("an access token outlives its client")
	}
	w.refused(w.refresh(id, p.refresh), 401, "invalid_client")
	w.refused(w.exchange(id, callback, code), 401, "invalid_client")
	w.page(w.person.get(w.authorizePath(id, callback)))
	if w.events("client.created") != 1 || w.events("client.deleted") != 1 {
		t.Errorf("events: %d created, %d deleted", w.events("client.created"), w.events("client.deleted"))
	}
}

func TestM7ClientsOfAWorkspaceAreForItsAdmins(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in := map[string]any{"name": "x", "redirect_uris": []any{callback}}
	for _, role := range []tenant.Role{tenant.Viewer, tenant.Member} {
		person := pgtest.Person(t, w.actor, role)
		for id, args := range map[string]map[string]any{"clients.list": nil, "clients.create": in, "clients.delete": {"client": "x"}} {
			if _, err := w.try(person, id, args); !fault.Is(err, fault.CodeInsufficientRole) {
				t.Errorf("%s by a %s: %v", id, role, err)
			}
		}
	}
	admin := pgtest.Person(t, w.actor, tenant.Admin)
	made := w.call(admin, "clients.create", map[string]any{"name": "x", "redirect_uris": []any{callback}})
	application := admin
	application.OAuth = true
	for id, args := range map[string]map[string]any{"clients.create": in, "clients.delete": {"client": made["client_id"]}} {
		if _, err := w.try(application, id, args); !fault.Is(err, fault.CodePolicyForbids) {
			t.Errorf("%s by an application: %v", id, err)
		}
	}
	for _, uri := range []string{"javascript:alert(1)", "http://app.test/cb", "https://app.test/#x"} {
		_, err := w.try(admin, "clients.create", map[string]any{"name": "x", "redirect_uris": []any{uri}})
		if !fault.Is(err, fault.CodeValidation) {
			t.Errorf("%s: %v", uri, err)
		}
	}
}

// alsoIn founds another workspace and puts the person into it.
func (w *world) alsoIn(person uuid.UUID, role tenant.Role) tenant.Actor {
	w.t.Helper()
	other := pgtest.Workspace(w.t)
	w.change(other, `insert into membership (workspace_id, person_id, role, joined_at) values (?, ?, ?, ?)`, other.Workspace, person, role, time.Now())
	return other
}
