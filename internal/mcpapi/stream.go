package mcpapi

import (
	"fmt"
	"maps"
	"net/http"
	"sync"

	"driftless/internal/op"
)

// stream is the answer to one call, to which the library and the conversation write whole messages in turn.
type stream struct {
	mu     sync.Mutex
	w      http.ResponseWriter
	flush  http.Flusher
	header http.Header // what the library says; the response has it once it begins
	began  bool
	// refusal is what the guard answers instead of the library; dropped is that it is to.
	refusal error
	dropped bool
}

// newStream is nil where w cannot stream.
func newStream(w http.ResponseWriter) *stream {
	flush, ok := w.(http.Flusher)
	if !ok {
		return nil
	}
	return &stream{w: w, flush: flush, header: http.Header{}}
}

func (s *stream) Header() http.Header { return s.header }

func (s *stream) WriteHeader(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropped = s.dropped || s.refusal != nil && !s.began
	s.begin(status, s.header)
}

func (s *stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begin(http.StatusOK, s.header)
	if s.dropped {
		return len(p), nil
	}
	return s.w.Write(p)
}

func (s *stream) Flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.began { // otherwise it would send a head of its own
		s.flush.Flush()
	}
}

// begin sends the head once; the library does not know when a question was the first to be sent.
func (s *stream) begin(status int, header http.Header) {
	if s.began || s.dropped {
		return
	}
	s.began = true
	maps.Copy(s.w.Header(), header)
	s.w.WriteHeader(status)
}

// refuse makes the guard answer instead of the library, unless something was sent already.
func (s *stream) refuse(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusal = err
}

// event sends one message, with the head of a stream before the first.
func (s *stream) event(message any) error {
	raw, err := op.Marshal(message)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begin(http.StatusOK, http.Header{"Content-Type": {"text/event-stream"}})
	if _, err := fmt.Fprintf(s.w, "event: message\ndata: %s\n\n", raw); err != nil {
		return err
	}
	s.flush.Flush()
	return nil
}
