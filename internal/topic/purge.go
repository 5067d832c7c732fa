package topic

import (
	"driftless/internal/event"
	"driftless/internal/pg"
	"driftless/internal/topic/trash"
)

// purgeBatch is how many topics of a workspace are purged in one transaction; the rest waits for the next one.
const purgeBatch = 200

// purge removes what has been in the trash for longer than [TrashTTL], for good. Its events stay in the log, and one tells of the
// purge; of a private draft nobody is told so much as the name.
func purge(tx *pg.Tx) error {
	before := tx.Now().Add(-TrashTTL)
	due, err := trash.Due(tx, before, purgeBatch)
	if err != nil || len(due) == 0 {
		return err
	}
	// Somebody may have restored one until the lock was taken.
	if err := event.Lock(tx); err != nil {
		return err
	}
	if due, err = trash.Due(tx, before, purgeBatch); err != nil {
		return err
	}
	for _, t := range due {
		detail := map[string]any{"id": t.ID}
		if !t.IsPrivate {
			detail["slug"] = t.Slug
		}
		if _, err := event.Append(tx, "topics.purge", "topic.purged", nil, detail); err != nil {
			return err
		}
		if err := trash.Remove(tx, t.ID); err != nil {
			return err
		}
	}
	return nil
}
