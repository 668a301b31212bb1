package conversation

import (
	"cmp"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/passage"
)

// nextBooking asks for what an appointment still lacks: what, for how many,
// when, and who.
func (t booking) nextBooking() {
	task := &t.s.Task
	t.waitlist().begin()
	if task.Kind == Book && (!t.haveService() || !t.haveParty()) {
		return
	}
	if !t.haveDay() || task.Waits && t.waitlist().next() || !t.haveTime() || !t.haveFree() {
		return
	}
	if t.corrected && (t.s.Person.Name == "" || t.s.Person.Phone == "") {
		t.say("change_heard", "when", t.moment(task.Date, task.Clock))
	}
	if task.Kind == Book && !t.contacts().have() {
		return
	}
	t.holdAndRead()
}

// haveService asks for the service unless there is only one, or the house has a
// usual one: a table is a table.
func (t booking) haveService() bool {
	task := &t.s.Task
	if task.Service == "" && t.s.Expect == SlotService && t.questions().sayNotDone() {
		return false
	}
	if t.matter().askedInVain() {
		return t.matter().settleService()
	}
	switch {
	case len(t.bookable) == 0:
		return true
	case task.Service != "" && t.service().ID != "":
		return true
	case len(t.s.Choices) == 1 && t.s.Choices[0].Service != "":
		t.arrangement().ask(SlotService, t.words("is_it_service", "service", t.s.Choices[0].Said), t.words("which_service", "services", t.list(t.matter().names(), "or")), t.words("yes"), t.words("no"))
		return false
	case len(t.s.Choices) > 1 && t.s.Choices[0].Service != "":
		t.arrangement().ask(SlotService, t.words("which_service", "services", t.list(t.offered(), "or")), "", t.offered()...)
		return false
	case len(t.bookable) == 1, t.trade.SeatsParties:
		task.Service = t.bookable[0].ID
		return true
	case t.s.Listing != "" && t.matter().viewing() != "":
		task.Service = t.matter().viewing()
		return true
	}
	t.matter().askService()
	return false
}

// askedInVain says whether the service was asked for twice already, and the answer
// said nothing of it.
func (t matter) askedInVain() bool {
	task := t.s.Task
	return task.Service == "" && t.s.Expect == SlotService && task.Tries[SlotService] > 1 && !t.changed && !t.replied && !t.heard.Waits
}

// settleService ends the asking for a service: it takes the one for whatever there is
// among those that were offered, else a person calls back.
func (t matter) settleService() bool {
	for _, s := range t.catalogue.General() {
		if slices.ContainsFunc(t.s.Choices, func(c Choice) bool { return c.Service == s.ID }) {
			t.s.Task.Service = s.ID
			t.arrangement().letChoices()
			t.said, t.changed = nil, true
			t.say("change_heard", "when", s.Say(t.s.Lang))
			return true
		}
	}
	t.arrangement().stuck(SlotService)
	return false
}

// viewing is the service by which a property is seen, "" when there is none.
func (t matter) viewing() string {
	for _, m := range t.catalogue.FindServices("visita viewing", t.s.Lang) {
		if m.Entry.Bookable {
			return m.Entry.ID
		}
	}
	return ""
}

// names are those of all services that can be booked.
func (t matter) names() []string {
	said := make([]string, len(t.bookable))
	for i, s := range t.bookable {
		said[i] = s.Say(t.s.Lang)
	}
	return said
}

func (t matter) askService() {
	const most = 4
	if t.questions().sayNotDone() || t.askLikely() {
		return
	}
	t.s.Choices = nil
	for _, s := range t.bookable {
		t.s.Choices = append(t.s.Choices, Choice{Said: s.Say(t.s.Lang), Service: s.ID})
	}
	names := t.booking().offered()
	if len(names) > most {
		t.arrangement().ask(SlotService, t.words("ask_service_many", "services", t.list(names[:most], "and")),
			t.words("which_service", "services", t.list(names, "or")), names...)
		return
	}
	t.arrangement().ask(SlotService, t.words("ask_service", "services", t.list(names, "or")),
		t.words("which_service", "services", t.list(names, "or")), names...)
}

