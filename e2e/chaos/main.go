// Command chaos shows that what can go wrong on the way signs nobody out and loses nothing that was acknowledged. It runs the
// binary under test as an operator would and is seen by it as the internet would be.
//
// It has two scenes. In the first, 200 clients in several processes share one refresh token, in front of two servers on one
// database, one of which is killed again and again, over a wire that drops, cuts, delays and repeats; then the refresh tokens
// are stolen, and each thief has to be caught. In the second, programs write while the server and its private database are
// killed, and every write that was acknowledged has to be there.
//
// It owns the wire, the clients, the thieves and the killing. It refuses to know anything of the server but its addresses, its
// configuration and its answers: there is no clock to turn and no door for tests. So time is not injected but scaled: an
// access token of five minutes with a grace of thirty lives three seconds with a grace of eighteen, which is the same ratio.
//
//	chaos -binary bin/driftless -seed 7 -for 60s
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// The scale: one second here is a hundred seconds of a deployment with access tokens of five minutes.
const (
	scale      = 100
	accessLife = 3 * time.Second
	grace      = 18 * time.Second
)

// plan is what the flags say.
type plan struct {
	binary    string
	seed      uint64
	clients   int
	processes int
	thefts    int
	crashes   int
	lasting   time.Duration
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "chaos:", err)
		os.Exit(1) //nolint:gocritic // what is deferred only ends the listening for signals
	}
}

func run(ctx context.Context, args []string, in io.Reader, out io.Writer) (err error) {
	if len(args) == 1 && args[0] == "clients" {
		return beClients(ctx, in, out)
	}
	var p plan
	flags := flag.NewFlagSet("chaos", flag.ContinueOnError)
	flags.StringVar(&p.binary, "binary", "bin/driftless", "the binary under test")
	flags.Uint64Var(&p.seed, "seed", rand.Uint64N(1_000_000), "of faults, kills and pauses")
	flags.IntVar(&p.clients, "clients", 200, "that share one refresh token")
	flags.IntVar(&p.processes, "processes", 8, "that the clients live in")
	flags.IntVar(&p.thefts, "thefts", 8, "of refresh tokens of others, beside the shared one")
	flags.IntVar(&p.crashes, "crashes", 6, "while programs write")
	flags.DurationVar(&p.lasting, "for", time.Minute, "how long the clients work")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if p.binary, err = filepath.Abs(p.binary); err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "dl-chaos-")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	// The private database may run under another account, which has to pass through here.
	if err := os.Chmod(folder, 0o755); err != nil {
		return err
	}
	began := time.Now()
	signedIn, err := stayingSignedIn(ctx, p, filepath.Join(folder, "tokens"))
	if err == nil {
		var written string
		if written, err = acknowledged(ctx, p, filepath.Join(folder, "writes")); err == nil {
			_, err = fmt.Fprintf(out, "chaos: seed %d: %s; %s; %.0f s\n", p.seed, signedIn, written, time.Since(began).Seconds())
		}
	}
	if err != nil {
		return fmt.Errorf("seed %d: %w (logs in %s)", p.seed, err, folder)
	}
	return errors.Join(err, os.RemoveAll(folder))
}
