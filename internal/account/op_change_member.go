package account

import (
	"context"
	"time"

	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type changeMemberIn struct {
	Person string `json:"person" jsonschema:"id or e-mail address of a member"`
	Role   string `json:"role" jsonschema:"the role from now on"`
}

func roleWords() []string {
	words := make([]string, 0, 4)
	for _, r := range tenant.Roles() {
		words = append(words, string(r))
	}
	return words
}

func (s *Service) changeMemberOp() op.Operation {
	return op.Write(op.Spec{
		ID: "members.change", Title: "Change a member's role",
		Doc: "Give a member another role, in force at their next call. Owners and admins; only owners make or unmake owners, " +
			"and the last owner stays one.",
		Scope: tenant.WorkWrite, Role: tenant.Admin, Human: true, Effect: op.Idempotent,
		REST: "PATCH /members/{person}", CLI: "member role <person> <role>",
		Rules: op.Rules{"role": op.OneOf("", roleWords()...)},
	}, s.changeMember)
}

func (s *Service) changeMember(_ context.Context, tx *pg.Tx, in changeMemberIn) (memberView, error) {
	m, err := member(tx, in.Person)
	if err != nil {
		return memberView{}, err
	}
	want := tenant.Role(in.Role)
	if err := mayChange(tx.Actor(), m, want, tx.Now()); err != nil {
		return memberView{}, err
	}
	if err := join(tx, "members.change", m.ID, want); err != nil {
		return memberView{}, err
	}
	m.Role = in.Role
	return m.view(), nil
}

// member finds a member by id or address.
func member(tx *pg.Tx, name string) (memberRow, error) {
	m, found, err := memberNamed(tx, name)
	if err == nil && !found {
		err = fault.Missing("member", name)
	}
	return m, err
}

// mayChange decides whether the actor, who is an admin at least, may give m the role.
func mayChange(a tenant.Actor, m memberRow, want tenant.Role, now time.Time) error {
	if err := op.NoApplication(a, "changing a role"); err != nil {
		return err
	}
	if err := raises(a, want, "making somebody an admin or owner", now); err != nil {
		return err
	}
	if (tenant.Role(m.Role) == tenant.Owner || want == tenant.Owner) && a.Role != tenant.Owner {
		return op.InsufficientRole(a.Role, tenant.Owner)
	}
	// A service account that could decide would be nobody deciding.
	if m.Kind == "service" && want.AtLeast(tenant.Admin) {
		return fault.New(fault.Forbidden, fault.CodeMissingHumanIdentity, "a service account is at most a member", "choose viewer or member")
	}
	return nil
}
