package acceptance

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// from is the same node as somebody at another address of the loopback range
// reaches it.
func (n *node) from(address string) *node {
	other := *n
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	other.client = &http.Client{Timeout: patience, Transport: &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: 64}}
	n.t.Cleanup(other.client.CloseIdleConnections)
	return &other
}

// begin starts a conversation; it may be refused.
func (n *node) begin(agent string) (*visitor, reply, error) {
	got, err := n.knock("POST /web/"+agent+"/conversations", "", `{"language":"es"}`)
	var begun struct {
		Conversation struct{ ID, Token string }
	}
	if err == nil && got.status == http.StatusCreated {
		err = json.Unmarshal(got.body, &begun)
	}
	return &visitor{node: n, agent: agent, id: begun.Conversation.ID, token: begun.Conversation.Token}, got, err
}

// flood does something many times, some of them at once, and returns the first
// fault.
func flood(times int, do func(i int) error) error {
	const atATime = 16
	failed := make([]error, atATime)
	var next atomic.Int64
	atOnce(atATime, func(worker int) {
		for failed[worker] == nil {
			i := int(next.Add(1)) - 1
			if i >= times {
				return
			}
			failed[worker] = do(i)
		}
	})
	return errors.Join(failed...)
}

// siege is a clinic under attack, on two nodes.
type siege struct {
	*clinic
	nodes []*node
}

func newSiege(t testing.TB, settings ...string) *siege {
	t.Helper()
	p := newPlace(t, append([]string{at(0)}, settings...)...)
	p.tenant("salud")
	ask[any](p, "agent", "import", "../../internal/demo/businesses/"+dentist+".json", "--tenant", "salud")
	ask[any](p, "agent", "set", "--tenant", "salud", dentist, "--capacity", "1000")
	c := &clinic{p, p.key("salud", "live").Key, p.key("salud", "test").Key}
	return &siege{c, c.serveTwice()}
}

// serves makes sure that somebody else is served as if nothing were.
func (s *siege) serves(t testing.TB, address string) {
	t.Helper()
	for _, n := range s.nodes {
		v := n.from(address).visit("salud/"+dentist, "live", "es")
		if answer := v.say("¿Cuánto cuesta una limpieza?"); answer.Ended || !strings.Contains(answer.Reply.Text, "60") {
			t.Errorf("who comes from elsewhere hears %+v", answer)
		}
		if outcome := v.end(); outcome != "info" {
			t.Errorf("the outcome is %s", outcome)
		}
	}
}

// lookIn starts conversations and says nothing. It returns how many could be
// started.
func (s *siege) lookIn(t testing.TB, address string, times int) (started int64) {
	t.Helper()
	attacker := []*node{s.nodes[0].from(address), s.nodes[1].from(address)}
	var count atomic.Int64
	err := flood(times, func(i int) error {
		_, got, err := attacker[i%2].begin("salud/" + dentist)
		switch {
		case err != nil:
			return err
		case got.status == http.StatusCreated:
			count.Add(1)
		case got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") == "":
			return fmt.Errorf("a start is answered with %s", got)
		}
		return nil
	})
	must(t, err)
	return count.Load()
}

// talk starts conversations and says something in each. It returns those that
// were heard.
func (s *siege) talk(t testing.TB, address string, times int) []*visitor {
	t.Helper()
	attacker := []*node{s.nodes[0].from(address), s.nodes[1].from(address)}
	heard := make([]*visitor, times)
	must(t, flood(times, func(i int) error {
		v, got, err := attacker[i%2].begin("salud/" + dentist)
		if err == nil && got.status == http.StatusCreated {
			if got, err = v.mutter("Hola, ¿qué tal?"); err == nil && got.status == http.StatusOK {
				heard[i] = v
				return nil
			}
		}
		if err == nil && (got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") == "") {
			err = fmt.Errorf("a conversation is answered with %s", got)
		}
		return err
	}))
	return slices.DeleteFunc(heard, func(v *visitor) bool { return v == nil })
}

// checkBooks makes sure that the books hold nothing but what was said.
func (s *siege) checkBooks(t testing.TB, booked int) {
	t.Helper()
	n := s.nodes[0]
	calls, seconds, bookings := walk[call](n, "/calls", s.live, 100), 0, 0
	for _, c := range calls {
		whole := get[struct{ Call call }](n, "/calls/"+c.ID, s.live).Call
		turns, _ := whole.Transcript["turns"].([]any)
		if !slices.ContainsFunc(turns, func(turn any) bool { return turn.(map[string]any)["role"] == "caller" }) {
			t.Errorf("a call without a word: %+v", whole)
		}
		seconds += c.DurationSeconds
		if c.Outcome == "booking" {
			bookings++
		}
	}
	used := get[usage](n, "/usage", s.live)
	if used.CurrentPeriodSeconds != seconds || used.History[0].Calls != len(calls) {
		t.Errorf("used are %d seconds in %d calls; %d were said in %d", used.CurrentPeriodSeconds, used.History[0].Calls, seconds, len(calls))
	}
	totals := get[analytics](n, "/analytics?days=1", s.live).Totals
	if bookings != booked || totals.Calls != len(calls) || totals.Outcomes["booking"] != booked {
		t.Errorf("%d of %d calls booked; analytics are %+v", bookings, len(calls), totals)
	}
}

