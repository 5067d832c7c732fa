package app_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"driftless/internal/event"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// told is an event as a stream tells it.
type told struct {
	Seq    int64          `json:"seq"`
	Type   string         `json:"type"`
	Topic  string         `json:"topic"`
	Detail map[string]any `json:"detail"`
}

// follower reads a stream of events.
type follower struct {
	header http.Header
	lines  *bufio.Scanner
	last   string // the id that a browser would send when it comes back
	drop   context.CancelFunc
}

// follow opens a stream at a server, after the event with the id where it has one.
func follow(t *testing.T, server, query, last string, prepare func(*http.Request)) (*follower, reply) {
	t.Helper()
	ctx, drop := context.WithCancel(t.Context())
	t.Cleanup(drop)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, server+query, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	prepare(r)
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	answer, err := (&http.Client{}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	if answer.StatusCode != http.StatusOK {
		out := reply{status: answer.StatusCode, header: answer.Header}
		_ = json.NewDecoder(answer.Body).Decode(&out.json)
		return nil, out
	}
	return &follower{header: answer.Header, lines: bufio.NewScanner(answer.Body), last: last, drop: drop}, reply{status: http.StatusOK}
}

// next is the next event; ok is false when the stream has ended.
func (f *follower) next(t *testing.T) (e told, ok bool) {
	t.Helper()
	for f.lines.Scan() {
		if id, is := strings.CutPrefix(f.lines.Text(), "id: "); is {
			f.last = id
		}
		if data, is := strings.CutPrefix(f.lines.Text(), "data: "); is {
			if err := json.Unmarshal([]byte(data), &e); err != nil {
				t.Fatal(err)
			}
			return e, true
		}
	}
	return e, false
}

// begun waits until the stream says from where on it tells.
func (f *follower) begun(t *testing.T) *follower {
	t.Helper()
	for f.lines.Scan() {
		if id, is := strings.CutPrefix(f.lines.Text(), "id: "); is {
			f.last = id
			return f
		}
	}
	t.Fatal("the stream did not begin")
	return nil
}

// await reads until an event of the kind.
func (f *follower) await(t *testing.T, kind string) told {
	t.Helper()
	for {
		e, ok := f.next(t)
		if !ok {
			t.Fatalf("the stream ended before %s", kind)
		}
		if e.Type == kind {
			return e
		}
	}
}

func (w *world) streamPath() string { return "/api/v1/workspaces/" + w.owner.Slug + "/events/stream" }

func with(key string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+key) }
}

