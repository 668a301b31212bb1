package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// starts starts conversations from an address until one is refused, and returns
// how many were not.
func (d *desk) starts(from string, most int) int {
	d.t.Helper()
	for n := range most {
		a := d.do("POST /web/lola/desk/conversations", `{"mode":"test"}`, "X-Forwarded-For", from)
		if a.status == http.StatusCreated {
			continue
		}
		a.refused(429, "rate_limited", "")
		if wait, err := strconv.Atoi(a.header.Get("Retry-After")); err != nil || wait < 1 || wait > 60 {
			d.t.Errorf("Retry-After is %q", a.header.Get("Retry-After"))
		}
		return n
	}
	return most
}

func TestStartsAreLimitedByAddress(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(o *Options) { o.TrustedProxies, o.StartsPerMinute = []netip.Prefix{proxy}, 10 })
	if got := d.starts("192.0.2.1", 12); got != 10 {
		t.Errorf("%d starts, want 10", got)
	}
	if got := d.starts("192.0.2.2", 1); got != 1 {
		t.Error("another address has to wait too")
	}
	d.Forward(6 * time.Second)
	if got := d.starts("192.0.2.1", 2); got != 1 {
		t.Errorf("%d starts after a tenth of a minute, want 1", got)
	}
	if got := d.starts("2001:db8:1:2::1", 6); got != 6 {
		t.Errorf("%d starts, want 6", got)
	}
	if got := d.starts("2001:db8:1:2:ffff::9", 6); got != 4 {
		t.Errorf("%d starts from the same network, want the 4 that are left", got)
	}
}

func TestMessagesAreLimitedByAddress(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(o *Options) { o.MessagesPerSecond, o.MessagesBurst = 2, 20 })
	v := d.start("")
	for range 20 {
		// A wrong token counts as well: it cannot be guessed for long.
		v.do("POST /web/conversations/"+v.id+"/messages", `{"text":"hola"}`, "Authorization", "Bearer x").refused(404, "not_found", "")
	}
	a := v.post("messages", `{"text":"hola"}`)
	a.refused(429, "rate_limited", "")
	if got := a.header.Get("Retry-After"); got != "1" {
		t.Errorf("Retry-After is %q", got)
	}
	v.post("end", "").refused(429, "rate_limited", "")
	d.Forward(time.Second)
	v.say("hola")
	v.post("end", "")
	v.post("end", "").refused(429, "rate_limited", "")
}

func TestVisitsAreLimitedByAddress(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(o *Options) { o.MessagesBurst = 3 })
	for _, path := range []string{"/web/lola/desk", "/talk/lola/desk", "/web/lola/nobody"} {
		if a := d.do("GET "+path, ""); a.status == http.StatusTooManyRequests {
			t.Errorf("%s: %d", path, a.status)
		}
	}
	d.do("GET /web/lola/desk", "").refused(429, "rate_limited", "")
	for language, want := range map[string]string{"es": "<h1>Un momento", "en": "<h1>One moment"} {
		a := d.do("GET /talk/lola/desk?lang="+language, "")
		if a.status != http.StatusTooManyRequests || a.header.Get("Retry-After") != "1" || !strings.Contains(a.body, want) {
			t.Errorf("got %d %v %s", a.status, a.header, a.body)
		}
	}
	d.Forward(time.Second)
	if a := d.do("GET /talk/lola/desk", ""); a.status != http.StatusOK {
		t.Errorf("after a second: %d", a.status)
	}
}

// Every address has ten starts a minute that no agent counts: those of others
// cannot use them up.
func TestStartsAreLimitedByAgent(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(o *Options) { o.TrustedProxies, o.AgentStartsPerMinute = []netip.Prefix{proxy}, 48 })
	d.hire("other", frontdesk.AgentActive)
	for n := range 24 {
		if got := d.starts(fmt.Sprintf("192.0.2.%d", n), 12); got != 12 { // two of them are counted
			t.Fatalf("address %d had %d starts", n, got)
		}
	}
	if got := d.starts("192.0.2.99", 11); got != few {
		t.Errorf("one who comes later had %d starts", got)
	}
	if a := d.do("POST /web/lola/other/conversations", "", "X-Forwarded-For", "192.0.2.99"); a.status != http.StatusCreated {
		t.Errorf("another agent: %d %s", a.status, a.body)
	}
	d.Forward(time.Minute)
	if got := d.starts("192.0.2.99", 11); got != 11 {
		t.Errorf("%d starts after a minute", got)
	}
}

func TestWhereAVisitorComesFrom(t *testing.T) {
	t.Parallel()
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8:ff::/48")}
	tests := map[string]struct {
		remote    string
		forwarded []string
		want      string
	}{
		"straight":                                {"192.0.2.1:1234", nil, "192.0.2.1/32"},
		"straight, with a lie":                    {"192.0.2.1:1234", []string{"198.51.100.7"}, "192.0.2.1/32"},
		"through a proxy":                         {"10.0.0.1:1234", []string{"198.51.100.7"}, "198.51.100.7/32"},
		"through two":                             {"10.0.0.1:1234", []string{"198.51.100.7, 10.9.9.9"}, "198.51.100.7/32"},
		"through two, in two headers":             {"10.0.0.1:1234", []string{"198.51.100.7", "10.9.9.9"}, "198.51.100.7/32"},
		"through a proxy, with a lie":             {"10.0.0.1:1234", []string{"203.0.113.5, 198.51.100.7"}, "198.51.100.7/32"},
		"a proxy that says nothing":               {"10.0.0.1:1234", nil, "10.0.0.1/32"},
		"a proxy that says nonsense":              {"10.0.0.1:1234", []string{"unknown"}, "10.0.0.1/32"},
		"nonsense before an address":              {"10.0.0.1:1234", []string{"198.51.100.7, unknown, 10.2.2.2"}, "10.2.2.2/32"},
		"nobody but proxies":                      {"10.0.0.1:1234", []string{"10.3.3.3"}, "10.3.3.3/32"},
		"IPv6 counts by network":                  {"[2001:db8:1:2:3:4:5:6]:1234", nil, "2001:db8:1::/56"},
		"IPv6 with a zone":                        {"[fe80::1%eth0]:1234", nil, "fe80::/56"},
		"IPv6 through a proxy":                    {"[2001:db8:ff::1]:1234", []string{"2001:db8:7:7::1"}, "2001:db8:7::/56"},
		"with a port":                             {"10.0.0.1:1234", []string{"198.51.100.7:5678"}, "198.51.100.7/32"},
		"in brackets":                             {"10.0.0.1:1234", []string{"[2001:db8:7:7::1]"}, "2001:db8:7::/56"},
		"IPv4 written as IPv6 is the same":        {"[::ffff:192.0.2.1]:1234", nil, "192.0.2.1/32"},
		"IPv4 written as IPv6 through a proxy":    {"[::ffff:10.0.0.1]:1", []string{"::ffff:198.51.100.7"}, "198.51.100.7/32"},
		"a connection that has no address at all": {"@", nil, netip.Prefix{}.String()},
	}
	s := &Web{proxies: trusted}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr, r.Header["X-Forwarded-For"] = tt.remote, tt.forwarded
			if got := s.visitor(r).String(); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
