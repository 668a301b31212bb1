package conversation

import (
	"cmp"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// waitlist is a turn with somebody for whom nothing is free: they may be noted
// for the day, or the hour, and are told when a place comes free.
type waitlist struct{ *turn }

func (t *turn) waitlist() waitlist { return waitlist{t} }

// heardWish hears whether the caller wants to be noted. What is said of it is no
// message, and no question.
func (t waitlist) heardWish() bool {
	task := t.s.Task
	if task.Kind != "" && task.Kind != Book {
		return false
	}
	accepted := t.offer == OfferWait && t.heard.Yes && len(t.heard.When.Mentions) == 0
	if !accepted && !t.mix.Phrases("waiting_list").In(t.tokens(t.heard.Text)) {
		return false
	}
	t.waits = true
	t.heard.Messages, t.heard.Question, t.heard.Yes = nil, "", false
	t.heard.Intents = slices.DeleteFunc(t.heard.Intents, func(i Intent) bool { return i == Leave || i == Ask || i == LookUp || i == Human })
	if !t.heard.Has(Book) {
		t.heard.Intents = append(t.heard.Intents, Book)
	}
	return false // the booking goes on with it
}

// begin makes of a booking the wish to wait, for the day that was full unless
// another is named.
func (t waitlist) begin() {
	task := &t.s.Task
	if !t.waits || task.Kind != Book {
		return
	}
	t.waits, task.Waits = false, true
	if task.Date.IsZero() || !task.Last.IsZero() {
		task.Date, task.Clock, task.Timed, task.Last = task.Full.Date, task.Full.Clock, task.Full.Timed, dates.Date{}
	}
	task.Soonest, task.Clocks = false, nil
	t.arrangement().letChoices()
}

// full remembers a wish for which there was no place.
func (t waitlist) full() {
	task := &t.s.Task
	task.Full = Choice{Date: task.Date, Clock: task.Clock, Timed: task.Timed}
}

// wished is a day, or an hour of it, as it is said.
func (t waitlist) wished(c Choice) string {
	if c.Timed {
		return t.moment(c.Date, c.Clock)
	}
	return t.day(c.Date)
}

// offerIt proposes to wait for the day that was full. It is said once for each.
func (t waitlist) offerIt() {
	task := &t.s.Task
	if task.Full.Date.IsZero() || task.Full.Said != "" || task.Kind != Book {
		return
	}
	task.Full.Said = t.wished(task.Full)
	t.say("wait_offer", "when", task.Full.Said)
	t.s.Offer = OfferWait
}

// standsFree says whether there is a place after all: then nobody need wait.
func (t waitlist) standsFree() (free, ok bool) {
	task := &t.s.Task
	o, ok := t.booking().openings(t.booking().wish())
	if !ok {
		return false, false
	}
	return o.Free || !task.Timed && slices.ContainsFunc(o.Near, func(n Opening) bool { return n.Date == task.Date }), true
}

// next asks for what a note on the list needs, and reads it back. It says whether
// the turn is done with that.
func (t waitlist) next() bool {
	free, ok := t.standsFree()
	if !ok {
		return true
	}
	if free {
		t.s.Task.Waits = false
		return false
	}
	if !t.contacts().haveName() || !t.contacts().havePhone() {
		return true
	}
	when := t.wished(Choice{Date: t.s.Task.Date, Clock: t.s.Task.Clock, Timed: t.s.Task.Timed})
	what := t.booking().what()
	if what == "" {
		what = t.words("wait_anything")
	}
	t.consent().readBack(t.notes().withNotes(t.words("read_back_wait", "what", what, "when", when, "name", t.s.Person.Name, "phone", t.contacts().spokenContact())))
	return true
}

// waitKey is one for each day that a person waits for: who asks again is on the
// list already.
func waitKey(p Person, agent frontdesk.ID, day dates.Date) string {
	return strings.Join([]string{frontdesk.Waiting, string(agent), cmp.Or(frontdesk.PhoneTail(p.Phone), p.Email), day.String()}, "/")
}

// write notes who waits.
func (t waitlist) write() {
	task, p := t.s.Task, t.s.Person
	n := Note{
		Key: waitKey(p, t.agent.ID, task.Date), Kind: frontdesk.Waiting, Name: p.Name, Phone: p.Phone, Email: p.Email, Service: t.booking().thing(),
		ServiceID: task.Service, ResourceID: task.Resource, Party: task.Party, Notes: task.written(), At: localTime(task.Date, task.Clock, task.Timed), Now: t.now,
	}
	c, err := t.desk.Note(t.ctx, n)
	if err != nil {
		t.messages().notNoted(n.Kind, err)
		return
	}
	t.did("note", map[string]any{"kind": n.Kind, "about": n.Service}, map[string]any{"confirmation_code": c.ConfirmationCode})
	t.s.Keys++
	t.s.log(Event{Kind: Noted, Text: n.Kind, Capture: c.ID, Service: c.Service, At: c.ScheduledAt, Name: c.CustomerName, Phone: c.CustomerPhone, Code: c.ConfirmationCode})
	t.out.Capture = &c
	t.say("wait_noted", "when", t.wished(Choice{Date: task.Date, Clock: task.Clock, Timed: task.Timed}), "code", c.ConfirmationCode)
	t.booking().close()
}
