// Command mcpgo is an MCP client built on mcp-go alone, for the tests with real clients: it registers itself, signs in with PKCE
// over a loopback callback, and calls tools.
//
// It owns the conversation with the library, which leaves the order of the sign-in to the program, and speaks with the test that
// started it as package talk says. It refuses everything else, as its neighbour gosdk does.
//
//	mcpgo http://127.0.0.1:8080/mcp
//
// The end of stdin ends it.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"driftless/e2e/talk"
)

// name is what the consent page shows for this client.
const name = "Driftless e2e (mcp-go)"

func main() {
	if err := run(context.Background(), os.Args[1:], talk.With(os.Stdin, os.Stdout)); err != nil {
		fmt.Fprintln(os.Stderr, "mcpgo:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, test *talk.Test) (err error) {
	if len(args) != 1 {
		return errors.New("usage: mcpgo MCP-ADDRESS")
	}
	back, err := talk.Listen(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, back.Close()) }()
	session, err := client.NewOAuthStreamableHttpClient(args[0], client.OAuthConfig{
		RedirectURI: back.URL, TokenStore: client.NewMemoryTokenStore(), PKCEEnabled: true,
		HTTPClient: &http.Client{Transport: test.Watched(http.DefaultTransport)},
	})
	if err != nil {
		return fmt.Errorf("prepare the client: %w", err)
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	if err := session.Start(ctx); err != nil {
		return fmt.Errorf("start: %w", err)
	}
	hello := mcp.InitializeRequest{}
	hello.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	hello.Params.ClientInfo = mcp.Implementation{Name: "driftless-e2e", Version: "1"}
	server, err := session.Initialize(ctx, hello)
	if client.IsOAuthAuthorizationRequiredError(err) {
		if err := signIn(ctx, err, test, back); err != nil {
			return fmt.Errorf("sign in: %w", err)
		}
		server, err = session.Initialize(ctx, hello)
	}
	if err != nil {
		return fmt.Errorf("initialize: %w", err)
	}
	tools, err := session.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return fmt.Errorf("list the tools: %w", err)
	}
	ready := talk.Event{Event: "ready", Protocol: session.ProtocolVersion(), Server: server.ServerInfo.Name}
	for _, tool := range tools.Tools {
		ready.Tools = append(ready.Tools, tool.Name)
	}
	if err := test.Tell(ready); err != nil {
		return err
	}
	return test.Calls(func(c talk.Call) talk.Event { return call(ctx, session, c) })
}

// signIn does what the library's error asks for.
func signIn(ctx context.Context, required error, test *talk.Test, back *talk.Callback) error {
	oauth := client.GetOAuthHandler(required)
	verifier, err := client.GenerateCodeVerifier()
	if err != nil {
		return err
	}
	state, err := client.GenerateState()
	if err != nil {
		return err
	}
	if err := oauth.RegisterClient(ctx, name); err != nil {
		return err
	}
	address, err := oauth.GetAuthorizationURL(ctx, state, client.GenerateCodeChallenge(verifier))
	if err != nil {
		return err
	}
	if err := test.Tell(talk.Event{Event: "authorize", URL: address}); err != nil {
		return err
	}
	q, err := back.Wait(ctx)
	if err != nil {
		return err
	}
	return oauth.ProcessAuthorizationResponse(ctx, q.Get("code"), q.Get("state"), verifier)
}

func call(ctx context.Context, session *client.Client, c talk.Call) talk.Event {
	request := mcp.CallToolRequest{}
	request.Params.Name, request.Params.Arguments = c.Tool, c.Arguments
	answer, err := session.CallTool(ctx, request)
	if err != nil {
		return talk.Event{Error: err.Error()}
	}
	e := talk.Event{IsError: answer.IsError, Structured: answer.StructuredContent}
	for _, part := range answer.Content {
		if text, ok := part.(mcp.TextContent); ok {
			e.Text += text.Text
		}
	}
	return e
}
