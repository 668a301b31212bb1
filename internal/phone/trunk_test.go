package phone_test

import (
	"context"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/phone"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/sip"
	"frontdesk.dev/frontdesk/internal/sip/siptest"
	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/internal/voice/voicetest"
	"frontdesk.dev/frontdesk/test/freeport"
)

// exchange is a node that answers calls over SIP, and hears and speaks itself.
type exchange struct {
	*house
	phone  *phone.Phone
	vendor *voicetest.Vendor
	server *sip.Server
}

func (h *house) exchange(t *testing.T) *exchange { return h.exchangeAt(t, "desk udp:5060") }

// exchangeAt is one at a station.
func (h *house) exchangeAt(t *testing.T, station string) *exchange {
	t.Helper()
	s := storetest.Open(t, h.url)
	x := &exchange{house: h, vendor: voicetest.NewVendor(t)}
	x.phone = phone.New(phone.Options{
		Sessions: reception.NewSessions(reception.SessionOptions{Store: s, Box: h.box, Now: h.now}), Store: s,
		Numbers: account.NewNumbers(s, h.box, h.now), PublicURL: public, Box: h.box, Studio: x.vendor.Studio(t), Station: station,
		Now: h.now, Log: slog.New(slog.DiscardHandler),
	})
	var err error
	x.server, err = sip.New(sip.Options{
		Listen: []string{"udp:127.0.0.1:0"}, Ports: freePorts(t), Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
		Log: slog.New(slog.DiscardHandler), Answer: x.phone.AnswerSIP,
	})
	must(t, err)
	running, cancel := context.WithCancel(context.Background())
	stopped := make(chan error, 1)
	go func() { stopped <- x.server.Run(running) }()
	t.Cleanup(func() {
		cancel()
		<-stopped
	})
	return x
}

// freePorts are for the sound of four calls.
func freePorts(t *testing.T) [2]int {
	t.Helper()
	first := freeport.Take(t, 8)
	return [2]int{first, first + 7}
}

// dial calls the business.
func (x *exchange) dial(t *testing.T, from string) (*siptest.Phone, *voicetest.Ear) {
	t.Helper()
	ear := x.vendor.NewEar(8000)
	_, address, _ := strings.Cut(x.server.Listening()[0], ":")
	return siptest.Dial(t, address, from, strings.TrimPrefix(sipNumber, "+"), ear.Hear), ear
}

func TestABookingOverSIP(t *testing.T) {
	t.Parallel()
	x := newHouse(t).exchange(t)
	p, ear := x.dial(t, "612345678")
	say := func(text string) { p.Say(x.vendor.Sound(text, 8000)) }
	ear.Await(t, "¿En qué")
	say("Quiero una revisión el martes a las once de la mañana")
	ear.Await(t, "nombre")
	say("Soy Ana García")
	ear.Await(t, "número desde el que")
	say("Sí")
	ear.Await(t, "correcto?")
	p.Press("1")
	ear.Await(t, "código")
	say("No, gracias, adiós")
	<-p.Over() // hung up by us, after the goodbye
	captures := x.captures()
	if len(captures) != 1 || captures[0].Kind != frontdesk.Appointment {
		t.Fatalf("written was %+v", captures)
	}
	calls := x.awaitCalls(t, 1)
	if calls[0].Channel != frontdesk.Phone {
		t.Errorf("recorded was %+v", calls[0])
	}
	if said, _ := ear.Heard(); !slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, "asistente") }) {
		t.Errorf("nobody says that it is an assistant: %q", said)
	}
}

// awaitCalls waits until so many calls are recorded: the last word is heard before.
func (x *exchange) awaitCalls(t *testing.T, n int) []frontdesk.Call {
	t.Helper()
	stop, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	x.phone.Stop(stop)
	calls := x.calls()
	if len(calls) != n {
		t.Fatalf("recorded was %+v", calls)
	}
	return calls
}

