package reception_test

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
)

// from is an address of a visitor.
func from(n int) netip.Prefix { return netip.MustParsePrefix(fmt.Sprintf("192.0.2.%d/32", n)) }

// tell says something from an address.
func (c *caller) tell(from netip.Prefix, text string) (reception.Reply, error) {
	return c.sessions.HearOnce(ctx, c.id, c.token, reception.Message{Input: conversation.Input{Kind: conversation.Text, Text: text}, From: from})
}

// rows counts the conversations that are written down.
func (f *front) rows() (n int) {
	f.t.Helper()
	must(f.t, f.database().QueryRow(`SELECT COUNT(*) FROM conversations`).Scan(&n))
	return n
}

// untouched makes sure that nothing came of whatever happened.
func (f *front) untouched() {
	f.t.Helper()
	if calls, used, told := f.calls(), f.used(), f.told(frontdesk.CallCompleted); len(calls) != 0 || used.Calls != 0 || used.Seconds != 0 || told != 0 {
		f.t.Errorf("there are the calls %+v, used is %+v, %d are told", calls, used, told)
	}
}

// A page that is looked at is no call, however it ends.
func TestALookIsNoCall(t *testing.T) {
	t.Parallel()
	t.Run("ended by the visitor", func(t *testing.T) {
		t.Parallel()
		c := newFront(t).start()
		if n := c.rows(); n != 0 {
			t.Errorf("%d conversations are written down", n)
		}
		c.endUnspoken()
		c.endUnspoken()
		if r := c.say("hola"); !r.Ended || r.Outcome != frontdesk.Abandoned || r.Language != "es" {
			t.Errorf("after the end: %+v", r)
		}
		c.untouched()
	})
	t.Run("left alone", func(t *testing.T) {
		t.Parallel()
		c := newFront(t).start()
		c.clock.Forward(silent)
		must(t, c.sessions.Sweep(ctx))
		if r := c.say("hola"); !r.Ended || r.Outcome != frontdesk.Abandoned {
			t.Errorf("too late: %+v", r)
		}
		c.endUnspoken()
		if n := c.rows(); n != 0 {
			t.Errorf("%d conversations are written down", n)
		}
		c.clock.Forward(reception.Memory)
		_, err := c.sessions.End(ctx, c.id, c.token)
		isNotFound(t, err)
		c.untouched()
	})
	t.Run("while the plan is full", func(t *testing.T) {
		t.Parallel()
		f := newFront(t)
		f.plan(func(p *frontdesk.Plan) { p.MaxConcurrentCalls = 1 })
		for range 10 {
			f.start()
		}
		if r := f.start().say("hola"); r.Ended {
			t.Errorf("got %+v", r)
		}
	})
}

// What was said is all there, and the greeting is the one that was heard.
func TestTheFirstMessageOnAnotherNode(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	w, err := f.sessions.Start(ctx, reception.Beginning{Tenant: "lola", Agent: "desk", Live: true, Language: "en"})
	must(t, err)
	f.clock.Forward(10 * time.Second)
	c := &caller{front: f, id: w.ID, token: w.Token.Reveal()}
	c.sessions = f.node()
	c.say("How much is a check-up?")
	call := c.end()
	turns := transcriptOf(t, call).Turns
	if len(turns) != 3 || turns[0].Text != w.Reply.Text || turns[0].Start != 0 || turns[1].Start != 10_000 || call.Language != "en" || !call.StartedAt.Equal(monday) {
		t.Errorf("greeted with %q, recorded %+v", w.Reply.Text, turns)
	}
}

