package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"driftless/internal/op"
	"driftless/internal/pg/pgtest"
	"driftless/internal/source/repo"
	"driftless/internal/tenant"
)

// each runs the test once for every operation there is: who adds an operation has added it here.
func each(t *testing.T, test func(t *testing.T, w *world, o *op.Operation)) {
	t.Helper()
	w := newWorld(t)
	ops := w.Registry.Operations()
	if len(ops) < 30 {
		t.Fatalf("there are %d operations", len(ops))
	}
	for i := range ops {
		t.Run(ops[i].ID, func(t *testing.T) {
			t.Parallel()
			test(t, w, &ops[i])
		})
	}
}

// arguments makes what the operation requires out of its schema.
func (w *world) arguments(o *op.Operation) map[string]any {
	out := map[string]any{}
	for _, name := range o.Input.Required {
		out[name] = w.value(name, o.Input.Properties[name])
	}
	for name := range o.Input.Properties {
		if strings.Contains(o.Path(), "{"+name+"}") {
			out[name] = w.value(name, o.Input.Properties[name])
		}
	}
	// One of two fields is required here, which a schema for models does not say.
	switch o.ID {
	case "context.retrieve":
		out["task"] = "why does the queue drop messages"
	case "comments.list":
		out["topic"] = w.value("topic", o.Input.Properties["topic"])
	}
	return out
}

func (w *world) value(name string, s *jsonschema.Schema) any {
	if known := w.names[name]; known != nil {
		return known
	}
	switch {
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Type == "integer":
		return 1
	case s.Type == "boolean":
		return true
	case s.Type == "array":
		return []any{w.value("", s.Items)}
	case s.Type == "object":
		out := map[string]any{}
		for _, field := range s.Required {
			out[field] = w.value(field, s.Properties[field])
		}
		return out
	}
	return "queue"
}

func (r reply) is(t *testing.T, where string, status int, code string) {
	t.Helper()
	if r.status != status || r.code() != code {
		t.Errorf("%s: HTTP %d %s %s; want %d %s", where, r.status, r.code(), r.raw, status, code)
	}
}

func TestWithoutACredentialNothingIsDone(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world, o *op.Operation) {
		for _, key := range []string{"", "dl_unknown", "not-a-key"} {
			for where, r := range map[string]reply{
				"REST": w.rest(t, key, o, w.owner.Slug, w.arguments(o)),
				"MCP":  w.rpc(t, key, "tools/call", toolCall(o, w.owner.Slug, w.arguments(o))),
			} {
				r.is(t, where, http.StatusUnauthorized, "UNAUTHENTICATED")
				challenge := r.header.Get("WWW-Authenticate")
				if !strings.HasPrefix(challenge, "Bearer ") || !strings.Contains(challenge, "resource_metadata=") {
					t.Errorf("%s: WWW-Authenticate: %s", where, challenge)
				}
				if (key != "") != strings.Contains(challenge, `error="invalid_token"`) {
					t.Errorf("%s with the key %q: WWW-Authenticate: %s", where, key, challenge)
				}
			}
		}
	})
}

func TestACredentialWithoutTheScopeIsRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world, o *op.Operation) {
		others := slices.DeleteFunc(tenant.Scopes(), func(s tenant.Scope) bool { return s == o.Scope })
		key := w.key(t, w.owner, others...)
		answers := map[string]reply{"REST": w.rest(t, key, o, w.owner.Slug, map[string]any{"no_such_field": 1})}
		if o.Tool != "" {
			// Before the protocol: a client sees the status and can ask for more.
			answers["MCP"] = w.rpc(t, key, "tools/call", toolCall(o, w.owner.Slug, nil))
		}
		for where, r := range answers {
			r.is(t, where, http.StatusForbidden, "INSUFFICIENT_SCOPE")
			challenge := r.header.Get("WWW-Authenticate")
			if !strings.Contains(challenge, `error="insufficient_scope"`) || !strings.Contains(challenge, string(o.Scope)) {
				t.Errorf("%s: WWW-Authenticate: %s", where, challenge)
			}
			if diff := cmp.Diff([]any{string(o.Scope)}, r.problem()["allowed"]); diff != "" {
				t.Errorf("%s: allowed (-want +got):\n%s", where, diff)
			}
		}
	})
}

func TestARoleThatIsTooLowIsRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world, o *op.Operation) {
		at := slices.Index(tenant.Roles(), o.Role)
		if at == 0 {
			return // everybody in the workspace may
		}
		key := w.key(t, w.people[tenant.Roles()[at-1]])
		before := w.trace(t)
		w.rest(t, key, o, w.owner.Slug, map[string]any{"no_such_field": 1}).is(t, "REST", http.StatusForbidden, "INSUFFICIENT_ROLE")
		if o.Tool != "" {
			r, failed := w.tool(t, key, o, w.owner.Slug, nil)
			r.is(t, "MCP", http.StatusOK, "INSUFFICIENT_ROLE")
			if !failed {
				t.Error("MCP: the refusal is no error")
			}
		}
		if after := w.trace(t); after[1] != before[1] {
			t.Error("something was written")
		}
	})
}

func TestAnUnknownFieldIsRefusedWithTheKnownOnes(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world, o *op.Operation) {
		key := w.key(t, w.owner)
		args := w.arguments(o)
		args["no_such_field"] = "x"
		r := w.rest(t, key, o, w.owner.Slug, args)
		r.is(t, "REST", http.StatusUnprocessableEntity, "UNKNOWN_FIELD")
		answers := map[string]reply{"REST": r}
		if o.Tool != "" {
			r, failed := w.tool(t, key, o, w.owner.Slug, args)
			r.is(t, "MCP", http.StatusOK, "UNKNOWN_FIELD")
			if !failed {
				t.Error("MCP: the refusal is no error")
			}
			answers["MCP"] = r
		}
		for where, r := range answers {
			known := []string{}
			for _, word := range asList(r.json["allowed"]) {
				known = append(known, fmt.Sprint(word))
			}
			if diff := cmp.Diff(append([]string{}, slices.Sorted(maps.Keys(o.Input.Properties))...), known); diff != "" {
				t.Errorf("%s: allowed (-want +got):\n%s", where, diff)
			}
		}
	})
}

func asList(v any) []any { list, _ := v.([]any); return list }

// Who is not in a workspace cannot find out whether there is one.
func TestAForeignWorkspaceReadsLikeAMissingOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	stranger := w.key(t, pgtest.Workspace(t))
	ops := w.Registry.Operations()
	for i := range ops {
		o := &ops[i]
		if !o.InWorkspace() {
			continue
		}
		t.Run(o.ID, func(t *testing.T) {
			t.Parallel()
			words := func(slug string) (out []string) {
				r := w.rest(t, stranger, o, slug, w.arguments(o))
				r.is(t, "REST", http.StatusNotFound, "NOT_FOUND")
				answers := []reply{r}
				if o.Tool != "" {
					r, failed := w.tool(t, stranger, o, slug, w.arguments(o))
					r.is(t, "MCP", http.StatusOK, "NOT_FOUND")
					if !failed {
						t.Error("MCP: the refusal is no error")
					}
					answers = append(answers, r)
				}
				for _, r := range answers {
					delete(r.json, "request_id")
					raw, err := json.Marshal(r.json)
					if err != nil {
						t.Fatal(err)
					}
					out = append(out, strings.ReplaceAll(string(raw), slug, "SLUG"))
				}
				return out
			}
			if diff := cmp.Diff(words("w00000000000"), words(w.owner.Slug)); diff != "" {
				t.Errorf("(-missing +foreign):\n%s", diff)
			}
		})
	}
}

