// Driftless is the one binary: the server, its administration, the command line client and the stdio bridge.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"driftless/internal/cli"
	"driftless/internal/fault"
)

// version is set by the release build; otherwise the build information says which commit this is.
var version = ""

func main() {
	os.Exit(run())
}

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := cli.Root(cli.Options{Version: buildVersion(), In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	root.AddCommand(serveCommand(), adminCommand())
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	var usage cli.UsageError
	var known *fault.Error
	switch {
	case errors.As(err, &usage):
		fmt.Fprintln(os.Stderr, err)
		return 2
	case errors.As(err, &known):
		cli.PrintError(os.Stderr, known)
		// Here the operator is the one who reads: a fault of ours is told with its cause.
		if cause := known.Unwrap(); known.Kind == fault.Internal && cause != nil {
			fmt.Fprintln(os.Stderr, "  cause:", cause)
		}
		return known.Kind.ExitCode()
	}
	fmt.Fprintln(os.Stderr, "driftless:", err)
	return 1
}

func buildVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				return "dev-" + s.Value[:12]
			}
		}
	}
	return "dev"
}
