package account

import (
	"context"
	"time"

	"github.com/google/uuid"

	"driftless/internal/account/guess"
	"driftless/internal/account/identity"
	"driftless/internal/account/reset"
	"driftless/internal/account/session"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// linksKept is how long a link is kept after it was used, taken back or expired.
const linksKept = 30 * 24 * time.Hour

// resetsKept is how long a request to reset a password is kept: as long as it counts, and a day to look into it.
const resetsKept = reset.TTL + 24*time.Hour

// Sweep removes sessions and attempts to sign on that have expired, old requests to reset a password, and links that have been
// worth nothing for 30 days. In each workspace it also does what others have to sweep there, one transaction for each.
func (s *Service) Sweep(ctx context.Context, others ...func(*pg.Tx) error) error {
	var workspaces []uuid.UUID
	err := s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) (err error) {
		if err := session.Sweep(tx); err != nil {
			return err
		}
		if err := guess.Sweep(tx); err != nil {
			return err
		}
		if err := identity.Sweep(tx); err != nil {
			return err
		}
		if err := sweepSetupLinks(tx, tx.Now().Add(-linksKept)); err != nil {
			return err
		}
		if err := reset.Sweep(tx, tx.Now().Add(-resetsKept)); err != nil {
			return err
		}
		workspaces, err = workspaceIDs(tx)
		return err
	})
	if err != nil {
		return err
	}
	for _, id := range workspaces {
		server := tenant.Actor{Caller: tenant.Caller{Via: tenant.ViaSystem}, Workspace: id}
		err := s.db.Workspace(ctx, server, pg.ReadWrite, func(tx *pg.Tx) error {
			if err := sweepInvitations(tx, tx.Now().Add(-linksKept)); err != nil {
				return err
			}
			for _, sweep := range others {
				if err := sweep(tx); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
