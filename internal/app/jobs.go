package app

import (
	"context"
	"errors"
	"time"

	"driftless/internal/config"
	"driftless/internal/drift"
	"driftless/internal/drift/doctor"
	"driftless/internal/job"
	"driftless/internal/notice"
	"driftless/internal/op"
	"driftless/internal/publish"
	"driftless/internal/retrieve"
	"driftless/internal/retrieve/embedding"
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

// embedEvery is how often vectors of topics are looked after.
const embedEvery = time.Minute

// embed is the job that makes the vectors of topics that lack them.
type embed struct{}

// Kind names the job.
func (embed) Kind() string { return "retrieve.embed" }

// embedder is the endpoint of the configuration, or nothing.
func embedder(c config.Config) retrieve.Option {
	if c.EmbedURL == "" {
		return retrieve.WithEmbedder(nil)
	}
	return retrieve.WithEmbedder(embedding.New(c.EmbedURL, c.EmbedKey, c.EmbedModel))
}

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
	if a.Config.EmbedURL != "" {
		job.Work(a.Jobs, func(ctx context.Context, _ embed) error { return a.found.Embed(ctx) })
		job.Schedule(a.Jobs, embedEvery, embed{})
	}
}
