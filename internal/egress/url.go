package egress

import (
	"context"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const (
	maxURL      = 2048
	resolveTime = time.Second
)

// CheckURL says whether a customer may have us send to an address: https on
// port 443, no userinfo, no fragment, and a host that is public as far as one
// can tell now. A name that does not resolve is let through; every attempt
// checks again.
func (g *Guard) CheckURL(ctx context.Context, raw string) error {
	u, err := parseURL(raw)
	if err != nil {
		return err
	}
	if g.opened[originOf(u)] {
		return nil
	}
	if u.Scheme != "https" {
		return invalidURL("The URL must start with https://.")
	}
	if port := u.Port(); port != "" && port != "443" || strings.HasSuffix(u.Host, ":") {
		return invalidURL("The URL must use port 443.")
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	addr, literal, err := parseHost(host)
	switch {
	case err != nil:
		return err
	case literal:
		if class := Classify(addr); class != Public {
			return notPublic(host, string(class))
		}
		return nil
	}
	if isInternalName(host) {
		return notPublic(host, "internal")
	}
	return g.checkResolved(ctx, host)
}

func parseURL(raw string) (*url.URL, error) {
	if len(raw) > maxURL {
		return nil, invalidURL(fmt.Sprintf("The URL is longer than %d characters.", maxURL))
	}
	for i := range len(raw) {
		if c := raw[i]; c <= ' ' || c >= 0x7f || c == '\\' {
			return nil, invalidURL("The URL must be plain ASCII without spaces or backslashes. Write names of other scripts in punycode and other characters percent-encoded.")
		}
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Scheme == "" || u.Host == "" || u.Hostname() == "" || u.Opaque != "":
		return nil, invalidURL("The URL must be absolute, such as https://hooks.example.com/frontdesk.")
	case u.User != nil:
		return nil, invalidURL("The URL must not hold a user name or password. Deliveries are signed instead.")
	case u.Fragment != "" || strings.Contains(raw, "#"):
		return nil, invalidURL("The URL must not have a fragment (#…).")
	case strings.Contains(u.Host, "%"):
		return nil, invalidURL("The URL's host must be a plain name or address.")
	}
	return u, nil
}

// parseHost reads a host that is an address in any notation that some resolver
// would take for one: dotted, decimal, octal, hexadecimal, shortened.
func parseHost(host string) (addr netip.Addr, literal bool, err error) {
	if strings.Contains(host, ":") {
		if addr, err = netip.ParseAddr(host); err != nil {
			return addr, true, invalidURL("The URL's host is not a valid IPv6 address.")
		}
		return addr, true, nil
	}
	labels := strings.Split(host, ".")
	if !isNumber(labels[len(labels)-1]) {
		return addr, false, checkName(labels)
	}
	addr, ok := parseLegacy4(labels)
	if !ok {
		return addr, true, invalidURL("The URL's host is not a valid IPv4 address.")
	}
	if addr.String() != host && Classify(addr) == Public {
		return addr, true, invalidURL("Write the URL's IPv4 address in four decimal numbers.")
	}
	return addr, true, nil
}

func checkName(labels []string) error {
	for _, l := range labels {
		if l == "" || len(l) > 63 || strings.Trim(l, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return invalidURL("The URL's host is not a valid name.")
		}
	}
	return nil
}

func isNumber(label string) bool {
	if label == "" {
		return false
	}
	if hex, ok := strings.CutPrefix(label, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(label, "0123456789") == ""
}

// parseLegacy4 reads an IPv4 address as inet_aton does: one to four numbers, the
// last of which fills what is left.
func parseLegacy4(labels []string) (netip.Addr, bool) {
	if len(labels) > 4 {
		return netip.Addr{}, false
	}
	var value uint64
	for i, label := range labels {
		n, err := strconv.ParseUint(cmpEmpty(label), 0, 64)
		if strings.HasPrefix(label, "0") && len(label) > 1 && !strings.HasPrefix(label, "0x") {
			n, err = strconv.ParseUint(label, 8, 64)
		}
		bits := 8
		if i == len(labels)-1 {
			bits = 8 * (5 - len(labels))
		}
		if err != nil || n >= 1<<bits {
			return netip.Addr{}, false
		}
		value = value<<bits | n
	}
	return netip.AddrFrom4([4]byte{byte(value >> 24), byte(value >> 16), byte(value >> 8), byte(value)}), true
}

// cmpEmpty reads "0x", which some take for zero, as zero.
func cmpEmpty(label string) string {
	if label == "0x" {
		return "0"
	}
	return label
}

var internalSuffixes = []string{
	"localhost", "local", "internal", "lan", "home.arpa", "test", "invalid", "intranet", "private", "corp", "home",
	"localdomain", "onion", "in-addr.arpa", "ip6.arpa",
}

func isInternalName(host string) bool {
	return !strings.Contains(host, ".") || slices.ContainsFunc(internalSuffixes, func(suffix string) bool {
		return host == suffix || strings.HasSuffix(host, "."+suffix)
	})
}

// checkResolved refuses a name that resolves, here and now, to an address that
// is not public.
func (g *Guard) checkResolved(ctx context.Context, host string) error {
	ctx, cancel := context.WithTimeout(ctx, resolveTime)
	defer cancel()
	addrs, err := g.resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil
	}
	for _, a := range addrs {
		if class := Classify(a); class != Public {
			return notPublic(host, string(class))
		}
	}
	return nil
}

func invalidURL(message string) error {
	return &frontdesk.Error{Kind: frontdesk.Invalid, Code: "url_invalid", Param: "url", Message: message}
}

func notPublic(host, class string) error {
	return &frontdesk.Error{
		Kind: frontdesk.Invalid, Code: "url_not_public", Param: "url",
		Message: fmt.Sprintf("The URL's host %s is not a public address (%s). Use one that the internet can reach.", host, class),
	}
}
