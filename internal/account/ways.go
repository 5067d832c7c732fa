package account

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"driftless/internal/account/identity"
	"driftless/internal/config"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// WaysIn are the ways in which people can sign in at this server.
type WaysIn struct {
	Password  bool           `json:"password"`
	Passkeys  bool           `json:"passkeys"`
	Reset     bool           `json:"reset" jsonschema:"a forgotten password can be replaced by mail"`
	Providers []ProviderName `json:"providers"`
}

// ProviderName is a provider as a person sees it.
type ProviderName struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// WaysIn says in which ways people can sign in.
func (s *Service) WaysIn() WaysIn {
	out := WaysIn{Password: true, Reset: s.CanReset(), Providers: []ProviderName{}}
	for _, p := range s.signOn.providers {
		out.Providers = append(out.Providers, ProviderName{ID: p.ID, Name: p.Name})
	}
	return out
}

// IdentityView is an identity of a person, as they see it.
type IdentityView struct {
	ID         uuid.UUID  `json:"id"`
	Provider   string     `json:"provider"`
	Name       string     `json:"name" jsonschema:"of the provider"`
	Email      string     `json:"email" jsonschema:"that the person has at the provider"`
	LinkedAt   time.Time  `json:"linked_at"`
	LastUsedAt *time.Time `json:"last_used_at,omitempty"`
}

// Identities lists who the person is at other servers.
func (s *SignOn) Identities(ctx context.Context, person uuid.UUID) (op.Page[IdentityView], error) {
	var rows []identity.Identity
	err := s.accounts.db.System(ctx, uuid.Nil, func(tx *pg.Tx) (err error) {
		rows, err = identity.Of(tx, person)
		return err
	})
	out := make([]IdentityView, 0, len(rows))
	for _, row := range rows {
		v := IdentityView{ID: row.ID, Provider: row.Provider, Name: row.Provider, Email: row.Email, LinkedAt: row.LinkedAt.UTC()}
		if p, ok := s.provider(row.Provider); ok {
			v.Name = p.Name
		}
		if row.LastUsedAt != nil {
			used := row.LastUsedAt.UTC()
			v.LastUsedAt = &used
		}
		out = append(out, v)
	}
	return op.NewPage(out, false, nil, nil), err
}

// Link begins to link an identity to the caller, who signed in recently.
func (s *SignOn) Link(ctx context.Context, c tenant.Caller, start SignOnStart) (redirect, browser string, err error) {
	if err := RequireRecentSignIn(c, time.Now()); err != nil {
		return "", "", err
	}
	start.Link = c.Person
	return s.Begin(ctx, start)
}

// Unlink removes an identity of the caller, who signed in recently, unless it is their last way to sign in.
func (s *SignOn) Unlink(ctx context.Context, c tenant.Caller, id string) error {
	if err := RequireRecentSignIn(c, time.Now()); err != nil {
		return err
	}
	return s.accounts.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		found, err := identity.Unlink(tx, c.Person, id)
		if err != nil {
			return err
		}
		if !found {
			return fault.Missing("identity", id)
		}
		return s.accounts.KeepAWayIn(tx, c.Person)
	})
}

// KeepAWayIn refuses to take away the last way in which a person can sign in. It is asked after the removal, in its
// transaction, and locks the person before it looks, so that of two removals at the same moment the second sees the first. An
// identity of a provider that is not configured any more leads nowhere.
func (s *Service) KeepAWayIn(tx *pg.Tx, person uuid.UUID) error {
	if err := identity.Lock(tx, person); err != nil {
		return err
	}
	if has, err := identity.HasOtherWay(tx, person); err != nil || has {
		return err
	}
	identities, err := identity.Of(tx, person)
	if err != nil {
		return err
	}
	usable := func(i identity.Identity) bool {
		return slices.ContainsFunc(s.cfg.SignOn, func(p config.Provider) bool { return p.IssuerURL() == i.Issuer })
	}
	if slices.ContainsFunc(identities, usable) {
		return nil
	}
	return fault.New(fault.Conflict, fault.CodeStateConflict, "this is your last way to sign in", "set a password or add another way first")
}
