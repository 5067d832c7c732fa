// Package identity owns the rows of signing in at other servers: who a person is there, and the attempts under way.
//
// It refuses to decide whom an identity signs in, and to hold a secret of an attempt: those are hashed or sealed when they
// arrive.
package identity

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"driftless/internal/pg"
)

// Identity is who a person is at one issuer.
type Identity struct {
	ID         uuid.UUID
	PersonID   uuid.UUID
	Provider   string
	Issuer     string
	Subject    string
	Email      string
	LinkedAt   time.Time
	LastUsedAt *time.Time
}

// TableName is its table.
func (Identity) TableName() string { return "person_identity" }

// Attempt is a sign-on under way.
type Attempt struct {
	StateHash   []byte
	BrowserHash []byte
	Provider    string
	PersonID    *uuid.UUID
	Sealed      []byte
	ExpiresAt   time.Time
}

// TableName is its table.
func (Attempt) TableName() string { return "signon_attempt" }

// Find finds an identity. Until the transaction ends nobody else finds it, so that it stays as it is, and one that there is not
// is linked by one transaction: a second one would otherwise take the account that the first made for somebody else's.
func Find(tx *pg.Tx, issuer, subject string) (found Identity, ok bool, err error) {
	if err := tx.Store().Exec(`select pg_advisory_xact_lock(hashtextextended(? || ' ' || ?, 0))`, issuer, subject).Error; err != nil {
		return found, false, fmt.Errorf("lock an identity: %w", err)
	}
	done := tx.Store().Raw(`select * from person_identity where issuer = ? and subject = ?`, issuer, subject).Scan(&found)
	if done.Error != nil {
		return found, false, fmt.Errorf("find an identity: %w", done.Error)
	}
	return found, done.RowsAffected == 1, nil
}

// Link stores an identity that [Find] did not find.
func Link(tx *pg.Tx, i Identity) error {
	if err := tx.Store().Create(&i).Error; err != nil {
		return fmt.Errorf("link an identity: %w", err)
	}
	return nil
}

// Used notes that an identity signed somebody in, and the address that it has now.
func Used(tx *pg.Tx, id uuid.UUID, email string) error {
	err := tx.Store().Exec(`update person_identity set last_used_at = ?, email = ? where id = ?`, tx.Now(), email, id).Error
	if err != nil {
		return fmt.Errorf("note the use of an identity: %w", err)
	}
	return nil
}

// Of lists the identities of a person, the one linked first first.
func Of(tx *pg.Tx, person uuid.UUID) ([]Identity, error) {
	var rows []Identity
	err := tx.Store().Raw(`select * from person_identity where person_id = ? order by linked_at, id`, person).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("list identities: %w", err)
	}
	return rows, nil
}

// Unlink removes an identity of a person, and reports whether there was one.
func Unlink(tx *pg.Tx, person uuid.UUID, id string) (bool, error) {
	done := tx.Store().Exec(`delete from person_identity where person_id = ? and id::text = ?`, person, id)
	if done.Error != nil {
		return false, fmt.Errorf("unlink an identity: %w", done.Error)
	}
	return done.RowsAffected == 1, nil
}

// UnlinkAll removes every identity of a person, and what they have under way.
func UnlinkAll(tx *pg.Tx, person uuid.UUID) error {
	for _, table := range []string{"person_identity", "signon_attempt"} {
		if err := tx.Store().Exec(`delete from `+table+` where person_id = ?`, person).Error; err != nil {
			return fmt.Errorf("unlink the identities of a person: %w", err)
		}
	}
	return nil
}

// Lock lets nobody else take a way to sign in from the person until the transaction ends. It is a statement of its own:
// whatever is read after it sees what others did before they let go.
func Lock(tx *pg.Tx, person uuid.UUID) error {
	if err := tx.Store().Exec(`select 1 from person where id = ? for update`, person).Error; err != nil {
		return fmt.Errorf("lock a person: %w", err)
	}
	return nil
}

// HasOtherWay reports whether a person can sign in without an identity: with a password, or with a passkey, which belongs to a
// package above and is looked at here so that the last way is kept in one place.
func HasOtherWay(tx *pg.Tx, person uuid.UUID) (has bool, err error) {
	err = tx.Store().Raw(`select password_hash is not null or exists (select 1 from passkey k where k.person_id = p.id and k.cloned_at is null)
		from person p where id = ?`, person).Scan(&has).Error
	if err != nil {
		return false, fmt.Errorf("look for ways to sign in: %w", err)
	}
	return has, nil
}

// Keep stores an attempt.
func Keep(tx *pg.Tx, a Attempt) error {
	if err := tx.Store().Create(&a).Error; err != nil {
		return fmt.Errorf("store an attempt to sign on: %w", err)
	}
	return nil
}

// Take uses an attempt up. There is none for another browser, another provider, a second time, or after its time.
func Take(tx *pg.Tx, stateHash, browserHash []byte, provider string) (taken Attempt, ok bool, err error) {
	done := tx.Store().Raw(`delete from signon_attempt where provider = ? and state_hash = ? and browser_hash = ? and expires_at > ? returning *`,
		provider, stateHash, browserHash, tx.Now()).Scan(&taken)
	if done.Error != nil {
		return taken, false, fmt.Errorf("take an attempt to sign on: %w", done.Error)
	}
	return taken, done.RowsAffected == 1, nil
}

// Sweep removes attempts that have expired.
func Sweep(tx *pg.Tx) error {
	if err := tx.Store().Exec(`delete from signon_attempt where expires_at < ?`, tx.Now()).Error; err != nil {
		return fmt.Errorf("sweep attempts to sign on: %w", err)
	}
	return nil
}
