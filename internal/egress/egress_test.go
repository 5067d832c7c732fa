package egress_test

import (
	"errors"
	"net"
	"net/netip"
	"testing"
	"time"

	"driftless/internal/egress"
)

func TestTheGuardLetsThePublicInternetThroughAndWhatIsAdded(t *testing.T) {
	t.Parallel()
	added := egress.Guard{Inside: []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16")}}
	for text, want := range map[string][2]bool{
		"1.1.1.1": {true, true}, "2606:4700::1111": {true, true},
		"10.1.2.3": {false, true}, "::ffff:10.1.2.3": {false, true}, "10.2.0.1": {false, false},
		"127.0.0.1": {false, false}, "169.254.169.254": {false, false}, "64:ff9b::a01:203": {false, false}, "fd00::1": {false, false},
	} {
		ip := netip.MustParseAddr(text)
		if got := [2]bool{egress.Guard{}.Allows(ip), added.Allows(ip)}; got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

func TestNothingInsideIsResolvedOrConnectedTo(t *testing.T) {
	t.Parallel()
	inside, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = inside.Close() })
	if _, err := (egress.Guard{}).Resolve(t.Context(), "127.0.0.1"); !errors.Is(err, egress.ErrInside) {
		t.Errorf("resolved: %v", err)
	}
	if _, err := (egress.Guard{}).Dialer(time.Second).DialContext(t.Context(), "tcp", inside.Addr().String()); !errors.Is(err, egress.ErrInside) {
		t.Errorf("connected: %v", err)
	}
	allowed := egress.Guard{Inside: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	c, err := allowed.Dialer(time.Minute).DialContext(t.Context(), "tcp", inside.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	_ = c.Close()
	if ips, err := allowed.Resolve(t.Context(), "127.0.0.1"); err != nil || len(ips) != 1 {
		t.Errorf("resolved %v, %v", ips, err)
	}
}
