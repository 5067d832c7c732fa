package restapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

const (
	// streamBeat is how long a stream is silent at most: proxies cut a connection on which nothing moves for a minute.
	streamBeat = 15 * time.Second
	// streamAgain is when what failed for a moment is tried again, and when a browser opens a stream that ended again.
	streamAgain = time.Second
	// streamStall is how long a client may take to receive what was written to it.
	streamStall = 10 * time.Second
	// streamPage is how many events are read at once.
	streamPage = 100
	// streamsEach is how many streams a person may have open at this process. A browser has six for all its windows.
	streamsEach = 10
)

// streams counts the open streams of each person.
type streams struct {
	mu   sync.Mutex
	open map[uuid.UUID]int
}

// enter takes a place for one more stream of a person; leave gives it back.
func (s *streams) enter(person uuid.UUID) (leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[person] >= streamsEach {
		e := fault.New(fault.Rate, fault.CodeRateLimited, fmt.Sprintf("you have %d streams of events open, which is as many as there may be", streamsEach),
			"close one; one stream carries everything of a workspace")
		e.RetryAfter = streamAgain
		return nil, e
	}
	s.open[person]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.open[person]--; s.open[person] == 0 {
			delete(s.open, person)
		}
	}, nil
}

// Stop ends the streams of events. A server that shuts down calls it, for they would never end by themselves; clients open
// them again elsewhere, and miss nothing.
func (s *Server) Stop() { s.stop.Do(func() { close(s.stopped) }) }

// stream sends the events of a workspace as they happen (server-sent events, WHATWG HTML section 9.2). It is the ordinary
// operation, called again from where it came to: everything about a call holds for each part of it, so that a stream ends with
// its credential, session or membership, and shows what its person may see. The id of an event is its number; a client that
// sends the last one it has, as Last-Event-ID or as after, misses nothing. Nothing is kept for a client that is slow.
func (s *Server) stream(c echo.Context) error {
	r := c.Request()
	from, resumed, err := streamFrom(c)
	if err != nil {
		return err
	}
	caller, err := s.callerNow(r)
	if err != nil {
		return err
	}
	// The newest event there is: this call refuses whatever there is to refuse.
	newest, err := s.eventsPage(c, caller, nil)
	if err != nil {
		return err
	}
	head := int64(0)
	for _, e := range newest.Results {
		head = e.Seq
	}
	// A number that is not there yet is of another database, such as one from before a backup was restored.
	if !resumed || from > head {
		from = head
	}
	leave, err := s.streams.enter(caller.Person)
	if err != nil {
		return err
	}
	defer leave()
	in, _ := caller.Membership(segment(c, "workspace"))
	news, done := s.Watch(in.Workspace)
	defer done()
	out := newEventStream(c)
	// Without any event yet, a client that is cut off comes back with this number.
	if err := out.send(fmt.Sprintf("retry: %d\nid: %d\n\n", streamAgain.Milliseconds(), from)); err != nil {
		return nil
	}
	wait := time.NewTimer(s.beat)
	defer wait.Stop()
	for {
		silent := false
		select {
		case <-r.Context().Done():
			return nil
		case <-s.stopped:
			return nil
		case <-news:
		case <-wait.C:
			silent = true
		}
		last, err := s.forward(c, out, from)
		from = last
		var known *fault.Error
		switch {
		case errors.As(err, &known) && known.Retryable():
			wait.Reset(max(streamAgain, known.RetryAfter))
			continue
		case err != nil:
			// The client is gone, or what allowed it to read. When it asks again it is told which.
			return nil
		}
		if silent {
			if err := out.send(": nothing new\n\n"); err != nil {
				return nil
			}
		}
		wait.Reset(s.beat)
	}
}

// forward sends what happened after an event, and answers the number of the last one that was sent.
func (s *Server) forward(c echo.Context, out *eventStream, from int64) (int64, error) {
	for {
		caller, err := s.callerNow(c.Request())
		if err != nil {
			return from, err
		}
		page, err := s.eventsPage(c, caller, &from)
		if err != nil {
			return from, err
		}
		for _, e := range page.Results {
			raw, err := op.Marshal(e)
			if err != nil {
				return from, err
			}
			if err := out.send(fmt.Sprintf("id: %d\ndata: %s\n\n", e.Seq, raw)); err != nil {
				return from, err
			}
			from = e.Seq
		}
		if !page.HasMore {
			return from, nil
		}
	}
}

// eventsPage reads the events after one, or the newest one of all.
func (s *Server) eventsPage(c echo.Context, caller tenant.Caller, after *int64) (*op.Page[topic.EventRow], error) {
	o := s.Registry.Operation("events.list")
	given, err := arguments(c, o)
	if err != nil {
		return nil, err
	}
	args := map[string]any{"limit": 1.0}
	if after != nil {
		args = map[string]any{"limit": float64(streamPage), "after": float64(*after)}
	}
	for _, name := range []string{"topic", "types"} {
		if v, ok := given[name]; ok {
			args[name] = v
		}
	}
	result, err := s.Registry.Call(c.Request().Context(), caller, op.Call{Operation: o, Workspace: segment(c, "workspace"), Arguments: args})
	if err != nil {
		return nil, err
	}
	page, ok := result.Value.(*op.Page[topic.EventRow])
	if !ok {
		return nil, fmt.Errorf("events are answered as a %T", result.Value)
	}
	return page, nil
}

// streamFrom is the event after which a client wants to go on. A browser repeats the address as it was and adds the header, so
// the header is the younger one.
func streamFrom(c echo.Context) (from int64, given bool, err error) {
	field, text := "Last-Event-ID", c.Request().Header.Get("Last-Event-ID")
	if text == "" {
		field, text = "after", c.QueryParam("after")
	}
	if text == "" {
		return 0, false, nil
	}
	from, err = strconv.ParseInt(text, 10, 64)
	if err != nil || from < 0 {
		return 0, false, fault.Fieldf(field, "must be the id of an event of this stream, which is a whole number")
	}
	return from, true, nil
}

// callerNow finds who is calling as it is at this moment: a stream outlives what was true when it began. A session is read and
// not kept alive, for a page that is open is nobody who does anything.
func (s *Server) callerNow(r *http.Request) (tenant.Caller, error) {
	if secret := bearer(r); secret != "" {
		return s.byBearer(r, secret)
	}
	caller, ok, err := s.Accounts.Sessions().CallerOf(r)
	return s.signedIn(r, caller, ok, err)
}

// eventStream is an answer that goes on.
type eventStream struct {
	w          http.ResponseWriter
	connection *http.ResponseController
}

// newEventStream sends the head of the answer. A proxy must neither keep what passes nor change it.
func newEventStream(c echo.Context) *eventStream {
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, "text/event-stream; charset=utf-8")
	h.Set(echo.HeaderCacheControl, "no-store, no-transform")
	h.Set("X-Accel-Buffering", "no") // nginx buffers unless it is told
	c.Response().WriteHeader(http.StatusOK)
	return &eventStream{w: c.Response(), connection: http.NewResponseController(c.Response())}
}

// send writes and flushes. A client that does not take it in time is gone.
func (e *eventStream) send(text string) error {
	err := e.connection.SetWriteDeadline(time.Now().Add(streamStall))
	if err != nil && !errors.Is(err, http.ErrNotSupported) {
		return fmt.Errorf("bound a write to a stream: %w", err)
	}
	if _, err := e.w.Write([]byte(text)); err != nil {
		return fmt.Errorf("write to a stream: %w", err)
	}
	if err := e.connection.Flush(); err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("write to a stream: %w", err)
	}
	return nil
}
