package egress_test

import (
	"context"
	"errors"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/egress"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

var ctx = context.Background()

func guard(t testing.TB, o egress.Options) *egress.Guard {
	t.Helper()
	if o.Resolver == nil {
		o.Resolver = deaf()
	}
	g, err := egress.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

const (
	notPublic = "url_not_public"
	invalid   = "url_invalid"
)

// notations are ways to write an address that must not be reached, and what is
// said to them.
var notations = map[string]string{
	// 127.0.0.1, as many ways as some resolver would read
	"https://127.0.0.1/":                   notPublic,
	"https://127.0.0.1":                    notPublic,
	"https://127.0.0.1:443/x?y=z":          notPublic,
	"https://127.0.0.1./":                  notPublic,
	"https://2130706433/":                  notPublic,
	"https://017700000001/":                notPublic,
	"https://0x7f000001/":                  notPublic,
	"https://0X7F000001/":                  notPublic,
	"https://0x7f.1/":                      notPublic,
	"https://127.1/":                       notPublic,
	"https://127.0.1/":                     notPublic,
	"https://0177.0.0.01/":                 notPublic,
	"https://0x7f.0x0.0x0.0x1/":            notPublic,
	"https://127.0.0.0x1/":                 notPublic,
	"https://0177.0x0.0.1/":                notPublic,
	"https://00000177.0.0.1/":              notPublic,
	"https://0/":                           notPublic,
	"https://0.0.0.0/":                     notPublic,
	"https://0x/":                          notPublic,
	"https://[::1]/":                       notPublic,
	"https://[0:0:0:0:0:0:0:1]/":           notPublic,
	"https://[::]/":                        notPublic,
	"https://[::ffff:127.0.0.1]/":          notPublic,
	"https://[::FFFF:7F00:1]:443/":         notPublic,
	"https://[::127.0.0.1]/":               notPublic,
	"https://[64:ff9b::7f00:1]/":           notPublic,
	"https://[2002:7f00:1::]/":             notPublic,
	"https://[::1%25lo]/":                  invalid,
	"https://[fe80::1%25eth0]/":            invalid,
	"https://[::1%lo]/":                    invalid,
	"https://%31%32%37.0.0.1/":             invalid,
	"https://127%2e0.0.1/":                 invalid,
	"https://127.0.0.1%00.example.com/":    invalid,
	"https://１２７.0.0.1/":                   invalid,
	"https://127。0。0。1/":                   invalid,
	"https://①②⑦.0.0.1/":                   invalid,
	"https://ⓛocalhost/":                   invalid,
	"https://127.0.0.1..":                  invalid,
	"https://127.0.0.1.5/":                 invalid,
	"https://127.0.0.256/":                 invalid,
	"https://4294967296/":                  invalid,
	"https://08.8.8.8/":                    invalid,
	"https://0x7g.1/":                      invalid,
	"https://1e3.1/":                       invalid,
	"https://-1/":                          notPublic, // a name of one label
	"https://[::1]x/":                      invalid,
	"https://[::1/":                        invalid,
	"https://::1/":                         invalid,
	"https://user@127.0.0.1/":              invalid,
	"https://hooks.example.com@127.0.0.1/": invalid,
	"https://127.0.0.1:443@example.com/":   invalid,
	"https://@example.com/":                invalid,
	"https://example.com\\@127.0.0.1/":     invalid,
	"https:\\\\127.0.0.1\\":                invalid,
	"https:/\\127.0.0.1/":                  invalid,

	// the network of the operator, and the clouds' own
	"https://10.0.0.1/":                   notPublic,
	"https://167772161/":                  notPublic,
	"https://012.1/":                      notPublic,
	"https://172.16.5.5/":                 notPublic,
	"https://192.168.0.1/":                notPublic,
	"https://0xc0a80001/":                 notPublic,
	"https://169.254.169.254/latest/":     notPublic,
	"https://2852039166/":                 notPublic,
	"https://0xA9FEA9FE/":                 notPublic,
	"https://169.16689662/":               notPublic,
	"https://168.63.129.16/":              notPublic,
	"https://0xa83f8110/":                 notPublic,
	"https://100.64.0.1/":                 notPublic,
	"https://198.18.0.1/":                 notPublic,
	"https://203.0.113.7/":                notPublic,
	"https://224.0.0.1/":                  notPublic,
	"https://255.255.255.255/":            notPublic,
	"https://[fd00:ec2::254]/":            notPublic,
	"https://[fe80::1]/":                  notPublic,
	"https://[64:ff9b::169.254.169.254]/": notPublic,
	"https://[::ffff:a9fe:a9fe]/":         notPublic,
	"https://[2001:db8::1]/":              notPublic,
	"https://localhost/":                  notPublic,
	"https://LocalHost./":                 notPublic,
	"https://a.b.localhost/":              notPublic,
	"https://intranet/":                   notPublic,
	"https://printer.local/":              notPublic,
	"https://db.INTERNAL/":                notPublic,
	"https://metadata.google.internal/":   notPublic,
	"https://nas.lan/":                    notPublic,
	"https://router.home.arpa/":           notPublic,
	"https://site.test/":                  notPublic,
	"https://x.localdomain/":              notPublic,
	"https://x.corp/":                     notPublic,
	"https://1.0.0.127.in-addr.arpa/":     notPublic,

	// not what a destination is written like
	"http://hooks.example.com/":                                   invalid,
	"HTTP://127.0.0.1/":                                           invalid,
	"ftp://hooks.example.com/":                                    invalid,
	"file:///etc/passwd":                                          invalid,
	"gopher://hooks.example.com/":                                 invalid,
	"//hooks.example.com/":                                        invalid,
	"hooks.example.com":                                           invalid,
	"https:hooks.example.com":                                     invalid,
	"https:///path":                                               invalid,
	"https://:443/":                                               invalid,
	"https://":                                                    invalid,
	"":                                                            invalid,
	"https://hooks.example.com:8443/":                             invalid,
	"https://hooks.example.com:80/":                               invalid,
	"https://hooks.example.com:/":                                 invalid,
	"https://hooks.example.com:0443/":                             invalid,
	"https://hooks.example.com:443x/":                             invalid,
	"https://hooks.example.com/#top":                              invalid,
	"https://hooks.example.com/#":                                 invalid,
	"https://u:p@hooks.example.com/":                              invalid,
	" https://hooks.example.com/":                                 invalid,
	"https://hooks.example.com/ x":                                invalid,
	"https://hooks.example.com/\n":                                invalid,
	"https://hooks.example.com/\x00":                              invalid,
	"https://hooks.example.com/ñ":                                 invalid,
	"https://hoo ks.example.com/":                                 invalid,
	"https://hoo!ks.example.com/":                                 invalid,
	"https://hooks..example.com/":                                 invalid,
	"https://.example.com/":                                       invalid,
	"https://ex%C3%A4mple.com/":                                   invalid,
	"https://134744072/":                                          invalid, // 8.8.8.8, but not written so
	"https://8.8.2056/":                                           invalid,
	"https://[2606:4700:::1]/":                                    invalid,
	"https://hooks.example.com/\x7f":                              invalid,
	"https://" + strings.Repeat("a", 64) + ".example.com/":        invalid,
	"https://hooks.example.com/" + strings.Repeat("a", 2048-25):   invalid,
	"https://hooks.example.com/?" + strings.Repeat("%20", 100000): invalid,
}

func codeOf(err error) string {
	var e *frontdesk.Error
	if err == nil {
		return ""
	}
	if !errors.As(err, &e) || e.Kind != frontdesk.Invalid || e.Param != "url" || e.Message == "" {
		return "another error: " + err.Error()
	}
	return e.Code
}

func TestURLsThatAreRefused(t *testing.T) {
	t.Parallel()
	g := guard(t, egress.Options{})
	for raw, want := range notations {
		if got := codeOf(g.CheckURL(ctx, raw)); got != want {
			t.Errorf("%.80q is %q, not %q", raw, got, want)
		}
	}
}

func TestURLsThatAreTaken(t *testing.T) {
	t.Parallel()
	g := guard(t, egress.Options{Resolver: newNameserver(t, map[string][][]string{
		"hooks.example.com": {{"93.184.216.34", "2606:2800:220:1::1"}},
	}).resolver()})
	for _, raw := range []string{
		"https://hooks.example.com",
		"https://hooks.example.com/",
		"https://hooks.example.com:443/in?token=a%20b&x=y",
		"https://hooks.example.com./",
		"HTTPS://Hooks.Example.COM/In",
		"https://does-not-resolve.example.net/hook",
		"https://xn--exmple-cua.com/",
		"https://under_score.example.com/",
		"https://9to5.example.com/",
		"https://1.example.com/",
		"https://test.example.com/",
		"https://localhost.example.com/",
		"https://internal.example.com/",
		"https://mylan.example.org/",
		"https://8.8.8.8/",
		"https://8.8.8.8:443/",
		"https://[2606:4700:4700::1111]/",
		"https://[2606:4700:4700::1111]:443/",
		"https://hooks.example.com/a@b",
		"https://hooks.example.com/" + strings.Repeat("a", 2048-26),
	} {
		if err := g.CheckURL(ctx, raw); err != nil {
			t.Errorf("%.80q: %v", raw, err)
		}
	}
}

func TestNamesThatLeadInside(t *testing.T) {
	t.Parallel()
	names := map[string][][]string{"mixed.example.com": {{"8.8.8.8", "10.0.0.1"}}, "mixed6.example.com": {{"8.8.8.8", "::1"}}}
	for text := range forbidden {
		if addr := netip.MustParseAddr(text); addr.Zone() == "" {
			names[nameFor(addr)] = [][]string{{text}}
		}
	}
	g := guard(t, egress.Options{Resolver: newNameserver(t, names).resolver()})
	for name, addrs := range names {
		if got := codeOf(g.CheckURL(ctx, "https://"+name+"/")); got != notPublic {
			t.Errorf("%s, which is %v: %q", name, addrs, got)
		}
	}
}

// nameFor is a public name for an address.
func nameFor(a netip.Addr) string {
	return "a" + strings.NewReplacer(".", "-", ":", "-").Replace(a.StringExpanded()) + ".example.com"
}

// A customer who does not wait is not held by a name server that does not
// answer, nor refused because of it.
func TestANameServerThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	ended, cancel := context.WithCancel(ctx)
	cancel()
	g := guard(t, egress.Options{Resolver: newNameserver(t, nil).resolver()})
	if err := g.CheckURL(ended, "https://hooks.example.com/"); err != nil {
		t.Error(err)
	}
}

func FuzzCheckURL(f *testing.F) {
	for raw := range notations {
		f.Add(raw)
	}
	f.Add("https://hooks.example.com/in")
	f.Add("https://8.8.8.8/")
	f.Add("https://[2606:4700:4700::1111]/")
	f.Fuzz(func(t *testing.T, raw string) {
		g := guard(t, egress.Options{})
		err := g.CheckURL(ctx, raw)
		if code := codeOf(err); code != "" && code != invalid && code != notPublic {
			t.Fatal(code)
		}
		if err != nil {
			return
		}
		u, err := url.Parse(raw)
		if err != nil || u.Scheme != "https" || u.User != nil || u.Fragment != "" || u.Port() != "" && u.Port() != "443" || len(raw) > 2048 {
			t.Fatalf("%q was taken: %v", raw, err)
		}
		host := strings.TrimSuffix(u.Hostname(), ".")
		if addr, err := netip.ParseAddr(host); err == nil {
			if class := egress.Classify(addr); class != egress.Public {
				t.Fatalf("%q was taken; it is %s", raw, class)
			}
			return
		}
		// Not an address: then nobody may take it for one.
		last := host[strings.LastIndexByte(host, '.')+1:]
		if last == host || strings.Trim(last, "0123456789") == "" || strings.HasPrefix(strings.ToLower(last), "0x") && strings.Trim(strings.ToLower(last[2:]), "0123456789abcdef") == "" {
			t.Fatalf("%q was taken; its last label is %q", raw, last)
		}
	})
}