// First messages at once, on two nodes, make one conversation in which both are
// heard.
func TestFirstMessagesAtOnce(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	f.plan(func(p *frontdesk.Plan) { p.MaxConcurrentCalls = 1 })
	c := f.start()
	var all sync.WaitGroup
	for i, node := range []*reception.Sessions{f.sessions, f.node(), f.node(), f.sessions} {
		all.Go(func() {
			r, err := node.Hear(ctx, c.id, c.token, conversation.Input{Kind: conversation.Text, Text: fmt.Sprintf("¿Cuál es su teléfono? %c", 'a'+i)})
			if err != nil || r.Ended {
				t.Errorf("got %+v, %v", r, err)
			}
		})
	}
	all.Wait()
	var heard int
	for _, turn := range transcriptOf(t, c.end()).Turns {
		if turn.Role == "caller" {
			heard++
		}
	}
	if u := f.used(); heard != 4 || u.Calls != 1 || f.rows() != 1 {
		t.Errorf("heard %d, used %+v", heard, u)
	}
}

// The first message can be sent again like any other.
func TestTheFirstMessageSentAgain(t *testing.T) {
	t.Parallel()
	c := newFront(t).start()
	m := reception.Message{Input: conversation.Input{Kind: conversation.Text, Text: "hola"}, Key: "k1"}
	first, err := c.sessions.HearOnce(ctx, c.id, c.token, m)
	must(t, err)
	again, err := c.node().HearOnce(ctx, c.id, c.token, m)
	must(t, err)
	if again.Text != first.Text || len(transcriptOf(t, c.end()).Turns) != 3 {
		t.Errorf("first %+v, then %+v", first, again)
	}
}

// A token opens its own conversation, and that alone.
func TestTokensOfConversationsThatHaveNotBegun(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	c, other := f.start(), f.start()
	stranger := reception.NewSessions(reception.SessionOptions{Store: f.store, Now: f.clock.Now})
	for name, tt := range map[string]struct {
		sessions *reception.Sessions
		id       frontdesk.ID
		token    string
	}{
		"another's token":      {f.sessions, c.id, other.token},
		"a part of it":         {f.sessions, c.id, c.token[:len(c.token)-4]},
		"no token":             {f.sessions, c.id, ""},
		"no token at all":      {f.sessions, c.id, "!"},
		"an id that is none":   {f.sessions, frontdesk.NewID(monday), c.token},
		"another house's seal": {stranger, c.id, c.token},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := tt.sessions.Hear(ctx, tt.id, tt.token, conversation.Input{Kind: conversation.Text, Text: "hola"})
			isNotFound(t, err)
			_, err = tt.sessions.End(ctx, tt.id, tt.token)
			isNotFound(t, err)
		})
	}
	if strings.Contains(c.token, string(f.tenant.ID)) {
		t.Error("the token can be read")
	}
	f.change(func(a *frontdesk.Agent) { a.Status = frontdesk.AgentPaused })
	_, err := f.node().Hear(ctx, c.id, c.token, conversation.Input{Kind: conversation.Text, Text: "hola"})
	isNotFound(t, err)
	f.untouched()
}

// The time between turns counts, each pause up to a minute, in what is recorded
// as in what is left of the plan.
func TestIdleTimeIsNotBilled(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		pauses []time.Duration // before each message
		least  int             // seconds; the last answer is read for some more
	}{
		"none":                    {[]time.Duration{0}, 0},
		"short ones":              {[]time.Duration{10 * time.Second, 20 * time.Second}, 30},
		"a long one":              {[]time.Duration{29 * time.Minute}, 60},
		"long and short ones":     {[]time.Duration{5 * time.Second, 20 * time.Minute, 7 * time.Second, 10 * time.Minute}, 132},
		"a minute, and no more":   {[]time.Duration{time.Minute, time.Minute + time.Second}, 120},
		"as long as one can talk": {[]time.Duration{40 * time.Second, 50 * time.Second, 59 * time.Second}, 149},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFront(t)
			c := f.start()
			for _, p := range tt.pauses {
				f.clock.Forward(p)
				c.say("hola")
			}
			seconds, err := f.store.OpenSeconds(ctx, f.owner, f.clock.Now().Add(-reception.Silence))
			if err != nil || seconds != tt.least {
				t.Errorf("%d seconds count while it goes on, want %d, %v", seconds, tt.least, err)
			}
			f.clock.Forward(silent)
			must(t, f.sessions.Sweep(ctx))
			call := c.call()
			if call.Duration < tt.least || call.Duration > tt.least+15 {
				t.Errorf("%d seconds are recorded, want %d and the time to read the last answer", call.Duration, tt.least)
			}
			if u := f.used(); u.Seconds != call.Duration {
				t.Errorf("used %+v", u)
			}
		})
	}
}

