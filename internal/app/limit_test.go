package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"driftless/internal/config"
)

// What does not fit into an answer can be fetched by sending next_action as it stands, and nothing is lost or told twice.
func TestALongListIsReadInAnswersOfBoundedSize(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const topics = 130
	for i := range topics {
		w.do(t, "topics.create", map[string]any{
			"title": fmt.Sprintf("%s %d", strings.Repeat("Long title ", 9), i), "what": strings.Repeat("words ", 49), "slug": fmt.Sprintf("long-%d", i),
		})
	}
	key := w.key(t, w.owner)
	seen, answers, args := map[string]bool{}, 0, map[string]any{"limit": 200}
	for args != nil {
		answers++
		r := w.rpc(t, key, "tools/call", map[string]any{"name": "driftless_context_list", "arguments": args})
		result, _ := r.json["result"].(map[string]any)
		page, _ := result["structuredContent"].(map[string]any)
		raw, err := json.Marshal(page)
		if err != nil || result["isError"] == true {
			t.Fatalf("answer %d: %v %.300s", answers, err, r.raw)
		}
		if text := asList(result["content"])[0].(map[string]any)["text"].(string); len(text) > 50<<10 || len(raw) > 50<<10 {
			t.Errorf("answer %d has %d bytes of text, %d structured", answers, len(text), len(raw))
		}
		for _, row := range asList(page["results"]) {
			slug, _ := row.(map[string]any)["slug"].(string)
			if seen[slug] {
				t.Errorf("%s is told twice", slug)
			}
			seen[slug] = true
		}
		args = nil
		if page["has_more"] == true {
			next, _ := page["next_action"].(map[string]any)
			if next["tool"] != "driftless_context_list" {
				t.Fatalf("the next step is %v", next)
			}
			args, _ = next["arguments"].(map[string]any)
		}
	}
	if len(seen) != topics+2 || answers < 2 {
		t.Errorf("%d topics in %d answers; there are %d", len(seen), answers, topics+2)
	}
}

func TestACredentialThatCallsTooOftenIsToldWhenToComeBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *config.Config) { c.Calls = 3 })
	key, other := w.key(t, w.owner), w.key(t, w.owner)
	list := w.Registry.Operation("topics.list")
	for range 2 {
		if r := w.rest(t, key, list, w.owner.Slug, nil); r.status != http.StatusOK {
			t.Fatalf("HTTP %d %s", r.status, r.raw)
		}
	}
	// Every way to call takes from the same allowance.
	if r := w.rpc(t, key, "tools/list", nil); r.status != http.StatusOK {
		t.Fatalf("HTTP %d %s", r.status, r.raw)
	}
	for where, r := range map[string]reply{"REST": w.rest(t, key, list, w.owner.Slug, nil), "MCP": w.rpc(t, key, "tools/list", nil)} {
		r.is(t, where, http.StatusTooManyRequests, "RATE_LIMITED")
		if n, err := strconv.Atoi(r.header.Get("Retry-After")); err != nil || n < 1 || n > 60 || r.json["retryable"] != true {
			t.Errorf("%s: Retry-After %q, %s", where, r.header.Get("Retry-After"), r.raw)
		}
	}
	if r := w.rest(t, other, list, w.owner.Slug, nil); r.status != http.StatusOK {
		t.Errorf("another credential: HTTP %d", r.status)
	}
}
