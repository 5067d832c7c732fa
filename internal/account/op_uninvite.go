package account

import (
	"context"

	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type uninviteIn struct {
	Invitation string `json:"invitation" jsonschema:"id of the invitation"`
}

type uninvited struct {
	ID      string `json:"id"`
	Revoked bool   `json:"revoked"`
}

func (s *Service) uninviteOp() op.Operation {
	return op.Write(op.Spec{
		ID: "invitations.revoke", Title: "Take an invitation back", Doc: "The link stops working at once. Owners and admins.",
		Scope: tenant.WorkWrite, Role: tenant.Admin, Human: true, Effect: op.Idempotent | op.Destroys,
		REST: "DELETE /invitations/{invitation}", CLI: "member uninvite <invitation>",
	}, s.uninvite)
}

func (s *Service) uninvite(_ context.Context, tx *pg.Tx, in uninviteIn) (uninvited, error) {
	open, err := revokeInvitation(tx, in.Invitation)
	if err != nil {
		return uninvited{}, err
	}
	if !open {
		return uninvited{}, fault.Missing("open invitation", in.Invitation)
	}
	_, err = event.Append(tx, "invitations.revoke", "invitation.revoked", nil, map[string]any{"invitation": in.Invitation})
	return uninvited{ID: in.Invitation, Revoked: true}, err
}