func TestReadingLeavesNoTrace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.key(t, w.owner)
	none, err := repo.Tree{}.Text()
	if err != nil {
		t.Fatal(err)
	}
	w.do(t, "sources.sync", map[string]any{
		"remote": "https://git.example.test/team/code", "branch": "main", "head": strings.Repeat("a", 40), "committed_at": "2026-01-02T03:04:05Z",
		"files": none,
	})
	before := w.trace(t)
	ops := w.Registry.Operations()
	read := 0
	for i := range ops {
		o := &ops[i]
		if !o.Effect.Has(op.Reads) {
			continue
		}
		read++
		args := w.arguments(o)
		if r := w.rest(t, key, o, w.owner.Slug, args); r.status != http.StatusOK {
			t.Errorf("%s %v over REST: HTTP %d %s", o.ID, args, r.status, r.raw)
		}
		if o.Tool != "" {
			if r, failed := w.tool(t, key, o, w.owner.Slug, args); failed {
				t.Errorf("%s %v over MCP: %s", o.ID, args, r.raw)
			}
		}
		if after := w.trace(t); after != before {
			t.Errorf("%s left events, revisions and head at %v; they were %v", o.ID, after, before)
			before = after
		}
	}
	if read < 10 {
		t.Errorf("only %d operations read", read)
	}
}

func TestABodyThatIsTooLargeIsRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world, o *op.Operation) {
		if !hasBody(o) {
			return // what it reads stands in the address, which the server bounds by itself
		}
		args := w.arguments(o)
		args["padding"] = strings.Repeat("x", int(max(1<<20, o.Body)))
		w.rest(t, w.key(t, w.owner), o, w.owner.Slug, args).is(t, "REST", http.StatusRequestEntityTooLarge, "TOO_LARGE")
	})
}

// Whatever bytes come, they are the caller's mistake and never ours.
func TestBytesThatAreNoTextAreTheCallersMistake(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world, o *op.Operation) {
		key := w.key(t, w.owner)
		for name, s := range o.Input.Properties {
			for _, text := range []string{"a\x00b", "a\xffb"} {
				args := w.arguments(o)
				switch {
				case s.Type == "string":
					args[name] = text
				case s.Type == "array" && s.Items.Type == "string":
					args[name] = []any{text}
				default:
					continue
				}
				r := w.rest(t, key, o, w.owner.Slug, args)
				if r.status < 400 || r.status >= 500 || r.code() == "" {
					t.Errorf("%s = %q over REST: HTTP %d %s", name, text, r.status, r.raw)
				}
				if o.Tool == "" {
					continue
				}
				// A body that is no UTF-8 is no JSON, which the protocol answers before any tool.
				if raw := w.rpc(t, key, "tools/call", toolCall(o, w.owner.Slug, args)); raw.status >= 500 ||
					!bytes.Contains(raw.raw, []byte("VALIDATION_FAILED")) && !bytes.Contains(raw.raw, []byte("-32700")) {
					t.Errorf("%s = %q over MCP: HTTP %d %s", name, text, raw.status, raw.raw)
				}
			}
		}
		for _, slug := range []string{"a\x00b", "a\xffb"} {
			if r := w.rest(t, key, o, slug, w.arguments(o)); o.InWorkspace() && r.status != http.StatusNotFound {
				t.Errorf("the workspace %q: HTTP %d %s", slug, r.status, r.raw)
			}
		}
	})
}

