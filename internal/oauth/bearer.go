package oauth

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"driftless/internal/account"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// IsToken reports whether a bearer credential has the form of an access token of this server; others need not be looked up.
func IsToken(secret string) bool { return strings.HasPrefix(secret, prefixAccess) }

// ByToken finds the caller behind an access token, in one round trip. ok is false for a token that is unknown, expired, revoked
// or meant for another resource, and for one whose grant has ended or whose person was disabled; which of these is not
// told. The memberships are the person's own of this moment, within the workspaces of the grant.
func (s *Server) ByToken(ctx context.Context, secret string) (caller tenant.Caller, ok bool, err error) {
	if !IsToken(secret) {
		return tenant.Caller{}, false, nil
	}
	return account.Look(ctx, s.db, s.TokenLookup(secret))
}

// TokenLookup is the look for the caller behind an access token.
func (s *Server) TokenLookup(secret string) account.Lookup {
	var caller tenant.Caller
	var memberships []tenant.Membership
	var granted []uuid.UUID
	var used time.Time
	now := s.clock()
	return account.Lookup{
		Queue: func(b *pg.Batch) {
			queueToken(b, secret, s.resource, now, &caller, &granted, &used)
			account.QueueMemberships(b, &memberships)
		},
		Found: func() (tenant.Caller, time.Time) {
			caller.Via, caller.OAuth = tenant.ViaMCP, true
			caller.Memberships = account.Granted(memberships, granted)
			return caller, used
		},
		Touch: func(tx *pg.Tx) error { return touchGrant(tx, caller.Credential, now) },
		Now:   now,
	}
}
