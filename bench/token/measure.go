package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"driftless/bench/process"
)

// loads are how many clients ask at once.
var loads = [...]int{1, 8}

// turn is what one server did in one round for one number of clients.
type turn struct {
	elapsed       time.Duration
	code, refresh []time.Duration
	server, pg    time.Duration // of processor time
}

func (t turn) requests() int { return len(t.code) + len(t.refresh) }

// rate is in requests a second.
func (t turn) rate() float64 { return float64(t.requests()) / t.elapsed.Seconds() }

// measure gives every server its turns. In each round another one begins.
func measure(ctx context.Context, p plan, servers []*contender, postmaster int) (err error) {
	for _, s := range servers {
		s.turns = map[int][]turn{}
		// The first answers warm connections, caches and compilers up, and are not counted.
		if _, err := s.turn(ctx, p.sequences, loads[len(loads)-1], postmaster); err != nil {
			return err
		}
		if s.strict, err = s.reuseEnds(ctx); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		s.grants = 0
		if s.before, err = readStored(ctx, s.dsn, nil); err != nil {
			return err
		}
	}
	for round := range p.rounds {
		for _, clients := range loads {
			for i := range servers {
				s := servers[(round+i)%len(servers)]
				t, err := s.turn(ctx, p.sequences, clients, postmaster)
				if err != nil {
					return err
				}
				s.turns[clients] = append(s.turns[clients], t)
			}
		}
	}
	for _, s := range servers {
		if s.after, err = readStored(ctx, s.dsn, s.issued); err != nil {
			return err
		}
	}
	return nil
}

// turn fetches codes, and then measures their redemption and one refresh of each by so many clients at once.
func (s *contender) turn(ctx context.Context, sequences, clients, postmaster int) (t turn, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", s.name, err)
		}
	}()
	tickets := make([]ticket, sequences)
	err = eachOf(loads[len(loads)-1], sequences, func(i int) (err error) {
		tickets[i], err = s.authorize(ctx)
		return err
	})
	if err != nil {
		return t, fmt.Errorf("fetch a code: %w", err)
	}
	s.grants += sequences
	t.code, t.refresh = make([]time.Duration, sequences), make([]time.Duration, sequences)
	client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	defer client.CloseIdleConnections()
	pid := s.process.ID()
	serverBefore, err1 := process.Used(pid)
	pgBefore, err2 := process.Used(postmaster)
	began := time.Now()
	err = eachOf(clients, sequences, func(i int) error {
		asked := time.Now()
		first, err := s.post(ctx, client, tickets[i].form())
		if err != nil {
			return fmt.Errorf("redeem a code: %w", err)
		}
		got := time.Now()
		second, err := s.post(ctx, client, first.form(tickets[i].client))
		if err != nil {
			return fmt.Errorf("refresh: %w", err)
		}
		t.code[i], t.refresh[i] = got.Sub(asked), time.Since(got)
		if i == sequences-1 {
			s.issued = []string{tickets[i].code, first.Access, first.Refresh, second.Access, second.Refresh}
		}
		return nil
	})
	t.elapsed = time.Since(began)
	serverAfter, err3 := process.Used(pid)
	pgAfter, err4 := process.Used(postmaster)
	t.server, t.pg = serverAfter-serverBefore, pgAfter-pgBefore
	return t, errors.Join(err, err1, err2, err3, err4)
}

// eachOf runs fn for 0 to n-1 on so many goroutines, and answers one of their errors.
func eachOf(workers, n int, fn func(i int) error) error {
	next := make(chan int, n)
	for i := range n {
		next <- i
	}
	close(next)
	failed := make([]error, workers)
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for i := range next {
				if failed[w] = fn(i); failed[w] != nil {
					return
				}
			}
		})
	}
	all.Wait()
	return cmp.Or(failed...)
}

type tokens struct {
	Access  string `json:"access_token"`
	Refresh string `json:"refresh_token"`
}

func (t tokens) form(client string) url.Values {
	return url.Values{"grant_type": {"refresh_token"}, "client_id": {client}, "refresh_token": {t.Refresh}}
}

// refusedError is an answer other than 200.
type refusedError struct {
	status int
	said   []byte
}

func (e *refusedError) Error() string { return fmt.Sprintf("%d %s", e.status, bytes.TrimSpace(e.said)) }

// post asks the token endpoint once. An answer without both tokens is an error.
func (s *contender) post(ctx context.Context, client *http.Client, form url.Values) (t tokens, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.token, strings.NewReader(form.Encode()))
	if err != nil {
		return t, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	got, err := client.Do(r)
	if err != nil {
		return t, err
	}
	defer func() { _ = got.Body.Close() }()
	said, err := io.ReadAll(got.Body)
	if err != nil {
		return t, err
	}
	if got.StatusCode != http.StatusOK {
		return t, &refusedError{got.StatusCode, said}
	}
	if err := json.Unmarshal(said, &t); err != nil {
		return t, err
	}
	if t.Access == "" || t.Refresh == "" {
		return t, fmt.Errorf("tokens are missing: %s", said)
	}
	return t, nil
}

// reuseEnds uses a refresh token twice and reports whether the pair that replaced it is gone then.
func (s *contender) reuseEnds(ctx context.Context) (bool, error) {
	client := &http.Client{Timeout: time.Minute}
	t, err := s.authorize(ctx)
	if err != nil {
		return false, err
	}
	first, err := s.post(ctx, client, t.form())
	if err != nil {
		return false, err
	}
	second, err := s.post(ctx, client, first.form(t.client))
	if err != nil {
		return false, err
	}
	for _, stale := range []tokens{first, second} {
		var refused *refusedError
		if _, err := s.post(ctx, client, stale.form(t.client)); !errors.As(err, &refused) {
			return false, err
		}
	}
	return true, nil
}

// quantile is the value that so many of all are at most; the list gets sorted.
func quantile(all []time.Duration, share float64) time.Duration {
	slices.Sort(all)
	return all[min(len(all)-1, int(share*float64(len(all))))]
}
