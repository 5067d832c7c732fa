package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"driftless/internal/account"
	"driftless/internal/config"
	"driftless/internal/mcpapi"
	"driftless/internal/obs"
	"driftless/internal/op"
	"driftless/internal/passkey"
	"driftless/internal/question"
	"driftless/internal/restapi"
	"driftless/internal/tenant"
)

// floorTool answers nothing at all.
const floorTool = "empty"

// floorToken is the one credential of the floor, which knows it by heart.
const floorToken = "dat_floor"

// serveFloor is the floor: the product's own HTTP side (router, request ids, recovery, headers, rate limits), its guard and its
// protocol library, in a process of its own, around a tool that answers nothing. It has no database: the bearer is compared
// with a constant, and nothing is looked up.
func serveFloor(ctx context.Context, address string) error {
	c := config.Config{Addr: address, PublicURL: "http://" + address, Calls: unlimited, WorkspaceRate: unlimited}
	quiet := slog.New(slog.DiscardHandler)
	registry, err := op.NewRegistry(nil, nil, nil)
	if err != nil {
		return err
	}
	accounts := account.New(nil, c)
	passkeys, err := passkey.New(nil, accounts, c)
	if err != nil {
		return err
	}
	caller := tenant.Caller{Person: uuid.New(), Credential: uuid.New(), Scopes: tenant.Scopes()}
	bearer := func(_ context.Context, secret string) (tenant.Caller, bool, error) {
		return caller, secret == floorToken, nil
	}
	challenge := func(string, []tenant.Scope, string) string { return "Bearer" }
	web := restapi.New(restapi.Options{
		Config: c, Registry: registry, Public: registry, Accounts: accounts, Passkeys: passkeys, Metrics: obs.NewMetrics(), Log: quiet, Bearer: bearer,
		Challenge: challenge, Ready: func(context.Context) error { return nil },
	})
	s := server.NewMCPServer("floor", "0", server.WithToolCapabilities(false))
	s.AddTool(mcp.NewTool(floorTool), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("{}"), nil
	})
	endpoint, err := mcpapi.Endpoint(mcpapi.Options{
		Config: c, Registry: registry, Log: quiet, Bearer: bearer, Challenge: challenge, Limit: web.CallLimit, Questions: question.New(nil),
	}, s)
	if err != nil {
		return err
	}
	web.Handle("", "/mcp", "", false, endpoint)
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	serving := &http.Server{Handler: web, ReadHeaderTimeout: 10 * time.Second}
	stopped := context.AfterFunc(ctx, func() { _ = serving.Close() })
	defer stopped()
	if err := serving.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
