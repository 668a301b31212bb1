package web

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// visitor is the address that a visit is counted under. An IPv6 visitor has as
// many networks as a provider gives to one household, 256 and more of 2^64
// addresses each, so those count as one.
func (s *Web) visitor(r *http.Request) netip.Prefix {
	return counted(s.client(r))
}

func counted(a netip.Addr) netip.Prefix {
	bits := 56
	if a.Is4() {
		bits = 32
	}
	p, _ := a.Prefix(bits) // the zero Prefix for the zero Addr: strangers share
	return p
}

// client is the address that the request comes from: the connection's own or,
// while that is a proxy we trust, the one that the proxy says it came from. What
// stands further left was written by somebody we do not trust.
func (s *Web) client(r *http.Request) netip.Addr {
	at, _ := parseAddress(r.RemoteAddr)
	if !s.trusts(at) {
		return at
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		next, ok := parseAddress(strings.TrimSpace(hop))
		if !ok {
			return at
		}
		if at = next; !s.trusts(at) {
			return at
		}
	}
	return at
}

func (s *Web) trusts(a netip.Addr) bool {
	return slices.ContainsFunc(s.proxies, func(p netip.Prefix) bool { return p.Contains(a) })
}

// parseAddress reads an address with or without a port.
func parseAddress(text string) (netip.Addr, bool) {
	if ap, err := netip.ParseAddrPort(text); err == nil {
		return ap.Addr().Unmap().WithZone(""), true
	}
	a, err := netip.ParseAddr(strings.Trim(text, "[]"))
	return a.Unmap().WithZone(""), err == nil
}
