package app_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"driftless/internal/account/guess"
	"driftless/internal/config"
)

const accountFails = 6

// twins are two servers on one database that allow few wrong passwords for one account, and many from one address, as if they
// came from many.
func twins(t *testing.T) (one, two *world) {
	t.Helper()
	few := func(c *config.Config) { c.AccountFails = accountFails }
	return newWorld(t, few), newWorld(t, few)
}

func (c *console) signIn(t *testing.T, email, password string) reply {
	t.Helper()
	return c.send(t, http.MethodPost, "/api/v1/session", map[string]any{"email": email, "password": password})
}

// exhaust guesses at an account over both servers until strangers are refused.
func exhaust(t *testing.T, one, two *world, email string) {
	t.Helper()
	for i := range accountFails {
		(&console{w: []*world{one, two}[i%2]}).signIn(t, email, fmt.Sprintf("wrong horse %d", i)).is(t, "a guess", http.StatusUnauthorized, "UNAUTHENTICATED")
	}
}

func TestGuessingFromManyAddressesIsSlowedDownOverAllServers(t *testing.T) {
	t.Parallel()
	one, two := twins(t)
	_, email := one.joins(t)
	nobody := "nobody-" + one.owner.Slug + "@example.test"
	refusals := map[string]string{}
	for _, address := range []string{email, nobody} {
		exhaust(t, one, two, address)
		for name, w := range map[string]*world{"the first": one, "the second": two} {
			r := (&console{w: w}).signIn(t, address, ownPassword)
			r.is(t, name+" server", http.StatusTooManyRequests, "RATE_LIMITED")
			if wait, err := strconv.Atoi(r.header.Get("Retry-After")); err != nil || wait < 1 || wait > 3600/accountFails {
				t.Errorf("Retry-After is %q", r.header.Get("Retry-After"))
			}
			refusals[address] = r.message()
		}
	}
	metrics := string(send(t, one.request(t, http.MethodGet, "/metrics", nil), "").raw)
	if !strings.Contains(metrics, `driftless_rate_limited_total{limit="account"} 2`) {
		t.Error("the metrics do not tell that an account is guessed at")
	}
	// Whether there is an account cannot be told from it.
	if refusals[email] != refusals[nobody] {
		t.Errorf("an account is told from none: %v", refusals)
	}
}

func TestTheOwnerGetsInWhileOthersGuess(t *testing.T) {
	t.Parallel()
	one, two := twins(t)
	_, email := one.joins(t)
	laptop := &console{w: one}
	if r := laptop.signIn(t, email, ownPassword); r.status != http.StatusOK {
		t.Fatalf("before: HTTP %d %s", r.status, r.raw)
	}
	// The browser that other people of the same machine use knows each of them.
	_, sibling := one.joins(t)
	if r := laptop.signIn(t, sibling, ownPassword); r.status != http.StatusOK {
		t.Fatalf("the sibling: HTTP %d %s", r.status, r.raw)
	}
	exhaust(t, one, two, email)
	stranger := &console{w: two}
	stranger.signIn(t, email, ownPassword).is(t, "a browser that is not known", http.StatusTooManyRequests, "RATE_LIMITED")
	laptop.w = two
	if r := laptop.signIn(t, email, ownPassword); r.status != http.StatusOK {
		t.Errorf("the known browser: HTTP %d %s", r.status, r.raw)
	}
	// A known browser has an allowance of its own, which is no larger.
	thief := &console{w: two, cookie: laptop.cookie}
	for range accountFails {
		thief.signIn(t, email, "wrong horse!").is(t, "a guess with the cookie", http.StatusUnauthorized, "UNAUTHENTICATED")
	}
	thief.signIn(t, email, ownPassword).is(t, "the next guess with the cookie", http.StatusTooManyRequests, "RATE_LIMITED")
}

func TestABrowserIsKnownToThoseWhoSignedInWithItAlone(t *testing.T) {
	t.Parallel()
	one, two := twins(t)
	_, victim := one.joins(t)
	attacker, own := one.joins(t)
	if r := attacker.signIn(t, own, ownPassword); r.status != http.StatusOK {
		t.Fatalf("HTTP %d %s", r.status, r.raw)
	}
	exhaust(t, one, two, victim)
	attacker.signIn(t, victim, ownPassword).is(t, "the browser of somebody else", http.StatusTooManyRequests, "RATE_LIMITED")
	(&console{w: one, cookie: "driftless_browser=MADEUP"}).signIn(t, victim, ownPassword).is(t, "a made-up secret", http.StatusTooManyRequests, "RATE_LIMITED")
}

