package account

import (
	"context"
	"time"

	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type membersIn struct{}

type memberView struct {
	Person   SignedInPerson `json:"person"`
	Service  bool           `json:"service,omitempty"`
	Role     tenant.Role    `json:"role"`
	JoinedAt time.Time      `json:"joined_at"`
}

func (r memberRow) view() memberView {
	return memberView{
		Person:  SignedInPerson{ID: r.ID, Email: r.Email, Name: r.Name},
		Service: r.Kind == "service", Role: tenant.Role(r.Role), JoinedAt: r.JoinedAt.UTC(),
	}
}

func (s *Service) membersOp() op.Operation {
	return op.Read(op.Spec{
		ID: "members.list", Title: "List members", Doc: "Who is in the workspace, and with which role.",
		Scope: tenant.ContextRead, Role: tenant.Viewer, REST: "GET /members", CLI: "member list",
	}, s.members)
}

func (s *Service) members(_ context.Context, tx *pg.Tx, _ membersIn) (op.Page[memberView], error) {
	rows, err := members(tx)
	if err != nil {
		return op.Page[memberView]{}, err
	}
	out := make([]memberView, 0, len(rows))
	for _, r := range rows {
		out = append(out, r.view())
	}
	return op.NewPage(out, false, nil, nil), nil
}