// askLikely asks who told what is the matter, and named no service, for the few
// that may fit: those that what was told speaks for, and those for whatever there is.
func (t matter) askLikely() bool {
	const most = 3
	if t.s.Task.Tries[SlotService] > 1 || !t.tellsMatter() && len(t.s.Task.Notes) == 0 {
		return false
	}
	told := strings.Join(append(slices.Clone(t.s.Task.Notes), t.heard.Text), ". ")
	likely, general := t.catalogue.Likely(told, t.s.Lang), t.catalogue.General()
	if len(general) >= most || len(general) == 0 && (len(likely) == 0 || len(likely) > most) {
		return false
	}
	t.s.Choices = nil
	for _, s := range slices.Concat(likely[:min(len(likely), most-len(general))], general) {
		if !slices.ContainsFunc(t.s.Choices, func(c Choice) bool { return c.Service == s.ID }) {
			t.s.Choices = append(t.s.Choices, Choice{Said: s.Say(t.s.Lang), Service: s.ID})
		}
	}
	return !t.booking().haveService()
}

// tellsMatter says whether words were said that tell what is the matter: neither when
// nor that a place is wanted, nor who the caller is.
func (t matter) tellsMatter() bool {
	const fewest = 2
	n := 0
	for _, w := range t.tokens(t.heard.Text) {
		at := func(m dates.Mention) bool { return w.Start >= m.Start && w.Start < m.End }
		if w.Figures || !passage.Telling(w.Word) || slices.ContainsFunc(t.heard.When.Mentions, at) || says(t.heard.Name, w.Word) {
			continue
		}
		if !t.sources().SpeaksOfBooking(w.Word) {
			n++
		}
	}
	return n >= fewest
}

// offered are the choices as they were said.
func (t booking) offered() []string {
	said := make([]string, len(t.s.Choices))
	for i, c := range t.s.Choices {
		said[i] = c.Said
	}
	return said
}

// service is the one of the task.
func (t booking) service() catalogue.Service {
	at := slices.IndexFunc(t.bookable, func(s catalogue.Service) bool { return s.ID == t.s.Task.Service })
	if at < 0 {
		return catalogue.Service{}
	}
	return t.bookable[at]
}

// countsPeople says whether the house asks how many come.
func (t booking) countsPeople() bool {
	return t.trade.SeatsParties || t.trade.StaysOvernight
}

// coming is how many people the appointment is for that is arranged, or was just made.
func (t booking) coming() int {
	if task := t.s.Task; task.Kind != "" {
		return cmp.Or(task.Party, task.Own.Party)
	}
	return t.s.justBooked(Reschedule).Party
}

func (t booking) haveParty() bool {
	if !t.countsPeople() || t.s.Task.Party > 0 {
		return true
	}
	t.arrangement().ask(SlotPartySize, t.words("ask_party"), t.words("ask_party_again"), "2", "3", "4", "6")
	return false
}

// offerStands says whether times were offered that were neither taken nor refused:
// something else was told meanwhile.
func (t booking) offerStands() bool {
	c := t.s.Choices
	return t.s.Task.Date.IsZero() && !t.s.Task.Soonest && len(c) > 0 && c[0].Timed && !c[0].Date.IsZero() && !t.heard.No
}

// haveDay asks for the day.
func (t booking) haveDay() bool {
	task := &t.s.Task
	switch {
	case t.offerStands():
		phrase := "near"
		if len(t.s.Choices) == 1 {
			phrase = "near_one"
		}
		t.arrangement().ask(SlotChoice, t.words(phrase, "times", t.list(t.offered(), "or")), "", t.chips()...)
	case len(t.s.Choices) > 1 && !t.s.Choices[0].Timed && !t.s.Choices[0].Date.IsZero():
		t.arrangement().ask(SlotDate, t.words("ask_which_day", "days", upper(t.list(t.offered(), "or"))), t.words("ask_date_again"), t.chips()...)
	case !task.Last.IsZero() && !task.Soonest:
		t.arrangement().ask(SlotDate, t.words("ask_date_of", "first", t.day(task.Date), "last", t.day(task.Last)), t.words("ask_date_again"))
	case !task.Date.IsZero() && task.Last.IsZero():
		return true
	case task.Soonest:
		return t.takeSoonest()
	default:
		t.arrangement().ask(SlotDate, t.words("ask_date"), t.words("ask_date_again"), t.nextDays()...)
		t.waitlist().offerIt()
	}
	return false
}

func (t booking) chips() []string {
	said := make([]string, len(t.s.Choices))
	for i, c := range t.s.Choices {
		said[i] = t.chip(c)
	}
	return said
}

