package drift_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"driftless/internal/drift"
	"driftless/internal/fault"
	"driftless/internal/job"
	"driftless/internal/obs"
	"driftless/internal/pg/pgtest"
	"driftless/internal/source/hook"
)

// forge is a site whose pushes are delivered.
type forge struct {
	*site
	svc    *drift.Service
	id     string
	secret string
}

// newForge connects a repository and works its jobs until the test ends.
func newForge(t *testing.T) *forge {
	t.Helper()
	f := &forge{site: newSite(t), svc: drift.New(pgtest.DB(t))}
	out := f.ok(f.owner, "sources.connect", args{"remote": remote, "provider": "github"})
	u, err := url.Parse(out["hook_url"].(string))
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(u.Path, "/")
	if parts[1] != "hooks" || parts[2] != "github" {
		t.Fatalf("the address of the hook is %s", u)
	}
	f.id, f.secret = parts[3], out["hook_secret"].(string)
	return f
}

// work does the jobs that wait, until done says so.
func (f *forge) work(done func() bool) {
	f.t.Helper()
	ctx, cancel := context.WithCancel(f.t.Context())
	w := job.NewWorkers(pgtest.DB(f.t), slog.New(slog.DiscardHandler), obs.NewMetrics())
	f.svc.Work(w)
	if err := w.Start(ctx); err != nil {
		f.t.Fatal(err)
	}
	for !done() {
		if ctx.Err() != nil {
			f.t.Fatal("the test ended before the work was done")
		}
	}
	cancel()
	if err := w.Stop(context.WithoutCancel(ctx)); err != nil {
		f.t.Fatal(err)
	}
}

func (f *forge) body(branch string, head int, commits ...args) []byte {
	f.t.Helper()
	raw, err := json.Marshal(args{"ref": "refs/heads/" + branch, "before": hexOf(1), "after": hexOf(head), "commits": commits})
	if err != nil {
		f.t.Fatal(err)
	}
	return raw
}

func (f *forge) deliver(body []byte, delivery string) (bool, error) {
	f.t.Helper()
	header := http.Header{}
	header.Set("X-GitHub-Event", "push")
	header.Set("X-GitHub-Delivery", delivery)
	header.Set("X-Hub-Signature-256", "sha256="+hook.Sign(body, f.secret))
	return f.svc.Deliver(f.t.Context(), "github", f.id, header, body)
}

func (f *forge) accepts(body []byte, delivery string, want bool) {
	f.t.Helper()
	if accepted, err := f.deliver(body, delivery); err != nil || accepted != want {
		f.t.Errorf("%s is accepted %v, %v; want %v", delivery, accepted, err, want)
	}
}

func TestASignedPushTellsAtOnceWhatItRemovedAndMoved(t *testing.T) {
	t.Parallel()
	f := newForge(t)
	f.sync(map[string]string{"a.go": code("1", "1"), "b.go": code("2", "2"), "lib/c.go": code("3", "3"), "d.go": code("4", "4")})
	gone, touched := f.knowledge("Gone", args{"anchors": []string{"a.go"}}), f.knowledge("Touched", args{"anchors": []string{"b.go"}})
	moved, kept := f.knowledge("Moved", args{"anchors": []string{"lib/c.go"}}), f.knowledge("Kept", args{"anchors": []string{"d.go"}})
	f.accepts(f.body("main", 50, args{"removed": []string{"a.go"}}), "one", true)
	f.accepts(f.body("main", 51, args{"modified": []string{"b.go"}, "removed": []string{"lib/c.go"}, "added": []string{"pkg/c.go"}}), "two", true)
	f.accepts(f.body("main", 51, args{"modified": []string{"b.go"}}), "two", false)
	f.accepts(f.body("feature/x", 52, args{"removed": []string{"d.go"}}), "three", false)
	f.work(func() bool { return f.get(gone)["drift_state"] == "broken" && f.get(moved)["drift_state"] == "review" })
	f.finds("removed by a push", gone, "broken", "removed")
	f.finds("touched by a push", touched, "touched", "changed")
	f.finds("moved by a push", moved, "review", "moved")
	f.finds("removed on a branch that does not count", kept, "fresh")
	// The next sync knows the contents, and takes the place of what was foreseen.
	f.heads = 60
	f.sync(map[string]string{"b.go": "// Words.\n" + code("2", "2"), "pkg/c.go": code("3", "3"), "d.go": code("4", "4")})
	f.finds("after the sync", gone, "broken", "removed")
	f.finds("a comment, after the sync", touched, "fresh")
	f.finds("after the sync", moved, "review", "moved")
}

func TestWhatIsNotSignedDoesNothing(t *testing.T) {
	t.Parallel()
	f := newForge(t)
	f.sync(map[string]string{"a.go": code("1", "1")})
	body := f.body("main", 50, args{"removed": []string{"a.go"}})
	header := http.Header{}
	header.Set("X-GitHub-Event", "push")
	for name, try := range map[string]struct{ provider, id, signature string }{
		"without a signature":   {"github", f.id, ""},
		"with another secret":   {"github", f.id, "sha256=" + hook.Sign(body, "x")},
		"to another provider":   {"generic", f.id, "sha256=" + hook.Sign(body, f.secret)},
		"to no repository":      {"github", "01890000-0000-7000-8000-000000000000", "sha256=" + hook.Sign(body, f.secret)},
		"to what is no address": {"github", "x", "sha256=" + hook.Sign(body, f.secret)},
	} {
		header.Set("X-Hub-Signature-256", try.signature)
		if _, err := f.svc.Deliver(t.Context(), try.provider, try.id, header, body); !fault.Is(err, fault.CodeUnauthenticated) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := f.ok(f.owner, "events.list", args{"types": []string{"source.pushed"}})["shown"]; n != 0.0 {
		t.Errorf("%v events tell of pushes that nobody signed", n)
	}
	again := f.ok(f.owner, "sources.connect", args{"remote": remote, "provider": "github"})
	if again["hook_secret"] != nil {
		t.Error("the secret is answered twice")
	}
	old := f.secret
	f.secret = f.ok(f.owner, "sources.connect", args{"remote": remote, "provider": "github", "new_secret": true})["hook_secret"].(string)
	f.accepts(body, "new", true)
	f.secret = old
	if _, err := f.deliver(body, "old"); !fault.Is(err, fault.CodeUnauthenticated) {
		t.Errorf("the secret that ended: %v", err)
	}
	f.ok(f.owner, "sources.disconnect", args{"source": remote})
	if _, err := f.deliver(body, "gone"); !fault.Is(err, fault.CodeUnauthenticated) {
		t.Errorf("a disconnected repository: %v", err)
	}
}

func TestAPushThatASyncHasSeenChangesNothing(t *testing.T) {
	t.Parallel()
	f := newForge(t)
	f.sync(map[string]string{"a.go": code("1", "1"), "b.go": code("2", "2")})
	seen, later := f.knowledge("Seen", args{"anchors": []string{"a.go"}}), f.knowledge("Later", args{"anchors": []string{"b.go"}})
	f.accepts(f.body("main", 1, args{"removed": []string{"a.go"}}), "of the commit that was synced", true)
	f.accepts(f.body("main", 70, args{"removed": []string{"b.go"}}), "of the one after it", true)
	f.work(func() bool { return f.get(later)["drift_state"] == "broken" })
	f.finds("of a commit that was synced", seen, "fresh")
}
