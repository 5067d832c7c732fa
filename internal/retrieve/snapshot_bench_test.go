package retrieve

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

// BenchmarkStart10k measures the first read of a workspace with 10,000 topics after a start, without a snapshot and with one.
func BenchmarkStart10k(b *testing.B) { benchmarkStart(b, 10_000) }

// BenchmarkStart100k is the same with ten times as many.
func BenchmarkStart100k(b *testing.B) { benchmarkStart(b, 100_000) }

func benchmarkStart(b *testing.B, count int) {
	b.Helper()
	owner := pgtest.Workspace(b)
	stock(b, owner, newLibrary(), count)
	dir := b.TempDir()
	first := func(s server) time.Duration {
		begin := time.Now()
		s.ok(owner, "context.search", args{"query": "none"})
		return time.Since(begin)
	}
	var cold, warm []time.Duration
	for b.Loop() {
		s, _ := kept(b, dir, fmt.Sprint(len(cold)))
		cold = append(cold, first(s))
		begin := time.Now()
		s.svc.Close(b.Context())
		info, err := os.Stat(s.svc.files.path(owner.Workspace))
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(time.Since(begin).Milliseconds()), "write-ms")
		b.ReportMetric(float64(info.Size())/mebibyte, "file-MiB")
		again, _ := kept(b, dir, fmt.Sprint(len(cold)-1))
		warm = append(warm, first(again))
		_, bytes := again.svc.held()
		b.ReportMetric(float64(bytes)/mebibyte, "index-MiB")
	}
	b.ReportMetric(float64(median(cold).Milliseconds()), "build-ms")
	b.ReportMetric(float64(median(warm).Milliseconds()), "load-ms")
}

// BenchmarkManyWorkspaces reads in 1,000 workspaces of 1,000 topics in turn, in memory for a quarter of them: what is dropped comes back
// from its snapshot. It reports the 95th percentile beside that of a workspace that stays.
func BenchmarkManyWorkspaces(b *testing.B) {
	const spaces, topics = 1000, 1000
	l := newLibrary()
	var owners []tenant.Actor
	for range spaces {
		owner := pgtest.Workspace(b)
		stock(b, owner, l, topics)
		owners = append(owners, owner)
	}
	s := serveWith(b, 256*mebibyte, WithSnapshots(b.TempDir(), func() string { return "one" }))
	read := func(a tenant.Actor) time.Duration {
		begin := time.Now()
		s.ok(a, "context.retrieve", args{"task": l.text(8)})
		return time.Since(begin)
	}
	for _, a := range owners { // every one is built once, and written when it is dropped
		read(a)
	}
	s.svc.saving.Wait()
	var warm, mixed []time.Duration
	for b.Loop() {
		warm = append(warm, read(owners[0]))
		warm = append(warm, read(owners[0]))
		mixed = append(mixed, read(owners[l.rng.IntN(spaces)]))
	}
	b.ReportMetric(at(warm, 0.95), "warm-p95-ms")
	b.ReportMetric(at(mixed, 0.5), "mixed-p50-ms")
	b.ReportMetric(at(mixed, 0.95), "mixed-p95-ms")
	n, bytes := s.svc.held()
	b.ReportMetric(float64(n), "indexes")
	b.ReportMetric(float64(bytes)/mebibyte, "index-MiB")
}

func median(took []time.Duration) time.Duration {
	slices.Sort(took)
	return took[len(took)/2]
}

// at is a quantile in milliseconds.
func at(took []time.Duration, q float64) float64 {
	slices.Sort(took)
	return float64(took[int(q*float64(len(took)-1))].Microseconds()) / 1000
}
