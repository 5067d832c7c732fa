package fetch_test

import (
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"driftless/internal/config"
	"driftless/internal/drift"
	"driftless/internal/drift/fetch"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg/pgtest"
	"driftless/internal/source"
	"driftless/internal/source/hook"
	"driftless/internal/source/mirror"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

type args = map[string]any

// host serves one repository over https as forges do, and is where people push.
type host struct {
	t        *testing.T
	dir      string
	url      string
	ca       string
	token    atomic.Pointer[string]
	redirect atomic.Bool
	requests atomic.Int64
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir, "-c", "user.name=A", "-c", "user.email=a@b.test"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func newHost(t *testing.T, partial bool) *host {
	t.Helper()
	h := &host{t: t, dir: t.TempDir()}
	git(t, h.dir, "init", "-q", "-b", "main", "work")
	git(t, h.dir, "init", "-q", "--bare", "-b", "main", "acme/shop.git")
	if partial {
		git(t, h.dir+"/acme/shop.git", "config", "uploadpack.allowFilter", "true")
		git(t, h.dir+"/acme/shop.git", "config", "uploadpack.allowAnySHA1InWant", "true")
	}
	backend := &cgi.Handler{
		Path: filepath.Join(git(t, h.dir, "--exec-path"), "git-http-backend"), Stderr: t.Output(),
		Env: []string{"GIT_PROJECT_ROOT=" + h.dir, "GIT_HTTP_EXPORT_ALL=1"},
	}
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.requests.Add(1)
		if want := h.token.Load(); want != nil {
			if _, got, _ := r.BasicAuth(); got != *want {
				w.Header().Set("WWW-Authenticate", "Basic")
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
		}
		if h.redirect.Load() && strings.HasPrefix(r.URL.Path, "/acme/") {
			http.Redirect(w, r, strings.Replace(r.URL.String(), "/acme/", "/moved/", 1), http.StatusMovedPermanently)
			return
		}
		backend.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	h.url = server.URL + "/acme/shop.git"
	h.ca = filepath.Join(h.dir, "ca.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(h.ca, block, 0o600); err != nil {
		t.Fatal(err)
	}
	return h
}

// push makes a commit of these changes; an empty text removes a file.
func (h *host) push(branch string, files map[string]string) string {
	h.t.Helper()
	work := h.dir + "/work"
	for path, text := range files {
		full := filepath.Join(work, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			h.t.Fatal(err)
		}
		if text == "" {
			git(h.t, work, "rm", "-q", path)
		} else if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
			h.t.Fatal(err)
		}
	}
	git(h.t, work, "add", "-A")
	git(h.t, work, "commit", "-q", "-m", "x")
	git(h.t, work, "push", "-q", "--force", h.dir+"/acme/shop.git", "HEAD:refs/heads/"+branch)
	return git(h.t, work, "rev-parse", "HEAD")
}

// world is a server with one workspace that mirrors what a host has.
type world struct {
	t     *testing.T
	reg   *op.Registry
	owner tenant.Actor
	dir   string
	drift *drift.Service
	fetch *fetch.Service
}

// secretKey is the key of the servers of these tests.
const secretKey = "a key of the tests, which is no secret"

func setup(t *testing.T, h *host, change func(*config.Config)) world {
	t.Helper()
	db := pgtest.DB(t)
	c := config.Config{
		PublicURL: "http://console.test", DataDir: t.TempDir(), SecretKey: secretKey, MirrorBytes: 64 << 20, MirrorTimeout: time.Minute,
		MirrorInside: []string{"127.0.0.0/8"},
	}
	if change != nil {
		change(&c)
	}
	sources, judged := source.New(c), drift.New(db)
	reg, err := op.NewRegistry(db, slices.Concat(topic.New(db, c).Operations(), sources.Operations(), judged.Operations()), nil)
	if err != nil {
		t.Fatal(err)
	}
	fetches := fetch.New(db, sources, c, fetch.WithClones(func(all *mirror.Clones) { all.Authorities = h.ca }))
	return world{t, reg, pgtest.Workspace(t), c.DataDir, judged, fetches}
}

func (w world) call(a tenant.Actor, id string, in any) (args, error) {
	w.t.Helper()
	encoded, err := json.Marshal(in)
	if err != nil {
		w.t.Fatal(err)
	}
	parsed, err := op.Arguments(encoded)
	if err != nil {
		return nil, err
	}
	r, err := w.reg.Call(w.t.Context(), a.Caller, op.Call{Operation: w.reg.Operation(id), Arguments: parsed})
	if err != nil {
		return nil, err
	}
	var out args
	if err := json.Unmarshal(r.JSON, &out); err != nil {
		w.t.Fatal(err)
	}
	return out, nil
}

func (w world) ok(id string, in any) args {
	w.t.Helper()
	out, err := w.call(w.owner, id, in)
	if err != nil {
		w.t.Fatalf("%s %v: %v (%v)", id, in, err, fault.From(err).Unwrap())
	}
	return out
}

// list is the only repository of the workspace as its readers see it.
func (w world) list() args {
	w.t.Helper()
	return w.ok("sources.list", args{})["results"].([]any)[0].(args)
}

// fetched does the job for a repository and answers what is told of it afterwards.
func (w world) fetched(source args) (mirror args, head string) {
	w.t.Helper()
	w.do(source)
	row := w.list()
	if heads := row["heads"].([]any); len(heads) > 0 {
		head = heads[0].(args)["head"].(string)
	}
	return row["mirror"].(args), head
}

func (w world) do(row args) {
	w.t.Helper()
	id, err := uuid.Parse(row["id"].(string))
	if err != nil {
		w.t.Fatal(err)
	}
	var refusal *mirror.RefusalError
	if err := w.fetch.Do(w.t.Context(), source.Fetch{Workspace: w.owner.Workspace, Source: id}); err != nil && !errors.As(err, &refusal) {
		w.t.Fatal(err)
	}
}

func lines(word string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s%d = %d\n", word, i, i)
	}
	return b.String()
}

func TestAMirrorTellsWhatASyncOfACheckoutWould(t *testing.T) {
	t.Parallel()
	for name, partial := range map[string]bool{"a host that leaves contents out": true, "a host that sends all": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, partial)
			first := h.push("main", map[string]string{"pay/charge.py": lines("charge", 40), "old.py": lines("old", 40), "README": "x\n"})
			w := setup(t, h, nil)
			row := w.ok("sources.mirror", args{"remote": h.url})
			m, head := w.fetched(row)
			if head != first || m["error"] != nil || m["fetched_at"] == nil {
				t.Fatalf("the first fetch: %v at %s, want %s", m, head, first)
			}
			charge := w.knowledge("Charging", args{"anchors": []string{"pay/charge.py"}})
			moved := w.knowledge("Moving", args{"anchors": []string{"old.py"}})
			h.push("main", map[string]string{"pay/charge.py": "# comment\n" + lines("charge", 40), "README": "y\n"})
			w.ok("sources.fetch", args{"source": row["name"]})
			w.do(row)
			if state := w.ok("topics.get", args{"topic": charge})["drift_state"]; state == "review" {
				t.Error("a comment is up for review")
			}
			second := h.push("main", map[string]string{"pay/charge.py": lines("charge", 20) + lines("other", 20), "old.py": "", "new.py": lines("old", 39)})
			before := h.requests.Load()
			w.do(row)
			if h.requests.Load() != before {
				t.Error("fetched without being asked")
			}
			w.ok("sources.fetch", args{"source": row["name"]})
			if _, head := w.fetched(row); head != second {
				t.Errorf("the head is %s, want %s", head, second)
			}
			got := w.ok("topics.get", args{"topic": charge})
			if got["drift_state"] != "review" || len(got["drift"].([]any)) == 0 || got["drift"].([]any)[0].(args)["score"].(float64) < 0.3 {
				t.Errorf("half of the code is another: %v %v", got["drift_state"], got["drift"])
			}
			if kind := w.ok("topics.get", args{"topic": moved})["drift"].([]any)[0].(args)["kind"]; kind != "moved" {
				t.Errorf("what was renamed with a change is %v", kind)
			}
		})
	}
}

