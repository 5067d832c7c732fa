package account

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"driftless/internal/account/identity"
	"driftless/internal/account/signon"
	"driftless/internal/fault"
	"driftless/internal/opaque"
	"driftless/internal/pg"
	"driftless/internal/screen"
)

// AttemptTTL is how long somebody may take at a provider.
const AttemptTTL = 10 * time.Minute

// SignOn is signing in at another server.
type SignOn struct {
	accounts  *Service
	providers []*signon.Provider
}

// SignOn gives the sign-on of these accounts.
func (s *Service) SignOn() *SignOn { return s.signOn }

// Problem is why a sign-on did not work, in a word that the console puts into a sentence. It tells nothing about an account
// to anybody but whoever has proven that the address is theirs.
type Problem string

// The problems.
const (
	ProviderFailed  Problem = "provider_failed"  // the provider refused, is down, or answered what cannot be true
	Expired         Problem = "expired"          // no such attempt in this browser, or not any more
	EmailUnverified Problem = "email_unverified" // the provider does not vouch for an address
	AccountExists   Problem = "account_exists"   // the address has an account, which has to link the identity itself
	NotInvited      Problem = "not_invited"      // nobody without an invitation, or of this domain, may have an account
	Disabled        Problem = "disabled"         // the account was disabled
	LinkedElsewhere Problem = "linked_elsewhere" // the identity is somebody else's
)

// refusedError carries a problem out of a transaction, which then leaves nothing behind.
type refusedError struct{ problem Problem }

// Error is the word.
func (e refusedError) Error() string { return "refused: " + string(e.problem) }

func refuse(p Problem) error { return refusedError{p} }

// SignOnStart is what somebody wants at a provider.
type SignOnStart struct {
	Provider string
	// ReturnTo is a path of this server; anything else counts as "/".
	ReturnTo string
	// Invitation is the secret of an invitation that a new account accepts; it may be empty.
	Invitation string
	// Link is who wants the identity linked to them; Nil signs in.
	Link uuid.UUID
	// Browser is the secret that this browser has from an earlier attempt; it may be empty.
	Browser string
}

// Back is where to go for whoever did not come in by the invitation that they followed: to its page, where they can still
// accept it in another way. Without one it is ReturnTo.
func (s SignOnStart) Back() string {
	if s.Invitation != "" {
		return returnPath("/invite/" + url.PathEscape(s.Invitation))
	}
	return returnPath(s.ReturnTo)
}

// CodeProviderFailed says that a provider cannot be reached.
const CodeProviderFailed fault.Code = "PROVIDER_FAILED"

// Begin answers where to send the browser, and the secret that it has to bring back in a cookie. An unknown provider is
// NOT_FOUND, one that cannot be reached PROVIDER_FAILED.
func (s *SignOn) Begin(ctx context.Context, start SignOnStart) (redirect, browser string, err error) {
	p, ok := s.provider(start.Provider)
	if !ok {
		return "", "", fault.Missing("provider", start.Provider)
	}
	browser = browserSecret(start.Browser)
	a := attempt{Attempt: signon.NewAttempt(), ReturnTo: returnPath(start.ReturnTo), Invitation: start.Invitation}
	if redirect, err = p.AuthorizationURL(ctx, a.Attempt); err != nil {
		return "", "", fault.New(fault.Unavailable, CodeProviderFailed, p.Name+" cannot be reached at the moment",
			"try again, or sign in in another way").Because(err)
	}
	row := identity.Attempt{StateHash: opaque.Hash(a.State), BrowserHash: opaque.Hash(browser), Provider: p.ID}
	if row.Sealed, err = a.seal(browser); err != nil {
		return "", "", err
	}
	if start.Link != uuid.Nil {
		row.PersonID = &start.Link
	}
	err = s.accounts.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		row.ExpiresAt = tx.Now().Add(AttemptTTL)
		return identity.Keep(tx, row)
	})
	return redirect, browser, err
}

// SignedOn is how a sign-on ended.
type SignedOn struct {
	// Person is who signed in. It is Nil where there is a problem, and for a link.
	Person uuid.UUID
	// Linking says that an identity was to be linked.
	Linking bool
	// Problem is empty when it worked; Cause is what the log should know about it.
	Problem Problem
	Cause   error
	// ReturnTo is where to go.
	ReturnTo string
}

// Finish takes what a browser brought back from a provider: the secret of its cookie, the parameters of the answer, and who is
// signed in there, Nil for nobody. The error is for what is our own fault.
func (s *SignOn) Finish(ctx context.Context, provider, browser string, answer url.Values, signedIn uuid.UUID) (SignedOn, error) {
	p, ok := s.provider(provider)
	if !ok {
		return SignedOn{Problem: Expired, ReturnTo: "/"}, nil
	}
	row, a, found, err := s.take(ctx, p.ID, browser, answer.Get("state"))
	if err != nil {
		return SignedOn{}, err
	}
	if !found {
		return SignedOn{Problem: Expired, ReturnTo: "/"}, nil
	}
	out := SignedOn{Linking: row.PersonID != nil, ReturnTo: SignOnStart{ReturnTo: a.ReturnTo, Invitation: a.Invitation}.Back()}
	if out.Linking && *row.PersonID != signedIn {
		out.Problem = Expired
		return out, nil
	}
	var claims signon.Claims
	if claims, out.Cause = p.Claims(ctx, a.Attempt, answer); out.Cause != nil {
		out.Problem = ProviderFailed
		return out, nil //nolint:nilerr // it is a fault of the provider, and in the outcome
	}
	settled, err := s.settle(ctx, p, claims, row.PersonID, a.Invitation)
	if fault.Is(err, fault.CodeVersionConflict) {
		// Another identity with the same address arrived at the same moment: now there is an account.
		settled, err = s.settle(ctx, p, claims, row.PersonID, a.Invitation)
	}
	var refused refusedError
	switch {
	case errors.As(err, &refused):
		out.Problem = refused.problem
	case err != nil:
		return out, err
	case !out.Linking:
		out.Person = settled.person
	}
	if settled.joined {
		out.ReturnTo = a.ReturnTo
	}
	return out, nil
}

