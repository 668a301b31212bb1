package conversation

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

// takeOwn takes what shows that an appointment is the caller's.
func (t own) takeOwn() {
	h, task := t.heard, &t.s.Task
	if task.Own.ID != "" {
		return
	}
	if h.Code != "" {
		task.Code = h.Code
	}
	if h.Phone != "" {
		task.ByName = true
	}
	if n := h.Choice; n != 0 && len(task.Found) > 0 {
		if n < 0 || n > len(task.Found) {
			n = len(task.Found)
		}
		t.isOwn(task.Found[n-1])
	}
}

func ownOf(c frontdesk.Capture) Own {
	return Own{
		ID: c.ID, Service: c.Service, Of: c.Visit.ServiceID, Party: c.Visit.Party, At: c.ScheduledAt,
		Name: c.CustomerName, Phone: c.CustomerPhone, Notes: c.Notes, Waits: c.Kind == frontdesk.Waiting,
	}
}

// isMeant says whether something that was found is what the caller speaks of: their
// appointment, or their place on the waiting list. Whose code it is knows it.
func (t own) isMeant(c frontdesk.Capture) bool {
	task := t.s.Task
	if c.Kind == frontdesk.Waiting {
		return task.Code != "" && task.Kind != Reschedule || task.Waits && sameName(c.CustomerName, t.s.Person.Name)
	}
	return !task.Waits && (task.Code != "" || sameName(c.CustomerName, t.s.Person.Name))
}

// words are a phrase in the words for a place on the list, where it is about that and
// there are such.
func (t own) words(phrase string, pairs ...string) string {
	if task := t.s.Task; task.Waits || task.Own.Waits {
		return cmp.Or(t.turn.words(phrase+"_list", pairs...), t.turn.words(phrase, pairs...))
	}
	return t.turn.words(phrase, pairs...)
}

// moment is the time of something that exists: of a place on the list, the day or the
// hour that is waited for.
func (t own) moment(o Own) string {
	if d, c, ok := splitLocal(o.At); ok && o.Waits {
		return t.waitlist().wished(Choice{Date: d, Clock: c, Timed: c != dates.Clock{}})
	}
	return t.localMoment(o.At)
}

func (t own) isOwn(o Own) {
	t.s.Task.Own, t.s.Task.Found = o, nil
	t.arrangement().letChoices()
}

// nextOwn finds the caller's appointment, then does with it what they want.
func (t own) nextOwn() {
	task := &t.s.Task
	if task.Own.ID == "" && !t.haveOwn() {
		return
	}
	switch task.Kind {
	case LookUp:
		t.tellOwn()
	case Cancel:
		t.consent().readBack(t.words("read_back_cancel", "when", t.moment(task.Own)))
		if t.s.Expect == SlotConfirm {
			t.expect(SlotConfirm, t.words("yes"), t.words("no"))
		}
	case Reschedule:
		t.nextMove()
	}
}

func (t own) nextMove() {
	task := &t.s.Task
	if task.Amends && task.Date.IsZero() && !task.Timed && len(task.Clocks) == 0 && !task.Soonest && len(t.s.Choices) == 0 {
		if d, c, ok := splitLocal(task.Own.At); ok {
			task.Date, task.Clock, task.Timed = d, c, true
		}
	}
	task.Service = cmp.Or(task.Service, task.Own.Of, t.serviceNamed(task.Own.Service))
	task.Party = cmp.Or(task.Party, task.Own.Party)
	t.keepOldTime()
	if d, c, ok := splitLocal(task.Own.At); ok && !task.Amends && task.Timed && task.Date == d && task.Clock == c {
		t.say("same_time")
		task.Date, task.Timed = dates.Date{}, false
		t.arrangement().ask(SlotDate, t.words("ask_date"), t.words("ask_date_again"), t.booking().nextDays()...)
		return
	}
	if task.Date.IsZero() && !task.Soonest && len(t.s.Choices) == 0 && task.Tries[SlotDate] == 0 {
		t.arrangement().ask(SlotDate, t.words("move_to", "when", t.localMoment(task.Own.At)), t.words("ask_date_again"), t.booking().nextDays()...)
		return
	}
	t.booking().nextBooking()
}

// takeAmended takes what is changed of an appointment beside its time: how many come,
// the service, and of one that was just made whose it is.
func (t own) takeAmended() {
	h, task := t.heard, &t.s.Task
	if h.Party > 0 && h.Party != cmp.Or(task.Party, task.Own.Party) && t.booking().countsPeople() {
		task.Party, task.Amends = h.Party, true
	}
	if h.Swapped && len(h.Services) == 1 && h.Services[0].ID != cmp.Or(task.Service, task.Own.Of) {
		task.Service, task.Amends = h.Services[0].ID, true
	}
	if task.Own.ID == "" || task.Own.ID != t.s.justBooked(Reschedule).ID {
		return
	}
	if h.Name != "" && h.Name != task.Own.Name {
		task.Own.Name, task.Amends = h.Name, true
	}
	if h.Phone != "" && h.Phone != task.Own.Phone {
		task.Own.Phone, task.Amends = h.Phone, true
	}
}

// otherService says whether another service is wanted than the appointment was for.
func (t own) otherService() bool {
	task := t.s.Task
	was := cmp.Or(task.Own.Of, t.serviceNamed(task.Own.Service))
	return task.Amends && task.Service != "" && task.Service != was
}

// serviceNamed is the id of the service that a business calls so.
func (t own) serviceNamed(name string) string {
	for _, s := range t.bookable {
		if name != "" && slices.Contains(s.AllNames(), name) {
			return s.ID
		}
	}
	return ""
}

