package account

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"driftless/internal/account/guess"
	"driftless/internal/account/identity"
	"driftless/internal/account/session"
	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// Grant is what founding or joining a workspace answers: the person, the workspace and a new personal API key with all
// scopes in that workspace. Earlier keys stay valid.
type Grant struct {
	UserID    uuid.UUID `json:"user_id"`
	Workspace string    `json:"workspace"`
	APIKey    string    `json:"api_key"`
}

// Bootstrap makes sure that the person exists with this password, that the workspace exists, and that the person owns it.
// It is idempotent; each call answers a new key.
func (s *Service) Bootstrap(ctx context.Context, email, password, workspace string) (Grant, error) {
	return s.grant(ctx, email, password, workspace, tenant.Owner, true)
}

// Place adds the person to an existing workspace or changes their role there. The last owner cannot step down.
func (s *Service) Place(ctx context.Context, email, password, workspace string, role tenant.Role) (Grant, error) {
	if !role.AtLeast(tenant.Viewer) {
		return Grant{}, fault.Choice("role", string(role), roleWords())
	}
	return s.grant(ctx, email, password, workspace, role, false)
}

// Seat is Bootstrap for an owner and Place for everybody else, without a key: it answers the person as they would be at the
// console. The server's own demo uses it.
func (s *Service) Seat(ctx context.Context, email, password, workspace string, role tenant.Role) (caller tenant.Caller, err error) {
	person, err := s.place(ctx, email, password, workspace, role, role == tenant.Owner, nothingMore)
	if err != nil {
		return caller, err
	}
	err = s.db.ReadGlobal(ctx, func(b *pg.Batch) {
		queuePerson(b, person, &caller)
		QueueMemberships(b, &caller.Memberships)
	})
	caller.Via, caller.Scopes, caller.SignedInAt = tenant.ViaConsole, tenant.Scopes(), time.Now()
	return caller, err
}

// grant puts the person into the workspace and gives them a new key for it.
func (s *Service) grant(ctx context.Context, email, password, workspace string, role tenant.Role, found bool) (Grant, error) {
	out := Grant{Workspace: workspace}
	person, err := s.place(ctx, email, password, workspace, role, found, func(tx *pg.Tx, person uuid.UUID) error {
		secret, row, err := issueKey(tx, keySpec{
			person: person, name: "made on the command line", kind: "personal", scopes: tenant.Scopes(),
			workspaces: []uuid.UUID{tx.Actor().Workspace}, by: person,
		})
		if err != nil {
			return err
		}
		out.APIKey = secret
		return keyCreated(tx, "members.place", row)
	})
	if err != nil {
		return Grant{}, err
	}
	out.UserID = person
	return out, nil
}

func nothingMore(*pg.Tx, uuid.UUID) error { return nil }

// place puts the person into the workspace and does what is left to do there, in one transaction; found says that a missing
// workspace is made.
func (s *Service) place(
	ctx context.Context, email, password, workspace string, role tenant.Role, found bool, then func(*pg.Tx, uuid.UUID) error,
) (person uuid.UUID, err error) {
	if email, err = Email(email); err != nil {
		return person, err
	}
	if workspace, err = WorkspaceSlug(workspace); err != nil {
		return person, err
	}
	set, err := s.choose(ctx, email, password, workspace)
	if err != nil {
		return person, err
	}
	err = s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		if person, err = s.ensurePerson(tx, email, set); err != nil {
			return err
		}
		if err := s.enterOrFound(tx, workspace, person, found); err != nil {
			return err
		}
		if err := join(tx, "members.place", person, role); err != nil {
			return err
		}
		return then(tx, person)
	})
	return person, err
}

// chosen is the password that an operator gives an account, hashed.
type chosen struct {
	// was is the hash that the account had; nil where it had none, or there was no account.
	was *string
	// hash is the one to set; "" where the account has this password already.
	hash string
}

// choose compares and hashes outside of any transaction: both take so long that a few calls would hold every connection. A
// password that stays is not judged again, so that what makes sure of an account can be run again.
func (s *Service) choose(ctx context.Context, email, password, workspace string) (c chosen, err error) {
	var p personRow
	err = s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) (err error) {
		p, err = personFor(tx, email)
		return err
	})
	if err != nil {
		return c, err
	}
	if c.was = p.PasswordHash; c.was != nil && passwordMatches(password, *c.was) {
		return c, nil
	}
	c.hash, err = s.hashPassword(password, email, p.Name, workspace)
	return c, err
}

