package topic

import (
	"encoding/json"
	"slices"
	"testing"

	"driftless/internal/config"
	"driftless/internal/fault"
	"driftless/internal/label"
	"driftless/internal/notice"
	"driftless/internal/op"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

type bench struct {
	t      *testing.T
	reg    *op.Registry
	owner  tenant.Actor
	topics *Service
}

func setup(t *testing.T) bench {
	t.Helper()
	db := pgtest.DB(t)
	topics := New(db, config.Config{PublicURL: "http://console.test"})
	reg, err := op.NewRegistry(db, slices.Concat(topics.Operations(), label.New().Operations(), notice.Operations()), nil)
	if err != nil {
		t.Fatal(err)
	}
	return bench{t, reg, pgtest.Workspace(t), topics}
}

func (b bench) call(a tenant.Actor, id string, args map[string]any) (map[string]any, error) {
	b.t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		b.t.Fatal(err)
	}
	parsed, err := op.Arguments(raw)
	if err != nil {
		return nil, err
	}
	r, err := b.reg.Call(b.t.Context(), a.Caller, op.Call{Operation: b.reg.Operation(id), Arguments: parsed, Limit: 50 << 10})
	if err != nil {
		return nil, err
	}
	var out map[string]any
	if err := json.Unmarshal(r.JSON, &out); err != nil {
		b.t.Fatal(err)
	}
	return out, nil
}

func (b bench) ok(a tenant.Actor, id string, args map[string]any) map[string]any {
	b.t.Helper()
	out, err := b.call(a, id, args)
	if err != nil {
		b.t.Fatalf("%s %v: %v (%v)", id, args, err, fault.From(err).Unwrap())
	}
	return out
}

func (b bench) fails(a tenant.Actor, id string, args map[string]any, code fault.Code) *fault.Error {
	b.t.Helper()
	out, err := b.call(a, id, args)
	if !fault.Is(err, code) {
		b.t.Fatalf("%s %v answered %v, %v; want %s", id, args, out, err, code)
	}
	return fault.From(err)
}

func via(a tenant.Actor, v tenant.Via) tenant.Actor {
	a.Caller.Via = v
	return a
}

func TestANoteBecomesKnowledgeByAPersonAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	member := pgtest.Person(t, b.owner, tenant.Member)
	agent := via(b.owner, tenant.ViaMCP)
	note := b.ok(via(member, tenant.ViaMCP), "notes.add", map[string]any{"content": "The staging queue drops messages above 64 KB.\n\nSeen twice."})
	slug := note["slug"].(string)
	if note["trust"] != "draft" || note["is_private"] != true {
		t.Fatalf("a note is %v, private %v", note["trust"], note["is_private"])
	}
	b.fails(b.owner, "topics.get", map[string]any{"topic": slug}, fault.CodeNotFound)
	b.fails(b.owner, "topics.propose", map[string]any{"topic": slug}, fault.CodeNotFound)
	b.ok(member, "topics.propose", map[string]any{"topic": slug})
	asked := b.ok(agent, "topics.approve", map[string]any{"topic": slug})
	if asked["status"] != "awaiting_confirmation" {
		t.Fatalf("approve by an agent answered %v", asked)
	}
	if got := b.ok(agent, "topics.get", map[string]any{"topic": slug})["trust"]; got != "proposed" {
		t.Fatalf("trust after an agent asked = %v", got)
	}
	done := b.ok(b.owner, "topics.approve", map[string]any{"topic": slug})
	if done["status"] != "approved" {
		t.Fatalf("approve in the console answered %v", done)
	}
	got := b.ok(agent, "topics.get", map[string]any{"topic": slug})
	if got["trust"] != "reviewed" {
		t.Errorf("trust = %v", got["trust"])
	}
}

func TestAnEditOfKnowledgeIsSuggestedAndMerged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	member := pgtest.Person(t, b.owner, tenant.Member)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Queue", "what": "One.", "gotchas": []string{"A."}})
	b.ok(b.owner, "topics.approve", map[string]any{"topic": "queue"})
	edit := b.ok(member, "topics.update", map[string]any{"topic": "queue", "append_gotchas": []string{"B."}})
	if edit["applied"] != "suggested_edit" {
		t.Fatalf("applied = %v", edit["applied"])
	}
	again := b.ok(member, "topics.update", map[string]any{"topic": "queue", "append_gotchas": []string{"C."}})
	if again["proposal_id"] != edit["proposal_id"] {
		t.Errorf("a second call opened another edit")
	}
	if rows := b.ok(b.owner, "proposals.list", map[string]any{"kind": "edits"})["results"].([]any); len(rows) != 1 {
		t.Errorf("the queue has %d edits", len(rows))
	}
	b.ok(b.owner, "edits.merge", map[string]any{"proposal": edit["proposal_id"]})
	got := b.ok(b.owner, "topics.get", map[string]any{"topic": "queue"})
	if list := got["gotchas"].([]any); len(list) != 3 || got["trust"] != "reviewed" {
		t.Errorf("after the merge: gotchas %v, trust %v", list, got["trust"])
	}
}

func TestAStaleBaseWritesNothingAndSaysWhatChanged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Editable", "what": "Old."})
	b.ok(b.owner, "topics.update", map[string]any{"topic": "editable", "what": "New.", "base_revision": 1})
	e := b.fails(b.owner, "topics.update", map[string]any{"topic": "editable", "what": "Late.", "base_revision": 1}, fault.CodeStaleBase)
	if e.Changes == nil {
		t.Error("no changes_since_base")
	}
	// A revision that only moved the status does not make a base stale.
	b.ok(b.owner, "topics.withdraw", map[string]any{"topic": "editable"})
	b.ok(b.owner, "topics.update", map[string]any{"topic": "editable", "what": "Newer.", "base_revision": 2})
}

func TestArchiveAndTrashComeBackButNeverAsKnowledge(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Put away", "what": "Words."})
	b.ok(b.owner, "topics.approve", map[string]any{"topic": "put-away"})
	for _, way := range [][2]string{{"topics.archive", "topics.archive"}, {"topics.delete", "topics.recover"}} {
		b.ok(b.owner, way[0], map[string]any{"topic": "put-away"})
		args := map[string]any{"topic": "put-away"}
		if way[1] == "topics.archive" {
			args["restore"] = true
		}
		b.ok(b.owner, way[1], args)
		got := b.ok(b.owner, "topics.get", map[string]any{"topic": "put-away"})
		if got["trust"] != "proposed" || got["what"] != "Words." {
			t.Errorf("after %s: trust %v, what %v", way[1], got["trust"], got["what"])
		}
	}
}

func TestRelationsAnswerOneByOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Base"})
	got := b.ok(b.owner, "topics.create", map[string]any{"title": "Other", "what": "See [[base]] and [[nowhere]].", "rels": []any{
		map[string]any{"to": "base", "type": "depends_on"}, map[string]any{"to": "ghost", "type": "blocks"},
	}})
	results := got["relation_results"].([]any)
	if results[0].(map[string]any)["ok"] != true || results[1].(map[string]any)["ok"] != false {
		t.Errorf("relation results = %v", results)
	}
	rel := b.ok(b.owner, "topics.relations", map[string]any{"topic": "base"})
	if in := rel["incoming"].([]any); len(in) != 1 || in[0].(map[string]any)["type"] != "dependency_of" {
		t.Errorf("incoming = %v", in)
	}
}
