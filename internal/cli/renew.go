package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
)

// renewing sends requests, and once more with a new access token where the server no longer takes the one that is remembered.
// Programs of one person renew one after the other: who comes second finds the token of the first.
type renewing struct {
	c    *client
	next http.RoundTripper

	mu sync.Mutex
	// earlier maps each token that was replaced to the one in force, for callers that took theirs before.
	earlier map[string]string
}

// RoundTrip implements [http.RoundTripper].
func (t *renewing) RoundTrip(r *http.Request) (*http.Response, error) {
	used, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok || t.c.env("DRIFTLESS_API_KEY") != "" || (r.Body != nil && r.GetBody == nil) {
		return t.next.RoundTrip(r)
	}
	t.mu.Lock()
	if newer := t.earlier[used]; newer != "" {
		used = newer
	}
	t.mu.Unlock()
	w, err := t.with(r, used)
	if err != nil || w.StatusCode != http.StatusUnauthorized {
		return w, err
	}
	fresh, err := t.renew(r.Context(), used)
	if err != nil {
		return nil, errors.Join(err, w.Body.Close())
	}
	if fresh == used {
		return w, nil
	}
	if err := w.Body.Close(); err != nil {
		return nil, fmt.Errorf("give up a refused answer: %w", err)
	}
	return t.with(r, fresh)
}

// with sends a copy of the request with another token.
func (t *renewing) with(r *http.Request, token string) (*http.Response, error) {
	again := r.Clone(r.Context())
	if r.GetBody != nil {
		body, err := r.GetBody()
		if err != nil {
			return nil, fmt.Errorf("repeat a request: %w", err)
		}
		again.Body = body
	}
	again.Header.Set("Authorization", "Bearer "+token)
	return t.next.RoundTrip(again)
}

// renew answers the token to use instead, or the same when there is no other: then the refusal of the server stands.
func (t *renewing) renew(ctx context.Context, used string) (fresh string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	server, err := t.c.server()
	if err != nil {
		return used, err
	}
	fresh = used
	err = locked(ctx, errandRenew, server, func() (err error) {
		// A trade that has begun is finished: the refresh token is spent, and its successor would be lost.
		fresh, err = t.trade(context.WithoutCancel(ctx), server, used)
		return err
	})
	if err != nil || fresh == used {
		return used, err
	}
	for old, newer := range t.earlier {
		if newer == used {
			t.earlier[old] = fresh
		}
	}
	t.earlier[used] = fresh
	return fresh, nil
}

// trade answers what is remembered instead of the used token, and trades the refresh token where that is the used one itself.
func (t *renewing) trade(ctx context.Context, server, used string) (string, error) {
	known, err := loadCredentials()
	if err != nil {
		return used, err
	}
	has := known[server].Tokens
	if has == nil || has.Refresh == "" {
		return used, nil
	}
	if has.Access != used {
		return has.Access, nil
	}
	m, err := t.c.issuerOf(ctx, server)
	if err != nil {
		return used, err
	}
	next, err := t.c.tokensFor(ctx, m, has.ClientID, url.Values{"grant_type": {grantRefresh}, "refresh_token": {has.Refresh}})
	var refused *protocolError
	if errors.As(err, &refused) {
		return used, nil
	}
	if err != nil {
		return used, err
	}
	if next.Refresh == "" {
		next.Refresh = has.Refresh
	}
	_, err = remember(ctx, server, credential{Tokens: &next})
	return next.Access, err
}
