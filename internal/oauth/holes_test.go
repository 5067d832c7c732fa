package oauth_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// These are the behaviours that the library has when it is wired by default. Each must stay closed.

func TestO1M9S1S2UnregisteredRedirectGetsAPageNotARedirect(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register("https://example.com/cb")
	for _, uri := range []string{
		"https://evil.test/steal", "https://example.com/cb/x", "https://example.com/cb?x=1", "https://example.com:8443/cb",
		"https://example.com.evil.test/cb", "https://example.com@evil.test/cb", "HTTPS://EXAMPLE.COM/cb", "http://example.com/cb",
		"//example.com/cb", "/cb", "javascript:alert(1)", "https://example.com/cb#x",
	} {
		w.page(w.person.get(w.authorizePath(client, uri)))
		w.page(w.do(http.MethodGet, w.authorizePath(client, uri), nil, ""))
	}
}

func TestO2UnknownClientIsNeverRedirected(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.person.get(w.authorizePath("dcl_unknown", "https://evil.test/cb"))
	w.page(a)
	if strings.Contains(a.body, "evil.test") {
		t.Error("the page repeats a foreign address")
	}
}

func TestO3HostThatEndsInTheRegisteredOneIsAnotherHost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register("https://example.com/cb")
	for _, uri := range []string{"http://notexample.com/cb", "https://notexample.com/cb", "https://x.example.com/cb"} {
		w.page(w.person.get(w.authorizePath(client, uri)))
	}
}

func TestO4S8ImplicitFlowIsOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	for _, kind := range []string{"token", "id_token", "code token"} {
		w.sentBack(w.person.get(w.authorizePath(client, callback, "response_type", kind)), callback, "unsupported_response_type")
	}
	w.sentBack(w.person.get(w.authorizePath(client, callback, "response_mode", "fragment")), callback, "invalid_request")
}

func TestO5S4CodeChallengeIsRequiredWithS256(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	for _, change := range [][]string{
		{"code_challenge", "", "code_challenge_method", ""},
		{"code_challenge", ""},
		{"code_challenge_method", ""},
		{"code_challenge_method", "plain", "code_challenge", verifier},
		{"code_challenge", "short"},
		{"code_challenge", challenge() + "="},
	} {
		w.sentBack(w.person.get(w.authorizePath(client, callback, change...)), callback, "invalid_request")
	}
}

func TestO6RefreshByAnotherClientOrWithWiderScopeIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	mine := w.connect(client, "scope", "context:read")
	other := w.registration(map[string]any{"redirect_uris": []string{"https://other.test/cb"}})
	id, secret := other["client_id"].(string), other["client_secret"].(string)
	w.refused(w.refresh(id, mine.refresh, "client_secret", "WRONG", "scope", "context:read work:write"), 401, "invalid_client")
	w.refused(w.refresh(id, mine.refresh, "client_secret", secret), 400, "invalid_grant")
	w.refused(w.refresh(client, mine.refresh, "scope", "context:read work:write"), 400, "invalid_scope")
	if next := w.pair(w.refresh(client, mine.refresh)); next.scope != "context:read" {
		t.Errorf("scope after the attempts: %q", next.scope)
	}
}

func TestO7S11ReuseOfARotatedRefreshTokenEndsTheFamily(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	first := w.connect(client)
	second := w.pair(w.refresh(client, first.refresh))
	third := w.pair(w.refresh(client, second.refresh))
	w.pass(grace + time.Second)
	w.refused(w.refresh(client, first.refresh), 400, "invalid_grant")
	w.refused(w.refresh(client, third.refresh), 400, "invalid_grant")
	for _, p := range []pair{first, second, third} {
		if w.works(p.access) {
			t.Error("an access token of the ended family works")
		}
	}
	if !strings.Contains(w.log.String(), "refresh token was used again") {
		t.Errorf("the log does not say so: %s", w.log)
	}
	if n := w.events("grant.revoked"); n != 1 {
		t.Errorf("%d events tell of it, want 1", n)
	}
}

func TestO8CodeReplayRevokesWhatTheCodeGave(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	code := w.code(client, callback)
	got := w.pair(w.exchange(client, callback, code))
	w.refused(w.exchange(client, callback, code), 400, "invalid_grant")
	if w.works(got.access) {
		t.Error("the access token outlives the replay of its code")
	}
	w.refused(w.refresh(client, got.refresh), 400, "invalid_grant")
}

func TestO9S17TokenInAQueryIsNotLookedAt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	got := w.connect(client)
	w.refused(w.do(http.MethodPost, "/oauth/revoke?token="+got.refresh+"&client_id="+client,
		http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, ""), 401, "invalid_client")
	if !w.works(got.access) {
		t.Error("a token in the query was revoked")
	}
}

func TestO10TokenRequestInAQueryIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	query := encode("grant_type", "authorization_code", "client_id", client, "code", w.code(client, callback),
		"redirect_uri", callback, "code_verifier", verifier)
	form := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	w.refused(w.do(http.MethodPost, "/oauth/token?"+query, form, ""), 400, "invalid_request")
	if a := w.do(http.MethodGet, "/oauth/token?"+query, nil, ""); a.status != http.StatusMethodNotAllowed {
		t.Errorf("GET at the token endpoint: HTTP %d", a.status)
	}
	w.pair(w.do(http.MethodPost, "/oauth/token", form, query))
}

func TestO11UnknownClientAtTheTokenEndpointIsInvalidClient(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.refused(w.exchange("nosuch", callback, "x"), 401, "invalid_client")
	w.refused(w.refresh("nosuch", "x"), 401, "invalid_client")
	w.refused(w.form("/oauth/revoke", "client_id", "nosuch", "token", "x"), 401, "invalid_client")
}

func TestO12S5MissingOrWrongVerifierIsInvalidGrant(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	code := w.code(client, callback)
	for _, bad := range []string{"", "short", strings.Repeat("x", 43), verifier + "!", strings.Repeat("x", 129)} {
		a := w.form("/oauth/token", "grant_type", "authorization_code", "client_id", client, "code", code, "redirect_uri", callback, "code_verifier", bad)
		w.refused(a, 400, "invalid_grant")
	}
	w.pair(w.exchange(client, callback, code))
}

func TestO13ErrorsHaveTheirStatuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	w.refused(w.exchange(client, callback, "nonsense"), 400, "invalid_grant")
	w.refused(w.form("/oauth/token", "grant_type", "made_up", "client_id", client), 400, "unsupported_grant_type")
	w.refused(w.form("/oauth/token", "client_id", client), 400, "invalid_request")
}

func TestO14S9ClientCredentialsAndPasswordGrantsAreOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.registration(map[string]any{"redirect_uris": []string{"https://app.test/cb"}})
	id, secret := c["client_id"].(string), c["client_secret"].(string)
	w.refused(w.form("/oauth/token", "grant_type", "client_credentials", "scope", "context:read", "client_id", id, "client_secret", secret),
		400, "unsupported_grant_type")
	w.refused(w.form("/oauth/token", "grant_type", "password", "username", "a", "password", "b", "client_id", id, "client_secret", secret),
		400, "unsupported_grant_type")
	if a := w.tryRegister(map[string]any{"redirect_uris": []string{"https://app.test/cb"}, "grant_types": []string{"client_credentials"}}); a.status != 400 {
		t.Errorf("a client for client_credentials alone was registered: HTTP %d", a.status)
	}
}

func TestO15AuthorizeWithoutRedirectURIGetsAPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register("https://example.com/cb")
	w.page(w.person.get(w.authorizePath(client, "x", "redirect_uri", "")))
}
