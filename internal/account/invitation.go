package account

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"driftless/internal/fault"
	"driftless/internal/opaque"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// InvitationTTL is how long an invitation may be accepted.
const InvitationTTL = 7 * 24 * time.Hour

// invitable are the roles that an invitation can grant, lowest first. A link never makes an owner.
func invitable() []string {
	return []string{string(tenant.Viewer), string(tenant.Member), string(tenant.Admin)}
}

func (i invitationRow) open(now time.Time) bool {
	return i.AcceptedAt == nil && i.RevokedAt == nil && i.ExpiresAt.After(now)
}

// Invitation is what a person is shown before they accept.
type Invitation struct {
	Workspace InvitedTo   `json:"workspace"`
	Role      tenant.Role `json:"role"`
	InvitedBy string      `json:"invited_by"`
	Email     string      `json:"email,omitempty" jsonschema:"the only address that it is for"`
	ExpiresAt time.Time   `json:"expires_at"`
}

// InvitedTo is the workspace of an invitation.
type InvitedTo struct {
	Slug string `json:"slug"`
	Name string `json:"name"`
}

// Acceptance makes the account of somebody who has none. A person who is signed in leaves it empty.
type Acceptance struct {
	Name     string `json:"name,omitempty"`
	Email    string `json:"email,omitempty"`
	Password string `json:"password,omitempty"`
}

// Invitation reads an invitation for whoever holds its link.
func (s *Service) Invitation(ctx context.Context, secret string) (out Invitation, err error) {
	err = s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		found, err := openInvitation(tx, secret)
		i := found.Invitation
		out = Invitation{
			Workspace: InvitedTo{Slug: found.WorkspaceSlug, Name: found.WorkspaceName}, Role: tenant.Role(i.Role),
			InvitedBy: found.InviterName, Email: i.Email, ExpiresAt: i.ExpiresAt.UTC(),
		}
		return err
	})
	return out, err
}

// Accept lets a person in by a link: the one who is signed in, or with person nil a new one. It answers who joined.
func (s *Service) Accept(ctx context.Context, secret string, person uuid.UUID, in Acceptance) (uuid.UUID, error) {
	hash := ""
	if person == uuid.Nil {
		// Whoever has no link costs no hash, and the hash is made outside of the transaction.
		to, err := s.Invitation(ctx, secret)
		if err != nil {
			return person, err
		}
		if hash, err = s.hashPassword(in.Password, in.Email, to.Email, in.Name, to.Workspace.Slug, to.Workspace.Name); err != nil {
			return person, err
		}
	}
	joined := person
	err := s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		found, err := openInvitation(tx, secret)
		if err != nil {
			return err
		}
		joining, err := whoJoins(tx, found.Invitation, person, in, hash)
		if err != nil {
			return err
		}
		if err := acceptInvitation(tx, found.Invitation, joining); err != nil {
			return err
		}
		joined = joining
		return nil
	})
	return joined, err
}

func openInvitation(tx *pg.Tx, secret string) (foundInvitation, error) {
	found, exists, err := invitationByLink(tx, opaque.Hash(secret))
	if err != nil {
		return found, fmt.Errorf("find an invitation: %w", err)
	}
	if !exists || !found.Invitation.open(tx.Now()) {
		return foundInvitation{}, deadInvitation()
	}
	return found, nil
}

func deadInvitation() error {
	return fault.New(fault.NotFound, fault.CodeNotFound, "this invitation does not work: it was used or taken back, or is older than 7 days",
		"ask for another one")
}

// whoJoins is the person who accepts, who is made with the hash of their password where nobody is signed in.
func whoJoins(tx *pg.Tx, i invitationRow, person uuid.UUID, in Acceptance, hash string) (uuid.UUID, error) {
	if person != uuid.Nil {
		p, err := personByID(tx, person)
		if err != nil {
			return person, fmt.Errorf("find a person: %w", err)
		}
		return person, i.meant(p.Email)
	}
	if in.Email == "" {
		in.Email = i.Email
	}
	email, err := Email(in.Email)
	if err != nil {
		return person, err
	}
	if err := i.meant(email); err != nil {
		return person, err
	}
	if utf8.RuneCountInString(in.Name) > nameMax {
		return person, fault.Fieldf("name", "at most %d characters", nameMax)
	}
	_, err = personByEmail(tx, email)
	switch {
	case err == nil:
		return person, fault.New(fault.Conflict, fault.CodeStateConflict, "there is an account for this address already",
			"sign in with it and open the link again")
	case !pg.NoRow(err):
		return person, fmt.Errorf("find a person: %w", err)
	}
	return newPerson(tx, email, strings.TrimSpace(in.Name), hash)
}

// meant refuses everybody else where the invitation is for one address.
func (i invitationRow) meant(email string) error {
	if i.Email == "" || i.Email == email {
		return nil
	}
	return fault.New(fault.Forbidden, fault.CodePolicyForbids, "this invitation is for another e-mail address",
		"sign in with the address that was invited")
}

// acceptInvitation uses the invitation up and makes the membership. A role that a person has is never changed by a link.
func acceptInvitation(tx *pg.Tx, i invitationRow, person uuid.UUID) error {
	if err := tx.Enter(i.WorkspaceID, person, tenant.ViaConsole); err != nil {
		return fmt.Errorf("enter a workspace: %w", err)
	}
	if tx.Actor().Role != "" {
		return fault.New(fault.Conflict, fault.CodeStateConflict, "you are in this workspace already", "an owner or admin can change your role")
	}
	first, err := useInvitation(tx, i.ID, person)
	if err != nil {
		return fmt.Errorf("use an invitation: %w", err)
	}
	if !first {
		return deadInvitation()
	}
	return join(tx, "invitations.accept", person, tenant.Role(i.Role))
}