// ensurePerson makes sure that the person exists and has the password.
func (s *Service) ensurePerson(tx *pg.Tx, email string, set chosen) (uuid.UUID, error) {
	p, err := personByEmail(tx, email)
	if pg.NoRow(err) && set.hash != "" {
		return newPerson(tx, email, "", set.hash)
	}
	if err != nil {
		return uuid.Nil, fmt.Errorf("find a person: %w", err)
	}
	if set.hash == "" {
		if p.PasswordHash == nil || *p.PasswordHash != *set.was {
			return p.ID, fault.New(fault.Conflict, fault.CodeStateConflict, "the password of this account was changed at the same moment", "run it again")
		}
		return p.ID, nil
	}
	if err := setPassword(tx, p.ID, set.hash); err != nil {
		return p.ID, err
	}
	if err := s.passwordChanged(tx, p.ID); err != nil {
		return p.ID, err
	}
	// A password set by an operator is how an account is taken back: whoever sits in a session is out, and whoever registered
	// a passkey or linked an identity from there as well.
	if err := identity.UnlinkAll(tx, p.ID); err != nil {
		return p.ID, err
	}
	if err := removePasskeys(tx, p.ID); err != nil {
		return p.ID, err
	}
	if err := guess.Forget(tx, p.ID); err != nil {
		return p.ID, err
	}
	return p.ID, eachSession(tx, p.ID, func(row session.Row, _ SessionView) error { return session.End(tx, row.TokenHash) })
}

// newPerson makes a person, who is named after the address where there is no name, and has no password where there is no hash.
func newPerson(tx *pg.Tx, email, name, hash string) (uuid.UUID, error) {
	id := pg.NewID()
	if name == "" {
		name, _, _ = strings.Cut(email, "@")
		// An address may be longer than a name.
		if runes := []rune(name); len(runes) > nameMax {
			name = string(runes[:nameMax])
		}
	}
	row := personRow{ID: id, Email: email, Name: name, Kind: "person", CreatedAt: tx.Now()}
	if hash != "" {
		row.PasswordHash = &hash
	}
	return id, insertPerson(tx, row)
}

// enterOrFound takes the transaction into the workspace, which is founded where found says so and it does not exist.
func (s *Service) enterOrFound(tx *pg.Tx, slug string, person uuid.UUID, found bool) error {
	w, err := workspaceBySlug(tx, slug)
	if err == nil {
		return tx.Enter(w.ID, person, tenant.ViaCLI)
	}
	if !pg.NoRow(err) {
		return fmt.Errorf("find a workspace: %w", err)
	}
	if !found {
		return fault.New(fault.NotFound, fault.CodeNotFound, fmt.Sprintf("there is no workspace %q", slug),
			"make it with driftless admin bootstrap")
	}
	return foundWorkspace(tx, slug, slug, person, tenant.ViaCLI)
}

func foundWorkspace(tx *pg.Tx, slug, name string, person uuid.UUID, via tenant.Via) error {
	id := pg.NewID()
	if err := insertWorkspace(tx, workspaceRow{ID: id, Slug: slug, Name: name, CreatedAt: tx.Now()}); err != nil {
		return err
	}
	if err := tx.Enter(id, person, via); err != nil {
		return err
	}
	if err := furnish(tx); err != nil {
		return err
	}
	_, err := event.Append(tx, "workspaces.found", "workspace.founded", nil, map[string]any{"slug": slug})
	return err
}

// join makes or changes a membership in the workspace the transaction is in, and keeps the rule of the last owner. The event
// names the operation it came from.
func join(tx *pg.Tx, operation string, person uuid.UUID, role tenant.Role) error {
	has, err := roleOf(tx, person)
	if err != nil {
		return fmt.Errorf("read a role: %w", err)
	}
	if has == role {
		return nil
	}
	if err := keepAnOwner(tx, person, has); err != nil {
		return err
	}
	if err := saveMembership(tx, membershipRow{
		WorkspaceID: tx.Actor().Workspace, PersonID: person, Role: string(role), JoinedAt: tx.Now(),
	}); err != nil {
		return fmt.Errorf("store a membership: %w", err)
	}
	if has.AtLeast(tenant.Admin) && !role.AtLeast(tenant.Admin) {
		// What they offered as an admin is no longer theirs to offer.
		if err := revokeInvitationsBy(tx, person); err != nil {
			return err
		}
	}
	kind := "member.joined"
	if has != "" {
		kind = "member.role_changed"
	}
	_, err = event.Append(tx, operation, kind, nil, map[string]any{"person": person, "role": role, "was": has})
	return err
}

// leave ends a membership and everything by which the person could still reach the workspace. What they wrote stays.
func leave(tx *pg.Tx, operation string, person uuid.UUID, has tenant.Role) error {
	if err := keepAnOwner(tx, person, has); err != nil {
		return err
	}
	if err := deleteMembership(tx, person); err != nil {
		return fmt.Errorf("end a membership: %w", err)
	}
	if err := closeWorkspace(tx, person); err != nil {
		return err
	}
	kind := "member.removed"
	if person == tx.Actor().Person {
		kind = "member.left"
	}
	_, err := event.Append(tx, operation, kind, nil, map[string]any{"person": person, "was": has})
	return err
}

// keepAnOwner refuses to let go of the last owner.
func keepAnOwner(tx *pg.Tx, person uuid.UUID, has tenant.Role) error {
	if has != tenant.Owner {
		return nil
	}
	others, err := otherOwners(tx, person)
	if err != nil {
		return fmt.Errorf("count the owners: %w", err)
	}
	if others == 0 {
		return fault.New(fault.Conflict, fault.CodeStateConflict, "the last owner of a workspace cannot step down or leave",
			"make somebody else an owner first")
	}
	return nil
}
