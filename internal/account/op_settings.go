package account

import (
	"context"

	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type settingsIn struct{}

type settingsView struct {
	AgentApproval   string     `json:"agent_approval" jsonschema:"who completes an approval asked for by an agent"`
	FourEyes        bool       `json:"four_eyes" jsonschema:"author, last editor and approver must be different people"`
	NoteLifetime    int        `json:"note_lifetime_days" jsonschema:"days without a change after which a draft is archived; 0 is never"`
	PublicKnowledge publicView `json:"public_knowledge" jsonschema:"what anybody may read, without an account"`
}

func (s *Service) settingsOp() op.Operation {
	return op.Read(op.Spec{
		ID: "settings.get", Title: "Read settings", Doc: "The policies of the workspace.",
		Scope: tenant.ContextRead, Role: tenant.Viewer, REST: "GET /settings", CLI: "workspace settings",
	}, s.settings)
}

func (s *Service) settings(_ context.Context, tx *pg.Tx, _ settingsIn) (settingsView, error) {
	now, err := LoadSettings(tx)
	return s.view(tx, now), err
}

func (s *Service) view(tx *pg.Tx, now Settings) settingsView {
	slug := tx.Actor().Slug
	v := now.view(now.Public.Or(s.cfg, slug))
	v.PublicKnowledge.URL = s.cfg.PublicURL + "/mcp/public/" + slug
	return v
}

func (s Settings) view(public PublicKnowledge) settingsView {
	return settingsView{AgentApproval: s.AgentApproval, FourEyes: s.FourEyes, NoteLifetime: s.NoteLifetimeDays, PublicKnowledge: public.view()}
}
