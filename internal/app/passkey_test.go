package app_test

import (
	"crypto/sha256"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"driftless/internal/account"
	"driftless/internal/config"
	"driftless/internal/passkey/passkeytest"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// named is a world under a name, because browsers have no passkeys for an address of numbers.
func named(t *testing.T, change ...func(*config.Config)) *world {
	t.Helper()
	return newWorld(t, append(change, func(c *config.Config) { c.PublicURL = strings.Replace(c.PublicURL, "127.0.0.1", "localhost", 1) })...)
}

func (w *world) origin() string { return w.Config.PublicURL }

const ownPassword = "correct horse"

// joins is a console in which somebody new has just signed up, and their address.
func (w *world) joins(t *testing.T) (*console, string) {
	t.Helper()
	path, _ := w.do(t, "invitations.create", map[string]any{})["link"].(string)
	_, secret, _ := strings.Cut(path, "/invite/")
	c, email := &console{w: w}, strings.ToLower(uuid.NewString())+"@example.test"
	r := c.send(t, http.MethodPost, "/api/v1/invitations/"+secret+"/accept", map[string]any{"email": email, "password": ownPassword})
	if r.status != http.StatusOK {
		t.Fatalf("joining: HTTP %d %s", r.status, r.raw)
	}
	return c, email
}

// options begins a ceremony.
func (c *console) options(t *testing.T, path string) []byte {
	t.Helper()
	r := c.send(t, http.MethodPost, path, map[string]any{})
	if r.status != http.StatusOK {
		t.Fatalf("%s: HTTP %d %s", path, r.status, r.raw)
	}
	var out struct {
		Options json.RawMessage `json:"options"`
	}
	if err := json.Unmarshal(r.raw, &out); err != nil {
		t.Fatal(err)
	}
	return out.Options
}

func (c *console) register(t *testing.T, a *passkeytest.Authenticator, name string) reply {
	t.Helper()
	return c.send(t, http.MethodPost, "/api/v1/passkeys", map[string]any{"name": name, "credential": a.Create(t, c.options(t, "/api/v1/passkeys/begin"))})
}

// holds is somebody new with a passkey in an authenticator of their own.
func (w *world) holds(t *testing.T) (*console, *passkeytest.Authenticator, string) {
	t.Helper()
	c, email := w.joins(t)
	a := &passkeytest.Authenticator{Origin: w.origin()}
	r := c.register(t, a, "Laptop")
	if r.status != http.StatusCreated {
		t.Fatalf("registering: HTTP %d %s", r.status, r.raw)
	}
	return c, a, email
}

func (c *console) passkeySignIn(t *testing.T, a *passkeytest.Authenticator) reply {
	t.Helper()
	return c.send(t, http.MethodPost, "/api/v1/session/passkey", map[string]any{"credential": a.Get(t, c.options(t, "/api/v1/session/passkey/begin"))})
}

// age makes the session of a console look as old as it says.
func (c *console) age(t *testing.T, by time.Duration) {
	t.Helper()
	me := c.send(t, http.MethodGet, "/api/v1/session", nil).json["person"].(map[string]any)["id"].(string)
	c.w.age(t, me, by)
}

// value is the value of a cookie.
func (c *console) value(name string) string {
	for pair := range strings.SplitSeq(c.cookie, "; ") {
		if value, ok := strings.CutPrefix(pair, name+"="); ok {
			return value
		}
	}
	return ""
}

func TestAPersonSignsInWithAPasskeyAlone(t *testing.T) {
	t.Parallel()
	w := named(t)
	c, a, email := w.holds(t)
	browser := &console{w: w}
	r := browser.passkeySignIn(t, a)
	if r.status != http.StatusOK || r.json["person"].(map[string]any)["email"] != email || browser.csrf == "" {
		t.Fatalf("signing in: HTTP %d %s", r.status, r.raw)
	}
	if r := browser.send(t, http.MethodGet, "/api/v1/workspaces/"+w.owner.Slug+"/topics", nil); r.status != http.StatusOK {
		t.Errorf("reading: HTTP %d %s", r.status, r.raw)
	}
	// What an authenticator learns about a person is random.
	if h := string(a.Handles()[0]); len(h) != 64 || strings.Contains(h, email) {
		t.Errorf("the handle is %q", h)
	}
	row := c.send(t, http.MethodGet, "/api/v1/passkeys", nil).json["results"].([]any)[0].(map[string]any)
	if row["name"] != "Laptop" || row["last_used_at"] == nil || row["id"] == nil {
		t.Errorf("the list says %v", row)
	}
}

func TestOptionsAskForAVerifiedPersonAndNameTheConfiguredParty(t *testing.T) {
	t.Parallel()
	w := named(t)
	c, _, _ := w.holds(t)
	var creation, request struct {
		PublicKey map[string]any `json:"publicKey"`
	}
	if err := json.Unmarshal(c.options(t, "/api/v1/passkeys/begin"), &creation); err != nil {
		t.Fatal(err)
	}
	selection := creation.PublicKey["authenticatorSelection"].(map[string]any)
	if selection["userVerification"] != "required" || selection["residentKey"] != "required" || len(creation.PublicKey["excludeCredentials"].([]any)) != 1 {
		t.Errorf("a registration asks for %v", creation.PublicKey)
	}
	// The Host header decides nothing.
	r := w.request(t, http.MethodPost, "/api/v1/session/passkey/begin", []byte(`{}`))
	r.Host = "evil.example"
	var out struct {
		Options json.RawMessage `json:"options"`
	}
	if err := json.Unmarshal(send(t, r, "").raw, &out); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out.Options, &request); err != nil {
		t.Fatal(err)
	}
	if request.PublicKey["rpId"] != "localhost" || request.PublicKey["userVerification"] != "required" || request.PublicKey["allowCredentials"] != nil {
		t.Errorf("a sign-in asks for %v", request.PublicKey)
	}
}

