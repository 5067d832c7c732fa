package exchange_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/config"
	"driftless/internal/exchange"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

type bench struct {
	t     *testing.T
	reg   *op.Registry
	owner tenant.Actor
}

func setup(t *testing.T) bench {
	t.Helper()
	db := pgtest.DB(t)
	topics := topic.New(db, config.Config{PublicURL: "http://console.test"})
	reg, err := op.NewRegistry(db, append(topics.Operations(), exchange.New(topics).Operations()...), nil)
	if err != nil {
		t.Fatal(err)
	}
	return bench{t, reg, pgtest.Workspace(t)}
}

func (b bench) call(a tenant.Actor, id string, args any, into any) error {
	b.t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		b.t.Fatal(err)
	}
	parsed, err := op.Arguments(raw)
	if err != nil {
		return err
	}
	r, err := b.reg.Call(b.t.Context(), a.Caller, op.Call{Operation: b.reg.Operation(id), Arguments: parsed})
	if err != nil {
		return err
	}
	return json.Unmarshal(r.JSON, into)
}

type object = map[string]any

func (b bench) apply(a tenant.Actor, in object) exchange.Report {
	b.t.Helper()
	var r exchange.Report
	if err := b.call(a, "imports.apply", in, &r); err != nil {
		b.t.Fatalf("imports.apply: %v (%v)", err, fault.From(err).Unwrap())
	}
	return r
}

func (b bench) do(a tenant.Actor, id string, in object) object {
	b.t.Helper()
	var out object
	if err := b.call(a, id, in, &out); err != nil {
		b.t.Fatalf("%s: %v (%v)", id, err, fault.From(err).Unwrap())
	}
	return out
}

func (b bench) get(slug string) object { return b.do(b.owner, "topics.get", object{"topic": slug}) }

func (b bench) edits() int {
	return int(b.do(b.owner, "proposals.list", object{"kind": "edits"})["shown"].(float64))
}

func drafts(list ...object) object { return object{"origin": "test", "drafts": list} }

func actions(r exchange.Report) string {
	parts := make([]string, 0, len(r.Results))
	for _, one := range r.Results {
		parts = append(parts, one.Action)
	}
	return strings.Join(parts, " ")
}

func want(t *testing.T, r exchange.Report, words string) {
	t.Helper()
	if got := actions(r); got != words {
		t.Fatalf("the import answered %q, want %q: %+v", got, words, r.Results)
	}
}

func TestAnImportMakesVisibleDraftsOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := drafts(
		object{"key": "docs/a.md", "title": "One", "what": "First.", "anchors": []string{"a/**", "{broken"}, "tags": []string{"Two Words"}, "area": "Store", "sources": []string{"docs/a.md"}},
		object{"key": "docs/b.md", "title": "One", "what": "Another of the same title."},
	)
	first := b.apply(b.owner, in)
	want(t, first, "created created")
	if notes := first.Results[0].Notes; len(notes) != 1 || !strings.Contains(notes[0], "{broken") {
		t.Errorf("the bad anchor is noted as %v", notes)
	}
	one := b.get("one")
	if one["trust"] != "draft" || one["is_private"] != false || one["area"] != "Store" {
		t.Errorf("the draft is %v", one)
	}
	if diff := cmp.Diff([]any{"a/**"}, one["anchors"]); diff != "" {
		t.Error(diff)
	}
	if first.Results[1].Slug != "one-2" {
		t.Errorf("the second of a title is %q", first.Results[1].Slug)
	}
	want(t, b.apply(b.owner, in), "unchanged unchanged")
	if again := b.get("one"); again["revision"] != one["revision"] {
		t.Errorf("the second import made revision %v", again["revision"])
	}
}

func TestAChangedFileChangesANoteAndKeepsWhatPeopleAdded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.apply(b.owner, drafts(object{"key": "a.md", "title": "Queue", "what": "Old.", "gotchas": []string{"from the file"}}))
	b.do(b.owner, "topics.update", object{"topic": "queue", "append_gotchas": []string{"from a person"}, "tags": []string{"filed"}})
	want(t, b.apply(b.owner, drafts(object{"key": "a.md", "title": "Queue", "what": "New.", "gotchas": []string{"from the file"}})), "updated")
	now := b.get("queue")
	if now["what"] != "New." {
		t.Errorf("what is %v", now["what"])
	}
	if diff := cmp.Diff([]any{"from the file", "from a person"}, now["gotchas"]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]any{"filed"}, now["tags"]); diff != "" {
		t.Error(diff)
	}
}

