package account_test

import (
	"testing"
	"time"

	"driftless/internal/account"
	"driftless/internal/fault"
	"driftless/internal/pg/pgtest"
	"driftless/internal/tenant"
)

func TestWhatAddsAWayToSignInNeedsARecentSignIn(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for name, try := range map[string]struct {
		signedIn time.Time
		old      bool
	}{
		"just now":          {now, false},
		"at the limit":      {now.Add(-account.RecentSignIn), false},
		"past the limit":    {now.Add(-account.RecentSignIn - time.Second), true},
		"without a session": {time.Time{}, true},
	} {
		err := account.RequireRecentSignIn(tenant.Caller{SignedInAt: try.signedIn}, now)
		if fault.Is(err, fault.CodeSessionTooOld) != try.old || (err == nil) == try.old {
			t.Errorf("signed in %s: %v", name, err)
		}
	}
}

func TestASessionTooOldToDecideMakesNobodyWhoCan(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	member := pgtest.Person(t, h.owner, tenant.Member)
	old := h.owner
	old.SignedInAt = time.Now().Add(-account.DecisionSignIn - time.Minute)
	h.fails(old, "invitations.create", map[string]any{"role": "admin"}, fault.CodeSessionTooOld)
	h.fails(old, "members.change", map[string]any{"person": member.Email, "role": "admin"}, fault.CodeSessionTooOld)
	h.fails(old, "settings.change", map[string]any{"agent_approval": "direct"}, fault.CodeSessionTooOld)
	h.ok(old, "invitations.create", map[string]any{"role": "member"})
	h.ok(old, "members.change", map[string]any{"person": member.Email, "role": "viewer"})
	h.ok(h.owner, "settings.change", map[string]any{"agent_approval": "direct"})
}
