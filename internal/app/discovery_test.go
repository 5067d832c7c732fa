package app_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/config"
	"driftless/internal/tenant"
)

// challengeOf reads WWW-Authenticate into its parameters.
func challengeOf(t *testing.T, r reply) map[string]string {
	t.Helper()
	header := r.header.Values("WWW-Authenticate")
	if len(header) != 1 || !strings.HasPrefix(header[0], "Bearer ") {
		t.Fatalf("HTTP %d, WWW-Authenticate %q", r.status, header)
	}
	out := map[string]string{}
	for _, m := range regexp.MustCompile(`(\w+)="([^"]*)"`).FindAllStringSubmatch(header[0], -1) {
		out[m[1]] = m[2]
	}
	return out
}

func scopeList() string {
	words := make([]string, 0, 5)
	for _, s := range tenant.Scopes() {
		words = append(words, string(s))
	}
	return strings.Join(words, " ")
}

func TestR1M1EveryRequestWithoutACredentialIsShownTheWay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	metadata := w.url + "/.well-known/oauth-protected-resource/mcp"
	for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodHead, http.MethodPut, http.MethodDelete} {
		for name, credential := range map[string]string{"none": "", "an unknown token": "dat_unknown", "an unknown key": "dl_unknown"} {
			for _, body := range []string{"", "{}", "not json", `{"jsonrpc":"2.0","id":1,"method":"initialize"}`} {
				r := send(t, w.request(t, method, "/mcp", []byte(body)), credential)
				got := challengeOf(t, r)
				want := map[string]string{"resource_metadata": metadata, "scope": scopeList()}
				if credential != "" {
					want["error"], want["error_description"] = "invalid_token", got["error_description"]
				}
				if diff := cmp.Diff(want, got); r.status != http.StatusUnauthorized || diff != "" {
					t.Errorf("%s with %s: HTTP %d %s", method, name, r.status, diff)
				}
				if method != http.MethodHead && (r.code() != "UNAUTHENTICATED" || !strings.HasPrefix(r.header.Get("Content-Type"), "application/json")) {
					t.Errorf("%s with %s: %s", method, name, r.raw)
				}
			}
		}
	}
}

func TestR2TheWayIsFoundBehindAProxyAndWithoutTheHeader(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	origin, err := url.Parse(w.url)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(origin) }})
	t.Cleanup(proxy.Close)
	ask := func(path string) reply {
		r := w.request(t, http.MethodGet, path, nil)
		r.URL.Host, r.Host = strings.TrimPrefix(proxy.URL, "http://"), ""
		r.Header.Set("Accept-Encoding", "gzip")
		return send(t, r, "")
	}
	if got := challengeOf(t, ask("/mcp"))["resource_metadata"]; got != w.url+"/.well-known/oauth-protected-resource/mcp" {
		t.Errorf("behind a proxy: %q", got)
	}
	// A client that lost the header knows the address of the endpoint, and nothing else.
	resource := ask("/.well-known/oauth-protected-resource/mcp")
	server, _ := asList(resource.json["authorization_servers"])[0].(string)
	about := ask(strings.TrimPrefix(server, w.url) + "/.well-known/oauth-authorization-server")
	if resource.json["resource"] != w.url+"/mcp" || about.json["issuer"] != server {
		t.Errorf("resource %s, server %s", resource.raw, about.raw)
	}
}

func TestR5TheEndpointHasAPathOfItsOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.message(t, "tools/list", nil)
	r.URL.Path = "/"
	send(t, r, w.key(t, w.owner)).is(t, "the root", http.StatusNotFound, "NOT_FOUND")
	resource := send(t, w.request(t, http.MethodGet, "/.well-known/oauth-protected-resource", nil), "").json["resource"]
	if resource != w.url+"/mcp" {
		t.Errorf("the resource is %v", resource)
	}
}

