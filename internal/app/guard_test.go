package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"driftless/internal/event"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

// The protocol library knows running calls by their number alone, and every client begins at 1: the number of a call of
// one tenant is also that of another's.
func TestG1M23AnotherTenantCannotCancelACall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	victim, attacker := w.key(t, w.owner), w.key(t, pgtest.Workspace(t))
	release, waiting, _ := w.hold(t)
	message := w.message(t, "tools/call", toolCall(w.Registry.Operation("notes.add"), "", map[string]any{"content": "A note that takes its time."}))
	done := make(chan reply, 1)
	go func() { done <- send(t, message, victim) }()
	waiting()
	for _, key := range []string{attacker, victim} {
		r := w.request(t, http.MethodPost, "/mcp", []byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"mine"}}`))
		r.Header.Set("Accept", "application/json, text/event-stream")
		if got := send(t, r, key); got.status != http.StatusAccepted || len(got.raw) != 0 {
			t.Errorf("the notification is answered HTTP %d %s", got.status, got.raw)
		}
	}
	release()
	if r := <-done; r.status != http.StatusOK || !bytes.Contains(r.raw, []byte("a-note-that-takes-its-time")) {
		t.Errorf("the call ended with HTTP %d %s", r.status, r.raw)
	}
}

// A client that hangs up cancels its own call, and what the call wrote is undone.
func TestG1HangingUpCancelsOnesOwnCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.key(t, w.owner)
	before := w.trace(t)
	release, waiting, gone := w.hold(t)
	ctx, hangUp := context.WithCancel(t.Context())
	message := w.message(t, "tools/call", toolCall(w.Registry.Operation("notes.add"), "", map[string]any{"content": "Never kept."})).WithContext(ctx)
	message.Header.Set("Authorization", "Bearer "+key)
	done := make(chan error, 1)
	go func() {
		answer, err := client.Do(message)
		if err == nil {
			err = answer.Body.Close()
		}
		done <- err
	}()
	waiting()
	hangUp()
	if err := <-done; err == nil {
		t.Error("the call was answered")
	}
	gone()
	release()
	if after := w.trace(t); after != before {
		t.Errorf("events, revisions and head are %v; they were %v", after, before)
	}
}

// hold keeps the workspace's place in the order of writes until release is called. waiting returns when a write waits for
// it, and gone when none does any more.
func (w *world) hold(t *testing.T) (release, waiting, gone func()) {
	t.Helper()
	held, let, ended := make(chan int, 1), make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- w.Database.Workspace(context.WithoutCancel(t.Context()), tenant.System(w.owner.Workspace), pg.ReadWrite, func(tx *pg.Tx) error {
			var pid int
			if err := tx.Store().Raw(`select pg_backend_pid()`).Scan(&pid).Error; err != nil {
				return err
			}
			if err := event.Lock(tx); err != nil {
				return err
			}
			held <- pid
			<-let
			return nil
		})
	}()
	pid := <-held
	until := func(want bool) {
		t.Helper()
		for blocked := !want; blocked != want; {
			err := w.Database.ReadGlobal(t.Context(), func(b *pg.Batch) {
				b.JSON(func(raw []byte) error { return json.Unmarshal(raw, &blocked) },
					`select to_json(exists (select 1 from pg_stat_activity where ?::int = any(pg_blocking_pids(pid))))`, pid)
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	release = sync.OnceFunc(func() {
		close(let)
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(release)
	return release, func() { t.Helper(); until(true) }, func() { t.Helper(); until(false) }
}

func TestG2M23ThereIsNoStreamToListenTo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.key(t, w.owner)
	get := func(key string) reply {
		r := w.request(t, http.MethodGet, "/mcp", nil)
		r.Header.Set("Accept", "text/event-stream")
		return send(t, r, key)
	}
	if r := get(key); r.status != http.StatusMethodNotAllowed || !strings.Contains(r.header.Get("Allow"), "POST") || r.code() == "" {
		t.Errorf("with a key: HTTP %d, Allow %q, %s", r.status, r.header.Get("Allow"), r.raw)
	}
	if r := get(""); r.status != http.StatusUnauthorized || r.header.Get("WWW-Authenticate") == "" {
		t.Errorf("without: HTTP %d", r.status)
	}
	if r := w.rpc(t, key, "initialize", map[string]any{
		"protocolVersion": "2025-11-25", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "test", "version": "1"},
	}); r.status != http.StatusOK || r.header.Get("Mcp-Session-Id") != "" {
		t.Errorf("initialize: HTTP %d, session %q", r.status, r.header.Get("Mcp-Session-Id"))
	}
}

func TestG3M21ABodyIsBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.key(t, w.owner)
	sized := func(n int) *http.Request {
		head, tail := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"pad":"`, `"}}}`
		r := w.request(t, http.MethodPost, "/mcp", []byte(head+strings.Repeat("x", n-len(head)-len(tail))+tail))
		r.Header.Set("Accept", "application/json, text/event-stream")
		return r
	}
	if r := send(t, sized(1<<20), key); r.status != http.StatusOK {
		t.Errorf("1 MiB: HTTP %d %.200s", r.status, r.raw)
	}
	send(t, sized(1<<20+1), key).is(t, "one byte more", http.StatusRequestEntityTooLarge, "TOO_LARGE")
	// A length that is not said in advance is bounded all the same.
	r := sized(2 << 20)
	r.ContentLength = -1
	send(t, r, key).is(t, "of unknown length", http.StatusRequestEntityTooLarge, "TOO_LARGE")
	// Who has no credential is asked for one before anything is read.
	send(t, sized(1<<20+1), "").is(t, "without a key", http.StatusUnauthorized, "UNAUTHENTICATED")
}

