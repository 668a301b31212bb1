package conversation

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
)

// begin takes up what the caller wants arranged, and says whether there is
// something new. Wishes for what is already under way change nothing.
func (t arrangement) begin() bool {
	for _, i := range t.heard.Intents {
		switch i {
		case Reschedule, Cancel, LookUp:
			return t.beginOwn(i)
		case Book:
			return t.beginBooking()
		case Order:
			return t.beginOrder()
		case Leave:
			return t.beginMessage()
		}
	}
	return false
}

// beginOwn is a wish to do with an appointment that exists.
func (t arrangement) beginOwn(i Intent) bool {
	task := &t.s.Task
	switch {
	case task.Kind == i:
		return false
	case task.Kind == Book && t.mix.Phrases("owns_already").In(t.tokens(t.heard.Text)):
		// it is about what they have, and not about what is being arranged
	case task.Kind == Book && i == Reschedule && (t.s.justBooked(i).ID == "" || task.Service != "" || task.Timed):
		return false // a change of what is being arranged, not of what was just made
	case task.Kind == Book && i == Cancel && t.heard.Code == "":
		t.talk().drop()
		return false
	case task.Kind == Reschedule && i == Cancel && task.Own.ID == "":
		t.s.want(i)
		task.Kind = i // it is not known yet which; what was given to find it stays
		return true
	}
	t.start(i)
	return true
}

func (t arrangement) beginBooking() bool {
	h, task := t.heard, t.s.Task
	if task.Kind != "" && task.Kind != Leave || t.resume() {
		return false
	}
	if h.DontKnow && t.replied && len(h.When.Mentions) == 0 {
		return false // "I was thinking of a perm but I don't know, how much is it?"
	}
	if !t.talk().canBook() || t.wantsUnbookable() {
		return t.notBooked()
	}
	t.start(Book)
	t.takeBefore(h.Same)
	return true
}

// wantsUnbookable says whether what is wanted is a service that cannot be booked here:
// it was named, or talked about last and no other is named now.
func (t arrangement) wantsUnbookable() bool {
	h := t.heard
	if len(h.Services) > 0 {
		return false
	}
	s := t.unbookable()
	if len(h.Unbookable) > 0 {
		return !h.UnsureService || len(t.catalogue.Likely(h.Text, t.s.Lang)) == 0
	}
	return s.ID != "" && !t.inquiry().MayName(h.Text, s.ID) && t.telling() <= mostBesideService
}

// unbookable is the service that is named now or was talked about last, where it
// cannot be booked here.
func (t arrangement) unbookable() catalogue.Service {
	if len(t.heard.Unbookable) > 0 {
		return t.heard.Unbookable[0]
	}
	if s, ok := t.inquiry().Subject(); ok && !s.Bookable {
		return s
	}
	return catalogue.Service{}
}

// notBooked says that something is not booked here, and takes a message about it with
// what was said of it. Who insists is told once more.
func (t arrangement) notBooked() bool {
	about, s := t.heard.Text, t.unbookable()
	phrase := "not_booked_here"
	if !t.talk().canBook() {
		phrase = "no_bookings"
	}
	t.say(phrase)
	if t.s.Task.Kind == Leave {
		t.changed = true
		return false
	}
	if s.ID != "" {
		t.questions().remember(s.ID)
		if name := s.Say(t.s.Lang); !says(about, name) {
			about = name + ": " + about
		}
	}
	t.message(frontdesk.Lead, about)
	return true
}

func (t arrangement) beginOrder() bool {
	if t.s.Task.Kind != "" {
		return false
	}
	sells := len(t.catalogue.Dishes)+len(t.catalogue.Products) > 0
	if !sells && len(t.heard.Services) > 0 && !t.heard.Has(Ask) { // a visit at home is delivered nowhere
		return t.beginBooking()
	}
	t.s.want(Order)
	if !sells {
		t.say("no_orders")
		t.message(frontdesk.Lead, t.heard.Text)
		return true
	}
	t.start(Order)
	t.s.Task.Note = frontdesk.Order
	return true
}

func (t arrangement) beginMessage() bool {
	kind, called := frontdesk.Lead, t.mix.Phrases("speaks_of_call").In(t.mix.Tokens(t.heard.Text))
	if called {
		kind = frontdesk.Callback
	}
	if t.s.Task.Kind == Book && called && t.asksForWish() {
		t.callAbout(kind)
		return true
	}
	if t.s.Task.Kind == Book && t.asksForWish() && t.mix.Phrases("leaves_word").In(t.tokens(t.heard.Text)) {
		t.message(frontdesk.Message, "") // a word for somebody, in the place of what was begun
		t.s.Task.Topic = hearing.OtherTopic
		return true
	}
	if t.s.Task.Kind != "" {
		return false
	}
	t.message(kind, t.unbookable().Say(t.s.Lang))
	if t.messages().tellsWhy() {
		t.s.Task.About = strings.TrimPrefix(t.s.Task.About+"\n"+t.heard.Text, "\n")
	}
	return true
}

