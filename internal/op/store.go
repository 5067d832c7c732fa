package op

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"driftless/internal/pg"
)

// keyedCall is a write that was sent with a key.
type keyedCall struct {
	WorkspaceID uuid.UUID
	PersonID    uuid.UUID
	Operation   string
	KeyHash     []byte
	InputHash   []byte
	Answer      []byte
	CreatedAt   time.Time
}

// remember claims the key and reports whether it was free. A call that is under way with the same key is waited for. What
// the person sent more than [KeyTTL] ago is forgotten on the way.
func remember(tx *pg.Tx, c keyedCall) (first bool, err error) {
	err = tx.Store().Exec(`delete from idempotency where workspace_id = ? and person_id = ? and created_at < ?`,
		c.WorkspaceID, c.PersonID, c.CreatedAt.Add(-KeyTTL)).Error
	if err != nil {
		return false, fmt.Errorf("forget old keys: %w", err)
	}
	done := tx.Store().Exec(`insert into idempotency (workspace_id, person_id, operation, key_hash, input_hash, created_at)
		values (?, ?, ?, ?, ?, ?) on conflict do nothing`,
		c.WorkspaceID, c.PersonID, c.Operation, c.KeyHash, c.InputHash, c.CreatedAt)
	if done.Error != nil {
		return false, fmt.Errorf("remember a key: %w", done.Error)
	}
	return done.RowsAffected == 1, nil
}

const sameKey = ` where workspace_id = ? and person_id = ? and operation = ? and key_hash = ?`

func recall(tx *pg.Tx, c keyedCall) (before keyedCall, err error) {
	err = tx.Store().Raw(`select input_hash, answer from idempotency`+sameKey, c.WorkspaceID, c.PersonID, c.Operation, c.KeyHash).
		Scan(&before).Error
	if err != nil {
		return before, fmt.Errorf("recall a key: %w", err)
	}
	return before, nil
}

func answered(tx *pg.Tx, c keyedCall) error {
	err := tx.Store().Exec(`update idempotency set answer = ?`+sameKey, c.Answer, c.WorkspaceID, c.PersonID, c.Operation, c.KeyHash).Error
	if err != nil {
		return fmt.Errorf("keep an answer: %w", err)
	}
	return nil
}

// Sweep removes the calls of the workspace of this transaction that are older than [KeyTTL]. It is for the server's own work:
// a person's transaction sees their own calls alone.
func Sweep(tx *pg.Tx) error {
	err := tx.Store().Exec(`delete from idempotency where workspace_id = ? and created_at < ?`, tx.Actor().Workspace, tx.Now().Add(-KeyTTL)).Error
	if err != nil {
		return fmt.Errorf("sweep keyed calls: %w", err)
	}
	return nil
}
