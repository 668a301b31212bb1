package acceptance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/signature"
)

// monday is ten o'clock in the morning in Madrid, on the day that these
// conversations call today.
var monday = time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC)

// at is the setting that starts a process's clock some time after monday.
func at(after time.Duration) string {
	return "FRONTDESK_NOW=" + monday.Add(after).Format(time.RFC3339)
}

// crowded are settings with which one address may be a crowd: all visitors of
// these tests come from the same.
var crowded = []string{
	"FRONTDESK_WEB_STARTS_PER_MINUTE=1000000", "FRONTDESK_WEB_MESSAGES_PER_SECOND=1000000",
	"FRONTDESK_WEB_MESSAGES_BURST=1000000", "FRONTDESK_WEB_AGENT_STARTS_PER_MINUTE=1000000",
	"FRONTDESK_WEB_OPEN_PER_ADDRESS=1000000", "FRONTDESK_BOOKINGS_PER_ADDRESS=1000000",
}

// clinic is a place with the demo's dentist, and a live and a test key for it.
type clinic struct {
	*place
	live, test string
}

const dentist = "dental-la-plaza"

func newClinic(t testing.TB, settings ...string) *clinic {
	t.Helper()
	p := newPlace(t, slices.Concat([]string{at(0)}, crowded, settings)...)
	p.tenant("salud")
	ask[any](p, "agent", "import", "../../internal/demo/businesses/"+dentist+".json", "--tenant", "salud")
	ask[any](p, "plan", "set", "--tenant", "salud", "--max-concurrent-calls", "100")
	return &clinic{p, p.key("salud", "live").Key, p.key("salud", "test").Key}
}

// later serves the clinic with a clock that is so much further.
func (c *clinic) later(after time.Duration) *node {
	c.t.Helper()
	return c.with(c.t, at(after)).serve()
}

// knock sends a request to the web channel. Whatever is refused there must be
// refused in the house's envelope.
func (n *node) knock(operation, token, body string, headers ...string) (reply, error) {
	got, err := n.knockRaw(operation, token, body, headers...)
	if err == nil && got.status >= 400 {
		checkEnvelope(n.t, operation, got)
	}
	return got, err
}

// knockRaw is knock for what may be answered by somebody else.
func (n *node) knockRaw(operation, token, body string, headers ...string) (reply, error) {
	method, path, _ := strings.Cut(operation, " ")
	req, err := http.NewRequest(method, n.base+path, strings.NewReader(body))
	if err != nil {
		return reply{}, err
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Add(name, value)
	}
	res, err := n.client.Do(req)
	if err != nil {
		return reply{}, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return reply{}, err
	}
	return reply{res.StatusCode, res.Header, text}, nil
}

func checkEnvelope(t testing.TB, operation string, got reply) {
	t.Helper()
	var envelope map[string]map[string]any
	if err := json.Unmarshal(got.body, &envelope); err != nil || len(envelope) != 1 {
		t.Errorf("%s: no envelope: %s", operation, got)
		return
	}
	fields := slices.Sorted(maps.Keys(envelope["error"]))
	if want := []string{"code", "message", "param", "request_id", "type"}; !slices.Equal(fields, want) {
		t.Errorf("%s: the envelope has %v", operation, fields)
	}
	if envelope["error"]["request_id"] != got.header.Get("X-Request-Id") || got.header.Get("Content-Type") != "application/json" {
		t.Errorf("%s: %v does not fit %s", operation, got.header, got)
	}
}

// visitor is somebody who talks with a receptionist.
type visitor struct {
	*node
	agent     string
	id, token string
	language  string
	greeting  string
	said      []string // by both, to be read
}

// card is what a visitor is shown of what was written down.
type card struct {
	Kind             string  `json:"kind"`
	ConfirmationCode *string `json:"confirmation_code"`
	ScheduledAt      *string `json:"scheduled_at"`
	Service          *string `json:"service"`
	PartySize        *int    `json:"party_size"`
	CustomerName     *string `json:"customer_name"`
	Notes            *string `json:"notes"`
	ICS              *string `json:"ics"`
}

// spoken is the answer to one message.
type spoken struct {
	Reply struct {
		Text         string   `json:"text"`
		Language     string   `json:"language"`
		Expect       *string  `json:"expect"`
		QuickReplies []string `json:"quick_replies"`
	} `json:"reply"`
	Capture *card   `json:"capture"`
	Ended   bool    `json:"ended"`
	Outcome *string `json:"outcome"`
}

// expects says whether the receptionist asks for something now.
func (s spoken) expects(slot string) bool { return s.Reply.Expect != nil && *s.Reply.Expect == slot }

// visit starts a conversation ("salud/dental-la-plaza").
func (n *node) visit(agent, mode, language string) *visitor {
	n.t.Helper()
	got, err := n.knock("POST /web/"+agent+"/conversations", "", fmt.Sprintf(`{"mode":%q,"language":%q}`, mode, language))
	must(n.t, err)
	if got.status != http.StatusCreated {
		n.t.Fatalf("starting a conversation: %s", got)
	}
	var begun struct {
		Conversation struct {
			ID, Token, Language, Greeting, Voice string

			QuickReplies []string `json:"quick_replies"`
		}
	}
	strictly(n.t, got.body, &begun)
	c := begun.Conversation
	if c.ID == "" || c.Token == "" || c.Greeting == "" || c.Voice == "" || c.Language != language {
		n.t.Fatalf("the conversation begins with %s", got)
	}
	return &visitor{node: n, agent: agent, id: c.ID, token: c.Token, language: language, greeting: c.Greeting, said: []string{"- " + c.Greeting}}
}

// in is the same visitor at another node, or in another part of a test.
func (v *visitor) in(n *node) *visitor {
	other := *v
	other.node = n
	return &other
}

