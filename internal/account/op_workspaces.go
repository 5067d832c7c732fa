package account

import (
	"context"

	"driftless/internal/op"
	"driftless/internal/tenant"
)

func (s *Service) workspacesOp() op.Operation {
	return op.Global(op.Spec{
		Tool: "driftless_workspaces", ID: "workspaces.list", Title: "List workspaces",
		Doc:   "Your workspaces within this grant, with your role in each. Example: {}",
		Scope: tenant.ContextRead, Role: tenant.Viewer,
		REST: "GET /api/v1/workspaces", CLI: "workspace list",
	}, s.workspaces)
}

type workspacesIn struct{}

func (s *Service) workspaces(_ context.Context, c tenant.Caller, _ workspacesIn) (op.Page[WorkspaceRole], error) {
	rows := make([]WorkspaceRole, 0, len(c.Memberships))
	for _, m := range c.Memberships {
		rows = append(rows, WorkspaceRole{Slug: m.Slug, Name: m.Name, Role: m.Role})
	}
	var next *op.Next
	if len(rows) > 0 {
		next = &op.Next{
			Tool: "driftless_context_list", Arguments: map[string]any{"workspace": rows[0].Slug},
			Why: "see what is known in this workspace",
		}
	}
	return op.NewPage(rows, false, next, nil), nil
}