func TestAnAnswerThatIsNotRightSignsNobodyIn(t *testing.T) {
	t.Parallel()
	w := named(t)
	for name, spoil := range map[string]func(t *testing.T, a, other *passkeytest.Authenticator){
		"another origin":             func(_ *testing.T, a, _ *passkeytest.Authenticator) { a.Origin = "http://localhost.evil.example" },
		"another port":               func(_ *testing.T, a, _ *passkeytest.Authenticator) { a.Origin = "http://localhost:1" },
		"another party":              func(_ *testing.T, a, _ *passkeytest.Authenticator) { a.RPID = "evil.example" },
		"nobody was verified":        func(_ *testing.T, a, _ *passkeytest.Authenticator) { a.Unverified = true },
		"another person's handle":    func(_ *testing.T, a, other *passkeytest.Authenticator) { a.Handle = other.Handles()[0] },
		"a handle that nobody has":   func(_ *testing.T, a, _ *passkeytest.Authenticator) { a.Handle = []byte("made up") },
		"a counter that stood still": func(_ *testing.T, a, _ *passkeytest.Authenticator) { a.Counter = 0 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, a, _ := w.holds(t)
			_, other, _ := w.holds(t)
			if r := (&console{w: w}).passkeySignIn(t, a); r.status != http.StatusOK {
				t.Fatalf("before: HTTP %d %s", r.status, r.raw)
			}
			spoil(t, a, other)
			browser := &console{w: w}
			browser.passkeySignIn(t, a).is(t, name, http.StatusUnauthorized, "UNAUTHENTICATED")
			browser.send(t, http.MethodGet, "/api/v1/session", nil).is(t, "the session after it", http.StatusUnauthorized, "UNAUTHENTICATED")
		})
	}
}