// say says something and returns the answer.
func (v *visitor) say(text string) (s spoken) {
	v.t.Helper()
	got, err := v.mutter(text)
	must(v.t, err)
	if got.status != http.StatusOK {
		v.t.Fatalf("%q: %s", text, got)
	}
	strictly(v.t, got.body, &s)
	if s.Reply.Text == "" || s.Reply.QuickReplies == nil || s.Ended != (s.Outcome != nil) {
		v.t.Errorf("%q is answered with %s", text, got)
	}
	v.said = append(v.said, "    "+text, "- "+s.Reply.Text)
	return s
}

// mutter says something; the answer may not come.
func (v *visitor) mutter(text string) (reply, error) {
	body, _ := json.Marshal(map[string]string{"text": text})
	return v.knock("POST /web/conversations/"+v.id+"/messages", v.token, string(body))
}

// end ends the conversation and returns its outcome.
func (v *visitor) end() string {
	v.t.Helper()
	got, err := v.knock("POST /web/conversations/"+v.id+"/end", v.token, "")
	must(v.t, err)
	var farewell struct {
		CallID  string `json:"call_id"`
		Outcome string `json:"outcome"`
	}
	strictly(v.t, got.body, &farewell)
	if got.status != http.StatusOK || farewell.CallID != v.id {
		v.t.Fatalf("the end is %s", got)
	}
	return farewell.Outcome
}

// heard is the conversation as it went, for who reads the test's log.
func (v *visitor) heard() string { return v.agent + "\n" + strings.Join(v.said, "\n") }

// strictly decodes a text that must have no other properties than the value's.
func strictly(t testing.TB, text []byte, into any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
}

// capturesOf are the captures with a telephone number.
func (n *node) capturesOf(key, phone string) []capture {
	n.t.Helper()
	return kept(walk[capture](n, "/captures", key, 100), func(c capture) bool { return c.CustomerPhone == phone })
}

// callOf is a visitor's call, transcript and all.
func (v *visitor) callOf(key string) call {
	v.t.Helper()
	return get[struct{ Call call }](v.node, "/calls/"+v.id, key).Call
}

// occurrence is an event as a receiver reads it.
type occurrence struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Livemode bool   `json:"livemode"`
	Agent    struct {
		Slug string `json:"slug"`
	} `json:"agent"`
	Data struct {
		Object map[string]any `json:"object"`
	} `json:"data"`
}

// about are the events about an object that have come so far, each once.
func (r *receiver) about(t testing.TB, secret, id string) (all []occurrence) {
	t.Helper()
	for _, a := range r.arrivals() {
		var e occurrence
		decode(t, a.body, &e)
		if e.Data.Object["id"] != id || slices.ContainsFunc(all, func(o occurrence) bool { return o.ID == e.ID }) {
			continue
		}
		if !signedOnMonday(secret, a) {
			t.Errorf("the signature of %s does not hold", a.body)
		}
		all = append(all, e)
	}
	return all
}

// signedOnMonday verifies a delivery by the clock of its sender, who is
// somewhere in that morning.
func signedOnMonday(secret string, a arrival) bool {
	for after := time.Duration(0); after < 2*time.Hour; after += signature.Tolerance {
		if signature.Verify(secret, a.header, a.body, monday.Add(after)) == nil {
			return true
		}
	}
	return false
}

// onceEach waits until there is an event about a capture and one about a call,
// and makes sure that there is but one.
func (r *receiver) onceEach(t testing.TB, secret, captureID, callID string) (created, completed occurrence) {
	t.Helper()
	var captures, calls []occurrence
	eventually(t, "both events came", func() bool {
		captures, calls = r.about(t, secret, captureID), r.about(t, secret, callID)
		return len(captures) > 0 && len(calls) > 0
	})
	if len(captures) != 1 || len(calls) != 1 || captures[0].Type != "capture.created" || calls[0].Type != "call.completed" {
		t.Fatalf("the events are %+v and %+v", captures, calls)
	}
	return captures[0], calls[0]
}

// booking is a visit that ends in an appointment.
type booking struct {
	agent, language string
	says            []string // up to the read-back
	yes             string
	service         string // as the business calls it
	scheduledAt     string
	name, phone     string
}

// bookings are one for every trade of the demo in each of its languages.
var bookings = []booking{
	{
		"casa-lola", "es",
		[]string{"Hola, quería reservar una mesa en la terraza", "para cuatro personas", "el viernes a las nueve de la noche", "Lucía Prieto", "611 222 333"},
		"sí", "Mesa en terraza", "2026-11-20T21:00:00", "Lucía Prieto", "+34611222333",
	},
	{
		"casa-lola", "en",
		[]string{"Hi! A table indoors for two on Thursday at 9 pm, please", "It's Tom Baker", "+44 7911 123456"},
		"yes, that's right", "Mesa en sala", "2026-11-19T21:00:00", "Tom Baker", "+447911123456",
	},
	{
		dentist, "es",
		[]string{"Buenos días, quiero pedir cita para una limpieza", "pasado mañana", "a las diez de la mañana", "Marta Ruiz", "612 345 678"},
		"sí, perfecto", "Limpieza dental", "2026-11-18T10:00:00", "Marta Ruiz", "+34612345678",
	},
	{
		dentist, "en",
		[]string{"I'd like to book a check-up", "tomorrow at half past four in the afternoon", "Jane Fox", "612 345 679"},
		"yes please", "Revisión general", "2026-11-17T16:30:00", "Jane Fox", "+34612345679",
	},
	{
		"harbour-store", "en",
		[]string{"Could I book a tea tasting this Saturday at noon?", "Emma Stone", "611 000 111"},
		"yes", "Tea tasting", "2026-11-21T12:00:00", "Emma Stone", "+34611000111",
	},
	{
		"harbour-store", "es",
		[]string{"Quiero una prueba de botas el jueves a las cinco de la tarde", "Pablo Gil", "611000222"},
		"correcto", "Walking boot fitting", "2026-11-19T17:00:00", "Pablo Gil", "+34611000222",
	},
	{
		"costa-clara", "es",
		[]string{"Quería ver el piso CC-1042", "mañana a las once", "Ana Sanz", "633 111 222"},
		"sí", "Visita a una vivienda (CC-1042)", "2026-11-17T11:00:00", "Ana Sanz", "+34633111222",
	},
	{
		"costa-clara", "en",
		[]string{"I want to book a valuation on Wednesday at noon", "Peter Hall", "633 111 333"},
		"yes", "Valoración de vivienda", "2026-11-18T12:00:00", "Peter Hall", "+34633111333",
	},
}