// keepOldTime takes from the old appointment what was not said of the new one:
// "at six" is the same day, "on Thursday" the same time.
func (t own) keepOldTime() {
	task := &t.s.Task
	d, c, ok := splitLocal(task.Own.At)
	switch {
	case !ok:
	case task.Date.IsZero() && (task.Timed || len(task.Clocks) > 0):
		task.Date = d
		t.times().settleClocks()
	case !task.Date.IsZero() && task.Last.IsZero() && d != task.Date && !task.Timed && len(task.Clocks) == 0 && task.To == (dates.Clock{}) && task.Tries[SlotTime] == 0:
		task.Clock, task.Timed = c, true
	}
}

// haveOwn asks for the code, or the number and the name, and looks.
func (t own) haveOwn() bool {
	task := &t.s.Task
	switch {
	case t.s.Strangers >= maxLookups:
		t.talk().handOff("stuck", "no appointment was found")
		return false
	case len(task.Found) > 1:
		t.offerOwn()
		return false
	case task.Code == "" && !task.ByName && t.s.Expect == SlotCode && (t.heard.DontKnow || t.heard.No):
		t.arrangement().ask(SlotPhone, t.words("ask_own_phone"), t.words("ask_phone_again"))
		return false
	case task.Code == "" && !task.ByName && t.s.Expect == SlotPhone:
		if t.heard.BadPhone != "" {
			t.say("bad_phone", "phone", t.heard.BadPhone)
		}
		t.arrangement().ask(SlotPhone, t.words("ask_own_phone"), t.words("ask_phone_again"))
		return false
	case task.Code == "" && !task.ByName:
		t.arrangement().ask(SlotCode, t.words("ask_code"), t.words("ask_code_again"))
		return false
	case task.Code == "" && t.s.Person.Name == "":
		t.arrangement().ask(SlotName, t.words("ask_own_name"), t.words("ask_name_again"))
		return false
	}
	return t.findOwn()
}

func (t own) findOwn() bool {
	task := &t.s.Task
	phone, by := "", map[string]any{"by": "code"}
	if task.Code == "" {
		phone, by["by"] = t.s.Person.Phone, "phone"
	}
	found, err := t.desk.Find(t.ctx, task.Code, phone)
	if err != nil {
		t.did("find", by, map[string]any{"error": "unavailable"})
		t.booking().outage()
		return false
	}
	var own []Own
	for _, c := range found {
		if t.isMeant(c) {
			own = append(own, ownOf(c))
		}
	}
	t.did("find", by, map[string]any{"found": len(own)})
	switch len(own) {
	case 0:
		if task.Code == "" {
			t.s.Person.Name = "" // it did not fit: it is asked for again with the next number
		}
		task.Code, task.ByName = "", false
		t.sayText(t.words("not_found"))
		if t.s.Strangers++; t.s.Strangers >= maxLookups {
			t.talk().handOff("stuck", "no appointment was found")
			return false
		}
		if t.s.Expect != SlotCode {
			t.s.Expect = SlotCode // the name is asked for once with each number
		}
		t.changed = false
		t.arrangement().ask(SlotCode, t.words("ask_code_again"), t.words("ask_code_again"))
		return false
	case 1:
		t.isOwn(own[0])
		return true
	}
	task.Found = own[:min(len(own), 5)]
	t.offerOwn()
	return false
}

func (t own) offerOwn() {
	t.s.Choices = nil
	for i, o := range t.s.Task.Found {
		c := Choice{Said: t.moment(o), Own: i + 1}
		c.Date, c.Clock, c.Timed = splitLocal(o.At)
		t.s.Choices = append(t.s.Choices, c)
	}
	t.arrangement().ask(SlotChoice, t.words("which_own", "times", t.list(t.booking().offered(), "and")), "", t.booking().chips()...)
}

// sameName says whether a name that a caller gives is the one that was booked
// under: all of it must stand there, and something that tells people apart.
func sameName(booked, given string) bool {
	own, tells := nameWords(booked), false
	for _, w := range nameWords(given) {
		if !slices.Contains(own, w) {
			return false
		}
		tells = tells || !spoken("particles")[w]
	}
	return tells
}

func nameWords(name string) []string {
	return strings.FieldsFunc(language.Fold(strings.ToLower(name)), func(r rune) bool { return !unicode.IsLetter(r) })
}

func (t own) tellOwn() {
	o := t.s.Task.Own
	t.s.log(Event{Kind: LookedUp, Service: o.Service, At: o.At})
	phrase := "own"
	if o.Service == "" {
		phrase = "own_plain"
	}
	t.sayText(t.words(phrase, "what", o.Service, "when", t.moment(o)))
	t.booking().close()
}

func (t own) writeCancel() {
	o := t.s.Task.Own
	if err := t.desk.Cancel(t.ctx, o.ID); err != nil {
		t.did("cancel", map[string]any{"scheduled_at": string(o.At)}, map[string]any{"error": "unavailable"})
		t.booking().notWritten()
		return
	}
	t.did("cancel", map[string]any{"scheduled_at": string(o.At)}, map[string]any{"status": string(frontdesk.Cancelled)})
	gone := Event{Kind: Cancelled, Capture: o.ID, Service: o.Service, At: o.At, Name: o.Name}
	if o.Waits {
		gone.Kind = LeftList
	}
	t.s.log(gone)
	t.sayText(t.words("cancelled", "when", t.moment(o)))
	t.booking().close()
}
