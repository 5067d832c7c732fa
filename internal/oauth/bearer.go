package oauth

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"driftless/internal/account"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

// IsToken reports whether a bearer credential has the form of an access token of this server; others need not be looked up.
func IsToken(secret string) bool { return strings.HasPrefix(secret, prefixAccess) }

// lastUseStep is how fine the last use of a grant is kept, like that of a key.
const lastUseStep = time.Minute

// ByToken finds the caller behind an access token, in one round trip. ok is false for a token that is unknown, expired, revoked
// or meant for another resource, and for one whose grant has ended or whose person was disabled; which of these is not
// told. The memberships are the person's own of this moment, within the workspaces of the grant.
func (s *Server) ByToken(ctx context.Context, secret string) (caller tenant.Caller, ok bool, err error) {
	if !IsToken(secret) {
		return tenant.Caller{}, false, nil
	}
	var memberships []tenant.Membership
	var granted []uuid.UUID
	var used time.Time
	now := s.clock()
	err = s.db.ReadGlobal(ctx, func(b *pg.Batch) {
		queueToken(b, secret, s.resource, now, &caller, &granted, &used)
		account.QueueMemberships(b, &memberships)
	})
	if err != nil || caller.Person == uuid.Nil {
		return tenant.Caller{}, false, err
	}
	caller.Via, caller.OAuth = tenant.ViaMCP, true
	caller.Memberships = account.Granted(memberships, granted)
	if now.Sub(used) > lastUseStep {
		if err := s.db.System(ctx, uuid.Nil, func(tx *pg.Tx) error { return touchGrant(tx, caller.Credential, now) }); err != nil {
			return tenant.Caller{}, false, fmt.Errorf("note the use of a grant: %w", err)
		}
	}
	return caller, true, nil
}
