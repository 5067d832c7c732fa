package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/tenant"
)

// modern is one request of revision 2026-07-28, with the headers and the _meta that it wants.
func (w *world) modern(t *testing.T, key, method string, params map[string]any) reply {
	t.Helper()
	all := map[string]any{"_meta": map[string]any{
		"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": map[string]any{},
	}}
	for name, value := range params {
		all[name] = value
	}
	m := w.message(t, method, all)
	m.Header.Set("MCP-Protocol-Version", "2026-07-28")
	m.Header.Set("Mcp-Method", method)
	if name, ok := params["name"].(string); ok {
		m.Header.Set("Mcp-Name", name)
	}
	return send(t, m, key)
}

func TestR31M22AMissingScopeIsAskedForBeforeTheProtocol(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	before := w.trace(t)
	a := w.signIn(t, tenant.Admin).connect(t, "scope", "context:read")
	create := toolCall(w.Registry.Operation("topics.create"), "", map[string]any{"title": "Not yet"})
	for era, r := range map[string]reply{
		"before": w.rpc(t, a.access, "tools/call", create), "since 2026-07-28": w.modern(t, a.access, "tools/call", create),
	} {
		got := challengeOf(t, r)
		want := map[string]string{
			"error": "insufficient_scope", "scope": "context:read topics:create", "error_description": got["error_description"],
			"resource_metadata": w.url + "/.well-known/oauth-protected-resource/mcp",
		}
		if diff := cmp.Diff(want, got); r.status != http.StatusForbidden || diff != "" {
			t.Errorf("%s: HTTP %d %s", era, r.status, diff)
		}
		if r.code() != "INSUFFICIENT_SCOPE" || !strings.Contains(r.message(), "topics:create") || !strings.Contains(got["error_description"], "topics:create") {
			t.Errorf("%s: %s", era, r.raw)
		}
	}
	// Nothing happened but the connection itself, which is an event, and the person who joined.
	after := w.trace(t)
	if after[1] != before[1] {
		t.Error("a refused call wrote a revision")
	}
}

func TestR37R38R40M21ThereIsNothingToHoldOpenAndNothingToEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.key(t, w.owner)
	for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodPut} {
		for _, accept := range []string{"text/event-stream", "application/json", "*/*", ""} {
			r := w.request(t, method, "/mcp", nil)
			r.Header.Set("Accept", accept)
			r.Header.Set("Last-Event-ID", "7")
			got := send(t, r, key)
			got.is(t, method, http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
			if got.header.Get("Allow") != "POST, OPTIONS" {
				t.Errorf("%s: Allow %q", method, got.header.Get("Allow"))
			}
		}
		if r := send(t, w.request(t, method, "/mcp", nil), ""); r.status != http.StatusUnauthorized {
			t.Errorf("%s without a credential: HTTP %d", method, r.status)
		}
	}
	for _, id := range []any{1, "never-sent", nil} {
		note := w.request(t, http.MethodPost, "/mcp", encode(t, map[string]any{
			"jsonrpc": "2.0", "method": "notifications/cancelled", "params": map[string]any{"requestId": id},
		}))
		note.Header.Set("MCP-Protocol-Version", "2025-11-25")
		if r := send(t, note, key); r.status != http.StatusAccepted || len(r.raw) != 0 {
			t.Errorf("cancelling %v: HTTP %d %s", id, r.status, r.raw)
		}
	}
	// A client without a session is served, from its first message on.
	if r := w.rpc(t, key, "tools/list", nil); r.status != http.StatusOK || r.json["result"] == nil {
		t.Errorf("without a session: HTTP %d %s", r.status, r.raw)
	}
}

func TestR39G7ASessionThatNobodyBeganOpensNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key, other := w.key(t, w.owner), w.key(t, w.people[tenant.Member])
	begin := w.message(t, "initialize", map[string]any{
		"protocolVersion": "2025-11-25", "clientInfo": map[string]any{"name": "x", "version": "1"},
		"capabilities": map[string]any{"elicitation": map[string]any{}},
	})
	begun := send(t, begin, key).header.Get("Mcp-Session-Id")
	if begun == "" {
		t.Fatal("a client that can be asked something has no session")
	}
	for name, tc := range map[string]struct{ key, id string }{
		"an invented one":             {key, "mcp-session-7f1fd8b2-8f36-4b6f-9d8a-5b1c2d3e4f50"},
		"no id at all":                {key, "x y"},
		"that of somebody else":       {other, begun},
		"one's own, without its name": {key, ""},
	} {
		r := w.message(t, "tools/list", nil)
		if tc.id != "" {
			r.Header.Set("Mcp-Session-Id", tc.id)
		}
		if got := send(t, r, tc.key); got.status != http.StatusOK && got.status != http.StatusNotFound {
			t.Errorf("%s: HTTP %d %s", name, got.status, got.raw)
		}
	}
	bare := w.message(t, "tools/list", nil)
	bare.Header.Set("Mcp-Session-Id", begun)
	if got := send(t, bare, ""); got.status != http.StatusUnauthorized {
		t.Errorf("a session in place of a credential: HTTP %d", got.status)
	}
}

func TestG8ACallIsAnsweredByOneMessage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.key(t, w.owner)
	get := toolCall(w.Registry.Operation("topics.get"), "", map[string]any{"topic": "queue-limits"})
	get["_meta"] = map[string]any{"progressToken": "p"}
	for range 10 {
		r := w.rpc(t, key, "tools/call", get)
		if r.status != http.StatusOK || !strings.HasPrefix(r.header.Get("Content-Type"), "application/json") || r.json["id"] != 1.0 || r.json["result"] == nil {
			t.Fatalf("HTTP %d %s %s", r.status, r.header.Get("Content-Type"), r.raw)
		}
	}
}