// make says everything up to the yes, and the yes.
func (b booking) make(v *visitor) spoken {
	v.t.Helper()
	var s spoken
	for _, text := range b.says {
		if s = v.say(text); s.Capture != nil || s.Ended {
			v.t.Fatalf("after %q: %+v\n%s", text, s, v.heard())
		}
	}
	if !s.expects("confirm") || !strings.Contains(s.Reply.Text, b.name) {
		v.t.Fatalf("no read-back: %+v\n%s", s, v.heard())
	}
	if s = v.say(b.yes); s.Capture == nil || s.Capture.ConfirmationCode == nil || !strings.Contains(s.Reply.Text, *s.Capture.ConfirmationCode) {
		v.t.Fatalf("nothing was written down: %+v\n%s", s, v.heard())
	}
	return s
}

// TestABookingInEveryTradeAndLanguage goes from greeting to confirmation, and
// looks at what the business sees of it a moment later.
func TestABookingInEveryTradeAndLanguage(t *testing.T) {
	t.Parallel()
	r := newReceiver(t, true)
	d := demo(t, newPlace(t, slices.Concat([]string{at(0)}, crowded, r.openings(t))...))
	for _, c := range walk[capture](d.node, "/captures?scheduled_from=2026-11-16", d.live, 100) {
		d.move(d.live, c.ID, "cancelled") // others have booked already, and these visitors want one time alone
	}
	secret := d.connect(d.live, r.URL).Secret
	before := get[analytics](d.node, "/analytics?days=1", d.live).Totals
	callsBefore := get[usage](d.node, "/usage", d.live).History[0].Calls
	t.Run("all", func(t *testing.T) {
		for _, b := range bookings {
			t.Run(b.agent+" in "+b.language, func(t *testing.T) {
				t.Parallel()
				d := d.in(t)
				v := d.visit("demo/"+b.agent, "live", b.language)
				shown := b.make(v)
				made := b.check(t, d, shown)
				if outcome := v.end(); outcome != "booking" {
					t.Errorf("the outcome is %s", outcome)
				}
				b.checkCall(t, d, v, made)
				created, completed := r.onceEach(t, secret, made.ID, v.id)
				b.checkEvents(t, d, created, completed)
				t.Log(v.heard())
			})
		}
	})
	after := get[analytics](d.node, "/analytics?days=1", d.live).Totals
	if n := len(bookings); after.Calls != before.Calls+n || after.Captures != before.Captures+n ||
		after.Outcomes["booking"] != before.Outcomes["booking"]+n || after.Channels["web"] != before.Channels["web"]+n ||
		after.Languages["es"] != before.Languages["es"]+n/2 || get[usage](d.node, "/usage", d.live).History[0].Calls != callsBefore+n {
		t.Errorf("analytics were %+v, and are %+v", before, after)
	}
	l := d.ledger(d.live, monday)
	l.checkUsage(t, d.node, d.live, "Europe/Madrid")
	l.checkAnalytics(t, d.node, d.live, "Europe/Madrid", 7)
}

// check looks at the capture, as the business and as the visitor see it.
func (b booking) check(t *testing.T, d *showroom, s spoken) capture {
	t.Helper()
	all := d.capturesOf(d.live, b.phone)
	if len(all) != 1 {
		t.Fatalf("there are %d captures: %+v", len(all), all)
	}
	c := all[0]
	if c.Kind != "appointment" || c.Service != b.service || c.ScheduledAt == nil || *c.ScheduledAt != b.scheduledAt ||
		c.CustomerName != b.name || c.Status != "pending_confirm" || len(c.ConfirmationCode) != 6 {
		t.Errorf("written down is %+v", c)
	}
	if shown := s.Capture; shown.Kind != c.Kind || *shown.ConfirmationCode != c.ConfirmationCode || *shown.ScheduledAt != b.scheduledAt || *shown.Service != b.service {
		t.Errorf("the visitor is shown %+v of %+v", shown, c)
	}
	return c
}

func (b booking) checkCall(t *testing.T, d *showroom, v *visitor, made capture) {
	t.Helper()
	c := v.callOf(d.live)
	if c.Outcome != "booking" || c.Channel != "web" || c.Language != b.language || c.Transcript["language"] != b.language {
		t.Errorf("the call is %+v", c)
	}
	if ids := c.Summary["capture_ids"].([]any); len(ids) != 1 || ids[0] != made.ID || c.Summary["intent"] != "book" ||
		!strings.Contains(c.Summary["text"].(string), made.ConfirmationCode) {
		t.Errorf("the summary is %v", c.Summary)
	}
	checkTranscript(t, c)
	var said []string
	for _, turn := range c.Transcript["turns"].([]any) {
		if turn := turn.(map[string]any); turn["role"] == "caller" {
			said = append(said, turn["text"].(string))
		}
	}
	if want := append(slices.Clone(b.says), b.yes); !slices.Equal(said, want) {
		t.Errorf("the transcript has %q, want %q", said, want)
	}
}

