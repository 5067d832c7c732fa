package cli_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"driftless/internal/cli"
	"driftless/internal/fault"
	"driftless/internal/source/repo"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"driftless": func() { os.Exit(run()) }, "browser": func() { os.Exit(browse()) }})
}

// run is the program as far as the client goes.
func run() int {
	err := cli.Root(cli.Options{Version: "1.2.3", In: os.Stdin, Out: os.Stdout, Err: os.Stderr}).ExecuteContext(context.Background())
	var usage cli.UsageError
	var known *fault.Error
	switch {
	case err == nil:
		return 0
	case errors.As(err, &usage):
		fmt.Fprintln(os.Stderr, err)
		return 2
	case errors.As(err, &known):
		cli.PrintError(os.Stderr, known)
		return known.Kind.ExitCode()
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

func TestScripts(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(answer))
	t.Cleanup(server.Close)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: func(e *testscript.Env) error {
			home := e.WorkDir + "/home"
			e.Setenv("HOME", home)
			e.Setenv("XDG_CONFIG_HOME", home+"/.config")
			e.Setenv("DRIFTLESS_URL", server.URL)
			e.Setenv("DRIFTLESS_API_KEY", "dl_good")
			return os.Mkdir(home, 0o755)
		},
	})
}

// refusals are the answers to topics of these names.
var refusals = map[string]*fault.Error{
	"missing":   fault.Missing("topic", "missing"),
	"scope":     fault.New(fault.Scope, fault.CodeInsufficientScope, "no scope", "get one"),
	"role":      fault.New(fault.Forbidden, fault.CodeInsufficientRole, "no role", "ask"),
	"conflict":  fault.New(fault.State, fault.CodeStateConflict, "not now", "later"),
	"busy":      fault.New(fault.Unavailable, fault.CodeUnavailable, "busy", "wait"),
	"broken":    fault.New(fault.Internal, fault.CodeInternal, "our fault", "tell us"),
	"malformed": fault.Fieldf("topic", "\x1b[31mred"),
}

// answer stands in for the server at the level of HTTP: it refuses what the names above say, and otherwise tells what it was
// asked.
func answer(w http.ResponseWriter, r *http.Request) {
	if authorization(w, r) {
		return
	}
	if strings.HasPrefix(r.URL.Path, "/api/v1/public/") {
		raw, _ := json.Marshal(map[string]any{"path": r.URL.EscapedPath(), "query": r.URL.Query(), "credential": r.Header.Get("Authorization")})
		reply(w, string(raw))
		return
	}
	if bearer := r.Header.Get("Authorization"); bearer != "Bearer dl_good" && bearer != "Bearer dat_fresh" {
		refuse(w, fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "the credential is not valid", "sign in"))
		return
	}
	last := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	switch {
	case refusals[last] != nil:
		refuse(w, refusals[last])
	case r.URL.Path == "/api/v1/workspaces":
		reply(w, `{"shown":1,"has_more":false,"next_action":null,"results":[{"slug":"acme","name":"Acme","role":"owner"}]}`)
	case r.URL.Path == "/api/v1/me":
		reply(w, `{"person":{"id":"1","name":"Ada","email":"ada@example.test"},"via":"cli","scopes":["context:read"],"workspaces":[{"slug":"acme","role":"owner"}]}`)
	case last == "topics" && r.Method == http.MethodGet:
		reply(w, `{"shown":2,"has_more":true,"next_cursor":"c2","next_action":null,"results":[
			{"slug":"one","title":"One \u001b[31mred","what":"First \u202egnp","trust":"reviewed","is_private":false,"tags":[]},
			{"slug":"two","title":"Two | bars","what":"","trust":"draft","is_private":true,"tags":["a","b"]}]}`)
	case last == "ask":
		reply(w, `{"status":"awaiting_confirmation","confirm_url":"http://console.test/confirm/x"}`)
	case strings.HasSuffix(r.URL.Path, "/imports"):
		imports(w, r)
	case strings.HasSuffix(r.URL.Path, "/sources"):
		reply(w, `{"shown":0,"has_more":false,"next_action":null,"results":[]}`)
	case strings.HasSuffix(r.URL.Path, "/fingerprints"):
		fingerprints(w, r)
	case strings.HasSuffix(r.URL.Path, "/files"):
		files(w, r)
	case strings.HasSuffix(r.URL.Path, "/diff"):
		diffs(w, r)
	case strings.HasSuffix(r.URL.Path, "/sources/sync"):
		syncs(w, r)
	default:
		body, _ := io.ReadAll(r.Body)
		if len(body) == 0 {
			body = []byte("null")
		}
		query, _ := json.Marshal(r.URL.Query())
		reply(w, fmt.Sprintf(`{"method":%q,"path":%q,"agent":%q,"query":%s,"body":%s}`, r.Method, r.URL.EscapedPath(), r.UserAgent(), query, body))
	}
}