func TestM24AListForOneCallerIsNotKeptForAnother(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	viewer := w.key(t, w.people[tenant.Viewer])
	for _, method := range []string{"tools/list", "resources/list", "prompts/list", "server/discover"} {
		r := w.modern(t, viewer, method, nil)
		result, _ := r.json["result"].(map[string]any)
		if result["cacheScope"] != "private" || result["ttlMs"] != 0.0 || r.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %.300s", method, r.raw)
		}
	}
	if mine, all := w.tools(t, viewer, ""), w.tools(t, w.key(t, w.owner), ""); len(mine) == 0 || len(mine) >= len(all) {
		t.Errorf("a viewer is shown %d tools, an owner %d", len(mine), len(all))
	}
}

func TestR47M27AfterSigningInEveryToolIsListedWithAllItHas(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.signIn(t, tenant.Admin).connect(t)
	// Odd, and legal all the same.
	for _, params := range []string{
		`{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"},"future":{"a":[1]}}`,
		`{"protocolVersion":"2024-11-05","capabilities":{"experimental":{"y":{}},"sampling":{}},"clientInfo":{"name":"","version":""}}`,
		`{"protocolVersion":"1999-01-01","capabilities":{},"clientInfo":{"name":"x","version":"1","title":null}}`,
	} {
		r := w.request(t, http.MethodPost, "/mcp", []byte(`{"jsonrpc":"2.0","id":"one","method":"initialize","params":`+params+`}`))
		r.Header.Set("Accept", "application/json, text/event-stream")
		if got := send(t, r, a.access); got.status != http.StatusOK || got.json["id"] != "one" || got.json["result"] == nil {
			t.Errorf("%s: HTTP %d %s", params, got.status, got.raw)
		}
	}
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":0,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":"","method":"tools/list","params":{}}`,
		` {"id":9007199254740991,"params":{"_meta":{}},"method":"tools/list","jsonrpc":"2.0"} `,
	} {
		r := w.request(t, http.MethodPost, "/mcp", []byte(body))
		r.Header.Set("Accept", "application/json, text/event-stream")
		if got := send(t, r, a.access); got.status != http.StatusOK || got.json["result"] == nil {
			t.Errorf("%s: HTTP %d %s", body, got.status, got.raw)
		}
	}
	result, _ := w.rpc(t, a.access, "tools/list", nil).json["result"].(map[string]any)
	tools := asList(result["tools"])
	if len(tools) < 20 {
		t.Fatalf("%d tools are listed", len(tools))
	}
	for _, listed := range tools {
		tool := listed.(map[string]any)
		hints, _ := tool["annotations"].(map[string]any)
		for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
			if _, set := hints[hint].(bool); !set {
				t.Errorf("%s does not say %s", tool["name"], hint)
			}
		}
		in, _ := tool["inputSchema"].(map[string]any)
		out, _ := tool["outputSchema"].(map[string]any)
		if tool["title"] == "" || tool["description"] == "" || in["type"] != "object" || out["type"] != "object" {
			t.Errorf("%s lacks something: %v", tool["name"], tool["title"])
		}
	}
	answer, _ := w.rpc(t, a.access, "tools/call", toolCall(w.Registry.Operation("topics.get"), "", map[string]any{"topic": "queue-limits"})).json["result"].(map[string]any)
	var text any
	if err := json.Unmarshal([]byte(fmt.Sprint(asList(answer["content"])[0].(map[string]any)["text"])), &text); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(answer["structuredContent"], text); diff != "" || text == nil {
		t.Errorf("the text is not the structured content: %s", diff)
	}
}

// An approval is what the server would ask a person about, if their client could be asked.
func TestM28AClientThatSaidNothingIsAskedNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.signIn(t, tenant.Admin).connect(t)
	approve := w.Registry.Operation("topics.approve")
	for _, r := range []reply{
		w.rpc(t, a.access, "tools/call", toolCall(approve, "", map[string]any{"topic": "nightly-ledger"})),
		w.modern(t, a.access, "tools/call", toolCall(approve, "", map[string]any{"topic": "nightly-ledger"})),
	} {
		result, _ := r.json["result"].(map[string]any)
		answer, _ := result["structuredContent"].(map[string]any)
		if strings.Contains(string(r.raw), `"method"`) || answer["status"] != "awaiting_confirmation" || answer["confirm_url"] == nil {
			t.Errorf("HTTP %d %s", r.status, r.raw)
		}
	}
}

func TestM29WhatGoesWrongInTheProductIsAResultWithAdvice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.key(t, w.owner)
	for code, call := range map[string]map[string]any{
		"NOT_FOUND":         toolCall(w.Registry.Operation("topics.get"), "", map[string]any{"topic": "no-such-topic"}),
		"UNKNOWN_FIELD":     toolCall(w.Registry.Operation("topics.get"), "", map[string]any{"topic": "queue-limits", "colour": "red"}),
		"VALIDATION_FAILED": toolCall(w.Registry.Operation("topics.list"), "", map[string]any{"status": "made-up"}),
		"DUPLICATE_TOPIC":   toolCall(w.Registry.Operation("topics.create"), "", map[string]any{"title": "Queue limits", "slug": "queue-limits"}),
	} {
		r := w.rpc(t, key, "tools/call", call)
		result, _ := r.json["result"].(map[string]any)
		answer, _ := result["structuredContent"].(map[string]any)
		if r.status != http.StatusOK || result["isError"] != true || answer["code"] != code || answer["message"] == "" || answer["hint"] == "" || answer["hint"] == nil {
			t.Errorf("%s: HTTP %d %s", code, r.status, r.raw)
		}
	}
}
