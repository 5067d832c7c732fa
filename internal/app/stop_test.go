package app_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"testing"
)

// events answers the messages of a stream of events as they come.
func events(t *testing.T, answer *http.Response) func() map[string]any {
	t.Helper()
	lines := bufio.NewScanner(answer.Body)
	return func() (m map[string]any) {
		for lines.Scan() {
			if data, is := strings.CutPrefix(lines.Text(), "data: "); is {
				if err := json.Unmarshal([]byte(data), &m); err != nil {
					t.Fatal(err)
				}
				return m
			}
		}
		t.Fatalf("the stream ended: %v", lines.Err())
		return nil
	}
}

// A person may take longer than a server takes to stop.
func TestAServerThatStopsWaitsForNoAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.do(t, "topics.create", map[string]any{"title": "Up for approval", "slug": "up"})
	key := w.key(t, w.owner)
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- w.Serve(ctx, l) }()
	session := ""
	post := func(method string, params map[string]any) *http.Response {
		body := encode(t, map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+l.Addr().String()+"/mcp", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range map[string]string{
			"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Authorization": "Bearer " + key,
			"MCP-Protocol-Version": "2025-11-25", "Mcp-Session-Id": session,
		} {
			r.Header.Set(name, value)
		}
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = answer.Body.Close() })
		return answer
	}
	session = post("initialize", map[string]any{
		"protocolVersion": "2025-11-25", "capabilities": map[string]any{"elicitation": map[string]any{"url": map[string]any{}}},
		"clientInfo": map[string]any{"name": "test", "version": "1"},
	}).Header.Get("Mcp-Session-Id")
	next := events(t, post("tools/call", toolCall(w.Registry.Operation("topics.approve"), "", map[string]any{"topic": "up"})))
	if q := next(); q["method"] != "elicitation/create" {
		t.Fatalf("instead of a question: %v", q)
	}
	stop()
	result, _ := next()["result"].(map[string]any)
	told, _ := result["structuredContent"].(map[string]any)
	if told["status"] != "awaiting_confirmation" || told["confirm_url"] == "" {
		t.Errorf("the call is answered %v", result)
	}
	if err := <-ended; err != nil {
		t.Errorf("the server ended with %v", err)
	}
}
