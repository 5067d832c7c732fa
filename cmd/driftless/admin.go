package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"driftless/internal/account"
	"driftless/internal/app"
	"driftless/internal/config"
	"driftless/internal/obs"
	"driftless/internal/tenant"
)

// person is what the commands below ask for.
type person struct {
	email, workspace, role string
	passwordStdin, json    bool
}

func (p *person) flags(c *cobra.Command) {
	c.Flags().StringVar(&p.email, "email", "", "e-mail address of the person")
	c.Flags().StringVar(&p.workspace, "workspace", "", "slug of the workspace")
	c.Flags().BoolVar(&p.passwordStdin, "password-stdin", false, "read the password from standard input")
	c.Flags().BoolVar(&p.json, "json", false, "print one JSON object")
	for _, name := range []string{"email", "workspace", "password-stdin"} {
		if err := c.MarkFlagRequired(name); err != nil {
			panic(err)
		}
	}
}

func (p *person) password(in io.Reader) (string, error) {
	line, err := bufio.NewReader(in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the password: %w", err)
	}
	return strings.TrimRight(line, "\r\n"), nil
}

func (p *person) print(out io.Writer, g account.Grant) error {
	if p.json {
		return json.NewEncoder(out).Encode(g)
	}
	_, err := fmt.Fprintf(out, "user       %s\nworkspace  %s\nAPI key    %s\n", g.UserID, g.Workspace, g.APIKey)
	return err
}

func adminCommand() *cobra.Command {
	c := &cobra.Command{Use: "admin", Short: "Administer the server's data, also while it runs"}
	c.AddCommand(bootstrapCommand(), memberCommand())
	return c
}

func bootstrapCommand() *cobra.Command {
	var p person
	c := &cobra.Command{
		Use: "bootstrap", Short: "Make an owner and their workspace; repeatable", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			password, err := p.password(cmd.InOrStdin())
			if err != nil {
				return err
			}
			return withAccounts(cmd.Context(), func(s *account.Service) error {
				g, err := s.Bootstrap(cmd.Context(), p.email, password, p.workspace)
				if err != nil {
					return err
				}
				return p.print(cmd.OutOrStdout(), g)
			})
		},
	}
	p.flags(c)
	return c
}

func memberCommand() *cobra.Command {
	var p person
	c := &cobra.Command{
		Use: "member", Short: "Add a person to a workspace, or change their role", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			password, err := p.password(cmd.InOrStdin())
			if err != nil {
				return err
			}
			return withAccounts(cmd.Context(), func(s *account.Service) error {
				g, err := s.Place(cmd.Context(), p.email, password, p.workspace, tenant.Role(p.role))
				if err != nil {
					return err
				}
				return p.print(cmd.OutOrStdout(), g)
			})
		},
	}
	p.flags(c)
	c.Flags().StringVar(&p.role, "role", "", "owner, admin, member or viewer")
	if err := c.MarkFlagRequired("role"); err != nil {
		panic(err)
	}
	return c
}

// withDatabase runs fn on the data folder or database of the environment, whether or not the server runs on it.
func withDatabase(ctx context.Context, fn func(config.Config, *app.Database) error) (err error) {
	cfg, err := config.FromEnviron()
	if err != nil {
		return err
	}
	db, err := app.OpenDatabase(ctx, cfg, obs.NewLogger(os.Stderr, cfg.LogFormat, "error"), true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return fn(cfg, db)
}

func withAccounts(ctx context.Context, fn func(*account.Service) error) error {
	return withDatabase(ctx, func(cfg config.Config, db *app.Database) error { return fn(account.New(db.DB, cfg)) })
}
