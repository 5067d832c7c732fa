package oauth

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-oauth2/oauth2/v4"
	oauth2errors "github.com/go-oauth2/oauth2/v4/errors"
	"github.com/google/uuid"

	"driftless/internal/pg"
)

// tokenAnswer is a successful answer of the token endpoint (RFC 6749 §5.1). The scope is always said: a person may have
// allowed less than was asked for.
type tokenAnswer struct {
	AccessToken  string `json:"access_token"`
	TokenType    string `json:"token_type"`
	ExpiresIn    int64  `json:"expires_in"`
	RefreshToken string `json:"refresh_token,omitempty"`
	Scope        string `json:"scope"`
}

func newTokenAnswer(access, refresh, scope string, life time.Duration) tokenAnswer {
	return tokenAnswer{AccessToken: access, TokenType: "Bearer", ExpiresIn: int64(life.Seconds()), RefreshToken: refresh, Scope: scope}
}

// token is POST /oauth/token.
func (s *Server) token(w http.ResponseWriter, r *http.Request) error {
	form, err := readForm(w, r)
	if err != nil {
		return err
	}
	if !form.Has("grant_type") {
		return refuse("invalid_request", "grant_type is missing from the body")
	}
	client, secret, err := s.authenticate(r, form)
	if err != nil {
		return err
	}
	if resource := form.Get("resource"); resource != "" && !isResource(resource, s.resource) {
		return refuse("invalid_target", "tokens are issued for "+s.resource+" only")
	}
	var answer tokenAnswer
	switch form.Get("grant_type") {
	case grantCode:
		answer, err = s.redeem(r.Context(), client, secret, form)
	case grantRefresh:
		answer, err = s.rotate(r.Context(), client, form)
	case grantDevice:
		answer, err = s.redeemDevice(r.Context(), client, form)
	default:
		return refuse("unsupported_grant_type", "use "+strings.Join(grantTypes(), ", "))
	}
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, answer)
	return nil
}

// redeem exchanges a code for tokens (OAuth 2.1 §4.1.3). A code that is redeemed again by its own client ends everything it
// gave: one of the two was not the program that the person allowed (§4.1.2).
func (s *Server) redeem(ctx context.Context, client clientRow, secret string, form url.Values) (tokenAnswer, error) {
	if !form.Has("code") {
		return tokenAnswer{}, refuse("invalid_request", "code is missing")
	}
	var info oauth2.TokenInfo
	var grant uuid.UUID
	err := s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		l := &library{tx: tx, client: client, now: s.clock()}
		defer func() { grant = l.grant }()
		verifier := form.Get("code_verifier")
		if !isVerifier(verifier) {
			verifier = "" // the library still looks at the code, and then refuses a missing verifier
		}
		var err error
		info, err = s.manager(l).GenerateAccessToken(ctx, oauth2.AuthorizationCode, &oauth2.TokenGenerateRequest{
			ClientID: client.ID, ClientSecret: secret, RedirectURI: form.Get("redirect_uri"), Code: form.Get("code"), CodeVerifier: verifier,
		})
		return err
	})
	switch {
	case err == nil:
		return newTokenAnswer(info.GetAccess(), info.GetRefresh(), info.GetScope(), info.GetAccessExpiresIn()), nil
	case errors.Is(err, errCodeUsed):
		var ended bool
		// The library answered with an error, which undid its transaction.
		err := s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) (err error) {
			ended, err = s.end(tx, grant, codeTwice)
			return err
		})
		if err != nil {
			return tokenAnswer{}, err
		}
		if ended {
			s.warn(ctx, grant, codeTwice)
		}
		return tokenAnswer{}, refuse("invalid_grant", "the code was used before; everything it gave has been revoked")
	case isOneOf(err, oauth2errors.ErrMissingCodeVerifier, oauth2errors.ErrInvalidCodeChallenge):
		return tokenAnswer{}, refuse("invalid_grant", "code_verifier is missing or does not fit the code_challenge")
	case isOneOf(err, oauth2errors.ErrInvalidAuthorizeCode, oauth2errors.ErrInvalidRedirectURI):
		return tokenAnswer{}, refuse("invalid_grant", "the code is unknown, expired, another client's, or was sent to another redirect_uri")
	}
	return tokenAnswer{}, err
}

func isOneOf(err error, targets ...error) bool {
	for _, target := range targets {
		if errors.Is(err, target) {
			return true
		}
	}
	return false
}
