package signon_test

import (
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/account/signon"
	"driftless/internal/account/signon/signontest"
	"driftless/internal/config"
)

const here = "http://127.0.0.1:8080"

var ada = signontest.User{Subject: 7, Name: "Ada", Email: "ada@example.test", Verified: true}

func provider(c config.Provider) *signon.Provider {
	return signon.New([]config.Provider{c}, here, nil)[0]
}

// answer is what the browser brings back after it was sent to the provider.
func answer(t *testing.T, p *signon.Provider, a signon.Attempt) url.Values {
	t.Helper()
	to, err := p.AuthorizationURL(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, to, nil)
	if err != nil {
		t.Fatal(err)
	}
	back, err := browser.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = back.Body.Close() }()
	at, err := back.Location()
	if err != nil {
		t.Fatalf("the provider answered HTTP %d to %s", back.StatusCode, to)
	}
	if want := here + "/signon/" + p.ID + "/callback"; !strings.HasPrefix(at.String(), want+"?") {
		t.Fatalf("the browser is sent to %s, want %s", at, want)
	}
	return at.Query()
}

func TestAProviderSaysWhoSomebodyIs(t *testing.T) {
	t.Parallel()
	for name, m := range map[string]signontest.Manners{
		"plainly":                         {},
		"with the secret in the body":     {PostAuth: true},
		"with the address at userinfo":    {HidesEmail: true},
		"with a boolean written as text":  {Claims: func(c map[string]any) { c["email_verified"] = "true" }},
		"with several audiences":          {Claims: func(c map[string]any) { c["aud"], c["azp"] = []string{"x", "driftless"}, "driftless" }},
		"with claims that nobody expects": {Claims: func(c map[string]any) { c["groups"] = []int{1} }},
	} {
		s := signontest.Start(t)
		s.SignsIn(ada)
		s.Behave(m)
		p, a := provider(s.OpenID("work")), signon.NewAttempt()
		got, err := p.Claims(t.Context(), a, answer(t, p, a))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := signon.Claims{Issuer: s.URL, Subject: "7", Name: "Ada", Email: "ada@example.test", EmailVerified: true}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestAServerLikeGitHubGivesThePrimaryVerifiedAddressAlone(t *testing.T) {
	t.Parallel()
	s := signontest.Start(t)
	p := provider(s.GitHub("forge"))
	for name, try := range map[string]struct {
		emails []signontest.Email
		want   string
	}{
		"primary and verified": {[]signontest.Email{{Email: "other@example.test", Primary: false, Verified: true}, {Email: "ada@work.test", Primary: true, Verified: true}}, "ada@work.test"},
		"primary, unverified":  {[]signontest.Email{{Email: "other@example.test", Primary: false, Verified: true}, {Email: "ada@work.test", Primary: true, Verified: false}}, ""},
		"none is primary":      {[]signontest.Email{{Email: "other@example.test", Primary: false, Verified: true}}, ""},
		"none at all":          {[]signontest.Email{}, ""},
	} {
		user := ada
		user.Emails = try.emails
		s.SignsIn(user)
		a := signon.NewAttempt()
		got, err := p.Claims(t.Context(), a, answer(t, p, a))
		want := signon.Claims{Issuer: s.URL + "/login/oauth", Subject: "7", Name: "Ada", Email: try.want, EmailVerified: try.want != ""}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

func TestAnIDTokenThatIsNotTheAnswerIsRefused(t *testing.T) {
	t.Parallel()
	set := func(name string, value any) func(map[string]any) {
		return func(c map[string]any) { c[name] = value }
	}
	for name, try := range map[string]struct {
		manners signontest.Manners
		words   string
	}{
		"of another issuer":        {signontest.Manners{Claims: set("iss", "https://other.example")}, "different provider"},
		"for another client":       {signontest.Manners{Claims: set("aud", "other")}, "audience"},
		"made for another client":  {signontest.Manners{Claims: set("azp", "other")}, "another client"},
		"for several, for nobody":  {signontest.Manners{Claims: set("aud", []string{"driftless", "other"})}, "another client"},
		"that is over":             {signontest.Manners{Claims: set("exp", 1)}, "expired"},
		"without a nonce":          {signontest.Manners{Claims: set("nonce", "")}, "another attempt"},
		"of another attempt":       {signontest.Manners{Claims: set("nonce", "x")}, "another attempt"},
		"without a subject":        {signontest.Manners{Claims: set("sub", "")}, "subject"},
		"with an endless subject":  {signontest.Manners{Claims: set("sub", strings.Repeat("x", 256))}, "subject"},
		"about somebody else":      {signontest.Manners{HidesEmail: true, Userinfo: set("sub", "8")}, "somebody else"},
		"from another issuer":      {signontest.Manners{Issuer: "https://other.example"}, "issuer"},
		"from an issuer unnamed":   {signontest.Manners{PromisesIssuer: true}, "issuer"},
		"that is a refusal":        {signontest.Manners{Refuses: "access_denied"}, "access_denied"},
		"longer than what is read": {signontest.Manners{HidesEmail: true, Userinfo: set("padding", strings.Repeat("x", 1<<20))}, "too large"},
	} {
		s := signontest.Start(t)
		s.SignsIn(ada)
		s.Behave(try.manners)
		p, a := provider(s.OpenID("work")), signon.NewAttempt()
		got, err := p.Claims(t.Context(), a, answer(t, p, a))
		if err == nil || !strings.Contains(err.Error(), try.words) {
			t.Errorf("an answer %s: %+v, %v; want an error with %q", name, got, err, try.words)
		}
	}
}

func TestAnIDTokenThatTheIssuerDidNotSignIsRefused(t *testing.T) {
	t.Parallel()
	s, other := signontest.Start(t), signontest.Start(t)
	s.SignsIn(ada)
	for name, keys := range map[string]http.HandlerFunc{
		// Keys with the same number that did not sign, and those elsewhere, where nothing is fetched from.
		"with other keys": func(w http.ResponseWriter, r *http.Request) {
			httputil.NewSingleHostReverseProxy(parsed(t, other.URL)).ServeHTTP(w, r)
		},
		"with keys elsewhere": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL+"/keys", http.StatusFound) },
	} {
		before := other.Asked()
		s.Behave(signontest.Manners{Intercept: func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path == "/keys" {
				keys(w, r)
			}
			return r.URL.Path == "/keys"
		}})
		p, a := provider(s.OpenID("work")), signon.NewAttempt()
		if got, err := p.Claims(t.Context(), a, answer(t, p, a)); err == nil || !strings.Contains(err.Error(), "signature") {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if n := other.Asked() - before; name == "with keys elsewhere" && n != 0 {
			t.Errorf("a redirect was followed %d times", n)
		}
	}
}

func parsed(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestANewKeyOfTheIssuerIsFetched(t *testing.T) {
	t.Parallel()
	s := signontest.Start(t)
	s.SignsIn(ada)
	p := provider(s.OpenID("work"))
	for range 3 {
		a := signon.NewAttempt()
		if _, err := p.Claims(t.Context(), a, answer(t, p, a)); err != nil {
			t.Fatal(err)
		}
		s.RotateKey()
	}
}

// A code is worth nothing without the verifier of the attempt that it was made for, and where a server forgets to look, the
// nonce says the same.
func TestACodeOfAnotherAttemptIsRefused(t *testing.T) {
	t.Parallel()
	for _, ignores := range []bool{false, true} {
		s := signontest.Start(t)
		s.SignsIn(ada)
		s.Behave(signontest.Manners{IgnoresPKCE: ignores})
		p := provider(s.OpenID("work"))
		one, other := signon.NewAttempt(), signon.NewAttempt()
		if got, err := p.Claims(t.Context(), one, answer(t, p, other)); err == nil {
			t.Errorf("PKCE ignored %v: a swapped code gave %+v", ignores, got)
		}
	}
	s := signontest.Start(t)
	p := provider(s.GitHub("forge"))
	one, other := signon.NewAttempt(), signon.NewAttempt()
	if got, err := p.Claims(t.Context(), one, answer(t, p, other)); err == nil {
		t.Errorf("a swapped code gave %+v", got)
	}
}

func TestAnIssuerThatIsDownIsAskedAgainAndOnceByAll(t *testing.T) {
	t.Parallel()
	s := signontest.Start(t)
	s.Behave(signontest.Manners{Down: true})
	p, a := provider(s.OpenID("work")), signon.NewAttempt()
	if n := s.Asked(); n != 0 {
		t.Errorf("%d requests before anybody wants to sign in", n)
	}
	if to, err := p.AuthorizationURL(t.Context(), a); err == nil {
		t.Fatalf("an issuer that is down is at %s", to)
	}
	s.Behave(signontest.Manners{})
	before := s.Asked()
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, err := p.AuthorizationURL(t.Context(), a); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := s.Asked() - before; n != 1 {
		t.Errorf("twenty at the same moment asked %d times", n)
	}
	before = s.Asked()
	if _, err := p.AuthorizationURL(t.Context(), a); err != nil || s.Asked() != before {
		t.Errorf("an issuer that is known was asked again (%v)", err)
	}
}

func TestAnIssuerHasToCallItselfWhatItIsConfiguredAs(t *testing.T) {
	t.Parallel()
	s := signontest.Start(t)
	c := s.OpenID("work")
	c.Issuer += "/"
	if to, err := provider(c).AuthorizationURL(t.Context(), signon.NewAttempt()); err == nil {
		t.Errorf("an issuer that calls itself something else is at %s", to)
	}
}

func TestNothingIsSentWithoutTLSToAnotherMachine(t *testing.T) {
	t.Parallel()
	s := signontest.Start(t)
	s.SignsIn(ada)
	s.Behave(signontest.Manners{Intercept: func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/.well-known/openid-configuration" {
			return false
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"issuer": %q, "authorization_endpoint": %q, "token_endpoint": "http://plain.example/token", "jwks_uri": %q}`,
			s.URL, s.URL+"/authorize", s.URL+"/keys")
		return true
	}})
	p, a := provider(s.OpenID("work")), signon.NewAttempt()
	_, err := p.Claims(t.Context(), a, answer(t, p, a))
	if err == nil || !strings.Contains(err.Error(), "not reached over https") {
		t.Errorf("a token endpoint without TLS answered %v", err)
	}
}

func TestTheRuleOnDomainsLooksAtVerifiedAddresses(t *testing.T) {
	t.Parallel()
	p := provider(config.Provider{ID: "work", Domains: []string{"Example.com", "example.org"}})
	for name, try := range map[string]struct {
		claims signon.Claims
		want   bool
	}{
		"of a domain":              {signon.Claims{Email: "ada@EXAMPLE.com", EmailVerified: true}, true},
		"of the other":             {signon.Claims{Email: "ada@example.org", EmailVerified: true}, true},
		"not verified":             {signon.Claims{Email: "ada@example.com"}, false},
		"of a domain below":        {signon.Claims{Email: "ada@x.example.com", EmailVerified: true}, false},
		"of one that ends like it": {signon.Claims{Email: "ada@badexample.com", EmailVerified: true}, false},
		"with two at signs":        {signon.Claims{Email: "ada@evil.test@example.com", EmailVerified: true}, false},
		"no address":               {signon.Claims{EmailVerified: true}, false},
	} {
		if got := p.Admits(try.claims); got != try.want {
			t.Errorf("an address %s is admitted: %v", name, got)
		}
	}
	if !provider(config.Provider{ID: "any"}).Admits(signon.Claims{}) {
		t.Error("without a rule somebody is not admitted")
	}
}
