package label_test

import (
	"encoding/json"
	"testing"

	"driftless/internal/config"
	"driftless/internal/fault"
	"driftless/internal/label"
	"driftless/internal/op"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func call(t *testing.T, a tenant.Actor, id string, args map[string]any) (map[string]any, error) {
	t.Helper()
	reg, err := op.NewRegistry(pgtest.DB(t), label.New().Operations(), nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := reg.Call(t.Context(), a.Caller, op.Call{Operation: reg.Operation(id), Arguments: args})
	if err != nil {
		return nil, err
	}
	var out map[string]any
	if err := json.Unmarshal(r.JSON, &out); err != nil {
		t.Fatal(err)
	}
	return out, nil
}

func TestTagsHaveOneForm(t *testing.T) {
	t.Parallel()
	got, err := label.Tags([]string{"On Call", "on-call", " ON  call "})
	if err != nil || len(got) != 1 || got[0] != "on-call" {
		t.Errorf("tags = %v, %v", got, err)
	}
}

func TestAnAreaKeepsItsReviewersAndItsNameOnce(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	reviewer := pgtest.Person(t, owner, tenant.Admin)
	if _, err := call(t, owner, "areas.create", map[string]any{"name": "Ledger", "reviewers": []any{reviewer.Email}}); err != nil {
		t.Fatal(err)
	}
	if _, err := call(t, owner, "areas.create", map[string]any{"name": " LEDGER"}); !fault.Is(err, fault.CodeStateConflict) {
		t.Errorf("a second area of the name answered %v", err)
	}
	if _, err := call(t, owner, "areas.create", map[string]any{"name": "Vault", "reviewers": []any{"nobody@example.test"}}); !fault.Is(err, fault.CodeValidation) {
		t.Errorf("an unknown reviewer answered %v", err)
	}
	list, err := call(t, owner, "areas.list", map[string]any{})
	if err != nil {
		t.Fatal(err)
	}
	row := list["results"].([]any)[0].(map[string]any)
	if got := row["reviewers"].([]any); len(got) != 1 || got[0] != reviewer.Email {
		t.Errorf("reviewers = %v", got)
	}
}

func TestRenamingATagIntoAnotherMergesThem(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	for _, name := range []string{"one", "two"} {
		if _, err := call(t, owner, "tags.create", map[string]any{"name": name}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := call(t, owner, "tags.rename", map[string]any{"name": "one", "new_name": "Two"}); err != nil {
		t.Fatal(err)
	}
	list, err := call(t, owner, "tags.list", map[string]any{})
	if err != nil {
		t.Fatal(err)
	}
	if rows := list["results"].([]any); len(rows) != 1 || rows[0].(map[string]any)["name"] != "two" {
		t.Errorf("tags = %v", rows)
	}
}

func TestATagOfAPrivateNoteIsNotThereForOthers(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	author := pgtest.Person(t, owner, tenant.Member)
	topics, err := op.NewRegistry(pgtest.DB(t), topic.New(pgtest.DB(t), config.Config{}).Operations(), nil)
	if err != nil {
		t.Fatal(err)
	}
	run := func(id string, args map[string]any) map[string]any {
		t.Helper()
		r, err := topics.Call(t.Context(), author.Caller, op.Call{Operation: topics.Operation(id), Arguments: args})
		if err != nil {
			t.Fatal(err)
		}
		var out map[string]any
		if err := json.Unmarshal(r.JSON, &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	note := run("notes.add", map[string]any{"content": "Mine alone."})
	run("topics.update", map[string]any{"topic": note["slug"], "tags": []any{"zephyr"}})
	names := func(a tenant.Actor) int {
		list, err := call(t, a, "tags.list", map[string]any{})
		if err != nil {
			t.Fatal(err)
		}
		return len(list["results"].([]any))
	}
	if mine, others := names(author), names(owner); mine != 1 || others != 0 {
		t.Errorf("the author sees %d tags, somebody else %d", mine, others)
	}
	for _, id := range []string{"tags.rename", "tags.delete"} {
		args := map[string]any{"name": "zephyr"}
		if id == "tags.rename" {
			args["new_name"] = "other"
		}
		if _, err := call(t, owner, id, args); !fault.Is(err, fault.CodeNotFound) {
			t.Errorf("%s of a hidden tag answered %v", id, err)
		}
	}
}
