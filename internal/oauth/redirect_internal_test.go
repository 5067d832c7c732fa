package oauth

import (
	"net/url"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestRedirectAddressesThatMayBeRegistered(t *testing.T) {
	t.Parallel()
	for raw, good := range map[string]bool{
		"https://claude.ai/api/mcp/auth_callback":        true,
		"https://chatgpt.com/connector/oauth/a-b_c":      true,
		"https://app.example:8443/cb?x=1&y=%20":          true,
		"http://127.0.0.1/":                              true,
		"http://[::1]:80/cb":                             true,
		"http://LOCALHOST:1/cb":                          true,
		"cursor://anysphere.cursor-mcp/oauth/callback":   true,
		"com.example.app:/oauth2redirect":                true,
		"vscode://vscode.github-authentication/did-auth": true,
		"":                                       false,
		"/cb":                                    false,
		"//app.example/cb":                       false,
		"https:///cb":                            false,
		"https://":                               false,
		"http://app.example/cb":                  false,
		"http://127.0.0.1.evil.test/":            false,
		"http://127.0.0.1@evil.test/":            false,
		"http://localhost.evil.test/":            false,
		"https://app.example/cb#":                false,
		"https://app.example/cb#x":               false,
		"https://user:pw@app.example/cb":         false,
		"https://app.example\\@evil.test/":       false,
		"https://app.example/ü":                  false,
		"https://app.example/c b":                false,
		"https://app.example/cb\r\nSet-Cookie:x": false,
		"JAVASCRIPT:alert(1)":                    false,
		"java\nscript:alert(1)":                  false,
		"\x01javascript:alert(1)":                false,
		"data:text/html,x":                       false,
		"file:///etc/passwd":                     false,
		"vbscript:x":                             false,
		"view-source:https://x":                  false,
		"wss://app.example/":                     false,
		"https://app.example/" + strings.Repeat("x", 2048): false,
	} {
		if err := checkRedirect(raw); (err == nil) != good {
			t.Errorf("%q: %v", raw, err)
		}
	}
}

func TestM8RedirectAddressesThatMatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		registered, requested string
		public, confidential  bool
	}{
		{"https://app.example/cb", "https://app.example/cb", true, true},
		{"https://app.example/cb", "https://app.example:443/cb", false, false},
		{"https://app.example/cb", "https://app.example/cb/", false, false},
		{"https://app.example/cb", "https://APP.example/cb", false, false},
		{"https://127.0.0.1/cb", "https://127.0.0.1:1/cb", false, false},
		{"http://127.0.0.1/cb", "http://127.0.0.1:54321/cb", true, true},
		{"http://127.0.0.1:1/cb", "http://127.0.0.1/cb", true, true},
		{"http://[::1]/cb", "http://[::1]:1/cb", true, true},
		{"http://localhost:9/cb", "http://127.0.0.1:1/cb", true, false},
		{"http://localhost", "http://localhost:1/", true, true},
		{"http://127.0.0.1/cb?x=1", "http://127.0.0.1:1/cb?x=1", true, true},
		{"http://127.0.0.1/cb", "http://127.0.0.1:1/cb?x=1", false, false},
		{"http://127.0.0.1/cb", "http://127.0.0.1:1/cb?", false, false},
		{"http://127.0.0.1/cb", "http://127.0.0.1:1/CB", false, false},
		{"http://127.0.0.1/a%2Fb", "http://127.0.0.1:1/a/b", false, false},
		{"http://127.0.0.1/cb", "http://127.0.0.2:1/cb", false, false},
		{"http://127.0.0.1/cb", "http://127.0.0.1:1@evil.test/cb", false, false},
		{"myapp://cb", "myapp://cb:1", false, false},
		{"http://127.0.0.1/cb", "", false, false},
	} {
		for public, want := range map[bool]bool{true: c.public, false: c.confidential} {
			if got := matchRedirect([]string{"https://first.example/", c.registered}, c.requested, public); got != want {
				t.Errorf("%s for a client with %s (public: %v): %v", c.requested, c.registered, public, got)
			}
		}
	}
}

func TestOnlyThePortOfALoopbackAddressIsFree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		host := rapid.SampledFrom([]string{"127.0.0.1", "[::1]", "localhost"})
		path := rapid.StringMatching(`/[a-z]{1,8}`)
		port := rapid.IntRange(1, 65535)
		one, other := path.Draw(t, "path"), path.Draw(t, "other path")
		registered := "http://" + host.Draw(t, "host") + one
		requested := "http://" + host.Draw(t, "other host") + ":" + strconv.Itoa(port.Draw(t, "port"))
		if !matchRedirect([]string{registered}, requested+one, true) {
			t.Errorf("%s does not match %s", requested+one, registered)
		}
		if one != other && matchRedirect([]string{registered}, requested+other, true) {
			t.Errorf("%s matches %s", requested+other, registered)
		}
	})
}

func FuzzMatchedAddressesLeadToARegisteredPlace(f *testing.F) {
	for _, seed := range []string{
		"https://app.example/cb", "http://127.0.0.1:1/cb", "http://127.0.0.1:1@evil.test/cb", "https://app.example\\@evil.test/cb",
		"http://[::1]:1/cb", "http://localhost:1/cb?", "HTTP://LOCALHOST/cb", "app:cb",
	} {
		f.Add(seed)
	}
	registered := []string{"https://app.example/cb", "http://127.0.0.1/cb", "app:cb"}
	f.Fuzz(func(t *testing.T, requested string) {
		if !matchRedirect(registered, requested, true) {
			return
		}
		to, err := url.Parse(answerURL(requested, "https://issuer.example", nil, url.Values{"code": {"c"}}))
		if err != nil {
			t.Fatalf("a matched address is none: %q", requested)
		}
		switch {
		case to.Host == "app.example" && to.Scheme == "https", isLoopback(to.Hostname()), to.Scheme == "app":
		default:
			t.Errorf("%q leads to %s", requested, to)
		}
		if to.Query().Get("code") != "c" || to.Query().Get("iss") != "https://issuer.example" {
			t.Errorf("the answer is lost at %s", to)
		}
	})
}

func TestAnswerKeepsTheAddressAsItWasRegistered(t *testing.T) {
	t.Parallel()
	state := "a b&c"
	for redirect, want := range map[string]string{
		"https://a.test/cb":        "https://a.test/cb?code=c&iss=i&state=a+b%26c",
		"https://a.test/cb?":       "https://a.test/cb?code=c&iss=i&state=a+b%26c",
		"https://a.test/cb?x=%7e":  "https://a.test/cb?x=%7e&code=c&iss=i&state=a+b%26c",
		"https://a.test/cb?x=1&":   "https://a.test/cb?x=1&code=c&iss=i&state=a+b%26c",
		"com.example:/cb":          "com.example:/cb?code=c&iss=i&state=a+b%26c",
		"http://127.0.0.1:1/../cb": "http://127.0.0.1:1/../cb?code=c&iss=i&state=a+b%26c",
	} {
		if got := answerURL(redirect, "i", &state, url.Values{"code": {"c"}}); got != want {
			t.Errorf("%s: %s", redirect, got)
		}
	}
}
