package conversation

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

// waitlist is a turn with somebody for whom nothing is free: they may be noted
// for the day, or the hour, and are told when a place comes free.
type waitlist struct{ *turn }

func (t *turn) waitlist() waitlist { return waitlist{t} }

// heardWish hears what is said of the waiting list: to be taken off it, whether one is
// on it, or to be noted. That is no message, and no question. It says whether the turn
// is done.
func (t waitlist) heardWish() bool {
	words := t.tokens(t.heard.Text)
	switch {
	case t.mix.Phrases("leaves_list").In(words):
		return t.ownOnList(Cancel)
	case t.mix.Phrases("asks_list").In(words):
		return t.ownOnList(LookUp)
	case t.wants(words):
		t.takeWish()
	}
	return false // what is being arranged goes on with it
}

// wants says whether the caller wants to be noted: they say so or, where it was just
// offered, take it.
func (t waitlist) wants(words []language.Token) bool {
	task, offered := t.s.Task, t.offer == OfferWait || t.s.Expect == SlotChoice && t.s.Beside
	instead := task.Kind == Reschedule && task.Own.ID != "" || task.Kind == Leave && !task.Urgent
	if task.Kind == "" && t.heard.Has(Reschedule) || task.Kind != "" && task.Kind != Book && (!instead || t.s.Full.Date.IsZero()) {
		return false
	}
	return t.offer == OfferWait && t.heard.Yes && len(t.heard.When.Mentions) == 0 ||
		t.mix.Phrases("waiting_list").In(words) || offered && t.mix.Phrases("takes_list").In(words)
}

// passOver lets go of what the words about the list were taken for besides.
func (t waitlist) passOver() {
	h := &t.heard
	h.Messages, h.Question, h.Questions, h.Yes, h.No, h.Waits = nil, "", nil, h.Yes && t.s.Expect == SlotConfirm, false, false
	h.Intents = slices.DeleteFunc(h.Intents, func(i Intent) bool {
		return i != Thanks && i != Book && i != Greet && (i != Cancel || t.s.Task.Kind != "") // "cancel mine, and note me for Friday"
	})
}

// takeWish makes of what was heard the wish to be noted. Who has found another place
// takes that first.
func (t waitlist) takeWish() {
	task, full := t.s.Task, t.s.Full
	t.passOver()
	w := t.heard.When.Resolve(t.now, t.isOpen)
	if !w.Date.IsZero() && w.Last.IsZero() {
		full = Choice{Date: w.Date, Clock: w.Clock, Timed: w.Timed}
	}
	if task.Kind == Book && t.s.Expect == SlotChoice && full.Service == task.Service && task.Service != "" {
		t.heard.Services = nil // it was offered for the one that stands: "yes, and I have long hair"
	}
	if len(t.heard.Services) == 1 {
		task.Service = t.heard.Services[0].ID
	}
	switch t.waits = true; {
	case t.heard.Has(Cancel), task.Kind == Book && task.Checked != "" && !full.Date.IsZero() && full.Date != task.Date:
		t.waits = false
		t.after(Task{Kind: Book, Service: task.Service, Resource: task.Resource, Party: task.Party, Date: full.Date, Clock: full.Clock, Timed: full.Timed})
		return
	case task.Kind == Reschedule: // what they have stays
		t.s.Person.Name, t.s.Person.Phone = cmp.Or(task.Own.Name, t.s.Person.Name), cmp.Or(task.Own.Phone, t.s.Person.Phone)
		t.say("kept")
		t.arrangement().start(Book)
		t.s.Task.Service, t.s.Task.Party = task.Service, task.Party
	case task.Kind == Leave:
		t.arrangement().start(Book)
	}
	if !t.heard.Has(Book) {
		t.heard.Intents = append(t.heard.Intents, Book)
	}
}

// after keeps something about the list for when what is being arranged is done.
func (t waitlist) after(task Task) {
	if len(t.s.Queue) >= mostQueued {
		return
	}
	task.Further, task.Waits = true, true
	t.s.Queue = append(t.s.Queue, task)
	t.heard.When, t.changed = dates.Reading{}, true
	t.say("wait_after")
}

// begin makes of a booking the wish to wait, for the day that was full unless
// another is named.
func (t waitlist) begin() {
	task, full, booked := &t.s.Task, t.s.Full, t.s.justBooked(Reschedule)
	if !t.waits || task.Kind != Book {
		return
	}
	t.waits, task.Waits = false, true
	if task.Date.IsZero() || !task.Last.IsZero() {
		task.Date, task.Clock, task.Timed, task.Last = full.Date, full.Clock, full.Timed, dates.Date{}
	}
	task.Service, task.Party = cmp.Or(task.Service, full.Service, booked.Of), cmp.Or(task.Party, full.Party, booked.Party)
	task.Soonest, task.Clocks = false, nil
	t.arrangement().letChoices()
}

