package oauth_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"driftless/internal/account"
	"driftless/internal/config"
	"driftless/internal/oauth"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

const (
	grace    = time.Minute
	callback = "http://127.0.0.1:43111/callback"
	verifier = "the-verifier-of-these-tests-is-43-letters-or-more"
	working  = "context:read topics:create topics:write work:write context:diff"
)

// world is an authorization server that listens on loopback, with a clock of its own and one person in one workspace.
type world struct {
	t      testing.TB
	base   string
	server *oauth.Server
	actor  tenant.Actor
	person *browser
	ahead  *atomic.Int64
	log    *syncBuffer

	serving *atomic.Pointer[http.ServeMux]
	cfg     config.Config
	options []oauth.Option
}

type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func newWorld(t testing.TB, options ...oauth.Option) *world {
	t.Helper()
	return newWorldWith(t, func(*config.Config) {}, options...)
}

// newWorldWith makes a world with another configuration.
func newWorldWith(t testing.TB, change func(*config.Config), options ...oauth.Option) *world {
	t.Helper()
	serving := new(atomic.Pointer[http.ServeMux])
	srv := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) { serving.Load().ServeHTTP(out, r) }))
	t.Cleanup(srv.Close)
	cfg := config.Config{
		PublicURL: srv.URL, AccessTTL: time.Hour, RefreshTTL: 24 * time.Hour, RefreshGrace: grace, SessionTTL: time.Hour,
	}
	change(&cfg)
	w := &world{t: t, base: srv.URL, actor: pgtest.Workspace(t), ahead: new(atomic.Int64), log: new(syncBuffer), serving: serving, cfg: cfg, options: options}
	w.start()
	w.person = w.signIn(w.actor.Person)
	return w
}

// restarted is the same server after a restart: a new process at the same address that remembers what the database does.
func (w *world) restarted() *world {
	next := *w
	next.start()
	return &next
}

// start serves with a new server.
func (w *world) start() {
	t, cfg, mux := w.t, w.cfg, http.NewServeMux()
	accounts := account.New(pgtest.DB(t), cfg)
	clock := oauth.WithClock(func() time.Time { return time.Now().Add(time.Duration(w.ahead.Load())) })
	w.server = oauth.New(pgtest.DB(t), accounts, cfg, slog.New(slog.NewTextHandler(w.log, nil)), append(slices.Clone(w.options), clock)...)
	sessions := accounts.Sessions()
	for _, route := range w.server.Routes() {
		handler := route.Handler
		if route.Session {
			handler = sessions.Middleware(handler)
		}
		mux.Handle(strings.TrimSpace(route.Method+" "+route.Path), handler)
	}
	mux.Handle("/test/sign-in/{person}", sessions.Middleware(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if err := sessions.Begin(r.Context(), uuid.MustParse(r.PathValue("person")), r.UserAgent()); err != nil {
			http.Error(out, err.Error(), http.StatusInternalServerError)
			return
		}
		signedIn, err := sessions.Describe(r.Context(), tenant.Caller{})
		if err != nil {
			http.Error(out, err.Error(), http.StatusInternalServerError)
			return
		}
		_ = json.NewEncoder(out).Encode(signedIn)
	})))
	mux.HandleFunc("/mcp", w.resource)
	w.serving.Store(mux)
}

// resource is the protected resource: it answers with the name of the application that the token was given to.
func (w *world) resource(out http.ResponseWriter, r *http.Request) {
	scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	caller, ok, err := w.server.ByToken(r.Context(), secret)
	switch {
	case err != nil:
		http.Error(out, err.Error(), http.StatusInternalServerError)
	case !ok || !strings.EqualFold(scheme, "bearer"):
		code := ""
		if secret != "" {
			code = "invalid_token"
		}
		out.Header().Set("WWW-Authenticate", w.server.Challenge(code, nil, "the token is not good"))
		http.Error(out, "{}", http.StatusUnauthorized)
	default:
		_, _ = io.WriteString(out, caller.Client)
	}
}

// pass lets time go by for the server.
func (w *world) pass(d time.Duration) { w.ahead.Add(int64(d)) }

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   string
}

func (a answer) json(t testing.TB) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal([]byte(a.body), &out); err != nil {
		t.Fatalf("not a JSON object (HTTP %d): %q", a.status, a.body)
	}
	return out
}

