package mcpapi_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

func completed(t *testing.T, r reply) []string {
	t.Helper()
	values, ok := at(r.result, "completion", "values").([]any)
	if !ok {
		t.Fatalf("completion answered %s", r.raw)
	}
	out := []string{}
	for _, v := range values {
		out = append(out, fmt.Sprint(v))
	}
	return out
}

// complete asks for values of an argument of a topic's address.
func (w *world) complete(t *testing.T, secret, name, value, workspace string) []string {
	t.Helper()
	return completed(t, w.rpc(t, secret, modern, "completion/complete", map[string]any{
		"ref":      map[string]any{"type": "ref/resource", "uri": "driftless://{workspace}/topics/{slug}"},
		"argument": map[string]any{"name": name, "value": value}, "context": map[string]any{"arguments": map[string]any{"workspace": workspace}},
	}))
}

func (w *world) completePrompt(t *testing.T, secret, prompt, name, value string) reply {
	t.Helper()
	return w.rpc(t, secret, legacy, "completion/complete", map[string]any{
		"ref": map[string]any{"type": "ref/prompt", "name": prompt}, "argument": map[string]any{"name": name, "value": value},
	})
}

func TestSlugsComplete(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, title := range []string{"Queue limits", "Queue retries", "Ledger queue", "Zebra"} {
		w.do(t, w.owner, "topics.create", map[string]any{"title": title})
	}
	for value, want := range map[string][]string{
		"queue-l": {"queue-limits"}, "q": {"ledger-queue", "queue-limits", "queue-retries"}, "zeb": {"zebra"}, "nothing": {},
		"": {"ledger-queue", "queue-limits", "queue-retries", "zebra"},
	} {
		got := w.complete(t, w.me(), "slug", value, w.owner.Slug)
		if value == "q" && len(got) == 3 && got[2] != "ledger-queue" {
			t.Errorf("what begins with %q does not come first: %v", value, got)
		}
		slices.Sort(got)
		if value == "queue-l" {
			got = slices.DeleteFunc(got, func(slug string) bool { return !strings.HasPrefix(slug, value) })
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", value, diff)
		}
	}
}

func TestCompletionShowsNothingThatReadingWouldHide(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	colleague := pgtest.Person(t, w.owner, tenant.Member)
	w.do(t, colleague, "notes.add", map[string]any{"title": "Secret plan", "content": "Mine alone."})
	foreign := pgtest.Workspace(t)
	w.do(t, foreign, "topics.create", map[string]any{"title": "Secret of theirs"})
	for _, workspace := range []string{w.owner.Slug, foreign.Slug, "no-such-place"} {
		if got := w.complete(t, w.me(), "slug", "secret", workspace); len(got) != 0 {
			t.Errorf("in %s: %v", workspace, got)
		}
	}
	if got := w.complete(t, w.me(), "workspace", "", ""); !slices.Equal(got, []string{w.owner.Slug}) {
		t.Errorf("workspaces are %v", got)
	}
	// Whoever reaches several workspaces has to name one first.
	both := w.enter(w.join(t, w.owner, foreign))
	if got := w.complete(t, both, "slug", "secret", ""); len(got) != 0 {
		t.Errorf("without a workspace: %v", got)
	}
	if got := w.complete(t, both, "slug", "secret", foreign.Slug); !slices.Equal(got, []string{"secret-of-theirs"}) {
		t.Errorf("as a member: %v", got)
	}
}

func TestTagsAndAreasCompleteInPrompts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, tag := range []string{"billing", "bills", "queue"} {
		w.do(t, w.owner, "tags.create", map[string]any{"name": tag})
	}
	w.do(t, w.owner, "areas.create", map[string]any{"name": "Ledger"})
	got := completed(t, w.completePrompt(t, w.me(), "preflight", "tag", "bill"))
	slices.Sort(got)
	if diff := cmp.Diff([]string{"billing", "bills"}, got); diff != "" {
		t.Errorf("tags (-want +got):\n%s", diff)
	}
	if got := completed(t, w.completePrompt(t, w.me(), "preflight", "area", "led")); !slices.Equal(got, []string{"Ledger"}) {
		t.Errorf("areas are %v", got)
	}
	if got := completed(t, w.completePrompt(t, w.me(), "preflight", "task", "led")); len(got) != 0 {
		t.Errorf("free text completes to %v", got)
	}
	if r := w.completePrompt(t, w.me(), "no-such-prompt", "tag", ""); r.code != -32602 {
		t.Errorf("an unknown prompt answered %s", r.raw)
	}
}

func TestACompletionHasAtMostAHundredValues(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 101 {
		w.do(t, w.owner, "tags.create", map[string]any{"name": fmt.Sprintf("t%03d", i)})
	}
	r := w.completePrompt(t, w.me(), "preflight", "tag", "t")
	if got := completed(t, r); len(got) != 100 || at(r.result, "completion", "hasMore") != true || at(r.result, "completion", "total") != 101.0 {
		t.Errorf("%d values: %.200s", len(got), r.raw)
	}
}
