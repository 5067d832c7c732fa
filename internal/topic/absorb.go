package topic

import (
	"slices"

	"github.com/google/uuid"

	"driftless/internal/pg"
)

// postpone notes in a suggested edit that a duplicate is archived once the edit is merged: until then nothing leads to what only the
// duplicate is anchored to.
func postpone(tx *pg.Tx, proposal string, source *Topic) error {
	e, _, err := loadEdit(tx, proposal)
	if err != nil || slices.Contains(e.Absorbs, source.ID) {
		return err
	}
	e.Absorbs = append(e.Absorbs, source.ID)
	return saveEdit(tx, e)
}

// absorbed archives the duplicates of a suggested edit that was just merged, and leads to the survivor what led to them. One that was
// put away, or is out of sight, meanwhile stays as it is.
func (s *Service) absorbed(tx *pg.Tx, e editRow, into *Topic) error {
	for _, id := range e.Absorbs {
		source, there, err := duplicate(tx, id)
		if err != nil {
			return err
		}
		if !there {
			continue
		}
		var out Merged
		if err := s.redirect(tx, source, into, &out); err != nil {
			return err
		}
		if err := archiveMerged(tx, source, into); err != nil {
			return err
		}
	}
	return nil
}

// duplicate loads a topic that is to be archived; there is false where there is nothing to do.
func duplicate(tx *pg.Tx, id uuid.UUID) (t *Topic, there bool, err error) {
	row, ok, err := topicByID(tx, id)
	if err != nil || !ok || row.Status == Archived || row.Status == Trash {
		return nil, false, err
	}
	if t, err = load(tx, row.Slug, false); err != nil {
		return nil, false, err
	}
	_, refused := decide(t, tx.Actor(), Archive)
	return t, refused == nil, nil
}

// duplicateSlugs are the names of the duplicates that go with an edit, as far as they can be seen.
func duplicateSlugs(tx *pg.Tx, ids []uuid.UUID) ([]string, error) {
	var out []string
	for _, id := range ids {
		row, ok, err := topicByID(tx, id)
		if err != nil {
			return nil, err
		}
		if ok && row.Status != Archived && row.Status != Trash {
			out = append(out, row.Slug)
		}
	}
	return out, nil
}
