// Command load measures the reads that clients do all day against their targets: on a private PostgreSQL that it starts, it fills
// databases with generated topics, starts the real binary on each, and asks it over MCP with OAuth access tokens, with one,
// eight and thirty-two clients at once. Beside it runs a floor, which is the same HTTP side, guard and protocol library around a
// tool that answers nothing, without a database. All calls have their turns in every round, another one first each time, so that
// whatever else the machine does meets all of them; ratios are taken within a round, and the median of them is judged.
//
// It owns the corpus, the rounds, the floor and the figures. It refuses to measure how topics are written: they are loaded as the
// rows that writing them leaves behind.
//
//	load -driftless bin/driftless
//	load -driftless bin/driftless -full
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
	full      bool
	rounds    int
	turn      time.Duration
	small     int // topics of a workspace of ordinary size
	large     int // topics of the workspace that is judged by Q2 and Q3
	many      int // workspaces
	seed      uint64
	noise     float64
	hold      bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var err error
	if len(os.Args) == 3 && os.Args[1] == "floor" {
		err = serveFloor(ctx, os.Args[2])
	} else {
		err = run(ctx, os.Args[1:], os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1) //nolint:gocritic // what is deferred only ends the listening for signals
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	p := plan{rounds: 5, turn: time.Second, small: 20, large: 10_000, many: 200}
	flags := flag.NewFlagSet("load", flag.ContinueOnError)
	flags.StringVar(&p.driftless, "driftless", "bin/driftless", "the binary under test")
	flags.BoolVar(&p.full, "full", false, "the sizes that the targets name: 100,000 topics, 10,000 workspaces, longer turns")
	rounds := flags.Int("rounds", 0, "in which each call has its turn with 1, 8 and 32 clients (default 5, full 9)")
	turn := flags.Duration("turn", 0, "how long each turn is (default 500ms, full 2s)")
	large := flags.Int("topics", 0, "topics of the large workspace (default 10000, full 100000)")
	many := flags.Int("workspaces", 0, "workspaces of the largest database (default 200, full 10000)")
	flags.IntVar(&p.small, "small", p.small, "topics of each other workspace")
	flags.Uint64Var(&p.seed, "seed", 7, "of the corpus")
	flags.Float64Var(&p.noise, "noise", 0.1, "share by which a figure may miss its target before the command fails")
	flags.BoolVar(&p.hold, "hold", false, "measure nothing: fill and start, print where, and wait for Ctrl-C, for a profiler")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if p.full {
		p.rounds, p.turn, p.large, p.many = 9, 2*time.Second, 100_000, 10_000
	}
	for set, to := range map[*int]*int{rounds: &p.rounds, large: &p.large, many: &p.many} {
		if *set > 0 {
			*to = *set
		}
	}
	if *turn > 0 {
		p.turn = *turn
	}
	var err error
	if p.driftless, err = filepath.Abs(p.driftless); err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "dl-load-")
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

// compare runs the servers on one database server, and stops all of them whatever happens.
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
	s, err := setTheScene(ctx, p, h)
	if err != nil {
		return err
	}
	ready := time.Since(began)
	if p.hold {
		s.hold(ctx, h.DSN, out)
		return nil
	}
	if err := measure(ctx, p, s.calls(), d.postmaster); err != nil {
		return err
	}
	return report(out, p, d, s, ready, time.Since(began))
}
