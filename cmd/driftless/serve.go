package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"driftless/internal/app"
	"driftless/internal/config"
	"driftless/internal/obs"
)

func serveCommand() *cobra.Command {
	demo := false
	c := &cobra.Command{
		Use:   "serve",
		Short: "Run the server",
		Long: "Run the server. Without configuration it keeps a private PostgreSQL in the data folder and listens on 127.0.0.1:8080.\n" +
			"What can be configured is read from the environment; see docs/reference/config.md.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return serve(cmd.Context(), cmd.OutOrStdout(), demo) },
	}
	c.Flags().BoolVar(&demo, "demo", false, "also make a workspace with content, and print sign-ins")
	return c
}

func serve(ctx context.Context, out io.Writer, demo bool) (err error) {
	cfg, err := config.FromEnviron()
	if err != nil {
		return err
	}
	log := obs.NewLogger(os.Stderr, cfg.LogFormat, cfg.Log)
	// The address first: nothing is started for a port that is taken.
	listener, err := app.Listen(ctx, cfg.Addr)
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }()
	db, err := app.OpenDatabase(ctx, cfg, log, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	a, err := app.New(cfg, db, log, buildVersion())
	if err != nil {
		return err
	}
	if err := greet(ctx, out, a, demo); err != nil {
		return err
	}
	return a.Serve(ctx, listener)
}

// greet prints where to look, and for a server without any account how to make the first one.
func greet(ctx context.Context, out io.Writer, a *app.App, demo bool) error {
	url := a.Config.PublicURL
	if demo {
		d, err := app.Demo(ctx, a)
		if err != nil {
			return fmt.Errorf("make the demo workspace: %w", err)
		}
		_, _ = fmt.Fprint(out, d.String())
	}
	_, _ = fmt.Fprintf(out, "\nDriftless is running.\n  console  %s\n  MCP      %s/mcp\n", url, url)
	secret, err := a.Accounts.SetupLink(ctx)
	if err != nil {
		return err
	}
	if secret != "" {
		_, _ = fmt.Fprintf(out, "  set-up   %s/setup/%s\n           (works once, until there is an account)\n", url, secret)
	}
	return nil
}
