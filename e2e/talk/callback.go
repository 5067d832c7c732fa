package talk

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

// Callback is the loopback address that the browser returns to.
type Callback struct {
	URL    string
	server *http.Server
	came   chan url.Values
}

// Listen opens the address, on a port of its own, until Close.
func Listen(ctx context.Context) (*Callback, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the browser: %w", err)
	}
	c := &Callback{URL: "http://" + listener.Addr().String() + "/callback", came: make(chan url.Values, 1)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /callback", func(w http.ResponseWriter, r *http.Request) {
		select {
		case c.came <- r.URL.Query():
			_, _ = io.WriteString(w, "Signed in. You can close this page.")
		default:
			// One code is one answer: a second visit would mean that the page answered twice.
			http.Error(w, "The browser was here before.", http.StatusConflict)
		}
	})
	c.server = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = c.server.Serve(listener) }()
	return c, nil
}

// Wait returns what the browser came with; the error is what the server refused.
func (c *Callback) Wait(ctx context.Context) (url.Values, error) {
	select {
	case q := <-c.came:
		if q.Has("error") {
			return nil, fmt.Errorf("the browser came back with %s: %s", q.Get("error"), q.Get("error_description"))
		}
		return q, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Close ends it.
func (c *Callback) Close() error { return c.server.Close() }
