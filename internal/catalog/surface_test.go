package catalog_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"driftless/internal/catalog"
	"driftless/internal/op"
)

var update = flag.Bool("update", false, "write the generated files")

// The surface is a committed file: what changes it is seen in a diff.
func TestTheSurfaceIsCommitted(t *testing.T) {
	t.Parallel()
	for path, generate := range map[string]func() ([]byte, error){
		"surface/catalog.json":           catalog.JSON,
		"surface/openapi.json":           catalog.OpenAPI,
		"../../docs/reference/tools.md":  catalog.ToolPages,
		"../../docs/reference/rest.md":   catalog.RESTPages,
		"../../docs/reference/cli.md":    catalog.CLIPages,
		"../../docs/reference/config.md": catalog.ConfigPage,
		"../../docs/reference/access.md": catalog.AccessPage,
	} {
		want, err := generate()
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if *update {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is out of date: run make gen, and say in CHANGELOG.md what changed (%v)", path, err)
		}
	}
}

// What a model reads of the tools costs tokens in every conversation: characters / 4, as the interface specification counts.
func TestTheToolsStayWithinTheirBudget(t *testing.T) {
	t.Parallel()
	reg, err := op.NewRegistry(nil, catalog.Operations(catalog.Services{}), nil)
	if err != nil {
		t.Fatal(err)
	}
	var everything, cores []map[string]any
	for _, tool := range reg.Tools() {
		seen := map[string]any{"name": tool.Name, "description": tool.Operations[0].Doc, "inputSchema": tool.InputSchema()}
		everything = append(everything, seen)
		if tool.Operations[0].Core {
			cores = append(cores, seen)
		}
	}
	tokens := func(tools []map[string]any) int {
		raw, err := op.Marshal(tools)
		if err != nil {
			t.Fatal(err)
		}
		return (len(raw) + 3) / 4
	}
	all, core := tokens(everything), tokens(cores)
	t.Logf("all tools %d tokens, core %d", all, core)
	if all > 6000 || core > 1875 {
		t.Errorf("all tools %d tokens (at most 6000), core %d (at most 1875)", all, core)
	}
}

func TestEveryOperationIsReachable(t *testing.T) {
	t.Parallel()
	routes, commands := map[string]string{}, map[string]string{}
	for _, e := range catalog.Entries() {
		route := e.Method + " " + e.Path
		if other := routes[route]; other != "" {
			t.Errorf("%s and %s share the route %s", e.ID, other, route)
		}
		routes[route] = e.ID
		if e.CLI == "" {
			t.Errorf("%s has no command", e.ID)
		}
		if other := commands[e.CLI]; other != "" {
			t.Errorf("%s and %s share the command %s", e.ID, other, e.CLI)
		}
		commands[e.CLI] = e.ID
		if !json.Valid([]byte(`"` + e.ID + `"`)) {
			t.Errorf("%q is no id", e.ID)
		}
	}
}
