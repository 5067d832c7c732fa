package topic

import (
	"testing"

	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

func TestAnOwnerDeletesForGoodWhatIsInTheTrash(t *testing.T) {
	t.Parallel()
	b := setup(t)
	admin, member := pgtest.Person(t, b.owner, tenant.Admin), pgtest.Person(t, b.owner, tenant.Member)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Old"})
	b.fails(b.owner, "topics.purge", map[string]any{"topic": "old"}, fault.CodeStateConflict)
	b.ok(b.owner, "topics.delete", map[string]any{"topic": "old"})
	b.fails(admin, "topics.purge", map[string]any{"topic": "old"}, fault.CodeInsufficientRole)
	app := via(b.owner, tenant.ViaAPI)
	app.OAuth = true
	b.fails(app, "topics.purge", map[string]any{"topic": "old"}, fault.CodePolicyForbids)
	if got := b.ok(b.owner, "topics.purge", map[string]any{"topic": "old"}); got["status"] != "purged" {
		t.Errorf("purging answered %v", got)
	}
	b.fails(b.owner, "topics.purge", map[string]any{"topic": "old"}, fault.CodeNotFound)
	b.fails(b.owner, "topics.recover", map[string]any{"topic": "old"}, fault.CodeNotFound)
	if told := b.ok(b.owner, "events.list", map[string]any{"types": []string{"topic.purged"}})["results"].([]any); len(told) != 1 {
		t.Errorf("the log tells of %v", told)
	}
	note := b.ok(member, "notes.add", map[string]any{"content": "To myself."})["slug"]
	b.ok(member, "topics.delete", map[string]any{"topic": note})
	b.fails(b.owner, "topics.purge", map[string]any{"topic": note}, fault.CodeNotFound)
}

func TestTheTrashIsPurgedAfterThirtyDaysAndTheLogStays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	author := pgtest.Person(t, b.owner, tenant.Member)
	for _, slug := range []string{"old", "young", "kept"} {
		b.ok(b.owner, "topics.create", map[string]any{"title": slug, "slug": slug, "tags": []string{"queue"}})
		b.ok(b.owner, "topics.approve", map[string]any{"topic": slug})
		b.ok(author, "topics.update", map[string]any{"topic": slug, "append_gotchas": []string{"A."}})
		b.ok(author, "comments.add", map[string]any{"topic": slug, "body": "Why?"})
	}
	b.ok(b.owner, "topics.create", map[string]any{"title": "Points", "rels": []map[string]any{{"to": "old", "type": "depends_on"}}})
	private := b.ok(author, "notes.add", map[string]any{"content": "A secret of mine."})["slug"]
	system := func(do func(tx *pg.Tx) error) {
		t.Helper()
		if err := pgtest.DB(t).Workspace(t.Context(), tenant.System(b.owner.Workspace), pg.ReadWrite, do); err != nil {
			t.Fatal(err)
		}
	}
	for slug, days := range map[any]int{"old": 31, "young": 29, private: 31} {
		b.ok(author, "topics.get", map[string]any{"topic": slug})
		who := b.owner
		if slug == private {
			who = author
		}
		b.ok(who, "topics.delete", map[string]any{"topic": slug})
		system(func(tx *pg.Tx) error {
			return tx.Store().Exec(`update topic set trashed_at = trashed_at - ? * interval '1 day' where workspace_id = ? and slug = ?`,
				days, b.owner.Workspace, slug).Error
		})
	}
	system(Sweep)
	system(Sweep)
	for slug, there := range map[string]bool{"old": false, "young": true} {
		if _, err := b.call(b.owner, "topics.recover", map[string]any{"topic": slug}); (err == nil) != there {
			t.Errorf("restoring %s: %v", slug, err)
		}
	}
	b.ok(b.owner, "topics.get", map[string]any{"topic": "kept"})
	b.ok(b.owner, "topics.get", map[string]any{"topic": "points"})
	if again := b.ok(b.owner, "topics.create", map[string]any{"title": "Again", "slug": "old"}); again["slug"] != "old" {
		t.Errorf("its slug is not free: %v", again)
	}
	told := b.ok(b.owner, "events.list", map[string]any{"types": []string{"topic.purged"}})["results"].([]any)
	named := 0
	for _, row := range told {
		if detail := row.(map[string]any)["detail"].(map[string]any); detail["slug"] == "old" {
			named++
		} else if detail["slug"] != nil {
			t.Errorf("the log tells of %v", detail)
		}
	}
	if len(told) != 2 || named != 1 {
		t.Errorf("the log tells of the purges %v", told)
	}
	system(func(tx *pg.Tx) error {
		r, err := event.Verify(tx, event.Kept{})
		if r.FirstBad != 0 {
			t.Errorf("the chain is broken: %+v", r)
		}
		return err
	})
}