// A caller who comes back after a pause is heard, although the plan is full by
// then; and takes a place again.
func TestComingBackToAFullHouse(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	f.plan(func(p *frontdesk.Plan) { p.MaxConcurrentCalls = 1 })
	early := f.start()
	early.say("hola")
	f.clock.Forward(reception.Talking + time.Second)
	late := f.start()
	if r := late.say("hola"); r.Ended {
		t.Errorf("somebody silent keeps others out: %+v", r)
	}
	if r := early.say("¿Sigue ahí?"); r.Ended {
		t.Errorf("who comes back is turned away: %+v", r)
	}
	late.end()
	if r := f.start().say("hola"); !r.Ended {
		t.Errorf("who came back takes no place: %+v", r)
	}
}

// So many conversations may be held from one address, and others are not
// concerned.
func TestConversationsOfOneAddress(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	f.limits.OpenPerAddress = 3
	f.sessions = f.node()
	begin := func(from netip.Prefix) error {
		_, err := f.sessions.Start(ctx, reception.Beginning{Tenant: "lola", Agent: "desk", Live: true, From: from})
		return err
	}
	waiting := func(err error) {
		t.Helper()
		var e *frontdesk.Error
		if !errors.As(err, &e) || e.Code != "rate_limited" || e.Wait <= 0 || e.Wait > reception.Talking {
			t.Errorf("got %v", err)
		}
	}
	var all []*caller
	for range 5 {
		all = append(all, f.start()) // looks count for nothing
	}
	for _, c := range all[:3] {
		_, err := c.tell(from(1), "hola")
		must(t, err)
		f.clock.Forward(time.Minute)
	}
	_, err := all[3].tell(from(1), "hola")
	waiting(err)
	waiting(begin(from(1)))
	must(t, begin(from(2)))
	_, err = all[0].tell(from(1), "¿A qué hora abren?")
	must(t, err)
	_, err = all[3].tell(from(2), "hola")
	must(t, err)
	_, err = all[4].tell(netip.Prefix{}, "hola")
	must(t, err)
	all[0].end()
	c := f.start()
	_, err = c.tell(from(1), "hola")
	must(t, err)
	_, err = f.start().tell(from(1), "hola")
	waiting(err)
	f.clock.Forward(reception.Talking - 2*time.Minute) // the second has been silent
	must(t, begin(from(1)))
	_, err = f.start().tell(from(1), "hola")
	must(t, err)
	if n := len(f.calls()); n != 1 {
		t.Errorf("%d calls are recorded", n)
	}
}

// callBack leaves a number to be called at, and says whether it was taken.
func (c *caller) callBack(from netip.Prefix, phone string) (taken bool) {
	c.t.Helper()
	for _, text := range []string{"Quiero que me llamen", "sobre una factura", "Ana García", phone, "sí"} {
		r, err := c.tell(from, text)
		must(c.t, err)
		c.last = r
		if r.Capture != nil {
			return true
		}
	}
	return false
}

