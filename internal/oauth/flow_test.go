package oauth_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

func TestR6ResourceAliasesAreOneResourceAndForeignOnesAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	upper := strings.Replace(w.base, "http:", "HTTP:", 1)
	for _, alias := range []string{w.base + "/mcp/", w.base, w.base + "/", upper + "/mcp", ""} {
		w.ask(w.person, client, callback, "resource", alias)
	}
	for _, foreign := range []string{"https://evil.example/mcp", w.base + "/mcp#frag", w.base + "/other", "not a url", w.base + "/mcp?x=1"} {
		w.sentBack(w.person.get(w.authorizePath(client, callback, "resource", foreign)), callback, "invalid_target")
	}
	code := w.code(client, callback)
	w.refused(w.exchange(client, callback, code, "resource", "https://evil.example/mcp"), 400, "invalid_target")
	got := w.pair(w.exchange(client, callback, code, "resource", w.base+"/"))
	w.refused(w.refresh(client, got.refresh, "resource", "https://evil.example/mcp"), 400, "invalid_target")
}

func TestR8RefreshWithoutResourceKeepsItsAudience(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	got := w.connect(client, "resource", "")
	if next := w.pair(w.refresh(client, got.refresh)); !w.works(got.access) || !w.works(next.access) {
		t.Error("a token without a named resource is not good for ours")
	}
}

func TestR9M13S3IssuerIsInEveryAnswerOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	path := w.ask(w.person, client, callback)
	denied := w.redirected(w.person.post(path, map[string]any{"approve": false}))
	path = w.ask(w.person, client, callback)
	allowed := w.redirected(w.person.post(path, map[string]any{"approve": true, "scopes": []string{"context:read"}, "workspaces": []string{w.actor.Slug}}))
	for _, got := range []url.Values{denied, allowed} {
		if !slices.Equal(got["iss"], []string{w.base}) || !slices.Equal(got["state"], []string{"st-ate/ü"}) {
			t.Errorf("iss %q, state %q", got["iss"], got["state"])
		}
	}
	if denied.Get("error") != "access_denied" || denied.Has("code") || !allowed.Has("code") {
		t.Errorf("denied %v, allowed %v", denied, allowed)
	}
}

func TestR10M4UnknownWellKnownIsAJSON404(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, path := range []string{"/.well-known/no-such-thing", "/.well-known/oauth-protected-resource/other"} {
		if a := w.do(http.MethodGet, path, nil, ""); a.status != http.StatusNotFound || a.json(t)["error"] == nil {
			t.Errorf("%s: HTTP %d %s", path, a.status, a.body)
		}
	}
}

func TestR18UnknownScopesAreDroppedAtRegistration(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.registration(map[string]any{"redirect_uris": []string{callback}, "scope": "context:read openid email profile"})
	if c["scope"] != "context:read" {
		t.Errorf("scope: %q", c["scope"])
	}
	client := w.register(callback)
	w.sentBack(w.person.get(w.authorizePath(client, callback, "scope", "openid email")), callback, "invalid_scope")
	if got := w.connect(client, "scope", "openid context:read offline_access"); got.scope != "context:read" {
		t.Errorf("granted %q", got.scope)
	}
	if got := w.connect(client, "scope", "offline_access"); got.scope != working || got.refresh == "" {
		t.Errorf("granted %q", got.scope)
	}
}

