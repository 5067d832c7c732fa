package oauth

import (
	"net/http"
	"time"

	"github.com/google/uuid"

	"driftless/internal/account"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

const connectionsPath = "/api/v1/connections"

// connection is an application that a person has let in, as they see it. Workspaces are those that it still reaches.
type connection struct {
	ID         uuid.UUID          `json:"id"`
	Client     consentClient      `json:"client"`
	Scopes     []consentScope     `json:"scopes"`
	Workspaces []consentWorkspace `json:"workspaces"`
	CreatedAt  time.Time          `json:"created_at"`
	LastUsedAt time.Time          `json:"last_used_at"`
}

type disconnected struct {
	ID      uuid.UUID `json:"id"`
	Revoked bool      `json:"revoked"`
}

// connections is GET /api/v1/connections: what the person has allowed and could still be used.
func (s *Server) connections(r *http.Request, caller tenant.Caller) (any, error) {
	var out []connection
	err := s.db.System(r.Context(), caller.Person, func(tx *pg.Tx) error {
		rows, err := connected(tx, caller.Person, s.clock())
		if err != nil {
			return err
		}
		out = nil
		for _, row := range rows {
			g := row.Grant
			row.Client.ID = g.ClientID
			out = append(out, connection{
				ID: g.ID, Client: row.Client.view(), Scopes: describeScopes(g.Scopes),
				Workspaces: describeWorkspaces(account.Granted(caller.Memberships, g.Workspaces)),
				CreatedAt:  g.CreatedAt.UTC(), LastUsedAt: g.UsedAt.UTC(),
			})
		}
		return nil
	})
	return op.NewPage(out, false, nil, nil), err
}

// disconnect is DELETE /api/v1/connections/{grant}: everything the application was given stops at once.
func (s *Server) disconnect(r *http.Request, caller tenant.Caller) (any, error) {
	id, err := named(r)
	if err != nil {
		return nil, fault.Missing("connection", "this one")
	}
	err = s.db.System(r.Context(), caller.Person, func(tx *pg.Tx) error {
		live, err := revokeOwnGrant(tx, id, caller.Person, s.clock())
		if err != nil {
			return err
		}
		if !live {
			return fault.Missing("connection", id.String())
		}
		return noteEnd(tx, id, tenant.ViaConsole, "connections.revoke", "its person disconnected the application")
	})
	return disconnected{ID: id, Revoked: err == nil}, err
}
