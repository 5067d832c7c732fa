package account

import (
	"context"

	"driftless/internal/event"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type changeSettingsIn struct {
	AgentApproval string `json:"agent_approval,omitempty" jsonschema:"confirm: a person confirms in the console; direct: an owner's or admin's token approves; off: console only"`
	FourEyes      *bool  `json:"four_eyes,omitempty" jsonschema:"author, last editor and approver must be different people"`
}

func (s *Service) changeSettingsOp() op.Operation {
	return op.Write(op.Spec{
		ID: "settings.change", Title: "Change settings", Doc: "Change the policies of the workspace. Owners and admins, signed in as a person.",
		Scope: tenant.WorkWrite, Role: tenant.Admin, Human: true, Effect: op.Idempotent,
		REST: "PATCH /settings", CLI: "workspace set",
		Rules: op.Rules{"agent_approval": op.OneOf("", "confirm", "direct", "off")},
	}, s.changeSettings)
}

func (s *Service) changeSettings(_ context.Context, tx *pg.Tx, in changeSettingsIn) (settingsView, error) {
	// Who changes the other policy at the same moment is waited for: both are kept.
	if err := event.Lock(tx); err != nil {
		return settingsView{}, err
	}
	now, err := LoadSettings(tx)
	if err != nil {
		return settingsView{}, err
	}
	before := now
	if in.AgentApproval != "" {
		now.AgentApproval = in.AgentApproval
	}
	if in.FourEyes != nil {
		now.FourEyes = *in.FourEyes
	}
	if now == before {
		return settingsView(now), nil
	}
	// A policy that lets an agent approve must not be within an agent's own reach.
	if tx.Actor().Via != tenant.ViaConsole {
		return settingsView{}, op.ConsoleOnly("changing a policy")
	}
	if err := RequireSignInForDecision(tx.Actor().Caller, tx.Now()); err != nil {
		return settingsView{}, err
	}
	if err := saveSettings(tx, now); err != nil {
		return settingsView{}, err
	}
	_, err = event.Append(tx, "settings.change", "settings.changed", nil, map[string]any{"before": settingsView(before), "after": settingsView(now)})
	return settingsView(now), err
}