// TestOneAddressKeepsNobodyOut: with the limits as they are, and with none on
// how often one may start.
func TestOneAddressKeepsNobodyOut(t *testing.T) {
	t.Parallel()
	for name, settings := range map[string][]string{
		"with the limits as they are": nil,
		"with any number of starts":   {"FRONTDESK_WEB_STARTS_PER_MINUTE=1000000", "FRONTDESK_WEB_AGENT_STARTS_PER_MINUTE=4000000"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newReceiver(t, true)
			s := newSiege(t, append(r.openings(t), settings...)...)
			s.nodes[0].connect(s.live, r.URL)

			const looks, most = 2000, 50
			if started := s.lookIn(t, "127.0.0.2", looks); settings != nil && started != looks || started == 0 {
				t.Errorf("%d were started", started)
			}
			s.serves(t, "127.0.0.3")
			heard := s.talk(t, "127.0.0.4", 500)
			if len(heard) == 0 || len(heard) > most*len(s.nodes) {
				t.Errorf("one address talks %d times at once", len(heard))
			}
			s.serves(t, "127.0.0.5")
			if calls := walk[call](s.nodes[0], "/calls", s.live, 100); len(calls) != 4 {
				t.Errorf("there are %d calls before the others have ended", len(calls))
			}

			customer := s.nodes[0].from("127.0.0.6").visit("salud/"+dentist, "live", "es")
			customer.say(cleaning("Marta Ruiz", "612 345 678", "el miércoles a las 10:00"))
			if answer := customer.say("sí"); answer.Capture == nil {
				t.Errorf("nothing is booked: %+v", answer)
			}
			customer.end()
			for _, v := range heard {
				v.t = t
				v.end()
			}
			s.checkBooks(t, 1)
			t.Logf("%d talked at once", len(heard))
		})
	}
}

// TestOneNumberDoesNotFillTheDiary: whoever says it, and wherever they come from.
func TestOneNumberDoesNotFillTheDiary(t *testing.T) {
	t.Parallel()
	s := newSiege(t)
	book := func(i int, phone string) spoken {
		t.Helper()
		v := s.nodes[i%2].from(fmt.Sprintf("127.0.1.%d", 1+i)).visit("salud/"+dentist, "live", "es")
		if answer := v.say(cleaning("Marta Ruiz", phone, "el miércoles a las 10:00")); !answer.expects("confirm") {
			t.Fatalf("no read-back: %+v", answer)
		}
		defer v.end()
		return v.say("sí")
	}
	for i := range 20 {
		if i == 3 { // as many to come as one number may hold
			if answer := book(i, "612 345 678"); answer.Capture != nil {
				t.Errorf("a fourth is booked: %+v", answer)
			}
			s.allowOpen(t, 1000)
		}
		if answer := book(i, "612 345 678"); answer.Capture == nil {
			t.Fatalf("number %d is not booked: %+v", i, answer)
		}
	}
	if answer := book(20, "612 345 678"); answer.Capture != nil || answer.Ended || !strings.Contains(answer.Reply.Text, "+34 600 000 020") {
		t.Errorf("one too many is answered with %+v", answer)
	}
	if answer := book(21, "612 345 679"); answer.Capture == nil {
		t.Errorf("another number is answered with %+v", answer)
	}
	if all := walk[capture](s.nodes[0], "/captures", s.live, 100); len(all) != 21 {
		t.Errorf("%d are booked", len(all))
	}
}

// allowOpen sets how many appointments to come one number may hold with the
// dentist; all else of the book stays.
func (s *siege) allowOpen(t *testing.T, most int) {
	t.Helper()
	book := get[map[string]any](s.nodes[0], "/agents/"+dentist+"/calendar", s.live)
	book["per_customer_open"] = most
	text, err := json.Marshal(book)
	must(t, err)
	if got := s.nodes[0].do("PUT /agents/"+dentist+"/calendar", s.live, string(text)); got.status != http.StatusOK {
		t.Fatalf("the book is not taken: %s", got)
	}
}