func TestG4M21AForeignOriginIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.key(t, w.owner)
	for origin, want := range map[string]int{
		"":                              http.StatusOK,
		w.url:                           http.StatusOK,
		"http://localhost:3000":         http.StatusOK,
		"http://[::1]:3000":             http.StatusOK,
		"https://pages.example":         http.StatusOK,
		"https://evil.example":          http.StatusForbidden,
		"http://pages.example":          http.StatusForbidden,
		"https://pages.example.evil":    http.StatusForbidden,
		"https://pages.example:8443":    http.StatusForbidden,
		"http://127.0.0.1.evil.example": http.StatusForbidden,
		"http://localhost.evil.example": http.StatusForbidden,
		"https://evil.example/" + w.url: http.StatusForbidden,
		"null":                          http.StatusForbidden,
		"file://":                       http.StatusForbidden,
	} {
		r := w.message(t, "tools/list", nil)
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		got := send(t, r, key)
		if got.status != want {
			t.Errorf("%q: HTTP %d, want %d", origin, got.status, want)
		}
		if allowed := got.header.Get("Access-Control-Allow-Origin"); want == http.StatusForbidden && allowed != "" || want == http.StatusOK && allowed != origin {
			t.Errorf("%q: Access-Control-Allow-Origin is %q", origin, allowed)
		}
	}
}

func TestG5ABrowserMaySendAndReadWhatTheProtocolNeeds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ask := w.request(t, http.MethodOptions, "/mcp", nil)
	ask.Header.Set("Origin", "https://pages.example")
	ask.Header.Set("Access-Control-Request-Method", "POST")
	ask.Header.Set("Access-Control-Request-Headers", "authorization,mcp-protocol-version")
	r := send(t, ask, "")
	if r.status != http.StatusNoContent || r.header.Get("Access-Control-Allow-Origin") != "https://pages.example" {
		t.Fatalf("HTTP %d, headers %v", r.status, r.header)
	}
	for _, name := range []string{"Authorization", "Content-Type", "Accept", "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Session-Id", "Last-Event-ID"} {
		if !strings.Contains(r.header.Get("Access-Control-Allow-Headers"), name) {
			t.Errorf("%s may not be sent", name)
		}
	}
	if !strings.Contains(r.header.Get("Access-Control-Allow-Methods"), "POST") || r.header.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("methods %q, credentials %q", r.header.Get("Access-Control-Allow-Methods"), r.header.Get("Access-Control-Allow-Credentials"))
	}
	// A page must be able to read the refusal, to know where to sign in.
	refused := w.message(t, "tools/list", nil)
	refused.Header.Set("Origin", "https://pages.example")
	got := send(t, refused, "")
	for _, name := range []string{"WWW-Authenticate", "MCP-Protocol-Version"} {
		if got.status != http.StatusUnauthorized || !strings.Contains(got.header.Get("Access-Control-Expose-Headers"), name) {
			t.Errorf("HTTP %d: %s may not be read", got.status, name)
		}
	}
	if !slices.Contains(got.header.Values("Vary"), "Origin") || got.header.Get("Access-Control-Allow-Origin") == "" {
		t.Errorf("headers %v", got.header)
	}
}

func TestG6OnlyPostIsTaken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.key(t, w.owner)
	for _, method := range []string{http.MethodPut, http.MethodHead, http.MethodDelete, http.MethodPatch, http.MethodGet} {
		r := send(t, w.request(t, method, "/mcp", nil), key)
		if r.status != http.StatusMethodNotAllowed || !strings.Contains(r.header.Get("Allow"), "POST") {
			t.Errorf("%s: HTTP %d, Allow %q", method, r.status, r.header.Get("Allow"))
		}
		if r := send(t, w.request(t, method, "/mcp", nil), ""); r.status != http.StatusUnauthorized {
			t.Errorf("%s without a key: HTTP %d", method, r.status)
		}
	}
	if r := send(t, w.request(t, http.MethodOptions, "/mcp", nil), ""); r.status != http.StatusNoContent || r.header.Get("Allow") == "" {
		t.Errorf("OPTIONS: HTTP %d, Allow %q", r.status, r.header.Get("Allow"))
	}
}

