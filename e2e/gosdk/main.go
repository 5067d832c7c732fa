// Command gosdk is an MCP client built on the Go SDK alone, for the end-to-end tests: it registers itself, signs in with PKCE
// over a loopback callback, and calls tools.
//
// It owns the conversation with the SDK and speaks with the test that started it as package talk says. It refuses everything
// that the SDK does not do by itself: it knows no route of the server but the MCP address, opens no browser, repairs no answer
// and imports nothing of the product, so that it fails where a client of somebody else would.
//
//	gosdk http://127.0.0.1:8080/mcp
//
// The end of stdin ends it.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"driftless/e2e/talk"
)

// name is what the consent page shows for this client.
const name = "Driftless e2e (Go SDK)"

func main() {
	if err := run(context.Background(), os.Args[1:], talk.With(os.Stdin, os.Stdout)); err != nil {
		fmt.Fprintln(os.Stderr, "gosdk:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, test *talk.Test) (err error) {
	if len(args) != 1 {
		return errors.New("usage: gosdk MCP-ADDRESS")
	}
	back, err := talk.Listen(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, back.Close()) }()
	oauth, err := auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{
			ClientName: name, RedirectURIs: []string{back.URL}, GrantTypes: []string{"authorization_code", "refresh_token"},
		}},
		RequestRefreshToken: true,
		Client:              &http.Client{Transport: test.Watched(http.DefaultTransport)},
		AuthorizationCodeFetcher: func(ctx context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
			if err := test.Tell(talk.Event{Event: "authorize", URL: args.URL}); err != nil {
				return nil, err
			}
			q, err := back.Wait(ctx)
			if err != nil {
				return nil, err
			}
			return &auth.AuthorizationResult{Code: q.Get("code"), State: q.Get("state"), Iss: q.Get("iss")}, nil
		},
	})
	if err != nil {
		return fmt.Errorf("prepare the sign-in: %w", err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "driftless-e2e", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: args[0], OAuthHandler: oauth}, nil)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	ready := talk.Event{Event: "ready", Protocol: session.InitializeResult().ProtocolVersion, Server: session.InitializeResult().ServerInfo.Name}
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			return fmt.Errorf("list the tools: %w", err)
		}
		ready.Tools = append(ready.Tools, tool.Name)
	}
	if err := test.Tell(ready); err != nil {
		return err
	}
	return test.Calls(func(c talk.Call) talk.Event { return call(ctx, session, c) })
}

func call(ctx context.Context, session *mcp.ClientSession, c talk.Call) talk.Event {
	answer, err := session.CallTool(ctx, &mcp.CallToolParams{Name: c.Tool, Arguments: c.Arguments})
	if err != nil {
		return talk.Event{Error: err.Error()}
	}
	e := talk.Event{IsError: answer.IsError, Structured: answer.StructuredContent}
	for _, part := range answer.Content {
		if text, ok := part.(*mcp.TextContent); ok {
			e.Text += text.Text
		}
	}
	return e
}