func TestPuttingThroughOverSIP(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		status int
		result string
		says   string
	}{
		"the person takes it": {200, frontdesk.Transferred, ""},
		"the line is busy":    {486, frontdesk.LineBusy, "comunica"},
		"nobody answers":      {480, frontdesk.NoAnswer, "no contesta"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newHouse(t).exchange(t)
			p, ear := x.dial(t, "+34612345678")
			p.Refers(tt.status)
			ear.Await(t, "¿En qué")
			p.Say(x.vendor.Sound("Soy Ana García, quiero hablar con una persona por una factura", 8000))
			if to := p.ReferredTo(); !strings.Contains(to, person) {
				t.Fatalf("the caller is put through to %s", to)
			}
			if tt.says == "" {
				<-p.Over()
			} else {
				ear.Await(t, tt.says)
				p.HangUp()
			}
			call, err := x.store.Call(ctx, x.owner, x.awaitCalls(t, 1)[0].ID)
			must(t, err)
			if !strings.Contains(string(call.Summary), tt.result) {
				t.Errorf("the call is recorded with %s", call.Summary)
			}
		})
	}
}

func TestWhoHangsUpOverSIP(t *testing.T) {
	t.Parallel()
	x := newHouse(t).exchange(t)
	p, ear := x.dial(t, "anonymous")
	ear.Await(t, "¿En qué")
	p.Say(x.vendor.Sound("¿A qué hora abren?", 8000))
	ear.Begins(t, "No tengo")
	p.HangUp()
	x.awaitCalls(t, 1)
}

// Nobody takes up a call over SIP when its process stops: its caller is told, and the
// call is recorded.
func TestAStopOverSIP(t *testing.T) {
	t.Parallel()
	x := newHouse(t).exchange(t)
	p, ear := x.dial(t, "+34612345678")
	ear.Await(t, "¿En qué")
	p.Say(x.vendor.Sound("¿A qué hora abren?", 8000))
	ear.Await(t, "No tengo")
	x.awaitCalls(t, 1)
	<-p.Over()
	ear.Begins(t, "Vuelva a llamar")
}

// A Call-ID is chosen by the caller, and seen by everybody on the way: who calls with
// that of another call has a conversation of their own.
func TestACallIDOfAnotherCallOverSIP(t *testing.T) {
	t.Parallel()
	x := newHouse(t).exchange(t)
	victim, hears := x.dial(t, "+34612345678")
	hears.Await(t, "¿En qué")
	victim.Say(x.vendor.Sound("Quiero una revisión el martes a las once de la mañana", 8000))
	hears.Await(t, "nombre")

	again := func(from string) (*siptest.Phone, *voicetest.Ear) {
		ear := x.vendor.NewEar(8000)
		_, address, _ := strings.Cut(x.server.Listening()[0], ":")
		return siptest.DialWithID(t, victim.ID(), address, from, strings.TrimPrefix(sipNumber, "+"), ear.Hear), ear
	}
	other, ear := again("+34666666666")
	ear.Await(t, "¿En qué")
	other.HangUp()

	victim.Say(x.vendor.Sound("Soy Ana García", 8000))
	hears.Await(t, "número desde el que")
	victim.HangUp()
	<-victim.Over()
	third, ear := again("+34677777777") // after the end of the first, as exchanges do that count from one again
	ear.Await(t, "¿En qué")
	third.HangUp()
	x.awaitCalls(t, 3)
}

// What is no figure of ours is none of a telephone number.
func TestFiguresOfOtherScriptsOverSIP(t *testing.T) {
	t.Parallel()
	x := newHouse(t).exchange(t)
	p, ear := x.dial(t, "+３４６１２３４５６７８")
	ear.Await(t, "¿En qué")
	p.HangUp()
	if calls := x.awaitCalls(t, 1); calls[0].Caller != "" {
		t.Errorf("the caller is %q", calls[0].Caller)
	}
}

// A process that is killed cannot record its calls: the next one at its station does,
// and no other.
func TestCallsThatAreLostOverSIP(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	killed := h.exchangeAt(t, "one")
	p, ear := killed.dial(t, "+34612345678")
	ear.Await(t, "¿En qué")
	p.Say(killed.vendor.Sound("¿A qué hora abren?", 8000))
	ear.Await(t, "No tengo")
	must(t, h.exchangeAt(t, "two").phone.EndLost(ctx, h.now()))
	if calls := h.calls(); len(calls) != 0 {
		t.Fatalf("calls of another station are recorded: %+v", calls)
	}
	next := h.exchangeAt(t, "one").phone
	must(t, next.EndLost(ctx, day)) // it has begun after that
	if calls := h.calls(); len(calls) != 0 {
		t.Fatalf("calls of our own are recorded: %+v", calls)
	}
	must(t, next.EndLost(ctx, h.now()))
	if calls := h.calls(); len(calls) != 1 || calls[0].Caller != "+34612345678" {
		t.Errorf("recorded was %+v", calls)
	}
	p.HangUp()
}