func TestR19PrivateSchemesRegisterAndDangerousOnesDoNot(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const cursor = "cursor://anysphere.cursor-mcp/oauth/callback"
	c := w.registration(map[string]any{"redirect_uris": []string{cursor}, "application_type": "web", "token_endpoint_auth_method": "none"})
	client := c["client_id"].(string)
	w.pair(w.exchange(client, cursor, w.code(client, cursor)))
	w.page(w.person.get(w.authorizePath(client, cursor+"/x")))
	for _, uris := range []any{
		[]string{"javascript:alert(1)"},
		[]string{"data:text/html,x"},
		[]string{"file:///etc/passwd"},
		[]string{"vbscript:x"},
		[]string{"JavaScript:alert(1)"},
		[]string{"java\tscript:alert(1)"},
		[]string{" javascript:alert(1)"},
		[]string{"http://app.example/cb"},
		[]string{"https://app.example/cb#frag"},
		[]string{"/cb"},
		[]string{"https://u@app.example/cb"},
		[]string{},
		[]string{callback, "data:x"},
		nil, "https://app.example/cb",
		[]int{1},
		map[string]int{"a": 1},
	} {
		a := w.tryRegister(map[string]any{"redirect_uris": uris, "token_endpoint_auth_method": "none"})
		if code := a.json(t)["error"]; a.status != 400 || (code != "invalid_redirect_uri" && code != "invalid_client_metadata") {
			t.Errorf("%v: HTTP %d %s", uris, a.status, a.body)
		}
	}
}

func TestR20LoopbackAndEditorAddressesRegisterTogether(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register("http://127.0.0.1/", "https://vscode.dev/redirect", "https://insiders.vscode.dev/redirect")
	for _, used := range []string{"http://127.0.0.1:33418/", "http://127.0.0.1:33418", "https://vscode.dev/redirect"} {
		w.pair(w.exchange(client, used, w.code(client, used, "prompt", "consent")))
	}
	w.page(w.person.get(w.authorizePath(client, "http://127.0.0.1:33418/other")))
}

func TestR21TheTokenRequestRepeatsTheUsedAddressExactly(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register("http://127.0.0.1/callback")
	const used = "http://127.0.0.1:54321/callback"
	code := w.code(client, used)
	for _, wrong := range []string{"http://127.0.0.1/callback", "http://127.0.0.1:54322/callback", "http://localhost:54321/callback", ""} {
		w.refused(w.exchange(client, wrong, code), 400, "invalid_grant")
	}
	w.pair(w.exchange(client, used, code))
}

func TestR22NamesOfThisMachineStandForEachOtherForPublicClients(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register("http://localhost:9999/cb")
	for _, used := range []string{"http://127.0.0.1:1234/cb", "http://[::1]:1234/cb", "http://localhost/cb"} {
		w.pair(w.exchange(client, used, w.code(client, used, "prompt", "consent")))
	}
	secretive := w.registration(map[string]any{"redirect_uris": []string{"http://localhost:9999/cb"}})["client_id"].(string)
	w.page(w.person.get(w.authorizePath(secretive, "http://127.0.0.1:1234/cb")))
}

func TestR23TheAnswerGoesToTheRequestedAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register("https://one.test/cb", "https://two.test/cb?keep=%7e1")
	path := w.ask(w.person, client, "https://two.test/cb?keep=%7e1")
	a := w.person.post(path, map[string]any{"approve": false})
	if to := a.json(t)["redirect_to"].(string); !strings.HasPrefix(to, "https://two.test/cb?keep=%7e1&error=access_denied") {
		t.Errorf("the answer goes to %s", to)
	}
}

func TestR26UnknownClientLearnsToRegisterAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.form("/oauth/token", "grant_type", "refresh_token", "refresh_token", "x", "client_id", "dcl_gone")
	w.refused(a, 401, "invalid_client")
	basic := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Authorization": {"Basic ZGNsX2dvbmU6"}}
	a = w.do(http.MethodPost, "/oauth/token", basic, "grant_type=refresh_token&refresh_token=x")
	w.refused(a, 401, "invalid_client")
	if !strings.HasPrefix(a.header.Get("WWW-Authenticate"), "Basic") {
		t.Errorf("no challenge for Basic: %q", a.header.Get("WWW-Authenticate"))
	}
	w.page(w.person.get(w.authorizePath("dcl_gone", callback)))
}