// A page can make its own name mean this machine, but its browser still sends that name.
func TestM21AForeignHostNameIsRefusedOnThisMachine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.key(t, w.owner)
	for host, want := range map[string]int{
		"": http.StatusOK, "localhost": http.StatusOK, "localhost:8080": http.StatusOK, "[::1]:8080": http.StatusOK, "127.0.0.1": http.StatusOK,
		"evil.example": http.StatusForbidden, "evil.example:8080": http.StatusForbidden, "localhost.evil.example": http.StatusForbidden,
		"127.0.0.1.evil.example": http.StatusForbidden,
	} {
		r := w.message(t, "tools/list", nil)
		r.Host = host
		if got := send(t, r, key); got.status != want {
			t.Errorf("%q: HTTP %d, want %d", host, got.status, want)
		}
	}
}

func TestMessagesThatAreNoneAreProtocolErrors(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.key(t, w.owner)
	for body, want := range map[string]float64{
		`{"jsonrpc"`: -32700, "\xff": -32700, ``: -32700, `"text"`: -32600, `7`: -32600, `[]`: -32600,
	} {
		r := w.request(t, http.MethodPost, "/mcp", []byte(body))
		r.Header.Set("Accept", "application/json, text/event-stream")
		got := send(t, r, key)
		failure, _ := got.json["error"].(map[string]any)
		if got.status != http.StatusBadRequest || failure["code"] != want {
			t.Errorf("%q: HTTP %d %s", body, got.status, got.raw)
		}
	}
}

// tools lists the names that the key is shown at this address.
func (w *world) tools(t *testing.T, key, query string) []string {
	t.Helper()
	m := w.message(t, "tools/list", nil)
	m.URL.RawQuery = query
	r := send(t, m, key)
	result, _ := r.json["result"].(map[string]any)
	names := []string{}
	for _, tool := range asList(result["tools"]) {
		name, _ := tool.(map[string]any)["name"].(string)
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func TestM24ToolsAreListedByScopeAndRole(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	all := w.tools(t, w.key(t, w.owner), "")
	if len(all) != len(w.Registry.Tools()) {
		t.Errorf("an owner with all scopes is shown %d of %d tools", len(all), len(w.Registry.Tools()))
	}
	for name, tc := range map[string]struct {
		key         string
		query       string
		has, hasNot []string
	}{
		"a reader": {
			w.key(t, w.owner, tenant.ContextRead), "",
			[]string{"driftless_context_get", "driftless_tags"},
			[]string{"driftless_context_create", "driftless_context_propose", "driftless_context_delete"},
		},
		"a viewer with all scopes": {
			w.key(t, w.people[tenant.Viewer]), "",
			[]string{"driftless_context_get"},
			[]string{"driftless_context_create", "driftless_context_approve"},
		},
		"a member": {
			w.key(t, w.people[tenant.Member]), "",
			[]string{"driftless_context_create", "driftless_context_propose"},
			[]string{"driftless_context_approve", "driftless_context_reject"},
		},
		"an admin who only writes notes": {
			w.key(t, w.people[tenant.Admin], tenant.TopicsCreate), "",
			[]string{"driftless_note_add"},
			[]string{"driftless_context_get", "driftless_context_approve"},
		},
		"the core": {
			w.key(t, w.owner), "toolset=core",
			[]string{"driftless_context_get", "driftless_note_add"},
			[]string{"driftless_context_approve", "driftless_tags"},
		},
		"reading only": {
			w.key(t, w.owner), "readonly=1",
			[]string{"driftless_context_get"},
			[]string{"driftless_note_add", "driftless_tags"},
		},
	} {
		got := w.tools(t, tc.key, tc.query)
		for _, tool := range tc.has {
			if !slices.Contains(got, tool) {
				t.Errorf("%s is not shown %s", name, tool)
			}
		}
		for _, tool := range tc.hasNot {
			if slices.Contains(got, tool) {
				t.Errorf("%s is shown %s", name, tool)
			}
		}
	}
}

func TestAnAddressThatNarrowsTheToolsNarrowsTheCallsToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	before := w.trace(t)
	m := w.message(t, "tools/call", toolCall(w.Registry.Operation("topics.create"), "", map[string]any{"title": "Not here"}))
	m.URL.RawQuery = "readonly=1"
	if r := send(t, m, w.key(t, w.owner)); r.json["error"] == nil {
		t.Errorf("a write at a reading address answered %s", r.raw)
	}
	m = w.message(t, "tools/list", nil)
	m.URL.RawQuery = "toolset=everything"
	if r := send(t, m, w.key(t, w.owner)); r.status != http.StatusBadRequest || len(asList(r.json["allowed"])) == 0 {
		t.Errorf("an unknown set of tools: HTTP %d %s", r.status, r.raw)
	}
	if after := w.trace(t); after[1] != before[1] {
		t.Error("something was written")
	}
}
