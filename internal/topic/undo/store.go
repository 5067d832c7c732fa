package undo

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"driftless/internal/pg"
)

type row struct {
	WorkspaceID uuid.UUID
	RevisionID  uuid.UUID
	PersonID    uuid.UUID
	TokenHash   []byte
	ExpiresAt   time.Time
	UsedAt      *time.Time
}

// TableName is the table of the row.
func (row) TableName() string { return "undo_token" }

func insert(tx *pg.Tx, r row) error {
	if err := tx.Store().Create(&r).Error; err != nil {
		return fmt.Errorf("store an undo token: %w", err)
	}
	return nil
}

// byRevision reads and locks the token of a revision, so that two uses at once are one.
func byRevision(tx *pg.Tx, revision uuid.UUID) (r row, ok bool, err error) {
	err = tx.Store().Raw(`select * from undo_token where workspace_id = ? and revision_id = ? for update`,
		tx.Actor().Workspace, revision).Scan(&r).Error
	if err != nil {
		return r, false, fmt.Errorf("read an undo token: %w", err)
	}
	return r, r.RevisionID != uuid.Nil, nil
}

func use(tx *pg.Tx, revision uuid.UUID) error {
	err := tx.Store().Exec(`update undo_token set used_at = ? where workspace_id = ? and revision_id = ?`,
		tx.Now(), tx.Actor().Workspace, revision).Error
	if err != nil {
		return fmt.Errorf("use an undo token: %w", err)
	}
	return nil
}

// Sweep removes the tokens of the workspace of this transaction that expired before then.
func Sweep(tx *pg.Tx, then time.Time) error {
	err := tx.Store().Exec(`delete from undo_token where workspace_id = ? and expires_at < ?`, tx.Actor().Workspace, then).Error
	if err != nil {
		return fmt.Errorf("sweep undo tokens: %w", err)
	}
	return nil
}
