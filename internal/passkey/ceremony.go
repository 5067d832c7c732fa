package passkey

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/google/uuid"

	"driftless/internal/account"
	"driftless/internal/fault"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// Browser is a secret that the browser keeps between the two halves of a ceremony, so that what one began no other finishes.
type Browser string

type purpose string

const (
	register purpose = "register"
	signIn   purpose = "sign_in"
	stepUp   purpose = "step_up"
)

// ceremony is who does what where; person is nil for a sign-in.
type ceremony struct {
	purpose purpose
	browser Browser
	person  *uuid.UUID
}

// user is a person as the library sees one.
type user struct {
	ID     uuid.UUID
	Email  string
	Name   string
	Handle []byte
	rows   []row `gorm:"-"`
}

// WebAuthnID is the random handle.
func (u user) WebAuthnID() []byte { return u.Handle }

// WebAuthnName is what tells accounts apart in an authenticator.
func (u user) WebAuthnName() string { return u.Email }

// WebAuthnDisplayName is the name of the person.
func (u user) WebAuthnDisplayName() string { return u.Name }

// WebAuthnCredentials are the passkeys that open something.
func (u user) WebAuthnCredentials() []webauthn.Credential { return u.credentials(false) }

func (u user) credentials(cloned bool) []webauthn.Credential {
	out := []webauthn.Credential{}
	for _, r := range u.rows {
		var c webauthn.Credential
		// A record that cannot be read is as good as none: it opens nothing.
		if (r.ClonedAt == nil || cloned) && json.Unmarshal([]byte(r.Record), &c) == nil {
			out = append(out, c)
		}
	}
	return out
}

// BeginRegistration answers the options for making a passkey. The caller has signed in recently.
func (s *Service) BeginRegistration(ctx context.Context, c tenant.Caller, b Browser) (*protocol.CredentialCreation, error) {
	if err := s.available(); err != nil {
		return nil, err
	}
	if err := account.RequireRecentSignIn(c, time.Now()); err != nil {
		return nil, err
	}
	handle := make([]byte, 64)
	_, _ = rand.Read(handle) // never fails
	var options *protocol.CredentialCreation
	err := s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		if err := keepHandle(tx, c.Person, handle); err != nil {
			return err
		}
		u, found, err := lockPerson(tx, c.Person)
		if err != nil {
			return err
		}
		if !found {
			return fault.Missing("person", c.Person.String())
		}
		if err := room(u); err != nil {
			return err
		}
		var data *webauthn.SessionData
		options, data, err = s.party.BeginRegistration(u, webauthn.WithExclusions(webauthn.Credentials(u.credentials(true)).CredentialDescriptors()))
		if err != nil {
			return fmt.Errorf("begin a registration: %w", err)
		}
		return insertCeremony(tx, ceremony{register, b, &c.Person}, data)
	})
	return options, err
}

func room(u user) error {
	if len(u.rows) < Most {
		return nil
	}
	return fault.New(fault.Conflict, fault.CodeStateConflict, fmt.Sprintf("a person may have %d passkeys", Most), "remove one that you do not use")
}

// Register keeps the passkey that an authenticator made for the options.
func (s *Service) Register(ctx context.Context, c tenant.Caller, b Browser, name string, credential []byte) (out View, err error) {
	if err := s.available(); err != nil {
		return out, err
	}
	if name, err = cleanName(name); err != nil {
		return out, err
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(credential)
	if err != nil {
		return out, refused(err)
	}
	data, err := s.take(ctx, ceremony{register, b, &c.Person}, parsed.Response.CollectedClientData.Challenge)
	if err != nil {
		return out, err
	}
	err = s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		u, _, err := lockPerson(tx, c.Person)
		if err != nil {
			return err
		}
		if err := room(u); err != nil {
			return err
		}
		made, err := s.party.CreateCredential(u, data, parsed)
		if err != nil {
			return refused(err)
		}
		record, err := json.Marshal(made)
		if err != nil {
			return fmt.Errorf("write a passkey: %w", err)
		}
		r := row{ID: pg.NewID(), PersonID: c.Person, CredentialID: made.ID, Name: name, Record: string(record), CreatedAt: tx.Now()}
		out = r.view()
		err = insert(tx, r)
		if pg.Violates(err, "passkey_credential_id_key") {
			return fault.New(fault.Conflict, fault.CodeStateConflict, "this passkey is registered already", "use it, or make another one")
		}
		if err != nil {
			return err
		}
		return s.accounts.PasskeyAdded(tx, c.Person)
	})
	return out, err
}