// syncs answers that main is new and every other branch does not count.
func syncs(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	var in struct{ Remote, Branch, Head, Files string }
	err := json.Unmarshal(raw, &in)
	files, bad := repo.ParseTreeText(in.Files)
	if err != nil || bad != nil {
		refuse(w, fault.Fieldf("files", "%v, %v", err, bad))
		return
	}
	wants := []map[string]any{}
	if f, is := files.Find("judged.go"); is {
		wants = append(wants, map[string]any{"blob": f.Blob, "path": "judged.go", "symbols": []string{"", "Run", "Gone"}})
	}
	asked, _ := json.Marshal(wants)
	reply(w, fmt.Sprintf(`{"id":"src","want":`+string(asked)+`,"repository":%q,"remote":%q,"branch":%q,"tracked":%t,"connected":true,"head":%q,"files":%d,"text_was_sent":%t}`,
		in.Remote, in.Remote, in.Branch, in.Branch == "main", in.Head, len(files), strings.Contains(string(raw), "nobody must")))
}

// fingerprints answers how many it was brought: as broken those of symbols that are gone, as review the others.
func fingerprints(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Prints []struct {
			Absent bool
			Hash   string
			Method string
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		refuse(w, fault.Fieldf("/", "%v", err))
		return
	}
	n := map[string]int{}
	for _, p := range in.Prints {
		switch {
		case p.Absent:
			n["broken"]++
		case p.Hash != "" && p.Method == "go":
			n["review"]++
		}
	}
	raw, _ := json.Marshal(map[string]any{"taken": len(in.Prints), "drift": n})
	reply(w, string(raw))
}

// files answers what is known about pay/charge.py, does not answer about slow.py in time, and knows nothing else.
func files(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	switch {
	case strings.Contains(string(raw), `"slow.py"`):
		<-r.Context().Done()
	case strings.Contains(string(raw), `"pay/charge.py"`):
		reply(w, `{"results":[
			{"slug":"charging","title":"Charging","what":"How \u202ewe\ncharge","trust":"reviewed","revision":3,"stale":true,
				"invariants":["never twice"],"gotchas":["the clock"],"decisions":["use a queue","`+strings.Repeat("long ", 2000)+`"]},
			{"slug":"guess","title":"A guess","trust":"draft","revision":1,"invariants":["maybe"]},
			{"slug":"bad","title":"Bad","trust":"reviewed","revision":1,"invariants":["obey me"],"content_warnings":[{"kind":"orders"}]},
			{"slug":"money","title":"Money","trust":"reviewed","revision":1,"invariants":["cents"]}]}`)
	default:
		reply(w, `{"results":[]}`)
	}
}

// diffs answers that Knowledge is anchored at pay/charge.py, where that is what changed.
func diffs(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	var in struct {
		Unified string `json:"unified_diff"`
		Base    string
		Changes []any
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		refuse(w, fault.Fieldf("/", "%v", err))
		return
	}
	var status string
	switch {
	case strings.Contains(in.Unified, "deleted file mode"):
		status = "D"
	case strings.Contains(in.Unified, "pay/charge.py"), strings.Contains(fmt.Sprint(in.Changes), "pay/charge.py"):
		status = "M"
	default:
		reply(w, `{"changed":1,"shown":0,"has_more":false,"next_action":null,"results":[]}`)
		return
	}
	reply(w, fmt.Sprintf(`{"changed":1,"shown":1,"has_more":false,"next_action":null,"results":[{"slug":"charging","title":"Charging | @ada","trust":"reviewed",
		"because":[{"anchor":"pay/charge.py","changes":[{"path":"pay/charge.py","status":%q}]}],
		"may_be_wrong":[{"field":"how","text":"text was sent: %t","why":"names it"}]}]}`, status, in.Unified != ""))
}

// imports answers for each draft: one called bad is refused.
func imports(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Drafts, Links []struct{ Key, Title string }
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		refuse(w, fault.Fieldf("/", "%v", err))
		return
	}
	results := []map[string]string{}
	for _, d := range in.Drafts {
		if d.Title == "Bad" {
			results = append(results, map[string]string{"key": d.Key, "action": "failed", "error": "looks like a secret"})
			continue
		}
		results = append(results, map[string]string{"key": d.Key, "slug": "x", "action": "created"})
	}
	for _, l := range in.Links {
		results = append(results, map[string]string{"key": l.Key, "slug": "x", "action": "updated"})
	}
	raw, _ := json.Marshal(map[string]any{"results": results})
	reply(w, string(raw))
}

func reply(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, body)
}

func refuse(w http.ResponseWriter, e *fault.Error) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(e.Kind.HTTPStatus())
	_ = json.NewEncoder(w).Encode(e.Wire("req-1"))
}
