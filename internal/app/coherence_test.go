package app_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"driftless/internal/app"
	"driftless/internal/config"
	"driftless/internal/pg/pgtest"
)

// beside is a second server on the same database, with connections and indexes of its own, that serves the same workspace.
func (w *world) beside(t *testing.T) *world {
	t.Helper()
	a, err := app.New(w.Config, &app.Database{DB: pgtest.Another(t)}, slog.New(slog.DiscardHandler), "test")
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(a.Handler())
	t.Cleanup(web.Close)
	other := *w
	other.App, other.url = a, web.URL
	return &other
}

// word is a made-up word that no other of the same length is a misspelling of: it spells a number in letters three times.
func word(n int) string {
	const letters = "bcdfghjklmnpqrst"
	one := string([]byte{letters[n>>8&15], 'a', letters[n>>4&15], 'o', letters[n&15], 'u'})
	return strings.Repeat(one, 3)
}

// seeker knows what is committed about the topics of one writer and looks for it.
type seeker struct {
	t       *testing.T
	servers []*world
	key     string
	rng     *rand.Rand
	misses  *atomic.Int64
}

// call runs an operation on one of the servers over HTTP.
func (s *seeker) call(server int, id string, args map[string]any) map[string]any {
	s.t.Helper()
	w := s.servers[server]
	r := w.rest(s.t, s.key, w.Registry.Operation(id), w.owner.Slug, args)
	if r.status/100 != 2 {
		s.t.Errorf("%s: HTTP %d %s", id, r.status, r.raw)
	}
	return r.json
}

func slugsOf(page map[string]any) (out []string) {
	rows, _ := page["results"].([]any)
	for _, row := range rows {
		fields, _ := row.(map[string]any)
		slug, _ := fields["slug"].(string)
		out = append(out, slug)
	}
	return out
}

// look reads in one of the four ways what was committed about a topic, and counts a miss.
func (s *seeker) look(server, way int, slug, word string, there bool) {
	s.t.Helper()
	var page map[string]any
	switch way {
	case 0:
		page = s.call(server, "context.retrieve", map[string]any{"task": word})
	case 1:
		page = s.call(server, "context.search", map[string]any{"query": word, "limit": 20})
	case 2:
		page = s.call(server, "context.get_for_files", map[string]any{"files": []any{word + "/main.go"}})
	case 3:
		page = s.call(server, "topics.list", map[string]any{"tags": []any{word}})
	}
	if found := slugsOf(page); slices.Contains(found, slug) != there {
		s.misses.Add(1)
		s.t.Errorf("server %d, way %d: %s there %v, found %v", server, way, slug, there, found)
	}
}

// live writes and reads in turn: each write goes to one of the servers, and reads of the other and of the same one follow.
func (s *seeker) live(name string, from, steps int, done *atomic.Int64) {
	s.t.Helper()
	var slug, last string
	var revision any
	for i := range steps {
		server := s.rng.IntN(2)
		mark := word(from + i)
		there := true
		switch i % 4 {
		case 0:
			made := s.call(server, "topics.create", map[string]any{
				"title": name + " " + mark, "what": "Made of " + mark + ".", "tags": []any{mark}, "anchors": []any{mark + "/**"},
			})
			slug, _ = made["slug"].(string)
			revision = made["revision"]
		case 1, 2:
			revision = s.call(server, "topics.update", map[string]any{
				"topic": slug, "append_gotchas": []any{"Beware of " + mark + "."}, "add_anchors": []any{mark + "/*.go"}, "tags": []any{mark},
				"base_revision": revision,
			})["revision"]
		case 3:
			s.call(server, "topics.archive", map[string]any{"topic": slug})
			mark, there = last, false
		}
		last = mark
		done.Add(1)
		for _, reader := range []int{1 - server, server} {
			s.look(reader, s.rng.IntN(4), slug, mark, there)
			done.Add(1)
		}
	}
}

func TestAReaderOnAnyServerMissesNothingThatWasCommittedBefore(t *testing.T) {
	t.Parallel()
	one := newWorld(t)
	servers := []*world{one, one.beside(t)}
	key := one.key(t, one.owner)
	const writers, steps = 8, 42
	var misses, done atomic.Int64
	var all sync.WaitGroup
	for n := range writers {
		s := &seeker{t: t, servers: servers, key: key, rng: rand.New(rand.NewPCG(7, uint64(n))), misses: &misses}
		all.Go(func() { s.live(fmt.Sprintf("Writer %d", n), 300*n, steps, &done) })
	}
	all.Wait()
	if done.Load() < 1000 {
		t.Errorf("%d writes and reads", done.Load())
	}
	t.Logf("%d writes and reads over two servers, %d missed", done.Load(), misses.Load())
	// Both know the same in the end, row by row.
	var seen [2][]string
	for i, w := range servers {
		raw := w.rest(t, key, w.Registry.Operation("context.search"), w.owner.Slug, map[string]any{"query": "beware writer", "limit": 20})
		seen[i] = slugsOf(raw.json)
	}
	if !slices.Equal(seen[0], seen[1]) || len(seen[0]) == 0 {
		t.Errorf("the servers disagree: %v, %v", seen[0], seen[1])
	}
}

func TestAServerThatStopsKeepsItsIndexesForTheNextStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w := newWorld(t, func(c *config.Config) { c.IndexDir = dir })
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Serve(ctx, l) }()
	served := *w
	served.url = "http://" + l.Addr().String() // it answers once all has started
	if r := served.rest(t, w.key(t, w.owner), w.Registry.Operation("context.search"), w.owner.Slug, map[string]any{"query": "queue"}); r.status != http.StatusOK {
		t.Errorf("HTTP %d %s", r.status, r.raw)
	}
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.index"))
	if err != nil || len(files) != 1 || !strings.Contains(files[0], w.owner.Workspace.String()) {
		t.Fatalf("kept %v, %v", files, err)
	}
	again := w.beside(t)
	again.do(t, "context.search", map[string]any{"query": "queue"})
	page := string(send(t, again.request(t, http.MethodGet, "/metrics", nil), "").raw)
	for _, line := range []string{`driftless_index_snapshots_total{outcome="loaded"} 1`, "driftless_indexes 1", `driftless_index_build_seconds_count{from="snapshot"} 1`} {
		if !strings.Contains(page, line) {
			t.Errorf("the metrics lack %s", line)
		}
	}
}