// BeginSignIn answers the options for signing in. They name no account: the authenticator knows whose passkeys it has.
func (s *Service) BeginSignIn(ctx context.Context, b Browser) (*protocol.CredentialAssertion, error) {
	if err := s.available(); err != nil {
		return nil, err
	}
	options, data, err := s.party.BeginDiscoverableLogin()
	if err != nil {
		return nil, fmt.Errorf("begin a sign-in: %w", err)
	}
	err = s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error { return insertCeremony(tx, ceremony{signIn, b, nil}, data) })
	return options, err
}

// SignIn answers who has proven themselves. Everything that is wrong is answered alike.
func (s *Service) SignIn(ctx context.Context, b Browser, credential []byte) (uuid.UUID, error) {
	person, err := s.prove(ctx, ceremony{signIn, b, nil}, credential)
	if fault.Is(err, CodeRefused) {
		err = fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "this passkey does not open an account here, did not verify you, or took longer than 5 minutes",
			"try again, use another passkey, or sign in in another way").Because(err)
	}
	return person, err
}

// BeginStepUp answers the options for proving again that it is the caller who sits there.
func (s *Service) BeginStepUp(ctx context.Context, c tenant.Caller, b Browser) (*protocol.CredentialAssertion, error) {
	if err := s.available(); err != nil {
		return nil, err
	}
	var options *protocol.CredentialAssertion
	err := s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		u, _, err := lockPerson(tx, c.Person)
		if err != nil {
			return err
		}
		if len(u.WebAuthnCredentials()) == 0 {
			return fault.New(fault.Conflict, fault.CodeStateConflict, "you have no passkey", "use your password, or sign in again")
		}
		var data *webauthn.SessionData
		if options, data, err = s.party.BeginLogin(u); err != nil {
			return fmt.Errorf("begin a step-up: %w", err)
		}
		return insertCeremony(tx, ceremony{stepUp, b, &c.Person}, data)
	})
	return options, err
}

// StepUp fails unless the answer is that of a passkey of the caller.
func (s *Service) StepUp(ctx context.Context, c tenant.Caller, b Browser, credential []byte) error {
	_, err := s.prove(ctx, ceremony{stepUp, b, &c.Person}, credential)
	return err
}

// prove finishes a ceremony with what an authenticator signed, keeps its new counter, and answers whose it is.
func (s *Service) prove(ctx context.Context, c ceremony, credential []byte) (person uuid.UUID, err error) {
	if err := s.available(); err != nil {
		return person, err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(credential)
	if err != nil {
		return person, refused(err)
	}
	data, err := s.take(ctx, c, parsed.Response.CollectedClientData.Challenge)
	if err != nil {
		return person, err
	}
	copied := false
	err = s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		u, err := claimant(tx, c, parsed.Response.UserHandle)
		if err != nil {
			return err
		}
		made, err := s.verify(u, c, data, parsed)
		if err != nil {
			return refused(err)
		}
		person = u.ID
		if copied = made.Authenticator.CloneWarning; copied {
			return cloned(tx, made.ID)
		}
		record, err := json.Marshal(made)
		if err != nil {
			return fmt.Errorf("write a passkey: %w", err)
		}
		return used(tx, made.ID, string(record))
	})
	if err == nil && copied {
		err = refused(errors.New("the counter went back"))
	}
	if err != nil {
		return uuid.Nil, err
	}
	return person, nil
}

// claimant is who a passkey is to be of: who is signed in, or else the one whom the authenticator names.
func claimant(tx *pg.Tx, c ceremony, handle []byte) (u user, err error) {
	var person uuid.UUID
	if c.person != nil {
		person = *c.person
	} else if person, err = personByHandle(tx, handle); err != nil {
		return u, err
	}
	u, found, err := lockPerson(tx, person)
	if err == nil && !found {
		err = refused(errors.New("there is nobody with this handle who may sign in"))
	}
	return u, err
}

func (s *Service) verify(u user, c ceremony, data webauthn.SessionData, p *protocol.ParsedCredentialAssertionData) (*webauthn.Credential, error) {
	if c.purpose != signIn {
		return s.party.ValidateLogin(u, data, p)
	}
	_, made, err := s.party.ValidatePasskeyLogin(func(_, _ []byte) (webauthn.User, error) { return u, nil }, data, p)
	return made, err
}

// take uses a ceremony up, whatever comes of it.
func (s *Service) take(ctx context.Context, c ceremony, challenge string) (data webauthn.SessionData, err error) {
	found := false
	err = s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		data, found, err = takeCeremony(tx, c, challenge)
		return err
	})
	if err == nil && !found {
		err = refused(errors.New("no such ceremony is under way in this browser"))
	}
	return data, err
}

// refused is the one answer to whatever an authenticator says that is not accepted.
func refused(err error) error {
	return fault.New(fault.Forbidden, CodeRefused, "this passkey was not accepted: it is not one of yours, did not verify you, or took longer than 5 minutes",
		"begin again").Because(err)
}
