package mcpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"driftless/internal/config"
	"driftless/internal/label"
	"driftless/internal/op"
	"driftless/internal/pg/pgtest"
	"driftless/internal/question"
	"driftless/internal/retrieve"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

// A read is answered twice: by the guard itself, and by the protocol library behind it.
func TestAReadIsAnsweredAsTheProtocolLibraryWould(t *testing.T) {
	t.Parallel()
	owner, db := pgtest.Workspace(t), pgtest.DB(t)
	topics := topic.New(db, config.Config{})
	registry, err := op.NewRegistry(db, slices.Concat(topics.Operations(), label.New().Operations(), retrieve.New(db, 1<<24).Operations()), nil)
	if err != nil {
		t.Fatal(err)
	}
	for slug, text := range map[string]string{"plain": "Words.", "odd": "Quotes \" and \\, <tags> & \u2028, ünïcödé 🦫,\n\tlines"} {
		_, err := registry.Call(t.Context(), owner.Caller, op.Call{
			Operation: registry.Operation("topics.create"), Arguments: map[string]any{"title": slug, "slug": slug, "content": text},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	h, err := New(Options{
		Config: config.Config{Addr: "127.0.0.1:0", PublicURL: "http://127.0.0.1"}, Registry: registry, Log: slog.New(slog.DiscardHandler),
		Version: "test", Questions: question.New(db), Outcome: topics.Outcome,
	})
	if err != nil {
		t.Fatal(err)
	}
	g := h.(*guard)
	poor := owner.Caller
	poor.Memberships = nil
	for name, tc := range map[string]struct {
		caller tenant.Caller
		id     string
		params string
	}{
		"a topic":            {owner.Caller, `1`, `{"name":"driftless_context_get","arguments":{"topic":"plain"}}`},
		"odd characters":     {owner.Caller, `"a\"b\u00e9"`, `{"name":"driftless_context_get","arguments":{"topic":"odd"}}`},
		"as Markdown":        {owner.Caller, `-3`, `{"name":"driftless_context_get","arguments":{"topic":"odd","format":"markdown"}}`},
		"by words":           {owner.Caller, `1`, `{"name":"driftless_context_retrieve","arguments":{"task":"plain words"},"_meta":{"progressToken":7}}`},
		"what was mended":    {owner.Caller, `1`, `{"name":"driftless_context_list","arguments":{"limit":5000}}`},
		"no arguments":       {owner.Caller, `1`, `{"name":"driftless_context_list"}`},
		"null":               {owner.Caller, `1`, `{"name":"driftless_context_list","arguments":null}`},
		"something missing":  {owner.Caller, `1`, `{"name":"driftless_context_get","arguments":{}}`},
		"something unknown":  {owner.Caller, `1`, `{"name":"driftless_context_get","arguments":{"topic":"plain","colour":"red"}}`},
		"no such topic":      {owner.Caller, `1`, `{"name":"driftless_context_get","arguments":{"topic":"absent"}}`},
		"no workspace":       {poor, `1`, `{"name":"driftless_context_get","arguments":{"topic":"plain"}}`},
		"no object":          {owner.Caller, `1`, `{"name":"driftless_context_get","arguments":[1]}`},
		"a workspace's slug": {owner.Caller, `1`, `{"name":"driftless_context_get","arguments":{"topic":"plain","workspace":7}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body := []byte(`{"jsonrpc":"2.0","id":` + tc.id + `,"method":"tools/call","params":` + tc.params + `}`)
			ask := func(answer func(w http.ResponseWriter, r *http.Request, q *request, m message)) *httptest.ResponseRecorder {
				w := httptest.NewRecorder()
				q := &request{caller: tc.caller, method: "tools/call", header: w.Header()}
				r := httptest.NewRequest(http.MethodPost, "/mcp", bytes.NewReader(body))
				r.Header.Set("Content-Type", "application/json")
				m, problem := readMessage(body)
				if problem != nil {
					t.Fatal(problem)
				}
				answer(w, r.WithContext(context.WithValue(r.Context(), requestKey{}, q)), q, m)
				return w
			}
			want := ask(func(w http.ResponseWriter, r *http.Request, _ *request, _ message) { g.next.ServeHTTP(w, r) })
			got := ask(func(w http.ResponseWriter, r *http.Request, q *request, m message) {
				if !g.direct(w, r, q, m) {
					t.Error("it was left to the library")
				}
			})
			if got.Code != want.Code || got.Header().Get("Content-Type") != want.Header().Get("Content-Type") {
				t.Errorf("%d %v, the library %d %v", got.Code, got.Header(), want.Code, want.Header())
			}
			var a, b any
			if err := json.Unmarshal(want.Body.Bytes(), &a); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(got.Body.Bytes(), &b); err != nil {
				t.Fatalf("%v: %s", err, got.Body)
			}
			if diff := cmp.Diff(a, b); diff != "" {
				t.Errorf("(-library +direct)\n%s", diff)
			}
		})
	}
}

func TestWhatIsMoreThanAReadIsLeftToTheProtocolLibrary(t *testing.T) {
	t.Parallel()
	registry, err := op.NewRegistry(nil, slices.Concat(topic.New(nil, config.Config{}).Operations(), label.New().Operations()), nil)
	if err != nil {
		t.Fatal(err)
	}
	g := &guard{Options: Options{Registry: registry}}
	const get = `{"name":"driftless_context_get","arguments":{"topic":"x"}}`
	for name, tc := range map[string]struct {
		q    request
		body string
	}{
		"a write":              {request{}, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"driftless_context_propose","arguments":{"topic":"x"}}}`},
		"a tool that may do":   {request{}, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"driftless_areas","arguments":{"action":"list"}}}`},
		"no such tool":         {request{}, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nothing"}}`},
		"a notification":       {request{}, `{"jsonrpc":"2.0","method":"tools/call","params":` + get + `}`},
		"of 2026-07-28":        {request{modern: true}, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + get + `}`},
		"that by its own word": {request{}, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"driftless_context_get","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`},
		"a tool that is left out by the address": {
			request{narrow: narrow{core: true}}, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"driftless_context_graph","arguments":{}}}`,
		},
	} {
		m, problem := readMessage([]byte(tc.body))
		if problem != nil {
			t.Fatalf("%s: %v", name, problem)
		}
		w := httptest.NewRecorder()
		if g.direct(w, httptest.NewRequest(http.MethodPost, "/mcp", nil), &tc.q, m) || w.Body.Len() > 0 {
			t.Errorf("%s was answered: %s", name, w.Body)
		}
	}
}

func TestJSONInsideAStringReadsBackAsItself(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		inner, err := json.Marshal(rapid.MapOf(rapid.String(), rapid.SliceOf(rapid.String())).Draw(t, "value"))
		if err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "indented") {
			var b bytes.Buffer
			if err := json.Indent(&b, inner, "\r", "\t"); err != nil {
				t.Fatal(err)
			}
			inner = b.Bytes()
		}
		var out string
		if err := json.Unmarshal(appendText(nil, inner), &out); err != nil {
			t.Fatal(err)
		}
		if out != string(inner) {
			t.Fatalf("%q came back as %q", inner, out)
		}
	})
}
