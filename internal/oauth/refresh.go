package oauth

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"

	"driftless/internal/pg"
)

// refreshFate is what happens to a refresh token that is presented.
type refreshFate int

const (
	fateRefused  refreshFate = iota // nothing is given, and nothing else changes
	fateRotated                     // the first use: it is replaced
	fateRepeated                    // used again within the grace: another pair, for a race or an answer that got lost
	fateReused                      // used again later: somebody else may hold it, so the family ends
)

// judgeRefresh decides about a refresh token of this client. A token that was replaced long ago is judged before its age:
// its reuse tells of a theft however late it comes (RFC 9700 §4.14.2).
func judgeRefresh(t foundToken, client string, now time.Time, grace time.Duration) refreshFate {
	if t.Token.Kind != kindRefresh || t.Family.ClientID != client || t.Token.RevokedAt != nil || !t.Family.live() {
		return fateRefused
	}
	if t.Token.RotatedAt != nil {
		if now.Sub(*t.Token.RotatedAt) > grace {
			return fateReused
		}
		return fateRepeated
	}
	if !t.Token.ExpiresAt.After(now) {
		return fateRefused
	}
	return fateRotated
}

// rotate exchanges a refresh token for a new pair (OAuth 2.1 §4.3). Several programs of one person share a token and refresh
// at the same moment, and answers get lost, so within the configured grace the earlier token still gives a valid pair. What is
// decided about a token and what follows, be it a pair or the end of the family, is one transaction under its lock.
//
// The library is not asked: it refreshes for any client, takes any scope, and replaces in three separate steps.
func (s *Server) rotate(ctx context.Context, client clientRow, form url.Values) (tokenAnswer, error) {
	if !form.Has("refresh_token") {
		return tokenAnswer{}, refuse("invalid_request", "refresh_token is missing")
	}
	var answer tokenAnswer
	var fate refreshFate
	var grant uuid.UUID
	var ended bool
	err := s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error {
		old, found, err := findToken(tx, form.Get("refresh_token"), true)
		if err != nil {
			return err
		}
		now := s.clock() // after the wait for others who rotate the same token
		fate, ended, grant = fateRefused, false, old.Token.GrantID
		// A token for an address that the server no longer has would give tokens that are refused: the client has to begin anew.
		if !found || !client.mayRefresh() || old.Family.Resource != s.resource {
			return nil
		}
		switch fate = judgeRefresh(old, client.ID, now, s.cfg.RefreshGrace); fate {
		case fateRotated, fateRepeated:
		case fateReused:
			ended, err = s.end(tx, grant, refreshLate)
			return err
		default:
			return nil
		}
		scopes, err := narrowed(form.Get("scope"), old.Token.Scopes)
		if err != nil {
			return err
		}
		answer, err = s.replace(tx, old.Token, scopes, now)
		return err
	})
	switch {
	case err != nil:
		return tokenAnswer{}, err
	case fate == fateReused:
		if ended {
			s.warn(ctx, grant, refreshLate)
		}
		return tokenAnswer{}, refuse("invalid_grant", "the refresh token was replaced long ago; connect again")
	case fate == fateRefused:
		return tokenAnswer{}, refuse("invalid_grant", "the refresh token is unknown, expired, revoked or another client's; connect again")
	}
	return answer, nil
}

// narrowed is the scope of the next access token: what the refresh token has, or the part of it that is asked for
// (RFC 6749 §6).
func narrowed(asked string, has []string) ([]string, error) {
	known, _ := parseScopes(asked)
	if len(known) == 0 {
		return has, nil
	}
	words := scopeWords(known)
	if !within(words, has) {
		return nil, refuse("invalid_scope", "a refresh cannot add scopes; granted are "+strings.Join(has, " ")+"; authorize again for more")
	}
	return words, nil
}

// issuePair gives the first pair of a grant that was made without a code.
func (s *Server) issuePair(tx *pg.Tx, client clientRow, grant uuid.UUID, scopes []string, now time.Time) (tokenAnswer, error) {
	access, refresh, err := tokenMaker{}.Token(tx.Context(), nil, client.mayRefresh())
	if err != nil {
		return tokenAnswer{}, err
	}
	rows := []tokenRow{{
		Hash: hash(access), Kind: kindAccess, GrantID: grant, Scopes: scopes, CreatedAt: now, ExpiresAt: now.Add(s.cfg.AccessTTL),
	}}
	if refresh != "" {
		rows = append(rows, tokenRow{
			Hash: hash(refresh), Kind: kindRefresh, GrantID: grant, Scopes: scopes, CreatedAt: now, ExpiresAt: now.Add(s.cfg.RefreshTTL),
		})
	}
	return newTokenAnswer(access, refresh, strings.Join(scopes, " "), s.cfg.AccessTTL), insertTokens(tx, rows...)
}

// replace issues a pair in place of old. The refresh token keeps all the scopes, so narrowing one access token does not
// narrow those after it.
func (s *Server) replace(tx *pg.Tx, old tokenRow, scopes []string, now time.Time) (tokenAnswer, error) {
	access, refresh, err := tokenMaker{}.Token(tx.Context(), nil, true)
	if err != nil {
		return tokenAnswer{}, err
	}
	err = insertTokens(tx, tokenRow{
		Hash: hash(access), Kind: kindAccess, GrantID: old.GrantID, Scopes: scopes, Parent: old.Hash, CreatedAt: now,
		ExpiresAt: now.Add(s.cfg.AccessTTL),
	}, tokenRow{
		Hash: hash(refresh), Kind: kindRefresh, GrantID: old.GrantID, Scopes: old.Scopes, Parent: old.Hash, CreatedAt: now,
		ExpiresAt: now.Add(s.cfg.RefreshTTL),
	})
	if err != nil {
		return tokenAnswer{}, err
	}
	if _, err := rotateToken(tx, old.Hash, hash(refresh), now); err != nil {
		return tokenAnswer{}, err
	}
	if err := touchGrant(tx, old.GrantID, now); err != nil {
		return tokenAnswer{}, err
	}
	return newTokenAnswer(access, refresh, strings.Join(scopes, " "), s.cfg.AccessTTL), nil
}
