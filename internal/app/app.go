// Package app owns the wiring: a configuration becomes a running server, and the parts are put together here and nowhere
// else.
//
// It refuses to decide anything that one of the parts could decide.
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"driftless/docs"
	"driftless/internal/account"
	"driftless/internal/ask"
	"driftless/internal/catalog"
	"driftless/internal/config"
	"driftless/internal/drift"
	"driftless/internal/drift/doctor"
	"driftless/internal/drift/fetch"
	"driftless/internal/event"
	"driftless/internal/evidence"
	"driftless/internal/exchange"
	"driftless/internal/job"
	"driftless/internal/label"
	"driftless/internal/leaked"
	"driftless/internal/mcpapi"
	"driftless/internal/oauth"
	"driftless/internal/obs"
	"driftless/internal/op"
	"driftless/internal/passkey"
	"driftless/internal/pg"
	"driftless/internal/pg/local"
	"driftless/internal/publish"
	"driftless/internal/question"
	"driftless/internal/restapi"
	"driftless/internal/retrieve"
	"driftless/internal/source"
	"driftless/internal/tenant"
	"driftless/internal/topic"
	"driftless/web"
)

// stopTimeout is how long requests under way may take after the server was asked to stop.
const stopTimeout = 10 * time.Second

// Database is an open database together with the private server behind it, where there is one.
type Database struct {
	*pg.DB
	private *local.Server
}

// OpenDatabase opens the configured database, or the private one in the data folder, and brings its schema up to date.
// With attach it joins a private server that another process runs, which is how commands work while the server does.
func OpenDatabase(ctx context.Context, c config.Config, log *slog.Logger, attach bool) (*Database, error) {
	var private *local.Server
	owner, application := c.DatabaseURL, ""
	if c.DatabaseURL == "" {
		start := local.Start
		if attach {
			start = local.StartOrAttach
		}
		var err error
		private, err = start(ctx, local.Options{DataDir: c.DataDir, BinDir: c.PostgresBin, Logger: log})
		if err != nil {
			return nil, err
		}
		owner, application = private.OwnerDSN(), private.AppDSN()
	}
	d := &Database{private: private}
	err := func() error {
		if private == nil {
			var err error
			if application, err = pg.PrepareExternal(ctx, owner); err != nil {
				return err
			}
		}
		if err := pg.Migrate(ctx, owner); err != nil {
			return err
		}
		var err error
		d.DB, err = pg.Open(ctx, application, log)
		return err
	}()
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// Close ends the connections and stops the private server, when it is ours.
func (d *Database) Close() error {
	if d.DB != nil {
		d.DB.Close()
	}
	if d.private == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	if err := d.private.Stop(ctx); err != nil {
		return fmt.Errorf("stop the private database: %w", err)
	}
	return nil
}

// done is closed when the private server ended by itself; without one it never is.
func (d *Database) done() <-chan struct{} {
	if d.private == nil {
		return nil
	}
	return d.private.Done()
}

// App is a server put together.
type App struct {
	Config   config.Config
	Log      *slog.Logger
	Database *Database
	Accounts *account.Service
	Passkeys *passkey.Service
	Topics   *topic.Service
	Registry *op.Registry
	Jobs     *job.Workers
	http     *restapi.Server
	oauth    *oauth.Server
	asks     *question.Service
	drift    *drift.Service
	fetch    *fetch.Service
	found    *retrieve.Service
}

// New puts a server together on an open database.
func New(c config.Config, db *Database, log *slog.Logger, version string) (*App, error) {
	if err := (leaked.Checker{File: c.LeakedFile}).Check(); err != nil {
		return nil, fmt.Errorf("DRIFTLESS_BREACHED_PASSWORDS: %w", err)
	}
	metrics := obs.NewMetrics()
	accounts := account.New(db.DB, c)
	passkeys, err := passkey.New(db.DB, accounts, c)
	if err != nil {
		return nil, err
	}
	topics := topic.New(db.DB, c)
	sources := source.New(c)
	found := retrieve.New(db.DB, c.IndexBytes, retrieve.WithObservation(log, metrics), retrieve.WithSnapshots(c.IndexDir, sync.OnceValue(thisBuild)), embedder(c))
	shares := publish.New(db.DB, c, found)
	a := &App{
		Config: c, Log: log, Database: db, Accounts: accounts, Passkeys: passkeys, Topics: topics,
		Jobs: job.NewWorkers(db.DB, log, metrics), asks: question.New(db.DB), drift: drift.New(db.DB), found: found,
		fetch: fetch.New(db.DB, sources, c),
	}
	metrics.WatchJobs(a.Jobs.States)
	server := oauth.New(db.DB, accounts, c, log, oauth.WithLimits(func(limit string, r *http.Request) error { return a.http.Limit(limit, r) }))
	services := catalog.Services{
		Account: accounts, Label: label.New(), Topic: topics, Evidence: evidence.New(), Doctor: doctor.New(), Retrieve: found,
		Exchange: exchange.New(topics), OAuth: server, Publish: shares, Ask: ask.New(topics, found),
		Source: sources, Drift: a.drift,
	}
	observe := func(o op.Observation) {
		metrics.Call(o.Operation, string(o.Via), string(o.Code), o.Took.Seconds())
		// What a program does with a credential is on the record; what a person does in the console is in the events.
		level := slog.LevelInfo
		if o.Via == tenant.ViaConsole {
			level = slog.LevelDebug
		}
		log.Log(context.Background(), level, "call", "operation", o.Operation, "via", o.Via, "workspace", o.Workspace, "person", o.Person,
			"credential", o.Credential, "code", o.Code, "took", o.Took, "request_id", o.RequestID)
	}
	public, err := op.NewRegistry(db.DB, catalog.PublicOperations(services), observe)
	if err != nil {
		return nil, err
	}
	registry, err := op.NewRegistry(db.DB, catalog.Operations(services), observe, op.WithBudget(func(actor tenant.Actor) error { return a.http.WorkspaceLimit(actor) }))
	if err != nil {
		return nil, err
	}
	a.Registry, a.oauth = registry, server
	callers := account.NewCallers(db.DB, func(secret string) (account.Lookup, bool) {
		if strings.HasPrefix(secret, account.KeyPrefix) {
			return accounts.KeyLookup(secret), true
		}
		return server.TokenLookup(secret), oauth.IsToken(secret)
	})
	a.http = restapi.New(restapi.Options{
		Config: c, Registry: registry, Public: public, Accounts: accounts, Passkeys: passkeys, Topics: topics, Shares: shares, Drift: a.drift, Metrics: metrics, Log: log, Bearer: callers.Find,
		Challenge: server.Challenge, Watch: event.NewWatch(db.DB).Join, Ready: db.Ping, Console: web.Files(), Manual: docs.Files, Version: version,
	})
	for _, r := range server.Routes() {
		a.http.Handle(r.Method, r.Path, r.Limit, r.Session, r.Handler)
	}
	endpoint, err := mcpapi.New(mcpapi.Options{
		Config: c, Registry: registry, Log: log, Version: version, Bearer: callers.Find, Recall: callers.Recall, Challenge: server.Challenge, Limit: a.http.CallLimit,
		Questions: a.asks, Outcome: topics.Outcome,
	})
	if err != nil {
		return nil, err
	}
	a.http.Handle("", "/mcp", "", false, endpoint)
	open, err := mcpapi.NewPublic(mcpapi.PublicOptions{
		Registry: public, Log: log, Version: version, Opened: shares.Opened, Limit: a.http.PublicLimit,
	})
	if err != nil {
		return nil, err
	}
	a.http.Handle("", mcpapi.PublicPath+"{workspace}", "", false, open)
	a.work()
	return a, nil
}

// Handler serves everything.
func (a *App) Handler() http.Handler { return boundBodies(a.http, bodyTimeout) }

// Listen takes the address of the configuration; an address that is taken is said in one sentence.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w; stop the other program or set DRIFTLESS_ADDR", address, err)
	}
	return l, nil
}

