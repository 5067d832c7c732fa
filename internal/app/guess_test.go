package app_test

import (
	"net/http"
	"sync"
	"testing"

	"driftless/internal/config"
)

func TestGuessesAtTheSameMomentShareTheLimit(t *testing.T) {
	t.Parallel()
	const limit, guesses = 3, 40
	w := newWorld(t, func(c *config.Config) { c.SignInFails = limit })
	in := map[string]any{"email": "guessed-" + w.owner.Slug + "@example.test", "password": "correct horse"}
	person := &console{w: w}
	person.send(t, http.MethodPost, w.invite(t, map[string]any{})+"/accept", in)
	// Whoever knows the password uses nothing up.
	for range limit + 1 {
		if r := (&console{w: w}).send(t, http.MethodPost, "/api/v1/session", in); r.status != http.StatusOK {
			t.Fatalf("signing in: HTTP %d %s", r.status, r.raw)
		}
	}
	var wg sync.WaitGroup
	answers := make(chan int, guesses)
	for i := range guesses {
		wg.Go(func() {
			// Two doors to one secret: the sign-in, and the form that changes the password.
			guesser, path, body := &console{w: w}, "/api/v1/session", map[string]any{"email": in["email"], "password": "wrong horse!"}
			if i%2 == 1 {
				guesser = &console{w: w, cookie: person.cookie, csrf: person.csrf}
				path, body = "/api/v1/password", map[string]any{"current": "wrong horse!", "new": "battery staple"}
			}
			answers <- guesser.send(t, http.MethodPost, path, body).status
		})
	}
	wg.Wait()
	close(answers)
	checked := 0
	for status := range answers {
		switch status {
		case http.StatusUnauthorized, http.StatusForbidden:
			checked++
		case http.StatusTooManyRequests:
		default:
			t.Errorf("a guess answered HTTP %d", status)
		}
	}
	if checked != limit {
		t.Errorf("%d guesses reached the password, want %d", checked, limit)
	}
	(&console{w: w}).send(t, http.MethodPost, "/api/v1/session", in).is(t, "the right password after that", http.StatusTooManyRequests, "RATE_LIMITED")
}
