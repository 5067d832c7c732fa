package app_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"driftless/internal/tenant"
)

const (
	loopback   = "http://127.0.0.1:43111/callback"
	passphrase = "a rather long sentence about ledgers 7"
	verifier   = "the-verifier-of-these-tests-is-43-letters-or-more"
)

// signIn signs somebody new with this role in to the console, with a password over HTTP.
func (w *world) signIn(t *testing.T, role tenant.Role) *console {
	t.Helper()
	email := string(role) + "-" + w.owner.Slug + "@example.test"
	caller, err := w.Accounts.Seat(t.Context(), email, passphrase, w.owner.Slug, role)
	if err != nil {
		t.Fatal(err)
	}
	c := &console{w: w, person: caller}
	if r := c.send(t, http.MethodPost, "/api/v1/session", map[string]any{"email": email, "password": passphrase}); r.status != http.StatusOK {
		t.Fatalf("signing in: HTTP %d %s", r.status, r.raw)
	}
	return c
}

// application is an application that somebody connected.
type application struct {
	w                       *world
	client, access, refresh string
	scope                   string
}

// post sends a form to an endpoint of the authorization server, name, value, name, value.
func (w *world) post(t *testing.T, path string, pairs ...string) reply {
	t.Helper()
	form := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		form.Add(pairs[i], pairs[i+1])
	}
	r := w.request(t, http.MethodPost, path, []byte(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return send(t, r, "")
}

// register registers a public client.
func (w *world) register(t *testing.T, redirects ...string) string {
	t.Helper()
	body := map[string]any{"client_name": "Test App", "redirect_uris": redirects, "token_endpoint_auth_method": "none"}
	r := send(t, w.request(t, http.MethodPost, "/oauth/register", encode(t, body)), "")
	client, _ := r.json["client_id"].(string)
	if r.status != http.StatusCreated {
		t.Fatalf("registering: HTTP %d %s", r.status, r.raw)
	}
	return client
}

// authorizePath is an authorization request, with what more says.
func (w *world) authorizePath(client, redirect string, more ...string) string {
	sum := sha256.Sum256([]byte(verifier))
	query := url.Values{
		"response_type": {"code"}, "client_id": {client}, "redirect_uri": {redirect}, "state": {"s"},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}, "code_challenge_method": {"S256"},
	}
	for i := 0; i < len(more); i += 2 {
		query.Set(more[i], more[i+1])
	}
	return "/oauth/authorize?" + query.Encode()
}

// allow opens an authorization request, allows all that is asked in the workspace of the world, and answers the code.
func (c *console) allow(t *testing.T, path string) string {
	t.Helper()
	to := c.send(t, http.MethodGet, path, nil).header.Get("Location")
	u, err := url.Parse(to)
	if err != nil || u.Path != "/consent" {
		t.Fatalf("sent to %q, %v", to, err)
	}
	request := "/api/v1/oauth/requests/" + u.Query().Get("request")
	var scopes []any
	for _, s := range asList(c.send(t, http.MethodGet, request, nil).json["scopes"]) {
		scopes = append(scopes, s.(map[string]any)["name"])
	}
	answer := c.send(t, http.MethodPost, request, map[string]any{"approve": true, "scopes": scopes, "workspaces": []any{c.w.owner.Slug}})
	back, _ := answer.json["redirect_to"].(string)
	u, err = url.Parse(back)
	if err != nil || u.Query().Get("code") == "" {
		t.Fatalf("allowing: HTTP %d %s", answer.status, answer.raw)
	}
	return u.Query().Get("code")
}

// connect lets a new application in.
func (c *console) connect(t *testing.T, more ...string) *application {
	t.Helper()
	a := &application{w: c.w, client: c.w.register(t, loopback)}
	code := c.allow(t, c.w.authorizePath(a.client, loopback, more...))
	a.take(t, c.w.post(t, "/oauth/token", "grant_type", "authorization_code", "client_id", a.client, "code", code,
		"redirect_uri", loopback, "code_verifier", verifier))
	return a
}

func (a *application) take(t *testing.T, r reply) {
	t.Helper()
	if r.status != http.StatusOK {
		t.Fatalf("no tokens: HTTP %d %s", r.status, r.raw)
	}
	a.access, _ = r.json["access_token"].(string)
	a.refresh, _ = r.json["refresh_token"].(string)
	a.scope, _ = r.json["scope"].(string)
}

// tryRefresh sends the refresh token.
func (a *application) tryRefresh(t *testing.T) reply {
	t.Helper()
	return a.w.post(t, "/oauth/token", "grant_type", "refresh_token", "client_id", a.client, "refresh_token", a.refresh)
}

func (a *application) renew(t *testing.T) {
	t.Helper()
	was := a.access
	a.take(t, a.tryRefresh(t))
	if a.access == was || strings.TrimSpace(a.access) == "" {
		t.Fatal("a refresh gave the same token")
	}
}

// logged is what the server wrote to its log.
type logged struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *logged) lines(part string) (out []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(l.buf.String()) {
		if strings.Contains(line, part) {
			out = append(out, line)
		}
	}
	return out
}

func TestM25EveryCallLeavesALineThatNamesGrantToolAndTenant(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.signIn(t, tenant.Member)
	a := c.connect(t)
	connections := asList(c.send(t, http.MethodGet, "/api/v1/connections", nil).json["results"])
	if len(connections) != 1 {
		t.Fatalf("connections: %v", connections)
	}
	grant := connections[0].(map[string]any)["id"].(string)
	get := w.Registry.Operation("topics.get")
	w.tool(t, a.access, get, w.owner.Slug, map[string]any{"topic": "queue-limits"})
	w.rest(t, a.access, get, w.owner.Slug, map[string]any{"topic": "no-such-topic"})
	lines := w.log.lines("credential=" + grant)
	if len(lines) != 2 {
		t.Fatalf("%d lines: %q", len(lines), lines)
	}
	for i, parts := range [][]string{{"via=mcp", `code=""`}, {"via=api", "code=NOT_FOUND"}} {
		for _, part := range append(parts, "msg=call", "operation=topics.get", "workspace="+w.owner.Workspace.String(), "person="+c.person.Person.String()) {
			if !strings.Contains(lines[i], part) {
				t.Errorf("the line lacks %s: %s", part, lines[i])
			}
		}
	}
	for _, secret := range []string{a.access, a.refresh, passphrase, "queue-limits"} {
		if len(w.log.lines(secret)) > 0 {
			t.Errorf("the log holds %.6s…", secret)
		}
	}
}
