package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"driftless/internal/source/hook"
)

// forge is a connected repository whose pushes are delivered over HTTP.
type forge struct {
	*world
	provider, address, secret string
}

func (w *world) forge(t *testing.T, provider string) forge {
	t.Helper()
	out := w.do(t, "sources.connect", map[string]any{"remote": "https://git.example.test/acme/" + provider, "provider": provider})
	return forge{w, provider, strings.Replace(out["hook_url"].(string), w.Config.PublicURL, w.url, 1), out["hook_secret"].(string)}
}

// signed are the headers with which a forge delivers a push.
func (f forge) signed(body []byte, delivery string) http.Header {
	sum := hook.Sign(body, f.secret)
	return map[string]http.Header{
		"github":  {"X-Github-Event": {"push"}, "X-Github-Delivery": {delivery}, "X-Hub-Signature-256": {"sha256=" + sum}},
		"gitea":   {"X-Gitea-Event": {"push"}, "X-Gitea-Delivery": {delivery}, "X-Gitea-Signature": {sum}},
		"gitlab":  {"X-Gitlab-Event": {"Push Hook"}, "X-Gitlab-Event-Uuid": {delivery}, "X-Gitlab-Token": {f.secret}},
		"generic": {"Idempotency-Key": {delivery}, "X-Hub-Signature-256": {"sha256=" + sum}},
	}[f.provider]
}

func (f forge) deliver(t *testing.T, body []byte, header http.Header) (status int, answer string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, f.address, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header.Clone()
	r.Header.Set("Content-Type", "application/json")
	w, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Body.Close() }()
	raw, err := io.ReadAll(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	return w.StatusCode, string(raw)
}

// told is what the log has of one kind of news.
func (w *world) told(t *testing.T, kind string) []any {
	t.Helper()
	return w.do(t, "events.list", map[string]any{"types": []any{kind}, "limit": json.Number("100")})["results"].([]any)
}

const zeros = "0000000000000000000000000000000000000000"

func commit(n int) string { return fmt.Sprintf("%040x", n) }

// push is the body of one, with more fields as the forges add them.
func push(t *testing.T, ref, before, after string, more map[string]any) []byte {
	t.Helper()
	in := map[string]any{
		"ref": ref, "before": before, "after": after, "created": before == zeros, "deleted": after == zeros,
		"commits": []any{map[string]any{"id": after, "message": "nobody reads this", "added": []any{}, "modified": []any{"queue/a.go"}, "removed": []any{}}},
	}
	for name, value := range more {
		in[name] = value
	}
	raw, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestEveryForgeDeliversAPushOnceAndNobodyElseDoes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	want := 0
	for _, provider := range []string{"github", "gitlab", "gitea", "generic"} {
		f := w.forge(t, provider)
		body := push(t, "refs/heads/main", commit(1), commit(2), nil)
		if status, answer := f.deliver(t, body, f.signed(body, "one")); status != http.StatusAccepted || answer != "" {
			t.Errorf("%s: a push is answered %d %s", provider, status, answer)
		}
		if status, _ := f.deliver(t, body, f.signed(body, "one")); status != http.StatusNoContent {
			t.Errorf("%s: a replay is answered %d", provider, status)
		}
		other := f
		other.secret = strings.Repeat("0", 64)
		for name, header := range map[string]http.Header{
			"another secret": other.signed(body, "two"), "nothing": {}, "SHA-1": {"X-Github-Event": {"push"}, "X-Hub-Signature": {"sha1=" + hook.Sign(body, f.secret)}},
		} {
			status, answer := f.deliver(t, body, header)
			if status != http.StatusUnauthorized || strings.Contains(answer, f.secret) || strings.Contains(answer, "acme") {
				t.Errorf("%s, signed with %s: %d %s", provider, name, status, answer)
			}
		}
		changed := bytes.Replace(body, []byte("queue/a.go"), []byte("queue/b.go"), 1)
		if status, _ := f.deliver(t, changed, f.signed(body, "three")); status != http.StatusUnauthorized && provider != "gitlab" {
			t.Errorf("%s: a body that was changed is answered %d", provider, status)
		}
		want++
		if provider == "gitlab" {
			// It signs nothing: the token is all there is, and the changed body was taken.
			want++
		}
		if n := len(w.told(t, "source.pushed")); n != want {
			t.Errorf("%s: the log tells of %d pushes, want %d", provider, n, want)
		}
	}
}

