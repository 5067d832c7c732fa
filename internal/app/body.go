package app

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// bodyTimeout is how long a client may take to send a body.
const bodyTimeout = 30 * time.Second

// boundBodies gives each body so long to arrive, and the answer all the time it needs. The timeout of the server itself
// (ReadTimeout) goes on after the body has ended, and would then cancel the request of an answer that streams.
func boundBodies(next http.Handler, timeout time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		connection := http.NewResponseController(w)
		// A writer that is no connection, as in a test, has no deadlines and no client that could be slow.
		if r.Body != http.NoBody && connection.SetReadDeadline(time.Now().Add(timeout)) == nil {
			r.Body = &boundBody{ReadCloser: r.Body, ended: func() { _ = connection.SetReadDeadline(time.Time{}) }}
		}
		next.ServeHTTP(w, r)
	})
}

type boundBody struct {
	io.ReadCloser
	ended func()
}

func (b *boundBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		b.ended()
	}
	return n, err
}
