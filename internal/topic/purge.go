package topic

import (
	"driftless/internal/event"
	"driftless/internal/pg"
	"driftless/internal/topic/trash"
)

// purgeBatch is how many topics of a workspace are purged in one transaction; the rest waits for the next one.
const purgeBatch = 200

// emptyTrash removes what has been in the trash for longer than [TrashTTL], for good. Its events stay in the log, and one tells of the
// purge; of a private draft nobody is told so much as the name.
func emptyTrash(tx *pg.Tx) error {
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
		if err := removeForGood(tx, t); err != nil {
			return err
		}
	}
	return nil
}

// removeForGood removes one topic from the trash, and says so in the log.
func removeForGood(tx *pg.Tx, t trash.Topic) error {
	detail := map[string]any{"id": t.ID}
	if !t.IsPrivate {
		detail["slug"] = t.Slug
	}
	if _, err := event.Append(tx, "topics.purge", "topic.purged", nil, detail); err != nil {
		return err
	}
	return trash.Remove(tx, t.ID)
}