// take uses an attempt up.
func (s *SignOn) take(ctx context.Context, provider, browser, state string) (row identity.Attempt, a attempt, found bool, err error) {
	err = s.accounts.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		row, found, err = identity.Take(tx, opaque.Hash(state), opaque.Hash(browser), provider)
		return err
	})
	if err == nil && found {
		a, err = openAttempt(row.Sealed, browser, state)
	}
	return row, a, found, err
}

// settlement is whose an identity is.
type settlement struct {
	person uuid.UUID
	joined bool // they have a new account, and have accepted the invitation where there was one
}

// settle decides whose the identity is, in one transaction. A refusal carries a [Problem].
func (s *SignOn) settle(ctx context.Context, p *signon.Provider, c signon.Claims, link *uuid.UUID, invitation string) (out settlement, err error) {
	// The address is shown to the person; of what is none, there is nothing to show.
	email, _ := Email(c.Email)
	err = s.accounts.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		out = settlement{}
		known, exists, err := identity.Find(tx, c.Issuer, c.Subject)
		switch {
		case err != nil:
			return err
		case !p.Admits(c) && !c.EmailVerified:
			return refuse(EmailUnverified)
		case !p.Admits(c):
			return refuse(NotInvited)
		case exists && link != nil && known.PersonID != *link:
			return refuse(LinkedElsewhere)
		case exists:
			// An invitation is left to a click of theirs: following a link must not put anybody into a workspace.
			out.person = known.PersonID
			if err := mayEnter(tx, out.person); err != nil {
				return err
			}
			return identity.Used(tx, known.ID, email)
		case link != nil:
			out.person = *link
		default:
			if out.person, err = newcomer(tx, p, c, invitation); err != nil {
				return err
			}
			out.joined = true
		}
		now := tx.Now()
		return identity.Link(tx, identity.Identity{
			ID: pg.NewID(), PersonID: out.person, Provider: p.ID, Issuer: c.Issuer, Subject: c.Subject, Email: email, LinkedAt: now, LastUsedAt: &now,
		})
	})
	if err != nil {
		out = settlement{}
	}
	return out, err
}

// mayEnter refuses a person who was disabled.
func mayEnter(tx *pg.Tx, person uuid.UUID) error {
	p, err := personByID(tx, person)
	if err != nil {
		return fmt.Errorf("find a person: %w", err)
	}
	if p.DisabledAt != nil || p.Kind != "person" {
		return refuse(Disabled)
	}
	return nil
}

// newcomer makes the account of somebody whose identity is unknown. An address that has an account is never taken for its
// owner: whoever runs a provider, or was given an address that somebody else had before, could enter it.
func newcomer(tx *pg.Tx, p *signon.Provider, c signon.Claims, invitation string) (person uuid.UUID, err error) {
	email, err := Email(c.Email)
	if err != nil || !c.EmailVerified {
		return person, refuse(EmailUnverified)
	}
	_, err = personByEmail(tx, email)
	if err == nil {
		return person, refuse(AccountExists)
	}
	if !pg.NoRow(err) {
		return person, fmt.Errorf("find a person: %w", err)
	}
	if invitation != "" {
		return invitee(tx, email, c.Name, invitation)
	}
	// The first account is made by whoever runs the server.
	first, err := anybody(tx)
	if err != nil {
		return person, fmt.Errorf("look for people: %w", err)
	}
	if !p.Create || !first {
		return person, refuse(NotInvited)
	}
	return newPerson(tx, email, nameOf(c.Name), "")
}

func invitee(tx *pg.Tx, email, name, invitation string) (person uuid.UUID, err error) {
	found, err := openInvitation(tx, invitation)
	if err == nil {
		err = found.Invitation.meant(email)
	}
	if fault.Is(err, fault.CodeNotFound) || fault.Is(err, fault.CodePolicyForbids) {
		return person, refuse(NotInvited)
	}
	if err != nil {
		return person, err
	}
	if person, err = newPerson(tx, email, nameOf(name), ""); err != nil {
		return person, err
	}
	err = acceptInvitation(tx, found.Invitation, person)
	if fault.Is(err, fault.CodeNotFound) {
		err = refuse(NotInvited) // somebody else used it at the same moment
	}
	return person, err
}

// nameOf makes a name out of what a provider says, which is anything.
func nameOf(text string) string {
	clean, _ := screen.Strip(text)
	clean = strings.Join(strings.Fields(clean), " ")
	if utf8.RuneCountInString(clean) > nameMax {
		clean = strings.TrimSpace(string([]rune(clean)[:nameMax]))
	}
	return clean
}

func (s *SignOn) provider(id string) (*signon.Provider, bool) {
	for _, p := range s.providers {
		if p.ID == id {
			return p, true
		}
	}
	return nil, false
}
