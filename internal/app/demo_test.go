package app

import (
	"log/slog"
	"testing"

	"driftless/internal/config"
	"driftless/internal/op"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

// The demo shows the product by its own decisions, in every state there is, and a second start changes nothing.
func TestTheDemoHoldsEveryStateAndIsMadeOnce(t *testing.T) {
	t.Parallel()
	cfg := config.Config{Addr: "127.0.0.1:0", PublicURL: "http://127.0.0.1:1", DataDir: t.TempDir(), Calls: 1000, IndexBytes: 1 << 28}
	a, err := New(cfg, &Database{DB: pgtest.DB(t)}, slog.New(slog.DiscardHandler), "test")
	if err != nil {
		t.Fatal(err)
	}
	first, err := Demo(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	people := map[tenant.Role]tenant.Caller{}
	for _, p := range first.People {
		c, err := a.Accounts.Seat(t.Context(), p.Email, p.Password, DemoWorkspace, p.Role)
		if err != nil {
			t.Fatal(err)
		}
		people[p.Role] = c
	}
	d := demo{ctx: t.Context(), registry: a.Registry, people: people}
	shown := func(role tenant.Role, id string, args map[string]any) int {
		var page struct {
			Shown int `json:"shown"`
		}
		d.read(&page, role, id, args)
		return page.Shown
	}
	for status, least := range map[string]int{"reviewed": 25, "proposed": 3, "draft": 2, "archived": 1} {
		if n := shown(tenant.Owner, "topics.list", map[string]any{"status": status, "limit": 200}); n < least {
			t.Errorf("%d topics are %s, at least %d are wanted", n, status, least)
		}
	}
	if n := shown(tenant.Owner, "proposals.list", map[string]any{"kind": "edits"}); n != 1 {
		t.Errorf("%d suggested edits wait, want 1", n)
	}
	mine, others := shown(tenant.Member, "topics.list", map[string]any{"limit": 200}), shown(tenant.Owner, "topics.list", map[string]any{"limit": 200})
	if mine != others+1 {
		t.Errorf("the member sees %d topics and the owner %d: one is private", mine, others)
	}
	var rejected struct {
		Review struct{ State, Reason string } `json:"review"`
	}
	d.read(&rejected, tenant.Member, "topics.get", map[string]any{"topic": "cache-every-answer-for-a-minute"})
	if rejected.Review.State != "rejected" || rejected.Review.Reason == "" {
		t.Errorf("the rejected note says %+v", rejected.Review)
	}
	var chain struct {
		Entries int64 `json:"entries"`
	}
	d.read(&chain, tenant.Owner, "audit.verify", map[string]any{})
	if _, err := Demo(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	before := chain.Entries
	d.read(&chain, tenant.Owner, "audit.verify", map[string]any{})
	if d.err != nil {
		t.Fatal(d.err)
	}
	if chain.Entries != before {
		t.Errorf("a second start wrote %d events", chain.Entries-before)
	}
	if _, err := a.Registry.Call(t.Context(), people[tenant.Owner], op.Call{
		Operation: a.Registry.Operation("topics.get"), Arguments: map[string]any{"topic": "notes-about-the-first-sketch"},
	}); err == nil {
		t.Error("what is in the trash can be read")
	}
}
