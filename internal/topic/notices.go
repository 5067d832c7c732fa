package topic

import (
	"github.com/google/uuid"

	"driftless/internal/event"
	"driftless/internal/notice"
	"driftless/internal/pg"
)

// submit puts a topic before its reviewers; storing it tells them.
func (t *Topic) submit() { t.ReviewState, t.submitted = "waiting", true }

// askReview tells the reviewers of a note, except who wrote it and who asks.
func askReview(tx *pg.Tx, t *Topic) error {
	return notice.AskReview(tx, notice.Notice{Topic: t.ID}, t.AreaID, t.AuthorID, tx.Actor().Person)
}

// askReviewOf is the same for a suggested edit.
func askReviewOf(tx *pg.Tx, t *Topic, e editRow) error {
	return notice.AskReview(tx, notice.Notice{Topic: t.ID, About: e.ID.String()}, t.AreaID, e.AuthorID)
}

// tellAuthor tells somebody what became of what they wrote, unless it was themselves who did it.
func tellAuthor(tx *pg.Tx, kind notice.Kind, t *Topic, author uuid.UUID, about string) error {
	if author == tx.Actor().Person {
		return nil
	}
	return notice.Tell(tx, notice.Notice{Kind: kind, Topic: t.ID, About: about}, author)
}

// outdate closes the open edits of a topic that is put away: what comes back is no Knowledge, and is changed directly. What
// they suggest stays readable, and their authors are told.
func outdate(tx *pg.Tx, t *Topic) error {
	edits, err := openEdits(tx, t.ID)
	if err != nil {
		return err
	}
	for _, e := range edits {
		e.close(tx, "outdated", "the topic was put away")
		if err := saveEdit(tx, e); err != nil {
			return err
		}
		if _, err := event.Append(tx, "edits.outdated", "edit.outdated", &t.ID, map[string]any{"edit": e.ID, "status": t.Status}); err != nil {
			return err
		}
		if err := tellAuthor(tx, notice.Outdated, t, e.AuthorID, e.ID.String()); err != nil {
			return err
		}
	}
	return nil
}
