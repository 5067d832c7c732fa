package mcpapi_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

func TestATopicIsReadAsMarkdown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.do(t, w.owner, "topics.create", map[string]any{"title": "Queue limits", "what": "Drops large ones.", "content": "## Why\n\nThe broker."})
	uri := "driftless://" + w.owner.Slug + "/topics/queue-limits"
	for _, version := range []string{modern, legacy, "2025-06-18", oldest} {
		r := w.rpc(t, w.me(), version, "resources/read", map[string]any{"uri": uri})
		contents, _ := r.result["contents"].([]any)
		if len(contents) != 1 {
			t.Fatalf("%s: %s", version, r.raw)
		}
		if at(contents[0], "mimeType") != "text/markdown" || at(contents[0], "uri") != uri {
			t.Errorf("%s: %v", version, contents[0])
		}
		text, _ := at(contents[0], "text").(string)
		if !strings.HasPrefix(text, "# Queue limits") || !strings.Contains(text, "## Why\n\nThe broker.") || !strings.Contains(text, "trust: proposed") {
			t.Errorf("%s: the text is %q", version, text)
		}
		if version == modern && r.result["cacheScope"] != "private" {
			t.Errorf("cacheScope is %v", r.result["cacheScope"])
		}
	}
}

// What is missing, foreign, private or no address at all gets one answer, with the code of the revision.
func TestResourcesThatOneMayNotSeeLookLikeNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	stranger, colleague := pgtest.Workspace(t), pgtest.Person(t, w.owner, tenant.Member)
	w.do(t, stranger, "topics.create", map[string]any{"title": "Theirs"})
	w.do(t, colleague, "notes.add", map[string]any{"title": "Mine alone", "content": "Nobody else reads this."})
	for _, uri := range []string{
		"driftless://" + w.owner.Slug + "/topics/never-was",
		"driftless://" + w.owner.Slug + "/topics/mine-alone",
		"driftless://" + stranger.Slug + "/topics/theirs",
		"driftless://no-such-place/topics/theirs",
		"driftless://" + w.owner.Slug + "/areas/ledger",
		"driftless:///topics/theirs",
		"file:///etc/passwd",
	} {
		for version, want := range map[string]float64{modern: -32602, legacy: -32002} {
			r := w.rpc(t, w.me(), version, "resources/read", map[string]any{"uri": uri})
			if r.code != want {
				t.Errorf("%s at %s: code %v, want %v", uri, version, r.code, want)
			}
			if diff := cmp.Diff(map[string]any{"uri": uri}, r.data); diff != "" {
				t.Errorf("%s at %s: data (-want +got):\n%s", uri, version, diff)
			}
			if says := fmt.Sprintf(`there is no resource \"%s\" that you may see`, uri); !strings.Contains(string(r.raw), says) {
				t.Errorf("%s at %s says %s", uri, version, r.raw)
			}
			if wantStatus := map[string]int{modern: http.StatusBadRequest, legacy: http.StatusOK}[version]; r.status != wantStatus {
				t.Errorf("%s at %s: HTTP %d", uri, version, r.status)
			}
		}
	}
}

func TestAResourceNeedsTheScopeOfReading(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.knowledge(t, w.owner, "Queue limits")
	writer := w.owner.Caller
	writer.Scopes = []tenant.Scope{tenant.TopicsCreate}
	secret := w.enter(writer)
	r := w.rpc(t, secret, modern, "resources/read", map[string]any{"uri": "driftless://" + w.owner.Slug + "/topics/queue-limits"})
	if r.status != http.StatusForbidden || !strings.Contains(r.header.Get("WWW-Authenticate"), "insufficient_scope") {
		t.Errorf("HTTP %d, WWW-Authenticate %q", r.status, r.header.Get("WWW-Authenticate"))
	}
	// A client that goes by the body alone is told in the protocol's form, and can tell its person.
	if r.code != -32000 || r.data["code"] != "INSUFFICIENT_SCOPE" || !strings.Contains(string(r.raw), "lacks the scope context:read") {
		t.Errorf("the body is %s", r.raw)
	}
	if rows, ok := w.rpc(t, secret, modern, "resources/list", nil).result["resources"].([]any); !ok || len(rows) != 0 {
		t.Errorf("the list is %v", rows)
	}
	if got := w.complete(t, secret, "slug", "queue", w.owner.Slug); len(got) != 0 {
		t.Errorf("completions are %v", got)
	}
}

// pages reads the whole list of resources.
func (w *world) pages(t *testing.T, secret string) (uris []string, sizes []int) {
	t.Helper()
	for params := (map[string]any{}); ; {
		r := w.rpc(t, secret, modern, "resources/list", params)
		rows, ok := r.result["resources"].([]any)
		if !ok {
			t.Fatalf("the list answered %s", r.raw)
		}
		for _, row := range rows {
			uris = append(uris, fmt.Sprint(at(row, "uri")))
		}
		sizes = append(sizes, len(rows))
		next, more := r.result["nextCursor"].(string)
		if !more {
			return uris, sizes
		}
		params = map[string]any{"cursor": next}
	}
}

func TestTheListIsTheKnowledgeOfTheCallersWorkspacesPageByPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other, foreign := pgtest.Workspace(t), pgtest.Workspace(t)
	want := []string{}
	for i := range 51 {
		title := fmt.Sprintf("Fact %02d", i)
		w.knowledge(t, w.owner, title)
		want = append(want, fmt.Sprintf("driftless://%s/topics/fact-%02d", w.owner.Slug, i))
	}
	w.knowledge(t, other, "Elsewhere")
	want = append(want, "driftless://"+other.Slug+"/topics/elsewhere")
	w.knowledge(t, foreign, "Not theirs")
	w.do(t, w.owner, "topics.create", map[string]any{"title": "Only proposed"})
	got, sizes := w.pages(t, w.enter(w.join(t, w.owner, other)))
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("resources (-want +got):\n%s", diff)
	}
	slices.Sort(sizes)
	if diff := cmp.Diff([]int{1, 1, 50}, sizes); diff != "" {
		t.Errorf("sizes of the pages (-want +got):\n%s", diff)
	}
}

func TestACursorOfAnotherListIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, cursor := range []string{"!", "bm90IGpzb24=", `eyJ3Ijo3fQ==`} {
		for _, version := range []string{modern, legacy} {
			if r := w.rpc(t, w.me(), version, "resources/list", map[string]any{"cursor": cursor}); r.code != -32602 {
				t.Errorf("%q at %s: %s", cursor, version, r.raw)
			}
		}
	}
}

// The library takes a subscription to any address without asking who may read it, so there are none.
func TestG9NothingCanBeSubscribedTo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.knowledge(t, w.owner, "Queue limits")
	uri := "driftless://" + w.owner.Slug + "/topics/queue-limits"
	secret := w.enter(pgtest.Workspace(t).Caller)
	r := w.rpc(t, secret, modern, "subscriptions/listen", map[string]any{"notifications": map[string]any{
		"resourceSubscriptions": []string{uri}, "toolsListChanged": true, "resourcesListChanged": true, "promptsListChanged": true,
	}})
	if r.status != http.StatusNotFound || r.code != -32601 {
		t.Errorf("listening answered HTTP %d %s", r.status, r.raw)
	}
	if r := w.rpc(t, secret, legacy, "resources/subscribe", map[string]any{"uri": uri}); r.code != -32601 {
		t.Errorf("subscribing answered %s", r.raw)
	}
}
