package oauth_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/fault"
	"driftless/internal/oauth"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

func TestR7ARequestWithoutAResourceIsForTheOneThereIs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.registration(map[string]any{"redirect_uris": []string{callback}})
	id, secret := c["client_id"].(string), c["client_secret"].(string)
	code := w.code(id, callback, "resource", "")
	p := w.pair(w.exchange(id, callback, code, "client_secret", secret))
	about := w.form("/oauth/introspect", "client_id", id, "client_secret", secret, "token", p.access).json(t)
	if about["aud"] != w.base+"/mcp" || !w.works(p.access) {
		t.Errorf("the token is for %v", about["aud"])
	}
}

// A client that gets anything but an object with an error in it tells its user nothing that helps.
func TestR14ErrorsAreAlwaysAJSONObject(t *testing.T) {
	t.Parallel()
	limited := ""
	w := newWorld(t, oauth.WithLimits(func(limit string, r *http.Request) error {
		if r.Header.Get("X-Test") != "limited" {
			return nil
		}
		limited = limit
		e := fault.New(fault.Rate, fault.CodeRateLimited, "too many requests", "wait")
		e.RetryAfter = 1500 * time.Millisecond
		return e
	}))
	for _, path := range []string{"/oauth/token", "/oauth/register", "/oauth/revoke", "/oauth/introspect", "/oauth/device"} {
		for name, a := range map[string]answer{
			"another method": w.do(http.MethodGet, path, nil, ""),
			"no body":        w.do(http.MethodPost, path, nil, ""),
			"an array":       w.do(http.MethodPost, path, http.Header{"Content-Type": {"application/json"}}, `[]`),
			"a wrong form":   w.form(path, "client_id", "dcl_gone", "grant_type", "x", "token", "y"),
			"a large body":   w.do(http.MethodPost, path, http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, strings.Repeat("x", 70_000)),
			"an odd type":    w.do(http.MethodPost, path, http.Header{"Content-Type": {"text/html;;"}}, "<html>"),
			"too many":       w.do(http.MethodPost, path, http.Header{"X-Test": {"limited"}}, ""),
		} {
			body := a.json(t)
			code, _ := body["error"].(string)
			if a.status < 400 || a.status >= 500 || code == "" || a.header.Get("Content-Type") != "application/json" || a.header.Get("Location") != "" {
				t.Errorf("%s, %s: HTTP %d %s", path, name, a.status, a.body)
			}
			if a.header.Get("Access-Control-Allow-Origin") != "*" || a.header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s, %s: a page cannot read the error, or it may be stored: %v", path, name, a.header)
			}
			if (name == "too many") != (a.status == http.StatusTooManyRequests && code == "too_many_requests" && a.header.Get("Retry-After") == "2") {
				t.Errorf("%s, %s: HTTP %d %s, Retry-After %q", path, name, a.status, code, a.header.Get("Retry-After"))
			}
		}
		if want := map[bool]string{true: oauth.LimitRegistration, false: oauth.LimitToken}[path == "/oauth/register"]; limited != want {
			t.Errorf("%s counts against %q", path, limited)
		}
	}
}

func TestR21ADocumentIsHeldToTheSameRuleAsARegistration(t *testing.T) {
	t.Parallel()
	id := strings.Replace(documentID, "client", "ports", 1)
	page := strings.Replace(document, documentID, id, 1)
	net := documents(map[string]string{id: strings.Replace(page, `"http://localhost/callback"`, `"http://localhost/callback","https://app.example:8443/cb"`, 1)})
	w := newWorld(t, oauth.WithTransport(read{net}))
	for _, good := range []string{"http://localhost:51234/callback", "http://127.0.0.1:8/callback", "https://app.example:8443/cb"} {
		code := w.code(id, good, "prompt", "consent")
		w.refused(w.exchange(id, strings.Replace(good, ":", "://x", 1), code), 400, "invalid_grant")
		w.pair(w.exchange(id, good, code))
	}
	for _, bad := range []string{"https://app.example/cb", "https://app.example:8444/cb", "http://localhost:51234/other"} {
		w.page(w.person.get(w.authorizePath(id, bad)))
	}
}

func TestR25RegistrationsAndConnectionsSurviveARestart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	p, code := w.connect(client), w.code(client, callback)
	next := w.restarted()
	if !next.works(p.access) {
		t.Error("an access token is not known after a restart")
	}
	next.pair(next.refresh(client, p.refresh))
	next.pair(next.exchange(client, callback, code))
	next.connect(client)
}

func TestR30ARefreshTokenNeedsNoOfflineAccess(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	for _, scope := range []string{"context:read", "context:read offline_access", "offline_access", ""} {
		p := w.connect(client, "scope", scope)
		if p.refresh == "" || strings.Contains(p.scope, "offline") {
			t.Errorf("scope %q gave %+v", scope, p)
		}
	}
	const word = "offline_access"
	resource := w.do(http.MethodGet, "/.well-known/oauth-protected-resource", nil, "").body
	server := w.do(http.MethodGet, "/.well-known/oauth-authorization-server", nil, "").body
	if strings.Contains(resource, word) || strings.Contains(w.server.Challenge("", nil, ""), word) || !strings.Contains(server, word) {
		t.Errorf("where it stands: resource %s, server %s", resource, server)
	}
}