// asksForWish says whether the caller was asked what they wish for, and not who they
// are.
func (t arrangement) asksForWish() bool {
	switch t.s.Expect {
	case SlotService, SlotDate, SlotTime, SlotPartySize, SlotChoice:
		return t.heard.Phone == ""
	}
	return false
}

// callAbout takes a message about what was being arranged, for who would rather be
// called about it.
func (t arrangement) callAbout(kind string) {
	wish := t.s.Task
	t.message(kind, strings.TrimPrefix(wish.about(t.turn)+"\n"+frontdesk.Clip(t.heard.Text, longestAbout), "\n"))
	t.talk().keepWish(wish)
	t.s.Task.Party = wish.Party
}

// resume takes up again what was being arranged when the caller was passed on,
// once.
func (t arrangement) resume() bool {
	if t.s.Paused == nil || t.s.Task.Kind != Leave || t.s.Resumed {
		return false
	}
	t.s.Task, t.s.Paused, t.s.Resumed = *t.s.Paused, nil, true
	t.s.Task.Tries = nil
	t.s.Expect = Nothing
	t.letChoices()
	return true
}

// comesBack says whether somebody who was passed on goes on booking instead of
// leaving a number.
func (t arrangement) comesBack() bool {
	h := t.heard
	_, day := h.When.Day()
	_, clock := h.When.Time()
	return t.s.Paused != nil && h.Phone == "" && h.BadPhone == "" && (day || clock || h.Party > 0) && t.resume()
}

// start begins a task afresh.
func (t arrangement) start(i Intent) {
	t.s.want(i)
	t.letChoices()
	t.s.Task = Task{Kind: i, Own: t.s.justBooked(i)}
	if i == Cancel && t.s.Task.Own.ID == "" {
		t.s.Task.Own = t.waitlist().joined()
	}
	if i == Book && len(t.s.Subjects) == 1 && len(t.heard.Services) == 0 && !t.s.happened(Booked) && t.unbookable().ID == "" && !t.inquiry().MayName(t.heard.Text, t.s.Subjects[0]) {
		t.s.Task.Service = t.s.Subjects[0] // "then put me down for one"
	}
	t.notes().takeLoose()
	t.keepTale()
	t.s.Expect = Nothing
	t.s.Misses = 0
	t.changed = true
}

// keepTale keeps what somebody told who named no service, or seemed to ask, where
// nothing of it was noted: who serves them must know what is the matter.
func (t arrangement) keepTale() {
	h := t.heard
	if t.s.Task.Kind != Book || t.replied || t.waits || len(h.Notes)+len(h.Asides) > 0 || len(h.Services) > 0 && !h.Has(Ask) || !t.matter().tellsMatter() {
		return
	}
	t.notes().keepNote(h.Text, false)
}

// justBooked is the appointment that was made in this very conversation, for
// those who want to change it again: they need not show that it is theirs.
func (s *State) justBooked(i Intent) Own {
	if i != Reschedule && i != Cancel && i != LookUp {
		return Own{}
	}
	var standing []Own
	for _, e := range s.Log {
		gone := e.Instead
		if e.Kind == Cancelled {
			gone = e.Capture
		}
		standing = slices.DeleteFunc(standing, func(o Own) bool { return o.ID == gone })
		if e.Kind == Booked || e.Kind == Moved {
			standing = append(standing, Own{ID: e.Capture, Service: e.Service, Of: e.Of, Party: e.Party, At: e.At, Name: e.Name, Phone: e.Phone, Notes: e.Notes})
		}
	}
	if len(standing) == 0 {
		return Own{}
	}
	return standing[len(standing)-1]
}

// message begins the taking of a message.
func (t arrangement) message(kind, about string) {
	t.start(Leave)
	if dropped := t.s.Dropped; dropped != "" && !says(about, dropped) {
		about = strings.TrimSuffix(dropped+"\n"+about, "\n")
	}
	t.s.Task.Note, t.s.Task.About, t.s.Dropped = kind, about, ""
}

func (t arrangement) letChoices() { t.s.Choices = nil }
