package account

import (
	"context"
	"time"

	"github.com/google/uuid"

	"driftless/internal/opaque"
	"driftless/internal/pg"
	"driftless/internal/tenant"
)

type keySpec struct {
	person     uuid.UUID
	name       string
	kind       string
	scopes     []tenant.Scope
	workspaces []uuid.UUID
	by         uuid.UUID
	expires    *time.Time
}

// issueKey makes a key; the secret is answered here and never again.
func issueKey(tx *pg.Tx, k keySpec) (secret string, row keyRow, err error) {
	secret = opaque.New(KeyPrefix)
	row = keyRow{
		ID: pg.NewID(), PersonID: k.person, Name: k.name, Hash: opaque.Hash(secret), Prefix: secret[len(KeyPrefix) : len(KeyPrefix)+6], CreatedBy: k.by, CreatedAt: tx.Now(),
		ExpiresAt: k.expires, Workspaces: k.workspaces, Kind: k.kind,
	}
	for _, scope := range k.scopes {
		row.Scopes = append(row.Scopes, string(scope))
	}
	return secret, row, insertKey(tx, row)
}

// ByKey finds the caller behind an API key, in one round trip. ok is false for a key that is unknown, revoked or expired, or
// whose person was disabled; which of these is not told.
func (s *Service) ByKey(ctx context.Context, secret string) (caller tenant.Caller, ok bool, err error) {
	return Look(ctx, s.db, s.KeyLookup(secret))
}

// KeyLookup is the look for the caller behind an API key.
func (s *Service) KeyLookup(secret string) Lookup {
	var k keyRow
	var caller tenant.Caller
	var memberships []tenant.Membership
	return Lookup{
		Queue: func(b *pg.Batch) {
			queueKey(b, opaque.Hash(secret), &k, &caller)
			QueueMemberships(b, &memberships)
		},
		Found: func() (tenant.Caller, time.Time) {
			caller.Via, caller.Credential, caller.Client = tenant.ViaAPI, k.ID, k.Name
			for _, scope := range k.Scopes {
				caller.Scopes = append(caller.Scopes, tenant.Scope(scope))
			}
			caller.Memberships = Granted(memberships, k.Workspaces)
			if k.LastUsedAt == nil {
				return caller, time.Time{}
			}
			return caller, *k.LastUsedAt
		},
		Touch: func(tx *pg.Tx) error { return touchKey(tx, k.ID) },
	}
}

// Granted keeps the memberships that a credential was granted.
func Granted(memberships []tenant.Membership, granted []uuid.UUID) []tenant.Membership {
	var out []tenant.Membership
	for _, m := range memberships {
		for _, id := range granted {
			if id == m.Workspace {
				out = append(out, m)
			}
		}
	}
	return out
}
