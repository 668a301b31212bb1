package phone_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/carrier"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// A socket that dies costs the caller a moment, not the call: at any point of it, on
// the same node or another.
func TestASocketThatDies(t *testing.T) {
	t.Parallel()
	for _, habits := range both {
		t.Run(string(habits), func(t *testing.T) {
			t.Parallel()
			n := newHouse(t).node()
			l := n.dial(habits)
			lines := []string{"Quiero reservar una revisión el miércoles a las doce.", "Ana García.", "Sí.", "Sí, correcto."}
			must(t, l.Lost(ctx)) // before a word was said
			l.hear()
			for _, line := range lines {
				l.say(line)
				asked := l.last.Text
				must(t, l.Lost(ctx))
				if again := l.hear().Text; !strings.HasSuffix(again, asked) {
					t.Errorf("it goes on with %q, was %q", again, asked)
				}
			}
			must(t, l.HangUp(ctx))
			if captures := n.captures(); len(captures) != 1 || captures[0].Kind != frontdesk.Appointment {
				t.Errorf("written was %+v", captures)
			}
			if calls := n.calls(); len(calls) != 1 || calls[0].Outcome != frontdesk.Booking {
				t.Errorf("recorded was %+v", calls)
			}
		})
	}
}

// Who is being put through as the line breaks is put through.
func TestASocketThatDiesBeforeATransfer(t *testing.T) {
	t.Parallel()
	n := newHouse(t).node()
	l := n.dial(carrier.Telnyx, func(o *carrier.Options) { o.Speed = 40 })
	l.hear()
	must(t, l.Prompt(ctx, "Quiero hablar con una persona."))
	must(t, l.Await(ctx)) // it is said, and Telnyx is not asked to end the relay before it was
	must(t, l.Lost(ctx))
	if said := l.hear(); said.Dialed != person {
		t.Errorf("it goes on with %+v", said)
	}
}

func TestARelayThatAlwaysBreaks(t *testing.T) {
	t.Parallel()
	n := newHouse(t).node()
	l := n.dial(carrier.Twilio)
	for range 6 {
		if l.Over() {
			break
		}
		must(t, l.Lost(ctx))
	}
	if !l.Over() || !strings.Contains(l.Markup, "<Say") {
		t.Errorf("the caller is told %s", l.Markup)
	}
	if calls := n.calls(); len(calls) != 1 {
		t.Errorf("recorded was %+v", calls)
	}
}

// A stop answers what was said, and the next process goes on.
func TestAStopInTheMiddleOfACall(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	first, second := h.node(), h.node()
	l := first.dial(carrier.Twilio)
	l.hear()
	l.say("Quiero reservar una revisión el miércoles a las doce.")
	must(t, l.Prompt(ctx, "Ana García."))
	within, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	first.phone.Stop(within)
	if within.Err() != nil {
		t.Fatal("the relays do not end")
	}
	l.MoveTo(second.server.URL)
	must(t, l.Lost(ctx))
	l.hear()
	for range 3 { // what was said as the first stopped was heard, or is asked again
		switch {
		case strings.Contains(l.last.Text, "nombre de quién"):
			l.say("Ana García.")
		case strings.Contains(l.last.Text, "resumo"):
			l.say("Sí, correcto.")
		default:
			l.say("Sí.")
		}
	}
	must(t, l.HangUp(ctx))
	if captures := h.captures(); len(captures) != 1 || captures[0].CustomerName != "Ana García" {
		t.Errorf("written was %+v after %q", captures, l.last.Text)
	}
}

// Twenty calls whose server is gone from one moment to the next, each at another
// point: they go on with the next one, and nothing is booked twice.
func TestAServerThatIsKilled(t *testing.T) {
	t.Parallel()
	h := newHouse(t, func(a *frontdesk.Agent) { a.Settings.Capacity = 40 })
	first, second := h.node(), h.node()
	script := []string{"Quiero reservar una revisión el miércoles a las doce.", "", "Sí.", "Sí, correcto."}
	done := make(chan struct{})
	for i := range 20 {
		go func() {
			defer func() { done <- struct{}{} }()
			l := first.dial(both[i%2], func(o *carrier.Options) { o.From = "+346123456" + string(rune('0'+i/10)) + string(rune('0'+i%10)) })
			l.hear()
			for at, line := range script {
				if line == "" {
					line = "Ana " + strings.Repeat("Mar", 1+i%5) + "ía."
				}
				if at == i%len(script) { // the server dies with what was just said
					_ = l.Prompt(ctx, line)
					l.MoveTo(second.server.URL)
					if err := l.Lost(ctx); err != nil {
						t.Error(err)
						return
					}
					l.hear()
					if strings.Contains(l.last.Text, "código") || heardAlready(at, l.last.Text) {
						continue // it was heard before it died
					}
				}
				l.say(line)
			}
			if err := l.HangUp(ctx); err != nil {
				t.Error(err)
			}
		}()
	}
	for range 20 {
		<-done
	}
	byCaller := map[string]int{}
	for _, c := range h.captures() {
		byCaller[c.CustomerPhone]++
	}
	for caller, n := range byCaller {
		if n != 1 {
			t.Errorf("%s has %d appointments", caller, n)
		}
	}
	if calls := h.calls(); len(calls) != 20 {
		t.Errorf("%d calls were recorded", len(calls))
	}
}

// heardAlready says whether the question that stands is one later than a line of the
// script answers.
func heardAlready(at int, asked string) bool {
	for i, sign := range []string{"nombre de quién", "desde el que llama", "resumo", "código"} {
		if strings.Contains(asked, sign) {
			return i >= at
		}
	}
	return false
}

// Who is on the line with a receptionist that is deleted is told that it ends, and
// nothing is kept of the call.
func TestAReceptionistThatIsDeletedInTheMiddleOfACall(t *testing.T) {
	t.Parallel()
	for _, habits := range both {
		t.Run(string(habits), func(t *testing.T) {
			t.Parallel()
			n := newHouse(t).node()
			l := n.dial(habits)
			l.hear()
			l.say("Quiero reservar una revisión el miércoles a las doce.")
			for more := true; more; {
				var err error
				more, err = n.store.DeleteAgentForWorker(ctx, frontdesk.Actor{}, n.agent, 100)
				must(t, err)
			}
			must(t, l.Prompt(ctx, "Ana García."))
			within, cancel := context.WithTimeout(ctx, 30*time.Second)
			defer cancel()
			// The number went with the receptionist: what the carrier asks then is not answered.
			said, err := l.Hear(within)
			if err == nil && !said.Ended {
				_, err = l.Hear(within)
			}
			if !strings.Contains(said.Text, "no puede continuar") || within.Err() != nil {
				t.Errorf("it says %q, %v", said.Text, err)
			}
			if calls := n.calls(); len(calls) != 0 {
				t.Errorf("recorded was %+v", calls)
			}
		})
	}
}