// nextDays are buttons for the next days that the house is open.
func (t booking) nextDays() (days []string) {
	for d := dates.DateOf(t.now); len(days) < 3 && d.Before(dates.DateOf(t.now).AddDays(10)); d = d.AddDays(1) {
		if t.opensOn(d) {
			days = append(days, t.shortDay(d))
		}
	}
	return days
}

func (t booking) opensOn(d dates.Date) bool {
	if t.isOpen == nil {
		return true
	}
	from := 0
	if d == dates.DateOf(t.now) {
		from = t.now.Hour() + 1
	}
	for hour := from; hour < 24; hour++ {
		if t.openOn(d, dates.Clock{Hour: hour}) {
			return true
		}
	}
	return false
}

// takeSoonest takes the next place there is.
func (t booking) takeSoonest() bool {
	task := &t.s.Task
	task.Soonest = false
	o, ok := t.openings(t.wish())
	if !ok {
		return false
	}
	if len(o.Near) == 0 {
		t.say("near_none")
		t.expect(SlotDate)
		return false
	}
	t.offerNear(o.Near[:1])
	t.say("soonest", "when", t.offered()[0])
	return false
}

// haveTime asks for the time, with what there is on the day.
func (t booking) haveTime() bool {
	task := &t.s.Task
	if task.Timed {
		return true
	}
	if len(task.Clocks) > 1 {
		said := make([]string, len(task.Clocks))
		t.s.Choices = nil
		for i, c := range task.Clocks {
			said[i] = t.clock(c)
			t.s.Choices = append(t.s.Choices, Choice{Said: said[i], Clock: c, Timed: true})
		}
		t.arrangement().ask(SlotTime, t.words("which_time", "times", upper(t.list(said, "or"))), t.words("ask_time_again"), t.chips()...)
		return false
	}
	if asked := t.s.Expect == SlotTime && !t.changed; asked && !t.takesFirst() {
		t.arrangement().ask(SlotTime, t.words("ask_time"), t.words("ask_time_again"), t.s.LastReplies...)
		return false
	}
	o, ok := t.openings(t.wish())
	if !ok {
		return false
	}
	if len(o.Near) == 0 || o.Near[0].Date != task.Date {
		t.refuse(o)
		return false
	}
	if t.takesFirst() && !task.First && !task.Latest {
		t.say("change_heard", "when", t.moment(task.Date, o.Near[0].Clock))
		task.First = true
	}
	if task.First || task.Latest {
		task.Clock, task.Timed, task.First, task.Latest, task.Soonest = o.Near[0].Clock, true, false, false, false
		return true
	}
	t.offerTimes(o.Near)
	t.arrangement().ask(SlotTime, t.words("ask_time_of", "day", upper(t.day(task.Date)), "times", t.list(t.offered(), "and")), t.words("ask_time_again"), t.chips()...)
	return false
}

// takesFirst says whether the first time of the day is meant by who was asked for one:
// they do not mind, name a few hours, or say the same part of the day again.
func (t booking) takesFirst() bool {
	if t.s.Expect != SlotTime || t.s.Task.Tries[SlotTime] == 0 {
		return false
	}
	m, ok := t.heard.When.Time()
	return t.heard.AnyTime || t.talk().soonest() || t.saysHours() || ok && m.Kind == dates.InPart && !t.changed
}

// saysHours says whether a few hours were named, and no time: who answers "between
// four and five" or "mid-morning" takes the first that there is.
func (t booking) saysHours() bool {
	const few = 3
	m, ok := t.heard.When.Time()
	return ok && (m.Kind == dates.Hours || m.Kind == dates.InPart && m.To.Hour-m.From.Hour <= few)
}

// offerTimes are times of the day that is already known.
func (t booking) offerTimes(near []Opening) {
	t.s.Choices = nil
	for _, o := range near {
		if o.Date == t.s.Task.Date {
			t.s.Choices = append(t.s.Choices, Choice{Said: t.clock(o.Clock), Clock: o.Clock, Timed: true})
		}
	}
}

// offerNear are times with their days.
func (t booking) offerNear(near []Opening) {
	t.s.Choices = nil
	for _, o := range near {
		t.s.Choices = append(t.s.Choices, Choice{Said: t.moment(o.Date, o.Clock), Date: o.Date, Clock: o.Clock, Timed: true})
	}
	t.expect(SlotChoice, t.chips()...)
}
