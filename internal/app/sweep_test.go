package app_test

import (
	"net/http"
	"testing"

	"driftless/internal/notice"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/publish"
	"driftless/internal/tenant"
	"driftless/internal/topic"
)

// Of each kind there are two, one of which is too old.
func TestWhatHasExpiredLongAgoIsSweptAndTheRestStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.key(t, w.owner)
	for _, slug := range []string{"old-news", "new-news"} {
		w.do(t, "topics.create", map[string]any{"title": "The " + slug, "what": "What there is to say.", "slug": slug})
		revision := w.do(t, "topics.get", map[string]any{"topic": slug})["revision"]
		w.do(t, "topics.update", map[string]any{"topic": slug, "what": "What else there is to say.", "base_revision": revision})
		asked := w.rest(t, key, w.Registry.Operation("topics.approve"), w.owner.Slug, map[string]any{"topic": slug})
		if asked.json["status"] != "awaiting_confirmation" {
			t.Fatalf("approving with a key: HTTP %d %s", asked.status, asked.raw)
		}
		w.invite(t, map[string]any{})
		call := op.Call{Operation: w.Registry.Operation("tags.create"), Workspace: w.owner.Slug, Arguments: map[string]any{"name": slug}, Key: slug}
		if _, err := w.Registry.Call(t.Context(), w.owner.Caller, call); err != nil {
			t.Fatal(err)
		}
	}
	joined := w.invite(t, map[string]any{})
	in := map[string]any{"email": "swept-" + w.owner.Slug + "@example.test", "password": "correct horse"}
	if r := (&console{w: w}).send(t, http.MethodPost, joined+"/accept", in); r.status != http.StatusOK {
		t.Fatalf("joining: HTTP %d %s", r.status, r.raw)
	}
	member := w.people[tenant.Member]
	for _, slug := range []string{"old-news", "new-news"} {
		w.do(t, "topics.approve", map[string]any{"topic": slug})
		w.do(t, "topics.share", map[string]any{"topic": slug, "to_web": true, "with_members": []any{member.Email}})
	}
	first := func(table, id string) string {
		return `(select min(` + id + `::text) from ` + table + ` where workspace_id = ?)`
	}
	ages := map[string]string{
		"confirmation": `update confirmation set expires_at = now() - interval '25 hours' where id = ` + first("confirmation", "id"),
		"undo_token":   `update undo_token set expires_at = now() - interval '25 hours' where revision_id::text = ` + first("undo_token", "revision_id"),
		"invitation":   `update invitation set expires_at = now() - interval '31 days' where accepted_at is null and id::text = ` + first("invitation", "id"),
		"share":        `update share set revoked_at = now() - interval '31 days' where id::text = ` + first("share", "id"),
		"inbox_item":   `update inbox_item set read_at = now() - interval '91 days' where id::text = ` + first("inbox_item", "id"),
		"idempotency":  `update idempotency set created_at = now() - interval '25 hours' where key_hash::text = ` + first("idempotency", "key_hash"),
	}
	count := func() map[string]int {
		n := map[string]int{}
		err := w.Database.Workspace(t.Context(), tenant.System(w.owner.Workspace), pg.ReadOnly, func(tx *pg.Tx) error {
			for table := range ages {
				var rows int
				if err := tx.Store().Raw(`select count(*) from `+table+` where workspace_id = ?`, w.owner.Workspace).Scan(&rows).Error; err != nil {
					return err
				}
				n[table] = rows
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := count()
	err := w.Database.Workspace(t.Context(), tenant.System(w.owner.Workspace), pg.ReadWrite, func(tx *pg.Tx) error {
		for _, age := range ages {
			if err := tx.Store().Exec(age, w.owner.Workspace).Error; err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Accounts.Sweep(t.Context(), topic.Sweep, op.Sweep, notice.Sweep, publish.Sweep); err != nil {
		t.Fatal(err)
	}
	for table, left := range count() {
		if before[table] < 2 || left != before[table]-1 {
			t.Errorf("%s: %d of %d rows are left, want all but one", table, left, before[table])
		}
	}
}