// happen appends events to a workspace, each with its number, as eight writers.
func (w *world) happen(t *testing.T, times int) {
	t.Helper()
	const writers = 8
	done := make(chan error, writers)
	for range writers {
		go func() {
			var err error
			for i := 0; i < times/writers && err == nil; i++ {
				err = w.Database.Workspace(t.Context(), w.owner, pg.ReadWrite, func(tx *pg.Tx) error {
					_, err := event.Append(tx, "tests.write", "thing.happened", nil, map[string]string{"in": w.owner.Slug})
					return err
				})
			}
			done <- err
		}()
	}
	for range writers {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestAStreamThatBreaksLosesAndRepeatsNothing(t *testing.T) {
	t.Parallel()
	const total = 1000
	one, two := twins(t)
	key, foreign := one.key(t, one.owner), newWorld(t)
	first, _ := follow(t, one.url, one.streamPath(), "", with(key))
	last := first.begun(t).last
	from, err := strconv.ParseInt(last, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	first.drop()
	written := make(chan struct{})
	go func() {
		defer close(written)
		foreign.happen(t, total/10)
		one.happen(t, total)
	}()
	// Every few events the connection is cut, and the other server goes on.
	servers, breaks := []string{two.url, one.url}, 0
	for seen := int64(0); seen < total; breaks++ {
		f, _ := follow(t, servers[breaks%2], one.streamPath(), last, with(key))
		for range 1 + breaks*7%40 {
			e, ok := f.next(t)
			if !ok {
				t.Fatal("a stream ended by itself")
			}
			seen++
			if e.Seq != from+seen || e.Detail["in"] != one.owner.Slug {
				t.Fatalf("event %d is %+v", from+seen, e)
			}
			if seen == total {
				break
			}
		}
		last = f.last
		f.drop()
	}
	<-written
	if breaks < 20 {
		t.Errorf("the stream broke %d times; the test wants many", breaks)
	}
}

func TestAnEventArrivesWithinASecond(t *testing.T) {
	t.Parallel()
	one, two := twins(t)
	f, _ := follow(t, two.url, one.streamPath(), "", with(one.key(t, one.owner)))
	f.begun(t)
	var slowest time.Duration
	for range 5 {
		began := time.Now()
		one.happen(t, 8)
		for range 8 {
			f.await(t, "thing.happened")
		}
		slowest = max(slowest, time.Since(began))
	}
	// Writing is in it, and a machine that is busy.
	if slowest > 3*time.Second {
		t.Errorf("it took %s", slowest)
	}
	if f.header.Get("Content-Type") != "text/event-stream; charset=utf-8" || f.header.Get("X-Accel-Buffering") != "no" ||
		!strings.Contains(f.header.Get("Cache-Control"), "no-store") {
		t.Errorf("a proxy is told %v", f.header)
	}
}

func TestAStreamShowsWhatItsPersonMayRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	member := w.people[tenant.Member]
	theirs, _ := follow(t, w.url, w.streamPath(), "", with(w.key(t, member)))
	owners, _ := follow(t, w.url, w.streamPath(), "", with(w.key(t, w.owner)))
	narrow, _ := follow(t, w.url, w.streamPath()+"?topic=queue-limits&types=topic.archived,topic.drifted", "", with(w.key(t, w.owner)))
	for _, f := range []*follower{theirs, owners, narrow} {
		f.begun(t)
	}
	slug := w.doAs(t, member, "notes.add", map[string]any{"content": "Only for my own eyes, so far."})["slug"]
	w.do(t, "tags.create", map[string]any{"name": "afterwards"})
	w.do(t, "topics.archive", map[string]any{"topic": "queue-limits"})
	if e := theirs.await(t, "topic.created"); e.Topic != slug {
		t.Errorf("the author is told %+v", e)
	}
	for e, ok := owners.next(t); e.Type != "topic.archived"; e, ok = owners.next(t) {
		if !ok || e.Topic == slug {
			t.Errorf("the owner is told %+v, %v", e, ok)
		}
	}
	if e, _ := narrow.next(t); e.Type != "topic.archived" || e.Topic != "queue-limits" {
		t.Errorf("who asked for one topic is told %+v", e)
	}
}

func TestWhoMayNotReadGetsNoStream(t *testing.T) {
	t.Parallel()
	w, other := newWorld(t), newWorld(t)
	writes := w.key(t, w.owner, tenant.TopicsWrite)
	for name, tc := range map[string]struct {
		path, last string
		prepare    func(*http.Request)
		status     int
		code       string
	}{
		"nobody":                   {w.streamPath(), "", func(*http.Request) {}, http.StatusUnauthorized, "UNAUTHENTICATED"},
		"a key that is none":       {w.streamPath(), "", with("dl_nonsense"), http.StatusUnauthorized, "UNAUTHENTICATED"},
		"a key that may not read":  {w.streamPath(), "", with(writes), http.StatusForbidden, "INSUFFICIENT_SCOPE"},
		"somebody from elsewhere":  {w.streamPath(), "", with(other.key(t, other.owner)), http.StatusNotFound, "NOT_FOUND"},
		"a topic that is not here": {w.streamPath() + "?topic=nowhere", "", with(w.key(t, w.owner)), http.StatusNotFound, "NOT_FOUND"},
		"an id of something else":  {w.streamPath(), "yesterday", with(w.key(t, w.owner)), http.StatusUnprocessableEntity, "VALIDATION_FAILED"},
	} {
		if f, r := follow(t, w.url, tc.path, tc.last, tc.prepare); f != nil || r.status != tc.status || r.code() != tc.code {
			t.Errorf("%s: HTTP %d %s", name, r.status, r.code())
		}
	}
}

// What happens after the end is never told, and the connection does not outlive it.
func TestAStreamEndsWithWhatAllowedIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.signIn(t, tenant.Admin)
	leaver := w.signIn(t, tenant.Viewer)
	cookie := func(c *console) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Cookie", c.cookie) }
	}
	made := w.do(t, "keys.create", map[string]any{"name": "short", "scopes": []any{"context:read"}})
	for name, tc := range map[string]struct {
		prepare func(*http.Request)
		end     func()
	}{
		"a key that is revoked": {with(made["secret"].(string)), func() { w.do(t, "keys.revoke", map[string]any{"key": made["id"]}) }},
		"a session that ends":   {cookie(c), func() { c.send(t, http.MethodDelete, "/api/v1/session", nil) }},
		"a person who is removed": {cookie(leaver), func() {
			w.do(t, "members.remove", map[string]any{"person": leaver.person.Person.String()})
		}},
	} {
		f, r := follow(t, w.url, w.streamPath(), "", tc.prepare)
		if f == nil {
			t.Fatalf("%s: HTTP %d %v", name, r.status, r.json)
		}
		f.begun(t)
		w.do(t, "tags.create", map[string]any{"name": "before " + name})
		f.await(t, "tag.saved")
		tc.end()
		w.do(t, "tags.create", map[string]any{"name": "after " + name})
		if e, ok := f.next(t); ok {
			t.Errorf("%s: the stream goes on with %+v", name, e)
		}
	}
}

