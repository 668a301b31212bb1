package web

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
)

// calls counts what stands in the books.
func (d *desk) calls(live bool) int {
	d.t.Helper()
	l, err := d.store.Calls(d.t.Context(), frontdesk.Owner{TenantID: d.tenant.ID, Live: live}, frontdesk.CallFilter{}, frontdesk.Page{Limit: 100})
	if err != nil {
		d.t.Fatal(err)
	}
	return len(l.Items)
}

// A visit without a word ends with no call, and stays ended.
func TestAVisitWithoutAWord(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	v := d.start("")
	for range 2 {
		a := v.post("end", "")
		end := has(t, "the end", a.value(), "call_id", "outcome")
		if a.status != http.StatusOK || end["call_id"] != nil || end["outcome"] != "abandoned" {
			t.Errorf("got %d %v", a.status, end)
		}
	}
	if r := v.say("hola"); r["ended"] != true || r["outcome"] != "abandoned" {
		t.Errorf("after the end: %v", r)
	}
	if n := d.calls(true); n != 0 {
		t.Errorf("%d calls are recorded", n)
	}
}

// When the plan has no room, the first message is answered with whom to call.
func TestTheRefusal(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.tenant.Plan.MaxConcurrentCalls = 1
	if err := d.store.SetPlan(t.Context(), frontdesk.Actor{}, d.tenant.ID, d.tenant.Plan); err != nil {
		t.Fatal(err)
	}
	d.start("").say("hola")
	for language, says := range map[string]string{"es": "llame, por favor, a", "en": "or call"} {
		v := d.start(`{"language":"` + language + `"}`)
		a := v.say("hola")
		reply := has(t, "the reply", a["reply"], "text", "language", "expect", "quick_replies")
		text := reply["text"].(string)
		if a["ended"] != true || a["outcome"] != "over_limit" || reply["language"] != language || !strings.Contains(text, says) || !strings.Contains(text, "+34 912 345 678") {
			t.Errorf("got %v", a)
		}
		end := has(t, "the end", v.post("end", "").value(), "call_id", "outcome")
		if end["call_id"] != v.id || end["outcome"] != "over_limit" {
			t.Errorf("the end is %v", end)
		}
	}
}

func TestOpenConversationsAreLimitedByAddress(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(o *Options) {
		o.TrustedProxies = []netip.Prefix{proxy}
		o.Sessions = reception.NewSessions(reception.SessionOptions{Store: o.Store, Now: o.Now, Limits: reception.Limits{OpenPerAddress: 2}})
	})
	talk := func(from string) answered {
		v := d.start("", "X-Forwarded-For", from)
		v.headers = []string{"X-Forwarded-For", from}
		return v.post("messages", `{"text":"hola"}`)
	}
	visitors := make([]*visitor, 3)
	for i := range visitors {
		visitors[i] = d.start("", "X-Forwarded-For", "192.0.2.1")
		visitors[i].headers = []string{"X-Forwarded-For", "192.0.2.1"}
	}
	for _, v := range visitors[:2] {
		v.say("hola")
	}
	a := visitors[2].post("messages", `{"text":"hola"}`)
	a.refused(429, "rate_limited", "")
	if got := a.header.Get("Retry-After"); got != "300" {
		t.Errorf("Retry-After is %q", got)
	}
	d.do("POST /web/lola/desk/conversations", "", "X-Forwarded-For", "192.0.2.1").refused(429, "rate_limited", "")
	if a := talk("192.0.2.2"); a.status != http.StatusOK {
		t.Errorf("another address: %d %s", a.status, a.body)
	}
	visitors[0].post("end", "")
	visitors[2].say("hola")
}

// However the settings are, one address cannot use an agent's starts up.
func TestOneAddressHasAShareOfTheStarts(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ perAddress, perAgent, want int }{
		"the defaults":           {300, 1200, 300},
		"a generous address":     {5000, 1200, 300},
		"a small agent":          {300, 100, 25},
		"one that is very small": {300, 5, 10},
		"a modest address":       {3, 1200, 3},
	} {
		if got := share(tt.perAddress, tt.perAgent); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
	}
	d := newDesk(t, func(o *Options) {
		o.TrustedProxies, o.StartsPerMinute, o.AgentStartsPerMinute = []netip.Prefix{proxy}, 1000, 60
	})
	if got := d.starts("192.0.2.1", 100); got != 15 {
		t.Errorf("%d starts", got)
	}
	for n := range 10 {
		if got := d.starts(fmt.Sprintf("192.0.2.%d", 10+n), 1); got != 1 {
			t.Error("another has to wait")
		}
	}
}