func TestR44WhatAClientWaitsForAnswersWithinTenSeconds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	p, code := w.connect(client), w.code(client, callback)
	for name, ask := range map[string]func() answer{
		"resource":  func() answer { return w.do(http.MethodGet, "/.well-known/oauth-protected-resource/mcp", nil, "") },
		"discovery": func() answer { return w.do(http.MethodGet, "/.well-known/oauth-authorization-server", nil, "") },
		"registration": func() answer {
			return w.tryRegister(map[string]any{"redirect_uris": []string{callback}, "token_endpoint_auth_method": "none"})
		},
		"code":    func() answer { return w.exchange(client, callback, code) },
		"refresh": func() answer { return w.refresh(client, p.refresh) },
	} {
		begin := time.Now()
		if a := ask(); a.status >= 300 || time.Since(begin) > 10*time.Second {
			t.Errorf("%s: HTTP %d after %s", name, a.status, time.Since(begin))
		}
	}
}

func TestR45HostedClientsRegisterTheirAddresses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, addresses := range map[string][]string{
		"ChatGPT": {"https://chatgpt.com/connector/oauth/A1b2-C3_d4", "https://chatgpt.com/connector_platform_oauth_redirect"},
		"Claude":  {"https://claude.ai/api/mcp/auth_callback", "https://claude.com/api/mcp/auth_callback"},
	} {
		client := w.register(addresses...)
		for _, used := range addresses {
			w.pair(w.exchange(client, used, w.code(client, used, "prompt", "consent")))
			w.page(w.person.get(w.authorizePath(client, used+"/x")))
		}
		if !strings.HasPrefix(client, "dcl_") {
			t.Errorf("%s is called %s", name, client)
		}
	}
}

func TestM11ASilentRequestIsAnsweredWithWhatWouldBeAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const cb = "https://app.test/cb"
	client := w.register(cb)
	path := func(more ...string) string { return w.authorizePath(client, cb, append(more, "prompt", "none")...) }
	w.sentBack(w.do(http.MethodGet, path(), nil, ""), cb, "login_required")
	w.sentBack(w.person.get(path()), cb, "consent_required")
	w.code(client, cb, "scope", "context:read")
	if back := w.person.get(path("scope", "context:read")).to(t); back.Query().Get("code") == "" {
		t.Errorf("what was allowed before is not given silently: %s", back)
	}
	w.sentBack(w.person.get(path("scope", "context:read work:write")), cb, "consent_required")
	for _, both := range []string{"none consent", "login none"} {
		w.sentBack(w.person.get(w.authorizePath(client, cb, "prompt", both)), cb, "invalid_request")
	}
	// Whatever else a client wants the person to see, they see the page.
	for _, prompt := range []string{"login", "consent", "select_account", "made_up"} {
		w.ask(w.person, client, cb, "scope", "context:read", "prompt", prompt)
	}
}

func TestM16AnAnswerThatGotLostCostsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	first := w.connect(client)
	// The answer never arrives, so the client knows the first token alone and sends it again.
	w.pair(w.refresh(client, first.refresh))
	w.pass(grace - time.Second)
	again := w.pair(w.refresh(client, first.refresh))
	w.pass(2 * grace)
	next := w.pair(w.refresh(client, again.refresh))
	if !w.works(again.access) || !w.works(next.access) || w.events("grant.revoked") != 0 {
		t.Error("a client that lost an answer lost its connection")
	}
}

func TestM19EachEndOfAConnectionIsAnEvent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	p := w.connect(client)
	for range 2 {
		if a := w.form("/oauth/revoke", "client_id", client, "token", p.refresh); a.status != http.StatusOK {
			t.Fatalf("HTTP %d %s", a.status, a.body)
		}
	}
	if w.events("grant.created") != 1 || w.events("grant.revoked") != 1 {
		t.Errorf("events: %d begun, %d ended", w.events("grant.created"), w.events("grant.revoked"))
	}
}

// Tokens are not bound to a key of their sender, and nothing says that they were.
func TestS10TokensAreBearerTokensAndSaySo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	a := w.exchange(client, callback, w.code(client, callback))
	server := w.do(http.MethodGet, "/.well-known/oauth-authorization-server", nil, "").json(t)
	if a.json(t)["token_type"] != "Bearer" || server["dpop_signing_alg_values_supported"] != nil || server["tls_client_certificate_bound_access_tokens"] != nil {
		t.Errorf("token %s, server %v", a.body, server)
	}
	resource := w.do(http.MethodGet, "/.well-known/oauth-protected-resource", nil, "").json(t)
	if diff := cmp.Diff([]any{"header"}, resource["bearer_methods_supported"]); diff != "" {
		t.Error(diff)
	}
}

