package conversation

import (
	"errors"
	"strconv"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// holdAndRead keeps the place for a moment and reads the appointment back.
func (t booking) holdAndRead() {
	w := t.wish()
	o, err := t.desk.Hold(t.ctx, w)
	if !t.looked("hold", w, o, err) {
		return
	}
	if !o.Free {
		t.refuse(o)
		return
	}
	when := t.moment(t.s.Task.Date, t.s.Task.Clock)
	if task := t.s.Task; task.Kind == Reschedule && task.Amends && t.what() != "" {
		t.consent().readBack(t.notes().withNotes(t.words("read_back_amend", "what", t.what(), "when", when, "name", task.Own.Name, "contact", t.words("by_phone", "phone", spokenPhone(task.Own.Phone)))))
		return
	}
	if t.s.Task.Kind == Reschedule {
		t.consent().readBack(t.notes().withNotes(t.words("read_back_move", "old", t.localMoment(t.s.Task.Own.At), "when", when)))
		return
	}
	phrase, what := "read_back", t.what()
	if what == "" {
		phrase = "read_back_plain"
	}
	t.consent().readBack(t.contacts().addressToo(t.notes().withNotes(t.words(phrase, "what", what, "when", when, "name", t.s.Person.Name, "contact", t.contacts().spokenContact()))))
}

// what is the thing that is booked, with how many come.
func (t booking) what() string {
	parts := []string{}
	thing := t.thing()
	if task := t.s.Task; task.Amends && !t.own().otherService() {
		thing = task.Own.Service // with what it is about
	}
	if thing != "" {
		parts = append(parts, thing)
	}
	switch n := t.s.Task.Party; {
	case n == 1 && t.countsPeople():
		parts = append(parts, t.words("person"))
	case n > 1:
		parts = append(parts, t.words("people", "n", strconv.Itoa(n)))
	}
	if r, asked := t.attendants().chosen(); asked {
		parts = append(parts, t.words("with_resource", "who", r.Name))
	}
	return strings.Join(parts, ", ")
}

// thing is the service that is booked, with the property that it is about.
func (t booking) thing() string {
	name := t.service().Say(t.s.Lang)
	switch {
	case t.s.Listing == "":
		return name
	case name == "":
		return "ref. " + t.s.Listing
	}
	return name + ", ref. " + t.s.Listing
}

// write does what the caller has said yes to.
func (t booking) write() {
	if t.s.Task.Waits && t.s.Task.Kind == Book {
		t.waitlist().write()
		return
	}
	switch t.s.Task.Kind {
	case Book, Reschedule:
		t.writeBooking()
	case Cancel:
		t.own().writeCancel()
	case Leave, Order:
		t.messages().writeNote()
	}
}

func (t booking) writeBooking() {
	if t.s.Task.Kind == Book && t.s.Task.Service != "" && t.service().ID == "" {
		t.serviceGone()
		return
	}
	task, w := t.s.Task, t.wish()
	b := Booking{
		Key: t.s.nextKey() + "/" + w.key() + "/" + t.s.Listing, Wish: w, About: t.s.Listing,
		Name: t.s.Person.Name, Phone: t.s.Person.Phone, Email: t.s.Person.Email, Notes: task.written(), Now: t.now,
	}
	if task.Kind == Reschedule { // what is moved stays whose it was, and what it was about
		b.Name, b.Phone, b.About = task.Own.Name, task.Own.Phone, ""
		b.Notes, b.Without = frontdesk.TidyNotes(task.Own.Notes+"\n"+b.Notes), strings.Join(task.Gone, "\n")
	}
	c, err := t.desk.Book(t.ctx, b)
	switch {
	case errors.Is(err, ErrTaken):
		t.did("book", w.arguments(), map[string]any{"taken": true})
		t.taken(w)
	case errors.Is(err, ErrTooMany):
		t.did("book", w.arguments(), map[string]any{"error": "too many"})
		t.tooMany()
	case errors.Is(err, ErrManyOpen):
		t.did("book", w.arguments(), map[string]any{"error": "too many open"})
		t.manyOpen()
	case err != nil:
		t.did("book", w.arguments(), map[string]any{"error": "unavailable"})
		t.notWritten()
	default:
		t.did("book", w.arguments(), map[string]any{"confirmation_code": c.ConfirmationCode, "scheduled_at": string(c.ScheduledAt)})
		t.booked(c)
	}
}

// serviceGone is a service that the business took away meanwhile.
func (t booking) serviceGone() {
	t.s.Task.Service, t.s.Task.ReadBack, t.s.Task.Checked = "", "", ""
	t.changed = true
	t.say("service_gone")
	t.arrangement().next()
}

// booked tells the caller, and closes the task.
func (t booking) booked(c frontdesk.Capture) {
	if r, known := t.agent.Settings.Calendar.Resource(c.Visit.ResourceID); known && r.Kind == "person" {
		t.s.Task.Resource = r.ID // the caller is told who expects them
	}
	task := t.s.Task
	kind, phrase := Booked, "booked"
	if task.Kind == Reschedule {
		kind, phrase = Moved, "moved"
		if task.Amends && t.what() != "" {
			phrase = "amended"
		}
	} else if t.what() == "" {
		phrase = "booked_plain"
	}
	t.s.Keys++
	t.s.log(Event{
		Kind: kind, Capture: c.ID, Instead: task.Own.ID, Service: c.Service, Thing: t.thing(), Of: task.Service, At: c.ScheduledAt, Name: c.CustomerName, Phone: c.CustomerPhone,
		Party: task.Party, Code: c.ConfirmationCode, Notes: c.Notes,
	})
	t.out.Capture = &c
	t.s.Full.Service = "" // it may still be asked for, and is not offered again
	t.say(phrase, "what", t.what(), "when", t.localMoment(c.ScheduledAt), "code", c.ConfirmationCode)
	if c.Unchecked {
		t.say("to_be_confirmed")
	}
	t.close()
}

// close ends a task that is done.
func (t booking) close() {
	t.s.Task = Task{}
	t.arrangement().letChoices()
	t.s.Misses = 0
	if t.arrangement().nextWish() {
		return
	}
	t.talk().offerMore()
}

// taken is a place that went to somebody else between the read-back and the yes.
func (t booking) taken(w Wish) {
	t.say("taken")
	o, ok := t.openings(w)
	if !ok {
		return
	}
	if o.Free { // it was let go again meanwhile
		t.changed = true
		t.holdAndRead()
		return
	}
	t.said = t.said[:len(t.said)-1]
	t.s.Task.ReadBack = ""
	t.refuse(o)
}

// notWritten is a yes that could not be followed.
func (t booking) notWritten() {
	if t.s.Task.try(SlotConfirm) {
		t.s.Broken = true
		t.talk().giveUp()
		return
	}
	t.say("not_written")
	t.expect(SlotConfirm, t.words("yes"), t.words("no"))
}

// tooMany is a yes that is not followed because there were too many of them. The
// business itself decides, by telephone.
func (t booking) tooMany() {
	t.talk().sayOrCall("too_many")
	t.close()
}

// manyOpen is a caller who has as many appointments to come as one may have.
func (t booking) manyOpen() {
	if n := t.agent.Settings.Calendar.OpenPerCustomer(); n == 1 {
		t.say("one_open")
	} else {
		t.say("many_open", "n", strconv.Itoa(n))
	}
	t.close()
}

// about says in a few words what a task was about, for whoever takes over.
func (task Task) about(t *turn) string {
	var parts []string
	switch task.Kind {
	case Book, Reschedule, Cancel:
		parts = append(parts, t.words("about_"+string(task.Kind)))
	case Leave:
		return task.About
	case Order:
		return spokenItems(task.Items)
	default:
		return t.questions().last(Unanswered)
	}
	if name := t.booking().service().Say(t.s.Lang); name != "" {
		parts = append(parts, name)
	}
	if !task.Date.IsZero() {
		parts = append(parts, t.shortDay(task.Date))
	}
	if task.Timed {
		parts = append(parts, task.Clock.String())
	}
	if task.Party > 1 || task.Party > 0 && t.booking().countsPeople() {
		parts = append(parts, t.words("people", "n", strconv.Itoa(task.Party)))
	}
	return strings.Join(parts, ", ")
}
