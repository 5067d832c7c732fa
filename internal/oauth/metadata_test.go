package oauth_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/tenant"
)

func TestM1ChallengeNamesTheMetadataAndTheWorkingScopes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	metadata := w.base + "/.well-known/oauth-protected-resource/mcp"
	for want, got := range map[string]string{
		`Bearer resource_metadata="` + metadata + `", scope="` + working + `"`: w.server.Challenge("", nil, "ignored without an error"),
		`Bearer error="invalid_token", error_description="say 'no'  x", resource_metadata="` + metadata + `", scope="` + working + `"`: w.server.Challenge(
			"invalid_token", nil, "say \"no\"\r\nx"),
		`Bearer error="insufficient_scope", resource_metadata="` + metadata + `", scope="topics:create"`: w.server.Challenge(
			"insufficient_scope", []tenant.Scope{tenant.TopicsCreate}, ""),
	} {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}

func TestM2R3R4R32G10ResourceMetadataIsTheSameAtTheRootAndTheSuffix(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	want := map[string]any{
		"resource": w.base + "/mcp", "resource_name": "Driftless", "authorization_servers": []any{w.base},
		"scopes_supported":         []any{"context:read", "topics:create", "topics:write", "work:write", "context:diff"},
		"bearer_methods_supported": []any{"header"},
	}
	for _, path := range []string{"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"} {
		a := w.do(http.MethodGet, path, nil, "")
		if diff := cmp.Diff(want, a.json(t)); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
		for method, status := range map[string]int{http.MethodHead: 200, http.MethodOptions: 204, http.MethodPost: 405} {
			a := w.do(method, path, nil, "")
			if a.status != status || a.header.Get("Access-Control-Allow-Origin") != "*" {
				t.Errorf("%s %s: HTTP %d, CORS %q", method, path, a.status, a.header.Get("Access-Control-Allow-Origin"))
			}
		}
	}
}

func TestM3R12R46S6ServerMetadataIsCompleteAndWithoutNulls(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, path := range []string{"oauth-authorization-server", "oauth-authorization-server/mcp", "openid-configuration", "openid-configuration/mcp"} {
		a := w.do(http.MethodGet, "/.well-known/"+path, nil, "")
		m := a.json(t)
		if m["issuer"] != w.base || strings.Contains(a.body, "null") {
			t.Errorf("%s: %s", path, a.body)
		}
		for name, want := range map[string][]any{
			"response_types_supported": {"code"}, "response_modes_supported": {"query"}, "code_challenge_methods_supported": {"S256"},
			"grant_types_supported":                 {"authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"},
			"token_endpoint_auth_methods_supported": {"none", "client_secret_basic", "client_secret_post"},
		} {
			if got, _ := m[name].([]any); !slices.Equal(got, want) {
				t.Errorf("%s: %v", name, got)
			}
		}
		for _, name := range []string{"authorization", "token", "registration", "revocation", "introspection", "device_authorization"} {
			if u, _ := m[name+"_endpoint"].(string); !strings.HasPrefix(u, w.base+"/oauth/") {
				t.Errorf("%s_endpoint: %q", name, u)
			}
		}
		if m["authorization_response_iss_parameter_supported"] != true || m["client_id_metadata_document_supported"] != true ||
			!slices.Contains(m["scopes_supported"].([]any), any("offline_access")) {
			t.Errorf("%s: %s", path, a.body)
		}
	}
}

func TestM5RegistrationRefusesWhatIsNoMetadataWithAJSONError(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for body, status := range map[string]int{
		"": 400, "[]": 400, "null": 400, "{": 400, `{}`: 400, `{"redirect_uris":{"a":1}}`: 400,
		`{"redirect_uris":["` + callback + `"],"response_types":["token"]}`:                          400,
		`{"redirect_uris":["` + callback + `"],"token_endpoint_auth_method":"private_key_jwt"}`:      400,
		`{"redirect_uris":["` + callback + `"],"application_type":"toaster"}`:                        400,
		`{"redirect_uris":["` + callback + `"],"client_name":"` + strings.Repeat("x", 70_000) + `"}`: 413,
	} {
		a := w.do(http.MethodPost, "/oauth/register", nil, body)
		if code, _ := a.json(t)["error"].(string); a.status != status || code == "" {
			t.Errorf("%.60s: HTTP %d %s", body, a.status, a.body)
		}
	}
	odd := w.registration(map[string]any{
		"redirect_uris": []string{callback}, "client_name": "n\x00ul " + strings.Repeat("ü", 300), "client_uri": "javascript:x", "jwks": map[string]any{},
	})
	if name := odd["client_name"].(string); !strings.HasPrefix(name, "nul ü") || len([]rune(name)) != 120 || odd["client_uri"] != nil {
		t.Errorf("registered %v", odd)
	}
}

func TestR35S15BrowsersOfAnyOriginMayCallAllButAuthorize(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, path := range []string{"/oauth/token", "/oauth/register", "/oauth/revoke"} {
		for _, method := range []string{http.MethodOptions, http.MethodPost, http.MethodGet} {
			if a := w.do(method, path, http.Header{"Origin": {"https://app.example"}}, ""); a.header.Get("Access-Control-Allow-Origin") != "*" {
				t.Errorf("%s %s: no CORS", method, path)
			}
		}
	}
	for _, path := range []string{w.authorizePath(w.register(callback), callback), "/oauth/authorize"} {
		if a := w.do(http.MethodGet, path, http.Header{"Origin": {"https://app.example"}}, ""); a.header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("CORS on %s", path)
		}
	}
}

func TestRepeatedParametersAtAuthorizeAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.register(callback)
	path := w.authorizePath(client, callback)
	for _, twice := range []string{"&client_id=" + client, "&redirect_uri=x", "&state=y", "&%zz", "&x=" + strings.Repeat("y", 17_000)} {
		w.page(w.person.get(path + twice))
	}
	w.sentBack(w.person.get(path+"&scope=context:read"), callback, "invalid_request")
	w.sentBack(w.person.get(path+"&extra=%00"), callback, "invalid_request")
	w.page(w.person.get(w.authorizePath(client, callback, "state", "a\x00b")))
	w.page(w.person.get(w.authorizePath("dcl_\x00", callback)))
}
