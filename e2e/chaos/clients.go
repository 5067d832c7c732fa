package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A crew is the clients of one process, and what they are told at their start, on stdin. They work until stdin ends.
type crew struct {
	Issuer string `json:"issuer"`
	File   string `json:"file"` // the credentials that they share
	Seed   uint64 `json:"seed"`
	First  int    `json:"first"`
	Count  int    `json:"count"`

	http    *http.Client
	mu      sync.Mutex
	events  *json.Encoder
	figures figures
}

// crewEvent is one line to whoever started the process: a client that was signed out, or the figures at the end.
type crewEvent struct {
	Out    string `json:"out,omitempty"` // why
	Client int    `json:"client"`

	Refreshed int64 `json:"refreshed"`
	Called    int64 `json:"called"`
	Retried   int64 `json:"retried"`
}

type figures struct{ refreshed, called, retried atomic.Int64 }

func beClients(ctx context.Context, in io.Reader, out io.Writer) error {
	c := &crew{events: json.NewEncoder(out)}
	told := json.NewDecoder(in)
	if err := told.Decode(c); err != nil {
		return fmt.Errorf("read what to do: %w", err)
	}
	c.http = &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: c.Count}}
	ctx, stop := context.WithCancel(ctx)
	go func() {
		defer stop()
		_, _ = io.Copy(io.Discard, in)
	}()
	var all sync.WaitGroup
	for n := c.First; n < c.First+c.Count; n++ {
		all.Go(func() {
			if err := c.work(ctx, n); err != nil && ctx.Err() == nil {
				c.tell(crewEvent{Out: err.Error(), Client: n})
			}
		})
	}
	all.Wait()
	c.tell(crewEvent{Refreshed: c.figures.refreshed.Load(), Called: c.figures.called.Load(), Retried: c.figures.retried.Load()})
	return nil
}

func (c *crew) tell(e crewEvent) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = c.events.Encode(e) // nobody listens any more
}

// work is one client's life: it calls, thinks, and refreshes when its access token ended. Every other client keeps what it got
// to itself; the rest read the file before they refresh and write it after, without a lock, as programs do.
func (c *crew) work(ctx context.Context, n int) error {
	rng := newRand(c.Seed, uint64(n))
	shares := n%2 == 0
	mine, err := c.read()
	if err != nil {
		return err
	}
	// All of them begin with the same refresh token at the same moment.
	mine.Ends = time.Time{}
	for first := true; ; first = false {
		if !time.Now().Before(mine.Ends) {
			if shares && !first {
				if mine, err = c.read(); err != nil {
					return err
				}
			}
			if !time.Now().Before(mine.Ends) {
				if mine, err = c.refresh(ctx, rng, mine); err != nil {
					return err
				}
				if shares {
					if err := c.write(mine, n); err != nil {
						return err
					}
				}
			}
		}
		if err := c.call(ctx, mine); err != nil {
			return err
		}
		select {
		case <-time.After(time.Duration(500+rng.IntN(2000)) * time.Millisecond):
		case <-ctx.Done():
			return nil
		}
	}
}

// refresh asks again with the same token until it hears an answer. It stops at invalid_grant: that is a sign-in.
func (c *crew) refresh(ctx context.Context, rng *rand.Rand, old tokens) (tokens, error) {
	form := url.Values{"grant_type": {"refresh_token"}, "client_id": {old.Client}, "refresh_token": {old.Refresh}}
	for {
		next, err := askForTokens(ctx, c.http, c.Issuer, form)
		var refused *refusedError
		switch {
		case err == nil:
			c.figures.refreshed.Add(1)
			return next, nil
		case errors.As(err, &refused) && refused.status < http.StatusInternalServerError:
			return tokens{}, err
		}
		c.figures.retried.Add(1)
		select {
		case <-time.After(time.Duration(20+rng.IntN(200)) * time.Millisecond):
		case <-ctx.Done():
			return tokens{}, ctx.Err()
		}
	}
}

const listCall = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"driftless_context_list","arguments":{"limit":1}}}`

// call reads something. What the wire does to it is nothing to a client; a token that lives and is refused is.
func (c *crew) call(ctx context.Context, with tokens) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.Issuer+"/mcp", strings.NewReader(listCall))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+with.Access)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	got, err := c.http.Do(r)
	if err != nil {
		c.figures.retried.Add(1)
		return nil
	}
	defer func() { _ = got.Body.Close() }()
	raw, err := io.ReadAll(got.Body)
	switch {
	case err != nil:
		c.figures.retried.Add(1)
		return nil
	case got.StatusCode == http.StatusUnauthorized && !time.Now().Before(with.Ends):
		return nil // it ended on the way
	case got.StatusCode == http.StatusOK && strings.Contains(string(raw), `"result"`):
		c.figures.called.Add(1)
		return nil
	}
	return fmt.Errorf("a call with a live token: %d %s", got.StatusCode, raw)
}

func (c *crew) read() (t tokens, err error) {
	raw, err := os.ReadFile(c.File)
	if err != nil {
		return t, err
	}
	return t, json.Unmarshal(raw, &t)
}

func (c *crew) write(t tokens, n int) error { return writeTokens(c.File, t, n) }

// writeTokens replaces the file in one step; whoever comes last wins.
func writeTokens(file string, t tokens, n int) error {
	raw, err := json.Marshal(t)
	if err != nil {
		return err
	}
	next := filepath.Join(filepath.Dir(file), fmt.Sprintf("next-%d", n))
	if err := os.WriteFile(next, raw, 0o600); err != nil {
		return err
	}
	return os.Rename(next, file)
}