// checkEvents: an event's object is what GET gives, without the transcript.
func (b booking) checkEvents(t *testing.T, d *showroom, created, completed occurrence) {
	t.Helper()
	for path, e := range map[string]occurrence{"/captures/": created, "/calls/": completed} {
		got := get[map[string]map[string]any](d.node, path+e.Data.Object["id"].(string), d.live)
		object := got[e.Data.Object["object"].(string)]
		delete(object, "transcript")
		if !sameJSON(object, e.Data.Object) || !e.Livemode || e.Agent.Slug != b.agent {
			t.Errorf("the event is %+v, GET gives %v", e, object)
		}
	}
}

// cleaning is a booking at the clinic in one sentence.
func cleaning(name, phone, when string) string {
	return fmt.Sprintf("Quiero una limpieza dental %s, soy %s, mi teléfono es %s", when, name, phone)
}

// TestKilledInTheMiddleOfABooking kills the process between the read-back and
// the yes, and at random moments after the yes was sent.
func TestKilledInTheMiddleOfABooking(t *testing.T) {
	t.Parallel()
	kills := 5
	if more, err := strconv.Atoi(os.Getenv("FRONTDESK_TEST_KILLS")); err == nil {
		kills = more
	}
	r := newReceiver(t, true)
	c := newClinic(t, r.openings(t)...)
	n := c.later(0)
	secret := n.connect(c.live, r.URL).Secret
	visitors, found := make([]*visitor, kills+1), map[string]int{}
	for i := range visitors {
		// Every process begins after the leases of the one before have run out.
		phone, next := fmt.Sprintf("+346123450%02d", i), time.Duration(i+1)*2*time.Minute
		v := n.visit("salud/"+dentist, "live", "es")
		visitors[i] = v
		if s := v.say(cleaning("Marta Ruiz", phone, fmt.Sprintf("el miércoles a las %d:00", 9+i))); !s.expects("confirm") {
			t.Fatalf("no read-back: %+v\n%s", s, v.heard())
		}
		v.killAround(i > 0)
		n = c.later(next)
		visitors[i] = v.in(n)
		found[visitors[i].confirmAgain(c.live, phone)]++
	}
	// What the last process had leased is due in this one.
	n.stop()
	n = c.later(time.Duration(kills+2) * 2 * time.Minute)
	for i, v := range visitors {
		v := v.in(n)
		made := n.capturesOf(c.live, fmt.Sprintf("+346123450%02d", i))
		if len(made) != 1 || made[0].Kind != "appointment" || made[0].Status != "pending_confirm" {
			t.Fatalf("there are %d appointments: %+v", len(made), made)
		}
		if call := v.callOf(c.live); call.Outcome != "booking" || !sameJSON(call.Summary["capture_ids"], []string{made[0].ID}) {
			t.Errorf("the call is %+v", call)
		}
		r.onceEach(t, secret, made[0].ID, v.id)
	}
	calls := walk[call](n, "/calls", c.live, 100)
	captures := walk[capture](n, "/captures", c.live, 100)
	if len(calls) != len(visitors) || len(captures) != len(visitors) {
		t.Errorf("%d visitors made %d calls and %d captures", len(visitors), len(calls), len(captures))
	}
	ledger{calls, captures, monday}.checkAnalytics(t, n, c.live, "Europe/Madrid", 1)
	if seconds := get[usage](n, "/usage", c.live).CurrentPeriodSeconds; seconds < len(visitors)*50 || seconds > len(visitors)*100 {
		t.Errorf("the calls took %d seconds; each had a pause of two minutes in it, of which one counts", seconds)
	}
	t.Logf("%d kills found: %v", kills+1, found)
}

// killAround kills the process before the yes, or some time after it was sent.
func (v *visitor) killAround(afterYes bool) {
	var sent sync.WaitGroup
	if afterYes {
		sent.Go(func() { v.mutter("sí") }) // the answer may be lost
		<-time.After(rand.N(6 * time.Millisecond))
	}
	v.kill()
	sent.Wait()
}

// confirmAgain repeats the yes, goes on with the conversation, and ends it. It
// says what the process before had done.
func (v *visitor) confirmAgain(key, phone string) (found string) {
	v.t.Helper()
	before := v.capturesOf(key, phone)
	s := v.say("sí")
	switch {
	case len(before) == 0 && s.Capture != nil:
		found = "nothing done"
	case len(before) == 1 && s.Capture != nil && *s.Capture.ConfirmationCode == before[0].ConfirmationCode:
		found = "booked, not answered"
	case len(before) == 1 && s.Capture == nil:
		found = "all done"
	default:
		v.t.Fatalf("there were %+v, and the second yes gives %+v\n%s", before, s, v.heard())
	}
	if s := v.say("¿Cuánto cuesta una limpieza?"); !strings.Contains(s.Reply.Text, "60") {
		v.t.Errorf("it does not go on: %+v\n%s", s, v.heard())
	}
	if outcome := v.end(); outcome != "booking" {
		v.t.Errorf("the outcome is %s\n%s", outcome, v.heard())
	}
	return found
}