// to is the address of a redirect.
func (a answer) to(t testing.TB) *url.URL {
	t.Helper()
	if a.status != http.StatusSeeOther {
		t.Fatalf("not a redirect: HTTP %d %s", a.status, a.body)
	}
	u, err := url.Parse(a.header.Get("Location"))
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func (w *world) do(method, path string, header http.Header, body string) answer {
	w.t.Helper()
	if strings.HasPrefix(path, "/") {
		path = w.base + path
	}
	request, err := http.NewRequestWithContext(w.t.Context(), method, path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	for name, values := range header {
		request.Header[name] = values
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	if err != nil {
		w.t.Error(err)
		return answer{}
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		w.t.Error(err)
	}
	return answer{status: response.StatusCode, header: response.Header, body: string(raw)}
}

func (w *world) form(path string, pairs ...string) answer {
	w.t.Helper()
	return w.do(http.MethodPost, path, http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, encode(pairs...))
}

// encode writes name, value, name, value as parameters, in order and with repetitions.
func encode(pairs ...string) string {
	var parts []string
	for i := 0; i < len(pairs); i += 2 {
		parts = append(parts, url.QueryEscape(pairs[i])+"="+url.QueryEscape(pairs[i+1]))
	}
	return strings.Join(parts, "&")
}

// browser is a person who is signed in.
type browser struct {
	w    *world
	head http.Header
}

func (w *world) signIn(person uuid.UUID) *browser {
	w.t.Helper()
	a := w.do(http.MethodPost, "/test/sign-in/"+person.String(), nil, "")
	csrf, _ := a.json(w.t)["csrf_token"].(string)
	cookie, _, _ := strings.Cut(a.header.Get("Set-Cookie"), ";")
	return &browser{w: w, head: http.Header{"Cookie": {cookie}, "X-Csrf-Token": {csrf}, "Content-Type": {"application/json"}}}
}

func (b *browser) get(path string) answer {
	return b.w.do(http.MethodGet, path, http.Header{"Cookie": b.head["Cookie"]}, "")
}

func (b *browser) post(path string, body any) answer {
	raw, err := json.Marshal(body)
	if err != nil {
		b.w.t.Fatal(err)
	}
	return b.w.do(http.MethodPost, path, b.head, string(raw))
}

// register registers a public client with these redirect addresses.
func (w *world) register(redirects ...string) string {
	w.t.Helper()
	return w.registration(map[string]any{"redirect_uris": redirects, "token_endpoint_auth_method": "none"})["client_id"].(string)
}

func (w *world) registration(body map[string]any) map[string]any {
	w.t.Helper()
	a := w.tryRegister(body)
	if a.status != http.StatusCreated {
		w.t.Fatalf("registration: HTTP %d %s", a.status, a.body)
	}
	return a.json(w.t)
}

func (w *world) tryRegister(body any) answer {
	w.t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.do(http.MethodPost, "/oauth/register", http.Header{"Content-Type": {"application/json"}}, string(raw))
}

func challenge() string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// authorizePath is an authorize request; more overrides or adds parameters, "" takes one away.
func (w *world) authorizePath(client, redirect string, more ...string) string {
	query := url.Values{
		"response_type": {"code"}, "client_id": {client}, "redirect_uri": {redirect}, "state": {"st-ate/ü"},
		"scope": {working}, "resource": {w.base + "/mcp"}, "code_challenge": {challenge()}, "code_challenge_method": {"S256"},
	}
	for i := 0; i < len(more); i += 2 {
		query.Set(more[i], more[i+1])
		if more[i+1] == "" {
			query.Del(more[i])
		}
	}
	return "/oauth/authorize?" + query.Encode()
}

// ask opens an authorize request up to the consent page and answers the path of the request.
func (w *world) ask(b *browser, client, redirect string, more ...string) string {
	w.t.Helper()
	to := b.get(w.authorizePath(client, redirect, more...)).to(w.t)
	if to.Path != "/consent" {
		w.t.Fatalf("not the consent page: %s", to)
	}
	return "/api/v1/oauth/requests/" + to.Query().Get("request")
}

// code goes through the consent page, allowing everything that is asked, and answers the code.
func (w *world) code(client, redirect string, more ...string) string {
	w.t.Helper()
	path := w.ask(w.person, client, redirect, more...)
	asked := w.person.get(path).json(w.t)
	var scopes []string
	for _, s := range asked["scopes"].([]any) {
		scopes = append(scopes, s.(map[string]any)["name"].(string))
	}
	a := w.person.post(path, map[string]any{"approve": true, "scopes": scopes, "workspaces": []string{w.actor.Slug}})
	return w.redirected(a).Get("code")
}

func (w *world) redirected(a answer) url.Values {
	w.t.Helper()
	to, _ := a.json(w.t)["redirect_to"].(string)
	u, err := url.Parse(to)
	if err != nil || a.status != http.StatusOK {
		w.t.Fatalf("no redirect_to: HTTP %d %s", a.status, a.body)
	}
	return u.Query()
}

func (w *world) exchange(client, redirect, code string, more ...string) answer {
	w.t.Helper()
	return w.form("/oauth/token", append([]string{
		"grant_type", "authorization_code", "client_id", client, "code", code, "redirect_uri", redirect, "code_verifier", verifier,
	}, more...)...)
}

func (w *world) refresh(client, token string, more ...string) answer {
	w.t.Helper()
	return w.form("/oauth/token", append([]string{"grant_type", "refresh_token", "client_id", client, "refresh_token", token}, more...)...)
}

// pair is a successful answer of the token endpoint.
type pair struct{ access, refresh, scope string }

func (w *world) pair(a answer) pair {
	w.t.Helper()
	if a.status != http.StatusOK {
		w.t.Fatalf("no tokens: HTTP %d %s", a.status, a.body)
	}
	if a.header.Get("Cache-Control") != "no-store" {
		w.t.Errorf("tokens may be stored: %q", a.header.Get("Cache-Control"))
	}
	body := a.json(w.t)
	text := func(name string) string { s, _ := body[name].(string); return s }
	return pair{access: text("access_token"), refresh: text("refresh_token"), scope: text("scope")}
}

// connect is the whole flow.
func (w *world) connect(client string, more ...string) pair {
	w.t.Helper()
	return w.pair(w.exchange(client, callback, w.code(client, callback, more...)))
}

// works reports whether an access token is good.
func (w *world) works(access string) bool {
	w.t.Helper()
	_, ok, err := w.server.ByToken(w.t.Context(), access)
	if err != nil {
		w.t.Fatal(err)
	}
	return ok
}

// refused checks an error of the protocol: status, JSON object with error, never stored.
func (w *world) refused(a answer, status int, code string) {
	w.t.Helper()
	if a.status != status || a.json(w.t)["error"] != code {
		w.t.Errorf("want HTTP %d %s, got HTTP %d %s", status, code, a.status, a.body)
	}
	if a.header.Get("Cache-Control") != "no-store" {
		w.t.Errorf("an error may be stored: %q", a.header.Get("Cache-Control"))
	}
}

// page checks that a person got the page and nobody was redirected.
func (w *world) page(a answer) {
	w.t.Helper()
	if a.status != http.StatusBadRequest || a.header.Get("Location") != "" || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
		w.t.Errorf("want a page, got HTTP %d, Location %q: %s", a.status, a.header.Get("Location"), a.body)
	}
	for name, part := range map[string]string{
		"Content-Security-Policy": "frame-ancestors 'none'", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
		"X-Content-Type-Options": "nosniff",
	} {
		if !strings.Contains(a.header.Get(name), part) {
			w.t.Errorf("%s of the page: %q", name, a.header.Get(name))
		}
	}
	if !strings.Contains(a.body, "How to reconnect") {
		w.t.Error("the page does not say how to reconnect")
	}
}

// sentBack checks that an authorize request was answered to the client with an error, state and issuer.
func (w *world) sentBack(a answer, redirect, code string) {
	w.t.Helper()
	to := a.to(w.t)
	query := to.Query()
	if !strings.HasPrefix(to.String(), redirect) || query.Get("error") != code || query.Get("state") != "st-ate/ü" || query.Get("iss") != w.base || query.Has("code") {
		w.t.Errorf("want error %s at %s, got %s", code, redirect, to)
	}
}

// events counts the events of a type in the workspace.
func (w *world) events(kind string) (n int) {
	w.t.Helper()
	err := pgtest.DB(w.t).Workspace(w.t.Context(), w.actor, pg.ReadOnly, func(tx *pg.Tx) error {
		return tx.Store().Raw(`select count(*) from event where workspace_id = ? and type = ?`, w.actor.Workspace, kind).Scan(&n).Error
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// change runs a statement within a workspace, past everything.
func (w *world) change(in tenant.Actor, statement string, args ...any) {
	w.t.Helper()
	err := pgtest.DB(w.t).System(w.t.Context(), uuid.Nil, func(tx *pg.Tx) error {
		if err := tx.Enter(in.Workspace, uuid.Nil, tenant.ViaSystem); err != nil {
			return err
		}
		return tx.Store().Exec(statement, args...).Error
	})
	if err != nil {
		w.t.Fatal(err)
	}
}