func TestUnusualPushesAreTakenForWhatTheyAre(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, tc := range map[string]struct {
		provider, ref, before, after string
		more                         map[string]any
		status                       int
		kind                         string
	}{
		"a force push":        {"github", "refs/heads/main", commit(9), commit(3), map[string]any{"forced": true}, http.StatusAccepted, "source.pushed"},
		"a new branch":        {"github", "refs/heads/main", zeros, commit(4), nil, http.StatusAccepted, "source.pushed"},
		"a deletion":          {"github", "refs/heads/main", commit(4), zeros, map[string]any{"commits": []any{}}, http.StatusNoContent, ""},
		"a deletion, GitLab":  {"gitlab", "refs/heads/main", commit(4), zeros, map[string]any{"commits": []any{}, "checkout_sha": nil}, http.StatusNoContent, ""},
		"a tag":               {"github", "refs/tags/v1", zeros, commit(5), nil, http.StatusNoContent, ""},
		"an untracked branch": {"github", "refs/heads/feature/x", commit(5), commit(6), nil, http.StatusNoContent, "source.heard"},
		"a truncated list":    {"gitlab", "refs/heads/main", commit(6), commit(7), map[string]any{"total_commits_count": 4000}, http.StatusAccepted, "source.pushed"},
		"no commits at all":   {"gitea", "refs/heads/main", commit(7), commit(8), map[string]any{"commits": nil}, http.StatusAccepted, "source.pushed"},
		"no whole commit":     {"github", "refs/heads/main", commit(8), "abc", nil, http.StatusUnprocessableEntity, ""},
		"an evil ref":         {"github", "refs/heads/../../x y", commit(8), commit(9), nil, http.StatusUnprocessableEntity, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			f := w.forge(t, tc.provider)
			body := push(t, tc.ref, tc.before, tc.after, tc.more)
			if status, answer := f.deliver(t, body, f.signed(body, "one")); status != tc.status {
				t.Errorf("it is answered %d %s, want %d", status, answer, tc.status)
			}
			for _, kind := range []string{"source.pushed", "source.heard"} {
				if n := len(w.told(t, kind)); (n == 1) != (kind == tc.kind) || n > 1 {
					t.Errorf("the log has %d %s", n, kind)
				}
			}
		})
	}
	if n := len(w.told(t, "source.pushed")); n != 0 {
		t.Errorf("another workspace hears of %d pushes", n)
	}
}

func TestALargePushIsTakenUpToItsLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	f := w.forge(t, "github")
	var commits []any
	for i := range 2048 {
		var files []any
		for j := range 12 {
			files = append(files, fmt.Sprintf("folder-%04d/file-%02d.go", i, j))
		}
		commits = append(commits, map[string]any{"id": commit(i + 10), "added": files, "modified": []any{}, "removed": []any{}})
	}
	body := push(t, "refs/heads/main", commit(1), commit(2), map[string]any{"commits": commits})
	if status, answer := f.deliver(t, body, f.signed(body, "large")); status != http.StatusAccepted {
		t.Errorf("%d bytes with 24,576 files are answered %d %s", len(body), status, answer)
	}
	detail, err := json.Marshal(w.told(t, "source.pushed"))
	if err != nil || !strings.Contains(string(detail), "20000") {
		t.Errorf("of the files at most 20,000 are kept, the log says: %s, %v", detail, err)
	}
	over := bytes.Repeat([]byte(" "), 5<<20+1)
	if status, _ := f.deliver(t, over, f.signed(over, "over")); status != http.StatusRequestEntityTooLarge {
		t.Errorf("5 MiB and a byte are answered %d", status)
	}
	for name, text := range map[string]string{"no JSON": "payload=%7B%7D", "a list": "[]", "nothing": ""} {
		if status, _ := f.deliver(t, []byte(text), f.signed([]byte(text), name)); status != http.StatusUnprocessableEntity {
			t.Errorf("%s is answered %d", name, status)
		}
	}
	header := f.signed([]byte("{}"), "ping")
	header.Set("X-GitHub-Event", "ping")
	if status, _ := f.deliver(t, []byte("{}"), header); status != http.StatusNoContent {
		t.Errorf("another event is answered %d", status)
	}
	for address, want := range map[string]int{
		w.url + "/hooks/svn/" + f.address[strings.LastIndex(f.address, "/")+1:]: http.StatusNotFound,
		strings.Replace(f.address, "/github/", "/gitea/", 1):                    http.StatusUnauthorized,
	} {
		there := f
		there.address = address
		body := push(t, "refs/heads/main", commit(1), commit(2), nil)
		if status, _ := there.deliver(t, body, f.signed(body, "there")); status != want {
			t.Errorf("%s is answered %d, want %d", address, status, want)
		}
	}
}
