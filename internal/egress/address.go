// Package egress is the only way out of the house: an HTTP client that cannot
// be talked into reaching the operator's own network.
//
// Two checks stand on the way. CheckURL looks at an address when a customer
// gives it to us, so that mistakes are told at once. The client looks again at
// the address that is actually dialled, at every attempt, whatever a name
// resolves to by then. An operator can open single origins for development.
package egress

import "net/netip"

// Class says what kind of address one is; the empty Class is public.
type Class string

// The classes of addresses that customers' requests never reach.
const (
	Public        Class = ""
	Unspecified   Class = "unspecified"
	Loopback      Class = "loopback"
	Private       Class = "private"
	LinkLocal     Class = "link-local"
	SharedCGNAT   Class = "carrier-grade NAT"
	Multicast     Class = "multicast"
	Reserved      Class = "reserved"
	Documentation Class = "documentation"
	Benchmarking  Class = "benchmarking"
	Metadata      Class = "cloud metadata"
	Tunnel        Class = "tunnel"
)

type block struct {
	prefix netip.Prefix
	class  Class
}

func blocks(class Class, prefixes ...string) []block {
	out := make([]block, len(prefixes))
	for i, p := range prefixes {
		out[i] = block{netip.MustParsePrefix(p), class}
	}
	return out
}

func gather(groups ...[]block) (all []block) {
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}

// forbidden4 and forbidden6 follow the IANA special-purpose registries; single
// addresses of cloud vendors come first.
var forbidden4 = gather(
	blocks(Metadata, "169.254.169.254/32", "168.63.129.16/32", "100.100.100.200/32", "192.0.0.192/32"),
	blocks(Unspecified, "0.0.0.0/8"),
	blocks(Loopback, "127.0.0.0/8"),
	blocks(Private, "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"),
	blocks(LinkLocal, "169.254.0.0/16"),
	blocks(SharedCGNAT, "100.64.0.0/10"),
	blocks(Documentation, "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"),
	blocks(Benchmarking, "198.18.0.0/15"),
	blocks(Tunnel, "192.88.99.0/24"),
	blocks(Reserved, "192.0.0.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.175.48.0/24", "240.0.0.0/4"),
	blocks(Multicast, "224.0.0.0/4"),
)

var forbidden6 = gather(
	blocks(Metadata, "fd00:ec2::254/128"),
	blocks(Unspecified, "::/128"),
	blocks(Loopback, "::1/128"),
	blocks(Private, "fc00::/7", "fec0::/10"),
	blocks(LinkLocal, "fe80::/10"),
	blocks(Multicast, "ff00::/8"),
	blocks(Documentation, "2001:db8::/32", "3fff::/20"),
	blocks(Benchmarking, "2001:2::/48"),
	blocks(Tunnel, "2001::/32", "2002::/16"),
	blocks(Reserved, "2001::/23", "2620:4f:8000::/48"),
)

var (
	globalUnicast = netip.MustParsePrefix("2000::/3")
	nat64         = netip.MustParsePrefix("64:ff9b::/96")
)

// Classify says what kind of address a is. Addresses that carry an IPv4 address
// inside (mapped, NAT64) are what that address is; other tunnels, and all of
// IPv6 that is not global unicast, are refused.
func Classify(a netip.Addr) Class {
	a = a.WithZone("").Unmap()
	if a.Is4() {
		return within(a, forbidden4, Public)
	}
	if nat64.Contains(a) {
		b := a.As16()
		return Classify(netip.AddrFrom4([4]byte(b[12:16])))
	}
	if !globalUnicast.Contains(a) {
		return within(a, forbidden6, Reserved)
	}
	return within(a, forbidden6, Public)
}

func within(a netip.Addr, list []block, otherwise Class) Class {
	for _, b := range list {
		if b.prefix.Contains(a) {
			return b.class
		}
	}
	return otherwise
}
