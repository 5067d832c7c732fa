package mcpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"driftless/internal/config"
	"driftless/internal/label"
	"driftless/internal/mcpapi"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/question"
	"driftless/internal/retrieve"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const (
	modern = "2026-07-28"
	legacy = "2025-11-25"
	oldest = "2025-03-26"
)

// world is the endpoint over real HTTP, on a real database. A credential is the id of its person.
type world struct {
	url     string
	topics  *topic.Service
	reg     *op.Registry
	owner   tenant.Actor
	callers map[string]tenant.Caller
	calls   atomic.Int64
}

func newWorld(t *testing.T) *world {
	t.Helper()
	db := pgtest.DB(t)
	cfg := config.Config{PublicURL: "http://console.test", IndexBytes: 1 << 24}
	w := &world{topics: topic.New(db, cfg), owner: pgtest.Workspace(t), callers: map[string]tenant.Caller{}}
	var err error
	w.reg, err = op.NewRegistry(db, slices.Concat(
		w.topics.Operations(), label.New().Operations(), retrieve.New(db, cfg.IndexBytes).Operations(),
	), nil)
	if err != nil {
		t.Fatal(err)
	}
	w.url = w.process(t, mcpapi.New)
	w.enter(w.owner.Caller)
	return w
}

// process starts an endpoint that knows the world's callers and has nothing else in common with another but the database. It
// answers the address.
func (w *world) process(t *testing.T, endpoint func(mcpapi.Options) (http.Handler, error)) string {
	t.Helper()
	web := httptest.NewUnstartedServer(nil)
	url := "http://" + web.Listener.Addr().String()
	var err error
	web.Config.Handler, err = endpoint(mcpapi.Options{
		Config: config.Config{Addr: "127.0.0.1:0", PublicURL: url}, Registry: w.reg, Log: slog.New(slog.NewTextHandler(t.Output(), nil)), Version: "test",
		Bearer: func(_ context.Context, secret string) (tenant.Caller, bool, error) {
			caller, ok := w.callers[secret]
			return caller, ok, nil
		},
		Challenge: func(code string, scopes []tenant.Scope, _ string) string {
			return `Bearer error="` + code + `", scope="` + string(scopes[0]) + `"`
		},
		Limit:     func(string) error { w.calls.Add(1); return nil },
		Questions: question.New(pgtest.DB(t)), Outcome: w.topics.Outcome,
	})
	if err != nil {
		t.Fatal(err)
	}
	web.Start()
	t.Cleanup(web.Close)
	return url
}

// enter gives the caller a credential and answers it.
func (w *world) enter(c tenant.Caller) string {
	secret := uuid.NewString()
	w.callers[secret], w.callers[c.Person.String()] = c, c
	return secret
}

// join makes the person a member of another workspace too.
func (w *world) join(t *testing.T, person, host tenant.Actor) tenant.Caller {
	t.Helper()
	err := pgtest.DB(t).System(t.Context(), uuid.Nil, func(tx *pg.Tx) error {
		if err := tx.Enter(host.Workspace, uuid.Nil, tenant.ViaSystem); err != nil {
			return err
		}
		return tx.Store().Exec(`insert into membership (workspace_id, person_id, role, joined_at) values (?, ?, 'member', ?)`,
			host.Workspace, person.Person, time.Now()).Error
	})
	if err != nil {
		t.Fatal(err)
	}
	c := person.Caller
	c.Memberships = append(slices.Clone(c.Memberships), tenant.Membership{
		Workspace: host.Workspace, Slug: host.Slug, Name: host.Slug, Role: tenant.Member,
	})
	return c
}

// do runs an operation as somebody in the console.
func (w *world) do(t *testing.T, a tenant.Actor, id string, args map[string]any) map[string]any {
	t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	args, err = op.Arguments(raw)
	if err != nil {
		t.Fatal(err)
	}
	r, err := w.reg.Call(t.Context(), a.Caller, op.Call{Operation: w.reg.Operation(id), Workspace: a.Slug, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	var out map[string]any
	if err := json.Unmarshal(r.JSON, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// knowledge writes topics that a person approved.
func (w *world) knowledge(t *testing.T, a tenant.Actor, titles ...string) {
	t.Helper()
	for _, title := range titles {
		slug := w.do(t, a, "topics.create", map[string]any{"title": title, "what": "About " + title + "."})["slug"]
		w.do(t, a, "topics.approve", map[string]any{"topic": slug})
	}
}

// reply is an answer: the HTTP status and the JSON-RPC message.
type reply struct {
	status int
	header http.Header
	raw    []byte
	result map[string]any
	code   float64
	data   map[string]any
}

func (w *world) post(t *testing.T, secret, version string, headers map[string]string, body any) reply {
	t.Helper()
	answer := w.send(t, w.url, secret, version, headers, body)
	defer func() { _ = answer.Body.Close() }()
	return read(t, answer)
}

// send sends one message to a process and answers as soon as the answer begins.
func (w *world) send(t *testing.T, url, secret, version string, headers map[string]string, body any) *http.Response {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+secret)
	if version != "" {
		r.Header.Set("MCP-Protocol-Version", version)
	}
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

func read(t *testing.T, answer *http.Response) reply {
	t.Helper()
	out := reply{status: answer.StatusCode, header: answer.Header}
	var err error
	if out.raw, err = io.ReadAll(answer.Body); err != nil {
		t.Fatal(err)
	}
	var m struct {
		Result map[string]any `json:"result"`
		Error  struct {
			Code float64        `json:"code"`
			Data map[string]any `json:"data"`
		} `json:"error"`
	}
	_ = json.Unmarshal(out.raw, &m)
	out.result, out.code, out.data = m.Result, m.Error.Code, m.Error.Data
	return out
}

// rpc sends one request of the revision, with the headers and the _meta that 2026-07-28 wants.
func (w *world) rpc(t *testing.T, secret, version, method string, params map[string]any, capabilities ...map[string]any) reply {
	t.Helper()
	all, headers := map[string]any{}, map[string]string{}
	for name, value := range params {
		all[name] = value
	}
	if version == modern {
		can := map[string]any{}
		if len(capabilities) > 0 {
			can = capabilities[0]
		}
		all["_meta"] = map[string]any{
			"io.modelcontextprotocol/protocolVersion": modern, "io.modelcontextprotocol/clientCapabilities": can,
		}
		headers["Mcp-Method"] = method
		for _, name := range []string{"name", "uri"} {
			if value, ok := params[name].(string); ok {
				headers["Mcp-Name"] = value
			}
		}
	}
	return w.post(t, secret, version, headers, message(1, method, all))
}

func message(id any, method string, params map[string]any) map[string]any {
	m := map[string]any{"jsonrpc": "2.0", "method": method, "params": params}
	if id != nil {
		m["id"] = id
	}
	return m
}

// me is the owner's credential.
func (w *world) me() string { return w.owner.Person.String() }

// at walks into nested objects.
func at(v any, path ...string) any {
	for _, name := range path {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}