// full remembers a wish for which there was no place.
func (t waitlist) full() {
	task, before, was := t.s.Task, t.s.Full.Said, t.wished(t.s.Full)
	t.s.Full = Choice{Date: task.Date, Clock: task.Clock, Timed: task.Timed, Service: task.Service, Party: task.Party}
	if before == t.wished(t.s.Full) {
		t.s.Full.Said = before
	}
	t.s.Beside = t.s.Beside && was == t.wished(t.s.Full)
}

// wished is a day, or an hour of it, as it is said.
func (t waitlist) wished(c Choice) string {
	if c.Timed {
		return t.moment(c.Date, c.Clock)
	}
	return t.day(c.Date)
}

// offerIt proposes to wait for the day that was full, by itself or together with times
// of other days. Each is said once for each day.
func (t waitlist) offerIt(near ...Opening) {
	task, full := t.s.Task, &t.s.Full
	if full.Date.IsZero() || full.Said != "" || task.Kind != Book || full.Service != task.Service {
		return
	}
	if len(near) == 0 {
		full.Said, t.s.Offer = t.wished(*full), OfferWait
		t.say("wait_offer", "when", full.Said)
	} else if !t.s.Beside && task.Last.IsZero() && !slices.ContainsFunc(near, func(o Opening) bool { return o.Date == full.Date }) {
		t.s.Beside = true
		t.say("wait_beside")
	}
}

// next asks for what a note on the list needs, and reads it back, unless there is a
// place after all: then nobody need wait. It says whether the turn is done with that.
func (t waitlist) next() bool {
	task := &t.s.Task
	o, ok := t.booking().openings(t.booking().wish())
	if ok && (o.Free || !task.Timed && slices.ContainsFunc(o.Near, func(n Opening) bool { return n.Date == task.Date })) {
		task.Waits = false
		return false
	}
	if !ok || !t.contacts().have() {
		return true
	}
	if task.Hours != "" && !task.Timed {
		t.notes().keepNote(task.Hours, true)
		task.Hours = ""
	}
	when := t.wished(Choice{Date: task.Date, Clock: task.Clock, Timed: task.Timed})
	what := t.booking().what()
	if what == "" {
		what = t.words("wait_anything")
	}
	t.consent().readBack(t.notes().withNotes(t.words("read_back_wait", "what", what, "when", when, "name", t.s.Person.Name, "contact", t.contacts().spokenContact())))
	return true
}

// write notes who waits. The key is one for each wish of a person: who asks again is on
// the list already. It takes the name as well as the number, as finding what one has
// does, so that nobody learns of another's place by their number alone.
func (t waitlist) write() {
	task, p := t.s.Task, t.s.Person
	at := localTime(task.Date, task.Clock, task.Timed)
	key := []string{
		frontdesk.Waiting, string(t.agent.ID), cmp.Or(frontdesk.PhoneTail(p.Phone), p.Email), strings.Join(nameWords(p.Name), " "), task.Service,
		strconv.Itoa(task.Party), task.Resource, string(at),
	}
	n := Note{
		Key: strings.Join(key, "/"), Kind: frontdesk.Waiting, Name: p.Name, Phone: p.Phone, Email: p.Email, Service: t.booking().thing(),
		ServiceID: task.Service, ResourceID: task.Resource, Party: task.Party, Notes: task.written(), At: at, Now: t.now,
	}
	c, err := t.desk.Note(t.ctx, n)
	before := errors.Is(err, ErrNoted)
	if (err == nil || before) && (c.Status == frontdesk.Cancelled || c.Kind != frontdesk.Waiting) { // they had left, and come back
		n.Key += "/" + t.s.nextKey()
		c, err = t.desk.Note(t.ctx, n)
	} else if before { // whoever it was: this call neither changes it nor learns its code
		t.did("note", map[string]any{"kind": n.Kind, "about": n.Service}, map[string]any{"already": true})
		t.say("wait_already", "when", t.wished(Choice{Date: task.Date, Clock: task.Clock, Timed: task.Timed}))
		t.booking().close()
		return
	}
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

// ownOnList does something about the caller's own place on the list, which is found
// as appointments are: at once or, in the middle of a booking, after that.
func (t waitlist) ownOnList(kind Intent) bool {
	task := t.s.Task
	t.passOver()
	switch {
	case task.Kind == Book && task.Waits:
		t.talk().drop()
		return true
	case task.Kind == Book && kind == Cancel && task.Checked != "":
		t.after(Task{Kind: kind})
		return false
	case task.Kind == kind && task.Waits:
		return false
	}
	t.arrangement().start(kind)
	t.s.Task.Waits, t.s.Task.Own = true, t.joined()
	t.arrangement().arrange()
	return true
}

// joined is the last place on the list that was taken in this very conversation, and not
// left again.
func (t waitlist) joined() Own {
	var all []Own
	for _, e := range t.s.Log {
		switch {
		case e.Kind == Noted && e.Text == frontdesk.Waiting:
			all = append(all, Own{ID: e.Capture, Service: e.Service, At: e.At, Name: e.Name, Phone: e.Phone, Waits: true})
		case e.Kind == LeftList:
			all = slices.DeleteFunc(all, func(o Own) bool { return o.ID == e.Capture })
		}
	}
	if len(all) == 0 {
		return Own{}
	}
	return all[len(all)-1]
}
