package label_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"driftless/internal/config"
	"driftless/internal/fault"
	"driftless/internal/label"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func call(t *testing.T, a tenant.Actor, id string, args map[string]any) (map[string]any, error) {
	t.Helper()
	db := pgtest.DB(t)
	reg, err := op.NewRegistry(db, append(topic.New(db, config.Config{}).Operations(), label.New().Operations()...), nil)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := op.Arguments(raw)
	if err != nil {
		return nil, err
	}
	r, err := reg.Call(t.Context(), a.Caller, op.Call{Operation: reg.Operation(id), Arguments: parsed})
	if err != nil {
		return nil, err
	}
	var out map[string]any
	if err := json.Unmarshal(r.JSON, &out); err != nil {
		t.Fatal(err)
	}
	return out, nil
}

// do is a call that must succeed.
func do(t *testing.T, a tenant.Actor, id string, args map[string]any) map[string]any {
	t.Helper()
	out, err := call(t, a, id, args)
	if err != nil {
		t.Fatalf("%s: %v (%v)", id, err, fault.From(err).Unwrap())
	}
	return out
}

// tagged is the slug of a private note of an actor with this tag.
func tagged(t *testing.T, a tenant.Actor, tag string) string {
	t.Helper()
	slug := do(t, a, "notes.add", map[string]any{"content": "Mine alone: " + tag})["slug"].(string)
	do(t, a, "topics.update", map[string]any{"topic": slug, "tags": []any{tag}})
	return slug
}

// tagsOf are the tags of a topic.
func tagsOf(t *testing.T, a tenant.Actor, slug string) []any {
	t.Helper()
	return do(t, a, "topics.get", map[string]any{"topic": slug})["tags"].([]any)
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
	tagged(t, author, "zephyr")
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

func TestRenamingATagReachesThePrivateDraftsOfOthers(t *testing.T) {
	t.Parallel()
	for name, target := range map[string]string{"onto a new name": "fresh", "onto a tag that is there": "known", "onto a tag of a private draft": "hidden"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			owner := pgtest.Workspace(t)
			author := pgtest.Person(t, owner, tenant.Member)
			for _, tag := range []string{"old", "known"} {
				do(t, owner, "tags.create", map[string]any{"name": tag, "description": "Of " + tag})
			}
			mine, other := tagged(t, author, "old"), tagged(t, author, "hidden")
			seq := seqOf(t, author, mine)
			do(t, owner, "tags.rename", map[string]any{"name": "old", "new_name": target})
			if got := tagsOf(t, author, mine); len(got) != 1 || got[0] != target {
				t.Errorf("the private draft has the tags %v", got)
			}
			if got := tagsOf(t, author, other); len(got) != 1 || got[0] != "hidden" {
				t.Errorf("the other one has the tags %v", got)
			}
			if seqOf(t, author, mine) == seq {
				t.Error("indexes are not told")
			}
			// Who renames reads the same whether somebody hid the name or nobody had it: a tag of no topic that they see.
			rows := do(t, owner, "tags.list", map[string]any{})["results"].([]any)
			for _, row := range rows {
				if row := row.(map[string]any); row["name"] == target && row["count"] == 0.0 && row["description"] != nil {
					return
				}
			}
			t.Errorf("after renaming: %v", rows)
		})
	}
}

func TestATagOrAreaThatGoesTellsTheIndexesOfPrivateDraftsToo(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	author := pgtest.Person(t, owner, tenant.Member)
	do(t, owner, "tags.create", map[string]any{"name": "old"})
	do(t, owner, "areas.create", map[string]any{"name": "Vault"})
	slug := tagged(t, author, "old")
	do(t, author, "topics.update", map[string]any{"topic": slug, "area": "Vault"})
	for _, step := range []struct {
		id   string
		args map[string]any
	}{
		{"areas.update", map[string]any{"name": "Vault", "new_name": "Safe"}},
		{"areas.delete", map[string]any{"name": "Safe"}},
		{"tags.delete", map[string]any{"name": "old"}},
	} {
		before := seqOf(t, author, slug)
		do(t, owner, step.id, step.args)
		if seqOf(t, author, slug) == before {
			t.Errorf("%s does not tell", step.id)
		}
	}
	if got := tagsOf(t, author, slug); len(got) != 0 {
		t.Errorf("tags = %v", got)
	}
}