func TestR27DeadRefreshTokenIsInvalidGrant(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	for _, dead := range []string{"never-issued", strings.Repeat("A", 4000), "drt_ü"} {
		w.refused(w.refresh(client, dead), 400, "invalid_grant")
	}
	got := w.connect(client)
	w.refused(w.refresh(client, got.access), 400, "invalid_grant")
	w.pass(25 * time.Hour)
	w.refused(w.refresh(client, got.refresh), 400, "invalid_grant")
}

func TestR28EarlierRefreshTokenGivesAPairWithinTheGrace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	first := w.connect(client)
	left := w.pair(w.refresh(client, first.refresh))
	w.pass(grace - 10*time.Second)
	right := w.pair(w.refresh(client, first.refresh))
	for _, p := range []pair{left, right} {
		if !w.works(p.access) {
			t.Error("a pair of the race is dead")
		}
		w.pair(w.refresh(client, p.refresh))
	}
}

func TestR29ReuseAfterTheTokenWouldHaveExpiredStillEndsTheFamily(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	first := w.connect(client)
	w.pass(20 * time.Hour)
	second := w.pair(w.refresh(client, first.refresh))
	w.pass(10 * time.Hour)
	w.refused(w.refresh(client, first.refresh), 400, "invalid_grant")
	w.refused(w.refresh(client, second.refresh), 400, "invalid_grant")
}

func TestR42ASecondAnswerIsToldSoAndGivesNoCode(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.ask(w.person, w.register(callback), callback)
	body := map[string]any{"approve": true, "scopes": []string{"context:read"}, "workspaces": []string{w.actor.Slug}}
	w.redirected(w.person.post(path, body))
	for _, a := range []answer{w.person.post(path, body), w.person.get(path)} {
		if got := a.json(t); a.status != http.StatusConflict || got["code"] != "STATE_CONFLICT" || a.header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("HTTP %d %s", a.status, a.body)
		}
	}
}

func TestR43M10SignInReturnsToTheWholeRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.authorizePath(w.register(callback), callback)
	to := w.do(http.MethodGet, path, nil, "").to(t)
	if to.Path != "/sign-in" || to.Query().Get("return_to") != path {
		t.Errorf("sent to %s", to)
	}
	none := w.do(http.MethodGet, path+"&prompt=none", nil, "")
	w.sentBack(none, callback, "login_required")
	w.sentBack(w.person.get(path+"&prompt=none"), callback, "consent_required")
}

func TestM11ConsentNamesWhoAsksAndWhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.registration(map[string]any{
		"client_name": "Ev\u202eil\n App", "client_uri": "https://app.test/", "redirect_uris": []string{callback}, "token_endpoint_auth_method": "none",
	})
	path := w.ask(w.person, c["client_id"].(string), callback, "scope", "work:write context:read")
	got := w.person.get(path).json(t)
	client := got["client"].(map[string]any)
	if client["name"] != "Evil App" || client["uri"] != "https://app.test/" || got["loopback"] != true || got["redirect_host"] != "127.0.0.1:43111" {
		t.Errorf("asked: %v", got)
	}
	scopes, workspaces := got["scopes"].([]any), got["workspaces"].([]any)
	if len(scopes) != 2 || scopes[0].(map[string]any)["name"] != "context:read" || len(workspaces) != 1 ||
		workspaces[0].(map[string]any)["slug"] != w.actor.Slug || workspaces[0].(map[string]any)["role"] != "owner" {
		t.Errorf("scopes %v, workspaces %v", scopes, workspaces)
	}
}

