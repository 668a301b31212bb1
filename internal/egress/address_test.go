package egress_test

import (
	"net/netip"
	"testing"

	"frontdesk.dev/frontdesk/internal/egress"
)

// forbidden are addresses that are never dialled, and why.
var forbidden = map[string]egress.Class{
	"0.0.0.0":         egress.Unspecified,
	"0.1.2.3":         egress.Unspecified,
	"0.255.255.255":   egress.Unspecified,
	"127.0.0.1":       egress.Loopback,
	"127.255.255.254": egress.Loopback,
	"10.0.0.0":        egress.Private,
	"10.255.255.255":  egress.Private,
	"172.16.0.1":      egress.Private,
	"172.31.255.255":  egress.Private,
	"192.168.0.1":     egress.Private,
	"192.168.255.255": egress.Private,
	"169.254.0.1":     egress.LinkLocal,
	"169.254.255.255": egress.LinkLocal,
	"169.254.170.2":   egress.LinkLocal,
	"169.254.169.254": egress.Metadata,
	"168.63.129.16":   egress.Metadata,
	"100.100.100.200": egress.Metadata,
	"192.0.0.192":     egress.Metadata,
	"100.64.0.0":      egress.SharedCGNAT,
	"100.127.255.255": egress.SharedCGNAT,
	"192.0.2.1":       egress.Documentation,
	"198.51.100.1":    egress.Documentation,
	"203.0.113.255":   egress.Documentation,
	"198.18.0.0":      egress.Benchmarking,
	"198.19.255.255":  egress.Benchmarking,
	"192.88.99.1":     egress.Tunnel,
	"192.0.0.1":       egress.Reserved,
	"192.0.0.170":     egress.Reserved,
	"192.31.196.1":    egress.Reserved,
	"192.52.193.1":    egress.Reserved,
	"192.175.48.1":    egress.Reserved,
	"240.0.0.1":       egress.Reserved,
	"255.255.255.255": egress.Reserved,
	"224.0.0.1":       egress.Multicast,
	"239.255.255.255": egress.Multicast,

	"::":                                   egress.Unspecified,
	"::1":                                  egress.Loopback,
	"fc00::1":                              egress.Private,
	"fdff:ffff::1":                         egress.Private,
	"fec0::1":                              egress.Private,
	"fd00:ec2::254":                        egress.Metadata,
	"fe80::1":                              egress.LinkLocal,
	"febf::1":                              egress.LinkLocal,
	"fe80::1%eth0":                         egress.LinkLocal,
	"ff02::1":                              egress.Multicast,
	"ff0e::1":                              egress.Multicast,
	"2001:db8::1":                          egress.Documentation,
	"3fff::1":                              egress.Documentation,
	"3fff:fff:ffff::1":                     egress.Documentation,
	"2001:2::1":                            egress.Benchmarking,
	"2001::1":                              egress.Tunnel,   // Teredo
	"2001:0:7f00:1::":                      egress.Tunnel,   // Teredo
	"2001:10::1":                           egress.Reserved, // ORCHID
	"2001:20::1":                           egress.Reserved, // ORCHIDv2
	"2001:1ff:ffff::1":                     egress.Reserved,
	"2620:4f:8000::1":                      egress.Reserved,
	"100::1":                               egress.Reserved, // discard only
	"100:0:0:1::1":                         egress.Reserved,
	"5f00::1":                              egress.Reserved, // SRv6 SIDs
	"4000::1":                              egress.Reserved, // not given out
	"::127.0.0.1":                          egress.Reserved, // IPv4-compatible
	"::8.8.8.8":                            egress.Reserved,
	"::ffff:0:127.0.0.1":                   egress.Reserved, // IPv4-translated
	"64:ff9b:1::10.0.0.1":                  egress.Reserved, // NAT64 of one network
	"64:ff9b:1::8.8.8.8":                   egress.Reserved,
	"::ffff:127.0.0.1":                     egress.Loopback,
	"::ffff:7f00:1":                        egress.Loopback,
	"::ffff:10.1.2.3":                      egress.Private,
	"::ffff:169.254.169.254":               egress.Metadata,
	"::ffff:168.63.129.16":                 egress.Metadata,
	"::ffff:100.64.0.1":                    egress.SharedCGNAT,
	"::ffff:0.0.0.0":                       egress.Unspecified,
	"64:ff9b::127.0.0.1":                   egress.Loopback,
	"64:ff9b::a00:1":                       egress.Private,
	"64:ff9b::192.168.1.1":                 egress.Private,
	"64:ff9b::169.254.169.254":             egress.Metadata,
	"64:ff9b::168.63.129.16":               egress.Metadata,
	"64:ff9b::224.0.0.1":                   egress.Multicast,
	"2002:7f00:1::":                        egress.Tunnel, // 6to4 of 127.0.0.1
	"2002:a00:1::1":                        egress.Tunnel, // of 10.0.0.1
	"2002:a9fe:a9fe::1":                    egress.Tunnel, // of 169.254.169.254
	"2002:808:808::1":                      egress.Tunnel, // of a public one: still a tunnel
	"2002:a83f:8110::1":                    egress.Tunnel, // of 168.63.129.16
	"2001:0:4136:e378:8000:63bf:3fff:fdd2": egress.Tunnel,
}

var public = []string{
	"1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1",
	"168.63.129.15", "168.63.129.17", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0",
	"192.0.3.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "198.51.99.255", "198.51.101.0",
	"203.0.112.255", "203.0.114.0", "223.255.255.255",
	"2606:4700:4700::1111", "2001:4860:4860::8888", "2a00:1450:4003::1", "2001:200::1", "2003::1", "3ffe::1",
	"2001:db7:ffff::1", "2001:db9::1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8",
}

func TestClassify(t *testing.T) {
	t.Parallel()
	for text, want := range forbidden {
		if got := egress.Classify(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s is %q, not %q", text, got, want)
		}
	}
	for _, text := range public {
		if got := egress.Classify(netip.MustParseAddr(text)); got != egress.Public {
			t.Errorf("%s is %q, not public", text, got)
		}
	}
	if got := egress.Classify(netip.Addr{}); got == egress.Public {
		t.Error("no address at all is public")
	}
}

func FuzzClassify(f *testing.F) {
	for text := range forbidden {
		f.Add(netip.MustParseAddr(text).WithZone("").AsSlice())
	}
	for _, text := range public {
		f.Add(netip.MustParseAddr(text).AsSlice())
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		a, ok := netip.AddrFromSlice(raw)
		if !ok {
			return
		}
		class := egress.Classify(a)
		if class != egress.Public {
			return
		}
		if a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast() || a.IsMulticast() || a.IsUnspecified() || a.IsInterfaceLocalMulticast() {
			t.Errorf("%s is public", a)
		}
		if a.Is4() {
			mapped := netip.AddrFrom16(a.As16())
			if egress.Classify(mapped) != class || egress.Classify(mapped.WithZone("x")) != class {
				t.Errorf("%s is public, %s is not", a, mapped)
			}
		}
		if err := egress.CheckDial(netip.AddrPortFrom(a, 443).String()); err != nil {
			t.Errorf("%s is public, yet not dialled: %v", a, err)
		}
	})
}
