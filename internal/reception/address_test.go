package reception_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// mailed are the addresses of the notices that stand in the books.
func (f *front) mailed() map[string]int {
	f.t.Helper()
	l, err := f.store.Notices(ctx, f.owner, frontdesk.NoticeFilter{}, frontdesk.Page{Limit: 100})
	must(f.t, err)
	all := map[string]int{}
	for _, n := range l.Items {
		all[n.Address]++
	}
	return all
}

func newMailingFront(t *testing.T) *front {
	t.Helper()
	f := newFront(t)
	f.change(func(a *frontdesk.Agent) {
		a.Settings.Notices.Customer = []frontdesk.NoticeChannel{frontdesk.ByEmail}
		a.Config.Hours = &frontdesk.Hours{}
		for day := range 7 {
			a.Config.Hours[day] = frontdesk.Shift{Open: 10, Close: 12}
		}
		a.Config.Services = json.RawMessage(`[{"id":"checkup","name":"Revisión","duration_minutes":120}]`)
	})
	return f
}

// A name and a number move an appointment. They do not have its letters sent to
// somebody else.
func TestAnotherCallDoesNotTakeTheAddress(t *testing.T) {
	t.Parallel()
	f := newMailingFront(t)
	first := f.start()
	first.say("Quiero reservar una revisión el miércoles a las diez, soy Ana García, 612 345 678, mi correo es ana@example.com")
	first.say("sí")
	if first.capture == nil || first.capture.Visit.Email != "ana@example.com" {
		t.Fatalf("nothing was booked: %q", first.last.Text)
	}
	thief := f.start()
	thief.say("quiero cambiar mi cita")
	thief.say("no tengo el código, mi teléfono es el 612 345 678")
	thief.say("Ana García")
	thief.say("el jueves a las diez")
	thief.say("sí")
	thief.say("mi correo es thief@example.com")
	if !strings.Contains(thief.last.Text, "solo puede cambiarlo") {
		t.Errorf("the answer is %q", thief.last.Text)
	}
	if got := f.mailed(); got["thief@example.com"] > 0 {
		t.Errorf("letters go to %v", got)
	}
}

// Who asks for a place on the list that somebody has, with that name and number, is
// told so and nothing else.
func TestAnotherCallDoesNotGetThePlaceOnTheList(t *testing.T) {
	t.Parallel()
	f := newMailingFront(t)
	full := f.start()
	full.say("Quiero reservar una revisión el miércoles a las diez, soy Eva Ruiz, 612 000 111, no tengo correo")
	full.say("sí")
	join := func() *caller {
		c := f.start()
		c.say("apúntame en la lista de espera para una revisión el miércoles, soy Ana García, 612 345 678, mi correo es ana@example.com")
		for i := 0; i < 4 && c.last.Expect != conversation.SlotConfirm; i++ {
			c.say("cualquier hora")
		}
		c.say("sí")
		return c
	}
	if first := join(); first.capture == nil || first.capture.Kind != frontdesk.Waiting {
		t.Fatalf("nobody was noted: %q", first.last.Text)
	}
	again := join()
	if again.capture != nil || !strings.Contains(again.last.Text, "Ya está") {
		t.Errorf("the second got %+v: %q", again.capture, again.last.Text)
	}
	again.say("mi correo es thief@example.com")
	if got := f.mailed(); got["thief@example.com"] > 0 {
		t.Errorf("letters go to %v", got)
	}
}

func TestAddressesThatAreGivenAfterwardsAreFew(t *testing.T) {
	t.Parallel()
	f := newMailingFront(t)
	c := f.start()
	c.say("Quiero reservar una revisión el miércoles a las diez, soy Ana García, 612 345 678, no tengo correo")
	c.say("sí")
	for i := range 8 {
		c.say(fmt.Sprintf("mi correo es ana%d@example.com", i))
	}
	written := 0
	for address := range f.mailed() {
		if strings.HasPrefix(address, "ana") {
			written++
		}
	}
	if written != 3 {
		t.Errorf("%d addresses are written to", written)
	}
}
