package topic

import (
	"time"

	"driftless/internal/account"
	"driftless/internal/event"
	"driftless/internal/notice"
	"driftless/internal/pg"
	"driftless/internal/topic/lifetime"
)

// expireBatch is how many notes of a workspace are warned of, and how many archived, in one transaction; the rest waits for the
// next one.
const expireBatch = 200

// expire archives drafts that nobody has changed for as many days as the workspace has set, and warns their authors before. It does
// nothing where no time is set.
func expire(tx *pg.Tx) error {
	settings, err := account.LoadSettings(tx)
	if err != nil {
		return err
	}
	if settings.NoteLifetimeDays == 0 {
		return lifetime.Forget(tx)
	}
	life := time.Duration(settings.NoteLifetimeDays) * 24 * time.Hour
	over, err := lifetime.Over(tx, life, expireBatch)
	if err != nil {
		return err
	}
	unwarned, err := lifetime.Unwarned(tx, life, expireBatch)
	if err != nil || len(over)+len(unwarned) == 0 {
		return err
	}
	// Somebody may have changed one until the lock was taken.
	if err := event.Lock(tx); err != nil {
		return err
	}
	if over, err = lifetime.Over(tx, life, expireBatch); err != nil {
		return err
	}
	for _, note := range over {
		t, err := load(tx, note.Slug, false)
		if err != nil {
			return err
		}
		w := act{op: "topics.expire", event: "topic.archived", detail: map[string]any{"untouched_days": settings.NoteLifetimeDays}}
		if err := t.leaveFor(tx, Archived, w); err != nil {
			return err
		}
	}
	if unwarned, err = lifetime.Unwarned(tx, life, expireBatch); err != nil {
		return err
	}
	for _, note := range unwarned {
		if err := warn(tx, note, life); err != nil {
			return err
		}
	}
	return nil
}

// warn tells the author of a note when it will be archived.
func warn(tx *pg.Tx, note lifetime.Note, life time.Duration) error {
	until := note.UpdatedAt.Add(life)
	if soonest := tx.Now().Add(lifetime.Warning); until.Before(soonest) {
		until = soonest
	}
	if err := lifetime.Warn(tx, note); err != nil {
		return err
	}
	_, err := event.Append(tx, "topics.expire", "topic.expiring", &note.ID, map[string]any{"until": until.UTC().Format(time.RFC3339)})
	if err != nil {
		return err
	}
	return notice.Tell(tx, notice.Notice{Kind: notice.Expiring, Topic: note.ID, Until: until}, note.AuthorID)
}
