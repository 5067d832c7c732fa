package account

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"driftless/internal/account/guess"
	"driftless/internal/account/reset"
	"driftless/internal/account/session"
	"driftless/internal/fault"
	"driftless/internal/job"
	"driftless/internal/opaque"
	"driftless/internal/pg"
)

// ForgotPassword asks for a link to set a new password. Whether an account stands behind the address is looked at when the mail is
// sent, so that neither the answer nor its time tells: what is done here is the same in both cases.
func (s *Service) ForgotPassword(ctx context.Context, email string) error {
	if !s.mail.Ready() {
		return nil
	}
	id := pg.NewID()
	address, err := Email(email)
	if err != nil {
		address = ""
	}
	return s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		p, err := personFor(tx, address)
		if err != nil {
			return err
		}
		if p.ID == uuid.Nil {
			p.ID = pg.NewID()
		}
		if err := reset.Ask(tx, id, p.ID); err != nil {
			return err
		}
		return job.Enqueue(tx, resetMail{Request: id})
	})
}

// ResetOf answers the address of the account whose password a link resets.
func (s *Service) ResetOf(ctx context.Context, secret string) (email string, err error) {
	p, err := s.resets(ctx, secret)
	return p.Email, err
}

func (s *Service) resets(ctx context.Context, secret string) (p personRow, err error) {
	err = s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		person, ok, err := reset.Owner(tx, opaque.Hash(secret))
		if err != nil {
			return err
		}
		if ok {
			if p, err = personByID(tx, person); err != nil {
				return fmt.Errorf("find a person: %w", err)
			}
		}
		if !ok || p.DisabledAt != nil {
			p = personRow{}
			return deadReset()
		}
		return nil
	})
	return p, err
}

func deadReset() error {
	return fault.New(fault.NotFound, fault.CodeNotFound, "this link does not work: it was used, is older than an hour, or a newer one was sent",
		"ask for another one where you sign in")
}

// ResetPassword sets the password of whom the link was sent to, uses the link up, ends all their sessions and answers who it is. Keys, connected
// applications and passkeys stay: they were not given with the password.
func (s *Service) ResetPassword(ctx context.Context, secret, password string) (uuid.UUID, error) {
	// Whoever has no link costs no hash, and the hash is made outside of the transaction.
	p, err := s.resets(ctx, secret)
	if err != nil {
		return uuid.Nil, err
	}
	hash, err := s.hashPassword(password, p.Email, p.Name)
	if err != nil {
		return uuid.Nil, err
	}
	return p.ID, s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		person, ok, err := reset.Use(tx, opaque.Hash(secret))
		if err != nil {
			return err
		}
		if !ok {
			return deadReset()
		}
		if err := setPassword(tx, person, hash); err != nil {
			return err
		}
		if err := guess.Forget(tx, person); err != nil {
			return err
		}
		if err := eachSession(tx, person, func(row session.Row, _ SessionView) error { return session.End(tx, row.TokenHash) }); err != nil {
			return err
		}
		return s.passwordChanged(tx, person)
	})
}