func TestM11S18ConsentIsForItsOwnPersonWithTheirSessionOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	stranger := w.signIn(pgtest.Person(t, w.actor, tenant.Admin).Person)
	path := w.ask(w.person, w.register(callback), callback)
	body := map[string]any{"approve": true, "scopes": []string{"context:read"}, "workspaces": []string{w.actor.Slug}}
	for _, a := range []answer{stranger.get(path), stranger.post(path, body), w.person.get("/api/v1/oauth/requests/nonsense")} {
		if a.status != http.StatusNotFound {
			t.Errorf("another person's request: HTTP %d %s", a.status, a.body)
		}
	}
	if a := w.do(http.MethodPost, path, http.Header{"Authorization": {"Bearer dl_key"}}, `{"approve":true}`); a.status != http.StatusUnauthorized {
		t.Errorf("without a session: HTTP %d %s", a.status, a.body)
	}
	bare := &browser{w: w, head: http.Header{"Cookie": w.person.head["Cookie"]}}
	if a := bare.post(path, body); a.status != http.StatusForbidden {
		t.Errorf("without the CSRF token: HTTP %d %s", a.status, a.body)
	}
	w.pass(11 * time.Minute)
	if a := w.person.post(path, body); a.status != http.StatusNotFound {
		t.Errorf("an expired request: HTTP %d %s", a.status, a.body)
	}
}

func TestM11BadAnswersAreNamedAndLeaveTheRequestOpen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := pgtest.Workspace(t)
	path := w.ask(w.person, w.register(callback), callback, "scope", "context:read")
	read, here := []string{"context:read"}, []string{w.actor.Slug}
	for name, body := range map[string]any{
		"no workspace":        map[string]any{"approve": true, "scopes": read, "workspaces": []string{}},
		"a foreign workspace": map[string]any{"approve": true, "scopes": read, "workspaces": []string{other.Slug}},
		"no scope":            map[string]any{"approve": true, "scopes": []string{}, "workspaces": here},
		"a scope not asked":   map[string]any{"approve": true, "scopes": []string{"work:write"}, "workspaces": here},
		"an unknown member":   map[string]any{"approve": true, "scopes": read, "workspaces": here, "x": 1},
		"a list":              []int{1},
	} {
		a := w.person.post(path, body)
		if a.status != http.StatusUnprocessableEntity || a.json(t)["code"] != "VALIDATION_FAILED" {
			t.Errorf("%s: HTTP %d %s", name, a.status, a.body)
		}
	}
	w.redirected(w.person.post(path, map[string]any{"approve": true, "scopes": read, "workspaces": here}))
}

func TestM11ConsentIsRememberedForWebClientsAndNeverGrantsMore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const cb = "https://app.test/cb"
	client := w.register(cb, callback)
	w.code(client, cb, "scope", "context:read topics:create")
	back := w.person.get(w.authorizePath(client, cb, "scope", "context:read")).to(t)
	if back.Host != "app.test" || back.Query().Get("iss") != w.base {
		t.Fatalf("not straight back: %s", back)
	}
	got := w.pair(w.exchange(client, cb, back.Query().Get("code")))
	if got.scope != "context:read" {
		t.Errorf("the remembered consent gave %q", got.scope)
	}
	w.ask(w.person, client, cb, "scope", "context:read work:write")
	w.ask(w.person, client, cb, "scope", "context:read", "prompt", "consent")
	w.ask(w.person, client, callback, "scope", "context:read")
	stranger := w.signIn(pgtest.Person(t, w.actor, tenant.Member).Person)
	w.ask(stranger, client, cb, "scope", "context:read")
}

func TestM12GrantedScopesMayBeASubsetAndAreSaid(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	path := w.ask(w.person, client, callback)
	code := w.redirected(w.person.post(path, map[string]any{
		"approve": true, "scopes": []string{"work:write", "context:read"}, "workspaces": []string{w.actor.Slug},
	})).Get("code")
	got := w.pair(w.exchange(client, callback, code))
	if got.scope != "context:read work:write" {
		t.Errorf("scope: %q", got.scope)
	}
	caller, ok, err := w.server.ByToken(t.Context(), got.access)
	if err != nil || !ok || !slices.Equal(caller.Scopes, []tenant.Scope{tenant.ContextRead, tenant.WorkWrite}) {
		t.Errorf("caller %+v, %v, %v", caller, ok, err)
	}
}
