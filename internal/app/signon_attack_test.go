package app_test

import (
	"crypto/sha256"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"driftless/internal/account/signon/signontest"
	"driftless/internal/config"
	"driftless/internal/pg"
)

// replaced is a callback address with one parameter changed.
func replaced(t *testing.T, callback, name, value string) string {
	t.Helper()
	u := parse(t, callback)
	q := u.Query()
	q.Set(name, value)
	u.RawQuery = q.Encode()
	return u.String()
}

func TestAnAttemptBelongsToItsBrowserAndProviderAndWorksOnce(t *testing.T) {
	t.Parallel()
	w, work, _ := signOnWorld(t)
	work.SignsIn(w.user("ada"))
	w.browser(t).visit(t, "/signon/office/start?invitation="+w.invitation(t, map[string]any{}))
	b := w.browser(t)
	callback := b.callback(t, "/signon/office/start")
	other := w.browser(t)
	other.callback(t, "/signon/office/start")
	for name, try := range map[string]struct {
		in *browser
		at string
	}{
		"another browser without an attempt": {w.browser(t), callback},
		"another browser with its own":       {other, callback},
		"the address of another provider":    {b, strings.Replace(callback, "/signon/office/", "/signon/forge/", 1)},
		"a state that was made up":           {b, replaced(t, callback, "state", "x")},
		"no state":                           {b, replaced(t, callback, "state", "")},
	} {
		if page := try.in.visit(t, try.at); problem(t, page) != "expired" || try.in.person(t) != "" {
			t.Errorf("%s: led to %s, as %q", name, page, try.in.person(t))
		}
	}
	// None of that used the attempt up.
	if page := b.visit(t, callback); page != "/" || b.person(t) == "" {
		t.Fatalf("the browser that began came to %s", page)
	}
	b.jar.SetCookies(parse(t, w.url), []*http.Cookie{{Name: "driftless_session", MaxAge: -1}})
	if page := b.visit(t, callback); problem(t, page) != "expired" || b.person(t) != "" {
		t.Errorf("the second time led to %s, as %q", page, b.person(t))
	}
	late := b.callback(t, "/signon/office/start")
	sum := sha256.Sum256([]byte(parse(t, late).Query().Get("state")))
	w.system(t, `update signon_attempt set expires_at = now() where state_hash = ?`, sum[:])
	if page := b.visit(t, late); problem(t, page) != "expired" {
		t.Errorf("after ten minutes it led to %s", page)
	}
}

// Login forced on somebody: the attacker's own answer, opened in the browser of a victim who is at the same page.
func TestNobodyIsSignedInAsSomebodyElseByALink(t *testing.T) {
	t.Parallel()
	for _, ignoresPKCE := range []bool{false, true} {
		w, work, _ := signOnWorld(t)
		work.Behave(signontest.Manners{IgnoresPKCE: ignoresPKCE})
		victim, attacker := w.user("victim"), w.user("attacker")
		for _, u := range []signontest.User{victim, attacker} {
			work.SignsIn(u)
			w.browser(t).visit(t, "/signon/office/start?invitation="+w.invitation(t, map[string]any{}))
		}
		stolen := w.browser(t).callback(t, "/signon/office/start") // signed in as the attacker, who keeps the answer
		work.SignsIn(victim)
		b := w.browser(t)
		own := b.callback(t, "/signon/office/start")
		if page := b.visit(t, stolen); problem(t, page) != "expired" || b.person(t) != "" {
			t.Errorf("the answer of the attacker led to %s, as %q", page, b.person(t))
		}
		// And with the code of the attacker put into the victim's own answer.
		swapped := replaced(t, own, "code", parse(t, stolen).Query().Get("code"))
		if page := b.visit(t, swapped); problem(t, page) != "provider_failed" || b.person(t) != "" {
			t.Errorf("PKCE ignored %v: the code of the attacker led to %s, as %q", ignoresPKCE, page, b.person(t))
		}
	}
}

// Two providers, one of them evil: an answer of the one is never taken for an answer of the other (RFC 9207).
func TestAnAnswerOfAnotherIssuerIsRefused(t *testing.T) {
	t.Parallel()
	w, work, forge := signOnWorld(t)
	work.SignsIn(w.user("ada"))
	invitation := w.invitation(t, map[string]any{})
	b := w.browser(t)
	for name, iss := range map[string]string{"of another provider": forge.URL + "/login/oauth", "of nobody": "", "with a slash more": work.URL + "/"} {
		callback := replaced(t, b.callback(t, "/signon/office/start?invitation="+invitation), "iss", iss)
		if page := b.visit(t, callback); problem(t, page) != "provider_failed" || b.person(t) != "" {
			t.Errorf("an answer %s led to %s, as %q", name, page, b.person(t))
		}
	}
	// An evil provider sends the browser on to the good one, whose answer then arrives where the evil one's should.
	evil := b.step(t, "/signon/forge/start")
	good := replaced(t, replaced(t, b.step(t, "/signon/office/start"), "state", parse(t, evil).Query().Get("state")), "redirect_uri", w.url+"/signon/office/callback")
	if page := b.visit(t, good); problem(t, page) != "expired" || b.person(t) != "" {
		t.Errorf("the answer of the good provider to the state of the evil one led to %s, as %q", page, b.person(t))
	}
	work.Behave(signontest.Manners{Issuer: work.URL})
	if page := b.visit(t, "/signon/office/start?invitation="+invitation); page != "/" || b.person(t) == "" {
		t.Errorf("an answer that names its issuer led to %s", page)
	}
}

