package oauth

import (
	"context"
	"fmt"
	"time"

	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type listClientsIn struct{}

// ownClientView is a client of the workspace as its admins see it.
type ownClientView struct {
	ClientID     string     `json:"client_id"`
	Name         string     `json:"name"`
	RedirectURIs []string   `json:"redirect_uris"`
	Scopes       []string   `json:"scopes"`
	AuthMethod   string     `json:"auth_method"`
	CreatedAt    time.Time  `json:"created_at"`
	CreatedBy    string     `json:"created_by"`
	LastUsedAt   *time.Time `json:"last_used_at,omitempty" jsonschema:"last use of a connection that is still kept"`
}

func (c clientRow) own(creator string, used *time.Time) ownClientView {
	return ownClientView{
		ClientID: c.ID, Name: c.Name, RedirectURIs: c.RedirectURIs, Scopes: c.Scopes, AuthMethod: c.AuthMethod,
		CreatedAt: c.CreatedAt.UTC(), CreatedBy: creator, LastUsedAt: used,
	}
}

func (s *Server) clientsOp() op.Operation {
	return op.Read(op.Spec{
		ID: "clients.list", Title: "List OAuth clients",
		Doc:   "The OAuth clients that were registered for this workspace. Owners and admins. Secrets are never shown again.",
		Scope: tenant.ContextRead, Role: tenant.Admin, REST: "GET /clients", CLI: "client list",
	}, s.clients)
}

func (s *Server) clients(_ context.Context, tx *pg.Tx, _ listClientsIn) (op.Page[ownClientView], error) {
	rows, err := ownClients(tx)
	if err != nil {
		return op.Page[ownClientView]{}, fmt.Errorf("list the clients: %w", err)
	}
	out := make([]ownClientView, 0, len(rows))
	for _, r := range rows {
		out = append(out, r.Client.own(r.Creator, r.LastUsedAt))
	}
	return op.NewPage(out, false, nil, nil), nil
}