// A counter that goes back says that two authenticators have the key. Nobody can tell which one is the owner's.
func TestAPasskeyThatWasCopiedOpensNothingAnyMore(t *testing.T) {
	t.Parallel()
	w := named(t)
	c, a, _ := w.holds(t)
	copied := *a
	for range 3 {
		if r := (&console{w: w}).passkeySignIn(t, a); r.status != http.StatusOK {
			t.Fatalf("HTTP %d %s", r.status, r.raw)
		}
	}
	(&console{w: w}).passkeySignIn(t, &copied).is(t, "the copy", http.StatusUnauthorized, "UNAUTHENTICATED")
	(&console{w: w}).passkeySignIn(t, a).is(t, "then the owner's own", http.StatusUnauthorized, "UNAUTHENTICATED")
	row := c.send(t, http.MethodGet, "/api/v1/passkeys", nil).json["results"].([]any)[0].(map[string]any)
	if row["cloned_at"] == nil {
		t.Errorf("the list does not say so: %v", row)
	}
	if r := c.send(t, http.MethodDelete, "/api/v1/passkeys/"+row["id"].(string), nil); r.status != http.StatusNoContent {
		t.Errorf("removing it: HTTP %d %s", r.status, r.raw)
	}
}

func TestAnAnswerWorksOnceAndInTheBrowserThatBegan(t *testing.T) {
	t.Parallel()
	w := named(t)
	_, a, _ := w.holds(t)
	victim, thief := &console{w: w}, &console{w: w}
	credential := map[string]any{"credential": a.Get(t, victim.options(t, "/api/v1/session/passkey/begin"))}
	thief.options(t, "/api/v1/session/passkey/begin")
	thief.send(t, http.MethodPost, "/api/v1/session/passkey", credential).is(t, "in another browser", http.StatusUnauthorized, "UNAUTHENTICATED")
	(&console{w: w}).send(t, http.MethodPost, "/api/v1/session/passkey", credential).is(t, "without its cookie", http.StatusUnauthorized, "UNAUTHENTICATED")
	// Of the same answer sent several times at once, one is taken.
	var wg sync.WaitGroup
	answers := make(chan int, 8)
	for range cap(answers) {
		wg.Go(func() {
			answers <- (&console{w: w, cookie: victim.cookie}).send(t, http.MethodPost, "/api/v1/session/passkey", credential).status
		})
	}
	wg.Wait()
	close(answers)
	taken := 0
	for status := range answers {
		if status == http.StatusOK {
			taken++
		}
	}
	if taken != 1 {
		t.Errorf("one answer was taken %d times", taken)
	}
	// Another window of the same browser does not spoil the first.
	first := victim.options(t, "/api/v1/session/passkey/begin")
	victim.options(t, "/api/v1/session/passkey/begin")
	if r := victim.send(t, http.MethodPost, "/api/v1/session/passkey", map[string]any{"credential": a.Get(t, first)}); r.status != http.StatusOK {
		t.Errorf("the first of two windows: HTTP %d %s", r.status, r.raw)
	}
}

func TestAnAnswerThatCameTooLateIsNoAnswer(t *testing.T) {
	t.Parallel()
	w := named(t)
	_, a, _ := w.holds(t)
	c := &console{w: w}
	options := c.options(t, "/api/v1/session/passkey/begin")
	hash := sha256.Sum256([]byte(c.value("driftless_ceremony")))
	exec(t, w, `update passkey_ceremony set expires_at = now() - interval '1 second' where browser_hash = ?`, hash[:])
	c.send(t, http.MethodPost, "/api/v1/session/passkey", map[string]any{"credential": a.Get(t, options)}).is(t, "late", http.StatusUnauthorized, "UNAUTHENTICATED")
}

func TestACeremonyIsGoodForWhatItWasBegunFor(t *testing.T) {
	t.Parallel()
	w := named(t)
	c, a, _ := w.holds(t)
	c.age(t, account.RecentSignIn+time.Minute)
	c.send(t, http.MethodPost, "/api/v1/session/step-up", map[string]any{"credential": a.Get(t, c.options(t, "/api/v1/session/passkey/begin"))}).
		is(t, "a step-up with the answer for a sign-in", http.StatusForbidden, "PASSKEY_REFUSED")
	(&console{w: w}).send(t, http.MethodPost, "/api/v1/session/passkey", map[string]any{"credential": a.Get(t, c.options(t, "/api/v1/session/step-up/begin"))}).
		is(t, "a sign-in with the answer for a step-up", http.StatusUnauthorized, "UNAUTHENTICATED")
}

