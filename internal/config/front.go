package config

import (
	"net/mail"
	"net/netip"
	"net/url"
	"strings"
)

// Domains are the names of Domain, in lower case, each once.
func (s Settings) Domains() (names []string) {
	seen := map[string]bool{}
	for _, name := range strings.FieldsFunc(strings.ToLower(s.Domain), func(r rune) bool { return r == ',' || r == ' ' }) {
		if name = strings.TrimSuffix(name, "."); !seen[name] {
			names = append(names, name)
		}
		seen[name] = true
	}
	return names
}

// checkFront holds the rules of where this server is reached by TLS, and of where
// its figures are.
func (s Settings) checkFront() (wrong []error) {
	rule := func(name, value string, good bool, want string) {
		if !good {
			wrong = append(wrong, &ValueError{Name: name, Value: value, Want: want})
		}
	}
	for _, name := range s.Domains() {
		rule("FRONTDESK_DOMAIN", name, isDomain(name), "names that the world knows, such as desk.example.com, separated by commas; no addresses, no wildcards, names with other letters as xn--…")
	}
	rule("FRONTDESK_METRICS_LISTEN", s.MetricsListen, s.MetricsListen == "" || isAddress(s.MetricsListen), "an address and a port such as 127.0.0.1:9090")
	if s.Domain == "" {
		return wrong
	}
	rule("FRONTDESK_TLS_LISTEN", s.TLSListen, isAddress(s.TLSListen), "an address and a port such as :443")
	rule("FRONTDESK_HTTP_LISTEN", s.HTTPListen, isAddress(s.HTTPListen), "an address and a port such as :80")
	u, err := url.Parse(s.ACMEDirectory)
	rule("FRONTDESK_ACME_DIRECTORY", s.ACMEDirectory, err == nil && u.Scheme == "https" && u.Host != "", "an https address such as https://acme-v02.api.letsencrypt.org/directory")
	address, err := mail.ParseAddress(s.ACMEEmail)
	rule("FRONTDESK_ACME_EMAIL", s.ACMEEmail, s.ACMEEmail == "" || err == nil && address.Address == s.ACMEEmail, "an address such as admin@example.com")
	return wrong
}

// isDomain says whether a name can have a certificate: at least two labels of
// letters, digits and hyphens, and no address.
func isDomain(name string) bool {
	const longest, longestLabel = 253, 63
	if _, err := netip.ParseAddr(name); err == nil || len(name) > longest || !strings.Contains(name, ".") {
		return false
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || len(label) > longestLabel || strings.Trim(label, "-") != label || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return false
		}
	}
	return true
}
