package oauth

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"

	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// revoke is POST /oauth/revoke (RFC 7009). A refresh token takes its whole family with it, an access token only itself. A
// token that is not known is as good as revoked; one of another client stays as it is.
func (s *Server) revoke(w http.ResponseWriter, r *http.Request) error {
	form, client, err := s.aboutToken(w, r)
	if err != nil {
		return err
	}
	if !form.Has("token") {
		return refuse("invalid_request", "token is missing")
	}
	err = s.db.System(r.Context(), uuid.Nil, func(tx *pg.Tx) error {
		t, found, err := findToken(tx, form.Get("token"), true)
		switch {
		case err != nil || !found:
			return err
		case t.Family.ClientID != client.ID:
			return refuse("invalid_grant", "the token was issued to another client")
		case t.Token.Kind == kindRefresh:
			ended, err := revokeGrant(tx, t.Token.GrantID, s.clock())
			if err != nil || !ended {
				return err
			}
			return noteEnd(tx, t.Token.GrantID, tenant.ViaMCP, "oauth.revoke", "the application gave it back")
		}
		return revokeToken(tx, t.Token.Hash, s.clock())
	})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, struct{}{})
	return nil
}

// aboutToken reads a request about a token, and who asks.
func (s *Server) aboutToken(w http.ResponseWriter, r *http.Request) (form url.Values, client clientRow, err error) {
	if form, err = readForm(w, r); err != nil {
		return nil, clientRow{}, err
	}
	client, _, err = s.authenticate(r, form)
	return form, client, err
}

// introspection is what a client may know about one of its tokens (RFC 7662 §2.2).
type introspection struct {
	Active    bool   `json:"active"`
	Scope     string `json:"scope,omitempty"`
	ClientID  string `json:"client_id,omitempty"`
	TokenType string `json:"token_type,omitempty"`
	Subject   string `json:"sub,omitempty"`
	Audience  string `json:"aud,omitempty"`
	Issuer    string `json:"iss,omitempty"`
	IssuedAt  int64  `json:"iat,omitempty"`
	ExpiresAt int64  `json:"exp,omitempty"`
}

// introspect is POST /oauth/introspect (RFC 7662), for clients with a secret and about their own tokens. Everything else is
// inactive, whatever the reason.
func (s *Server) introspect(w http.ResponseWriter, r *http.Request) error {
	form, client, err := s.aboutToken(w, r)
	if err != nil {
		return err
	}
	if client.public() {
		e := refuse("invalid_client", "only clients with a secret may ask about tokens")
		e.status = http.StatusUnauthorized
		return e
	}
	if !form.Has("token") {
		return refuse("invalid_request", "token is missing")
	}
	var t foundToken
	var found bool
	err = s.db.System(r.Context(), uuid.Nil, func(tx *pg.Tx) (err error) {
		t, found, err = findToken(tx, form.Get("token"), false)
		return err
	})
	if err != nil {
		return err
	}
	if !found || t.Family.ClientID != client.ID || !t.active(s.clock()) {
		writeJSON(w, http.StatusOK, introspection{})
		return nil
	}
	answer := introspection{
		Active: true, Scope: strings.Join(t.Token.Scopes, " "), ClientID: client.ID, Subject: t.Family.PersonID.String(),
		Audience: t.Family.Resource, Issuer: s.issuer, IssuedAt: t.Token.CreatedAt.Unix(), ExpiresAt: t.Token.ExpiresAt.Unix(),
	}
	if t.Token.Kind == kindAccess {
		answer.TokenType = "Bearer"
	}
	writeJSON(w, http.StatusOK, answer)
	return nil
}

func (t foundToken) active(now time.Time) bool {
	return t.Token.RevokedAt == nil && t.Token.RotatedAt == nil && t.Token.ExpiresAt.After(now) && t.Family.live()
}

// unusedClient is how long a registration that nobody has used is kept.
const unusedClient = 30 * 24 * time.Hour

// Sweep removes what can no longer matter: requests that were not answered in time, expired tokens, grants with nothing left,
// and registrations without a grant that are older than 30 days. A client with a grant is never removed.
func (s *Server) Sweep(ctx context.Context) error {
	return s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		now := s.clock()
		return sweep(tx, now, now.Add(-unusedClient))
	})
}
