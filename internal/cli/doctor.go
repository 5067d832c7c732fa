package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/spf13/cobra"
)

// finding is one thing that was looked at.
type finding struct {
	Check  string `json:"check"`
	Result string `json:"result"` // ok or failed
	Detail string `json:"detail"`
}

func (c *client) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Find out why a client cannot connect",
		Long: "Looks at what an AI client needs, in its order: the server, the documents that lead to sign-in, the credential, and MCP.",
		Args: exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error { return c.diagnose(cmd.Context()) },
	}
}

func (c *client) diagnose(ctx context.Context) error {
	server, key, err := c.access()
	if err != nil {
		return err
	}
	var out struct {
		Results []finding `json:"results"`
	}
	var first error
	for _, check := range []struct {
		name string
		run  func() (string, error)
	}{
		{"server", func() (string, error) { return c.checkServer(ctx, server) }},
		{"protected resource", func() (string, error) { return c.checkResource(ctx, server) }},
		{"authorization server", func() (string, error) { return c.checkIssuer(ctx, server) }},
		{"credential", func() (string, error) { return c.checkCredential(ctx, server, key) }},
		{"mcp", func() (string, error) { return c.checkMCP(ctx, server, key) }},
	} {
		detail, err := check.run()
		f := finding{check.name, "ok", detail}
		if err != nil {
			f.Result, f.Detail = "failed", err.Error()
			if first == nil {
				first = err
			}
		}
		out.Results = append(out.Results, f)
		if err != nil && check.name == "server" {
			break
		}
	}
	if err := c.show(out); err != nil {
		return err
	}
	return first
}

// fetch reads a JSON document that needs no credential.
func (c *client) fetch(ctx context.Context, address string, into any) error {
	r, err := c.request(ctx, http.MethodGet, address, "", nil)
	if err != nil {
		return err
	}
	raw, err := c.send(r)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("%s is not JSON: a proxy may stand before the server: %w", address, err)
	}
	return nil
}

func (c *client) checkServer(ctx context.Context, server string) (string, error) {
	r, err := c.request(ctx, http.MethodGet, server+"/readyz", "", nil)
	if err != nil {
		return "", err
	}
	if _, err = c.send(r); err != nil {
		return "", err
	}
	return server + " is ready", nil
}

// checkResource reads the metadata of the protected resource (RFC 9728). Clients refuse one that names another address.
func (c *client) checkResource(ctx context.Context, server string) (string, error) {
	var doc struct {
		Resource string   `json:"resource"`
		Servers  []string `json:"authorization_servers"`
	}
	if err := c.fetch(ctx, server+"/.well-known/oauth-protected-resource/mcp", &doc); err != nil {
		return "", err
	}
	if doc.Resource != server+"/mcp" {
		return "", fmt.Errorf("the server calls itself %q, and clients that were given %s/mcp refuse that: set DRIFTLESS_PUBLIC_URL", doc.Resource, server)
	}
	return "sign in at " + strings.Join(doc.Servers, ", "), nil
}

// checkIssuer reads the metadata of the authorization server (RFC 8414), whose issuer must be where it was found.
func (c *client) checkIssuer(ctx context.Context, server string) (string, error) {
	var doc struct {
		Issuer string `json:"issuer"`
	}
	if err := c.fetch(ctx, server+"/.well-known/oauth-authorization-server", &doc); err != nil {
		return "", err
	}
	if strings.TrimRight(doc.Issuer, "/") != server {
		return "", fmt.Errorf("the issuer is %q and not %s: set DRIFTLESS_PUBLIC_URL", doc.Issuer, server)
	}
	return "issuer " + doc.Issuer, nil
}

func (c *client) checkCredential(ctx context.Context, server, key string) (string, error) {
	if key == "" {
		return "none on this machine; AI clients sign in by themselves", nil
	}
	r, err := c.request(ctx, http.MethodGet, server+"/api/v1/me", key, nil)
	if err != nil {
		return "", err
	}
	raw, err := c.send(r)
	if err != nil {
		return "", err
	}
	var who me
	if err := json.Unmarshal(raw, &who); err != nil {
		return "", fmt.Errorf("read who is calling: %w", err)
	}
	return fmt.Sprintf("%s, scopes %s", who.Person.Email, strings.Join(who.Scopes, " ")), nil
}

// checkMCP begins a session as a client does; without a credential the server must say where to sign in.
func (c *client) checkMCP(ctx context.Context, server, key string) (string, error) {
	body := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
		`"clientInfo":{"name":"driftless-cli","version":` + jsonText(c.Version) + `}}}`
	r, err := c.request(ctx, http.MethodPost, server+"/mcp", key, []byte(body))
	if err != nil {
		return "", err
	}
	r.Header.Set("Accept", "application/json, text/event-stream")
	if key == "" {
		w, err := c.http.Do(r)
		if err != nil {
			return "", unreachable(r.URL, err)
		}
		defer func() { _ = w.Body.Close() }()
		if !strings.Contains(w.Header.Get("WWW-Authenticate"), "resource_metadata") {
			return "", fmt.Errorf("a call without a credential answers %s without saying where to sign in", w.Status)
		}
		return "asks for sign-in as it should", nil
	}
	raw, err := c.send(r)
	if err != nil {
		return "", err
	}
	if !bytes.Contains(raw, []byte(`"protocolVersion"`)) {
		return "", fmt.Errorf("initialize did not answer with a protocol version: %.200s", raw)
	}
	return "initialize answers", nil
}