func TestARegistrationThatIsNotRightKeepsNothing(t *testing.T) {
	t.Parallel()
	w := named(t)
	c, _ := w.joins(t)
	for name, a := range map[string]*passkeytest.Authenticator{
		"another origin": {Origin: "https://evil.example"}, "another party": {Origin: w.origin(), RPID: "evil.example"}, "nobody was verified": {Origin: w.origin(), Unverified: true},
	} {
		c.register(t, a, "Phone").is(t, name, http.StatusForbidden, "PASSKEY_REFUSED")
	}
	other, _ := w.joins(t)
	a := &passkeytest.Authenticator{Origin: w.origin()}
	stolen := a.Create(t, c.options(t, "/api/v1/passkeys/begin"))
	thief := &console{w: w, cookie: withCookies(c.cookie, http.Header{"Set-Cookie": {"driftless_session=" + other.value("driftless_session")}}), csrf: other.csrf}
	thief.send(t, http.MethodPost, "/api/v1/passkeys", map[string]any{"name": "Phone", "credential": stolen}).
		is(t, "by another person", http.StatusForbidden, "PASSKEY_REFUSED")
	if list := c.send(t, http.MethodGet, "/api/v1/passkeys", nil); list.json["shown"] != 0.0 {
		t.Errorf("there are passkeys: %s", list.raw)
	}
}

func TestRegisteringAndRemovingNeedARecentSignInAndStepUpGivesIt(t *testing.T) {
	t.Parallel()
	w := named(t)
	c, a, _ := w.holds(t)
	id := c.send(t, http.MethodGet, "/api/v1/passkeys", nil).json["results"].([]any)[0].(map[string]any)["id"].(string)
	old := func() {
		c.age(t, account.RecentSignIn+time.Minute)
		c.send(t, http.MethodPost, "/api/v1/passkeys/begin", map[string]any{}).is(t, "registering", http.StatusUnauthorized, "SESSION_TOO_OLD")
		c.send(t, http.MethodDelete, "/api/v1/passkeys/"+id, nil).is(t, "removing", http.StatusUnauthorized, "SESSION_TOO_OLD")
	}
	old()
	before, csrf := c.cookie, c.csrf
	c.send(t, http.MethodPost, "/api/v1/session/step-up", map[string]any{"password": "wrong horse!"}).is(t, "a wrong password", http.StatusForbidden, "WRONG_PASSWORD")
	c.send(t, http.MethodPost, "/api/v1/session/step-up", map[string]any{}).is(t, "nothing", http.StatusUnprocessableEntity, "VALIDATION_FAILED")
	r := c.send(t, http.MethodPost, "/api/v1/session/step-up", map[string]any{"password": ownPassword})
	at, err := time.Parse(time.RFC3339, r.json["signed_in_at"].(string))
	if r.status != http.StatusOK || err != nil || time.Since(at) > time.Minute {
		t.Fatalf("with the password: HTTP %d %v %s", r.status, err, r.raw)
	}
	if c.cookie == before || c.csrf != csrf {
		t.Error("the token of the session has to change, and its CSRF token to stay")
	}
	(&console{w: w, cookie: before}).send(t, http.MethodGet, "/api/v1/session", nil).is(t, "the token before", http.StatusUnauthorized, "UNAUTHENTICATED")
	c.options(t, "/api/v1/passkeys/begin")
	old()
	if r := c.send(t, http.MethodPost, "/api/v1/session/step-up", map[string]any{"credential": a.Get(t, c.options(t, "/api/v1/session/step-up/begin"))}); r.status != http.StatusOK {
		t.Fatalf("with the passkey: HTTP %d %s", r.status, r.raw)
	}
	if list := c.send(t, http.MethodGet, "/api/v1/sessions", nil); list.json["shown"] != 1.0 {
		t.Errorf("it is no longer the same session: %s", list.raw)
	}
	if r := c.send(t, http.MethodDelete, "/api/v1/passkeys/"+id, nil); r.status != http.StatusNoContent {
		t.Errorf("removing: HTTP %d %s", r.status, r.raw)
	}
	(&console{w: w}).passkeySignIn(t, a).is(t, "the removed passkey", http.StatusUnauthorized, "UNAUTHENTICATED")
}

