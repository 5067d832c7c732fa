package account

import (
	"time"

	"driftless/internal/fault"
	"driftless/internal/tenant"
)

// RecentSignIn is how old a sign-in may be for whatever adds or takes away a way to sign in. Without it, a session that
// somebody left open for a moment could be turned into a way in for good.
const RecentSignIn = 15 * time.Minute

// RequireRecentSignIn refuses with SESSION_TOO_OLD a caller who signed in longer than [RecentSignIn] ago, and everybody who
// has no console session.
func RequireRecentSignIn(c tenant.Caller, now time.Time) error {
	if now.Sub(c.SignedInAt) <= RecentSignIn {
		return nil
	}
	return fault.New(fault.Unauthenticated, fault.CodeSessionTooOld, "this needs a sign-in from the last 15 minutes",
		"sign in again; you will come back here")
}

// DecisionSignIn is how old a sign-in may be for a decision: what becomes Knowledge, and what says who may decide that.
const DecisionSignIn = 12 * time.Hour

// RequireSignInForDecision refuses with SESSION_TOO_OLD a caller who signed in longer than [DecisionSignIn] ago, and everybody who
// has no console session.
func RequireSignInForDecision(c tenant.Caller, now time.Time) error {
	if now.Sub(c.SignedInAt) <= DecisionSignIn {
		return nil
	}
	return fault.New(fault.Unauthenticated, fault.CodeSessionTooOld, "a decision needs a sign-in from the last 12 hours",
		"sign in again; you will come back here")
}