func TestOnlySoManyStreamsAreOpenForAPerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.key(t, w.owner)
	var open []*follower
	for {
		f, r := follow(t, w.url, w.streamPath(), "", with(key))
		if f == nil {
			if r.code() != "RATE_LIMITED" || len(open) != 10 {
				t.Errorf("after %d streams: HTTP %d %v", len(open), r.status, r.json)
			}
			break
		}
		open = append(open, f)
	}
	if f, r := follow(t, w.url, w.streamPath(), "", with(w.key(t, w.people[tenant.Viewer]))); f == nil {
		t.Errorf("somebody else is refused: %v", r.json)
	}
	open[0].drop()
	for {
		if f, r := follow(t, w.url, w.streamPath(), "", with(key)); f != nil {
			break
		} else if r.code() != "RATE_LIMITED" {
			t.Fatalf("after one was closed: HTTP %d %v", r.status, r.json)
		}
	}
}

func TestAServerThatStopsEndsItsStreams(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- w.Serve(ctx, l) }()
	f, _ := follow(t, fmt.Sprintf("http://%s", l.Addr()), w.streamPath(), "", with(w.key(t, w.owner)))
	f.begun(t)
	stop()
	began := time.Now()
	for ok := true; ok; _, ok = f.next(t) {
	}
	if err := <-ended; err != nil || time.Since(began) > 8*time.Second {
		t.Errorf("the server ended with %v after %s", err, time.Since(began))
	}
}

func TestEventsAreReadForwardsToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	from := w.do(t, "events.list", map[string]any{"limit": 1.0})["results"].([]any)[0].(map[string]any)["seq"].(float64)
	w.happen(t, 8)
	var got []float64
	args := map[string]any{"after": from, "limit": 3.0}
	for {
		page := w.do(t, "events.list", args)
		for _, row := range page["results"].([]any) {
			got = append(got, row.(map[string]any)["seq"].(float64)-from)
		}
		if page["has_more"] != true {
			break
		}
		args = page["next_action"].(map[string]any)["arguments"].(map[string]any)
	}
	if fmt.Sprint(got) != "[1 2 3 4 5 6 7 8]" {
		t.Errorf("after %v came %v", from, got)
	}
}
