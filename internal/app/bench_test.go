package app

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sort"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"driftless/internal/config"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

// clients is how many callers a load has.
const clients = 8

// load sends the body with n requests from several clients and answers requests a second and the 95th percentile.
func load(b *testing.B, url, key, body string, n int) (perSecond float64, p95 time.Duration) {
	b.Helper()
	client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	times := make([]time.Duration, n)
	work := make(chan int)
	var wg sync.WaitGroup
	begin := time.Now()
	for range clients {
		wg.Go(func() {
			for i := range work {
				start := time.Now()
				if err := post(b.Context(), client, url, key, body); err != nil {
					b.Error(err)
				}
				times[i] = time.Since(start)
			}
		})
	}
	for i := range n {
		work <- i
	}
	close(work)
	wg.Wait()
	took := time.Since(begin)
	sort.Slice(times, func(i, j int) bool { return times[i] < times[j] })
	return float64(n) / took.Seconds(), times[n*95/100]
}

func post(ctx context.Context, client *http.Client, url, key, body string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader([]byte(body)))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+key)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("MCP-Protocol-Version", "2025-11-25")
	answer, err := client.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK || bytes.Contains(raw, []byte(`"isError":true`)) {
		return fmt.Errorf("HTTP %d %s", answer.StatusCode, raw[:min(200, len(raw))])
	}
	return nil
}

func call(tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments)
}

// floor is the same HTTP stack with an empty tool and no database.
func floor() http.Handler {
	s := server.NewMCPServer("floor", "1")
	s.AddTool(mcp.NewTool("empty"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("{}"), nil
	})
	return server.NewStreamableHTTPServer(s, server.WithStateLess(true), server.WithDisableLocalhostProtection(true))
}

// fill puts n topics into the workspace, as rows, so that a large one is there in seconds.
func fill(tb testing.TB, a tenant.Actor, n int) {
	tb.Helper()
	err := pgtest.DB(tb).Workspace(tb.Context(), a, pg.ReadWrite, func(tx *pg.Tx) error {
		for _, query := range []string{
			`insert into topic (workspace_id, id, slug, title, what, body, status, revision, content_hash, seq, author_id, editor_id, created_at, updated_at)
			select ?::uuid, gen_random_uuid(), 'topic-' || i, 'Topic ' || i || ' about ' || (array['queues','ledgers','tokens','caches','retries'])[1 + i % 5],
				'How part ' || (i % 97) || ' of system ' || (i % 389) || ' behaves under load.',
				json_build_object('content', repeat('The worker ' || (i % 131) || ' books each transfer and reconciles ledger ' || (i % 211) || ' nightly. ', 8),
					'gotchas', json_build_array('Gateway ' || (i % 53) || ' answers late.'),
					'anchors', json_build_array('services/s' || (i % 500) || '/**/*.go', 'pkg/p' || i || '/file.go')),
				'draft', 1, 'h', i, ?::uuid, ?::uuid, now(), now() from generate_series(1, ?::int) i`,
		} {
			if err := tx.Store().Exec(query, a.Workspace, a.Person, a.Person, n).Error; err != nil {
				return err
			}
		}
		return tx.Store().Exec(`update workspace_head set seq = ? where workspace_id = ?`, n, a.Workspace).Error
	})
	if err != nil {
		tb.Fatal(err)
	}
}

// BenchmarkReadsAgainstTheirFloor prints throughput of get as a ratio to the same HTTP stack with an empty tool and no
// database, and the 95th percentile of retrieve as a ratio to that of get, at 10,000 topics with 8 clients.
func BenchmarkReadsAgainstTheirFloor(b *testing.B) {
	a := benchServer(b)
	base := httptest.NewServer(floor())
	defer base.Close()
	get := call("driftless_context_get", `{"topic":"topic-4711"}`)
	retrieve := call("driftless_context_retrieve", `{"task":"why does the worker reconcile the ledger late under load","files":["services/s42/api/main.go","pkg/p4711/file.go"]}`)
	if err := post(b.Context(), http.DefaultClient, a.url, a.key, retrieve); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		bottom, _ := load(b, base.URL, "", call("empty", "{}"), 4000)
		gets, getP95 := load(b, a.url, a.key, get, 4000)
		_, retrieveP95 := load(b, a.url, a.key, retrieve, 2000)
		b.ReportMetric(bottom, "floor/s")
		b.ReportMetric(gets, "get/s")
		b.ReportMetric(gets/bottom, "get:floor")
		b.ReportMetric(float64(getP95.Microseconds())/1000, "get-p95-ms")
		b.ReportMetric(float64(retrieveP95.Microseconds())/1000, "retrieve-p95-ms")
		b.ReportMetric(float64(retrieveP95)/float64(getP95), "retrieve:get")
	}
}

type benched struct{ url, key string }

func benchServer(b *testing.B) benched {
	b.Helper()
	db := &Database{DB: pgtest.DB(b)}
	web := httptest.NewUnstartedServer(nil)
	cfg := config.Config{Addr: "127.0.0.1:0", PublicURL: "http://" + web.Listener.Addr().String(), Calls: 100_000_000, WorkspaceRate: 100_000_000, IndexBytes: 1 << 30, Registrations: 60, SignInFails: 10, TokenRequests: 120}
	a, err := New(cfg, db, slog.New(slog.DiscardHandler), "bench")
	if err != nil {
		b.Fatal(err)
	}
	web.Config.Handler = a.Handler()
	web.Start()
	b.Cleanup(web.Close)
	grant, err := a.Accounts.Bootstrap(b.Context(), "bench@example.test", "correct horse", "bench")
	if err != nil {
		b.Fatal(err)
	}
	caller, ok, err := a.Accounts.ByKey(b.Context(), grant.APIKey)
	if err != nil || !ok {
		b.Fatal("the key does not work")
	}
	fill(b, caller.In(caller.Memberships[0]), 10_000)
	return benched{web.URL + "/mcp", grant.APIKey}
}