// What the operations do not guard are the routes of a person.
func TestBytesThatAreNoTextAreRefusedWithoutAnOperation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, text := range []string{"a\x00b", "a\xffb"} {
		body := encode(t, map[string]any{"email": text, "password": text})
		escaped := url.PathEscape(text)
		form := []byte(url.Values{"grant_type": {"authorization_code"}, "client_id": {text}, "code": {text}, "token": {text}}.Encode())
		for where, r := range map[string]*http.Request{
			"session":       w.request(t, http.MethodPost, "/api/v1/session", body),
			"setup":         w.request(t, http.MethodPost, "/api/v1/setup/"+escaped, body),
			"setup link":    w.request(t, http.MethodGet, "/api/v1/setup/"+escaped, nil),
			"confirmation":  w.request(t, http.MethodGet, "/api/v1/confirmations/"+escaped, nil),
			"consent":       w.request(t, http.MethodGet, "/api/v1/oauth/requests/"+escaped, nil),
			"authorization": w.request(t, http.MethodGet, "/oauth/authorize?client_id="+url.QueryEscape(text), nil),
			"token":         w.request(t, http.MethodPost, "/oauth/token", form),
			"revocation":    w.request(t, http.MethodPost, "/oauth/revoke", form),
			"registration":  w.request(t, http.MethodPost, "/oauth/register", encode(t, map[string]any{"client_name": text, "redirect_uris": []string{"http://127.0.0.1/" + text}})),
		} {
			if strings.HasPrefix(r.URL.Path, "/oauth/token") || strings.HasPrefix(r.URL.Path, "/oauth/revoke") {
				r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			}
			if got := send(t, r, ""); got.status >= 500 {
				t.Errorf("%s with %q: HTTP %d %s", where, text, got.status, got.raw)
			}
		}
	}
}

func TestMCPAndRESTAnswerTheSame(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.key(t, w.owner)
	for _, tc := range []struct {
		id   string
		args map[string]any
	}{
		{"topics.get", map[string]any{"topic": "queue-limits"}},
		{"topics.get", map[string]any{"topic": "nightly-ledger", "view": "brief"}},
		{"topics.list", map[string]any{}},
		{"topics.list", map[string]any{"status": "reviewed", "limit": 1}},
		{"topics.list", map[string]any{"limit": 1}},
		{"topics.list", map[string]any{"limit": 1000}},
		{"tags.list", map[string]any{}},
		{"proposals.list", map[string]any{}},
		{"proposals.list", map[string]any{"kind": "edits"}},
	} {
		o := w.Registry.Operation(tc.id)
		rest := w.rest(t, key, o, w.owner.Slug, tc.args)
		mcp, failed := w.tool(t, key, o, w.owner.Slug, tc.args)
		if rest.status != http.StatusOK || failed {
			t.Errorf("%s %v: REST %s, MCP %s", tc.id, tc.args, rest.raw, mcp.raw)
			continue
		}
		if tc.args["limit"] == 1000 && (len(asList(rest.json["notes"])) != 1 || len(asList(mcp.json["notes"])) != 1) {
			t.Errorf("%s %v: a clamped limit is not said: %v, %v", tc.id, tc.args, rest.json["notes"], mcp.json["notes"])
		}
		delete(rest.json, "notes")
		delete(mcp.json, "notes")
		if diff := cmp.Diff(rest.json, mcp.json); diff != "" {
			t.Errorf("%s %v (-REST +MCP):\n%s", tc.id, tc.args, diff)
		}
	}
}

func TestAnObjectInAnAddressIsJSON(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.key(t, w.owner)
	slug := w.do(t, "topics.create", map[string]any{"title": "Asked by address", "solutions": []any{
		map[string]any{"id": "a", "env": map[string]any{"os": "linux"}, "fix": []any{"x"}},
	}})["slug"].(string)
	path := "/api/v1/workspaces/" + w.owner.Slug + "/topics/" + slug
	for env, want := range map[string]any{`{"os":"linux"}`: true, `{"os":"macos"}`: false} {
		got := send(t, w.request(t, http.MethodGet, path+"?env="+url.QueryEscape(env), nil), key)
		if got.status != http.StatusOK || got.json["answer"].(map[string]any)["has_answer"] != want {
			t.Errorf("%s: HTTP %d %s", env, got.status, got.raw)
		}
	}
	for _, env := range []string{"linux", `["os"]`, `{"system":"linux"}`} {
		if got := send(t, w.request(t, http.MethodGet, path+"?env="+url.QueryEscape(env), nil), key); got.status != http.StatusUnprocessableEntity {
			t.Errorf("%s: HTTP %d %s", env, got.status, got.raw)
		}
	}
}