// TestConversationsLeftAlone: calls are recorded without anybody asking, also
// those that were open when the process stopped.
func TestConversationsLeftAlone(t *testing.T) {
	t.Parallel()
	c := newClinic(t)
	n := c.later(0)
	curious := n.visit("salud/"+dentist, "live", "es")
	curious.say("¿Cuánto cuesta una limpieza?")
	n.visit("salud/"+dentist, "live", "en") // and says nothing
	undecided := n.visit("salud/"+dentist, "live", "es")
	undecided.say(cleaning("Ana Sanz", "633 111 222", "mañana a las 10:00"))
	booked := n.visit("salud/"+dentist, "live", "es")
	booked.say(cleaning("Marta Ruiz", "612 345 678", "mañana a las 12:00"))
	booked.say("sí")
	n.stop()
	n = c.later(40 * time.Minute)
	want := map[string]string{undecided.id: "info", booked.id: "booking", curious.id: "info"}
	var calls []call
	eventually(t, "the calls are recorded", func() bool {
		calls = walk[call](n, "/calls", c.live, 100)
		return len(calls) == len(want)
	})
	for _, call := range calls {
		if call.Outcome != want[call.ID] || call.DurationSeconds > 60 {
			t.Errorf("%s is %s after %d seconds, want %s", call.ID, call.Outcome, call.DurationSeconds, want[call.ID])
		}
	}
	late := undecided.in(n)
	if s := late.say("sí"); !s.Ended || *s.Outcome != "info" || s.Capture != nil {
		t.Errorf("a yes after the end is answered with %+v", s)
	}
	kinds := map[string]int{}
	for _, c := range walk[capture](n, "/captures", c.live, 100) {
		kinds[c.Kind]++
	}
	if !maps.Equal(kinds, map[string]int{"appointment": 1, "lead": 1}) { // who named a day and a number is called back
		t.Errorf("there are %v", kinds)
	}
}

// TestFiftyVisitorsForOnePlace come at once, to two nodes.
func TestFiftyVisitorsForOnePlace(t *testing.T) {
	t.Parallel()
	const crowd = 50
	c := newClinic(t)
	nodes := c.serveTwice()
	heard, visitors := make([]spoken, crowd), make([]*visitor, crowd)
	atOnce(crowd, func(i int) {
		v := nodes[i%len(nodes)].visit("salud/"+dentist, "live", "es")
		s := v.say(cleaning("Marta Ruiz", fmt.Sprintf("612 345 6%02d", i), "el jueves a las 11:00"))
		if s.expects("confirm") {
			s = v.say("sí")
		}
		heard[i], visitors[i] = s, v
	})
	var late *visitor
	var offers []string
	booked := 0
	for i, s := range heard {
		switch {
		case s.Capture != nil:
			booked++
		case s.expects("choice") && len(s.Reply.QuickReplies) > 0:
			late, offers = visitors[i], s.Reply.QuickReplies
		default:
			t.Errorf("visitor %d hears %+v", i, s)
		}
	}
	all := walk[capture](nodes[0], "/captures", c.live, 100)
	if len(all) != 1 || booked != 1 || *all[0].ScheduledAt != "2026-11-19T11:00:00" {
		t.Fatalf("%d were told that they have it, there are %+v", booked, all)
	}
	if s := late.say(offers[0]); !s.expects("confirm") {
		t.Errorf("who takes the offer hears %+v\n%s", s, late.heard())
	}
	if s := late.say("sí"); s.Capture == nil || *s.Capture.ScheduledAt == *all[0].ScheduledAt {
		t.Errorf("who takes the offer gets %+v\n%s", s, late.heard())
	}
	t.Log(late.heard())
}

// TestModesOfConversationsAreApart: what is said in one mode is nowhere in the
// other, and takes no place from it.
func TestModesOfConversationsAreApart(t *testing.T) {
	t.Parallel()
	r := newReceiver(t, true)
	c := newClinic(t, r.openings(t)...)
	n := c.serve()
	keys := map[string]string{"live": c.live, "test": c.test}
	secrets := map[string]string{"live": n.connect(c.live, r.URL).Secret, "test": n.connect(c.test, r.URL).Secret}
	before := get[usage](n, "/usage", c.live).History[0].Calls
	other := map[string]string{"live": "test", "test": "live"}
	for mode, key := range keys {
		// The same place: it is free in each mode.
		const phone = "+34612345678"
		v := n.visit("salud/"+dentist, mode, "es")
		v.say(cleaning("Marta Ruiz", phone, "el jueves a las 11:00"))
		if s := v.say("sí"); s.Capture == nil {
			t.Fatalf("%s: %+v", mode, s)
		}
		v.end()
		made := n.capturesOf(key, phone)
		if len(made) != 1 {
			t.Fatalf("%s: there are %d captures", mode, len(made))
		}
		v.callOf(key)
		foreign := keys[other[mode]]
		n.do("GET /calls/"+v.id, foreign, "").refuses(t, http.StatusNotFound, "not_found")
		n.do("GET /captures/"+made[0].ID, foreign, "").refuses(t, http.StatusNotFound, "not_found")
		created, completed := r.onceEach(t, secrets[mode], made[0].ID, v.id)
		if live := mode == "live"; created.Livemode != live || completed.Livemode != live {
			t.Errorf("%s: the events are %+v, %+v", mode, created, completed)
		}
	}
	if got := get[usage](n, "/usage", c.live).History[0].Calls; got != before+1 {
		t.Errorf("usage counts %d live calls, was %d", got, before)
	}
}

