package account

import (
	"context"
	"fmt"

	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type deleteWorkspaceIn struct {
	Confirm string `json:"confirm" jsonschema:"the slug of the workspace, typed once more"`
}

type deletedWorkspace struct {
	Workspace string `json:"workspace" jsonschema:"its slug"`
	Deleted   bool   `json:"deleted"`
}

func (s *Service) deleteWorkspaceOp() op.Operation {
	return op.Write(op.Spec{
		ID: "workspace.delete", Title: "Delete the workspace",
		Doc: "Delete the workspace with everything in it, its log too, at once and for good. Owners, in the console, after a sign-in from the " +
			"last 15 minutes. Keys and applications that reach nothing else end; people keep their accounts. Export it first.",
		Scope: tenant.WorkWrite, Role: tenant.Owner, Human: true, Effect: op.Destroys,
		REST: "DELETE /api/v1/workspaces/{workspace}", CLI: "workspace delete <confirm>",
		Rules: op.Rules{"confirm": op.Length(1, 63)},
	}, s.deleteWorkspace)
}

func (s *Service) deleteWorkspace(_ context.Context, tx *pg.Tx, in deleteWorkspaceIn) (deletedWorkspace, error) {
	// No text that an agent reads may be able to end a workspace.
	if tx.Actor().Via != tenant.ViaConsole {
		return deletedWorkspace{}, op.ConsoleOnly("deleting a workspace")
	}
	if err := RequireRecentSignIn(tx.Actor().Caller, tx.Now()); err != nil {
		return deletedWorkspace{}, err
	}
	// Writes under way are waited for; none begins after this.
	if err := event.Lock(tx); err != nil {
		return deletedWorkspace{}, err
	}
	w, err := thisWorkspace(tx)
	if err != nil {
		return deletedWorkspace{}, fmt.Errorf("read the workspace: %w", err)
	}
	if in.Confirm != w.Slug {
		return deletedWorkspace{}, fault.Fieldf("confirm", "is not the slug of this workspace")
	}
	if err := closeToAll(tx); err != nil {
		return deletedWorkspace{}, err
	}
	if err := deleteThisWorkspace(tx); err != nil {
		return deletedWorkspace{}, fmt.Errorf("delete the workspace: %w", err)
	}
	return deletedWorkspace{Workspace: w.Slug, Deleted: true}, nil
}
