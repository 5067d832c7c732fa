package job

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"driftless/internal/obs"
	"driftless/internal/pg"
)

const (
	// attempts are 16 because the waits between them, the fourth power of the attempt in seconds, add up to two days: a mail
	// server that is down over a weekend costs nothing.
	attempts = 16
	// timeout is how long one attempt may take. A job whose process died is taken up again after abandoned.
	timeout   = 5 * time.Minute
	abandoned = 6 * time.Minute
	// softStop is what jobs under way are given when the server stops; the server itself has ten seconds.
	softStop = 5 * time.Second
	// poll is how often an idle process asks for jobs; cooldown bounds how often a busy one does.
	poll     = 2 * time.Second
	cooldown = 100 * time.Millisecond
	// parallel is how many jobs one process does at the same time.
	parallel = 4
)

// Workers do jobs in one process. Tell them the kinds with [Work] and [Schedule], then start them.
type Workers struct {
	db       *pg.DB
	log      *slog.Logger
	metrics  *obs.Metrics
	kinds    *river.Workers
	schedule []*river.PeriodicJob
	client   *river.Client[pgx.Tx]
}

// NewWorkers makes workers that know no kind yet.
func NewWorkers(db *pg.DB, log *slog.Logger, metrics *obs.Metrics) *Workers {
	return &Workers{db: db, log: log, metrics: metrics, kinds: river.NewWorkers()}
}

// Work says how jobs of a kind are done. What do answers as an error is kept with the job and logged, so it names no address
// and quotes no text. A kind that has its work already is a mistake in the wiring, and panics.
func Work[A Args](w *Workers, do func(context.Context, A) error) {
	river.AddWorker(w.kinds, river.WorkFunc(func(ctx context.Context, j *river.Job[A]) error { return do(ctx, j.Args) }))
}

// Schedule puts a job down when a process begins to schedule, and then at this interval; never one while the one before it
// is not done. All processes of a database together have one schedule.
func Schedule(w *Workers, every time.Duration, args Args) {
	options := &river.InsertOpts{UniqueOpts: river.UniqueOpts{ByState: []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning, rivertype.JobStateRetryable, rivertype.JobStateScheduled,
	}}}
	w.schedule = append(w.schedule, river.NewPeriodicJob(river.PeriodicInterval(every),
		func() (river.JobArgs, *river.InsertOpts) { return args, options }, &river.PeriodicJobOpts{RunOnStart: true}))
}

// GiveUp marks an error that another attempt would only repeat.
func GiveUp(err error) error { return river.JobCancel(err) }

// Later puts a job off that cannot be done yet; it counts as no attempt.
func Later(wait time.Duration) error { return river.JobSnooze(wait) }

// Start begins to take jobs, until ctx ends or [Workers.Stop] is called. Nothing is held beside the connections of a moment,
// so a pooler in transaction mode may stand before the database: jobs are asked for instead of listened for.
func (w *Workers) Start(ctx context.Context) error {
	client, err := river.NewClient(riverpgxv5.New(w.db.Queue()), &river.Config{
		Workers: w.kinds, PeriodicJobs: w.schedule, Queues: map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: parallel}},
		Middleware: []rivertype.Middleware{river.WorkerMiddlewareFunc(w.observe)}, Logger: obs.Quiet(w.log),
		PollOnly: true, FetchPollInterval: poll, FetchCooldown: cooldown,
		MaxAttempts: attempts, JobTimeout: timeout, RescueStuckJobsAfter: abandoned, SoftStopTimeout: softStop,
		// A process of an older version leaves what it does not know to newer ones.
		FetchOnlyKnownKinds: true,
		// Only an owner could rebuild an index, and the application is none.
		ReindexerIndexNames: []string{},
	})
	if err != nil {
		return fmt.Errorf("prepare the workers: %w", err)
	}
	if err := client.Start(ctx); err != nil {
		return fmt.Errorf("start the workers: %w", err)
	}
	w.client = client
	return nil
}

// Stop takes no more jobs and waits for those under way; after 5 s their contexts end, and they are tried again later. It
// answers an error when some are left when ctx ends.
func (w *Workers) Stop(ctx context.Context) error {
	if w.client == nil {
		return nil
	}
	if err := w.client.Stop(ctx); err != nil {
		return fmt.Errorf("stop the workers: %w", err)
	}
	return nil
}

// observe counts and logs an attempt.
func (w *Workers) observe(ctx context.Context, row *rivertype.JobRow, do func(context.Context) error) (err error) {
	began, outcome := time.Now(), "failed"
	defer func() { w.metrics.Job(row.Kind, outcome, time.Since(began).Seconds()) }()
	err = do(ctx)
	var cancelled *river.JobCancelError
	var later *river.JobSnoozeError
	switch {
	case err == nil:
		outcome = "done"
		return nil
	case errors.As(err, &later):
		outcome = "later"
		return err
	case errors.As(err, &cancelled), row.Attempt >= row.MaxAttempts:
		outcome = "given_up"
	}
	w.log.Warn("job failed", "kind", row.Kind, "job", row.ID, "attempt", row.Attempt, "outcome", outcome, "error", err)
	return err
}
