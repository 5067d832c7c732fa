package account

import (
	"context"
	"time"

	"github.com/google/uuid"

	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type invitationsIn struct{}

type invitationView struct {
	ID        uuid.UUID   `json:"id"`
	Role      tenant.Role `json:"role"`
	Email     string      `json:"email,omitempty"`
	InvitedBy string      `json:"invited_by"`
	CreatedAt time.Time   `json:"created_at"`
	ExpiresAt time.Time   `json:"expires_at"`
}

func (s *Service) invitationsOp() op.Operation {
	return op.Read(op.Spec{
		ID: "invitations.list", Title: "List invitations",
		Doc:   "The invitations that can still be accepted. Links are never shown again.",
		Scope: tenant.ContextRead, Role: tenant.Admin, REST: "GET /invitations", CLI: "member invitations",
	}, s.invitations)
}

func (s *Service) invitations(_ context.Context, tx *pg.Tx, _ invitationsIn) (op.Page[invitationView], error) {
	rows, err := openInvitations(tx)
	if err != nil {
		return op.Page[invitationView]{}, err
	}
	out := make([]invitationView, 0, len(rows))
	for _, r := range rows {
		i := r.Invitation
		out = append(out, invitationView{
			ID: i.ID, Role: tenant.Role(i.Role), Email: i.Email, InvitedBy: r.InviterName,
			CreatedAt: i.CreatedAt.UTC(), ExpiresAt: i.ExpiresAt.UTC(),
		})
	}
	return op.NewPage(out, false, nil, nil), nil
}
