// Package signon owns the conversation with the servers that people sign in at: the address to send a browser to, the
// exchange of the code that comes back, and what the server then says about the person.
//
// It refuses to know people, sessions and the database, and to decide who may sign in.
package signon

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/oauth2"

	"driftless/internal/config"
)

// Claims are what a provider says about somebody who signed in there.
type Claims struct {
	// Issuer and Subject together name one person for good; an address may change hands.
	Issuer, Subject string
	Name            string
	Email           string
	EmailVerified   bool
}

// Attempt is what ties the answer of a provider to the question. Each is made for one attempt, and only the browser that
// began it, the provider and this server ever see it.
type Attempt struct {
	State    string `json:"state"`    // RFC 6749 section 10.12
	Nonce    string `json:"nonce"`    // OpenID Connect Core section 3.1.2.1; sent to issuers alone
	Verifier string `json:"verifier"` // RFC 7636
}

// NewAttempt makes the secrets of one attempt, 256 bits each.
func NewAttempt() Attempt {
	return Attempt{State: oauth2.GenerateVerifier(), Nonce: oauth2.GenerateVerifier(), Verifier: oauth2.GenerateVerifier()}
}

// Provider is one server that people may sign in at. It is safe for concurrent use.
type Provider struct {
	config.Provider
	redirect string
	client   *http.Client
	protocol protocol
}

// protocol is the way in which one kind of provider says who somebody is.
type protocol interface {
	// oauth is the client at this provider. It may have to ask the provider, which may be down.
	oauth(ctx context.Context) (oauth2.Config, error)
	// promisesIssuer reports whether each answer names the issuer; it is asked after oauth.
	promisesIssuer() bool
	// who reads what the provider says about the person behind a token. The nonce is the one of the attempt.
	who(ctx context.Context, token *oauth2.Token, nonce string) (Claims, error)
}

// New makes the configured providers. Nothing is asked of them before somebody wants to sign in. The transport is for tests;
// nil is the usual one. Either way an answer is at most 1 MiB, takes at most 10 seconds and leads nowhere else.
func New(list []config.Provider, publicURL string, transport http.RoundTripper) []*Provider {
	client := newClient(transport)
	out := make([]*Provider, 0, len(list))
	for _, c := range list {
		p := &Provider{Provider: c, redirect: publicURL + "/signon/" + c.ID + "/callback", client: client}
		if c.GitHub {
			p.protocol = gitHub{p}
		} else {
			p.protocol = &openID{p: p}
		}
		out = append(out, p)
	}
	return out
}

// AuthorizationURL is where the browser goes to sign in.
func (p *Provider) AuthorizationURL(ctx context.Context, a Attempt) (string, error) {
	client, err := p.protocol.oauth(ctx)
	if err != nil {
		return "", err
	}
	options := []oauth2.AuthCodeOption{oauth2.S256ChallengeOption(a.Verifier)}
	if !p.GitHub {
		options = append(options, oauth2.SetAuthURLParam("nonce", a.Nonce))
	}
	return client.AuthCodeURL(a.State, options...), nil
}

// Claims reads what the browser brought back and asks the provider who that is. The caller has found the attempt by its state.
func (p *Provider) Claims(ctx context.Context, a Attempt, answer url.Values) (Claims, error) {
	client, err := p.protocol.oauth(ctx)
	if err != nil {
		return Claims{}, err
	}
	// An answer of one provider that was carried to the address of another stops here (RFC 9207 section 2.4).
	if answer.Has("iss") || p.protocol.promisesIssuer() {
		if got := answer.Get("iss"); got != p.IssuerURL() {
			return Claims{}, fmt.Errorf("the answer is of the issuer %.200q, not of %q", got, p.IssuerURL())
		}
	}
	if answer.Has("error") {
		return Claims{}, fmt.Errorf("the provider answered %.60q: %.300q", answer.Get("error"), answer.Get("error_description"))
	}
	if answer.Get("code") == "" {
		return Claims{}, errors.New("the answer has no code")
	}
	ctx = context.WithValue(ctx, oauth2.HTTPClient, p.client)
	token, err := client.Exchange(ctx, answer.Get("code"), oauth2.VerifierOption(a.Verifier))
	if err != nil {
		return Claims{}, fmt.Errorf("exchange the code: %w", err)
	}
	c, err := p.protocol.who(ctx, token, a.Nonce)
	if err != nil {
		return Claims{}, err
	}
	// OpenID Connect Core section 2: at most 255 characters.
	if c.Subject == "" || len(c.Subject) > 255 || strings.ContainsRune(c.Subject, 0) {
		return Claims{}, errors.New("the provider names no subject of 1 to 255 characters")
	}
	c.Issuer = p.IssuerURL()
	return c, nil
}

// Admits applies the rule on domains, which looks at verified addresses alone.
func (p *Provider) Admits(c Claims) bool {
	if len(p.Domains) == 0 {
		return true
	}
	_, domain, _ := strings.Cut(c.Email, "@")
	for _, allowed := range p.Domains {
		if c.EmailVerified && strings.EqualFold(domain, allowed) {
			return true
		}
	}
	return false
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
