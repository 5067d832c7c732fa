package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/go-oauth2/oauth2/v4"
	oauth2errors "github.com/go-oauth2/oauth2/v4/errors"
	"github.com/go-oauth2/oauth2/v4/manage"
	"github.com/go-oauth2/oauth2/v4/models"
	"github.com/google/uuid"

	"driftless/internal/opaque"
	"driftless/internal/pg"
)

// codeTTL is the life of a code: long enough for one redirect.
const codeTTL = time.Minute

// errCodeUsed says that the client has redeemed this code before.
var errCodeUsed = errors.New("the code was used before")

// keyGrant is where a token of the library carries the id of its grant.
const keyGrant = "grant"

// library is the stores and generators of go-oauth2 for one client in one transaction.
type library struct {
	tx     *pg.Tx
	client clientRow
	grant  uuid.UUID
	now    time.Time
}

// manager makes the manager of go-oauth2 over l.
func (s *Server) manager(l *library) *manage.Manager {
	m := manage.NewManager()
	m.MapClientStorage(l)
	m.MapTokenStorage(l)
	m.MapAuthorizeGenerate(codeMaker{})
	m.MapAccessGenerate(tokenMaker{})
	m.SetAuthorizeCodeExp(codeTTL)
	m.SetAuthorizeCodeTokenCfg(&manage.Config{
		AccessTokenExp: s.cfg.AccessTTL, RefreshTokenExp: s.cfg.RefreshTTL, IsGenerateRefresh: l.client.mayRefresh(),
	})
	m.SetValidateURIHandler(l.validateURI)
	return m
}

// libraryClient is a client as the library knows it.
type libraryClient struct{ row clientRow }

func (c libraryClient) GetID() string                     { return c.row.ID }
func (c libraryClient) GetSecret() string                 { return "" }
func (c libraryClient) IsPublic() bool                    { return c.row.public() }
func (c libraryClient) GetUserID() string                 { return "" }
func (c libraryClient) VerifyPassword(secret string) bool { return c.row.proven(secret) }

// GetDomain is all the redirect addresses, because the library hands its check of addresses one string.
func (c libraryClient) GetDomain() string {
	raw, err := json.Marshal(c.row.RedirectURIs)
	if err != nil {
		return ""
	}
	return string(raw)
}

func (l *library) validateURI(domain, requested string) error {
	var registered []string
	if json.Unmarshal([]byte(domain), &registered) != nil || !matchRedirect(registered, requested, l.client.public()) {
		return oauth2errors.ErrInvalidRedirectURI
	}
	return nil
}

// codeMaker makes authorization codes.
type codeMaker struct{}

// Token makes one code.
func (codeMaker) Token(context.Context, *oauth2.GenerateBasic) (string, error) {
	return opaque.New(prefixCode), nil
}

// tokenMaker makes access and refresh tokens.
type tokenMaker struct{}

// Token makes an access token and, where it is wanted, a refresh token.
func (tokenMaker) Token(_ context.Context, _ *oauth2.GenerateBasic, withRefresh bool) (access, refresh string, err error) {
	if withRefresh {
		refresh = opaque.New(prefixRefresh)
	}
	return opaque.New(prefixAccess), refresh, nil
}

// GetByID answers the client of this transaction, which was found and authenticated before.
func (l *library) GetByID(_ context.Context, id string) (oauth2.ClientInfo, error) {
	if id != l.client.ID {
		return nil, oauth2errors.ErrInvalidClient
	}
	return libraryClient{l.client}, nil
}

// Create keeps a code, or the tokens it was exchanged for.
func (l *library) Create(_ context.Context, info oauth2.TokenInfo) error {
	if code := info.GetCode(); code != "" {
		return insertCode(l.tx, codeRow{
			Hash: hash(code), GrantID: l.grant, RedirectURI: info.GetRedirectURI(), Challenge: info.GetCodeChallenge(),
			ExpiresAt: l.now.Add(info.GetCodeExpiresIn()),
		})
	}
	extended, ok := info.(oauth2.ExtendableTokenInfo)
	if !ok {
		return fmt.Errorf("a token of type %T carries no grant", info)
	}
	grant, err := uuid.Parse(extended.GetExtension().Get(keyGrant))
	if err != nil {
		return fmt.Errorf("a token without its grant: %w", err)
	}
	scopes := strings.Fields(info.GetScope())
	rows := []tokenRow{{
		Hash: hash(info.GetAccess()), Kind: kindAccess, GrantID: grant, Scopes: scopes, CreatedAt: l.now,
		ExpiresAt: l.now.Add(info.GetAccessExpiresIn()),
	}}
	if refresh := info.GetRefresh(); refresh != "" {
		rows = append(rows, tokenRow{
			Hash: hash(refresh), Kind: kindRefresh, GrantID: grant, Scopes: scopes, CreatedAt: l.now,
			ExpiresAt: l.now.Add(info.GetRefreshExpiresIn()),
		})
	}
	return insertTokens(l.tx, rows...)
}

// GetByCode finds a code that may still be redeemed. The library compares the client and the redirect address after it, and
// the time with its own clock, which is told that the code is new because the age has been judged here.
func (l *library) GetByCode(_ context.Context, code string) (oauth2.TokenInfo, error) {
	row, found, err := findCode(l.tx, code)
	if err != nil {
		return nil, err
	}
	if !found || row.Family.ClientID != l.client.ID {
		return nil, oauth2errors.ErrInvalidAuthorizeCode
	}
	if row.Code.UsedAt != nil {
		l.grant = row.Code.GrantID
		return nil, errCodeUsed
	}
	if !row.Family.live() || !row.Code.ExpiresAt.After(l.now) {
		return nil, oauth2errors.ErrInvalidAuthorizeCode
	}
	l.grant = row.Code.GrantID
	t := models.NewToken()
	t.SetClientID(row.Family.ClientID)
	t.SetUserID(row.Family.PersonID.String())
	t.SetRedirectURI(row.Code.RedirectURI)
	t.SetScope(strings.Join(row.Family.GrantScopes, " "))
	t.SetCode(code)
	t.SetCodeCreateAt(time.Now())
	t.SetCodeExpiresIn(codeTTL)
	t.SetCodeChallenge(row.Code.Challenge)
	t.SetCodeChallengeMethod(oauth2.CodeChallengeS256)
	t.SetExtension(url.Values{keyGrant: {row.Code.GrantID.String()}})
	return t, nil
}

// RemoveByCode uses the code up. The database decides between those who try at once. When the library finds the verifier
// wrong afterwards, the transaction is undone and the code lives on.
func (l *library) RemoveByCode(_ context.Context, code string) error {
	won, err := useCode(l.tx, code, l.now)
	if err == nil && !won {
		err = errCodeUsed
	}
	return err
}

// errNotHere is what the library would get if it looked tokens up. Access tokens are checked in one round trip in
// [Server.ByToken], refresh tokens are rotated and revoked under a lock; neither goes through the library.
var errNotHere = errors.New("tokens are not looked up through the library")

// GetByAccess is not used.
func (l *library) GetByAccess(context.Context, string) (oauth2.TokenInfo, error) {
	return nil, errNotHere
}

// GetByRefresh is not used.
func (l *library) GetByRefresh(context.Context, string) (oauth2.TokenInfo, error) {
	return nil, errNotHere
}

// RemoveByAccess is not used.
func (l *library) RemoveByAccess(context.Context, string) error { return errNotHere }

// RemoveByRefresh is not used.
func (l *library) RemoveByRefresh(context.Context, string) error { return errNotHere }
