package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"driftless/bench/process"
	"driftless/internal/pg"
)

// unlimited is a rate limit that no load of one machine reaches.
const unlimited = 1_000_000_000

// instance is one server under load.
type instance struct {
	name    string
	url     string // of its endpoint
	process *process.Process
	spaces  []space
}

// startFloor starts this very program as the floor.
func startFloor(ctx context.Context, h *process.House) (*instance, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	addr, err := process.FreeAddr(ctx)
	if err != nil {
		return nil, err
	}
	running, err := h.Start(ctx, "floor", nil, self, "floor", addr)
	if err != nil {
		return nil, err
	}
	return &instance{name: "floor", url: "http://" + addr + "/mcp", process: running, spaces: []space{{token: floorToken}}},
		running.Answers(ctx, "http://"+addr+"/healthz")
}

// startDriftless makes a database, fills it, and starts the binary on it as it is, but for limits that no load of one address
// would pass.
func startDriftless(ctx context.Context, p plan, h *process.House, name string, sizes []int) (*instance, error) {
	dsn, err := createDatabase(ctx, h.DSN, name)
	if err != nil {
		return nil, err
	}
	if err := pg.Migrate(ctx, dsn); err != nil {
		return nil, err
	}
	addr, err := process.FreeAddr(ctx)
	if err != nil {
		return nil, err
	}
	s := &instance{name: name, url: "http://" + addr + "/mcp"}
	l, err := newLoader(ctx, dsn, s.url, p.seed)
	if err != nil {
		return nil, err
	}
	for n, topics := range sizes {
		at, err := l.workspace(ctx, "bench-"+strconv.Itoa(n), topics)
		if err != nil {
			return nil, err
		}
		s.spaces = append(s.spaces, at)
	}
	if err := l.close(ctx); err != nil {
		return nil, fmt.Errorf("fill %s: %w", name, err)
	}
	many := strconv.Itoa(unlimited)
	env := []string{
		"DRIFTLESS_ADDR=" + addr, "DRIFTLESS_DATABASE_URL=" + dsn, "DRIFTLESS_DATA_DIR=" + filepath.Join(h.Folder, name),
		"DRIFTLESS_LIMIT_CALLS=" + many, "DRIFTLESS_LIMIT_WORKSPACE=" + many, "DRIFTLESS_OFFLINE=true",
	}
	if s.process, err = h.Start(ctx, name, env, p.driftless, "serve"); err != nil {
		return nil, err
	}
	return s, s.process.Answers(ctx, "http://"+addr+"/readyz")
}