// TestThePlanRunsOut: a visitor is warned, then told goodbye, and the next one
// is turned away.
func TestThePlanRunsOut(t *testing.T) {
	t.Parallel()
	c := newClinic(t)
	ask[any](c.place, "plan", "set", "--tenant", "salud", "--included-seconds", "150", "--overage", "block")
	n := c.later(0)
	v := n.visit("salud/"+dentist, "live", "es")
	plain := v.say("¿A qué hora abren el viernes?")
	n.stop()
	n = c.later(10 * time.Minute) // of which a minute counts
	if s := v.in(n).say("¿A qué hora abren el viernes?"); s.Reply.Text != plain.Reply.Text {
		t.Errorf("with more than a minute left it says %q, before %q", s.Reply.Text, plain.Reply.Text)
	}
	n.stop()
	n = c.later(10*time.Minute + 45*time.Second)
	warned := v.in(n).say("¿A qué hora abren el viernes?")
	if warned.Ended || warned.Reply.Text == plain.Reply.Text || !strings.Contains(warned.Reply.Text, plain.Reply.Text) {
		t.Errorf("with less than a minute left it says %q, before %q", warned.Reply.Text, plain.Reply.Text)
	}
	n.stop()
	n = c.later(20 * time.Minute)
	v = v.in(n)
	if s := v.say("¿A qué hora abren el viernes?"); !s.Ended {
		t.Errorf("with no time left it says %+v", s)
	}
	if used := get[usage](n, "/usage", c.live); *used.Limits.Remaining != 0 || used.CurrentPeriodSeconds < 150 {
		t.Errorf("the usage is %+v", used)
	}
	turned := n.visit("salud/"+dentist, "live", "es")
	refusal := turned.say("¿Hola?")
	if !refusal.Ended || *refusal.Outcome != "over_limit" || !strings.Contains(refusal.Reply.Text, "+34 600 000 020") {
		t.Errorf("who is turned away hears %+v", refusal)
	}
	if got := turned.callOf(c.live); got.Outcome != "over_limit" || got.DurationSeconds != 0 || got.Channel != "web" {
		t.Errorf("recorded is %+v", got)
	}
	if s := turned.say("¿Hola?"); !s.Ended || *s.Outcome != "over_limit" {
		t.Errorf("who was turned away hears %+v", s)
	}
	t.Logf("warned: %s\nturned away: %s", warned.Reply.Text, refusal.Reply.Text)
}

func TestNoMoreCallsAtOnceThanThePlanHas(t *testing.T) {
	t.Parallel()
	c := newClinic(t)
	ask[any](c.place, "plan", "set", "--tenant", "salud", "--max-concurrent-calls", "3")
	n := c.serve()
	visitors := make([]*visitor, 12)
	atOnce(len(visitors), func(i int) {
		visitors[i] = n.visit("salud/"+dentist, "live", "en")
		visitors[i].say("How much is a cleaning?")
	})
	refused := kept(walk[call](n, "/calls", c.live, 100), func(c call) bool { return c.Outcome == "over_limit" })
	if len(refused) != len(visitors)-3 {
		t.Fatalf("%d of %d were turned away", len(refused), len(visitors))
	}
	for _, v := range visitors {
		if !slices.ContainsFunc(refused, func(c call) bool { return c.ID == v.id }) {
			v.end()
		}
	}
	if s := n.visit("salud/"+dentist, "live", "en").say("How much is a cleaning?"); s.Ended {
		t.Errorf("there is room again, and it says %+v", s)
	}
	if s := n.visit("salud/"+dentist, "test", "en").say("How much is a cleaning?"); s.Ended {
		t.Errorf("test mode says %+v", s)
	}
}

// unsayable are numbers that nobody needs to say, and how people write them.
var unsayable = map[string][]string{
	"4111111111111111":         {"4111 1111 1111 1111", "4111-1111-1111-1111", "4111111111111111"},
	"ES9121000418450200051332": {"ES91 2100 0418 4502 0005 1332", "ES9121000418450200051332"},
	"12345678Z":                {"12345678Z", "12345678-Z", "12.345.678-Z"},
	"X1234567L":                {"X1234567L", "X-1234567-L"},
}

// TestWhatShouldNotHaveBeenSaidIsKeptNowhere says card numbers, accounts and
// identity numbers wherever there is something to say.
func TestWhatShouldNotHaveBeenSaidIsKeptNowhere(t *testing.T) {
	t.Parallel()
	r := newReceiver(t, true)
	c := newClinic(t, r.openings(t)...)
	n := c.serve()
	secret := n.connect(c.live, r.URL).Secret
	for _, forms := range unsayable {
		for _, form := range forms {
			v := n.visit("salud/"+dentist, "live", "es")
			v.say("Hola, " + form)
			v.say("¿Tienen ustedes helicópteros para el " + form + "?")
			v.say("Quiero que me llamen")
			v.say("Pepe Ruiz " + form)
			v.say("612 345 678, y por si acaso " + form)
			v.say("sí")
			checkUnsaid(t, "the files of an open conversation", filesOf(t, c.place))
			v.end()
		}
	}
	v := n.visit("salud/"+dentist, "live", "es")
	v.say("Una limpieza el jueves a las 11:00 soy Pepe Ruiz 12345678Z, teléfono 611 222 333, tarjeta 4111 1111 1111 1111")
	v.say("sí")
	v.end()
	made := n.capturesOf(c.live, "+34611222333")
	if len(made) != 1 {
		t.Fatalf("there are %d captures\n%s", len(made), v.heard())
	}
	r.onceEach(t, secret, made[0].ID, v.id)
	checkUnsaid(t, "the API", n.everything(c.live))
	checkUnsaid(t, "the documents", string(n.do("GET /knowledge/documents", c.live, "").body))
	for _, call := range walk[call](n, "/calls", c.live, 100) {
		checkUnsaid(t, "a call", string(n.do("GET /calls/"+call.ID, c.live, "").body))
	}
	for _, a := range r.arrivals() {
		checkUnsaid(t, "a delivery", string(a.body))
	}
	checkUnsaid(t, "the log", n.log.String())
	n.stop()
	checkUnsaid(t, "the files", filesOf(t, c.place))
}

// filesOf is all that a place has on disk.
func filesOf(t *testing.T, p *place) string {
	t.Helper()
	var all bytes.Buffer
	for _, name := range files(t, p.data) {
		text, err := os.ReadFile(name)
		if err == nil { // else it is a file of SQLite's that has just gone
			all.Write(text)
		}
	}
	if all.Len() == 0 && !storetest.IsPostgres() {
		t.Fatal("there are no files")
	}
	return all.String()
}

// checkUnsaid looks for the numbers whatever stands between their characters.
func checkUnsaid(t *testing.T, where, text string) {
	t.Helper()
	bare := strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -.\u00a0", r) {
			return -1
		}
		return r
	}, text)
	for number := range unsayable {
		if i := strings.Index(bare, number); i >= 0 {
			t.Errorf("%s: %q", where, bare[max(0, i-80):min(len(bare), i+40)])
		}
	}
}

