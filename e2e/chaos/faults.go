package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// wire stands before the servers, takes them in turn, and once it is bad, harms two of five requests.
type wire struct {
	URL      string
	backends []string
	client   *http.Client
	server   *http.Server
	bad      atomic.Bool
	turn     atomic.Uint64

	mu    sync.Mutex
	rng   *rand.Rand
	harms map[harm]int
}

// harm is what happens to one request and its answer.
type harm string

const (
	harmNone      harm = "passed"
	harmReset     harm = "reset"     // the request never arrives
	harmDropped   harm = "dropped"   // the server did its work and nobody hears of it
	harmCut       harm = "cut"       // half of the answer arrives
	harmDelayed   harm = "delayed"   // the answer is late by up to two seconds
	harmRepeated  harm = "repeated"  // the request arrives twice
	harmUnreached harm = "unreached" // the server is down just now
)

func newWire(ctx context.Context, seed uint64) (*wire, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for clients: %w", err)
	}
	w := &wire{
		URL: "http://" + listener.Addr().String(),
		client: &http.Client{
			Timeout:       10 * time.Second,
			Transport:     &http.Transport{MaxIdleConnsPerHost: 64, IdleConnTimeout: 5 * time.Second},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		rng:   newRand(seed, 0),
		harms: map[harm]int{},
	}
	w.server = &http.Server{Handler: w, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = w.server.Serve(listener) }()
	return w, nil
}

func newRand(seed, stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }

// draw decides about one request. The order of the decisions is the seed's, which request meets which is the race's.
func (w *wire) draw() (h harm, delay time.Duration, second bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	h = harmNone
	if w.bad.Load() {
		switch n := w.rng.IntN(100); {
		case n < 8:
			h = harmReset
		case n < 18:
			h = harmDropped
		case n < 22:
			h = harmCut
		case n < 32:
			h = harmDelayed
		case n < 40:
			h = harmRepeated
		}
	}
	return h, time.Duration(w.rng.IntN(2000)) * time.Millisecond, w.rng.IntN(2) == 1
}

func (w *wire) count(h harm) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.harms[h]++
}

func (w *wire) harmed() (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for h, times := range w.harms {
		if h != harmNone {
			n += times
		}
	}
	return n
}

func (w *wire) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	h, delay, second := w.draw()
	if h == harmReset {
		w.count(h)
		hangUp(rw)
		return
	}
	answer, err := w.forward(r, body)
	if h == harmRepeated {
		// A network that repeats does not wait, but two that overlap are what the clients do by themselves.
		if again, errAgain := w.forward(r, body); second || err != nil {
			answer, err = again, errAgain
		}
	}
	if err != nil {
		w.count(harmUnreached)
		hangUp(rw)
		return
	}
	w.count(h)
	if h == harmDropped {
		hangUp(rw)
		return
	}
	if h == harmDelayed {
		select {
		case <-time.After(delay):
		case <-r.Context().Done():
			return
		}
	}
	for name, values := range answer.header {
		rw.Header()[name] = values
	}
	rw.WriteHeader(answer.status)
	if h == harmCut {
		_, _ = rw.Write(answer.body[:len(answer.body)/2])
		panic(http.ErrAbortHandler)
	}
	_, _ = rw.Write(answer.body)
}

type answer struct {
	status int
	header http.Header
	body   []byte
}

// forward asks the server whose turn it is. Nothing is asked of another when it is down: a balancer may not know yet.
func (w *wire) forward(r *http.Request, body []byte) (answer, error) {
	backend := w.backends[w.turn.Add(1)%uint64(len(w.backends))]
	// The server goes on with a request whose client is gone.
	ctx := context.WithoutCancel(r.Context())
	out, err := http.NewRequestWithContext(ctx, r.Method, "http://"+backend+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	out.Header, out.Host = r.Header.Clone(), r.Host
	got, err := w.client.Do(out)
	if err != nil {
		return answer{}, err
	}
	raw, err := io.ReadAll(got.Body)
	return answer{got.StatusCode, got.Header, raw}, errors.Join(err, got.Body.Close())
}

// hangUp ends the connection with a reset and no answer.
func hangUp(rw http.ResponseWriter) {
	conn, _, err := http.NewResponseController(rw).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}
