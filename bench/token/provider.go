package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"

	"driftless/bench/process"
)

// startProvider runs the server in the folder node: oidc-provider with an adapter for PostgreSQL, in one process
// for each processor.
func startProvider(ctx context.Context, p plan, h *process.House) (*contender, error) {
	dsn, err := createDatabase(ctx, h.DSN, "provider")
	if err != nil {
		return nil, err
	}
	at, err := url.Parse(dsn)
	if err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(filepath.Join(p.provider, "node_modules", "oidc-provider", "package.json"))
	if err != nil {
		return nil, fmt.Errorf("the packages of %s are not installed: %w", p.provider, err)
	}
	var described struct{ Version string }
	if err := json.Unmarshal(raw, &described); err != nil {
		return nil, err
	}
	addr, err := process.FreeAddr(ctx)
	if err != nil {
		return nil, err
	}
	env := []string{
		"NODE_ENV=production", "POOL=" + strconv.Itoa(connections()), "PORT=" + port(addr), "PGUSER=" + at.User.Username(), "PGDATABASE=provider",
		"PGHOST=" + at.Query().Get("host"), "PGPORT=" + at.Query().Get("port"),
	}
	running, err := h.Start(ctx, "provider", env, "node", filepath.Join(p.provider, "server.mjs"))
	if err != nil {
		return nil, err
	}
	issuer := "http://" + addr
	s := &contender{name: "oidc-provider", version: "v" + described.Version, token: issuer + "/token", dsn: dsn, process: running}
	if err := running.Answers(ctx, issuer+"/.well-known/openid-configuration"); err != nil {
		return nil, err
	}
	client, err := register(ctx, issuer+"/reg", "read")
	if err != nil {
		return nil, err
	}
	s.authorize = func(ctx context.Context) (ticket, error) {
		t, query := ask(client, "read")
		b, err := browser() // a new person each time, who is asked
		if err != nil {
			return t, err
		}
		where, err := follow(ctx, b, issuer+"/auth?"+query.Encode(), redirect)
		if err != nil {
			return t, err
		}
		return t.with(where)
	}
	return s, nil
}
