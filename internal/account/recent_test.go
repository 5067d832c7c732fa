package account_test

import (
	"testing"
	"time"

	"driftless/internal/account"
	"driftless/internal/fault"
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
