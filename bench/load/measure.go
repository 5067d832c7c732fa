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
	"slices"
	"sync"
	"time"

	"driftless/bench/process"
)

// loads are how many clients ask at once. Targets are held to judged.
var loads = [...]int{1, 8, 32}

const judged = 8

// call is one kind of request to one server.
type call struct {
	name string
	to   *instance
	// body is the arguments of the n-th request, and the bearer it is sent with.
	body func(c *corpus, at space) []byte
	// turns are by the number of clients; the i-th of each call belong to the same round.
	turns map[int][]turn
}

// turn is what one call did in one round for one number of clients.
type turn struct {
	elapsed    time.Duration
	times      []time.Duration // sorted
	server, pg time.Duration   // of processor time
}

func (t turn) rate() float64 { return float64(len(t.times)) / t.elapsed.Seconds() }

// quantile is the value that so many of all are at most.
func (t turn) quantile(share float64) time.Duration {
	return t.times[min(len(t.times)-1, int(share*float64(len(t.times))))]
}

// arguments encode a call of a tool.
func arguments(tool string, args map[string]any) []byte {
	raw, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": args},
	})
	if err != nil {
		panic(fmt.Sprintf("encode a call: %v", err)) // texts and lists of texts
	}
	return raw
}

func emptyCall(*corpus, space) []byte { return arguments(floorTool, map[string]any{}) }

func getCall(c *corpus, at space) []byte {
	return arguments("driftless_context_get", map[string]any{"topic": at.topics[c.rng.IntN(len(at.topics))]})
}

func retrieveCall(c *corpus, _ space) []byte {
	return arguments("driftless_context_retrieve", map[string]any{"task": c.task(), "files": c.files(2)})
}

func filesCall(c *corpus, _ space) []byte {
	return arguments("driftless_context_get_for_files", map[string]any{"files": c.files(10)})
}

// measure gives each call its turns. In each round another one begins, so that whatever else the machine does meets all.
func measure(ctx context.Context, p plan, calls []*call, postmaster int) error {
	for _, c := range calls {
		c.turns = map[int][]turn{}
		if err := c.warm(ctx); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	for round := range p.rounds {
		for _, clients := range loads {
			for i := range calls {
				c := calls[(round+i)%len(calls)]
				t, err := c.turn(ctx, p, clients, uint64(round*1000+clients), postmaster)
				if err != nil {
					return fmt.Errorf("%s: %w", c.name, err)
				}
				c.turns[clients] = append(c.turns[clients], t)
			}
		}
	}
	return nil
}

// request is one that is ready to be sent.
type request struct {
	token string
	body  []byte
}

// draw makes requests to workspaces drawn evenly, so that no cache of one workspace hides the others.
func (c *call) draw(seed uint64, n int) []request {
	words := newCorpus(seed)
	out := make([]request, n)
	for i := range out {
		at := c.to.spaces[words.rng.IntN(len(c.to.spaces))]
		out[i] = request{at.token, c.body(words, at)}
	}
	return out
}

// warm asks in every workspace once, so that indexes are built and connections warm before the clock starts.
func (c *call) warm(ctx context.Context) error {
	words := newCorpus(1)
	var all []request
	for _, at := range c.to.spaces {
		all = append(all, request{at.token, c.body(words, at)})
	}
	for len(all) < 200 {
		all = append(all, all...)
	}
	client, done := newClient(judged)
	defer done()
	next := make(chan request, len(all))
	for _, r := range all {
		next <- r
	}
	close(next)
	return each(judged, func(int) error {
		for r := range next {
			if err := post(ctx, client, c.to.url, r); err != nil {
				return err
			}
		}
		return nil
	})
}

// turn loads the server with so many clients for as long as the plan says. Each has a supply of requests of its own, made before.
func (c *call) turn(ctx context.Context, p plan, clients int, seed uint64, postmaster int) (turn, error) {
	const supply = 500
	requests := make([][]request, clients)
	for i := range requests {
		requests[i] = c.draw(seed<<8+uint64(i), supply)
	}
	client, done := newClient(clients)
	defer done()
	pid := c.to.process.ID()
	serverBefore, err1 := process.Used(pid)
	pgBefore, err2 := process.Used(postmaster)
	times := make([][]time.Duration, clients)
	began := time.Now()
	err := each(clients, func(i int) error {
		for n := 0; time.Since(began) < p.turn; n++ {
			asked := time.Now()
			if err := post(ctx, client, c.to.url, requests[i][n%supply]); err != nil {
				return err
			}
			times[i] = append(times[i], time.Since(asked))
		}
		return nil
	})
	t := turn{elapsed: time.Since(began), times: slices.Concat(times...)}
	slices.Sort(t.times)
	serverAfter, err3 := process.Used(pid)
	pgAfter, err4 := process.Used(postmaster)
	t.server, t.pg = serverAfter-serverBefore, pgAfter-pgBefore
	return t, errors.Join(err, err1, err2, err3, err4)
}

// each runs fn on so many goroutines, and answers one of their errors.
func each(workers int, fn func(i int) error) error {
	failed := make([]error, workers)
	var all sync.WaitGroup
	for i := range workers {
		all.Go(func() { failed[i] = fn(i) })
	}
	all.Wait()
	return cmp.Or(failed...)
}

func newClient(connections int) (c *http.Client, done func()) {
	c = &http.Client{Timeout: 2 * time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: connections}}
	return c, c.CloseIdleConnections
}

// post sends one message as a client of the protocol does. An answer that is an error of the tool is one here.
func post(ctx context.Context, client *http.Client, to string, q request) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(q.body))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+q.token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("MCP-Protocol-Version", "2025-11-25")
	answer, err := client.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK || bytes.Contains(raw, []byte(`"isError":true`)) || !bytes.Contains(raw, []byte(`"result"`)) {
		return fmt.Errorf("%d %s", answer.StatusCode, raw[:min(500, len(raw))])
	}
	return nil
}