// TestWhatTheWebChannelRefuses holds every refusal to the envelope.
func TestWhatTheWebChannelRefuses(t *testing.T) {
	t.Parallel()
	c := newClinic(t)
	n := c.serve()
	v, stranger := n.visit("salud/"+dentist, "live", "es"), n.visit("salud/"+dentist, "live", "es")
	start, message, end := "POST /web/salud/"+dentist+"/conversations", "POST /web/conversations/"+v.id+"/messages", "POST /web/conversations/"+v.id+"/end"
	const nobody = "01a1cf40-1300-7942-bd9b-256f44904ab7"
	for name, tt := range map[string]struct {
		operation, token, body string
		status                 int
		code, param            string
	}{
		"an unknown tenant":              {"POST /web/nobody/" + dentist + "/conversations", "", `{}`, 404, "not_found", ""},
		"an unknown agent":               {"POST /web/salud/nobody/conversations", "", `{}`, 404, "not_found", ""},
		"an unknown mode":                {start, "", `{"mode":"prod"}`, 400, "parameter_invalid", "mode"},
		"a mode that is no text":         {start, "", `{"mode":true}`, 400, "parameter_invalid", "mode"},
		"an unknown language":            {start, "", `{"language":"fr"}`, 400, "parameter_invalid", "language"},
		"an unknown property":            {start, "", `{"lang":"es"}`, 400, "parameter_unknown", "lang"},
		"a list at the start":            {start, "", `[]`, 400, "invalid_json", ""},
		"no JSON at the start":           {start, "", `mode=live`, 400, "invalid_json", ""},
		"an unknown conversation":        {"POST /web/conversations/" + nobody + "/messages", v.token, `{"text":"Hola"}`, 404, "not_found", ""},
		"an id that is none":             {"POST /web/conversations/42/messages", v.token, `{"text":"Hola"}`, 404, "not_found", ""},
		"no token":                       {message, "", `{"text":"Hola"}`, 401, "token_missing", ""},
		"a wrong token":                  {message, "wrong", `{"text":"Hola"}`, 404, "not_found", ""},
		"another conversation's token":   {message, stranger.token, `{"text":"Hola"}`, 404, "not_found", ""},
		"an API key for a token":         {message, c.live, `{"text":"Hola"}`, 404, "not_found", ""},
		"a text that is too long":        {message, v.token, fmt.Sprintf(`{"text":%q}`, strings.Repeat("ñ", 1001)), 400, "parameter_invalid", "text"},
		"a text that is empty":           {message, v.token, `{"text":""}`, 400, "parameter_invalid", "text"},
		"a text that is blank":           {message, v.token, `{"text":" \n "}`, 400, "parameter_invalid", "text"},
		"a text that is a number":        {message, v.token, `{"text":7}`, 400, "parameter_invalid", "text"},
		"a text that is null":            {message, v.token, `{"text":null}`, 400, "parameter_invalid", "text"},
		"a text with NUL":                {message, v.token, `{"text":"a\u0000b"}`, 400, "parameter_invalid", "text"},
		"no text":                        {message, v.token, `{}`, 400, "parameter_missing", "text"},
		"a property beside the text":     {message, v.token, `{"text":"Hola","html":true}`, 400, "parameter_unknown", "html"},
		"the text twice":                 {message, v.token, `{"text":"Hola","text":"Adiós"}`, 400, "invalid_json", "text"},
		"an empty body":                  {message, v.token, ``, 400, "invalid_json", ""},
		"a body that is too large":       {message, v.token, fmt.Sprintf(`{"text":%q}`, strings.Repeat("x", 100<<10)), 413, "request_too_large", ""},
		"the end without a token":        {end, "", ``, 401, "token_missing", ""},
		"the end with a wrong token":     {end, stranger.token, ``, 404, "not_found", ""},
		"the end with a property":        {end, v.token, `{"why":"x"}`, 400, "parameter_unknown", "why"},
		"an address that is none":        {"POST /web/conversations/" + v.id + "/shout", v.token, `{}`, 404, "route_not_found", ""},
		"a method that is not known":     {"GET /web/conversations/" + v.id + "/messages", v.token, ``, 405, "method_not_allowed", ""},
		"to delete a conversation's end": {"DELETE /web/conversations/" + v.id + "/end", v.token, ``, 405, "method_not_allowed", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := n.in(t)
			got, err := n.knock(tt.operation, tt.token, tt.body)
			must(t, err)
			if f := got.refuses(t, tt.status, tt.code); f.param() != tt.param || f.Message == "" {
				t.Errorf("got %s, want param %q", got, tt.param)
			}
			if tt.status == http.StatusMethodNotAllowed && got.header.Get("Allow") == "" {
				t.Errorf("there is no Allow: %v", got.header)
			}
		})
	}
	t.Run("a thousand characters are heard", func(t *testing.T) {
		t.Parallel()
		n.in(t).visit("salud/"+dentist, "live", "es").say(strings.Repeat("ñ", 1000))
	})
}

