package drift_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"driftless/internal/config"
	"driftless/internal/drift"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg/pgtest"
	"driftless/internal/source"
	"driftless/internal/source/repo"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

type args = map[string]any

// world is a server with one workspace.
type world struct {
	t     testing.TB
	reg   *op.Registry
	owner tenant.Actor
}

func setup(t testing.TB) world {
	t.Helper()
	db := pgtest.DB(t)
	ops := slices.Concat(topic.New(db, config.Config{PublicURL: "http://console.test"}).Operations(), source.New(config.Config{PublicURL: "http://console.test"}).Operations(), drift.New(db).Operations())
	reg, err := op.NewRegistry(db, ops, nil)
	if err != nil {
		t.Fatal(err)
	}
	return world{t, reg, pgtest.Workspace(t)}
}

func (w world) call(a tenant.Actor, id string, in any) (args, error) {
	w.t.Helper()
	encoded, err := json.Marshal(in)
	if err != nil {
		w.t.Fatal(err)
	}
	parsed, err := op.Arguments(encoded)
	if err != nil {
		return nil, err
	}
	r, err := w.reg.Call(w.t.Context(), a.Caller, op.Call{Operation: w.reg.Operation(id), Arguments: parsed})
	if err != nil {
		return nil, err
	}
	var out args
	if err := json.Unmarshal(r.JSON, &out); err != nil {
		w.t.Fatal(err)
	}
	return out, nil
}

func (w world) ok(a tenant.Actor, id string, in any) args {
	w.t.Helper()
	out, err := w.call(a, id, in)
	if err != nil {
		w.t.Fatalf("%s %v: %v (%v)", id, in, err, fault.From(err).Unwrap())
	}
	return out
}

func (w world) fails(a tenant.Actor, id string, in any, code fault.Code) *fault.Error {
	w.t.Helper()
	out, err := w.call(a, id, in)
	if !fault.Is(err, code) {
		w.t.Fatalf("%s %v answered %v, %v; want %s", id, in, out, err, code)
	}
	return fault.From(err)
}

// knowledge makes a topic that the owner approves.
func (w world) knowledge(title string, in args) string {
	w.t.Helper()
	in["title"] = title
	slug := w.ok(w.owner, "topics.create", in)["slug"].(string)
	w.ok(w.owner, "topics.approve", args{"topic": slug})
	return slug
}

func (w world) get(slug string) args {
	w.t.Helper()
	return w.ok(w.owner, "topics.get", args{"topic": slug})
}

func list(in args, field string) []args {
	var out []args
	items, _ := in[field].([]any)
	for _, item := range items {
		out = append(out, item.(args))
	}
	return out
}

func slugs(page args) []string {
	out := []string{}
	for _, r := range list(page, "results") {
		out = append(out, r["slug"].(string))
	}
	return out
}

const remote = "https://git.example.test/acme/shop.git"

func hexOf(n int) string { return fmt.Sprintf("%040x", n) }

// push is a sync of a commit with these files; the content of each is a number.
func push(t testing.TB, head int, files map[string]int, renames ...repo.Rename) args {
	t.Helper()
	var tree repo.Tree
	for path, content := range files {
		tree = append(tree, repo.File{Path: path, Blob: hexOf(content), Size: 1, Weight: 1})
	}
	slices.SortFunc(tree, func(a, b repo.File) int { return strings.Compare(a.Path, b.Path) })
	text, err := tree.Text()
	if err != nil {
		t.Fatal(err)
	}
	return args{"remote": remote, "branch": "main", "head": hexOf(head), "committed_at": time.Unix(int64(head), 0).UTC(), "files": text, "renames": renames}
}
