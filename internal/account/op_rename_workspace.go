package account

import (
	"context"
	"fmt"
	"strings"

	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type renameWorkspaceIn struct {
	Name string `json:"name" jsonschema:"what people call it; its slug stays"`
}

type renamedWorkspace struct {
	Workspace string `json:"workspace" jsonschema:"its slug"`
	Name      string `json:"name"`
}

func (s *Service) renameWorkspaceOp() op.Operation {
	return op.Write(op.Spec{
		ID: "workspace.rename", Title: "Rename the workspace", Doc: `Give the workspace another name; addresses keep its slug. Example: {"name":"Ledger team"}`,
		Scope: tenant.WorkWrite, Role: tenant.Admin, Human: true, Effect: op.Idempotent,
		REST: "PATCH /api/v1/workspaces/{workspace}", CLI: "workspace rename <name>",
		Rules: op.Rules{"name": op.Length(1, nameMax)},
	}, s.renameWorkspace)
}

func (s *Service) renameWorkspace(_ context.Context, tx *pg.Tx, in renameWorkspaceIn) (renamedWorkspace, error) {
	if err := event.Lock(tx); err != nil {
		return renamedWorkspace{}, err
	}
	w, err := thisWorkspace(tx)
	if err != nil {
		return renamedWorkspace{}, fmt.Errorf("read the workspace: %w", err)
	}
	name := strings.Join(strings.Fields(in.Name), " ")
	out := renamedWorkspace{Workspace: w.Slug, Name: name}
	if name == w.Name {
		return out, nil
	}
	if name == "" {
		return out, fault.Fieldf("name", "must not be empty")
	}
	if err := nameWorkspace(tx, name); err != nil {
		return out, fmt.Errorf("rename the workspace: %w", err)
	}
	_, err = event.Append(tx, "workspace.rename", "workspace.renamed", nil, map[string]any{"name": w.Name, "new_name": name})
	return out, err
}
