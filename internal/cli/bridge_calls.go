package cli

import (
	"context"
	"encoding/json"
	"sync"
)

// calls are the requests under way that notifications/cancelled can stop, by id.
type calls struct {
	mu   sync.Mutex
	byID map[string]*call
}

type call struct{ stop context.CancelFunc }

// begin makes a request that can be cancelled by its id. done forgets it.
func (s *calls) begin(ctx context.Context, m message) (_ context.Context, done func()) {
	ctx, stop := context.WithCancel(ctx)
	if !m.asks() {
		return ctx, stop
	}
	id, own := sameID(m.ID), &call{stop}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byID[id] = own
	return ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		// A client may use an id twice; then the later request has it.
		if s.byID[id] == own {
			delete(s.byID, id)
		}
		stop()
	}
}

// cancel stops the request that a notification names; from then on nothing is written for it. Over HTTP ending the request is
// the cancellation, so that there is nothing to send. A request that is not under way is left to the server.
func (s *calls) cancel(id json.RawMessage) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.byID[sameID(id)]
	if c == nil {
		return false
	}
	c.stop()
	return true
}
