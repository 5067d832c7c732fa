package cli

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"driftless/internal/fault"
)

const (
	// longestWait is how long a Retry-After is waited for before a request is sent once more.
	longestWait = time.Minute
	// reconnectPause is the time before a request that did not reach the server is sent once more: a restart takes a moment.
	reconnectPause = time.Second
	// peekMax is how much of a refusal is read to know what it is, in bytes.
	peekMax = 64 << 10
)

// forward sends one message and writes what comes back.
func (b *bridge) forward(ctx context.Context, m message) {
	w, err := b.send(ctx, m)
	if err == nil {
		defer func() { _ = w.Body.Close() }()
		err = b.receive(ctx, w, m)
	}
	if err != nil {
		b.refuse(ctx, m, err)
	}
}

// send sends a message, and once more where that can help: the server was restarted, has forgotten the session, or is busy.
func (b *bridge) send(ctx context.Context, m message) (*http.Response, error) {
	var reconnected, waited, renewed bool
	for {
		w, session, err := b.post(ctx, m, m.raw)
		switch {
		case err != nil:
			if reconnected || !repeatable(m, err) {
				return nil, err
			}
			reconnected = true
			err = pause(ctx, reconnectPause)
		case w.StatusCode == http.StatusTooManyRequests && !waited && retryAfter(w) <= longestWait:
			waited = true
			_ = w.Body.Close()
			err = pause(ctx, retryAfter(w))
		case w.StatusCode == http.StatusNotFound && session != "" && !renewed && forgotten(w):
			renewed = true
			_ = w.Body.Close()
			err = b.session.renew(ctx, b, session)
		default:
			return w, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// tooMany refuses what a client wrote without ever reading answers.
func tooMany() *fault.Error {
	return fault.New(fault.Rate, fault.CodeRateLimited, "too many requests wait already", "wait for answers before you ask more")
}

// post sends a message once and says with which session. The error is a fault.
func (b *bridge) post(ctx context.Context, m message, line []byte) (_ *http.Response, session string, _ error) {
	key, err := b.pass.key(ctx)
	if err != nil {
		return nil, "", err
	}
	r, err := b.c.request(ctx, http.MethodPost, b.endpoint, key, line)
	if err != nil {
		return nil, "", err
	}
	r.Header.Set("Accept", "application/json, text/event-stream")
	// A compressed stream arrives in lumps.
	r.Header.Set("Accept-Encoding", "identity")
	if m.modern() {
		modernHeaders(r.Header, m)
	} else if m.Method != methodInitialize {
		session = b.session.headers(r.Header)
	}
	w, err := b.http.Do(r)
	if err != nil {
		return nil, "", unreachable(r.URL, err)
	}
	return w, session, nil
}

// modernHeaders are those that revision 2026-07-28 wants to match the body.
func modernHeaders(h http.Header, m message) {
	h.Set("MCP-Protocol-Version", headerValue(m.Params.Meta.Version))
	h.Set("Mcp-Method", headerValue(m.Method))
	switch m.Method {
	case methodCallTool, methodGetPrompt:
		h.Set("Mcp-Name", headerValue(m.Params.Name))
	case methodReadSource:
		h.Set("Mcp-Name", headerValue(m.Params.URI))
	}
}

// headerValue writes a text that a header cannot carry as it is in the form =?base64?…?= of the MCP specification.
func headerValue(s string) string {
	plain := strings.TrimSpace(s) == s && !strings.HasPrefix(s, "=?base64?")
	for _, r := range s {
		plain = plain && r >= 0x20 && r < 0x7f
	}
	if plain {
		return s
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?="
}

// repeatable reports a request that certainly did not reach the server, or one that may run twice. A call of a tool may write,
// so one that was on its way is never sent again.
func repeatable(m message, err error) bool {
	var dial *net.OpError
	if errors.As(err, &dial) && dial.Op == "dial" {
		var dns *net.DNSError
		return !errors.As(err, &dns)
	}
	broken := errors.Is(err, io.EOF) || errors.As(err, &dial)
	return broken && m.asks() && m.Method != methodCallTool
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return interrupted(ctx)
	}
}

// retryAfter reads the header of that name (RFC 9110 §10.2.3): seconds, or a date. Without one it is a second.
func retryAfter(w *http.Response) time.Duration {
	text := w.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, 1<<20)) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(time.Until(at), 0)
	}
	return time.Second
}

// forgotten reports that a 404 is about the session, and not about a method that the server does not have. The body can be read
// again afterwards.
func forgotten(w *http.Response) bool {
	raw, _ := io.ReadAll(io.LimitReader(w.Body, peekMax))
	w.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(raw), w.Body), w.Body}
	var answer struct {
		Error struct {
			Code int `json:"code"`
		} `json:"error"`
	}
	return json.Unmarshal(raw, &answer) != nil || answer.Error.Code != methodNotFound
}

// advise makes the fault of a refusal over HTTP, with what a person can do about it.
func (b *bridge) advise(w *http.Response, raw []byte) *fault.Error {
	e := refused(w, raw)
	switch {
	case w.StatusCode/100 == 2:
		e.Message = fmt.Sprintf("%s answered with %s and not with MCP", w.Request.URL.Host, kindOfBody(w))
		e.Hint = "a login page or a proxy may stand before the server: run 'driftless connect doctor'"
	case w.StatusCode/100 == 3:
		e.Message = fmt.Sprintf("%s redirects to %s", w.Request.URL.Host, printable(w.Header.Get("Location")))
		e.Hint = "set DRIFTLESS_URL to the address that it redirects to"
	case w.StatusCode == http.StatusUnauthorized:
		e.Hint = b.pass.advice()
	case w.StatusCode == http.StatusForbidden && e.Code == fault.CodeInsufficientScope:
		e.Hint = strings.TrimSuffix(e.Hint, ".") + "; or run 'driftless login' and allow it there"
	case w.StatusCode >= 500 && e.Code == fault.CodeUnavailable:
		e.Hint = "the server is starting or broken: try again in a moment, or look at its log"
	}
	return e.Because(statusError(w.StatusCode))
}

// statusError is the HTTP status behind a refusal.
type statusError int

func (s statusError) Error() string { return fmt.Sprintf("HTTP %d", int(s)) }

func kindOfBody(w *http.Response) string {
	if kind, _, _ := strings.Cut(w.Header.Get("Content-Type"), ";"); kind != "" {
		return printable(kind)
	}
	return "nothing"
}
