package app

import (
	"context"
	"errors"
	"time"

	"driftless/internal/drift"
	"driftless/internal/drift/doctor"
	"driftless/internal/job"
	"driftless/internal/notice"
	"driftless/internal/op"
	"driftless/internal/publish"
	"driftless/internal/source"
	"driftless/internal/topic"
)

// sweepEvery is how often what has expired is removed.
const sweepEvery = time.Hour

// sweep is the job that removes expired sessions, ceremonies, links, addresses, notices, confirmations, requests, codes and tokens, remembered
// calls, questions, and clients that nobody used. It also has the doctor count once a day, and asks for the mirrors that are due.
type sweep struct{}

// Kind names the job.
func (sweep) Kind() string { return "sweep" }

// work says how each kind of job is done.
func (a *App) work() {
	job.Work(a.Jobs, func(ctx context.Context, _ sweep) error {
		return errors.Join(a.oauth.Sweep(ctx), a.asks.Sweep(ctx), a.Passkeys.Sweep(ctx),
			a.Accounts.Sweep(ctx, topic.Sweep, op.Sweep, drift.Sweep, notice.Sweep, publish.Sweep, doctor.Record, source.FetchDue))
	})
	a.Accounts.Work(a.Jobs)
	a.drift.Work(a.Jobs)
	a.fetch.Work(a.Jobs)
	job.Schedule(a.Jobs, sweepEvery, sweep{})
}