func TestAChangedFileSuggestsOneEditOfKnowledge(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.apply(b.owner, drafts(object{"key": "a.md", "title": "Rule", "what": "Old."}))
	b.do(b.owner, "topics.propose", object{"topic": "rule"})
	b.do(b.owner, "topics.approve", object{"topic": "rule"})
	known := b.get("rule")
	if known["trust"] != "reviewed" {
		t.Fatalf("trust is %v", known["trust"])
	}
	changed := drafts(object{"key": "a.md", "title": "Rule", "what": "New."})
	want(t, b.apply(b.owner, changed), "suggested")
	want(t, b.apply(b.owner, changed), "unchanged")
	if n := b.edits(); n != 1 {
		t.Errorf("%d edits are open", n)
	}
	if now := b.get("rule"); now["content_hash"] != known["content_hash"] || now["trust"] != "reviewed" {
		t.Errorf("Knowledge became %v", now)
	}
	want(t, b.apply(b.owner, drafts(object{"key": "a.md", "title": "Rule", "what": "Newer."})), "suggested")
	if n := b.edits(); n != 1 {
		t.Errorf("%d edits are open after another change", n)
	}
}

func TestADryRunSaysEverythingAndWritesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := drafts(object{"key": "a.md", "title": "Ghost", "area": "Nowhere"})
	in["dry_run"] = true
	want(t, b.apply(b.owner, in), "created")
	if list := b.do(b.owner, "topics.list", object{}); list["shown"] != 0.0 {
		t.Errorf("after a dry run there is %v", list["results"])
	}
	if events := b.do(b.owner, "events.list", object{}); events["shown"] != 0.0 {
		t.Errorf("after a dry run happened %v", events["results"])
	}
	want(t, b.apply(b.owner, in), "created")
}

func TestARefusedDraftLosesNoOther(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key := "AKIA" + "IOSFODNN7EXAMPLQ"
	r := b.apply(b.owner, drafts(
		object{"key": "before.md", "title": "Before"},
		object{"key": "leak.md", "title": "Leak", "content": "The key is " + key + "."},
		object{"key": "long.md", "title": strings.Repeat("x", 200)},
		object{"key": "odd.md", "title": "Odd", "solutions": []any{"not a solution"}},
		object{"key": "before.md", "title": "Twice"},
		object{"key": "after.md", "title": "After"},
	))
	want(t, r, "created failed failed failed failed created")
	if leak := r.Results[1]; leak.Key != "leak.md" || strings.Contains(leak.Error, key) || !strings.Contains(leak.Error, "secret") {
		t.Errorf("the leak is reported as %+v", leak)
	}
	if r.Counts["created"] != 2 || r.Counts["failed"] != 4 {
		t.Errorf("counts are %v", r.Counts)
	}
	b.get("before")
	b.get("after")
}

func TestRelationsAreResolvedWhenBothEndsAreThere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	link := object{"origin": "test", "links": []object{{"key": "adr/2.md", "relations": []object{
		{"to": "adr/1.md", "type": "supersedes"}, {"to": "adr/3.md", "type": "relates_to"},
	}}}}
	b.apply(b.owner, drafts(object{"key": "adr/2.md", "title": "Two"}))
	r := b.apply(b.owner, link)
	want(t, r, "unchanged")
	if len(r.Results[0].Notes) != 2 {
		t.Errorf("relations that lead nowhere yet are noted as %v", r.Results[0].Notes)
	}
	b.apply(b.owner, drafts(object{"key": "adr/1.md", "title": "One"}))
	want(t, b.apply(b.owner, link), "updated")
	want(t, b.apply(b.owner, link), "unchanged")
	outgoing := func() []any { return b.get("two")["relations"].(object)["outgoing"].([]any) }
	if out := outgoing(); len(out) != 1 || out[0].(object)["slug"] != "one" || out[0].(object)["type"] != "supersedes" {
		t.Fatalf("the relations are %v", out)
	}
	want(t, b.apply(b.owner, object{"origin": "test", "links": []object{{"key": "adr/2.md", "relations": []object{}}}}), "updated")
	if out := outgoing(); len(out) != 0 {
		t.Errorf("relations that left the file stay: %v", out)
	}
	want(t, b.apply(b.owner, object{"links": []object{{"key": "adr/2.md", "relations": []object{}}}}), "failed")
}

func TestAnExportedFileIsItsTopic(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.do(b.owner, "topics.create", object{"title": "Mine", "slug": "mine", "what": "Here.", "owners": []string{"@team"}})
	file := object{"key": "out/mine.md", "slug": "mine", "title": "Mine", "what": "Here.", "exported": true}
	want(t, b.apply(b.owner, drafts(file)), "unchanged")
	want(t, b.apply(b.owner, drafts(file)), "unchanged")
	if r := b.get("mine")["revision"]; r != 1.0 {
		t.Errorf("importing an export made revision %v", r)
	}
	file["what"] = "Elsewhere."
	want(t, b.apply(b.owner, drafts(file)), "updated")
	now := b.get("mine")
	if now["trust"] != "proposed" || now["what"] != "Elsewhere." || len(now["owners"].([]any)) != 1 {
		t.Errorf("the topic became %v", now)
	}
}