// Serve answers requests until ctx ends, then finishes those under way. It also ends when the private database does.
func (a *App) Serve(ctx context.Context, l net.Listener) error {
	servers := []*http.Server{{Handler: a.Handler(), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10}}
	servers[0].RegisterOnShutdown(a.asks.Stop)
	servers[0].RegisterOnShutdown(a.http.Stop)
	listeners := []net.Listener{l}
	if a.Config.AdminAddr != "" {
		admin, err := Listen(ctx, a.Config.AdminAddr)
		if err != nil {
			return err
		}
		defer func() { _ = admin.Close() }()
		mux := http.NewServeMux()
		mux.Handle("GET /metrics", a.http.MetricsHandler())
		servers = append(servers, &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second})
		listeners = append(listeners, admin)
	}
	if err := a.Jobs.Start(ctx); err != nil {
		return err
	}
	keeping, enough := context.WithCancel(ctx)
	var kept sync.WaitGroup
	kept.Go(func() { a.found.Keep(keeping) })
	failed := make(chan error, len(servers))
	for i, s := range servers {
		go func() { failed <- s.Serve(listeners[i]) }()
	}
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
	case <-a.Database.done():
		err = fmt.Errorf("the private database ended: %w", a.Database.private.Err())
	}
	a.Log.Info("stopping")
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	for _, s := range servers {
		err = errors.Join(err, s.Shutdown(stop))
	}
	// The database is closed after this function, so nothing may be left that uses it.
	err = errors.Join(err, a.Jobs.Stop(stop))
	enough()
	kept.Wait()
	a.found.Close(stop)
	return err
}
