package account

import (
	"context"

	"github.com/google/uuid"

	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type removeMemberIn struct {
	Person string `json:"person" jsonschema:"id or e-mail address of a member; your own to leave"`
}

type removedMember struct {
	Person  uuid.UUID `json:"person"`
	Removed bool      `json:"removed"`
}

func (s *Service) removeMemberOp() op.Operation {
	return op.Write(op.Spec{
		ID: "members.remove", Title: "Remove a member, or leave",
		Doc: "End a membership. Keys, tokens and open invitations of the person stop reaching the workspace at once; what they wrote stays. " +
			"Everybody may leave; admins remove others, owners also owners; the last owner stays.",
		Scope: tenant.WorkWrite, Role: tenant.Viewer, Human: true, Effect: op.Idempotent | op.Destroys,
		REST: "DELETE /members/{person}", CLI: "member remove <person>",
	}, s.removeMember)
}

func (s *Service) removeMember(_ context.Context, tx *pg.Tx, in removeMemberIn) (removedMember, error) {
	m, err := member(tx, in.Person)
	if err != nil {
		return removedMember{}, err
	}
	if err := mayRemove(tx.Actor(), m); err != nil {
		return removedMember{}, err
	}
	if err := leave(tx, "members.remove", m.ID, tenant.Role(m.Role)); err != nil {
		return removedMember{}, err
	}
	return removedMember{Person: m.ID, Removed: true}, nil
}

// mayRemove decides whether the actor may end the membership of m.
func mayRemove(a tenant.Actor, m memberRow) error {
	if err := op.NoApplication(a, "removing a member"); err != nil {
		return err
	}
	switch {
	case m.ID == a.Person:
		return nil
	case !a.Role.AtLeast(tenant.Admin):
		return op.InsufficientRole(a.Role, tenant.Admin)
	case tenant.Role(m.Role) == tenant.Owner && a.Role != tenant.Owner:
		return op.InsufficientRole(a.Role, tenant.Owner)
	}
	return nil
}
