package phone_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/carrier"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func TestABookingByTelephone(t *testing.T) {
	t.Parallel()
	for _, habits := range both {
		t.Run(string(habits), func(t *testing.T) {
			t.Parallel()
			n := newHouse(t).node()
			l := n.dial(habits)
			if !l.hear().Kept {
				t.Error("who answers can be cut off before they have said that they are an assistant")
			}
			l.say("Quiero reservar una revisión", "el miércoles a las doce.")
			l.say("Ana García.")
			l.wants("6 1 2")
			l.say("Sí.")
			if !l.last.Kept {
				t.Error("the read-back can be cut off")
			}
			l.wants("Ana García")
			l.say("Sí, correcto.")
			l.wants("código")
			l.say("No, gracias. Adiós.")
			l.leaves()
			captures, calls := n.captures(), n.calls()
			if len(captures) != 1 || captures[0].ScheduledAt != "2026-11-18T12:00:00" || captures[0].CustomerPhone != caller || captures[0].Channel != frontdesk.Phone {
				t.Errorf("written was %+v", captures)
			}
			if len(calls) != 1 || calls[0].Outcome != frontdesk.Booking || calls[0].Caller != caller || calls[0].Number == "" || calls[0].Channel != frontdesk.Phone {
				t.Errorf("recorded was %+v", calls)
			}
		})
	}
}

func TestACallerWhoHangsUp(t *testing.T) {
	t.Parallel()
	for _, habits := range both {
		t.Run(string(habits), func(t *testing.T) {
			t.Parallel()
			n := newHouse(t).node()
			l := n.dial(habits, func(o *carrier.Options) { o.From = "" })
			l.hear()
			l.say("¿Cuánto cuesta una revisión?")
			must(t, l.HangUp(ctx))
			calls := n.calls()
			if len(calls) != 1 || calls[0].Outcome != frontdesk.Info || calls[0].Caller != "" {
				t.Errorf("recorded was %+v", calls)
			}
		})
	}
}

func TestEnglishOnTheTelephone(t *testing.T) {
	t.Parallel()
	n := newHouse(t).node()
	l := n.dial(carrier.Twilio)
	l.hear()
	l.say("Hello, I'd like to book a check-up please.")
	if l.last.Locale != "en-GB" {
		t.Errorf("it speaks %s: %q", l.last.Locale, l.last.Text)
	}
}

func TestWhatWasMisheardIsSpelled(t *testing.T) {
	t.Parallel()
	n := newHouse(t).node()
	l := n.dial(carrier.Twilio, func(o *carrier.Options) { o.From = "" })
	l.hear()
	l.say("Quiero una revisión el miércoles a las doce, soy Ana Varela, 612 345 678.")
	l.wants("Ana Varela")
	l.say("No.")
	l.say("El nombre.")
	l.say("Ana Barela.")
	l.wants("be, a, erre")
}

func TestAForgedNumberIsEvidence(t *testing.T) {
	t.Parallel()
	for verdict, counted := range map[string]bool{"TN-Validation-Failed-C": false, "TN-Validation-Passed-A": true} {
		n := newHouse(t).node()
		l := n.dial(carrier.Twilio, func(o *carrier.Options) { o.Form = map[string]string{"StirVerstat": verdict} })
		l.hear()
		l.say("Mmm, bueno.")
		must(t, l.HangUp(ctx))
		if calls := n.calls(); len(calls) != 1 || calls[0].Uncounted == counted {
			t.Errorf("%s: recorded was %+v", verdict, calls)
		}
	}
}

// Who pauses in the middle of a sentence, and goes on over the answer to its first
// half, has said one sentence.
func TestASentenceWithAPause(t *testing.T) {
	t.Parallel()
	for _, habits := range both {
		t.Run(string(habits), func(t *testing.T) {
			t.Parallel()
			n := newHouse(t).node()
			l := n.dial(habits, func(o *carrier.Options) { o.From = "" })
			l.hear()
			must(t, l.Prompt(ctx, "Quiero una revisión el miércoles a las cinco y"))
			l.hear(3)
			l.say("media de la tarde, soy Ana García, 655 111 222.")
			l.wants("cinco y media")
			l.say("Sí.")
			if captures := n.captures(); len(captures) != 1 || captures[0].ScheduledAt != "2026-11-18T17:30:00" {
				t.Errorf("written was %+v after %q", captures, l.last.Text)
			}
		})
	}
}
