package account

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/account/signon"
)

func TestAnAttemptIsReadByTheBrowserThatBeganItAlone(t *testing.T) {
	t.Parallel()
	a := attempt{Attempt: signon.NewAttempt(), ReturnTo: "/x", Invitation: "hush"}
	browser := browserSecret("")
	sealed, err := a.seal(browser)
	if err != nil {
		t.Fatal(err)
	}
	got, err := openAttempt(sealed, browser, a.State)
	if diff := cmp.Diff(a, got); err != nil || diff != "" {
		t.Errorf("opened: %v (-want +got):\n%s", err, diff)
	}
	other := browserSecret("not one of ours")
	if other == browser {
		t.Fatalf("another browser has %q too", other)
	}
	for name, open := range map[string]func() (attempt, error){
		"another browser": func() (attempt, error) { return openAttempt(sealed, other, a.State) },
		"another state":   func() (attempt, error) { return openAttempt(sealed, browser, "x") },
		"a part of it":    func() (attempt, error) { return openAttempt(sealed[:8], browser, a.State) },
		"nothing":         func() (attempt, error) { return openAttempt(nil, browser, a.State) },
	} {
		if got, err := open(); err == nil {
			t.Errorf("%s opened %+v", name, got)
		}
	}
	if again := browserSecret(browser); again != browser {
		t.Errorf("a browser that has a secret got %q", again)
	}
}

func FuzzReturnPath(f *testing.F) {
	for _, seed := range []string{
		"/", "/w/x?a=b#c", "//evil.example", `/\evil.example`, "/\t/evil.example", "https://evil.example", "javascript:alert(1)",
		"/%2f/evil.example", "/..//evil.example", "/signon/x/start", "/x/../signon/x/start", "/%73ignon/x/start", "/é", "", "/\x00",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := returnPath(text)
		if got != "/" && got != text {
			t.Fatalf("%q became %q", text, got)
		}
		to, err := url.Parse(got)
		if err != nil {
			t.Fatalf("%q: %v", got, err)
		}
		here := &url.URL{Scheme: "https", Host: "context.example"}
		at := here.ResolveReference(to)
		if at.Scheme != here.Scheme || at.Host != here.Host || strings.HasPrefix(got, "//") || strings.ContainsAny(got, "\\\r\n\t") {
			t.Fatalf("%q leads to %s", got, at)
		}
		if strings.HasPrefix(at.Path, "/signon/") {
			t.Fatalf("%q begins another sign-on", got)
		}
	})
}