func TestR10M4WellKnownAddressesAreNeverThePageOfTheConsole(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for path, want := range map[string]int{
		"/.well-known/oauth-protected-resource":         http.StatusOK,
		"/.well-known/oauth-protected-resource/mcp":     http.StatusOK,
		"/.well-known/oauth-authorization-server":       http.StatusOK,
		"/.well-known/openid-configuration":             http.StatusOK,
		"/.well-known/oauth-authorization-server/mcp":   http.StatusOK,
		"/.well-known/openid-configuration/mcp":         http.StatusOK,
		"/.well-known/oauth-protected-resource/other":   http.StatusNotFound,
		"/.well-known/mcp.json":                         http.StatusNotFound,
		"/.well-known/":                                 http.StatusNotFound,
		"/.well-known/jwks.json":                        http.StatusNotFound,
		"/mcp/.well-known/openid-configuration":         http.StatusNotFound,
		"/oauth/.well-known/oauth-authorization-server": http.StatusNotFound,
	} {
		for _, credential := range []string{"", "dat_unknown"} {
			r := send(t, w.request(t, http.MethodGet, path, nil), credential)
			kind := r.header.Get("Content-Type")
			if r.status != want || r.json == nil || !strings.Contains(kind, "json") {
				t.Errorf("%s: HTTP %d %s %.80s", path, r.status, kind, r.raw)
			}
		}
	}
}

func TestR11S20TheIssuerIsConfiguredAndNotWhatARequestSays(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *config.Config) { c.PublicURL = "https://context.example.com" })
	for _, path := range []string{"/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"} {
		r := w.request(t, http.MethodGet, path, nil)
		r.Host = "evil.example"
		for name, value := range map[string]string{
			"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "ftp", "X-Original-URL": "/evil", "Forwarded": "host=evil.example", "X-Forwarded-Prefix": "/evil",
		} {
			r.Header.Set(name, value)
		}
		got := send(t, r, "")
		if strings.Contains(string(got.raw), "evil") || !strings.Contains(string(got.raw), `"https://context.example.com`) {
			t.Errorf("%s: %s", path, got.raw)
		}
		if issuer := got.json["issuer"]; issuer != nil && issuer != "https://context.example.com" {
			t.Errorf("issuer %v", issuer)
		}
		if servers := got.json["authorization_servers"]; servers != nil && !cmp.Equal(servers, any([]any{"https://context.example.com"})) {
			t.Errorf("authorization_servers %v", servers)
		}
	}
}

func TestS14OverTLSBrowsersAreToldToStayThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *config.Config) { c.PublicURL = "https://context.example.com" })
	person := w.signIn(t, tenant.Member)
	r := person.send(t, http.MethodGet, "/api/v1/session", nil)
	if !strings.HasPrefix(r.header.Get("Strict-Transport-Security"), "max-age=") || !strings.HasPrefix(person.cookie, "__Host-") {
		t.Errorf("headers %v, cookie %.12s", r.header, person.cookie)
	}
	for name, at := range send(t, w.request(t, http.MethodGet, "/.well-known/oauth-authorization-server", nil), "").json {
		if text, ok := at.(string); ok && !strings.HasPrefix(text, "https://context.example.com") {
			t.Errorf("%s is %s", name, text)
		}
	}
}

func TestR13BothWaysToBecomeAClientAreOpen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	about := send(t, w.request(t, http.MethodGet, "/.well-known/oauth-authorization-server", nil), "").json
	if about["client_id_metadata_document_supported"] != true || about["registration_endpoint"] != w.url+"/oauth/register" {
		t.Errorf("%v", about)
	}
	w.register(t, loopback)
}

func TestM5RegistrationIsLimitedByAddressInItsOwnWords(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *config.Config) { c.Registrations, c.TokenRequests = 1, 1 })
	w.register(t, loopback)
	w.post(t, "/oauth/revoke", "client_id", "x", "token", "y")
	register := send(t, w.request(t, http.MethodPost, "/oauth/register", []byte(`{"redirect_uris":["`+loopback+`"]}`)), "")
	for where, r := range map[string]reply{"register": register, "token": w.post(t, "/oauth/token", "client_id", "x", "grant_type", "y")} {
		if r.status != http.StatusTooManyRequests || r.json["error"] != "too_many_requests" || r.header.Get("Retry-After") == "" ||
			r.header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: HTTP %d %s", where, r.status, r.raw)
		}
	}
	// What a workspace registers for itself does not count.
	for range 3 {
		w.do(t, "clients.create", map[string]any{"name": "x", "redirect_uris": []any{loopback}})
	}
}

