// Package account owns people and where they belong: persons and service accounts, passwords, identities at other servers, console sessions, API keys,
// workspaces, memberships and the settings of a workspace. It turns a credential into a [tenant.Caller] in one round trip.
//
// It refuses to know topics, and to answer anything that would tell an unknown address from a wrong password.
package account

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"driftless/internal/account/signon"
	"driftless/internal/config"
	"driftless/internal/fault"
	"driftless/internal/leaked"
	"driftless/internal/mail"
	"driftless/internal/pg"
)

// Service is the accounts of one server.
type Service struct {
	db       *pg.DB
	cfg      config.Config
	leaked   leaked.Checker
	mail     *mail.Mailer
	sessions *Sessions
	signOn   *SignOn
}

// New makes the service. The operations of a nil service can be listed, not called.
func New(db *pg.DB, cfg config.Config) *Service {
	s := &Service{db: db, cfg: cfg, leaked: leaked.Checker{File: cfg.LeakedFile}, mail: mail.New(cfg)}
	s.sessions = newSessions(s)
	s.signOn = &SignOn{accounts: s, providers: signon.New(cfg.SignOn, cfg.PublicURL, nil)}
	return s
}

// KeyPrefix begins every API key, so that a leaked one can be recognised.
const KeyPrefix = "dl_"

var (
	emailShape = regexp.MustCompile(`^[^\s@[:cntrl:]]+@[^\s@[:cntrl:]]+$`)
	slugShape  = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,62}$`)
)

// Email brings an address into the one form it is kept in, or refuses it.
func Email(text string) (string, error) {
	email := strings.Map(lower, strings.TrimSpace(text))
	if !emailShape.MatchString(email) || len(email) > 254 {
		return "", fault.Fieldf("email", "%q is not an e-mail address", text)
	}
	return email, nil
}

// lower is the small form of a letter. One that would turn into a letter of ASCII, as the sign for kelvin into k, stays: it is in
// another address, which may be somebody else's.
func lower(r rune) rune {
	small := unicode.ToLower(r)
	if r >= utf8.RuneSelf && small < utf8.RuneSelf {
		return r
	}
	return small
}

// WorkspaceSlug checks the slug of a workspace.
func WorkspaceSlug(text string) (string, error) {
	if !slugShape.MatchString(text) {
		return "", fault.Fieldf("workspace", "%q is not a slug: 1 to 63 of a-z, 0-9 and -, beginning with a letter or digit", text)
	}
	return text, nil
}
