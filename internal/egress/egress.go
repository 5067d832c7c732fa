// Package egress owns where the server may connect when somebody else names the address: the public internet, and the networks that the
// configuration adds.
//
// It refuses addresses that lead inside: loopback, private, link-local and reserved ones (RFC 6890), also where they are wrapped
// in an address of IPv6. What is checked is always the very address that is connected to, so that a name cannot change its mind in between.
package egress

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"syscall"
	"time"
)

// ErrInside is the refusal of an address that is not on the public internet. It does not say which address a name has.
var ErrInside = errors.New("its host is not on the public internet")

// reserved are the networks that are neither private nor loopback by name and yet lead inside (RFC 6890), among them those
// that carry an IPv4 address within an IPv6 one.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("64:ff9b::/96"),
	netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("100::/64"), netip.MustParsePrefix("2001::/23"),
	netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"), netip.MustParsePrefix("fec0::/10"),
}

// Guard decides about addresses. The zero value lets the public internet through and resolves names as the system does.
type Guard struct {
	// Names resolves names; nil is the system.
	Names *net.Resolver
	// Inside are networks beside the public internet that may be reached.
	Inside []netip.Prefix
}

// Allows reports whether an address may be connected to.
func (g Guard) Allows(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	within := func(network netip.Prefix) bool { return network.Contains(ip) }
	if slices.ContainsFunc(g.Inside, within) {
		return true
	}
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast() {
		return false
	}
	return !slices.ContainsFunc(reserved, within)
}

// Dialer connects to allowed addresses only. The check sits behind name resolution.
func (g Guard) Dialer(timeout time.Duration) *net.Dialer {
	return &net.Dialer{
		Timeout: timeout, Resolver: g.Names,
		Control: func(_, address string, _ syscall.RawConn) error {
			to, err := netip.ParseAddrPort(address)
			if err != nil || !g.Allows(to.Addr()) {
				return ErrInside
			}
			return nil
		},
	}
}

// Resolve answers the addresses of a host, for programs that connect by themselves and are handed what was checked. One address
// that is not allowed refuses them all: a host of the public internet has none inside.
func (g Guard) Resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	names := g.Names
	if names == nil {
		names = net.DefaultResolver
	}
	all, err := names.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, fmt.Errorf("its host cannot be resolved: %w", err)
	}
	for i := range all {
		all[i] = all[i].Unmap()
		if !g.Allows(all[i]) {
			return nil, ErrInside
		}
	}
	return all, nil
}