func TestR33R34R35R36PagesMayAskAndReadEverywhereButWherePeopleDecide(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const from = "https://pages.example"
	for path, method := range map[string]string{
		"/mcp": http.MethodPost, "/.well-known/oauth-protected-resource": http.MethodGet, "/.well-known/oauth-protected-resource/mcp": http.MethodGet,
		"/.well-known/oauth-authorization-server": http.MethodGet, "/oauth/register": http.MethodPost, "/oauth/token": http.MethodPost, "/oauth/revoke": http.MethodPost,
	} {
		ask := w.request(t, http.MethodOptions, path, nil)
		ask.Header.Set("Origin", from)
		ask.Header.Set("Access-Control-Request-Method", method)
		before := send(t, ask, "")
		allowed := strings.ToLower(before.header.Get("Access-Control-Allow-Headers"))
		needs := []string{"authorization", "content-type", "accept", "mcp-protocol-version"}
		if path == "/mcp" {
			needs = append(needs, "mcp-session-id", "mcp-method", "mcp-name", "last-event-id")
		}
		for _, name := range needs {
			if before.status != http.StatusNoContent || !slices.Contains(strings.Split(allowed, ", "), name) {
				t.Errorf("%s: HTTP %d, %s may not be sent: %q", path, before.status, name, allowed)
			}
		}
		real := w.request(t, method, path, []byte("{}"))
		real.Header.Set("Origin", from)
		after := send(t, real, "")
		if origin := after.header.Get("Access-Control-Allow-Origin"); origin != "*" && origin != from {
			t.Errorf("%s: the answer, HTTP %d, is kept from the page: %q", path, after.status, origin)
		}
		for _, name := range []string{"WWW-Authenticate", "Mcp-Session-Id", "MCP-Protocol-Version"} {
			if !strings.Contains(after.header.Get("Access-Control-Expose-Headers"), name) {
				t.Errorf("%s: %s is kept from the page", path, name)
			}
		}
	}
	for _, path := range []string{w.authorizePath(w.register(t, loopback), loopback), "/oauth/authorize", "/sign-in", "/consent", "/api/v1/session"} {
		r := w.request(t, http.MethodGet, path, nil)
		r.Header.Set("Origin", from)
		if got := send(t, r, "").header.Get("Access-Control-Allow-Origin"); got != "" {
			t.Errorf("%s is open to pages of other origins: %q", path, got)
		}
	}
}

func TestS16S22PagesWherePeopleDecideAreNotFramedAndTellNobody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, path := range []string{"/sign-in?return_to=%2Foauth%2Fauthorize", "/consent?request=x", "/confirm/x", "/device", "/oauth/authorize?client_id=unknown"} {
		r := send(t, w.request(t, http.MethodGet, path, nil), "")
		policy := r.header.Get("Content-Security-Policy")
		if !strings.Contains(policy, "frame-ancestors 'none'") || !strings.Contains(policy, "default-src 'none'") || r.header.Get("X-Frame-Options") != "DENY" {
			t.Errorf("%s may be framed, or load from elsewhere: %q", path, policy)
		}
		if r.header.Get("Referrer-Policy") != "no-referrer" || r.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: Referrer-Policy %q, Cache-Control %q", path, r.header.Get("Referrer-Policy"), r.header.Get("Cache-Control"))
		}
		for _, source := range regexp.MustCompile(`(?:src|href)="([^"]*)"`).FindAllStringSubmatch(string(r.raw), -1) {
			if strings.Contains(source[1], "//") {
				t.Errorf("%s loads %s", path, source[1])
			}
		}
	}
}
