package app_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"driftless/internal/app"
	"driftless/internal/config"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

// client follows no redirect: an answer is looked at as it is.
var client = &http.Client{
	Timeout:       30 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// world is a whole server over real HTTP, with a workspace of its own in which there is something to read.
type world struct {
	*app.App
	url    string
	log    *logged
	owner  tenant.Actor
	people map[tenant.Role]tenant.Actor
	// The names that a generated argument uses where something must exist.
	names map[string]any
}

func newWorld(t *testing.T, change ...func(*config.Config)) *world {
	t.Helper()
	web := httptest.NewUnstartedServer(nil)
	const plenty = 1_000_000
	cfg := config.Config{
		Addr: "127.0.0.1:0", PublicURL: "http://" + web.Listener.Addr().String(), Calls: plenty, WorkspaceRate: plenty, IndexBytes: 1 << 24,
		Registrations: plenty, SignInFails: plenty, AccountFails: plenty, TokenRequests: plenty, PublicReads: plenty, AccessTTL: time.Hour, RefreshTTL: time.Hour, SessionTTL: time.Hour,
		Origins: []string{"https://pages.example"},
	}
	for _, c := range change {
		c(&cfg)
	}
	lines := &logged{}
	a, err := app.New(cfg, &app.Database{DB: pgtest.DB(t)}, slog.New(slog.NewTextHandler(io.MultiWriter(t.Output(), lines), nil)), "test")
	if err != nil {
		t.Fatal(err)
	}
	web.Config.Handler = a.Handler()
	web.Start()
	t.Cleanup(web.Close)
	w := &world{App: a, url: web.URL, log: lines, owner: pgtest.Workspace(t), people: map[tenant.Role]tenant.Actor{}}
	for _, r := range tenant.Roles() {
		w.people[r] = pgtest.Person(t, w.owner, r)
	}
	w.do(t, "tags.create", map[string]any{"name": "billing"})
	w.do(t, "areas.create", map[string]any{"name": "Ledger"})
	w.do(t, "topics.create", map[string]any{"title": "Queue limits", "what": "The queue drops large messages.", "tags": []any{"billing"}, "area": "Ledger", "anchors": []any{"queue/**"}})
	w.do(t, "topics.create", map[string]any{"title": "Nightly ledger", "what": "The ledger closes at night.", "rels": []any{map[string]any{"to": "queue-limits", "type": "depends_on"}}})
	w.do(t, "topics.approve", map[string]any{"topic": "queue-limits"})
	revision := w.do(t, "topics.get", map[string]any{"topic": "queue-limits"})["revision"]
	edit := w.do(t, "edits.create", map[string]any{"topic": "queue-limits", "summary": "Say how large.", "base_revision": revision, "fields": map[string]any{"what": "The queue drops messages above 64 KB."}})
	w.names = map[string]any{
		"topic": "queue-limits", "name": "billing", "files": []any{"queue/a.go"}, "proposal": edit["proposal_id"], "key": uuid.NewString(),
		"invitation": uuid.NewString(), "person": uuid.NewString(),
	}
	return w
}

// do runs an operation as the owner in the console, past every transport.
func (w *world) do(t *testing.T, id string, args map[string]any) map[string]any {
	t.Helper()
	return w.doAs(t, w.owner, id, args)
}

func (w *world) doAs(t *testing.T, a tenant.Actor, id string, args map[string]any) map[string]any {
	t.Helper()
	r, err := w.Registry.Call(t.Context(), a.Caller, op.Call{Operation: w.Registry.Operation(id), Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	var out map[string]any
	if err := json.Unmarshal(r.JSON, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// key makes an API key of somebody with these scopes, or with all of them.
func (w *world) key(t *testing.T, a tenant.Actor, scopes ...tenant.Scope) string {
	t.Helper()
	if len(scopes) == 0 {
		scopes = tenant.Scopes()
	}
	list := []any{}
	for _, s := range scopes {
		list = append(list, string(s))
	}
	secret, ok := w.doAs(t, a, "keys.create", map[string]any{"name": "test", "scopes": list})["secret"].(string)
	if !ok {
		t.Fatal("a key has no secret")
	}
	return secret
}

// reply is an answer over HTTP, read to its end.
type reply struct {
	status int
	header http.Header
	raw    []byte
	// json is the body where it is an object; of a stream of events, the last one.
	json map[string]any
}

// problem is the product's error: the body itself, or what a JSON-RPC error carries.
func (r reply) problem() map[string]any {
	failure, _ := r.json["error"].(map[string]any)
	if data, ok := failure["data"].(map[string]any); ok {
		return data
	}
	return r.json
}

func (r reply) code() string { s, _ := r.problem()["code"].(string); return s }

func (r reply) message() string { s, _ := r.problem()["message"].(string); return s }

// send sends a request as it is, with the credential where there is one.
func send(t *testing.T, r *http.Request, key string) reply {
	t.Helper()
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	answer, err := client.Do(r)
	if err != nil {
		t.Fatalf("%s %s: %v", r.Method, r.URL, err)
	}
	defer func() { _ = answer.Body.Close() }()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	out := reply{status: answer.StatusCode, header: answer.Header, raw: raw}
	if strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream") {
		for lines := bufio.NewScanner(bytes.NewReader(raw)); lines.Scan(); {
			if data, is := strings.CutPrefix(lines.Text(), "data:"); is {
				raw = []byte(data)
			}
		}
	}
	_ = json.Unmarshal(raw, &out.json)
	return out
}

func (w *world) request(t *testing.T, method, path string, body []byte) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, w.url+path, bytes.NewReader(body))
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return r
}

// rest calls an operation by its route: parameters of the path, then the query or the body.
func (w *world) rest(t *testing.T, key string, o *op.Operation, workspace string, args map[string]any) reply {
	t.Helper()
	path := strings.ReplaceAll(o.Path(), "{workspace}", url.PathEscape(workspace))
	rest := map[string]any{}
	for name, value := range args {
		if slot := "{" + name + "}"; strings.Contains(path, slot) {
			path = strings.ReplaceAll(path, slot, url.PathEscape(fmt.Sprint(value)))
		} else {
			rest[name] = value
		}
	}
	if !hasBody(o) {
		q := url.Values{}
		for name, value := range rest {
			if list, ok := value.([]any); ok {
				for _, item := range list {
					q.Add(name, fmt.Sprint(item))
				}
			} else {
				q.Set(name, fmt.Sprint(value))
			}
		}
		return send(t, w.request(t, o.Method(), path+"?"+q.Encode(), nil), key)
	}
	return send(t, w.request(t, o.Method(), path, encode(t, rest)), key)
}

func hasBody(o *op.Operation) bool {
	return o.Method() != http.MethodGet && o.Method() != http.MethodDelete
}

// encode writes JSON and lets bytes that are not UTF-8 stand.
func encode(t *testing.T, v any) []byte {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.ReplaceAll(raw, []byte(`\ufffd`), []byte("\xff"))
}

// rpc sends one message to the endpoint.
func (w *world) rpc(t *testing.T, key, method string, params map[string]any) reply {
	t.Helper()
	return send(t, w.message(t, method, params), key)
}

func (w *world) message(t *testing.T, method string, params map[string]any) *http.Request {
	t.Helper()
	r := w.request(t, http.MethodPost, "/mcp", encode(t, map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("MCP-Protocol-Version", "2025-11-25")
	return r
}

// toolCall is the parameters of a call of the operation through its tool.
func toolCall(o *op.Operation, workspace string, args map[string]any) map[string]any {
	all := map[string]any{}
	for name, value := range args {
		all[name] = value
	}
	if workspace != "" {
		all["workspace"] = workspace
	}
	if o.Action != "" {
		all["action"] = o.Action
	}
	return map[string]any{"name": o.Tool, "arguments": all}
}

// tool calls an operation through its tool and answers the structured result; failed says that it is an error.
func (w *world) tool(t *testing.T, key string, o *op.Operation, workspace string, args map[string]any) (result reply, failed bool) {
	t.Helper()
	r := w.rpc(t, key, "tools/call", toolCall(o, workspace, args))
	if r.status != http.StatusOK {
		return r, true
	}
	outer, ok := r.json["result"].(map[string]any)
	if !ok {
		t.Fatalf("%s answered %s", o.ID, r.raw)
	}
	failed, _ = outer["isError"].(bool)
	r.json, _ = outer["structuredContent"].(map[string]any)
	return r, failed
}

// trace counts what a write would leave behind in the workspace.
func (w *world) trace(t *testing.T) (out [3]int64) {
	t.Helper()
	err := w.Database.Workspace(t.Context(), tenant.System(w.owner.Workspace), pg.ReadOnly, func(tx *pg.Tx) error {
		for i, query := range []string{`select count(*) from event`, `select count(*) from revision`, `select seq from workspace_head`} {
			if err := tx.Store().Raw(query).Scan(&out[i]).Error; err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
