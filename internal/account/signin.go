package account

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// SignIn checks e-mail and password and answers the person. An unknown address, a wrong password and a disabled person get
// the same answer after the same work.
func (s *Service) SignIn(ctx context.Context, email, password string) (uuid.UUID, error) {
	var id uuid.UUID
	err := s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		p, err := personByEmail(tx, strings.ToLower(strings.TrimSpace(email)))
		if err != nil && !pg.NoRow(err) {
			return fmt.Errorf("find a person: %w", err)
		}
		hash := absent
		if err == nil && p.PasswordHash != nil {
			hash = *p.PasswordHash
		}
		if !passwordMatches(password, hash) || err != nil || p.DisabledAt != nil || p.Kind != "person" {
			return fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "this e-mail and password do not go together",
				"check both; an owner can set a new password with driftless admin member")
		}
		id = p.ID
		return nil
	})
	return id, err
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
		text, hash, err := newSecret("")
		if err != nil {
			return err
		}
		secret = text
		return saveSetupLink(tx, hash)
	})
	return secret, err
}

// SetupOpen reports whether a set-up link may still be used.
func (s *Service) SetupOpen(ctx context.Context, secret string) (open bool, err error) {
	err = s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		open, err = setupLinkOpen(tx, hashSecret(secret), false)
		return err
	})
	return open, err
}

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
	if len(name) > 120 || len(in.Name) > 120 {
		return person, fault.Fieldf("name", "at most 120 characters")
	}
	err = s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		open, err := setupLinkOpen(tx, hashSecret(secret), true)
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
		if person, err = s.ensurePerson(tx, email, strings.TrimSpace(in.Name), in.Password); err != nil {
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
