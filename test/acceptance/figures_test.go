package acceptance

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

// figures are what a node tells on /metrics, by name and labels as they stand there.
type figures map[string]float64

func (n *node) figures() figures {
	n.t.Helper()
	got, err := n.knock("GET /metrics", "", "")
	must(n.t, err)
	return readFigures(n.t, string(got.body))
}

func readFigures(t testing.TB, text string) figures {
	t.Helper()
	all := figures{}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		line = strings.TrimSpace(line)
		space := strings.LastIndexByte(line, ' ')
		value, err := strconv.ParseFloat(line[space+1:], 64)
		if err != nil {
			t.Fatalf("%q is no figure: %v", line, err)
		}
		all[line[:space]] = value
	}
	return all
}

// changes does something and demands that figures have changed by so much, and the
// other figures of what callers do not at all.
func (n *node) changes(what string, do func(), want figures) {
	n.t.Helper()
	before := n.figures()
	do()
	after := n.figures()
	for name, by := range want {
		if _, known := after[name]; !known {
			n.t.Errorf("%s: there is no figure %s", what, name)
		}
		if got := after[name] - before[name]; got != by {
			n.t.Errorf("%s: %s changed by %v, want %v", what, name, got, by)
		}
	}
	for name := range after {
		if _, named := want[name]; !named && ofBusiness(name) && after[name] != before[name] {
			n.t.Errorf("%s: %s changed from %v to %v", what, name, before[name], after[name])
		}
	}
}

func ofBusiness(name string) bool {
	for _, begin := range []string{"calls_total", "captures_total", "bookings_total", "unanswered_", "callers_refused_", "conversations_open", "request_errors_"} {
		if strings.HasPrefix(name, "frontdesk_"+begin) {
			return true
		}
	}
	return false
}

// TestFiguresOfTheBusiness does what callers and customers do, and reads what the
// operator sees of it.
func TestFiguresOfTheBusiness(t *testing.T) {
	t.Parallel()
	c := newClinic(t, "FRONTDESK_BOOKINGS_PER_PHONE=2")
	n := c.later(0)
	var v *visitor
	n.changes("a visitor who books", func() {
		v = n.visit("salud/"+dentist, "live", "es")
		v.say(cleaning("Marta Ruiz", "612 345 678", "mañana a las 12:00"))
		v.say("sí")
	}, figures{
		`frontdesk_bookings_total{change="made",mode="live"}`:                                1,
		`frontdesk_captures_total{kind="appointment",mode="live"}`:                           1,
		`frontdesk_conversations_open{channel="web",mode="live"}`:                            1,
		`frontdesk_conversations_open{channel="phone",mode="live"}`:                          0,
		`frontdesk_web_conversations_started_total{mode="live"}`:                             1,
		`frontdesk_bookings_total{change="made",mode="test"}`:                                0,
		`frontdesk_callers_refused_total{limit="bookings_per_phone"}`:                        0,
		`frontdesk_callers_refused_total{limit="appointments_to_come"}`:                      0,
		`frontdesk_callers_refused_total{limit="bookings_per_agent"}`:                        0,
		`frontdesk_callers_refused_total{limit="bookings_per_address"}`:                      0,
		`frontdesk_unanswered_questions_total{mode="live"}`:                                  0,
		`frontdesk_request_errors_total{code="internal_error"}`:                              0,
		`frontdesk_calls_total{channel="phone",language="en",mode="test",outcome="booking"}`: 0,
	})
	n.changes("they go", func() { v.end() }, figures{
		`frontdesk_calls_total{channel="web",language="es",mode="live",outcome="booking"}`: 1,
		`frontdesk_conversations_open{channel="web",mode="live"}`:                          -1,
	})
	made := n.capturesOf(c.live, "612345678")
	if len(made) != 1 {
		made = n.capturesOf(c.live, "+34612345678")
	}
	at := "/captures/" + made[0].ID
	n.changes("the business moves it", func() {
		if got := n.do("POST "+at+"/change", c.live, `{"scheduled_at":"2026-11-18T12:00:00"}`); got.status != http.StatusOK {
			t.Fatalf("moving: %s", got)
		}
	}, figures{`frontdesk_bookings_total{change="moved",mode="live"}`: 1})
	n.changes("and confirms it, which is no booking", func() { n.move(c.live, made[0].ID, "confirmed") }, figures{})
	n.changes("and cancels it", func() { n.move(c.live, made[0].ID, "cancelled") },
		figures{`frontdesk_bookings_total{change="cancelled",mode="live"}`: 1})
	n.changes("and takes that back", func() { n.move(c.live, made[0].ID, "confirmed") },
		figures{`frontdesk_bookings_total{change="made",mode="live"}`: 1})
	n.changes("and nobody comes", func() { n.move(c.live, made[0].ID, "no_show") },
		figures{`frontdesk_bookings_total{change="no_show",mode="live"}`: 1})
	n.changes("a lead by the API", func() {
		if got := n.do("POST /captures", c.live, `{"agent":"`+dentist+`","kind":"lead","customer_name":"Sam"}`); got.status != http.StatusCreated {
			t.Fatalf("writing a lead: %s", got)
		}
	}, figures{`frontdesk_captures_total{kind="lead",mode="live"}`: 1})
	n.changes("a question without an answer, in test mode", func() {
		v := n.visit("salud/"+dentist, "test", "en")
		v.say("Do you have a certificate for scuba divers?")
		v.end()
	}, figures{
		`frontdesk_calls_total{channel="web",language="en",mode="test",outcome="abandoned"}`: 1,
		`frontdesk_unanswered_questions_total{mode="test"}`:                                  1,
	})
	n.changes("a key that is none", func() {
		n.do("GET /whoami", "svc_live_0123456789", "").refuses(t, http.StatusUnauthorized, "api_key_invalid")
	}, figures{`frontdesk_request_errors_total{code="api_key_invalid"}`: 1})
}

