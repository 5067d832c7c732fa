// Command token measures the token endpoint beside those of two other authorization servers, ory/hydra and the oidc-provider of
// Node.js: codes are redeemed with PKCE, and what they give is refreshed once. All three keep what they issue in a database of
// their own on one private PostgreSQL, with as many connections each, and are asked by one load program over the loopback
// interface, in turn and in rounds, so that whatever else the machine does meets all of them.
//
// It owns the rounds, the load, the other servers and the figures. It refuses to measure how codes come about: they are fetched
// beforehand by each server's own authorization endpoint. And it knows nothing of ours but its addresses and its configuration.
//
//	token -driftless bin/driftless -hydra bin/hydra -provider bench/token/node -rounds 5
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"driftless/bench/process"
	"driftless/internal/pg/local"
)

// plan is what the flags say.
type plan struct {
	driftless string
	hydra     string
	provider  string
	rounds    int
	sequences int
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench-token:", err)
		os.Exit(1) //nolint:gocritic // what is deferred only ends the listening for signals
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	var p plan
	flags := flag.NewFlagSet("token", flag.ContinueOnError)
	flags.StringVar(&p.driftless, "driftless", "bin/driftless", "the binary under test")
	flags.StringVar(&p.hydra, "hydra", "bin/hydra", "the program of ory/hydra")
	flags.StringVar(&p.provider, "provider", "bench/token/node", "the folder of the server with oidc-provider")
	flags.IntVar(&p.rounds, "rounds", 5, "in which each server has its turn with one client and with eight")
	flags.IntVar(&p.sequences, "sequences", 200, "of code and refresh in one turn")
	if err := flags.Parse(args); err != nil {
		return err
	}
	for _, path := range []*string{&p.driftless, &p.hydra, &p.provider} {
		absolute, err := filepath.Abs(*path)
		if err != nil {
			return err
		}
		*path = absolute
	}
	folder, err := os.MkdirTemp("", "dl-token-")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	// The private database may run under another account, which has to pass through here.
	if err := os.Chmod(folder, 0o755); err != nil {
		return err
	}
	if err := compare(ctx, p, folder, out); err != nil {
		return fmt.Errorf("%w (logs in %s)", err, folder)
	}
	return os.RemoveAll(folder)
}

// compare runs the servers on one database, and stops all of them whatever happens.
func compare(ctx context.Context, p plan, folder string, out io.Writer) (err error) {
	began := time.Now()
	base, err := local.Start(ctx, local.Options{DataDir: filepath.Join(folder, "database"), Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	h := &process.House{Folder: folder, DSN: base.OwnerDSN()}
	defer func() {
		h.Stop()
		err = errors.Join(err, base.Stop(context.WithoutCancel(ctx)))
	}()
	d, err := readDatabase(ctx, h.DSN)
	if err != nil {
		return err
	}
	var servers []*contender
	for _, start := range []func(context.Context, plan, *process.House) (*contender, error){startDriftless, startHydra, startProvider} {
		s, err := start(ctx, p, h)
		if err != nil {
			return err
		}
		servers = append(servers, s)
	}
	if err := measure(ctx, p, servers, d.postmaster); err != nil {
		return err
	}
	return report(out, p, d, servers, time.Since(began))
}
