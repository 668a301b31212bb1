package exchange

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Proxies are the addresses of proxies that are believed when they say where a
// request came from.
type Proxies []netip.Prefix

// Client is the address that a request comes from: the connection's own or,
// while that is a proxy we trust, the one that the proxy says it came from. What
// stands further left was written by somebody we do not trust.
func (p Proxies) Client(r *http.Request) netip.Addr {
	at, _ := parseAddress(r.RemoteAddr)
	if !p.trust(at) {
		return at
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		next, ok := parseAddress(strings.TrimSpace(hop))
		if !ok {
			return at
		}
		if at = next; !p.trust(at) {
			return at
		}
	}
	return at
}

func (p Proxies) trust(a netip.Addr) bool {
	return slices.ContainsFunc(p, func(prefix netip.Prefix) bool { return prefix.Contains(a) })
}

// Household is what an address is counted under. An IPv6 client has as many
// networks as a provider gives to one household, 256 and more of 2^64 addresses
// each, so those count as one.
func Household(a netip.Addr) netip.Prefix {
	bits := 56
	if a.Is4() {
		bits = 32
	}
	p, _ := a.Prefix(bits) // the zero Prefix for the zero Addr: strangers share
	return p
}

// parseAddress reads an address with or without a port.
func parseAddress(text string) (netip.Addr, bool) {
	if ap, err := netip.ParseAddrPort(text); err == nil {
		return ap.Addr().Unmap().WithZone(""), true
	}
	a, err := netip.ParseAddr(strings.Trim(text, "[]"))
	return a.Unmap().WithZone(""), err == nil
}
