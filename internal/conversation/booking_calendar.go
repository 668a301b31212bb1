package conversation

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
)

// wish is what the task comes to so far.
func (t booking) wish() Wish {
	task := t.s.Task
	service := t.service()
	if task.Own.Service != "" && !t.own().otherService() {
		service.Name = task.Own.Service // with what it is about, and also when the house no longer lists it
	}
	from, to := task.From, task.To
	if (task.First || task.Latest) && !t.opensBetween(task.Date, from, to) {
		from, to = dates.Clock{}, dates.Clock{} // the first thing of a day that begins at noon is noon
	}
	return Wish{
		Service: service, Resource: task.Resource, Date: task.Date, Clock: task.Clock, Timed: task.Timed, From: from, To: to,
		Party: task.Party, Moving: task.Own.ID, Last: task.Last, First: task.First, Latest: task.Latest, Suits: t.times().suits,
	}
}

// opensBetween says whether the house is open at some hour of those on a day, or
// nothing is known of the day.
func (t booking) opensBetween(d dates.Date, from, to dates.Clock) bool {
	if d.IsZero() || !t.s.Task.Last.IsZero() || t.isOpen == nil {
		return true
	}
	const step = 30 // minutes
	for m := 60*from.Hour + from.Minute; m < 60*to.Hour+to.Minute; m += step {
		if t.openOn(d, dates.Clock{Hour: m / 60, Minute: m % 60}) {
			return true
		}
	}
	return false
}

func (w Wish) key() string {
	return strings.Join([]string{w.Service.ID, w.Date.String(), w.Clock.String(), strconv.Itoa(w.Party), string(w.Moving), w.Resource}, "|")
}

func (w Wish) arguments() map[string]any {
	a := map[string]any{}
	if w.Service.Name != "" {
		a["service"] = w.Service.Name
	}
	if !w.Date.IsZero() {
		a["date"] = w.Date.String()
	}
	if w.Timed {
		a["time"] = w.Clock.String()
	}
	if w.Party > 0 {
		a["party_size"] = w.Party
	}
	if w.Resource != "" {
		a["resource_id"] = w.Resource
	}
	return a
}

func (o Openings) result() map[string]any {
	r := map[string]any{"free": o.Free}
	if o.Why != "" {
		r["why"] = o.Why
	}
	if len(o.Near) > 0 {
		near := make([]string, len(o.Near))
		for i, n := range o.Near {
			near[i] = n.Date.String() + "T" + n.Clock.String()
		}
		r["near"] = near
	}
	return r
}

// openings asks the calendar; false when it does not answer, which has then been
// told.
func (t booking) openings(w Wish) (Openings, bool) {
	o, err := t.desk.Openings(t.ctx, w)
	return o, t.looked("openings", w, o, err)
}

func (t booking) looked(name string, w Wish, o Openings, err error) bool {
	if err != nil {
		t.did(name, w.arguments(), map[string]any{"error": "unavailable"})
		t.outage()
		return false
	}
	t.did(name, w.arguments(), o.result())
	return true
}

// outage is a house that does not answer: the question stands, and after three
// times the caller is told where else to turn.
func (t booking) outage() {
	t.s.Misses++
	if t.s.Misses > maxMisses {
		t.s.Broken = true
		t.talk().giveUp()
		return
	}
	t.say("sorry")
	t.expect(t.s.Expect, t.s.LastReplies...)
}

// haveFree looks whether the wish can be met before the caller is asked for
// more.
func (t booking) haveFree() bool {
	w := t.wish()
	if t.s.Task.Checked == w.key() {
		return true
	}
	if !t.attendants().suits() {
		w = t.wish()
	}
	if task := &t.s.Task; !t.times().suits(w.Date, w.Clock) { // the caller has ruled it out
		task.Timed = false
		if slices.ContainsFunc(t.s.Refusals, func(r dates.Refusal) bool { return r.WholeDay(w.Date) }) {
			task.Date = dates.Date{}
		}
		return t.haveDay() && t.haveTime() && t.haveFree()
	}
	o, ok := t.openings(w)
	if !ok {
		return false
	}
	if !o.Free && t.nextPlace(o) {
		return t.haveFree()
	}
	if !o.Free {
		t.refuse(o)
		return false
	}
	t.s.Task.Checked = w.key()
	t.arrangement().letChoices()
	if t.mix.Phrases("free").In(t.tokens(t.heard.Text)) { // it was asked for
		t.say("is_free", "when", t.moment(w.Date, w.Clock))
	}
	return true
}

// refuse says why a wish cannot be met, and what can be had instead.
func (t booking) refuse(o Openings) {
	task := &t.s.Task
	task.Checked = ""
	if o.Why == WhyLarge {
		t.large(o.Most)
		return
	}
	if task.Denied++; task.Denied > 2*maxTries {
		t.arrangement().stuck(SlotTime)
		return
	}
	when := t.day(task.Date)
	if task.Timed {
		when = t.moment(task.Date, task.Clock)
	}
	if t.s.Expect == SlotChoice && !t.changed && task.try(SlotChoice) {
		t.arrangement().stuck(SlotTime)
		return
	}
	why := cmp.Or(o.Why, WhyFull)
	if why == WhyClosed && task.Timed && t.shows(task.Date, task.Clock) && t.openOn(task.Date, task.Clock) {
		why = "too_late" // it is open then, but not for as long as it takes
	}
	if why == WhyClosed && task.Date.Before(dates.DateOf(t.now).AddDays(2)) {
		why = "closed_near"
	}
	if why == WhyFull {
		t.waitlist().full()
	}
	who, asked := t.attendants().chosen()
	full := why == WhyFull
	switch {
	case asked && why == WhyFull:
		why = "full_with"
	case asked && why == WhyAway:
		why = "away_with"
	}
	t.say(why, "when", when, "who", who.Name)
	if full && len(o.Near) > 0 {
		t.waitlist().offerIt(o.Near...)
	}
	t.sayNear(o.Near)
}

// sayNear offers what is free near a time that cannot be had.
func (t booking) sayNear(near []Opening) {
	if len(near) == 0 {
		t.say("near_none")
		t.s.Task.Date, t.s.Task.Timed = dates.Date{}, false
		t.arrangement().letChoices()
		t.expect(SlotDate, t.nextDays()...)
		t.waitlist().offerIt()
		return
	}
	t.offerNear(near)
	phrase := "near"
	if len(near) == 1 {
		phrase = "near_one"
	}
	t.say(phrase, "times", t.list(t.offered(), "or"))
}

// large is a party that never fits: a person calls back, with the day, the hour
// and the number of people in hand.
func (t booking) large(most int) {
	wish := t.s.Task
	about := wish.about(t.turn)
	t.say("large", "most", strconv.Itoa(most))
	t.s.Reason = string(hearing.GroupEvent)
	t.s.log(Event{Kind: HandedOff, Text: "the party is larger than can be booked"})
	t.arrangement().message(frontdesk.Message, about)
	task := &t.s.Task
	task.Topic, task.Party, task.Service = hearing.GroupEvent, wish.Party, wish.Service
	task.Date, task.Clock, task.Timed = wish.Date, wish.Clock, wish.Timed
	task.Notes, task.Asides = wish.Notes, wish.Asides
	t.arrangement().next()
}
