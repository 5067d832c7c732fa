package oauth

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"driftless/internal/event"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// misuse is why a grant was ended without its person.
type misuse string

const (
	codeTwice   misuse = "an authorization code was used twice"
	refreshLate misuse = "a refresh token was used again after its grace"
)

// end revokes a grant because of a misuse. The workspaces it reached get an entry in their events, in the same transaction. It
// answers false for a grant that had ended before.
func (s *Server) end(tx *pg.Tx, grant uuid.UUID, why misuse) (bool, error) {
	live, err := revokeGrant(tx, grant, s.clock())
	if err != nil || !live {
		return false, err
	}
	return true, noteEnd(tx, grant, tenant.ViaMCP, "oauth.token", string(why))
}

// warn tells the operator, after the transaction that ended a grant: before, it could still be undone.
func (s *Server) warn(ctx context.Context, grant uuid.UUID, why misuse) {
	s.log.WarnContext(ctx, "grant revoked", "reason", why, "grant", grant)
}

// noteEnd appends the event to the workspaces of a grant.
func noteEnd(tx *pg.Tx, id uuid.UUID, via tenant.Via, operation, why string) error {
	g, err := findGrant(tx, id)
	if err != nil {
		return fmt.Errorf("find a grant: %w", err)
	}
	return note(tx, g, via, operation, "grant.revoked", map[string]any{"grant": g.ID, "client": g.ClientID, "reason": why})
}

// note appends an event to the workspaces of a grant that its person is still in, always in the same order, because each is
// locked until the transaction ends.
func note(tx *pg.Tx, g grantRow, via tenant.Via, operation, kind string, detail map[string]any) error {
	workspaces := slices.SortedFunc(slices.Values(g.Workspaces), func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	for _, workspace := range workspaces {
		if err := tx.Enter(workspace, g.PersonID, via); err != nil {
			return fmt.Errorf("enter a workspace: %w", err)
		}
		if tx.Actor().Role == "" {
			continue
		}
		if _, err := event.Append(tx, operation, kind, nil, detail); err != nil {
			return err
		}
	}
	return nil
}