func TestS19NobodyIsRedirectedWithTheirBody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const cb = "https://app.test/cb"
	client := w.register(cb)
	for name, a := range map[string]answer{
		"to sign in":       w.do(http.MethodGet, w.authorizePath(client, cb), nil, ""),
		"to be asked":      w.person.get(w.authorizePath(client, cb)),
		"to the client":    w.person.get(w.authorizePath(client, cb, "response_type", "token")),
		"after consenting": func() answer { w.code(client, cb); return w.person.get(w.authorizePath(client, cb)) }(),
	} {
		if a.status != http.StatusSeeOther || a.header.Get("Location") == "" {
			t.Errorf("%s: HTTP %d", name, a.status)
		}
	}
	// The consent page is told the address in JSON, and opens it without what was posted.
	path := w.ask(w.person, client, cb, "prompt", "consent")
	if a := w.person.post(path, map[string]any{"approve": false}); a.status != http.StatusOK || a.header.Get("Location") != "" {
		t.Errorf("answering: HTTP %d, Location %q", a.status, a.header.Get("Location"))
	}
}

func TestS21NobodyChoosesTheIdOfTheirClient(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, wanted := range []string{w.actor.Person.String(), "https://app.example/client.json", "admin"} {
		c := w.registration(map[string]any{"client_id": wanted, "redirect_uris": []string{callback}, "token_endpoint_auth_method": "none"})
		if id, _ := c["client_id"].(string); id == wanted || !strings.HasPrefix(id, "dcl_") {
			t.Errorf("a client that wanted to be %s is %s", wanted, id)
		}
	}
}

func TestM20ScopesBeyondTheRoleAreRefusedAtTheNextCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.connect(w.register(callback))
	caller := func() tenant.Caller {
		c, ok, err := w.server.ByToken(context.WithoutCancel(t.Context()), p.access)
		if err != nil || !ok {
			t.Fatalf("%v, %v", ok, err)
		}
		return c
	}
	in := map[string]any{"name": "x", "redirect_uris": []any{callback}}
	if _, err := w.try(caller().In(caller().Memberships[0]), "clients.list", nil); err != nil {
		t.Errorf("an owner: %v", err)
	}
	w.change(w.actor, `update membership set role = 'member' where person_id = ?`, w.actor.Person)
	now := caller()
	if _, err := w.try(now.In(now.Memberships[0]), "clients.create", in); !fault.Is(err, fault.CodeInsufficientRole) || !slices.Contains(now.Scopes, tenant.WorkWrite) {
		t.Errorf("a member with the scope: %v", err)
	}
	if raw, err := json.Marshal(now.Memberships); err != nil || !strings.Contains(string(raw), "member") {
		t.Errorf("%s, %v", raw, err)
	}
}

func TestM20AGrantLosesAWorkspaceWithItsPersonAndEndsWithTheLast(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	boss := w.actor
	person := pgtest.Person(t, boss, tenant.Member)
	second := w.alsoIn(person.Person, tenant.Member)
	w.person = w.signIn(person.Person)
	client := w.register(callback)
	path := w.ask(w.person, client, callback)
	p := w.pair(w.exchange(client, callback, w.redirected(w.person.post(path, map[string]any{
		"approve": true, "scopes": []string{"context:read"}, "workspaces": []string{boss.Slug, second.Slug},
	})).Get("code")))
	reach := func() (slugs []string) {
		caller, _, err := w.server.ByToken(t.Context(), p.access)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range caller.Memberships {
			slugs = append(slugs, m.Slug)
		}
		return slugs
	}
	if len(reach()) != 2 {
		t.Fatalf("reaches %v", reach())
	}
	w.call(boss, "members.remove", map[string]any{"person": person.Email})
	if diff := cmp.Diff([]string{second.Slug}, reach()); diff != "" {
		t.Error(diff)
	}
	p = w.pair(w.refresh(client, p.refresh))
	w.call(second, "members.remove", map[string]any{"person": person.Email})
	w.refused(w.refresh(client, p.refresh), 400, "invalid_grant")
	// Coming back brings nothing back.
	w.change(boss, `insert into membership (workspace_id, person_id, role, joined_at) values (?, ?, 'owner', now())`, boss.Workspace, person.Person)
	if w.works(p.access) || len(w.connections(w.person)) != 0 {
		t.Errorf("the ended grant reaches %v", reach())
	}
	w.refused(w.refresh(client, p.refresh), 400, "invalid_grant")
}

func TestM17ATokenForAnAddressOfThePastIsNotRefreshed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	p := w.connect(client)
	w.change(w.actor, `update oauth_grant set resource = 'https://before.example/mcp' where person_id = ?`, w.actor.Person)
	w.refused(w.refresh(client, p.refresh), 400, "invalid_grant")
	w.change(w.actor, `update oauth_grant set resource = ? where person_id = ?`, w.base+"/mcp", w.actor.Person)
	w.pair(w.refresh(client, p.refresh))
}