// Whoever can put a cookie into a browser must not know the one it has after its owner signed in.
func TestASecretThatWasPutIntoABrowserIsWorthNothing(t *testing.T) {
	t.Parallel()
	one, two := twins(t)
	attacker, _ := one.joins(t)
	_, victim := one.joins(t)
	planted := attacker.value("driftless_browser")
	browser := &console{w: one, cookie: "driftless_browser=" + planted}
	if r := browser.signIn(t, victim, ownPassword); r.status != http.StatusOK {
		t.Fatalf("HTTP %d %s", r.status, r.raw)
	}
	exhaust(t, one, two, victim)
	(&console{w: one, cookie: "driftless_browser=" + planted}).signIn(t, victim, ownPassword).is(t, "the planted one", http.StatusTooManyRequests, "RATE_LIMITED")
	if r := browser.signIn(t, victim, ownPassword); r.status != http.StatusOK {
		t.Errorf("the browser itself: HTTP %d %s", r.status, r.raw)
	}
}

func TestAnAllowanceComesBackAndIsNotUsedUpByTheRightPassword(t *testing.T) {
	t.Parallel()
	one, two := twins(t)
	_, email := one.joins(t)
	for range accountFails + 2 {
		if r := (&console{w: one}).signIn(t, email, ownPassword); r.status != http.StatusOK {
			t.Fatalf("the right password: HTTP %d %s", r.status, r.raw)
		}
	}
	exhaust(t, one, two, email)
	exec(t, one, `update guess set at = at - cast(? as float8) * interval '1 hour' where key = ?`, 1.0/accountFails, []byte(guess.Strangers(email)))
	if r := (&console{w: two}).signIn(t, email, ownPassword); r.status != http.StatusOK {
		t.Errorf("after a while: HTTP %d %s", r.status, r.raw)
	}
}

func TestGuessesAtOneAccountAtTheSameMomentShareTheAllowance(t *testing.T) {
	t.Parallel()
	one, two := twins(t)
	_, email := one.joins(t)
	const guesses = 30
	answers := make(chan int, guesses)
	var wg sync.WaitGroup
	for i := range guesses {
		wg.Go(func() { answers <- (&console{w: []*world{one, two}[i%2]}).signIn(t, email, "wrong horse!").status })
	}
	wg.Wait()
	close(answers)
	checked := 0
	for status := range answers {
		if status == http.StatusUnauthorized {
			checked++
		}
	}
	if checked != accountFails {
		t.Errorf("%d guesses reached the password, want %d", checked, accountFails)
	}
}

func TestGuessingInASessionThatWasLeftOpenEnds(t *testing.T) {
	t.Parallel()
	one, two := twins(t)
	c, email := one.joins(t)
	for i := range accountFails {
		if i%2 == 0 {
			c.send(t, http.MethodPost, "/api/v1/password", map[string]any{"current": "wrong horse!", "new": "battery staple"}).is(t, "a change", http.StatusForbidden, "WRONG_PASSWORD")
		} else {
			c.send(t, http.MethodPost, "/api/v1/session/step-up", map[string]any{"password": "wrong horse!"}).is(t, "a step-up", http.StatusForbidden, "WRONG_PASSWORD")
		}
	}
	c.send(t, http.MethodPost, "/api/v1/session/step-up", map[string]any{"password": ownPassword}).is(t, "the next", http.StatusTooManyRequests, "RATE_LIMITED")
	if r := (&console{w: two}).signIn(t, email, ownPassword); r.status != http.StatusOK {
		t.Errorf("the person, elsewhere: HTTP %d %s", r.status, r.raw)
	}
}

func TestAPasskeyOpensTheAccountWhileOthersGuess(t *testing.T) {
	t.Parallel()
	w := named(t, func(c *config.Config) { c.AccountFails = accountFails })
	_, a, email := w.holds(t)
	exhaust(t, w, w, email)
	(&console{w: w}).signIn(t, email, ownPassword).is(t, "the password", http.StatusTooManyRequests, "RATE_LIMITED")
	if r := (&console{w: w}).passkeySignIn(t, a); r.status != http.StatusOK {
		t.Errorf("HTTP %d %s", r.status, r.raw)
	}
}