// TestSitesThatMayShowTheReceptionist: all by default, those on the list if
// there is one.
func TestSitesThatMayShowTheReceptionist(t *testing.T) {
	t.Parallel()
	c := newClinic(t)
	const house, friend, foreign = "salud/" + dentist, "https://www.dentist.example", "https://elsewhere.example"
	p := c.place
	p.agent("salud", "closed")
	ask[any](p, "agent", "set", "--tenant", "salud", "closed", "--origins", friend)
	n := c.serve()
	for name, tt := range map[string]struct {
		agent, origin string
		welcome       bool
		allowed       string
	}{
		"any site by default":         {house, foreign, true, "*"},
		"a site on the list":          {"salud/closed", friend, true, friend},
		"a site that is not":          {"salud/closed", foreign, false, ""},
		"a page of this server's own": {"salud/closed", n.base, true, n.base},
		"no site at all":              {"salud/closed", "", true, ""},
		"null":                        {"salud/closed", "null", false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := n.in(t)
			path := "/web/" + tt.agent + "/conversations"
			var origin []string
			if tt.origin != "" {
				origin = []string{"Origin: " + tt.origin}
			}
			got, err := n.knock("POST "+path, "", "", origin...)
			must(t, err)
			asked, err := n.knock("OPTIONS "+path, "", "", append(origin, "Access-Control-Request-Method: POST", "Access-Control-Request-Headers: content-type")...)
			must(t, err)
			if !tt.welcome {
				got.refuses(t, http.StatusForbidden, "origin_not_allowed")
				asked.refuses(t, http.StatusForbidden, "origin_not_allowed")
			} else if got.status != http.StatusCreated || asked.status != http.StatusNoContent || !strings.Contains(asked.header.Get("Access-Control-Allow-Methods"), "POST") {
				t.Errorf("got %s, and %s %v", got, asked, asked.header)
			}
			for _, r := range []reply{got, asked} {
				if r.header.Get("Access-Control-Allow-Origin") != tt.allowed {
					t.Errorf("the headers are %v", r.header)
				}
			}
		})
	}
	t.Run("a message, asked for before", func(t *testing.T) {
		t.Parallel()
		n := n.in(t)
		v := n.visit(house, "live", "es")
		for _, what := range []string{"messages", "end"} {
			got, err := n.knock("OPTIONS /web/conversations/"+v.id+"/"+what, "", "", "Origin: "+foreign, "Access-Control-Request-Method: POST", "Access-Control-Request-Headers: authorization,content-type")
			must(t, err)
			if allowed := strings.ToLower(got.header.Get("Access-Control-Allow-Headers")); got.status != http.StatusNoContent || !strings.Contains(allowed, "authorization") || !strings.Contains(allowed, "content-type") {
				t.Errorf("%s: %s %v", what, got, got.header)
			}
		}
	})
	if got, err := n.knock("OPTIONS /v1/calls", "", "", "Origin: "+foreign); err != nil || got.header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("the customer API is for machines, and says %v %v", err, got.header)
	}
}

// TestVisitorsWhoComeTooOften are told when to come back.
func TestVisitorsWhoComeTooOften(t *testing.T) {
	t.Parallel()
	c := newClinic(t, "FRONTDESK_WEB_STARTS_PER_MINUTE=2", "FRONTDESK_WEB_MESSAGES_PER_SECOND=1", "FRONTDESK_WEB_MESSAGES_BURST=3")
	n := c.serve()
	v := n.visit("salud/"+dentist, "live", "es")
	n.visit("salud/"+dentist, "live", "es")
	refusals := map[string]func() (reply, error){
		"starts":   func() (reply, error) { return n.knock("POST /web/salud/"+dentist+"/conversations", "", "{}") },
		"messages": func() (reply, error) { return v.mutter("Hola") },
	}
	for what, try := range refusals {
		var got reply
		for range 10 {
			var err error
			if got, err = try(); err != nil || got.status == http.StatusTooManyRequests {
				must(t, err)
				break
			}
		}
		if f := got.refuses(t, http.StatusTooManyRequests, "rate_limited"); f.Type != "rate_limit_error" || got.header.Get("Retry-After") == "" {
			t.Errorf("%s: %s %v", what, got, got.header)
		}
	}
}

// TestTalkInTheTerminal books from a pipe, beside a server and without one.
func TestTalkInTheTerminal(t *testing.T) {
	t.Parallel()
	c := newClinic(t)
	talk := func(mode, text string, flags ...string) printed {
		cmd := c.command(append([]string{"talk", "--tenant", "salud", "--agent", dentist, "--mode", mode}, flags...)...)
		cmd.Stdin = strings.NewReader(text)
		return finish(t, cmd)
	}
	alone := talk("live", cleaning("Marta Ruiz", "612 345 678", "el jueves a las 11:00")+"\nsí\ngracias, adiós\n")
	n := c.serve()
	beside := talk("test", "I'd like a dental cleaning on Thursday at 11 am. I'm Jane Fox, my number is 612 345 679\nyes\n/end\n", "--language", "en", "--json")
	for _, tt := range []struct {
		printed
		key, phone string
	}{{alone, c.live, "+34612345678"}, {beside, c.test, "+34612345679"}} {
		made := n.capturesOf(tt.key, tt.phone)
		if tt.code != 0 || tt.err != "" && !strings.Contains(tt.err, "FRONTDESK_NOW") || len(made) != 1 {
			t.Fatalf("exit %d: %s\n%s\n%+v", tt.code, tt.err, tt.out, made)
		}
		if made[0].Kind != "appointment" || *made[0].ScheduledAt != "2026-11-19T11:00:00" || !strings.Contains(tt.out, made[0].ConfirmationCode) {
			t.Errorf("written down is %+v of\n%s", made[0], tt.out)
		}
		calls := walk[call](n, "/calls?outcome=booking", tt.key, 100)
		if !slices.ContainsFunc(calls, func(c call) bool {
			return sameJSON(c.Summary["capture_ids"], []string{made[0].ID}) && strings.Contains(tt.out, c.ID)
		}) {
			t.Errorf("no call has the capture %s:\n%s", made[0].ID, tt.out)
		}
		t.Log(tt.out)
	}
	for line := range strings.Lines(beside.out) {
		if !json.Valid([]byte(line)) {
			t.Errorf("with --json it prints %s", line)
		}
	}
	if got := talk("live", "", "--agent", "nobody"); got.code != 1 || !strings.Contains(got.err, "agent list") {
		t.Errorf("an agent that is not there: %+v", got)
	}
}
