package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"

	"driftless/internal/fault"
)

// session is what revisions with a handshake agreed on: requests without a version of their own carry it. Revision 2026-07-28
// has none.
type session struct {
	mu sync.Mutex
	// version is what initialize agreed on.
	version string
	// id is the session that the server gave, or empty (MCP 2025-11-25, transport, session management).
	id string
	// greeting is the client's initialize, kept for a server that has forgotten the session.
	greeting []byte
}

// headers adds the version and the session to a request, and answers the session.
func (s *session) headers(h http.Header) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.version != "" {
		h.Set("MCP-Protocol-Version", s.version)
	}
	if s.id != "" {
		h.Set("Mcp-Session-Id", s.id)
	}
	return s.id
}

// learn keeps what the answer to initialize says.
func (s *session) learn(w *http.Response, greeting, answer []byte) {
	version := versionIn(answer)
	if version == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version, s.id, s.greeting = version, w.Header.Get("Mcp-Session-Id"), greeting
}

// renew greets a server that no longer knows the session, as the client did. Requests that found out together share one new
// session, and the client learns nothing of it. It fails where the server now speaks another revision than the one agreed on.
func (s *session) renew(ctx context.Context, b *bridge, stale string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.id != stale {
		return nil
	}
	hello := message{Method: methodInitialize, ID: json.RawMessage("0")}
	w, _, err := b.post(ctx, hello, s.greeting)
	if err != nil {
		return err
	}
	defer func() { _ = w.Body.Close() }()
	version, err := agreedIn(w)
	if err != nil {
		return err
	}
	if version != s.version {
		return fault.New(fault.Unavailable, fault.CodeUnavailable,
			fmt.Sprintf("the server has forgotten the session and a new one could not be made (HTTP %d)", w.StatusCode), "restart the client")
	}
	if s.id = w.Header.Get("Mcp-Session-Id"); s.id == "" {
		return nil
	}
	return s.announce(ctx, b)
}

// announce says that the new session may be used.
func (s *session) announce(ctx context.Context, b *bridge) error {
	key, err := b.pass.key(ctx)
	if err != nil {
		return err
	}
	r, err := b.c.request(ctx, http.MethodPost, b.endpoint, key, []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("MCP-Protocol-Version", s.version)
	r.Header.Set("Mcp-Session-Id", s.id)
	w, err := b.http.Do(r)
	if err != nil {
		return unreachable(r.URL, err)
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(w.Body, peekMax))
	return w.Body.Close()
}

// end tells the server that the session is over. It is a courtesy: a server that does not hear it forgets by itself.
func (s *session) end(ctx context.Context, b *bridge) {
	ctx, stop := context.WithTimeout(ctx, lastMoment)
	defer stop()
	h := http.Header{}
	if s.headers(h) == "" {
		return
	}
	key, err := b.pass.key(ctx)
	if err != nil {
		return
	}
	r, err := b.c.request(ctx, http.MethodDelete, b.endpoint, key, nil)
	if err != nil {
		return
	}
	for name := range h {
		r.Header.Set(name, h.Get(name))
	}
	if w, err := b.http.Do(r); err == nil {
		_ = w.Body.Close()
	}
}

// agreedIn reads the revision out of the response to initialize; it is empty where the server refused.
func agreedIn(w *http.Response) (string, error) {
	if !isStream(w) {
		raw, err := readAnswer(w)
		return versionIn(raw), err
	}
	for raw, err := range events(w.Body) {
		if err != nil {
			return "", cutOff(w, err)
		}
		if version := versionIn(raw); version != "" {
			return version, nil
		}
	}
	return "", nil
}

func versionIn(answer []byte) string {
	var agreed struct {
		Result struct {
			Version string `json:"protocolVersion"`
		} `json:"result"`
	}
	if json.Unmarshal(answer, &agreed) != nil {
		return ""
	}
	return agreed.Result.Version
}
