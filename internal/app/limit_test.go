package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"driftless/internal/config"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
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

func TestM25ACredentialThatCallsTooOftenIsToldWhenToComeBack(t *testing.T) {
	t.Parallel()
	// One a minute: nothing comes back while the test runs.
	w := newWorld(t, func(c *config.Config) { c.Calls = 1 })
	key, other := w.key(t, w.owner), w.key(t, w.owner)
	list := w.Registry.Operation("topics.list")
	// Every way to call takes from the same allowance.
	if r := w.rpc(t, key, "tools/list", nil); r.status != http.StatusOK {
		t.Fatalf("HTTP %d %s", r.status, r.raw)
	}
	for where, r := range map[string]reply{"REST": w.rest(t, key, list, w.owner.Slug, nil), "MCP": w.rpc(t, key, "tools/list", nil)} {
		r.is(t, where, http.StatusTooManyRequests, "RATE_LIMITED")
		if n, err := strconv.Atoi(r.header.Get("Retry-After")); err != nil || n < 1 || n > 60 || r.problem()["retryable"] != true {
			t.Errorf("%s: Retry-After %q, %s", where, r.header.Get("Retry-After"), r.raw)
		}
	}
	if r := w.rest(t, other, list, w.owner.Slug, nil); r.status != http.StatusOK {
		t.Errorf("another credential: HTTP %d", r.status)
	}
}

func TestM25ARefreshGivesNoNewAllowance(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *config.Config) { c.Calls, c.RefreshGrace = 1, time.Minute })
	a := w.signIn(t, tenant.Member).connect(t)
	list := w.Registry.Operation("topics.list")
	if r := w.rest(t, a.access, list, w.owner.Slug, nil); r.status != http.StatusOK {
		t.Fatalf("HTTP %d %s", r.status, r.raw)
	}
	a.renew(t)
	w.rest(t, a.access, list, w.owner.Slug, nil).is(t, "REST with the next token", http.StatusTooManyRequests, "RATE_LIMITED")
	w.rpc(t, a.access, "tools/list", nil).is(t, "MCP with the next token", http.StatusTooManyRequests, "RATE_LIMITED")
}

func TestM25AWorkspaceHasOneAllowanceForAllItsCredentials(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *config.Config) { c.WorkspaceRate = 1 })
	one, two := w.key(t, w.owner), w.key(t, w.people[tenant.Member])
	list := w.Registry.Operation("topics.list")
	if r := w.rest(t, one, list, w.owner.Slug, nil); r.status != http.StatusOK {
		t.Fatalf("HTTP %d %s", r.status, r.raw)
	}
	rest := w.rest(t, two, list, w.owner.Slug, nil)
	rest.is(t, "REST", http.StatusTooManyRequests, "RATE_LIMITED")
	// Over MCP the workspace is known when the tool runs, so the refusal is one that the model reads.
	tool, failed := w.tool(t, one, list, w.owner.Slug, nil)
	if !failed || tool.code() != "RATE_LIMITED" || tool.json["retryable"] != true {
		t.Errorf("MCP: %s", tool.raw)
	}
	read := w.rpc(t, one, "resources/read", map[string]any{"uri": "driftless://" + w.owner.Slug + "/topics/queue-limits"})
	refusal, _ := read.json["error"].(map[string]any)
	if data, _ := refusal["data"].(map[string]any); data["code"] != "RATE_LIMITED" || refusal["code"] != -32603.0 {
		t.Errorf("a resource: %s", read.raw)
	}
	for where, r := range map[string]reply{"REST": rest, "MCP": tool, "a resource": read} {
		if n, err := strconv.Atoi(r.header.Get("Retry-After")); err != nil || n < 1 || n > 60 {
			t.Errorf("%s: Retry-After %q", where, r.header.Get("Retry-After"))
		}
	}
	if !strings.Contains(rest.message(), "in this workspace") || fmt.Sprint(rest.json["retry_after_seconds"]) != rest.header.Get("Retry-After") {
		t.Errorf("REST: %s", rest.raw)
	}
	// What is about no workspace goes on, and so do people, and other workspaces.
	if r := w.rpc(t, one, "tools/list", nil); r.status != http.StatusOK {
		t.Errorf("listing the tools: HTTP %d", r.status)
	}
	person := w.signIn(t, tenant.Admin)
	if r := person.send(t, http.MethodGet, "/api/v1/workspaces/"+w.owner.Slug+"/topics", nil); r.status != http.StatusOK {
		t.Errorf("a person in the console: HTTP %d %s", r.status, r.raw)
	}
	other := pgtest.Workspace(t)
	if r := w.rest(t, w.key(t, other), list, other.Slug, nil); r.status != http.StatusOK {
		t.Errorf("another workspace: HTTP %d %s", r.status, r.raw)
	}
	// The page for the operator tells how much is left, and names nobody.
	page := string(send(t, w.request(t, http.MethodGet, "/metrics", nil), "").raw)
	for _, line := range []string{
		`driftless_rate_limit_per_minute{limit="workspace"} 1`, `driftless_rate_limit_taken_total{limit="workspace"} 2`,
		`driftless_rate_limited_total{limit="workspace"} 3`, `driftless_rate_limit_fullest_share{limit="token"} 0`,
	} {
		if !strings.Contains(page, line+"\n") {
			t.Errorf("the metrics lack %s", line)
		}
	}
	if share := regexp.MustCompile(`fullest_share\{limit="workspace"\} (1|0\.[5-9]\d*)\n`); !share.MatchString(page) {
		t.Error("the metrics do not show that a workspace has used up its allowance")
	}
	for _, id := range []string{w.owner.Slug, w.owner.Workspace.String(), w.owner.Person.String()} {
		if strings.Contains(page, id) {
			t.Errorf("the metrics name %s", id)
		}
	}
}
