package restapi

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"driftless/internal/config"
	"driftless/internal/obs"
)

func TestTheAddressIsTheFirstFromTheRightThatNoTrustedProxyHas(t *testing.T) {
	t.Parallel()
	from := addressOf(config.Config{TrustedProxy: []string{"10.0.0.0/8", "fd00::/8"}})
	for name, tc := range map[string]struct {
		peer  string
		lines []string
		want  string
	}{
		"nobody in between":         {"203.0.113.9:5", []string{"198.51.100.1"}, "203.0.113.9"},
		"one proxy":                 {"10.0.0.1:5", []string{"198.51.100.1"}, "198.51.100.1"},
		"what the client made up":   {"10.0.0.1:5", []string{"1.1.1.1, 198.51.100.1"}, "198.51.100.1"},
		"a line of the client":      {"10.0.0.1:5", []string{"1.1.1.1", "198.51.100.1"}, "198.51.100.1"},
		"a line of each proxy":      {"10.0.0.1:5", []string{"198.51.100.1", "10.2.2.2", "fd00::3"}, "198.51.100.1"},
		"nothing but proxies":       {"10.0.0.1:5", []string{"10.0.0.2", "10.0.0.3"}, "10.0.0.2"},
		"a proxy that says nothing": {"10.0.0.1:5", nil, "10.0.0.1"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = tc.peer
		for _, line := range tc.lines {
			r.Header.Add("X-Forwarded-For", line)
		}
		if got := from(r); got != tc.want {
			t.Errorf("%s: %s, want %s", name, got, tc.want)
		}
	}
}

func TestAnIPv6CustomerIsCountedOnce(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64", "2001:db8:1:2::9": "2001:db8:1:2::/64", "2001:db8:1:3::9": "2001:db8:1:3::/64",
		"fe80::1%eth0": "fe80::/64", "198.51.100.7": "198.51.100.7", "::ffff:198.51.100.7": "198.51.100.7", "a pipe": "a pipe",
	} {
		if got := network(address); got != want {
			t.Errorf("%s counts as %s, want %s", address, got, want)
		}
	}
}

func TestOnlyAsManyKeysAreRememberedAndTheSpentOnesLongest(t *testing.T) {
	t.Parallel()
	l := newLimits(config.Config{SignInFails: 1, Calls: 2}, obs.NewMetrics())
	if err := l.take("signin", "spent"); err != nil {
		t.Fatal(err)
	}
	for i := range bucketsMax + 1000 {
		if err := l.take(limitCalls, fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(l.buckets); n != bucketsMax {
		t.Errorf("%d keys are remembered, want %d", n, bucketsMax)
	}
	if err := l.take("signin", "spent"); err == nil {
		t.Error("other keys gave one that was used up a new allowance")
	}
}

func TestATokenThatIsGivenBackCanBeTakenAgainButIsNoExtraOne(t *testing.T) {
	t.Parallel()
	l := newLimits(config.Config{SignInFails: 2}, obs.NewMetrics())
	for range 5 {
		if err := l.take("signin", "a"); err != nil {
			t.Fatal(err)
		}
		l.giveBack("signin", "a")
	}
	l.giveBack("signin", "a")
	allowed := 0
	for range 5 {
		if l.take("signin", "a") == nil {
			allowed++
		}
	}
	if allowed != 2 {
		t.Errorf("%d of 5 were allowed, want 2", allowed)
	}
}
