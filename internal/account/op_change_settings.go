package account

import (
	"context"

	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// The days that a draft can be given.
const (
	noteLifetimeMin = 7
	noteLifetimeMax = 3650
)

type changeSettingsIn struct {
	AgentApproval string `json:"agent_approval,omitempty" jsonschema:"confirm: a person confirms in the console; direct: an owner's or admin's token approves; off: console only"`
	FourEyes      *bool  `json:"four_eyes,omitempty" jsonschema:"author, last editor and approver must be different people"`
	NoteLifetime  *int   `json:"note_lifetime_days,omitempty" jsonschema:"days without a change after which a draft is archived: 7 to 3650, or 0 for never"`
	// PublicKnowledge is the owner's alone: it lets everybody in.
	PublicKnowledge publicIn `json:"public_knowledge,omitzero" jsonschema:"what anybody may read, without an account; for owners"`
}

func (s *Service) changeSettingsOp() op.Operation {
	return op.Write(op.Spec{
		ID: "settings.change", Title: "Change settings", Doc: "Change the policies of the workspace. Owners and admins, signed in as a person; what anybody may read is changed by owners.",
		Scope: tenant.WorkWrite, Role: tenant.Admin, Human: true, Effect: op.Idempotent,
		REST: "PATCH /settings", CLI: "workspace set",
		Rules: op.Rules{"agent_approval": op.OneOf("", "confirm", "direct", "off"), "note_lifetime_days": op.Number(0, noteLifetimeMax), "public_knowledge.tags": op.Items(0, publicTagsMax)},
	}, s.changeSettings)
}

func (s *Service) changeSettings(_ context.Context, tx *pg.Tx, in changeSettingsIn) (settingsView, error) {
	if days := in.NoteLifetime; days != nil && *days != 0 && *days < noteLifetimeMin {
		return settingsView{}, fault.Fieldf("note_lifetime_days", "is at least %d, the days of the warning, or 0 for never", noteLifetimeMin)
	}
	// Who changes the other policy at the same moment is waited for: both are kept.
	if err := event.Lock(tx); err != nil {
		return settingsView{}, err
	}
	now, err := LoadSettings(tx)
	if err != nil {
		return settingsView{}, err
	}
	before, open := now, now.Public.Or(s.cfg, tx.Actor().Slug)
	if in.AgentApproval != "" {
		now.AgentApproval = in.AgentApproval
	}
	if in.FourEyes != nil {
		now.FourEyes = *in.FourEyes
	}
	if in.NoteLifetime != nil {
		now.NoteLifetimeDays = *in.NoteLifetime
	}
	next := open
	if in.PublicKnowledge != (publicIn{}) {
		if a := tx.Actor(); !a.Role.AtLeast(tenant.Owner) {
			return settingsView{}, op.InsufficientRole(a.Role, tenant.Owner)
		}
		if next, err = in.PublicKnowledge.on(open); err != nil {
			return settingsView{}, err
		}
		now.Public = next
	}
	if now.equal(before) {
		return s.view(tx, now), nil
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
	_, err = event.Append(tx, "settings.change", "settings.changed", nil, map[string]any{"before": before.view(open), "after": now.view(next)})
	return s.view(tx, now), err
}

func (s Settings) equal(t Settings) bool {
	return s.AgentApproval == t.AgentApproval && s.FourEyes == t.FourEyes && s.NoteLifetimeDays == t.NoteLifetimeDays && s.Public.equal(t.Public)
}