// knowledge makes a topic that the owner approves.
func (w world) knowledge(title string, in args) string {
	w.t.Helper()
	in["title"] = title
	slug := w.ok("topics.create", in)["slug"].(string)
	w.ok("topics.approve", args{"topic": slug})
	return slug
}

func TestAPushMakesTheServerFetch(t *testing.T) {
	t.Parallel()
	h := newHost(t, true)
	h.push("main", map[string]string{"a": "1\n"})
	w := setup(t, h, nil)
	row := w.ok("sources.mirror", args{"remote": h.url})
	w.do(row)
	second := h.push("main", map[string]string{"a": "2\n"})
	body := []byte(`{"ref":"refs/heads/main","after":"` + second + `","commits":[]}`)
	header := http.Header{"X-Hub-Signature-256": {"sha256=" + hook.Sign(body, row["hook_secret"].(string))}}
	if accepted, err := w.drift.Deliver(t.Context(), "generic", row["id"].(string), header, body); err != nil || !accepted {
		t.Fatalf("the push is accepted %v, %v", accepted, err)
	}
	if _, head := w.fetched(row); head != second {
		t.Errorf("after the push the head is %s, want %s", head, second)
	}
}

func TestATokenIsKeptSealedAndNeverShown(t *testing.T) {
	t.Parallel()
	h := newHost(t, true)
	token := "glpat-ThisIsOnlyOfTheTests01"
	h.token.Store(&token)
	first := h.push("main", map[string]string{"a": "1\n"})
	w := setup(t, h, nil)
	row := w.ok("sources.mirror", args{"remote": h.url})
	if m, _ := w.fetched(row); m["error"] == nil || m["fetched_at"] != nil {
		t.Errorf("without the token: %v", m)
	}
	w.ok("sources.mirror", args{"remote": h.url, "token": "wrong"})
	if m, _ := w.fetched(row); !strings.Contains(m["error"].(string), "token") {
		t.Errorf("with a wrong token: %v", m)
	}
	answer := w.ok("sources.mirror", args{"remote": h.url, "token": token})
	m, head := w.fetched(row)
	if head != first || m["error"] != nil || m["token"] != true {
		t.Errorf("with the token: %v at %s", m, head)
	}
	// Kept when nothing is said about it.
	w.ok("sources.mirror", args{"remote": h.url})
	if m, _ := w.fetched(row); m["error"] != nil {
		t.Errorf("with the token that was given before: %v", m)
	}
	events, err := json.Marshal(w.ok("events.list", args{"limit": 100}))
	if err != nil {
		t.Fatal(err)
	}
	for _, shown := range []any{answer, w.list(), string(events)} {
		if strings.Contains(fmt.Sprint(shown), token) {
			t.Errorf("the token is shown: %v", shown)
		}
	}
	err = filepath.WalkDir(w.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if strings.Contains(string(raw), token) || strings.HasSuffix(path, "/key") {
			t.Errorf("%s keeps a credential", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	other := setup(t, h, func(c *config.Config) { c.SecretKey = "" })
	if _, err := other.call(other.owner, "sources.mirror", args{"remote": h.url, "token": token}); !fault.Is(err, fault.CodeStateConflict) {
		t.Errorf("a server without a key took a token: %v", err)
	}
}

func TestAMirrorSaysWhyItCannotBeFetched(t *testing.T) {
	t.Parallel()
	for name, try := range map[string]struct {
		arrange func(*host)
		change  func(*config.Config)
		in      args
		words   string
	}{
		"inside":       {change: func(c *config.Config) { c.MirrorInside = nil }, words: "public internet"},
		"redirect":     {arrange: func(h *host) { h.redirect.Store(true) }, words: "redirects"},
		"too large":    {change: func(c *config.Config) { c.MirrorBytes = 100 }, words: "larger than"},
		"no time":      {change: func(c *config.Config) { c.MirrorTimeout = time.Millisecond }, words: "longer than 1ms"},
		"no branch":    {in: args{"default_branch": "trunk"}, words: "its default branch is main"},
		"another cert": {arrange: func(h *host) { h.ca = "/dev/null" }, words: "certificate"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, true)
			h.push("main", map[string]string{"a": "1\n"})
			if try.arrange != nil {
				try.arrange(h)
			}
			w := setup(t, h, try.change)
			in := args{"remote": h.url}
			maps.Copy(in, try.in)
			m, head := w.fetched(w.ok("sources.mirror", in))
			if head != "" || m["fetched_at"] != nil || !strings.Contains(fmt.Sprint(m["error"]), try.words) {
				t.Errorf("at %q: %v", head, m)
			}
			if name == "inside" && h.requests.Load() > 0 {
				t.Error("a host inside was connected to")
			}
		})
	}
}

func TestAMirrorOverSSHHasADeployKeyOfItsOwn(t *testing.T) {
	t.Parallel()
	h := newHost(t, true)
	w := setup(t, h, nil)
	in := args{"remote": "git@git.example.test:acme/shop.git"}
	first := w.ok("sources.mirror", in)["mirror"].(args)
	if key, _ := first["public_key"].(string); !strings.HasPrefix(key, "ssh-ed25519 ") || first["url"] != "ssh://git@git.example.test/acme/shop.git" {
		t.Errorf("the mirror: %v", first)
	}
	if again := w.ok("sources.mirror", in)["mirror"].(args); again["public_key"] != first["public_key"] {
		t.Error("the key is another one without being asked for")
	}
	in["new_key"] = true
	if again := w.ok("sources.mirror", in)["mirror"].(args); again["public_key"] == first["public_key"] {
		t.Error("a new key was asked for and not made")
	}
}

func TestOnlyAnAdminMirrorsAndItCanBeStopped(t *testing.T) {
	t.Parallel()
	h := newHost(t, true)
	h.push("main", map[string]string{"a": "1\n"})
	w := setup(t, h, nil)
	member := pgtest.Person(t, w.owner, tenant.Member)
	for _, id := range []string{"sources.mirror", "sources.unmirror"} {
		in := args{"remote": h.url}
		if id == "sources.unmirror" {
			in = args{"source": h.url}
		}
		if _, err := w.call(member, id, in); !fault.Is(err, fault.CodeInsufficientRole) {
			t.Errorf("%s by a member: %v", id, err)
		}
	}
	row := w.ok("sources.mirror", args{"remote": h.url})
	w.do(row)
	w.ok("sources.unmirror", args{"source": row["id"]})
	if _, err := w.call(w.owner, "sources.fetch", args{"source": row["id"]}); !fault.Is(err, fault.CodeStateConflict) {
		t.Errorf("what is not mirrored is fetched: %v", err)
	}
	id, err := uuid.Parse(row["id"].(string))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.fetch.Do(t.Context(), source.Fetch{Workspace: w.owner.Workspace, Source: id}); err == nil {
		t.Error("a mirror that was stopped is fetched")
	}
	if _, err := os.Stat(filepath.Join(w.dir, "mirrors", id.String())); !os.IsNotExist(err) {
		t.Errorf("its clone stays: %v", err)
	}
}

func TestASymbolOfAnotherLanguageIsFollowedByItself(t *testing.T) {
	t.Parallel()
	code := "def charge(a):\n    return a + 1\n\n\ndef refund(a):\n    return a - 1\n"
	h := newHost(t, true)
	h.push("main", map[string]string{"pay.py": code})
	w := setup(t, h, nil)
	row := w.ok("sources.mirror", args{"remote": h.url})
	w.do(row)
	charge := w.knowledge("Charging", args{"anchors": []string{"pay.py#charge"}})
	refund := w.knowledge("Refunding", args{"anchors": []string{"pay.py#refund"}})
	h.push("main", map[string]string{"pay.py": strings.Replace(code, "a - 1", "a - 2", 1)})
	w.ok("sources.fetch", args{"source": row["name"]})
	w.do(row)
	if state := w.ok("topics.get", args{"topic": charge})["drift_state"]; state != "fresh" && state != nil {
		t.Errorf("the symbol beside the one that changed is %v", state)
	}
	if state := w.ok("topics.get", args{"topic": refund})["drift_state"]; state != "review" {
		t.Errorf("the symbol that changed is %v", state)
	}
}
