package account

import (
	"context"

	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type settingsIn struct{}

type settingsView struct {
	AgentApproval string `json:"agent_approval" jsonschema:"who completes an approval asked for by an agent"`
	FourEyes      bool   `json:"four_eyes" jsonschema:"author, last editor and approver must be different people"`
}

func (s *Service) settingsOp() op.Operation {
	return op.Read(op.Spec{
		ID: "settings.get", Title: "Read settings", Doc: "The policies of the workspace.",
		Scope: tenant.ContextRead, Role: tenant.Viewer, REST: "GET /settings", CLI: "workspace settings",
	}, s.settings)
}

func (s *Service) settings(_ context.Context, tx *pg.Tx, _ settingsIn) (settingsView, error) {
	now, err := LoadSettings(tx)
	return settingsView(now), err
}
