// Package trash owns the end of topics: which of those that were deleted have been in the trash long enough, and their
// removal with all that hangs on them.
//
// It refuses to remove what is not in the trash, and anything of the log: events outlive their topic.
package trash

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"driftless/internal/pg"
)

// Topic is one that is due.
type Topic struct {
	ID        uuid.UUID
	Slug      string
	IsPrivate bool
}

// Due lists topics that were deleted before a time, the oldest first, at most limit.
func Due(tx *pg.Tx, before time.Time, limit int) (due []Topic, err error) {
	err = tx.Store().Raw(`select id, slug, is_private from topic where workspace_id = ? and status = 'trash' and trashed_at < ?
		order by trashed_at limit ?`, tx.Actor().Workspace, before, limit).Scan(&due).Error
	if err != nil {
		return nil, fmt.Errorf("list what is due in the trash: %w", err)
	}
	return due, nil
}

// Remove removes a topic for good, with its revisions, edits, comments, relations, shares and evidence. Its slug is free then.
func Remove(tx *pg.Tx, id uuid.UUID) error {
	err := tx.Store().Exec(`delete from topic where workspace_id = ? and id = ? and status = 'trash'`, tx.Actor().Workspace, id).Error
	if err != nil {
		return fmt.Errorf("purge a topic: %w", err)
	}
	return nil
}
