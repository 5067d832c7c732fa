package topic

import (
	"fmt"
	"testing"

	"driftless/internal/account"
	"driftless/internal/config"
	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

// noteLife asks for a time after which a draft is archived, as an owner does in the console.
func (b bench) noteLife(days int) error {
	b.t.Helper()
	db := pgtest.DB(b.t)
	reg, err := op.NewRegistry(db, account.New(db, config.Config{}).Operations(), nil)
	if err != nil {
		b.t.Fatal(err)
	}
	in, err := op.Arguments(fmt.Appendf(nil, `{"note_lifetime_days":%d}`, days))
	if err != nil {
		b.t.Fatal(err)
	}
	_, err = reg.Call(b.t.Context(), b.owner.Caller, op.Call{Operation: reg.Operation("settings.change"), Arguments: in})
	return err
}

func (b bench) liveFor(days int) {
	b.t.Helper()
	if err := b.noteLife(days); err != nil {
		b.t.Fatal(err)
	}
}

// pass lets days go by for every topic of the workspace and every warning, and sweeps.
func (b bench) pass(days int) {
	b.t.Helper()
	err := pgtest.DB(b.t).Workspace(b.t.Context(), tenant.System(b.owner.Workspace), pg.ReadWrite, func(tx *pg.Tx) error {
		for _, statement := range []string{
			`update topic set updated_at = updated_at - ? * interval '1 day', expiry_warned_at = expiry_warned_at - ? * interval '1 day' where workspace_id = ?`,
			`update inbox_item set at = at - ? * interval '1 day', expires_at = expires_at - ? * interval '1 day' where workspace_id = ?`,
		} {
			if err := tx.Store().Exec(statement, days, days, b.owner.Workspace).Error; err != nil {
				return err
			}
		}
		return Sweep(tx)
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b bench) status(a tenant.Actor, slug string) any {
	b.t.Helper()
	return b.ok(a, "topics.get", map[string]any{"topic": slug})["status"]
}

func TestUntouchedDraftsAreArchivedAWeekAfterTheirAuthorsWereWarned(t *testing.T) {
	t.Parallel()
	b := setup(t)
	author := pgtest.Person(t, b.owner, tenant.Member)
	private := b.ok(author, "notes.add", map[string]any{"content": "A thought of my own."})["slug"].(string)
	for _, slug := range []string{"shared", "touched"} {
		b.ok(author, "topics.create", map[string]any{"title": slug, "status": "draft"})
	}
	b.ok(author, "topics.create", map[string]any{"title": "Waits"})
	b.ok(b.owner, "topics.create", map[string]any{"title": "Known"})
	b.ok(b.owner, "topics.approve", map[string]any{"topic": "known"})
	b.clear(author)

	b.pass(400)
	b.expect(author, "with the policy off:")
	b.liveFor(30)
	b.pass(0)
	b.expect(author, "long untouched when the policy begins:", "expiring touched nobody", "expiring shared nobody", "expiring "+private+" nobody")
	b.clear(author)
	b.pass(0)
	b.expect(author, "warned once:")
	b.pass(6)
	for _, slug := range []string{private, "shared", "touched"} {
		if got := b.status(author, slug); got != "draft" {
			t.Errorf("%s is %v before the week is over", slug, got)
		}
	}
	b.ok(author, "topics.update", map[string]any{"topic": "touched", "append_gotchas": []string{"Still true."}})
	b.pass(1)
	for slug, want := range map[string]string{private: "archived", "shared": "archived", "touched": "draft", "waits": "proposed", "known": "reviewed"} {
		if got := b.status(author, slug); got != want {
			t.Errorf("%s is %v, want %s", slug, got, want)
		}
	}
	b.pass(21)
	b.expect(author, "the one that was touched, a week before its end:")
	b.pass(1)
	b.expect(author, "and then:", "expiring touched nobody")
	b.ok(author, "topics.update", map[string]any{"topic": "touched", "append_gotchas": []string{"Still, and again."}})
	b.expect(author, "once it was touched again:")

	// Nothing is lost: it comes back as what it was, to whom it belonged.
	b.ok(author, "topics.archive", map[string]any{"topic": private, "restore": true})
	got := b.ok(author, "topics.get", map[string]any{"topic": private})
	if got["status"] != "draft" || got["is_private"] != true {
		t.Errorf("it came back as %v", got)
	}
	b.pass(0)
	if got := b.status(author, private); got != "draft" {
		t.Errorf("what was restored is %v at once", got)
	}
	events := b.ok(author, "events.list", map[string]any{"topic": private, "types": []string{"topic.archived", "topic.expiring"}})["results"].([]any)
	if len(events) != 2 || events[0].(map[string]any)["via"] != "system" || events[0].(map[string]any)["by"] != nil {
		t.Errorf("the log tells %v", events)
	}
	history := b.ok(author, "topics.history", map[string]any{"topic": private})["results"].([]any)
	if row := history[1].(map[string]any); row["via"] != "system" || row["status"] != "archived" {
		t.Errorf("the history tells %v", row)
	}
	if others := b.ok(b.owner, "events.list", map[string]any{"types": []string{"topic.expiring"}})["results"].([]any); len(others) != 3 {
		t.Errorf("others are told of %d warnings, with that of a private draft", len(others))
	}
	err := pgtest.DB(t).Workspace(t.Context(), tenant.System(b.owner.Workspace), pg.ReadOnly, func(tx *pg.Tx) error {
		r, err := event.Verify(tx, event.Kept{})
		if r.FirstBad != 0 {
			t.Errorf("the chain is broken: %+v", r)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAWarningThatCountsNoMoreIsGivenAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Idea", "status": "draft"})
	b.liveFor(10)
	b.pass(4)
	b.expect(b.owner, "a week before:", "expiring idea nobody")
	b.liveFor(60)
	b.pass(20)
	if got := b.status(b.owner, "idea"); got != "draft" {
		t.Errorf("with more time it is %v", got)
	}
	b.clear(b.owner)
	b.pass(30)
	b.expect(b.owner, "a week before the later end:", "expiring idea nobody")
	b.liveFor(0)
	b.pass(0)
	b.expect(b.owner, "with the policy off again:")
	b.pass(400)
	if got := b.status(b.owner, "idea"); got != "draft" {
		t.Errorf("without a policy it is %v", got)
	}
}

func TestANoteHasAWeekAtLeast(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, days := range []int{-1, 1, 6, 3651} {
		if err := b.noteLife(days); !fault.Is(err, fault.CodeValidation) {
			t.Errorf("%d days answered %v", days, err)
		}
	}
	for _, days := range []int{7, 3650, 0} {
		b.liveFor(days)
	}
}
