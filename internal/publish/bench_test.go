package publish_test

import (
	"fmt"
	"testing"

	"driftless/internal/config"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
	"driftless/internal/publish"
	"driftless/internal/retrieve"
	"driftless/internal/tenant"
)

// BenchmarkPublicReads is what anybody's reads of a thousand open topics among two thousand cost, and the first search of a version.
func BenchmarkPublicReads(b *testing.B) {
	const topics = 2000
	db, a := pgtest.DB(b), pgtest.Workspace(b)
	err := db.Workspace(b.Context(), a, pg.ReadWrite, func(tx *pg.Tx) error {
		return tx.Store().Exec(`with made as (
			insert into topic (workspace_id, id, slug, title, what, body, status, revision, content_hash, seq, author_id, editor_id, created_at, updated_at)
			select ?, gen_random_uuid(), 'topic-' || i, 'Topic ' || i || ' of the queue', 'A sentence about retry ' || i % 97,
				json_build_object('content', repeat('Words of the ledger ' || i % 31 || ' and its replica. ', 40)), 'proposed', 1, 'h', i, ?, ?, now(), now()
			from generate_series(1, ?) i returning workspace_id, id, slug)
			select count(*) from made`, a.Workspace, a.Person, a.Person, topics).Error
	})
	if err != nil {
		b.Fatal(err)
	}
	err = db.Workspace(b.Context(), a, pg.ReadWrite, func(tx *pg.Tx) error {
		for _, query := range []string{
			`update topic set status = 'reviewed', revision = 2, approved_by = author_id, approved_at = now(), approved_via = 'console', approved_revision = 2,
				approved_hash = content_hash where workspace_id = ?`,
			`insert into share (workspace_id, id, topic_id, token, created_by, created_at)
				select workspace_id, gen_random_uuid(), id, repeat('t', 30) || id, author_id, now() from topic where workspace_id = ? and seq % 2 = 0`,
			`update workspace_setting set public_enabled = true where workspace_id = ?`,
		} {
			if err := tx.Store().Exec(query, a.Workspace).Error; err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	reads := func() *op.Registry {
		reg, err := op.NewRegistry(db, publish.New(db, config.Config{PublicURL: "http://console.test"}, retrieve.New(db, 1<<28)).PublicOperations(), nil)
		if err != nil {
			b.Fatal(err)
		}
		return reg
	}
	call := func(b *testing.B, reg *op.Registry, workspace, id string, args map[string]any) {
		b.Helper()
		_, err := reg.Call(b.Context(), tenant.Caller{Via: tenant.ViaMCP}, op.Call{Operation: reg.Operation(id), Workspace: workspace, Arguments: args, Limit: 50 << 10})
		if (err == nil) != (workspace == a.Slug) {
			b.Fatal(err)
		}
	}
	b.Run("first search", func(b *testing.B) {
		for b.Loop() {
			call(b, reads(), a.Slug, "knowledge.search", map[string]any{"query": "retry ledger"})
		}
	})
	warm := reads()
	for id, args := range map[string]map[string]any{
		"knowledge.search": {"query": "retry ledger"}, "knowledge.list": {}, "knowledge.get": {"slug": "topic-1000"}, "knowledge.export": {},
	} {
		b.Run(id, func(b *testing.B) {
			for b.Loop() {
				given := map[string]any{}
				for name, value := range args {
					given[name] = value
				}
				call(b, warm, a.Slug, id, given)
			}
		})
	}
	closed := pgtest.Workspace(b).Slug
	for name, slug := range map[string]string{"closed": closed, "unknown": fmt.Sprintf("w%d", len(closed))} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				call(b, warm, slug, "knowledge.list", map[string]any{})
			}
		})
	}
}
