package account

import (
	"context"

	"github.com/google/uuid"

	"driftless/internal/op"
	"driftless/internal/tenant"
)

type meIn struct{}

// Me is the caller as the server sees it: who, with what, and where.
type Me struct {
	Person     SignedInPerson  `json:"person"`
	Service    bool            `json:"service,omitempty"`
	Via        tenant.Via      `json:"via"`
	Client     string          `json:"client,omitempty"`
	Credential uuid.UUID       `json:"credential,omitzero"`
	Scopes     []tenant.Scope  `json:"scopes"`
	Workspaces []WorkspaceRole `json:"workspaces"`
}

func (s *Service) meOp() op.Operation {
	return op.Global(op.Spec{
		ID: "me.get", Title: "Who am I", Doc: "The person and credential behind this call, its scopes and its workspaces.",
		Scope: tenant.ContextRead, Role: tenant.Viewer, REST: "GET /api/v1/me", CLI: "whoami",
	}, s.me)
}

func (s *Service) me(_ context.Context, c tenant.Caller, _ meIn) (Me, error) {
	m := Me{
		Person:  SignedInPerson{ID: c.Person, Email: c.Email, Name: c.Name},
		Service: c.Service, Via: c.Via, Client: c.Client, Credential: c.Credential, Scopes: c.Scopes, Workspaces: []WorkspaceRole{},
	}
	for _, w := range c.Memberships {
		m.Workspaces = append(m.Workspaces, WorkspaceRole{Slug: w.Slug, Name: w.Name, Role: w.Role})
	}
	return m, nil
}
