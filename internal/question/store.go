package question

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/pg"
)

func queueSecret(b *pg.Batch, secret *[]byte) {
	b.Query(func(rows pg.Rows) error {
		for rows.Next() {
			if err := rows.Scan(secret); err != nil {
				return err
			}
		}
		if err := rows.Err(); err != nil {
			return err
		}
		if *secret == nil {
			return fmt.Errorf("the key of session ids is missing")
		}
		return nil
	}, `select secret from server_secret where purpose = 'mcp_session'`)
}

type row struct {
	ID         string
	PersonID   uuid.UUID
	Session    []byte
	Credential uuid.UUID
	ExpiresAt  time.Time
}

func (row) TableName() string { return "client_question" }

// insert adds a question, unless too many of the credential wait. Those who ask under one credential do so in turn.
func insert(tx *pg.Tx, r row) error {
	if err := tx.Store().Exec(`select pg_advisory_xact_lock(hashtextextended(?, 0))`, "client_question "+r.Credential.String()).Error; err != nil {
		return fmt.Errorf("ask in turn: %w", err)
	}
	var waiting int
	err := tx.Store().Raw(`select count(*) from client_question where credential = ? and answer is null and expires_at > ?`,
		r.Credential, tx.Now()).Scan(&waiting).Error
	if err != nil {
		return fmt.Errorf("count the questions: %w", err)
	}
	if waiting >= Open {
		return fault.New(fault.Rate, fault.CodeRateLimited, fmt.Sprintf("%d questions wait for an answer of this client", waiting),
			"answer one of them first")
	}
	if err := tx.Store().Create(&r).Error; err != nil {
		return fmt.Errorf("store a question: %w", err)
	}
	return nil
}

// store keeps the answer of whom was asked; taken is false where there is no such question.
func store(tx *pg.Tx, person uuid.UUID, session []byte, id string, answer []byte) (taken bool, err error) {
	done := tx.Store().Exec(`update client_question set answer = ?
		where id = ? and person_id = ? and session = ? and answer is null and expires_at > ?`, answer, id, person, session, tx.Now())
	if done.Error != nil {
		return false, fmt.Errorf("store an answer: %w", done.Error)
	}
	return done.RowsAffected == 1, nil
}

func queueAnswer(b *pg.Batch, id string, answer *[]byte) {
	b.Query(func(rows pg.Rows) error {
		for rows.Next() {
			if err := rows.Scan(answer); err != nil {
				return err
			}
		}
		return rows.Err()
	}, `select answer from client_question where id = ?`, id)
}

func remove(tx *pg.Tx, id string) error {
	return tx.Store().Exec(`delete from client_question where id = ?`, id).Error
}

func sweep(tx *pg.Tx) error {
	if err := tx.Store().Exec(`delete from client_question where expires_at < ?`, tx.Now()).Error; err != nil {
		return fmt.Errorf("sweep questions: %w", err)
	}
	return nil
}
