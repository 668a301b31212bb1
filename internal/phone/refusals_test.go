package phone_test

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"frontdesk.dev/frontdesk/internal/carrier"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Whatever of a carrier's request is changed, it is not the carrier's any more.
func TestWhatIsNotTheCarriersIsRefused(t *testing.T) {
	t.Parallel()
	n := newHouse(t).node()
	other := base64.StdEncoding.EncodeToString(make([]byte, 64))
	for name, tt := range map[string]struct {
		habits carrier.Habits
		change func(*carrier.Options)
	}{
		"another auth token":                 {carrier.Twilio, func(o *carrier.Options) { o.Secret = "another" }},
		"no auth token":                      {carrier.Twilio, func(o *carrier.Options) { o.Secret = "" }},
		"another public address":             {carrier.Twilio, func(o *carrier.Options) { o.Public = "https://elsewhere.example.com" }},
		"another port":                       {carrier.Twilio, func(o *carrier.Options) { o.Public = public + ":8443" }},
		"another scheme":                     {carrier.Twilio, func(o *carrier.Options) { o.Public = "http://desk.example.com" }},
		"another key":                        {carrier.Telnyx, func(o *carrier.Options) { o.Secret = other }},
		"no key":                             {carrier.Telnyx, func(o *carrier.Options) { o.Secret = "" }},
		"an hour ago":                        {carrier.Telnyx, func(o *carrier.Options) { o.Now = func() time.Time { return n.now().Add(-time.Hour) } }},
		"in an hour":                         {carrier.Telnyx, func(o *carrier.Options) { o.Now = func() time.Time { return n.now().Add(time.Hour) } }},
		"a number that nobody has":           {carrier.Twilio, func(o *carrier.Options) { o.Number = "+34910000009" }},
		"a number of the other carrier":      {carrier.Twilio, func(o *carrier.Options) { o.Number = telnyxNumber }},
		"a number of the other carrier's, 2": {carrier.Telnyx, func(o *carrier.Options) { o.Number = twilioNumber }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := n.options(tt.habits)
			tt.change(&o)
			if _, err := carrier.Dial(ctx, o); err == nil {
				t.Error("the call was answered")
			}
		})
	}
	t.Cleanup(func() {
		if calls := n.calls(); len(calls) != 0 {
			t.Errorf("recorded was %+v", calls)
		}
	})
}

// A relay is opened once, by the token that the markup has.
func TestARelayIsOpenedOnce(t *testing.T) {
	t.Parallel()
	for _, habits := range both {
		t.Run(string(habits), func(t *testing.T) {
			t.Parallel()
			n := newHouse(t).node()
			var opened string
			l := n.dial(habits, func(o *carrier.Options) {
				o.Trace = func(direction, text string) {
					if _, rest, found := strings.Cut(text, `ConversationRelay url="`); found && opened == "" {
						opened, _, _ = strings.Cut(rest, `"`)
					}
				}
			})
			l.hear()
			address := "ws" + strings.TrimPrefix(n.server.URL, "http") + strings.TrimPrefix(strings.ReplaceAll(opened, "&amp;", "&"), "wss://desk.example.com")
			for name, change := range map[string]func(string) string{
				"a second time":  func(a string) string { return a },
				"another token":  func(a string) string { return strings.Replace(a, "?", "X?", 1) },
				"another number": func(a string) string { return strings.Replace(a, "91000000", "91000001", 1) },
				"no number":      func(a string) string { before, _, _ := strings.Cut(a, "?"); return before },
				"no call":        func(a string) string { return strings.Replace(a, "/relay/", "/relay/x", 1) },
			} {
				within, cancel := context.WithTimeout(ctx, 10*time.Second)
				_, answer, err := websocket.Dial(within, change(address), nil)
				cancel()
				if err == nil || answer == nil || answer.StatusCode < 400 || answer.StatusCode >= 500 {
					t.Errorf("%s: the relay answers %+v, %v", name, answer, err)
				}
			}
			l.say("¿Cuánto cuesta una revisión?")
			l.wants("30")
		})
	}
}

