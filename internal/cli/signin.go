package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// me is the answer to who is calling.
type me struct {
	Person struct {
		ID    string `json:"id"`
		Name  string `json:"name"`
		Email string `json:"email"`
	} `json:"person"`
	Via        string   `json:"via"`
	Client     string   `json:"client"`
	Scopes     []string `json:"scopes"`
	Workspaces []struct {
		Slug string `json:"slug"`
		Role string `json:"role"`
	} `json:"workspaces"`
}

func (c *client) loginCommand() *cobra.Command {
	fromStdin, onDevice := false, false
	cmd := &cobra.Command{
		Use: "login", Short: "Sign in to a server",
		Long: "Signs in and remembers it for this server in a file that only you can read. A browser opens, in which you choose what this\n" +
			"program may do. Without a browser here, --device shows a code that you enter in the browser of another machine.\n" +
			"--key-stdin takes an API key from standard input instead.",
		Example: "  driftless login\n  driftless login --device\n  driftless login --key-stdin < key.txt", Args: exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case fromStdin && onDevice:
				return usagef("use --device or --key-stdin, not both")
			case fromStdin:
				return c.login(cmd.Context())
			}
			return c.signIn(cmd.Context(), onDevice)
		},
	}
	cmd.Flags().BoolVar(&fromStdin, "key-stdin", false, "read an API key from standard input")
	cmd.Flags().BoolVar(&onDevice, "device", false, "show a code to enter in a browser elsewhere")
	return cmd
}

func (c *client) login(ctx context.Context) error {
	server, err := c.server()
	if err != nil {
		return err
	}
	key, err := bufio.NewReader(c.In).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read the key: %w", err)
	}
	if key = strings.TrimSpace(key); key == "" || strings.ContainsAny(key, " \t") {
		return usagef("standard input holds no API key")
	}
	// A key that does not work is not worth remembering.
	r, err := c.request(ctx, http.MethodGet, server+"/api/v1/workspaces", key, nil)
	if err != nil {
		return err
	}
	if _, err := c.send(r); err != nil {
		return err
	}
	if _, err := remember(ctx, server, credential{APIKey: key}); err != nil {
		return err
	}
	c.say("signed in to %s", server)
	return nil
}

func (c *client) logoutCommand() *cobra.Command {
	return &cobra.Command{
		Use: "logout", Short: "Sign out of a server",
		Long: "Forgets the sign-in on this machine and ends it on the server. An API key is only forgotten: it stays valid until it is\n" +
			"revoked with 'driftless key revoke'.", Args: exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error { return c.logout(cmd.Context()) },
	}
}

func (c *client) logout(ctx context.Context) error {
	server, err := c.server()
	if err != nil {
		return err
	}
	var had credential
	// A token that is being traded now would be remembered after it was forgotten.
	err = locked(ctx, errandRenew, server, func() (err error) {
		had, err = remember(ctx, server, credential{})
		return err
	})
	if err != nil {
		return err
	}
	if had == (credential{}) {
		c.say("nothing is remembered for %s", server)
		return nil
	}
	if had.Tokens != nil {
		if err := c.endTokens(ctx, server, *had.Tokens); err != nil {
			c.say("note: the server could not be told (%v); end the connection in the console", err)
		}
	}
	c.say("signed out of %s", server)
	return nil
}

// endTokens revokes a sign-in (RFC 7009): the refresh token takes everything with it.
func (c *client) endTokens(ctx context.Context, server string, t tokens) error {
	m, err := c.issuerOf(ctx, server)
	if err != nil {
		return err
	}
	return c.post(ctx, m.Revocation, url.Values{"client_id": {t.ClientID}, "token": {t.Refresh}}, &struct{}{})
}

// standing is what status prints.
type standing struct {
	URL        string   `json:"url"`
	Name       string   `json:"name"`
	Email      string   `json:"email"`
	Workspace  string   `json:"workspace"`
	Role       string   `json:"role"`
	Scopes     []string `json:"scopes"`
	Workspaces []string `json:"workspaces"`
	// SignedInBy is how this machine came by the credential.
	SignedInBy string `json:"signed_in_by"`
	// Expires is when the access token ends. It is renewed then, without a person, so that this is no end of the sign-in.
	Expires string `json:"renewed_after,omitempty"`
}

func (c *client) statusCommand() *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "Who you are, where, and what you may do", Args: exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error { return c.status(cmd.Context()) },
	}
}

func (c *client) status(ctx context.Context) error {
	server, err := c.server()
	if err != nil {
		return err
	}
	raw, err := c.call(ctx, http.MethodGet, "/api/v1/me", map[string]any{})
	if err != nil {
		return err
	}
	var who me
	if err := json.Unmarshal(raw, &who); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	s := standing{URL: server, Name: who.Person.Name, Email: who.Person.Email, Scopes: who.Scopes, Workspaces: []string{}}
	if s.SignedInBy, s.Expires, err = c.provenance(server); err != nil {
		return err
	}
	chosen := c.chosenWorkspace()
	for _, w := range who.Workspaces {
		s.Workspaces = append(s.Workspaces, w.Slug)
		if w.Slug == chosen || chosen == "" && len(who.Workspaces) == 1 {
			s.Workspace, s.Role = w.Slug, w.Role
		}
	}
	if chosen != "" && s.Workspace == "" {
		c.say("note: you are no member of the workspace %q", chosen)
	}
	return c.show(s)
}

// provenance says where the credential for a server comes from, and until when its access token lives.
func (c *client) provenance(server string) (by, expires string, err error) {
	if c.env("DRIFTLESS_API_KEY") != "" {
		return "DRIFTLESS_API_KEY", "", nil
	}
	known, err := loadCredentials()
	if err != nil {
		return "", "", err
	}
	has := known[server]
	if has.Tokens == nil {
		return "API key", "", nil
	}
	if !has.Tokens.Expires.IsZero() {
		expires = has.Tokens.Expires.Format(time.RFC3339)
	}
	return "browser", expires, nil
}
