package account

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"driftless/internal/account/guess"
	"driftless/internal/fault"
	"driftless/internal/opaque"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// SignIn checks e-mail and password and answers the person. An unknown address, a wrong password and a disabled person get
// the same answer after the same work. The work is done outside of the transaction: it takes so long that a few guesses would
// hold every connection.
//
// browser is the secret of [Service.Recognise] that the browser shows. From those that the account does not know only so many
// wrong passwords an hour are taken, however many addresses they come from; beyond them the answer is RATE_LIMITED, for addresses
// without an account too.
func (s *Service) SignIn(ctx context.Context, email, password, browser string) (uuid.UUID, error) {
	email = strings.ToLower(strings.TrimSpace(email))
	var p personRow
	var key guess.Key
	err := s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) (err error) {
		if p, err = personFor(tx, email); err != nil {
			return err
		}
		key, err = guessKey(tx, p.ID, email, browser)
		return err
	})
	if err != nil {
		return uuid.Nil, err
	}
	err = s.guarded(ctx, key, fault.CodeUnauthenticated, func() error {
		hash := absent
		if p.PasswordHash != nil {
			hash = *p.PasswordHash
		}
		if passwordMatches(password, hash) && p.PasswordHash != nil && p.DisabledAt == nil && p.Kind == "person" {
			return nil
		}
		return fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "this e-mail and password do not go together",
			"check both; an owner can set a new password with driftless admin member")
	})
	if err != nil {
		return uuid.Nil, err
	}
	return p.ID, nil
}

// personFor is the person of an address; the zero one where there is nobody.
func personFor(tx *pg.Tx, email string) (personRow, error) {
	p, err := personByEmail(tx, email)
	if pg.NoRow(err) {
		return personRow{}, nil
	}
	if err != nil {
		return p, fmt.Errorf("find a person: %w", err)
	}
	return p, nil
}

// SetupLink makes the one-time link secret for the first account. It answers "" when there is an account already; older
// links stop working.
func (s *Service) SetupLink(ctx context.Context) (secret string, err error) {
	err = s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		secret = ""
		exists, err := anybody(tx)
		if err != nil || exists {
			return err
		}
		if err := closeSetupLinks(tx); err != nil {
			return err
		}
		secret = opaque.New("")
		return saveSetupLink(tx, opaque.Hash(secret))
	})
	return secret, err
}

// SetupOpen reports whether a set-up link may still be used.
func (s *Service) SetupOpen(ctx context.Context, secret string) (open bool, err error) {
	err = s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		open, err = setupLinkOpen(tx, opaque.Hash(secret), false)
		return err
	})
	return open, err
}

// nameMax is the length of the name of a person or workspace, in characters.
const nameMax = 120

// Setup is the first account and its workspace.
type Setup struct {
	Email     string `json:"email"`
	Name      string `json:"name"`
	Password  string `json:"password"`
	Workspace struct {
		Slug string `json:"slug"`
		Name string `json:"name"`
	} `json:"workspace"`
}

// SetUp makes the first person and workspace; the link works once and only while there is nobody.
func (s *Service) SetUp(ctx context.Context, secret string, in Setup) (person uuid.UUID, err error) {
	email, err := Email(in.Email)
	if err != nil {
		return person, err
	}
	slug, err := WorkspaceSlug(in.Workspace.Slug)
	if err != nil {
		return person, err
	}
	name := strings.TrimSpace(in.Workspace.Name)
	if name == "" {
		name = slug
	}
	if utf8.RuneCountInString(name) > nameMax || utf8.RuneCountInString(in.Name) > nameMax {
		return person, fault.Fieldf("name", "at most %d characters", nameMax)
	}
	// Whoever has no link costs no hash, and the hash is made outside of the transaction.
	open, err := s.SetupOpen(ctx, secret)
	if err != nil {
		return person, err
	}
	if !open {
		return person, fault.Missing("set-up link", "this one")
	}
	hash, err := s.hashPassword(in.Password, email, in.Name, slug, name)
	if err != nil {
		return person, err
	}
	err = s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		open, err := setupLinkOpen(tx, opaque.Hash(secret), true)
		if err != nil {
			return err
		}
		exists, err := anybody(tx)
		if err != nil {
			return err
		}
		if !open || exists {
			return fault.Missing("set-up link", "this one")
		}
		if person, err = newPerson(tx, email, strings.TrimSpace(in.Name), hash); err != nil {
			return err
		}
		if err := foundWorkspace(tx, slug, name, person, tenant.ViaConsole); err != nil {
			return err
		}
		if err := join(tx, "members.place", person, tenant.Owner); err != nil {
			return err
		}
		return closeSetupLinks(tx)
	})
	return person, err
}
