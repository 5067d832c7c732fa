package reset

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"driftless/internal/pg"
)

type request struct {
	ID          uuid.UUID
	PersonID    uuid.UUID
	RequestedAt time.Time
	SentAt      *time.Time
	UsedAt      *time.Time
}

// Ask keeps a request. For an address that nobody has, person is a new id.
func Ask(tx *pg.Tx, id, person uuid.UUID) error {
	err := tx.Store().Exec(`insert into password_reset (id, person_id, requested_at) values (?, ?, ?)`, id, person, tx.Now()).Error
	if err != nil {
		return fmt.Errorf("store a request to reset a password: %w", err)
	}
	return nil
}

func byID(tx *pg.Tx, id uuid.UUID) (r request, found bool, err error) {
	done := tx.Store().Raw(`select id, person_id, requested_at, sent_at, used_at from password_reset where id = ?`, id).Scan(&r)
	return r, done.RowsAffected == 1, done.Error
}

// lockPerson reports whether the person is there and may sign in.
func lockPerson(tx *pg.Tx, person uuid.UUID) (found bool, err error) {
	done := tx.Store().Raw(`select true from person where id = ? and kind = 'person' and disabled_at is null for update`, person).Scan(&found)
	return found, done.Error
}

func sentSince(tx *pg.Tx, person uuid.UUID, then time.Time) (n int, err error) {
	err = tx.Store().Raw(`select count(*) from password_reset where person_id = ? and sent_at > ?`, person, then).Scan(&n).Error
	return n, err
}

func sentAfter(tx *pg.Tx, r request) (later bool, err error) {
	err = tx.Store().Raw(`select exists (select 1 from password_reset where person_id = ? and sent_at is not null and (requested_at, id) > (?, ?))`,
		r.PersonID, r.RequestedAt, r.ID).Scan(&later).Error
	return later, err
}

func send(tx *pg.Tx, id uuid.UUID, hash []byte) error {
	if err := tx.Store().Exec(`update password_reset set hash = ?, sent_at = ? where id = ?`, hash, tx.Now(), id).Error; err != nil {
		return fmt.Errorf("store a link to reset a password: %w", err)
	}
	return nil
}

const works = ` hash = ? and used_at is null and sent_at > ?`

// Owner is the person whose link this is, by the hash of its secret; ok is false for one that does not work.
func Owner(tx *pg.Tx, hash []byte) (person uuid.UUID, ok bool, err error) {
	var r request
	done := tx.Store().Raw(`select person_id from password_reset where`+works, hash, tx.Now().Add(-TTL)).Scan(&r)
	if done.Error != nil {
		return person, false, fmt.Errorf("find a link to reset a password: %w", done.Error)
	}
	return r.PersonID, done.RowsAffected == 1, nil
}

// Use uses a link up and answers whose it was. Of several that try at once, one is told ok.
func Use(tx *pg.Tx, hash []byte) (person uuid.UUID, ok bool, err error) {
	var r request
	done := tx.Store().Raw(`update password_reset set used_at = ? where`+works+` returning person_id`, tx.Now(), hash, tx.Now().Add(-TTL)).Scan(&r)
	if done.Error != nil {
		return person, false, fmt.Errorf("use a link to reset a password: %w", done.Error)
	}
	return r.PersonID, done.RowsAffected == 1, nil
}

// Void makes every link of a person stop working.
func Void(tx *pg.Tx, person uuid.UUID) error {
	if err := tx.Store().Exec(`update password_reset set hash = null where person_id = ? and hash is not null`, person).Error; err != nil {
		return fmt.Errorf("void the links to reset a password: %w", err)
	}
	return nil
}

// Sweep removes the requests that were made before then.
func Sweep(tx *pg.Tx, then time.Time) error {
	if err := tx.Store().Exec(`delete from password_reset where requested_at < ?`, then).Error; err != nil {
		return fmt.Errorf("sweep requests to reset a password: %w", err)
	}
	return nil
}