// TestFiguresOfRefusals lets callers meet every limit that there is.
func TestFiguresOfRefusals(t *testing.T) {
	t.Parallel()
	refused := func(limit string) string { return `frontdesk_callers_refused_total{limit="` + limit + `"}` }
	for limit, setting := range map[string]string{
		"bookings_per_phone": "FRONTDESK_BOOKINGS_PER_PHONE=1", "bookings_per_agent": "FRONTDESK_BOOKINGS_PER_AGENT=1",
		"bookings_per_address": "FRONTDESK_BOOKINGS_PER_ADDRESS=1", "appointments_to_come": "FRONTDESK_BOOKINGS_PER_PHONE=100",
	} {
		t.Run(limit, func(t *testing.T) {
			t.Parallel()
			n := newClinic(t, setting).later(0)
			book := func(hour int) {
				v := n.visit("salud/"+dentist, "live", "es")
				v.say(cleaning("Marta Ruiz", "612 345 001", fmt.Sprintf("el miércoles a las %d:00", hour)))
				v.say("sí")
			}
			hour := 9
			if limit == "appointments_to_come" {
				for ; hour < 12; hour++ {
					book(hour)
				}
			} else {
				book(hour)
			}
			n.changes("one too many", func() { book(hour + 1) }, figures{
				refused(limit): 1,
				`frontdesk_conversations_open{channel="web",mode="live"}`: 1,
			})
		})
	}
	t.Run("plans", func(t *testing.T) {
		t.Parallel()
		c := newClinic(t)
		n := c.later(0)
		talker := n.visit("salud/"+dentist, "live", "es")
		talker.say("Hola")
		over := `frontdesk_calls_total{channel="web",language="es",mode="live",outcome="over_limit"}`
		ask[any](c.place, "plan", "set", "--tenant", "salud", "--max-concurrent-calls", "1")
		n.changes("a caller for whom there is no line", func() { n.visit("salud/"+dentist, "live", "es").say("Hola") },
			figures{refused("plan_conversations"): 1, over: 1})
		n.stop()
		n = c.later(10 * time.Minute) // of which a minute counts
		talker.in(n).say("Hola")
		talker.in(n).end()
		ask[any](c.place, "plan", "set", "--tenant", "salud", "--included-seconds", "1", "--overage", "block", "--max-concurrent-calls", "100")
		n.changes("a caller of a plan that is used up", func() { n.visit("salud/"+dentist, "live", "es").say("Hola") },
			figures{refused("plan_seconds"): 1, over: 1})
	})
}