func TestBookingsAnHour(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		limits reception.Limits
		phone  func(i int) string
		from   func(i int) netip.Prefix
		free   func(*caller) bool // another, who is not concerned
	}{
		"by telephone number": {
			reception.Limits{BookingsPerPhone: 3},
			func(i int) string { return []string{"612 345 678", "+34 612345678"}[i%2] }, from,
			func(c *caller) bool { return c.callBack(from(1), "612 345 679") },
		},
		"by agent": {
			reception.Limits{BookingsPerAgent: 3},
			func(i int) string { return fmt.Sprintf("612 345 67%d", i) }, from,
			nil,
		},
		"by address": {
			reception.Limits{BookingsPerAddress: 3},
			func(i int) string { return fmt.Sprintf("612 345 67%d", i) }, func(int) netip.Prefix { return from(1) },
			func(c *caller) bool { return c.callBack(from(2), "612 345 678") },
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFront(t)
			f.limits = tt.limits
			f.sessions = f.node()
			for i := range 3 {
				if c := f.start(); !c.callBack(tt.from(i), tt.phone(i)) {
					t.Fatalf("number %d is not taken: %+v", i, c.last)
				}
			}
			c := f.start()
			if c.callBack(tt.from(3), tt.phone(3)) || c.last.Ended || !strings.Contains(c.last.Text, f.agent.Config.Business.Phone) {
				t.Errorf("one too many is answered with %+v", c.last)
			}
			if n := len(f.captures()); n != 3 {
				t.Errorf("%d captures", n)
			}
			if r := c.say("¿A qué hora abren?"); r.Ended || r.Text == "" {
				t.Errorf("it does not go on: %+v", r)
			}
			if tt.free != nil && !tt.free(f.start()) {
				t.Error("another has to wait too")
			}
			f.clock.Forward(time.Hour)
			must(t, f.sessions.Sweep(ctx))
			if c := f.start(); !c.callBack(tt.from(4), tt.phone(4)) {
				t.Errorf("after an hour: %+v", c.last)
			}
		})
	}
}

// An appointment too many gives its place back, and the receptionist goes on.
func TestAnAppointmentTooMany(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	f.limits.BookingsPerAgent = 1
	f.sessions = f.node()
	f.start().book()
	c := f.start()
	c.saying("Quiero reservar una revisión el jueves a las doce del mediodía", conversation.SlotConfirm)
	if r := c.say("sí"); r.Capture != nil || r.Ended || r.Expect != "" || !strings.Contains(r.Text, f.agent.Config.Business.Phone) {
		t.Errorf("got %+v", r)
	}
	if call := c.end(); call.Outcome == frontdesk.Booking {
		t.Errorf("recorded %+v", call)
	}
	if n := len(f.captures()); n != 1 {
		t.Errorf("%d captures", n)
	}
}

// Who has as many appointments to come as one may have is told so, and what can
// be done.
func TestAsManyAppointmentsAsOneMayHave(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	f.change(func(a *frontdesk.Agent) { a.Settings.Calendar.PerCustomerOpen = 1 })
	f.start().book()
	c := f.start()
	c.saying("Quiero reservar una revisión el jueves a las doce del mediodía", conversation.SlotConfirm)
	if r := c.say("sí"); r.Capture != nil || r.Ended || !strings.Contains(r.Text, "ya tiene una cita pendiente") || !strings.Contains(r.Text, "recado") {
		t.Errorf("got %+v", r)
	}
}

// Whoever is turned away is told so, but the books are not filled with it.
func TestRefusalsAreRecordedNowAndThen(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	f.plan(func(p *frontdesk.Plan) { p.IncludedSeconds, p.Overage = 1, frontdesk.OverageBlock })
	used := f.start()
	used.say("hola")
	f.clock.Forward(time.Minute)
	used.end()
	refuse := func(from netip.Prefix) {
		t.Helper()
		c := f.start()
		for range 2 { // what is not recorded is refused again
			if r, err := c.tell(from, "hola"); err != nil || !r.Ended || r.Outcome != frontdesk.OverLimit {
				t.Fatalf("got %+v, %v", r, err)
			}
		}
	}
	refused := func() int { return f.told(frontdesk.CallCompleted) - 1 }
	for range 30 {
		refuse(from(1))
	}
	if n := refused(); n != 20 {
		t.Errorf("%d refusals of one address are recorded", n)
	}
	for i := range 100 {
		refuse(from(2 + i))
	}
	if n := refused(); n != 100 {
		t.Errorf("%d refusals are recorded", n)
	}
	if u := f.used(); u.Calls != 101 || u.Seconds != used.call().Duration {
		t.Errorf("used %+v", u)
	}
	f.clock.Forward(time.Hour)
	refuse(from(1))
	if n := refused(); n != 101 {
		t.Errorf("%d refusals are recorded after an hour", n)
	}
}