func TestWhatIsNoForm(t *testing.T) {
	t.Parallel()
	n := newHouse(t).node()
	for name, tt := range map[string]struct {
		kind, body string
		want       int
	}{
		"JSON":       {"application/json", `{"To":"` + twilioNumber + `"}`, http.StatusUnsupportedMediaType},
		"too much":   {"application/x-www-form-urlencoded", "To=" + strings.Repeat("1", 1<<17), http.StatusRequestEntityTooLarge},
		"broken":     {"application/x-www-form-urlencoded", "To=%zz", http.StatusBadRequest},
		"unsigned":   {"application/x-www-form-urlencoded", "CallSid=CA1&To=" + url.QueryEscape(twilioNumber), http.StatusForbidden},
		"no number":  {"application/x-www-form-urlencoded", "CallSid=CA1", http.StatusNotFound},
		"our number": {"application/x-www-form-urlencoded", "CallSid=CA1&To=lola", http.StatusNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answer, err := n.server.Client().Post(n.server.URL+"/phone/twilio/voice", tt.kind, strings.NewReader(tt.body))
			must(t, err)
			answer.Body.Close()
			if answer.StatusCode != tt.want {
				t.Errorf("got %s", answer.Status)
			}
		})
	}
}

func TestTooManyCallsOfOneCaller(t *testing.T) {
	t.Parallel()
	n := newHouse(t).node()
	refused := 0
	for range 15 {
		if l := n.dial(carrier.Twilio); strings.Contains(l.Markup, "<Reject") {
			refused++
		}
	}
	if refused != 5 {
		t.Errorf("%d calls were refused", refused)
	}
	if l := n.dial(carrier.Twilio, func(o *carrier.Options) { o.From = "+34655000111" }); strings.Contains(l.Markup, "<Reject") {
		t.Error("another caller is refused for it")
	}
}

// Who calls too often takes nobody else's calls.
func TestOneCallerDoesNotMakeTheLineBusy(t *testing.T) {
	t.Parallel()
	n := newHouse(t).node()
	for range 130 {
		n.dial(carrier.Twilio)
	}
	if l := n.dial(carrier.Twilio, func(o *carrier.Options) { o.From = "+34655000111" }); strings.Contains(l.Markup, "<Reject") {
		t.Error("another caller is refused for it")
	}
}

// What a carrier signs about one call says nothing about another, wherever it is sent.
func TestAnAddressIsForOneCall(t *testing.T) {
	t.Parallel()
	for _, habits := range both {
		n := newHouse(t).node()
		victim, mine := n.dial(habits), n.dial(habits)
		victim.hear()
		mine.hear()
		for _, query := range []string{"", "?number=" + url.QueryEscape(twilioNumber) + "&call=" + victim.ID(), "?ticket=AAAA"} {
			for _, what := range []string{"after", "whisper", "accept", "dialled"} {
				if _, err := mine.Post(ctx, public+"/phone/"+string(habits)+"/"+what+query, url.Values{"CallSid": {mine.ID()}, "To": {twilioNumber}, "Digits": {"1"}}); err == nil {
					t.Errorf("%s%s was answered", what, query)
				}
			}
		}
		victim.say("¿Cuánto cuesta una revisión?")
		victim.wants("30")
	}
}

func TestACallThatThePlanHasNoRoomFor(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.tenant.Plan.MaxConcurrentCalls = 1
	must(t, h.store.SetPlan(ctx, frontdesk.Actor{}, h.tenant.ID, h.tenant.Plan))
	n := h.node()
	n.dial(carrier.Twilio)
	if l := n.dial(carrier.Twilio); !l.Over() || !strings.Contains(l.Markup, "<Say") {
		t.Errorf("the second caller gets %s", l.Markup)
	}
	if calls := n.calls(); len(calls) != 1 || calls[0].Outcome != frontdesk.OverLimit {
		t.Errorf("recorded was %+v", calls)
	}
}