func TestASessionFromBeforeASignOnIsWorthNothing(t *testing.T) {
	t.Parallel()
	w, work, _ := signOnWorld(t)
	user := w.user("ada")
	work.SignsIn(user)
	b := w.withPassword(t, "before-"+user.Email)
	planted, before := b.cookie(t, "driftless_session"), b.person(t)
	b.visit(t, "/signon/office/start?invitation="+w.invitation(t, map[string]any{}))
	if after := b.person(t); after == before || after == "" || b.cookie(t, "driftless_session") == planted {
		t.Errorf("the sign-on kept the session: person %q", after)
	}
	thief := w.browser(t)
	thief.jar.SetCookies(parse(t, w.url), []*http.Cookie{{Name: "driftless_session", Value: planted}})
	if who := thief.person(t); who != "" {
		t.Errorf("the session from before is signed in as %q", who)
	}
}

func TestLinkingNeedsTheSessionItsTokenAndARecentSignIn(t *testing.T) {
	t.Parallel()
	w, work, _ := signOnWorld(t)
	user := w.user("ada")
	work.SignsIn(user)
	b := w.withPassword(t, "linker-"+user.Email)
	in := map[string]any{"provider": "office"}
	w.browser(t).send(t, http.MethodPost, "/api/v1/identities", in).is(t, "nobody", http.StatusUnauthorized, "UNAUTHENTICATED")
	send(t, w.request(t, http.MethodPost, "/api/v1/identities", encode(t, in)), w.key(t, w.owner)).is(t, "a key", http.StatusUnauthorized, "UNAUTHENTICATED")
	token := b.csrf
	b.csrf = "made-up"
	b.send(t, http.MethodPost, "/api/v1/identities", in).is(t, "without the token", http.StatusForbidden, "CSRF_TOKEN_INVALID")
	b.csrf = token
	b.send(t, http.MethodPost, "/api/v1/identities", map[string]any{"provider": "x"}).is(t, "an unknown provider", http.StatusNotFound, "NOT_FOUND")
	work.Behave(signontest.Manners{Down: true})
	b.send(t, http.MethodPost, "/api/v1/identities", in).is(t, "a provider that is down", http.StatusServiceUnavailable, "PROVIDER_FAILED")
	work.Behave(signontest.Manners{})
	w.age(t, b.person(t), 16*time.Minute)
	b.send(t, http.MethodPost, "/api/v1/identities", in).is(t, "an old session", http.StatusUnauthorized, "SESSION_TOO_OLD")
	if n := w.count(t, `select count(*) from person_identity where person_id = ?`, b.person(t)); n != 0 {
		t.Errorf("%d identities are linked", n)
	}
}

func TestALinkIsFinishedByThePersonWhoBeganIt(t *testing.T) {
	t.Parallel()
	w, work, _ := signOnWorld(t)
	user := w.user("ada")
	work.SignsIn(user)
	b := w.withPassword(t, "one-"+user.Email)
	one := b.person(t)
	to, _ := b.send(t, http.MethodPost, "/api/v1/identities", map[string]any{"provider": "office", "return_to": "/x?y=1"}).json["redirect_to"].(string)
	callback := b.step(t, to)
	// Somebody else signs in in the same browser meanwhile, or nobody is signed in any more.
	for _, cookie := range []string{w.withPassword(t, "two-"+user.Email).cookie(t, "driftless_session"), "x"} {
		b.jar.SetCookies(parse(t, w.url), []*http.Cookie{{Name: "driftless_session", Value: cookie, Path: "/"}})
		if page := b.visit(t, callback); problem(t, page) != "expired" {
			t.Errorf("a link that another person began led to %s", page)
		}
	}
	if n := w.count(t, `select count(*) from person_identity where issuer = ?`, work.URL); n != 0 {
		t.Errorf("%d identities are linked, to %s or another", n, one)
	}
}

