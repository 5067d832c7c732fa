package mcpapi_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/tenant"
)

func call(id any, tool string, args map[string]any) map[string]any {
	return message(id, "tools/call", map[string]any{"name": tool, "arguments": args})
}

// answers reads a batch of answers: the ids in order, and the codes of those that are errors.
func answers(t *testing.T, r reply) (ids []any, codes map[string]float64) {
	t.Helper()
	var all []struct {
		ID    any `json:"id"`
		Error *struct {
			Code float64 `json:"code"`
		} `json:"error"`
	}
	if err := json.Unmarshal(r.raw, &all); err != nil {
		t.Fatalf("the batch answered %s", r.raw)
	}
	codes = map[string]float64{}
	for _, a := range all {
		ids = append(ids, a.ID)
		if a.Error != nil {
			name, _ := json.Marshal(a.ID)
			codes[string(name)] = a.Error.Code
		}
	}
	return ids, codes
}

// A client of 2025-03-26 sends no version header; there was none.
func TestABatchIsAnsweredAsAnArrayInItsOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, version := range []string{oldest, ""} {
		before := w.calls.Load()
		r := w.post(t, w.me(), version, nil, []any{
			message("a", "ping", nil),
			message(nil, "notifications/cancelled", map[string]any{"requestId": "a"}),
			message(nil, "notifications/initialized", nil),
			call(2, "driftless_context_list", map[string]any{}),
			map[string]any{"jsonrpc": "1.0", "id": 9, "method": "ping"},
			message(3, "no/such", nil),
			message(4, "initialize", map[string]any{"protocolVersion": oldest}),
		})
		ids, codes := answers(t, r)
		if diff := cmp.Diff([]any{"a", 2.0, nil, 3.0, 4.0}, ids); diff != "" || r.status != http.StatusOK {
			t.Errorf("HTTP %d, ids (-want +got):\n%s", r.status, diff)
		}
		if diff := cmp.Diff(map[string]float64{"null": -32600, "3": -32601, "4": -32600}, codes); diff != "" {
			t.Errorf("codes (-want +got):\n%s", diff)
		}
		// The allowance is that of the messages, not of the request.
		if got := w.calls.Load() - before; got != 5 {
			t.Errorf("%d calls were counted", got)
		}
	}
}

func TestABatchOfNotificationsHasNoAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.post(t, w.me(), oldest, nil, []any{message(nil, "notifications/initialized", nil), message(nil, "notifications/cancelled", nil)})
	if r.status != http.StatusAccepted || len(r.raw) != 0 {
		t.Errorf("HTTP %d %s", r.status, r.raw)
	}
}

func TestBatchesAreRefusedAtOtherRevisionsAndBeyondTheirSize(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ping := message(1, "ping", nil)
	batch := func(n int) []any {
		out := []any{}
		for range n {
			out = append(out, ping)
		}
		return out
	}
	for _, tc := range []struct {
		version string
		body    []any
		status  int
	}{
		{oldest, batch(50), http.StatusOK},
		{oldest, batch(51), http.StatusBadRequest},
		{oldest, batch(0), http.StatusBadRequest},
		{"2025-06-18", batch(2), http.StatusBadRequest},
		{legacy, batch(2), http.StatusBadRequest},
		{modern, batch(2), http.StatusBadRequest},
	} {
		r := w.post(t, w.me(), tc.version, nil, tc.body)
		if r.status != tc.status || tc.status == http.StatusBadRequest && r.code != -32600 {
			t.Errorf("%d at %q: HTTP %d %.200s", len(tc.body), tc.version, r.status, r.raw)
		}
	}
}

func TestABatchThatLacksAScopeDoesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	reader := w.owner.Caller
	reader.Scopes = []tenant.Scope{tenant.TopicsCreate}
	r := w.post(t, w.enter(reader), oldest, nil, []any{
		call(1, "driftless_note_add", map[string]any{"content": "Half done."}),
		call(2, "driftless_context_list", map[string]any{}),
	})
	if r.status != http.StatusForbidden || !strings.Contains(r.header.Get("WWW-Authenticate"), "insufficient_scope") {
		t.Errorf("HTTP %d, WWW-Authenticate %q", r.status, r.header.Get("WWW-Authenticate"))
	}
	if shown := w.do(t, w.owner, "topics.list", map[string]any{})["shown"]; shown != 0.0 {
		t.Errorf("%v topics were written", shown)
	}
}

func TestAnItemOfABatchCannotSpeakAnotherRevision(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, codes := answers(t, w.post(t, w.me(), oldest, nil, []any{message(1, "tools/list", map[string]any{"_meta": map[string]any{
		"io.modelcontextprotocol/protocolVersion": modern, "io.modelcontextprotocol/clientCapabilities": map[string]any{},
	}})}))
	if codes["1"] != -32020 {
		t.Errorf("codes are %v", codes)
	}
}
