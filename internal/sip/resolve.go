package sip

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	gosip "github.com/emiago/sipgo/sip"
)

// mostHops bounds how many addresses of a registrar are tried and trusted.
const mostHops = 16

// resolve finds the addresses of the registrar, and lets them speak to us.
func (r *registration) resolve(ctx context.Context) ([]hop, error) {
	uri, err := r.trunk.registrar()
	if err != nil {
		return nil, fmt.Errorf("sip: %q is no registrar, such as sip:fritz.box: %w", r.trunk.Registrar, err)
	}
	network := "udp"
	if uri.IsEncrypted() {
		network = "tls"
	}
	if t, ok := uri.UriParams.Get("transport"); ok {
		network = strings.ToLower(t)
	}
	if network != "udp" && network != "tcp" && network != "tls" {
		return nil, fmt.Errorf("sip: %s is no transport: it is udp, tcp or tls", network)
	}
	ctx, cancel := context.WithTimeout(ctx, r.s.timing.request)
	defer cancel()
	var hops []hop
	for _, name := range targets(ctx, network, uri) {
		found, err := lookup(ctx, network, name)
		if err != nil && len(hops) == 0 {
			continue
		}
		hops = append(hops, found...)
	}
	hops = slices.DeleteFunc(hops, func(h hop) bool {
		return network == "udp" && r.s.here.listenerFor("udp", h.address) == nil
	})
	if len(hops) == 0 {
		return nil, fmt.Errorf("sip: %s has no address that can be reached by %s from here: is the name right, and is there a listener for %s", uri.Host, network, network)
	}
	hops = hops[:min(len(hops), mostHops)]
	r.trust(hops)
	return hops, nil
}

// targets are the host:port of a registrar: from the service records of its
// domain, where neither an address nor a port is given.
func targets(ctx context.Context, network string, uri gosip.Uri) []string {
	host := strings.Trim(uri.Host, "[]")
	_, err := netip.ParseAddr(host)
	if uri.Port == 0 && err != nil {
		service, proto := "sip", network
		if network == "tls" {
			service, proto = "sips", "tcp"
		}
		if _, records, err := net.DefaultResolver.LookupSRV(ctx, service, proto, host); err == nil && len(records) > 0 {
			var all []string
			for _, s := range records[:min(len(records), mostHops)] {
				all = append(all, net.JoinHostPort(strings.TrimSuffix(s.Target, "."), strconv.Itoa(int(s.Port))))
			}
			return all
		}
	}
	port := uri.Port
	if port == 0 {
		port = gosip.DefaultPort(network)
	}
	return []string{net.JoinHostPort(host, strconv.Itoa(port))}
}

// lookup finds the addresses of a host:port, those of IPv4 first.
func lookup(ctx context.Context, network, target string) ([]hop, error) {
	host, port, err := net.SplitHostPort(target)
	if err != nil {
		return nil, err
	}
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	var hops []hop
	for _, a := range found {
		a = a.Unmap().WithZone("")
		h := hop{network, net.JoinHostPort(a.String(), port), a}
		if network == "tls" {
			h.destination = target // its certificate has the name
		}
		hops = append(hops, h)
	}
	slices.SortStableFunc(hops, func(a, b hop) int {
		switch {
		case a.address.Is4() == b.address.Is4():
			return 0
		case a.address.Is4():
			return -1
		}
		return 1
	})
	return hops, nil
}

// trust lets the registrar's addresses through the gate. One that is not resolved
// any more stays for some rounds, for calls may still come from it.
func (r *registration) trust(hops []hop) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for a := range r.trusted {
		if r.trusted[a]--; r.trusted[a] <= 0 {
			delete(r.trusted, a)
			r.s.gate.trust(a, -1)
		}
	}
	for _, h := range hops {
		if r.trusted[h.address] == 0 {
			r.s.gate.trust(h.address, 1)
		}
		r.trusted[h.address] = trustedRounds
	}
}

// trustPeer lets the address through that has registered us, which may be another
// of the same name.
func (r *registration) trustPeer(a netip.Addr) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.trusted[a] == 0 {
		r.s.gate.trust(a, 1)
	}
	r.trusted[a] = trustedRounds
}

// distrust closes the gate to the registrar.
func (r *registration) distrust() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for a := range r.trusted {
		r.s.gate.trust(a, -1)
	}
	clear(r.trusted)
}