func TestAnIdentityIsOnePersons(t *testing.T) {
	t.Parallel()
	w, work, _ := signOnWorld(t)
	user := w.user("ada")
	work.SignsIn(user)
	first, second := w.withPassword(t, "first-"+user.Email), w.withPassword(t, "second-"+user.Email)
	link := func(b *browser) string {
		to, _ := b.send(t, http.MethodPost, "/api/v1/identities", map[string]any{"provider": "office", "return_to": "/x?y=1"}).json["redirect_to"].(string)
		return b.visit(t, to)
	}
	for name, want := range map[*browser]string{first: "/x?y=1"} {
		// Again changes nothing.
		for range 2 {
			if page := link(name); page != want {
				t.Errorf("linking led to %s, want %s", page, want)
			}
		}
	}
	if page := link(second); problem(t, page) != "linked_elsewhere" || parse(t, page).Query().Get("y") != "1" {
		t.Errorf("linking what is linked to somebody else led to %s", page)
	}
	b := w.browser(t)
	b.visit(t, "/signon/office/start")
	if b.person(t) != first.person(t) {
		t.Errorf("the identity signs in %q, want the first", b.person(t))
	}
	mine := first.send(t, http.MethodGet, "/api/v1/identities", nil).json["results"].([]any)[0].(map[string]any)["id"].(string)
	second.send(t, http.MethodDelete, "/api/v1/identities/"+mine, nil).is(t, "unlinking somebody else's", http.StatusNotFound, "NOT_FOUND")
}

func TestASignOnReturnsToThisServerAlone(t *testing.T) {
	t.Parallel()
	w, work, _ := signOnWorld(t, func(c *config.Config) { c.SignOn[0].Create = true })
	work.SignsIn(w.user("ada"))
	for _, to := range []string{
		"https://evil.example", "//evil.example", `/\evil.example`, "/\t/evil.example", "javascript:alert(1)", "evil", "/signon/office/start", "/x/../signon/office/start",
	} {
		b := w.browser(t)
		if page := b.visit(t, "/signon/office/start?return_to="+url.QueryEscape(to)); page != "/" {
			t.Errorf("returning to %q led to %s", to, page)
		}
	}
	if page := w.browser(t).visit(t, "/signon/office/start?return_to="+url.QueryEscape("/w/x?a=b%20c#d")); page != "/w/x?a=b%20c#d" {
		t.Errorf("returning to a page led to %s", page)
	}
}

func TestTheDatabaseCannotFinishAnAttempt(t *testing.T) {
	t.Parallel()
	w, _, _ := signOnWorld(t)
	b := w.browser(t)
	secret := w.invitation(t, map[string]any{})
	to := parse(t, b.step(t, "/signon/office/start?return_to=%2Finvite%2F"+secret+"&invitation="+secret))
	state := to.Query().Get("state")
	var row struct {
		Written string
		Sealed  []byte
	}
	err := w.Database.System(t.Context(), uuid.Nil, func(tx *pg.Tx) error {
		sum := sha256.Sum256([]byte(state))
		return tx.Store().Raw(`select row_to_json(a)::text as written, sealed from signon_attempt a where state_hash = ?`, sum[:]).Scan(&row).Error
	})
	if err != nil || row.Written == "" || len(row.Sealed) == 0 {
		t.Fatalf("the attempt is %+v, %v", row, err)
	}
	kept := row.Written + string(row.Sealed)
	for name, text := range map[string]string{"state": state, "nonce": to.Query().Get("nonce"), "invitation": secret, "cookie": b.cookie(t, "driftless_signon")} {
		if text == "" || strings.Contains(kept, text) {
			t.Errorf("the %s %q is in the database: %q", name, text, kept)
		}
	}
}

func TestTheCookieOfAnAttemptIsBoundToTheHost(t *testing.T) {
	t.Parallel()
	w, _, _ := signOnWorld(t, func(c *config.Config) { c.PublicURL = "https://context.example" })
	r := send(t, w.request(t, http.MethodGet, "/signon/forge/start", nil), "")
	set := r.header.Get("Set-Cookie")
	for _, part := range []string{"__Host-driftless_signon=", "Path=/", "Max-Age=600", "HttpOnly", "Secure", "SameSite=Lax"} {
		if !strings.Contains(set, part) {
			t.Errorf("%s is not in %q", part, set)
		}
	}
	to := parse(t, r.header.Get("Location"))
	if strings.Contains(set, "Domain") || to.Query().Get("redirect_uri") != "https://context.example/signon/forge/callback" || r.header.Get("Cache-Control") != "no-store" {
		t.Errorf("the cookie is %q, the browser goes to %s", set, to)
	}
}

func TestSignOnsThatAreBegunAreLimited(t *testing.T) {
	t.Parallel()
	w, _, _ := signOnWorld(t, func(c *config.Config) { c.Registrations = 1 })
	b := w.browser(t)
	b.step(t, "/signon/office/start")
	b.send(t, http.MethodGet, "/signon/office/start", nil).is(t, "the second", http.StatusTooManyRequests, "RATE_LIMITED")
}
