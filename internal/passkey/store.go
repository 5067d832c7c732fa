package passkey

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/google/uuid"

	"driftless/internal/opaque"
	"driftless/internal/pg"
)

type row struct {
	ID           uuid.UUID
	PersonID     uuid.UUID
	CredentialID []byte
	Name         string
	Record       string
	CreatedAt    time.Time
	LastUsedAt   *time.Time
	ClonedAt     *time.Time
}

func (row) TableName() string { return "passkey" }

func rowsOf(tx *pg.Tx, person uuid.UUID) ([]row, error) {
	var rows []row
	if err := tx.Store().Raw(`select * from passkey where person_id = ? order by created_at, id`, person).Scan(&rows).Error; err != nil {
		return nil, fmt.Errorf("list passkeys: %w", err)
	}
	return rows, nil
}

// lockPerson finds a person who may sign in, and holds their passkeys still: a counter is compared and moved by one at a time.
func lockPerson(tx *pg.Tx, person uuid.UUID) (u user, found bool, err error) {
	done := tx.Store().Raw(`select p.id, p.email, p.name, h.handle from person p join passkey_handle h on h.person_id = p.id
		where p.id = ? and p.kind = 'person' and p.disabled_at is null for update of h`, person).Scan(&u)
	if done.Error != nil {
		return u, false, fmt.Errorf("find a person: %w", done.Error)
	}
	u.rows, err = rowsOf(tx, person)
	return u, done.RowsAffected == 1, err
}

func personByHandle(tx *pg.Tx, handle []byte) (uuid.UUID, error) {
	var found struct{ PersonID uuid.UUID }
	if err := tx.Store().Raw(`select person_id from passkey_handle where handle = ?`, handle).Scan(&found).Error; err != nil {
		return uuid.Nil, fmt.Errorf("find a person by handle: %w", err)
	}
	return found.PersonID, nil
}

// keepHandle gives the person this handle unless they have one.
func keepHandle(tx *pg.Tx, person uuid.UUID, handle []byte) error {
	err := tx.Store().Exec(`insert into passkey_handle (person_id, handle) values (?, ?) on conflict (person_id) do nothing`, person, handle).Error
	if err != nil {
		return fmt.Errorf("store a handle: %w", err)
	}
	return nil
}

func insert(tx *pg.Tx, r row) error { return tx.Store().Create(&r).Error }

func rename(tx *pg.Tx, id uuid.UUID, name string) error {
	if err := tx.Store().Exec(`update passkey set name = ? where id = ?`, name, id).Error; err != nil {
		return fmt.Errorf("rename a passkey: %w", err)
	}
	return nil
}

func remove(tx *pg.Tx, id uuid.UUID) error {
	if err := tx.Store().Exec(`delete from passkey where id = ?`, id).Error; err != nil {
		return fmt.Errorf("remove a passkey: %w", err)
	}
	return nil
}

func used(tx *pg.Tx, credential []byte, record string) error {
	err := tx.Store().Exec(`update passkey set record = cast(? as jsonb), last_used_at = ? where credential_id = ?`, record, tx.Now(), credential).Error
	if err != nil {
		return fmt.Errorf("note the use of a passkey: %w", err)
	}
	return nil
}

func cloned(tx *pg.Tx, credential []byte) error {
	if err := tx.Store().Exec(`update passkey set cloned_at = ? where credential_id = ?`, tx.Now(), credential).Error; err != nil {
		return fmt.Errorf("shut a passkey: %w", err)
	}
	return nil
}

func insertCeremony(tx *pg.Tx, c ceremony, data *webauthn.SessionData) error {
	raw, err := json.Marshal(data)
	if err != nil {
		return fmt.Errorf("write a ceremony: %w", err)
	}
	err = tx.Store().Exec(`insert into passkey_ceremony (purpose, challenge_hash, browser_hash, person_id, data, expires_at)
		values (?, ?, ?, ?, cast(? as jsonb), ?)`, string(c.purpose), opaque.Hash(data.Challenge), opaque.Hash(string(c.browser)), c.person, string(raw), tx.Now().Add(CeremonyTTL)).Error
	if err != nil {
		return fmt.Errorf("store a ceremony: %w", err)
	}
	return nil
}

// takeCeremony removes a ceremony that is still open to this browser and person. Of several that try at once one is told found.
func takeCeremony(tx *pg.Tx, c ceremony, challenge string) (data webauthn.SessionData, found bool, err error) {
	var raw string
	done := tx.Store().Raw(`delete from passkey_ceremony where purpose = ? and challenge_hash = ? and browser_hash = ?
		and person_id is not distinct from cast(? as uuid) and expires_at > ? returning data`,
		string(c.purpose), opaque.Hash(challenge), opaque.Hash(string(c.browser)), c.person, tx.Now()).Scan(&raw)
	if done.Error != nil {
		return data, false, fmt.Errorf("take a ceremony: %w", done.Error)
	}
	if done.RowsAffected == 0 {
		return data, false, nil
	}
	if err := json.Unmarshal([]byte(raw), &data); err != nil {
		return data, false, fmt.Errorf("read a ceremony: %w", err)
	}
	return data, true, nil
}

func sweep(tx *pg.Tx) error {
	if err := tx.Store().Exec(`delete from passkey_ceremony where expires_at < ?`, tx.Now()).Error; err != nil {
		return fmt.Errorf("sweep ceremonies: %w", err)
	}
	return nil
}
