package job

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"

	"driftless/internal/obs"
	"driftless/internal/pg"
)

// Args is what a job knows: its kind, such as "mail.invitation", and ids in exported fields, which are kept as JSON.
type Args = river.JobArgs

// Enqueue puts a job down in the transaction of what caused it: it is there when the transaction is, or not at all. A worker
// takes it about a second after the commit.
func Enqueue(tx *pg.Tx, args Args) error {
	queue, err := tx.Queue()
	if err != nil {
		return fmt.Errorf("enqueue %s: %w", args.Kind(), err)
	}
	// A client that only inserts remembers nothing, and is made in two microseconds.
	client, err := river.NewClient(silent{riverdatabasesql.New(nil)}, &river.Config{MaxAttempts: attempts})
	if err != nil {
		return fmt.Errorf("prepare to enqueue %s: %w", args.Kind(), err)
	}
	if _, err := client.InsertTx(tx.Context(), queue, args, nil); err != nil {
		return fmt.Errorf("enqueue %s: %w", args.Kind(), err)
	}
	return nil
}

// silent sends no notification with a job. Nobody listens, and a transaction that notifies waits for every other that does.
type silent struct{ *riverdatabasesql.Driver }

// SupportsListenNotify is asked before a notification is sent.
func (silent) SupportsListenNotify() bool { return false }

// States counts the jobs that are not done, and those that were given up within the last week, by kind and state.
func (w *Workers) States(ctx context.Context) ([]obs.JobState, error) {
	var out []obs.JobState
	err := w.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		return tx.Store().Raw(`select kind, state::text as state, count(*) as jobs from river_job
			where state <> 'completed' group by kind, state order by kind, state`).Scan(&out).Error
	})
	if err != nil {
		return nil, fmt.Errorf("count the jobs: %w", err)
	}
	return out, nil
}
