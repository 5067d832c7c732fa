package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"driftless/internal/account"
	"driftless/internal/app"
	"driftless/internal/cli"
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
}

// check names every flag that is missing, before anything is started.
func (p *person) check(role bool) error {
	var missing []string
	for name, given := range map[string]bool{
		"--email": p.email != "", "--workspace": p.workspace != "", "--password-stdin": p.passwordStdin, "--role": !role || p.role != "",
	} {
		if !given {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	slices.Sort(missing)
	return cli.UsageError{Message: "required: " + strings.Join(missing, ", ")}
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
	c.AddCommand(bootstrapCommand(), memberCommand(), evalCommand())
	return c
}

func bootstrapCommand() *cobra.Command {
	var p person
	c := &cobra.Command{
		Use: "bootstrap", Short: "Make an owner and their workspace; repeatable", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := p.check(false); err != nil {
				return err
			}
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
			if err := p.check(true); err != nil {
				return err
			}
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
