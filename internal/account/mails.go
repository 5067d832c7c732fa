package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"driftless/internal/account/reset"
	"driftless/internal/job"
	"driftless/internal/mail"
	"driftless/internal/opaque"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// The jobs that send a mail. They carry ids: who gets it and what it says is read when it is sent, and the secret of a link is made
// then, so that it lies nowhere in clear.
type (
	invitationMail struct {
		Workspace  uuid.UUID `json:"workspace"`
		Invitation uuid.UUID `json:"invitation"`
	}
	resetMail struct {
		Request uuid.UUID `json:"request"`
	}
	passwordMail struct {
		Person uuid.UUID `json:"person"`
		At     time.Time `json:"at"`
	}
	passkeyMail struct {
		Person uuid.UUID `json:"person"`
		At     time.Time `json:"at"`
	}
)

// Kind names the job.
func (invitationMail) Kind() string { return "mail.invitation" }

// Kind names the job.
func (resetMail) Kind() string { return "mail.password_reset" }

// Kind names the job.
func (passwordMail) Kind() string { return "mail.password_changed" }

// Kind names the job.
func (passkeyMail) Kind() string { return "mail.passkey_added" }

// Work tells the workers how the mails about accounts are sent.
func (s *Service) Work(w *job.Workers) {
	job.Work(w, s.mailInvitation)
	job.Work(w, s.mailReset)
	job.Work(w, s.mailPasswordChanged)
	job.Work(w, s.mailPasskeyAdded)
}

// CanReset reports whether a forgotten password can be reset, which takes a mail server.
func (s *Service) CanReset() bool { return s.mail.Ready() }

// send hands a mail over; a receiver whom the mail server refuses for good is not tried again.
func (s *Service) send(ctx context.Context, m mail.Message) error {
	err := s.mail.Send(ctx, m)
	if errors.Is(err, mail.ErrReceiver) {
		return job.GiveUp(err)
	}
	return err
}

const ignore = "If you did not expect this, you can ignore it."

// mailInvitation sends an invitation that is still open.
func (s *Service) mailInvitation(ctx context.Context, j invitationMail) error {
	secret := opaque.New("")
	var found foundInvitation
	open := false
	server := tenant.Actor{Caller: tenant.Caller{Via: tenant.ViaSystem}, Workspace: j.Workspace}
	err := s.db.Workspace(ctx, server, pg.ReadWrite, func(tx *pg.Tx) (err error) {
		found, open, err = mailedInvitation(tx, j.Invitation, opaque.Hash(secret))
		open = open && found.Invitation.Email != ""
		return err
	})
	if err != nil || !open {
		return err
	}
	return s.send(ctx, mail.Message{
		To:      found.Invitation.Email,
		Subject: fmt.Sprintf("%s invites you to %s on Driftless", found.InviterName, found.WorkspaceName),
		Text: []string{
			fmt.Sprintf("%s invites you to the workspace %q as %s.", found.InviterName, found.WorkspaceName, found.Invitation.Role),
			"Driftless holds what a team knows about its systems. This one is at " + s.cfg.PublicURL + ".",
		},
		Label: "Join the workspace", Link: s.cfg.PublicURL + "/invite/" + secret,
		After: []string{
			"The link works once, for this address, until " + day(found.Invitation.ExpiresAt) + ".", ignore,
		},
	})
}

// mailReset sends a link by which a forgotten password is replaced, where an account stands behind the request.
func (s *Service) mailReset(ctx context.Context, j resetMail) error {
	secret := opaque.New("")
	var p personRow
	due := false
	err := s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) (err error) {
		var person uuid.UUID
		if person, due, err = reset.Prepare(tx, j.Request, opaque.Hash(secret)); err != nil || !due {
			return err
		}
		p, err = personByID(tx, person)
		return err
	})
	if err != nil || !due {
		return err
	}
	return s.send(ctx, mail.Message{
		To: p.Email, Subject: "Set a new password for Driftless",
		Text:  []string{"Somebody, probably you, asked for a link to set a new password at " + s.cfg.PublicURL + "."},
		Label: "Set a new password", Link: s.cfg.PublicURL + "/reset/" + secret,
		After: []string{"The link works once, within an hour, and only the newest one works.", ignore + " Your password stays as it is."},
	})
}

// receiver is whom a notice is for; the zero person where they are gone.
func (s *Service) receiver(ctx context.Context, id uuid.UUID) (p personRow, err error) {
	err = s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) (err error) {
		if p, err = personByID(tx, id); pg.NoRow(err) {
			return nil
		}
		return err
	})
	return p, err
}

// mailPasswordChanged tells a person that their password is another now.
func (s *Service) mailPasswordChanged(ctx context.Context, j passwordMail) error {
	p, err := s.receiver(ctx, j.Person)
	if err != nil || p.Email == "" {
		return err
	}
	help := "If it was not you, ask whoever runs this server for help at once: somebody else may be able to sign in as you."
	return s.send(ctx, mail.Message{
		To: p.Email, Subject: "Your password for Driftless was changed",
		Text: []string{
			"The password of your account at " + s.cfg.PublicURL + " was changed on " + day(j.At) + ". Other sessions were ended.",
			"If it was you, there is nothing to do. Passkeys, API keys and connected applications still work; you see them in your account.", help,
		},
		Label: "Open Driftless", Link: s.cfg.PublicURL,
	})
}

// mailPasskeyAdded tells a person that their account can be entered in another way now.
func (s *Service) mailPasskeyAdded(ctx context.Context, j passkeyMail) error {
	p, err := s.receiver(ctx, j.Person)
	if err != nil || p.Email == "" {
		return err
	}
	return s.send(ctx, mail.Message{
		To: p.Email, Subject: "A passkey was added to your Driftless account",
		Text: []string{
			"A passkey was added to your account at " + s.cfg.PublicURL + " on " + day(j.At) + ". Whoever holds it can sign in as you.",
			"If it was you, there is nothing to do. If it was not, remove it in your account at once, change your password and end the other sessions.",
		},
		Label: "Open your account", Link: s.cfg.PublicURL + "/account",
	})
}

// PasskeyAdded tells the person, in the transaction in which the passkey was added.
func (s *Service) PasskeyAdded(tx *pg.Tx, person uuid.UUID) error {
	if !s.mail.Ready() {
		return nil
	}
	return job.Enqueue(tx, passkeyMail{Person: person, At: tx.Now()})
}

// day is a time as a mail says it, to people anywhere.
func day(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") }

// passwordChanged is what follows when somebody has another password: links to reset it are void, and they are told.
func (s *Service) passwordChanged(tx *pg.Tx, person uuid.UUID) error {
	if err := reset.Void(tx, person); err != nil {
		return err
	}
	if !s.mail.Ready() {
		return nil
	}
	return job.Enqueue(tx, passwordMail{Person: person, At: tx.Now()})
}
