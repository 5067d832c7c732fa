// Package lifetime owns which notes nobody has touched for too long, and that their authors were warned.
//
// It refuses to put anything away: it says what is due, and the state machine of topics does the rest.
package lifetime

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"driftless/internal/pg"
)

const (
	// Warning is how long before a note is put away its author is warned.
	Warning = 7 * 24 * time.Hour
	// warningHolds is for how long a warning counts: where the time was made longer since, there is another one.
	warningHolds = 2 * Warning
)

// Note is a draft that nobody has changed since UpdatedAt.
type Note struct {
	ID        uuid.UUID
	Slug      string
	AuthorID  uuid.UUID
	UpdatedAt time.Time
}

// Unwarned lists drafts that will have lived their life within [Warning] and whose authors do not know, the oldest first.
func Unwarned(tx *pg.Tx, life time.Duration, limit int) ([]Note, error) {
	now := tx.Now()
	return list(tx, `updated_at < ? and (expiry_warned_at is null or expiry_warned_at < ?)`, limit, now.Add(Warning-life), now.Add(-warningHolds))
}

// Over lists drafts that have lived their life and whose authors were warned in time, the oldest first.
func Over(tx *pg.Tx, life time.Duration, limit int) ([]Note, error) {
	now := tx.Now()
	return list(tx, `updated_at < ? and expiry_warned_at between ? and ?`, limit, now.Add(-life), now.Add(-warningHolds), now.Add(-Warning))
}

func list(tx *pg.Tx, where string, limit int, args ...any) (notes []Note, err error) {
	args = append(append([]any{tx.Actor().Workspace}, args...), limit)
	err = tx.Store().Raw(`select id, slug, author_id, updated_at from topic where workspace_id = ? and status = 'draft' and `+where+
		` order by updated_at limit ?`, args...).Scan(&notes).Error
	if err != nil {
		return nil, fmt.Errorf("list untouched notes: %w", err)
	}
	return notes, nil
}

// Warn notes that the author of a note was warned.
func Warn(tx *pg.Tx, note Note) error {
	err := tx.Store().Exec(`update topic set expiry_warned_at = ? where workspace_id = ? and id = ?`, tx.Now(), tx.Actor().Workspace, note.ID).Error
	if err != nil {
		return fmt.Errorf("note a warning: %w", err)
	}
	return nil
}

// Forget takes every warning back: nothing is put away any more.
func Forget(tx *pg.Tx) error {
	err := tx.Store().Exec(`update topic set expiry_warned_at = null where workspace_id = ? and status = 'draft' and expiry_warned_at is not null`,
		tx.Actor().Workspace).Error
	if err != nil {
		return fmt.Errorf("forget the warnings: %w", err)
	}
	return nil
}