func TestAPersonsDeletionOutlivesTheNextImport(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := drafts(object{"key": "a.md", "title": "Gone"})
	b.apply(b.owner, in)
	b.do(b.owner, "topics.delete", object{"topic": "gone"})
	r := b.apply(b.owner, in)
	want(t, r, "unchanged")
	if len(r.Results[0].Notes) == 0 {
		t.Error("nobody is told that the topic is in the trash")
	}
}

func TestWorkspacesDoNotShareImports(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other := pgtest.Workspace(t)
	in := drafts(object{"key": "a.md", "title": "Mine", "what": "Ours."})
	want(t, b.apply(b.owner, in), "created")
	theirs := drafts(object{"key": "a.md", "title": "Theirs", "what": "Not ours."})
	want(t, b.apply(other, theirs), "created")
	want(t, b.apply(b.owner, in), "unchanged")
	want(t, b.apply(other, object{"origin": "test", "links": []object{{"key": "a.md", "relations": []object{{"to": "mine", "type": "relates_to"}}}}}), "unchanged")
}

func TestTreesOfTheSamePathsAreTwo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i, origin := range []string{"host/one", "host/two"} {
		r := b.apply(b.owner, object{"origin": origin, "drafts": []object{{"key": "AGENTS.md", "title": fmt.Sprintf("Tree %d", i)}}})
		want(t, r, "created")
	}
}

func TestChangingWhatIsThereNeedsTheScopeToWrite(t *testing.T) {
	t.Parallel()
	b := setup(t)
	author := pgtest.Person(t, b.owner, tenant.Member)
	author.Scopes = []tenant.Scope{tenant.ContextRead, tenant.TopicsCreate}
	first, second := object{"key": "a.md", "title": "First"}, object{"key": "b.md", "title": "Second"}
	want(t, b.apply(author, drafts(first, second)), "created created")
	// To relate what one has just imported belongs to creating it.
	linked := object{"origin": "test", "links": []object{{"key": "a.md", "relations": []object{{"to": "b.md", "type": "depends_on"}}}}}
	want(t, b.apply(author, linked), "updated")
	want(t, b.apply(author, drafts(first, second)), "unchanged unchanged")
	first["what"] = "Something else."
	var r exchange.Report
	for _, dry := range []bool{true, false} {
		in := drafts(first, object{"key": "c.md", "title": "Third"})
		in["dry_run"] = dry
		err := b.call(author, "imports.apply", in, &r)
		if e := fault.From(err); !fault.Is(err, fault.CodeInsufficientScope) || len(e.Allowed) != 1 || e.Allowed[0] != string(tenant.TopicsWrite) {
			t.Errorf("with dry_run %v it answered %v", dry, err)
		}
	}
	author.Scopes = append(author.Scopes, tenant.TopicsWrite)
	want(t, b.apply(author, drafts(first, object{"key": "c.md", "title": "Third"})), "updated created")
}

func TestAViewerImportsNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	viewer := pgtest.Person(t, b.owner, tenant.Viewer)
	var r exchange.Report
	if err := b.call(viewer, "imports.apply", drafts(object{"key": "a.md", "title": "No"}), &r); !fault.Is(err, fault.CodeInsufficientRole) {
		t.Errorf("a viewer's import answered %v", err)
	}
}

func TestTheSameTreeTwiceAtOnceMakesItsTopicsOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := drafts(
		object{"key": "docs/a.md", "title": "One", "area": "Store", "tags": []string{"x"}},
		object{"key": "docs/b.md", "title": "Two", "area": "Store"},
	)
	reports := make(chan exchange.Report, 4)
	for range cap(reports) {
		go func() {
			var r exchange.Report
			if err := b.call(b.owner, "imports.apply", in, &r); err != nil {
				t.Errorf("imports.apply: %v (%v)", err, fault.From(err).Unwrap())
			}
			reports <- r
		}()
	}
	counts := map[string]int{}
	for range cap(reports) {
		for action, n := range (<-reports).Counts {
			counts[action] += n
		}
	}
	if counts["created"] != 2 || counts["unchanged"] != 6 {
		t.Errorf("four imports of one tree answer %v", counts)
	}
	if shown := b.do(b.owner, "topics.list", object{})["shown"]; shown != 2.0 {
		t.Errorf("there are %v topics", shown)
	}
}
