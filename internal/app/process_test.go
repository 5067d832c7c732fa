package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"driftless/internal/pg/pgtest"
)

func TestWhatIsNotThereIsToldAsAProblem(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.key(t, w.owner)
	for name, tc := range map[string]struct {
		method, path string
		status       int
		allow        []string
	}{
		"no such address":        {"GET", "/api/v1/nothing", 404, nil},
		"no such version":        {"POST", "/api/v9/workspaces", 404, nil},
		"no such part":           {"GET", "/api/v1/workspaces/" + w.owner.Slug + "/nothing", 404, nil},
		"another method":         {"PUT", "/api/v1/workspaces/" + w.owner.Slug + "/topics", 405, []string{"GET", "POST"}},
		"another method of one":  {"POST", "/api/v1/workspaces/" + w.owner.Slug + "/topics/queue-limits", 405, []string{"GET", "PATCH", "DELETE"}},
		"another method of list": {"DELETE", "/api/v1/workspaces", 405, []string{"GET"}},
		"another of session":     {"PUT", "/api/v1/session", 405, []string{"GET", "POST", "DELETE"}},
		// Whoever has not the secret of a hook is not told whether there is one.
		"no such hook":        {"POST", "/hooks/github/nothing", 401, nil},
		"below the endpoint":  {"GET", "/mcp/nothing", 404, nil},
		"below authorization": {"GET", "/oauth/nothing", 404, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := send(t, w.request(t, tc.method, tc.path, nil), key)
			if r.status != tc.status || !strings.HasPrefix(r.header.Get("Content-Type"), "application/problem+json") {
				t.Fatalf("HTTP %d %s: %.200s", r.status, r.header.Get("Content-Type"), r.raw)
			}
			want := map[string]any{"type": "about:blank", "status": float64(tc.status), "title": http.StatusText(tc.status), "request_id": r.header.Get("X-Request-Id")}
			for field, value := range want {
				if r.json[field] != value {
					t.Errorf("%s is %v, want %v", field, r.json[field], value)
				}
			}
			if r.code() == "" || r.message() == "" || r.json["hint"] == "" || r.json["retryable"] != false {
				t.Errorf("the problem is %s", r.raw)
			}
			for _, method := range tc.allow {
				if !strings.Contains(r.header.Get("Allow"), method) {
					t.Errorf("Allow: %q lacks %s", r.header.Get("Allow"), method)
				}
			}
		})
	}
}

func TestABodyMustBeJSON(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.key(t, w.owner)
	path := "/api/v1/workspaces/" + w.owner.Slug + "/topics"
	for name, tc := range map[string]struct {
		kind, body string
		status     int
	}{
		"of no kind":        {"", `{"title":"x"}`, 415},
		"of a form":         {"application/x-www-form-urlencoded", `title=x`, 415},
		"cut off":           {"application/json", `{"title":"x"`, 400},
		"two of them":       {"application/json", `{"title":"x"}{}`, 400},
		"no object":         {"application/json", `["x"]`, 400},
		"not UTF-8":         {"application/json", "{\"title\":\"\xff\"}", 400},
		"with wrong fields": {"application/json; charset=utf-8", `{"title":7}`, 422},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := w.request(t, http.MethodPost, path, []byte(tc.body))
			r.Header.Set("Content-Type", tc.kind)
			if got := send(t, r, key); got.status != tc.status || got.code() != "VALIDATION_FAILED" {
				t.Errorf("HTTP %d %s", got.status, got.raw)
			}
		})
	}
}

// Clients escape more than they must, and in either case; a name is the same name.
func TestANameInAnAddressIsReadHoweverItWasEscaped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.key(t, w.owner)
	for _, name := range []string{"R&D", "Über uns", "a/b", "50%", "plus+minus"} {
		w.do(t, "areas.create", map[string]any{"name": name})
		for _, escape := range []func(string) string{everyByte("%02X"), everyByte("%02x")} {
			path := "/api/v1/workspaces/" + w.owner.Slug + "/areas/" + escape(name)
			r := send(t, w.request(t, http.MethodPatch, path, []byte(`{"description":"found"}`)), key)
			if r.status != http.StatusOK || r.json["name"] != name {
				t.Errorf("%s: HTTP %d %s", path, r.status, r.raw)
			}
		}
	}
}

func TestTheCredentialStandsInAHeaderAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.key(t, w.owner)
	list := "/api/v1/workspaces/" + w.owner.Slug + "/topics"
	for _, name := range []string{"access_token", "api_key", "key", "token", "authorization", "X-API-Key"} {
		if r := send(t, w.request(t, http.MethodGet, list+"?"+name+"="+key, nil), ""); r.status != http.StatusUnauthorized {
			t.Errorf("?%s= was let in: HTTP %d", name, r.status)
		}
		m := w.message(t, "tools/list", nil)
		m.URL.RawQuery = name + "=" + key
		if r := send(t, m, ""); r.status != http.StatusUnauthorized {
			t.Errorf("/mcp?%s= was let in: HTTP %d", name, r.status)
		}
	}
	for name, value := range map[string]string{"X-API-Key": key, "Authorization": "bearer  " + key} {
		for where, r := range map[string]*http.Request{"REST": w.request(t, http.MethodGet, list, nil), "MCP": w.message(t, "tools/list", nil)} {
			r.Header.Set(name, value)
			if got := send(t, r, ""); got.status != http.StatusOK {
				t.Errorf("%s by %s: HTTP %d %s", where, name, got.status, got.raw)
			}
		}
	}
	r := w.request(t, http.MethodGet, list, nil)
	r.SetBasicAuth("key", key)
	if got := send(t, r, ""); got.status != http.StatusUnauthorized {
		t.Errorf("a password was let in: HTTP %d", got.status)
	}
}

func TestARevokedKeyStopsAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	made := w.do(t, "keys.create", map[string]any{"name": "short-lived", "scopes": []any{"context:read"}})
	key, list := made["secret"].(string), w.Registry.Operation("topics.list")
	if r := w.rest(t, key, list, w.owner.Slug, nil); r.status != http.StatusOK {
		t.Fatalf("HTTP %d %s", r.status, r.raw)
	}
	w.do(t, "keys.revoke", map[string]any{"key": made["id"]})
	w.rest(t, key, list, w.owner.Slug, nil).is(t, "REST", http.StatusUnauthorized, "UNAUTHENTICATED")
	if r := w.rpc(t, key, "tools/list", nil); r.status != http.StatusUnauthorized {
		t.Errorf("MCP: HTTP %d", r.status)
	}
}

// What a call may touch is decided by the key, not by what the person behind it may reach.
func TestSomebodyInTwoWorkspacesStaysInTheOneOfTheKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	elsewhere := pgtest.Workspace(t)
	key := w.key(t, elsewhere)
	get := w.Registry.Operation("topics.get")
	r := w.rest(t, key, get, elsewhere.Slug, map[string]any{"topic": "queue-limits"})
	r.is(t, "a topic of another workspace by its slug", http.StatusNotFound, "NOT_FOUND")
	if got, failed := w.tool(t, key, get, "", map[string]any{"topic": "queue-limits"}); !failed || got.message() != r.message() {
		t.Errorf("over MCP: %s", got.raw)
	}
}

func TestMachinesAreToldHowTheServerIs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for path, want := range map[string]string{
		"/healthz": `"alive"`, "/readyz": `"ready"`, "/version": `"test"`, "/metrics": "driftless_", "/api/v1/openapi.json": `"openapi"`,
		"/llms.txt": "Driftless", "/.well-known/oauth-authorization-server": `"issuer"`, "/.well-known/oauth-protected-resource/mcp": `"resource"`,
	} {
		r := send(t, w.request(t, http.MethodGet, path, nil), "")
		if r.status != http.StatusOK || !strings.Contains(string(r.raw), want) {
			t.Errorf("%s: HTTP %d %.200s", path, r.status, r.raw)
		}
		if r.header.Get("X-Content-Type-Options") != "nosniff" || r.header.Get("X-Request-Id") == "" {
			t.Errorf("%s: headers %v", path, r.header)
		}
	}
}

func TestTheMetricsAreNotHandedOnByAProxyThatNobodyNamed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	request := w.request(t, http.MethodGet, "/metrics", nil)
	request.Header.Set("X-Forwarded-For", "8.8.8.8")
	send(t, request, "").is(t, "the metrics through a proxy", http.StatusNotFound, "NOT_FOUND")
}

// everyByte escapes what need not be escaped, too.
func everyByte(format string) func(string) string {
	return func(text string) string {
		var b strings.Builder
		for i := range len(text) {
			fmt.Fprintf(&b, "%%"+format, text[i])
		}
		return b.String()
	}
}