// seqOf is the place of a topic in the sequence of its workspace, read as its author.
func seqOf(t *testing.T, a tenant.Actor, slug string) int64 {
	t.Helper()
	var seq int64
	err := pgtest.DB(t).Workspace(t.Context(), a, pg.ReadOnly, func(tx *pg.Tx) error {
		return tx.Store().Raw(`select seq from topic where workspace_id = ? and slug = ?`, a.Workspace, slug).Scan(&seq).Error
	})
	if err != nil {
		t.Fatal(err)
	}
	return seq
}

func TestAnAreaMadeTwiceAtOnceIsMadeOnce(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	errs := make(chan error, 4)
	for range cap(errs) {
		go func() {
			_, err := call(t, owner, "areas.create", map[string]any{"name": "Ledger"})
			errs <- err
		}()
	}
	made := 0
	for range cap(errs) {
		switch err := <-errs; {
		case err == nil:
			made++
		case !fault.Is(err, fault.CodeStateConflict):
			t.Errorf("the one who was late is told %v", err)
		}
	}
	if made != 1 {
		t.Errorf("made %d times", made)
	}
}

func TestFollowingTheNextStepOfARegistryReadsAllOfIt(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		do(t, owner, "tags.create", map[string]any{"name": name})
	}
	whole := do(t, owner, "tags.list", map[string]any{"limit": 500})["results"]
	var parts []any
	args := map[string]any{"limit": 2}
	for pages := 1; ; pages++ {
		page := do(t, owner, "tags.list", args)
		parts = append(parts, page["results"].([]any)...)
		if page["has_more"] != true {
			if pages != 3 {
				t.Errorf("five rows by two are %d pages", pages)
			}
			break
		}
		args = page["next_action"].(map[string]any)["arguments"].(map[string]any)
		delete(args, "action")
	}
	if diff := cmp.Diff(whole, any(parts)); diff != "" {
		t.Errorf("page by page (-at once +by pages):\n%s", diff)
	}
}

func TestMergingAreasMovesEveryTopicPrivateOnesToo(t *testing.T) {
	t.Parallel()
	owner := pgtest.Workspace(t)
	author := pgtest.Person(t, owner, tenant.Member)
	for _, name := range []string{"Billing", "Payments"} {
		do(t, owner, "areas.create", map[string]any{"name": name})
	}
	slug := do(t, author, "notes.add", map[string]any{"content": "Mine alone."})["slug"].(string)
	do(t, author, "topics.update", map[string]any{"topic": slug, "area": "Billing"})
	if _, err := call(t, owner, "areas.merge", map[string]any{"name": "Billing", "into": " billing "}); !fault.Is(err, fault.CodeValidation) {
		t.Errorf("an area merged into itself answered %v", err)
	}
	if out := do(t, owner, "areas.merge", map[string]any{"name": "billing", "into": "Payments"}); out["name"] != "Payments" {
		t.Errorf("it answers %v", out)
	}
	if got := do(t, author, "topics.get", map[string]any{"topic": slug})["area"]; got != "Payments" {
		t.Errorf("the note is filed under %v", got)
	}
	for area, want := range map[string]int{"payments": 1, "elsewhere": 0} {
		if got := len(do(t, author, "graph.show", map[string]any{"area": area})["nodes"].([]any)); got != want {
			t.Errorf("the map of %s has %d topics", area, got)
		}
	}
	if _, err := call(t, owner, "areas.merge", map[string]any{"name": "Billing", "into": "Payments"}); !fault.Is(err, fault.CodeNotFound) {
		t.Errorf("the area that ended answered %v", err)
	}
}
