package job_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"driftless/internal/job"
	"driftless/internal/obs"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
)

// patience is how long a test waits for what must happen.
const patience = time.Minute

// A process takes only the kinds it knows, so a test with kinds of its own has the queue for itself.
type counted struct {
	Number int `json:"number"`
}

func (counted) Kind() string { return "test.counted" }

type undone struct{}

func (undone) Kind() string { return "test.undone" }

type failing struct{}

func (failing) Kind() string { return "test.failing" }

type hopeless struct{}

func (hopeless) Kind() string { return "test.hopeless" }

type scheduled struct{}

func (scheduled) Kind() string { return "test.scheduled" }

type slow struct{}

func (slow) Kind() string { return "test.slow" }

// process is what one process of the server has of the queue.
type process struct {
	*job.Workers
	metrics *obs.Metrics
}

func newProcess(t *testing.T) process {
	t.Helper()
	m := obs.NewMetrics()
	w := job.NewWorkers(pgtest.DB(t), slog.New(slog.NewTextHandler(t.Output(), nil)), m)
	m.WatchJobs(w.States)
	return process{w, m}
}

func (p process) start(t *testing.T) {
	t.Helper()
	if err := p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), patience)
		defer cancel()
		if err := p.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
}

func enqueue(t *testing.T, all ...job.Args) {
	t.Helper()
	// In a workspace, as almost everything that causes a job is.
	err := pgtest.DB(t).Workspace(t.Context(), pgtest.Workspace(t), pg.ReadWrite, func(tx *pg.Tx) error {
		for _, args := range all {
			if err := job.Enqueue(tx, args); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func await[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(patience):
		t.Fatal("it did not happen")
		panic("unreachable")
	}
}

// metric waits until the page of metrics has a sample with these labels, and answers its value.
func (p process) metric(t *testing.T, name string, labels ...string) float64 {
	t.Helper()
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for end := time.After(patience); ; {
		families, err := p.metrics.Registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range families {
			if f.GetName() != name {
				continue
			}
			for _, m := range f.GetMetric() {
				var values []string
				for _, l := range m.GetLabel() {
					values = append(values, l.GetValue())
				}
				if slices.Equal(values, labels) {
					return m.GetGauge().GetValue() + float64(m.GetHistogram().GetSampleCount())
				}
			}
		}
		select {
		case <-look.C:
		case <-end:
			t.Fatalf("%s%v never came", name, labels)
		}
	}
}

func TestEachJobIsDoneByOneOfSeveralProcesses(t *testing.T) {
	t.Parallel()
	const jobs = 40
	done := make(chan int, 2*jobs)
	var all []job.Args
	for i := range jobs {
		all = append(all, counted{i})
	}
	enqueue(t, all...)
	a, b := newProcess(t), newProcess(t)
	for _, p := range []process{a, b} {
		job.Work(p.Workers, func(_ context.Context, c counted) error { done <- c.Number; return nil })
		p.start(t)
	}
	times := map[int]int{}
	for range jobs {
		times[await(t, done)]++
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := errors.Join(a.Stop(ctx), b.Stop(ctx)); err != nil {
		t.Fatal(err)
	}
	close(done)
	for more := range done {
		times[more]++
	}
	for i := range jobs {
		if times[i] != 1 {
			t.Errorf("job %d was done %d times", i, times[i])
		}
	}
}

func TestAJobOfATransactionThatFailsIsNotThere(t *testing.T) {
	t.Parallel()
	w := pgtest.Workspace(t)
	late := errors.New("too late")
	err := pgtest.DB(t).Workspace(t.Context(), w, pg.ReadWrite, func(tx *pg.Tx) error {
		if err := job.Enqueue(tx, undone{}); err != nil {
			return err
		}
		return late
	})
	if err == nil {
		t.Fatal("the transaction went through")
	}
	// A savepoint takes its jobs back, too, and leaves those around it.
	err = pgtest.DB(t).System(t.Context(), uuid.Nil, func(tx *pg.Tx) error {
		inner := tx.Savepoint(func(tx *pg.Tx) error {
			if err := job.Enqueue(tx, undone{}); err != nil {
				return err
			}
			return late
		})
		if !errors.Is(inner, late) {
			return fmt.Errorf("the savepoint answered %w", inner)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	states, err := newProcess(t).States(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range states {
		if s.Kind == (undone{}).Kind() {
			t.Errorf("there are %d jobs that are %s", s.Jobs, s.State)
		}
	}
}

func TestAJobThatFailsIsTriedAgainAndSeen(t *testing.T) {
	t.Parallel()
	p := newProcess(t)
	tries, goOn := make(chan int, 8), make(chan struct{})
	tried := 0
	job.Work(p.Workers, func(context.Context, failing) error {
		tried++
		tries <- tried
		if tried == 1 {
			return errors.New("the other side is down")
		}
		<-goOn
		return nil
	})
	p.start(t)
	enqueue(t, failing{})
	began := time.Now()
	if n := await(t, tries); n != 1 {
		t.Fatalf("try %d came first", n)
	}
	if n := p.metric(t, "driftless_job_seconds", "test.failing", "failed"); n != 1 {
		t.Errorf("%v failures are counted", n)
	}
	if n := await(t, tries); n != 2 {
		t.Fatalf("try %d came second", n)
	}
	if took := time.Since(began); took < 800*time.Millisecond {
		t.Errorf("it was tried again after %s", took)
	}
	if n := p.metric(t, "driftless_jobs", "test.failing", "running"); n != 1 {
		t.Errorf("%v are running", n)
	}
	close(goOn)
	if n := p.metric(t, "driftless_job_seconds", "test.failing", "done"); n != 1 {
		t.Errorf("%v are done", n)
	}
}

func TestAJobThatCannotSucceedIsGivenUp(t *testing.T) {
	t.Parallel()
	p := newProcess(t)
	tries := make(chan struct{}, 8)
	job.Work(p.Workers, func(context.Context, hopeless) error {
		tries <- struct{}{}
		return job.GiveUp(errors.New("there is no such place"))
	})
	p.start(t)
	enqueue(t, hopeless{})
	if n := p.metric(t, "driftless_jobs", "test.hopeless", "cancelled"); n != 1 {
		t.Errorf("%v are cancelled", n)
	}
	if n := p.metric(t, "driftless_job_seconds", "test.hopeless", "given_up"); n != 1 || len(tries) != 1 {
		t.Errorf("%v were given up after %d tries", n, len(tries))
	}
}

func TestOneProcessSchedulesForAll(t *testing.T) {
	t.Parallel()
	done, began := make(chan struct{}, 8), time.Now()
	for range 2 {
		p := newProcess(t)
		job.Work(p.Workers, func(context.Context, scheduled) error { done <- struct{}{}; return nil })
		job.Schedule(p.Workers, time.Hour, scheduled{})
		p.start(t)
	}
	await(t, done)
	var jobs int
	err := pgtest.DB(t).System(t.Context(), uuid.Nil, func(tx *pg.Tx) error {
		return tx.Store().Raw(`select count(*) from river_job where kind = 'test.scheduled' and created_at > ?`, began).Scan(&jobs).Error
	})
	if err != nil || jobs != 1 {
		t.Errorf("%d jobs were put down, %v", jobs, err)
	}
}

// A job that is cut off by the end of its process is not lost, and not counted against its tries.
func TestAJobThatStoppingCutsOffIsDoneByAnotherProcess(t *testing.T) {
	t.Parallel()
	began := make(chan struct{}, 1)
	first := newProcess(t)
	var once sync.Once
	job.Work(first.Workers, func(ctx context.Context, _ slow) error {
		once.Do(func() { began <- struct{}{} })
		<-ctx.Done()
		return ctx.Err()
	})
	first.start(t)
	enqueue(t, slow{})
	await(t, began)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := first.Stop(ctx); err != nil {
		t.Fatalf("it did not stop within 10 s: %v", err)
	}
	done := make(chan struct{}, 1)
	second := newProcess(t)
	job.Work(second.Workers, func(context.Context, slow) error { done <- struct{}{}; return nil })
	second.start(t)
	await(t, done)
}

func TestAJobHoldsNoMoreThanItsKindAndArguments(t *testing.T) {
	t.Parallel()
	enqueue(t, undoneLater{})
	var row string
	err := pgtest.DB(t).System(t.Context(), uuid.Nil, func(tx *pg.Tx) error {
		return tx.Store().Raw(`select args::text || metadata::text || tags::text from river_job where kind = 'test.later' limit 1`).Scan(&row).Error
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.ReplaceAll(row, " ", ""); got != `{}{}{}` {
		t.Errorf("it holds %s", got)
	}
}

type undoneLater struct{}

func (undoneLater) Kind() string { return "test.later" }
