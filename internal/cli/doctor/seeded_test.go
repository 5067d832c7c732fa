package doctor_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/cli/doctor"
)

const (
	suffixed = "/.well-known/oauth-protected-resource/mcp"
	root     = "/.well-known/oauth-protected-resource"
)

func metadata(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/.well-known/") }

// without removes headers from answers.
func without(names ...string) func(*http.Request, *httptest.ResponseRecorder) {
	return func(_ *http.Request, w *httptest.ResponseRecorder) {
		for _, name := range names {
			w.Header().Del(name)
		}
	}
}

// instead answers what matches with a status, a header and a body.
func instead(matches func(*http.Request) bool, status int, header, body string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		if !matches(r) {
			return false
		}
		if name, value, given := strings.Cut(header, ": "); given {
			w.Header().Set(name, value)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
		return true
	}
}

func at(method string, paths ...string) func(*http.Request) bool {
	return func(r *http.Request) bool {
		return (method == "" || r.Method == method) && slices.Contains(paths, r.URL.Path)
	}
}

func everything(*http.Request) bool { return true }

// edited changes the members of a JSON document.
func edited(change func(map[string]any)) func(*http.Request, *httptest.ResponseRecorder) {
	return func(r *http.Request, w *httptest.ResponseRecorder) {
		var o map[string]any
		if !metadata(r) || json.Unmarshal(w.Body.Bytes(), &o) != nil {
			return
		}
		change(o)
		raw, _ := json.Marshal(o)
		w.Body.Reset()
		_, _ = w.Body.Write(raw)
	}
}

// Each case is one mistake in what stands before a real server, and all that the doctor has to say about it.
func TestEachMistakeIsNamedWithItsCure(t *testing.T) {
	t.Parallel()
	const page = "<!doctype html><title>Sign in</title>"
	for name, tc := range map[string]struct {
		proxy  proxy
		public string
		change func(*testing.T, *stage)
		want   []string
		says   string
	}{
		"the public address is another": {
			public: "https://other.example", want: []string{"broken public-url"}, says: "DRIFTLESS_PUBLIC_URL",
		},
		"the challenge is taken away": {
			proxy: proxy{response: without("WWW-Authenticate")}, want: []string{"broken challenge"}, says: "proxy_pass_header",
		},
		"the metadata is behind a login page": {
			proxy: proxy{answer: instead(metadata, http.StatusFound, "Location: /login", "")}, want: []string{"broken metadata-login"}, says: "/login",
		},
		"the metadata is behind a password": {
			proxy: proxy{answer: instead(metadata, http.StatusUnauthorized, "WWW-Authenticate: Basic", "")}, want: []string{"broken metadata-login"}, says: "auth_basic off",
		},
		"the resource is named without its path": {
			proxy: proxy{response: edited(func(o map[string]any) {
				if name, is := o["resource"].(string); is {
					o["resource"] = strings.TrimSuffix(name, "/mcp")
				}
			})}, want: []string{"broken resource"}, says: "token for the address",
		},
		"the resource is named with a slash": {
			proxy: proxy{response: edited(func(o map[string]any) {
				if name, is := o["resource"].(string); is {
					o["resource"] = name + "/"
				}
			})}, want: []string{"broken resource"}, says: "/mcp/",
		},
		"the answers have no CORS headers": {
			proxy: proxy{response: without("Access-Control-Allow-Origin", "Access-Control-Expose-Headers", "Access-Control-Allow-Headers")},
			want:  []string{"warning cors"}, says: "browser",
		},
		"OPTIONS is refused": {
			proxy: proxy{answer: instead(at(http.MethodOptions, "/mcp"), http.StatusUnauthorized, "", "")}, want: []string{"warning cors"}, says: "OPTIONS /mcp answered 401",
		},
		"the Authorization header is taken away": {
			proxy:  proxy{request: func(r *http.Request) { r.Header.Del("Authorization") }},
			change: func(_ *testing.T, s *stage) { s.opts.Credential = holding(s.key()) },
			want:   []string{"broken authorization"}, says: "proxy_set_header Authorization",
		},
		"an application answers every address": {
			proxy: proxy{answer: instead(metadata, http.StatusOK, "Content-Type: text/html", page)}, want: []string{"broken metadata-page"}, says: "fallback",
		},
		"the certificate is nobody's": {
			change: func(t *testing.T, s *stage) { *s = *behind(t, proxy{}, certificate(t, time.Now().Add(time.Hour))) },
			want:   []string{"broken certificate"}, says: "public authority",
		},
		"the certificate has expired": {
			change: func(t *testing.T, s *stage) {
				old := certificate(t, time.Now().Add(-time.Hour))
				*s = *behind(t, proxy{}, old)
				s.opts.Transport = trusting(old)
			},
			want: []string{"broken certificate"}, says: "renew",
		},
		"https is asked of plain http": {
			change: func(_ *testing.T, s *stage) { s.opts.Address = strings.Replace(s.url, "http:", "https:", 1) },
			want:   []string{"broken certificate"}, says: "http://",
		},
		"plain http on the internet": {
			public: "http://context.example.test",
			change: func(_ *testing.T, s *stage) {
				s.opts.Address, s.opts.Transport = "http://context.example.test/mcp", everywhere(s.web.Listener.Addr().String())
			},
			want: []string{"broken plain-http"}, says: "certificate",
		},
		"http is redirected to https": {
			proxy: proxy{answer: instead(everything, http.StatusMovedPermanently, "Location: https://context.example/mcp", "")},
			want:  []string{"broken redirect"}, says: "https://context.example/mcp",
		},
		"streams are compressed": {
			proxy: proxy{response: func(r *http.Request, w *httptest.ResponseRecorder) {
				if r.URL.Path == "/mcp" && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
					w.Header().Set("Content-Encoding", "gzip")
				}
			}},
			want: []string{"warning buffering"}, says: "gzip off",
		},
		"streams are buffered": {
			proxy:  proxy{response: without("X-Accel-Buffering")},
			change: func(_ *testing.T, s *stage) { s.opts.Credential = holding(s.key()) },
			want:   []string{"warning buffering"}, says: "proxy_buffering off",
		},
		"bodies are limited": {
			proxy: proxy{answer: func(w http.ResponseWriter, r *http.Request) bool {
				if r.ContentLength > 100_000 {
					w.WriteHeader(http.StatusRequestEntityTooLarge)
				}
				return r.ContentLength > 100_000
			}}, want: []string{"broken body-limit"}, says: "client_max_body_size",
		},
		"the proxy gives up early": {
			proxy:  proxy{answer: instead(func(r *http.Request) bool { return strings.Contains(r.Header.Get("Authorization"), "dl_") }, http.StatusGatewayTimeout, "", "")},
			change: func(_ *testing.T, s *stage) { s.opts.Credential = holding(s.key()) },
			want:   []string{"broken timeout"}, says: "proxy_read_timeout",
		},
		"the server does not run behind the proxy": {
			proxy: proxy{answer: instead(everything, http.StatusBadGateway, "", "")}, want: []string{"broken gateway"}, says: "proxy_pass",
		},
		"registration is blocked": {
			proxy: proxy{answer: instead(at("", "/oauth/register"), http.StatusForbidden, "Content-Type: text/html", page)}, want: []string{"broken registration"}, says: "POST to /oauth/register",
		},
		"the token endpoint answers with a page": {
			proxy: proxy{answer: instead(at("", "/oauth/token"), http.StatusOK, "Content-Type: text/html", page)}, want: []string{"broken token"}, says: "POST to /oauth/token",
		},
		"members of the metadata are null": {
			proxy: proxy{response: edited(func(o map[string]any) {
				if o["issuer"] != nil {
					o["jwks_uri"] = nil
				}
			})}, want: []string{"broken metadata-incomplete"}, says: "jwks_uri",
		},
		"the metadata lacks S256": {
			proxy: proxy{response: edited(func(o map[string]any) {
				if o["issuer"] != nil {
					o["code_challenge_methods_supported"] = []string{"plain"}
				}
			})}, want: []string{"broken metadata-incomplete"}, says: "S256",
		},
		"GET of the endpoint shows a page": {
			proxy: proxy{answer: instead(at(http.MethodGet, "/mcp"), http.StatusOK, "Content-Type: text/html", page)}, want: []string{"broken get"}, says: "401 or 405",
		},
		"GET of the endpoint is not found": {
			proxy: proxy{answer: instead(at(http.MethodGet, "/mcp"), http.StatusNotFound, "", "")}, want: []string{"broken get"}, says: "404",
		},
		"the Host header is rewritten": {
			proxy: proxy{request: func(r *http.Request) { r.Host = "backend.internal" }}, want: []string{"broken host"}, says: "proxy_set_header Host $host",
		},
		"a firewall refuses clients": {
			proxy: proxy{answer: instead(everything, http.StatusForbidden, "Content-Type: text/html", page)}, want: []string{"broken blocked"}, says: "firewall",
		},
		"the clocks are apart": {
			change: func(_ *testing.T, s *stage) {
				s.opts.Now = func() time.Time { return time.Now().Add(-10 * time.Minute) }
			},
			want: []string{"warning clock"}, says: "away from the one here",
		},
		"the client is forgotten": {
			change: func(_ *testing.T, s *stage) { s.opts.ClientID = "dcl_gone" }, want: []string{"broken client-id"}, says: "mcp-auth",
		},
		"the resource document is only at the root": {
			proxy: proxy{answer: instead(at("", suffixed), http.StatusNotFound, "", "")}, want: []string{"broken metadata-missing"}, says: suffixed,
		},
		"the resource document is only below the suffix": {
			proxy: proxy{answer: instead(at("", root), http.StatusNotFound, "", "")}, want: []string{"warning metadata-missing"}, says: root,
		},
		"the credential is revoked": {
			change: func(_ *testing.T, s *stage) { s.opts.Credential = holding("dl_nobody") }, want: []string{"broken credential"}, says: "driftless login",
		},
		"nobody listens": {
			change: func(_ *testing.T, s *stage) { s.web.Close() }, want: []string{"broken unreachable"}, says: "driftless serve",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			public := []string{}
			if tc.public != "" {
				public = append(public, tc.public)
			}
			s := behind(t, tc.proxy, nil, public...)
			if tc.change != nil {
				tc.change(t, s)
			}
			if diff := cmp.Diff(tc.want, ids(t, s.opts)); diff != "" {
				t.Error(diff)
			}
			report, err := doctor.Run(t.Context(), s.opts)
			if err != nil {
				t.Fatal(err)
			}
			if text := fmt.Sprintf("%+v", report.Results); !strings.Contains(text, tc.says) {
				t.Errorf("nothing says %q", tc.says)
			}
		})
	}
}
