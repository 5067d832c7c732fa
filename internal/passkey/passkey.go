// Package passkey owns the passkeys of people (WebAuthn level 3): registering, naming and removing them, and proving with one who
// somebody is, to sign in or to renew a session. The id of the relying party and its origin are those of the configured public
// address; nothing a request says changes them.
//
// It refuses to begin or keep a session, to trust an authenticator for its make (no attestation is asked for), and to take a
// passkey that did not verify its person.
package passkey

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/google/uuid"

	"driftless/internal/account"
	"driftless/internal/config"
	"driftless/internal/fault"
	"driftless/internal/op"
	"driftless/internal/pg"
	"driftless/internal/screen"
	"driftless/internal/tenant"
)

const (
	// Most is how many passkeys a person may have.
	Most = 20
	// CeremonyTTL is how long a ceremony may take, from the options to the answer of the authenticator.
	CeremonyTTL = 5 * time.Minute
	// nameMax is the length of a name, in characters.
	nameMax = 120
)

// CodeRefused says that a passkey was not accepted by somebody who is signed in.
const CodeRefused fault.Code = "PASSKEY_REFUSED"

// Service is the passkeys of one server.
type Service struct {
	db       *pg.DB
	accounts *account.Service
	// party is nil where browsers have no passkeys for the public address.
	party *webauthn.WebAuthn
}

// New makes the service for the public address of the configuration.
func New(db *pg.DB, accounts *account.Service, c config.Config) (*Service, error) {
	id, origin, ok := relyingParty(c.PublicURL)
	if !ok {
		return &Service{db: db, accounts: accounts}, nil
	}
	timeout := webauthn.TimeoutConfig{Enforce: true, Timeout: CeremonyTTL, TimeoutUVD: CeremonyTTL}
	party, err := webauthn.New(&webauthn.Config{
		RPID: id, RPDisplayName: "Driftless", RPOrigins: []string{origin},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(),
			UserVerification: protocol.VerificationRequired,
		},
		Timeouts: webauthn.TimeoutsConfig{Login: timeout, Registration: timeout},
		// Password managers answer with extensions that nobody asked for; none is used here.
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore,
	})
	if err != nil {
		return nil, fmt.Errorf("set passkeys up for %s: %w", c.PublicURL, err)
	}
	return &Service{db: db, accounts: accounts, party: party}, nil
}

// relyingParty is the id and origin that browsers know a public address by. ok is false where they have no passkeys: for an
// address of numbers, and without TLS anywhere but on localhost (WebAuthn section 5.1.3, Secure Contexts).
func relyingParty(public string) (id, origin string, ok bool) {
	u, err := url.Parse(public)
	if err != nil {
		return "", "", false
	}
	host := strings.ToLower(u.Hostname())
	local := host == "localhost" || strings.HasSuffix(host, ".localhost")
	if net.ParseIP(host) != nil || (u.Scheme != "https" && !local) || protocol.ValidateRPID(host) != nil {
		return "", "", false
	}
	port := u.Port()
	if port == "" || (u.Scheme == "https" && port == "443") || (u.Scheme == "http" && port == "80") {
		return host, u.Scheme + "://" + host, true
	}
	return host, u.Scheme + "://" + net.JoinHostPort(host, port), true
}

// Available reports whether the public address is one that browsers have passkeys for.
func (s *Service) Available() bool { return s.party != nil }

func (s *Service) available() error {
	if s.Available() {
		return nil
	}
	return fault.New(fault.State, fault.CodeStateConflict, "browsers have no passkeys for the address of this server: that needs a name and https, or http on localhost",
		"sign in with a password; an operator can set DRIFTLESS_PUBLIC_URL to such an address")
}

// View is a passkey as its person sees it.
type View struct {
	ID         uuid.UUID  `json:"id"`
	Name       string     `json:"name"`
	CreatedAt  time.Time  `json:"created_at"`
	LastUsedAt *time.Time `json:"last_used_at,omitempty"`
	ClonedAt   *time.Time `json:"cloned_at,omitempty" jsonschema:"its counter went back, so somebody has a copy of it; it opens nothing any more"`
}

func (r row) view() View {
	v := View{ID: r.ID, Name: r.Name, CreatedAt: r.CreatedAt.UTC(), LastUsedAt: r.LastUsedAt, ClonedAt: r.ClonedAt}
	for _, t := range []*time.Time{v.LastUsedAt, v.ClonedAt} {
		if t != nil {
			*t = t.UTC()
		}
	}
	return v
}

// List answers the passkeys of the caller, the oldest first.
func (s *Service) List(ctx context.Context, c tenant.Caller) (op.Page[View], error) {
	var out []View
	err := s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		rows, err := rowsOf(tx, c.Person)
		out = nil
		for _, r := range rows {
			out = append(out, r.view())
		}
		return err
	})
	return op.NewPage(out, false, nil, nil), err
}

// Rename gives a passkey of the caller another name.
func (s *Service) Rename(ctx context.Context, c tenant.Caller, id, name string) (out View, err error) {
	if name, err = cleanName(name); err != nil {
		return out, err
	}
	err = s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		r, err := find(tx, c.Person, id)
		if err != nil {
			return err
		}
		r.Name = name
		out = r.view()
		return rename(tx, r.ID, name)
	})
	return out, err
}

// Delete removes a passkey of the caller, who has signed in recently. The last way to sign in stays.
func (s *Service) Delete(ctx context.Context, c tenant.Caller, id string) error {
	if err := account.RequireRecentSignIn(c, time.Now()); err != nil {
		return err
	}
	return s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		r, err := find(tx, c.Person, id)
		if err != nil {
			return err
		}
		if err := remove(tx, r.ID); err != nil {
			return err
		}
		return s.accounts.KeepAWayIn(tx, c.Person)
	})
}

func find(tx *pg.Tx, person uuid.UUID, id string) (row, error) {
	rows, err := rowsOf(tx, person)
	if err != nil {
		return row{}, err
	}
	at := slices.IndexFunc(rows, func(r row) bool { return r.ID.String() == id })
	if at < 0 {
		return row{}, fault.Missing("passkey", id)
	}
	return rows[at], nil
}

func cleanName(name string) (string, error) {
	clean, _ := screen.Strip(name)
	clean = strings.Join(strings.Fields(clean), " ")
	if n := utf8.RuneCountInString(clean); n < 1 || n > nameMax {
		return "", fault.Fieldf("name", "needs 1 to %d characters, has %d", nameMax, n)
	}
	return clean, nil
}

// Sweep removes ceremonies that nobody finished.
func (s *Service) Sweep(ctx context.Context) error { return s.db.System(ctx, uuid.Nil, sweep) }
