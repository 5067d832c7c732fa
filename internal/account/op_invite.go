package account

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"driftless/internal/event"
	"driftless/internal/fault"
	"driftless/internal/job"
	"driftless/internal/op"
	"driftless/internal/opaque"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type inviteIn struct {
	Email string `json:"email,omitempty" jsonschema:"the only address that may accept; without it whoever has the link may"`
	Role  string `json:"role,omitempty" jsonschema:"role of who accepts; a link never makes an owner"`
}

type invited struct {
	ID        uuid.UUID   `json:"id"`
	Role      tenant.Role `json:"role"`
	Email     string      `json:"email,omitempty"`
	Link      string      `json:"link" jsonschema:"hand it to the person; it is answered once and works once"`
	ExpiresAt time.Time   `json:"expires_at"`
	Mailed    bool        `json:"mailed" jsonschema:"a mail with a link of its own goes to the address"`
}

func (s *Service) inviteOp() op.Operation {
	return op.Write(op.Spec{
		ID: "invitations.create", Title: "Invite a person",
		Doc: "Make a link by which one person joins the workspace within 7 days. Owners and admins, in the console or with an API key; " +
			"an admin is invited in the console alone. The link is answered once; where the server sends mail, one goes to the address too.",
		Scope: tenant.WorkWrite, Role: tenant.Admin, Human: true, REST: "POST /invitations", Created: true, CLI: "member invite [email]",
		Rules: op.Rules{"email": op.Length(0, 254), "role": op.OneOf(string(tenant.Member), invitable()...)},
	}, s.invite)
}

func (s *Service) invite(_ context.Context, tx *pg.Tx, in inviteIn) (invited, error) {
	if err := op.NoApplication(tx.Actor(), "inviting people"); err != nil {
		return invited{}, err
	}
	if err := raises(tx.Actor(), tenant.Role(in.Role), "inviting an admin", tx.Now()); err != nil {
		return invited{}, err
	}
	email := strings.TrimSpace(in.Email)
	if email != "" {
		var err error
		if email, err = Email(email); err != nil {
			return invited{}, err
		}
		_, found, err := memberNamed(tx, email)
		if err != nil {
			return invited{}, err
		}
		if found {
			return invited{}, fault.New(fault.Conflict, fault.CodeStateConflict, email+" is in this workspace already", "change the role with members.change")
		}
	}
	id, secret := pg.NewID(), opaque.New("")
	row := invitationRow{
		WorkspaceID: tx.Actor().Workspace, ID: id, Hash: opaque.Hash(secret), Role: in.Role, Email: email, InvitedBy: tx.Actor().Person,
		CreatedAt: tx.Now(), ExpiresAt: tx.Now().Add(InvitationTTL),
	}
	if err := insertInvitation(tx, row); err != nil {
		return invited{}, err
	}
	mailed := email != "" && s.mail.Ready()
	if mailed {
		if err := job.Enqueue(tx, invitationMail{Workspace: row.WorkspaceID, Invitation: id}); err != nil {
			return invited{}, err
		}
	}
	// The address stays out of the log, which is never changed: a person may want to be forgotten.
	_, err := event.Append(tx, "invitations.create", "member.invited", nil, map[string]any{"invitation": id, "role": in.Role})
	return invited{
		ID: id, Role: tenant.Role(in.Role), Email: email, Link: s.cfg.PublicURL + "/invite/" + secret, ExpiresAt: row.ExpiresAt, Mailed: mailed,
	}, err
}

// raises refuses what would make somebody an admin to a key, and to a session too old for a decision: whoever holds either could
// make up that person, sign in, and decide in their name what becomes Knowledge.
func raises(a tenant.Actor, to tenant.Role, what string, now time.Time) error {
	switch {
	case !to.AtLeast(tenant.Admin):
		return nil
	case a.Via != tenant.ViaConsole:
		return op.ConsoleOnly(what)
	}
	return RequireSignInForDecision(a.Caller, now)
}
