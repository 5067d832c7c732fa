package app_test

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/config"
	"driftless/internal/mcpapi"
)

// openTo changes what anybody may read of the workspace.
func (w *world) openTo(t *testing.T, change map[string]any) {
	t.Helper()
	w.do(t, "settings.change", map[string]any{"public_knowledge": change})
}

// anybody sends a message to the public endpoint of a workspace.
func (w *world) anybody(t *testing.T, slug, version, method string, params map[string]any) reply {
	t.Helper()
	all, header := maps.Clone(params), http.Header{}
	if all == nil {
		all = map[string]any{}
	}
	if version == "2026-07-28" {
		all["_meta"] = map[string]any{"io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": map[string]any{}}
		header.Set("Mcp-Method", method)
		if name, ok := params["name"].(string); ok {
			header.Set("Mcp-Name", name)
		}
	}
	r := w.request(t, http.MethodPost, mcpapi.PublicPath+slug, encode(t, map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": all}))
	for name := range header {
		r.Header.Set(name, header.Get(name))
	}
	r.Header.Set("Accept", "application/json, text/event-stream")
	if version != "" {
		r.Header.Set("MCP-Protocol-Version", version)
	}
	return send(t, r, "")
}

func TestAClosedWorkspaceReadsLikeOneThatIsNotThereInEveryWay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.key(t, w.owner)
	ask := func(slug string) (out []string) {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} {
			for _, body := range [][]byte{[]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`), []byte("{"), bytes.Repeat([]byte("x"), 1<<17)} {
				for _, secret := range []string{"", key, "nonsense"} {
					if method == "GET" || method == "HEAD" {
						body = nil
					}
					r := send(t, w.request(t, method, mcpapi.PublicPath+slug, body), secret)
					id := r.header.Get("X-Request-Id")
					r.header.Del("X-Request-Id")
					r.header.Del("Date")
					header := strings.ReplaceAll(fmt.Sprint(r.header), id, "ID")
					out = append(out, method+" "+strings.ReplaceAll(fmt.Sprintf("%d %s %s", r.status, header, r.raw), id, "ID"))
				}
			}
		}
		for _, path := range []string{"", "/search?query=x", "/export", "/topics/queue-limits"} {
			r := send(t, w.request(t, http.MethodGet, "/api/v1/public/"+slug+"/knowledge"+path, nil), "")
			out = append(out, fmt.Sprintf("%s %d %s", path, r.status, strings.ReplaceAll(string(r.raw), r.header.Get("X-Request-Id"), "ID")))
		}
		return out
	}
	closed := ask(w.owner.Slug)
	if diff := cmp.Diff(ask("nowhere"), closed); diff != "" {
		t.Errorf("(-unknown +closed):\n%s", diff)
	}
	for _, answer := range closed {
		if !strings.Contains(answer, " 404 ") {
			t.Errorf("a closed workspace answers %.300s", answer)
		}
	}
}

func TestTheSwitchHoldsFromTheNextRequestOnInEveryProcess(t *testing.T) {
	t.Parallel()
	w, other := newWorld(t), newWorld(t)
	for range 3 {
		for open, status := range map[bool]int{true: http.StatusOK, false: http.StatusNotFound} {
			w.openTo(t, map[string]any{"enabled": open})
			for i, process := range []*world{w, other} {
				if r := process.anybody(t, w.owner.Slug, "", "ping", nil); r.status != status {
					t.Errorf("process %d answers HTTP %d while enabled is %v: %s", i, r.status, open, r.raw)
				}
			}
		}
	}
	w.openTo(t, map[string]any{"enabled": true, "all_reviewed": true})
	found := func(word string) int {
		r := other.anybody(t, w.owner.Slug, "", "tools/call", map[string]any{"name": "knowledge_search", "arguments": map[string]any{"query": word}})
		result, _ := r.json["result"].(map[string]any)
		page, _ := result["structuredContent"].(map[string]any)
		return len(asList(page["results"]))
	}
	if found("queue") != 1 || found("axolotl") != 0 {
		t.Errorf("the other process finds %d and %d topics", found("queue"), found("axolotl"))
	}
	w.do(t, "topics.approve", map[string]any{"topic": w.do(t, "topics.create", map[string]any{"title": "Axolotl"})["slug"]})
	if found("axolotl") != 1 {
		t.Error("the other process does not find what was just approved")
	}
	w.do(t, "topics.archive", map[string]any{"topic": "axolotl"})
	if found("axolotl") != 0 {
		t.Error("the other process finds what was just archived")
	}
}

func TestThePublicEndpointSpeaksEveryRevisionAndHasFourTools(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.openTo(t, map[string]any{"enabled": true, "all_reviewed": true})
	tools := []string{"driftless_knowledge_export", "driftless_knowledge_get", "driftless_knowledge_search", "driftless_knowledge_toc"}
	for _, version := range []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"} {
		if version == "2026-07-28" {
			if r := w.anybody(t, w.owner.Slug, version, "server/discover", nil); r.status != http.StatusOK || r.json["result"] == nil {
				t.Errorf("server/discover: HTTP %d %s", r.status, r.raw)
			}
		} else {
			r := w.anybody(t, w.owner.Slug, "", "initialize", map[string]any{
				"protocolVersion": version, "clientInfo": map[string]any{"name": "c", "version": "1"},
				"capabilities": map[string]any{"elicitation": map[string]any{}, "sampling": map[string]any{}},
			})
			result, _ := r.json["result"].(map[string]any)
			if result["protocolVersion"] != version || r.header.Get("Mcp-Session-Id") != "" {
				t.Errorf("initialize at %s: HTTP %d %s, session %q", version, r.status, r.raw, r.header.Get("Mcp-Session-Id"))
			}
		}
		list := w.anybody(t, w.owner.Slug, version, "tools/list", nil)
		result, _ := list.json["result"].(map[string]any)
		var names []string
		for _, tool := range asList(result["tools"]) {
			described, _ := tool.(map[string]any)
			names = append(names, described["name"].(string))
			hints, _ := described["annotations"].(map[string]any)
			want := map[string]any{"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false, "title": described["title"]}
			if diff := cmp.Diff(want, hints); diff != "" {
				t.Errorf("the hints of %v (-want +got):\n%s", described["name"], diff)
			}
			if properties, _ := described["inputSchema"].(map[string]any)["properties"].(map[string]any); properties["workspace"] != nil {
				t.Errorf("%v takes a workspace", described["name"])
			}
		}
		if slices.Sort(names); !slices.Equal(names, tools) {
			t.Errorf("at %s the tools are %v", version, names)
		}
		if version == "2026-07-28" && result["cacheScope"] != "public" {
			t.Errorf("the list of tools is %v", result["cacheScope"])
		}
		for _, prefix := range []string{"", "driftless_"} {
			r := w.anybody(t, w.owner.Slug, version, "tools/call", map[string]any{"name": prefix + "knowledge_get", "arguments": map[string]any{"slug": "queue-limits"}})
			answer, _ := r.json["result"].(map[string]any)
			if data, _ := answer["structuredContent"].(map[string]any); data["title"] != "Queue limits" {
				t.Errorf("%sknowledge_get at %s: HTTP %d %s", prefix, version, r.status, r.raw)
			}
		}
		for _, name := range []string{"driftless_context_list", "driftless_note_add", "driftless_context_get", "context_get"} {
			r := w.anybody(t, w.owner.Slug, version, "tools/call", map[string]any{"name": name, "arguments": map[string]any{"topic": "queue-limits", "content": "x"}})
			answer, _ := r.json["result"].(map[string]any)
			if r.status >= 500 || r.json["error"] == nil && answer["isError"] != true {
				t.Errorf("%s at %s: HTTP %d %s", name, version, r.status, r.raw)
			}
		}
		for _, method := range []string{"resources/list", "resources/read", "prompts/list", "completion/complete", "logging/setLevel", "subscriptions/listen", "tasks/list"} {
			r := w.anybody(t, w.owner.Slug, version, method, nil)
			failure, _ := r.json["error"].(map[string]any)
			if failure["code"] != -32601.0 {
				t.Errorf("%s at %s: HTTP %d %s", method, version, r.status, r.raw)
			}
		}
	}
}

func TestThePublicEndpointTakesOneSmallMessageAtATimeFromAnyOrigin(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.openTo(t, map[string]any{"enabled": true})
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for name, tc := range map[string]struct {
		method, body, kind string
		status             int
		code               any
	}{
		"a ping":                {"POST", ping, "application/json", 200, nil},
		"a batch":               {"POST", "[" + ping + "]", "application/json", 400, -32600.0},
		"an empty batch":        {"POST", " []", "application/json", 400, -32600.0},
		"no JSON":               {"POST", "{", "application/json", 400, -32700.0},
		"no bytes of text":      {"POST", "{\"a\":\"\xff\"}", "application/json", 400, -32700.0},
		"another version":       {"POST", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, "application/json", 400, -32600.0},
		"an answer":             {"POST", `{"jsonrpc":"2.0","id":1,"result":{}}`, "application/json", 400, -32600.0},
		"a notification":        {"POST", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "application/json", 202, nil},
		"a cancellation":        {"POST", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, "application/json", 202, nil},
		"plain text":            {"POST", ping, "text/plain", 400, -32600.0},
		"64 KiB and one byte":   {"POST", ping + strings.Repeat(" ", 1<<16+1-len(ping)), "application/json", 413, nil},
		"64 KiB":                {"POST", ping + strings.Repeat(" ", 1<<16-len(ping)), "application/json", 200, nil},
		"reading":               {"GET", "", "", 405, nil},
		"deleting":              {"DELETE", "", "", 405, nil},
		"a question in advance": {"OPTIONS", "", "", 204, nil},
	} {
		r := w.request(t, tc.method, mcpapi.PublicPath+w.owner.Slug, []byte(tc.body))
		r.Header.Set("Content-Type", tc.kind)
		r.Header.Set("Origin", "https://anything.example")
		got := send(t, r, "")
		failure, _ := got.json["error"].(map[string]any)
		if got.status != tc.status || tc.code != nil && failure["code"] != tc.code || tc.status == 202 && len(got.raw) > 0 {
			t.Errorf("%s: HTTP %d %s", name, got.status, got.raw)
		}
		if got.header.Get("Access-Control-Allow-Origin") != "*" || got.header.Get("Access-Control-Allow-Credentials") != "" || got.header.Get("Set-Cookie") != "" {
			t.Errorf("%s: the headers are %v", name, got.header)
		}
		if tc.status == http.StatusMethodNotAllowed && got.header.Get("Allow") != "POST, OPTIONS" {
			t.Errorf("%s: Allow is %q", name, got.header.Get("Allow"))
		}
	}
}

func TestPublicReadsOfOneAddressAreLimitedAcrossTheirSurfaces(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *config.Config) { c.PublicReads = 1 })
	w.openTo(t, map[string]any{"enabled": true})
	if r := w.anybody(t, w.owner.Slug, "", "ping", nil); r.status != http.StatusOK {
		t.Fatalf("HTTP %d %s", r.status, r.raw)
	}
	for where, r := range map[string]reply{
		"the endpoint": w.anybody(t, w.owner.Slug, "", "ping", nil), "another workspace": w.anybody(t, "nowhere", "", "ping", nil),
		"REST": send(t, w.request(t, http.MethodGet, "/api/v1/public/"+w.owner.Slug+"/knowledge", nil), ""),
	} {
		if r.status != http.StatusTooManyRequests || r.header.Get("Retry-After") == "" || r.code() != "RATE_LIMITED" {
			t.Errorf("%s: HTTP %d %s", where, r.status, r.raw)
		}
	}
}

func TestAnExportOverHTTPIsReadUnderACondition(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.openTo(t, map[string]any{"enabled": true, "all_reviewed": true})
	path := "/api/v1/public/" + w.owner.Slug + "/knowledge/export"
	first := send(t, w.request(t, http.MethodGet, path, nil), "")
	tag := first.header.Get("ETag")
	if first.status != http.StatusOK || len(asList(first.json["results"])) != 1 || len(tag) < 34 {
		t.Fatalf("HTTP %d, ETag %s, %s", first.status, tag, first.raw)
	}
	again := w.request(t, http.MethodGet, path, nil)
	again.Header.Set("If-None-Match", tag)
	if r := send(t, again, ""); r.status != http.StatusNotModified || len(r.raw) > 0 || r.header.Get("ETag") != tag {
		t.Errorf("HTTP %d %s", r.status, r.raw)
	}
	w.openTo(t, map[string]any{"all_reviewed": false})
	changed := w.request(t, http.MethodGet, path, nil)
	changed.Header.Set("If-None-Match", tag)
	if r := send(t, changed, ""); r.status != http.StatusOK || r.header.Get("ETag") == tag || r.json["facts"] != 0.0 {
		t.Errorf("HTTP %d %s", r.status, r.raw)
	}
	if r := send(t, w.request(t, http.MethodGet, path+"?no_such=1", nil), ""); r.status != http.StatusUnprocessableEntity || r.code() != "UNKNOWN_FIELD" {
		t.Errorf("HTTP %d %s", r.status, r.raw)
	}
}