func TestAnotherPersonsPasskeyRenewsNothing(t *testing.T) {
	t.Parallel()
	w := named(t)
	c, a, _ := w.holds(t)
	other, _, _ := w.holds(t)
	a.RPID = ""
	options := c.options(t, "/api/v1/session/step-up/begin")
	other.send(t, http.MethodPost, "/api/v1/session/step-up", map[string]any{"credential": a.Get(t, options)}).
		is(t, "a step-up", http.StatusForbidden, "PASSKEY_REFUSED")
	id := c.send(t, http.MethodGet, "/api/v1/passkeys", nil).json["results"].([]any)[0].(map[string]any)["id"].(string)
	other.send(t, http.MethodPatch, "/api/v1/passkeys/"+id, map[string]any{"name": "Mine"}).is(t, "renaming", http.StatusNotFound, "NOT_FOUND")
	other.send(t, http.MethodDelete, "/api/v1/passkeys/"+id, nil).is(t, "removing", http.StatusNotFound, "NOT_FOUND")
	if r := c.send(t, http.MethodPatch, "/api/v1/passkeys/"+id, map[string]any{"name": " Phone\u200b "}); r.status != http.StatusOK || r.json["name"] != "Phone" {
		t.Errorf("renaming one's own: HTTP %d %s", r.status, r.raw)
	}
	c.send(t, http.MethodPatch, "/api/v1/passkeys/"+id, map[string]any{"name": " "}).is(t, "no name", http.StatusUnprocessableEntity, "VALIDATION_FAILED")
}

func TestTheLastWayToSignInStays(t *testing.T) {
	t.Parallel()
	w := named(t)
	c, _, email := w.holds(t)
	exec(t, w, `update person set password_hash = null where email = ?`, email)
	id := c.send(t, http.MethodGet, "/api/v1/passkeys", nil).json["results"].([]any)[0].(map[string]any)["id"].(string)
	c.send(t, http.MethodDelete, "/api/v1/passkeys/"+id, nil).is(t, "removing it", http.StatusConflict, "STATE_CONFLICT")
	if r := c.register(t, &passkeytest.Authenticator{Origin: w.origin()}, "Phone"); r.status != http.StatusCreated {
		t.Fatalf("registering another: HTTP %d %s", r.status, r.raw)
	}
	if r := c.send(t, http.MethodDelete, "/api/v1/passkeys/"+id, nil); r.status != http.StatusNoContent {
		t.Errorf("with another one: HTTP %d %s", r.status, r.raw)
	}
}

func TestAnAddressOfNumbersHasNoPasskeysAndSaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, _ := w.joins(t)
	for _, path := range []string{"/api/v1/passkeys/begin", "/api/v1/session/passkey/begin", "/api/v1/session/step-up/begin"} {
		r := c.send(t, http.MethodPost, path, map[string]any{})
		r.is(t, path, http.StatusConflict, "STATE_CONFLICT")
		if !strings.Contains(r.message(), "https") {
			t.Errorf("%s says %q", path, r.message())
		}
	}
}

// exec changes what only time or a mishap would.
func exec(t *testing.T, w *world, query string, args ...any) {
	t.Helper()
	err := w.Database.System(t.Context(), uuid.Nil, func(tx *pg.Tx) error { return tx.Store().Exec(query, args...).Error })
	if err != nil {
		t.Fatal(err)
	}
}

func TestAnAccountThatIsTakenBackHasNoPasskeysOfWhoeverHadIt(t *testing.T) {
	t.Parallel()
	w := named(t)
	_, a, email := w.holds(t)
	if _, err := w.Accounts.Place(t.Context(), email, "battery staple", w.owner.Slug, tenant.Member); err != nil {
		t.Fatal(err)
	}
	(&console{w: w}).passkeySignIn(t, a).is(t, "the passkey from before", http.StatusUnauthorized, "UNAUTHENTICATED")
}
