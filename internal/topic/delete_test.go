package topic

import (
	"context"
	"testing"

	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/pg/pgtest"
)

// A topic that is not where it is looked for first is looked for in the trash, or outside it. When that fails the answer is
// not that there is none.
func TestALookThatFailsIsNotAMissingTopic(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ok(b.owner, "topics.create", map[string]any{"title": "Here"})
	b.ok(b.owner, "topics.create", map[string]any{"title": "Gone"})
	b.ok(b.owner, "topics.delete", map[string]any{"topic": "gone"})
	for id, slug := range map[string]string{"topics.delete": "gone", "topics.recover": "here"} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		answer := make(chan error, 1)
		err := pgtest.DB(t).Workspace(t.Context(), b.owner, pg.ReadWrite, func(tx *pg.Tx) error {
			if err := tx.Store().Exec(`select 1 from topic where workspace_id = ? and slug = ? for update`, b.owner.Workspace, slug).Error; err != nil {
				return err
			}
			go func() {
				_, err := b.reg.Call(ctx, b.owner.Caller, op.Call{Operation: b.reg.Operation(id), Arguments: map[string]any{"topic": slug}})
				answer <- err
			}()
			// The second look waits for the row that is held here; then its connection goes.
			for waits := false; !waits; {
				err := tx.Store().Raw(`select exists (select 1 from pg_locks where pg_backend_pid() = any(pg_blocking_pids(pid)))`).Scan(&waits).Error
				if err != nil {
					return err
				}
			}
			cancel()
			if err := <-answer; !fault.Is(err, fault.CodeUnavailable) {
				t.Errorf("%s answers %v", id, err)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		b.ok(b.owner, id, map[string]any{"topic": slug})
	}
}
