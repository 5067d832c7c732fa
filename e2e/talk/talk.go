// Package talk owns the conversation between a client program and the end-to-end test that started it, and the loopback
// address that the client's browser returns to: JSON lines, one event a line to the test, one call a line from it.
//
//	→ {"event":"authorize","url":"http://127.0.0.1:8080/oauth/authorize?…"}   to open in a browser
//	→ {"event":"token","grant":"authorization_code","status":200}             each request for a token
//	→ {"event":"ready","server":"driftless","protocol":"2026-07-28","tools":["…"]}
//	← {"id":1,"call":"driftless_context_get","arguments":{"topic":"billing-retries"}}
//	→ {"event":"result","id":1,"is_error":false,"structured":{…},"text":"…"}
//
// It refuses to know a route of the server or a rule of the protocol: what a client library does not do by itself is not done.
package talk

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
)

// Event is one line to the test. Which fields it has depends on the first.
type Event struct {
	Event string `json:"event"`

	URL string `json:"url,omitempty"` // authorize

	Grant  string `json:"grant,omitempty"` // token
	Status int    `json:"status,omitempty"`

	Server   string   `json:"server,omitempty"` // ready
	Protocol string   `json:"protocol,omitempty"`
	Tools    []string `json:"tools,omitempty"`

	ID         int    `json:"id,omitempty"` // result
	IsError    bool   `json:"is_error"`
	Structured any    `json:"structured,omitempty"`
	Text       string `json:"text,omitempty"`
	Error      string `json:"error,omitempty"` // the call itself failed
}

// Call is one line from the test.
type Call struct {
	ID        int            `json:"id"`
	Tool      string         `json:"call"`
	Arguments map[string]any `json:"arguments"`
}

// Test is whoever started this program.
type Test struct {
	in  io.Reader
	mu  sync.Mutex
	out *json.Encoder
}

// With speaks over the standard streams, which are given so that the program says who owns them.
func With(in io.Reader, out io.Writer) *Test {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return &Test{in: in, out: encoder}
}

// Tell writes one event; any goroutine may call it.
func (t *Test) Tell(e Event) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.out.Encode(e)
}

// Calls answers the calls that arrive, one after the other, until there are no more. A call is at most 1 MiB.
func (t *Test) Calls(answer func(Call) Event) error {
	input := bufio.NewScanner(t.in)
	input.Buffer(nil, 1<<20)
	for input.Scan() {
		var c Call
		if err := json.Unmarshal(input.Bytes(), &c); err != nil {
			return fmt.Errorf("read a call: %w", err)
		}
		e := answer(c)
		e.Event, e.ID = "result", c.ID
		if err := t.Tell(e); err != nil {
			return err
		}
	}
	return input.Err()
}

// Watched reports each request for a token, so that a test can see whether a token was refreshed.
func (t *Test) Watched(next http.RoundTripper) http.RoundTripper { return watch{t, next} }

type watch struct {
	test *Test
	next http.RoundTripper
}

func (w watch) RoundTrip(r *http.Request) (*http.Response, error) {
	grant, err := grantOf(r)
	if err != nil {
		return nil, err
	}
	answer, err := w.next.RoundTrip(r)
	if err != nil || grant == "" {
		return answer, err
	}
	if err := w.test.Tell(Event{Event: "token", Grant: grant, Status: answer.StatusCode}); err != nil {
		return nil, errors.Join(err, answer.Body.Close())
	}
	return answer, nil
}

// grantOf reads the grant type off a request for a token and leaves its body as it was.
func grantOf(r *http.Request) (string, error) {
	if r.GetBody == nil || !strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-www-form-urlencoded") {
		return "", nil
	}
	body, err := r.GetBody()
	if err != nil {
		return "", err
	}
	raw, err := io.ReadAll(body)
	if err != nil {
		return "", err
	}
	form, err := url.ParseQuery(string(raw))
	return form.Get("grant_type"), err
}
