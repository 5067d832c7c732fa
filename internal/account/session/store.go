// Package session owns the rows of console sessions: the values of each, under the hash of its token, and that one that was ended
// stays ended.
//
// It refuses to know what the values are, and to see a token.
package session

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"driftless/internal/pg"
)

// Row is a session as it is kept.
type Row struct {
	TokenHash string
	Data      []byte
	UsedAt    time.Time
}

// Data answers the values of a live session.
func Data(tx *pg.Tx, hash string) (data []byte, found bool, err error) {
	var row Row
	done := tx.Store().Raw(`select data from session where token_hash = ? and expires_at > ? and ended_at is null`, hash, tx.Now()).Scan(&row)
	if done.Error != nil {
		return nil, false, fmt.Errorf("find a session: %w", done.Error)
	}
	return row.Data, done.RowsAffected == 1, nil
}

// Save keeps a session and notes its use; person is nil where nobody is signed in. One that was ended stays ended, so that a request that
// was under way cannot bring it back.
func Save(tx *pg.Tx, hash string, person *uuid.UUID, data []byte, expires time.Time) error {
	err := tx.Store().Exec(`insert into session (token_hash, person_id, data, expires_at, used_at) values (?, ?, ?, ?, ?)
		on conflict (token_hash) do update
		set person_id = excluded.person_id, data = excluded.data, expires_at = excluded.expires_at, used_at = excluded.used_at
		where session.ended_at is null`, hash, person, data, expires, tx.Now()).Error
	if err != nil {
		return fmt.Errorf("store a session: %w", err)
	}
	return nil
}

// End ends a session.
func End(tx *pg.Tx, hash string) error {
	if err := tx.Store().Exec(`update session set ended_at = ? where token_hash = ? and ended_at is null`, tx.Now(), hash).Error; err != nil {
		return fmt.Errorf("end a session: %w", err)
	}
	return nil
}

// Of lists the live sessions of a person, the one used last first.
func Of(tx *pg.Tx, person uuid.UUID) ([]Row, error) {
	var rows []Row
	err := tx.Store().Raw(`select token_hash, data, used_at from session
		where person_id = ? and ended_at is null and expires_at > ? order by used_at desc, token_hash`, person, tx.Now()).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	return rows, nil
}

// Sweep removes sessions that have expired.
func Sweep(tx *pg.Tx) error {
	if err := tx.Store().Exec(`delete from session where expires_at < ?`, tx.Now()).Error; err != nil {
		return fmt.Errorf("sweep sessions: %w", err)
	}
	return nil
}
