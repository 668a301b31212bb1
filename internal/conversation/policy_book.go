package conversation

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// nextBooking asks for what an appointment still lacks: what, for how many,
// when, and who.
func (t *turn) nextBooking() {
	task := &t.s.Task
	if task.Kind == Book && (!t.haveService() || !t.haveParty()) {
		return
	}
	if !t.haveDay() || !t.haveTime() || !t.haveFree() {
		return
	}
	if task.Kind == Book && (!t.haveName() || !t.havePhone()) {
		return
	}
	t.holdAndRead()
}

// haveService asks for the service unless there is only one, or the house has a
// usual one: a table is a table.
func (t *turn) haveService() bool {
	task := &t.s.Task
	switch {
	case len(t.bookable) == 0:
		return true
	case task.Service != "" && t.service().ID != "":
		return true
	case len(t.s.Choices) > 1 && t.s.Choices[0].Service != "":
		t.ask(SlotService, t.words("which_service", "services", t.list(t.offered(), "or")), "", t.offered()...)
		return false
	case len(t.bookable) == 1, t.agent.Vertical == "restaurant":
		task.Service = t.bookable[0].ID
		return true
	}
	t.askService()
	return false
}

func (t *turn) askService() {
	const most = 4
	t.s.Choices = nil
	for _, s := range t.bookable {
		t.s.Choices = append(t.s.Choices, Choice{Said: s.Say(t.s.Lang), Service: s.ID})
	}
	names := t.offered()
	if len(names) > most {
		t.ask(SlotService, t.words("ask_service_many", "services", t.list(names[:most], "and")),
			t.words("which_service", "services", t.list(names, "or")), names...)
		return
	}
	t.ask(SlotService, t.words("ask_service", "services", t.list(names, "or")),
		t.words("which_service", "services", t.list(names, "or")), names...)
}

// offered are the choices as they were said.
func (t *turn) offered() []string {
	said := make([]string, len(t.s.Choices))
	for i, c := range t.s.Choices {
		said[i] = c.Said
	}
	return said
}

// service is the one of the task.
func (t *turn) service() catalogue.Service {
	at := slices.IndexFunc(t.bookable, func(s catalogue.Service) bool { return s.ID == t.s.Task.Service })
	if at < 0 {
		return catalogue.Service{}
	}
	return t.bookable[at]
}

// countsPeople says whether the house asks how many come.
func (t *turn) countsPeople() bool {
	return t.agent.Vertical == "restaurant" || t.agent.Vertical == "hotel"
}

func (t *turn) haveParty() bool {
	if !t.countsPeople() || t.s.Task.Party > 0 {
		return true
	}
	t.ask(SlotPartySize, t.words("ask_party"), t.words("ask_party_again"), "2", "3", "4", "6")
	return false
}

// haveDay asks for the day.
func (t *turn) haveDay() bool {
	task := &t.s.Task
	switch {
	case len(t.s.Choices) > 1 && !t.s.Choices[0].Timed && !t.s.Choices[0].Date.IsZero():
		t.ask(SlotDate, t.words("ask_which_day", "days", t.upper(t.list(t.offered(), "or"))), t.words("ask_date_again"), t.chips()...)
	case !task.Last.IsZero() && !task.Soonest:
		t.ask(SlotDate, t.words("ask_date_of", "first", t.day(task.Date), "last", t.day(task.Last)), t.words("ask_date_again"))
	case !task.Date.IsZero() && task.Last.IsZero():
		return true
	case task.Soonest:
		return t.takeSoonest()
	default:
		t.ask(SlotDate, t.words("ask_date"), t.words("ask_date_again"), t.nextDays()...)
	}
	return false
}

func (t *turn) chips() []string {
	said := make([]string, len(t.s.Choices))
	for i, c := range t.s.Choices {
		said[i] = t.chip(c)
	}
	return said
}

// nextDays are buttons for the next days that the house is open.
func (t *turn) nextDays() (days []string) {
	for d := dates.DateOf(t.now); len(days) < 3 && d.Before(dates.DateOf(t.now).AddDays(10)); d = d.AddDays(1) {
		if t.opensOn(d) {
			days = append(days, shortDay(d, t.s.Lang))
		}
	}
	return days
}

func (t *turn) opensOn(d dates.Date) bool {
	if t.hours == (frontdesk.Hours{}) {
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
func (t *turn) takeSoonest() bool {
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
func (t *turn) haveTime() bool {
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
		t.ask(SlotTime, t.words("which_time", "times", t.upper(t.list(said, "or"))), t.words("ask_time_again"), t.chips()...)
		return false
	}
	if asked := t.s.Expect == SlotTime && !t.changed; asked {
		t.ask(SlotTime, t.words("ask_time"), t.words("ask_time_again"), t.s.LastReplies...)
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
	t.offerTimes(o.Near)
	t.ask(SlotTime, t.words("ask_time_of", "day", t.upper(t.day(task.Date)), "times", t.list(t.offered(), "and")), t.words("ask_time_again"), t.chips()...)
	return false
}

// offerTimes are times of the day that is already known.
func (t *turn) offerTimes(near []Opening) {
	t.s.Choices = nil
	for _, o := range near {
		if o.Date == t.s.Task.Date {
			t.s.Choices = append(t.s.Choices, Choice{Said: t.clock(o.Clock), Clock: o.Clock, Timed: true})
		}
	}
}

// offerNear are times with their days.
func (t *turn) offerNear(near []Opening) {
	t.s.Choices = nil
	for _, o := range near {
		t.s.Choices = append(t.s.Choices, Choice{Said: t.moment(o.Date, o.Clock), Date: o.Date, Clock: o.Clock, Timed: true})
	}
	t.expect(SlotChoice, t.chips()...)
}

// wish is what the task comes to so far.
func (t *turn) wish() Wish {
	task := t.s.Task
	service := t.service()
	if service.Name == "" {
		service.Name = task.Own.Service // one that the house no longer lists
	}
	return Wish{
		Service: service, Date: task.Date, Clock: task.Clock, Timed: task.Timed, From: task.From, To: task.To,
		Party: task.Party, Moving: task.Own.ID,
	}
}

func (w Wish) key() string {
	return strings.Join([]string{w.Service.ID, w.Date.String(), w.Clock.String(), strconv.Itoa(w.Party), string(w.Moving)}, "|")
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
func (t *turn) openings(w Wish) (Openings, bool) {
	o, err := t.desk.Openings(t.ctx, w)
	return o, t.looked("openings", w, o, err)
}

func (t *turn) looked(name string, w Wish, o Openings, err error) bool {
	if err != nil {
		t.did(name, w.arguments(), map[string]any{"error": "unavailable"})
		t.outage()
		return false
	}
	t.did(name, w.arguments(), o.result())
	return true
}

// outage is a house that does not answer: the question stands, and after three
// times a person is offered.
func (t *turn) outage() {
	t.s.Misses++
	if t.s.Misses > maxMisses {
		t.s.Broken = true
		t.giveUp()
		return
	}
	t.say("sorry")
	t.expect(t.s.Expect, t.s.LastReplies...)
}

// haveFree looks whether the wish can be met before the caller is asked for
// more.
func (t *turn) haveFree() bool {
	w := t.wish()
	if t.s.Task.Checked == w.key() {
		return true
	}
	o, ok := t.openings(w)
	if !ok {
		return false
	}
	if !o.Free {
		t.refuse(o)
		return false
	}
	t.s.Task.Checked = w.key()
	t.letChoices()
	return true
}

// refuse says why a wish cannot be met, and what can be had instead.
func (t *turn) refuse(o Openings) {
	task := &t.s.Task
	task.Checked = ""
	if o.Why == WhyLarge {
		about := task.about(t)
		t.say("large")
		t.message(frontdesk.Callback, about)
		t.next()
		return
	}
	when := t.day(task.Date)
	if task.Timed {
		when = t.moment(task.Date, task.Clock)
	}
	if t.s.Expect == SlotChoice && !t.changed && task.try(SlotChoice) {
		t.stuck(SlotTime)
		return
	}
	why := cmp.Or(o.Why, WhyFull)
	if t.s.Lang == "es" && (why == WhyClosed || why == WhyFull || why == WhyPast) {
		when = t.upper(when)
	}
	if t.s.Lang == "en" && why != WhyClosed && why != WhyFar {
		when = t.upper(when)
	}
	if t.s.Lang == "en" && why == WhyClosed {
		when = "on " + when
	}
	t.say(why, "when", when)
	if len(o.Near) == 0 {
		t.say("near_none")
		task.Date, task.Timed = dates.Date{}, false
		t.letChoices()
		t.expect(SlotDate, t.nextDays()...)
		return
	}
	t.offerNear(o.Near)
	phrase := "near"
	if len(o.Near) == 1 {
		phrase = "near_one"
	}
	t.say(phrase, "times", t.list(t.offered(), "or"))
}

func (t *turn) haveName() bool {
	if t.s.Person.Name != "" {
		return true
	}
	t.ask(SlotName, t.words("ask_name"), t.words("ask_name_again"))
	return false
}

func (t *turn) havePhone() bool {
	if t.s.Person.Phone != "" {
		return true
	}
	if bad := t.heard.BadPhone; bad != "" && t.s.Expect == SlotPhone {
		t.say("bad_phone", "phone", bad)
	}
	t.ask(SlotPhone, t.words("ask_phone"), t.words("ask_phone_again"))
	return false
}

// holdAndRead keeps the place for a moment and reads the appointment back.
func (t *turn) holdAndRead() {
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
	if t.s.Task.Kind == Reschedule {
		t.readBack(t.words("read_back_move", "old", t.localMoment(t.s.Task.Own.At), "when", when))
		return
	}
	phrase, what := "read_back", t.what()
	if what == "" {
		phrase = "read_back_plain"
	}
	t.readBack(t.words(phrase, "what", what, "when", when, "name", t.s.Person.Name, "phone", spokenPhone(t.s.Person.Phone)))
}

// what is the thing that is booked, with how many come.
func (t *turn) what() string {
	parts := []string{}
	if name := t.service().Say(t.s.Lang); name != "" {
		parts = append(parts, name)
	}
	if t.s.Listing != "" {
		parts = append(parts, "ref. "+t.s.Listing)
	}
	switch n := t.s.Task.Party; {
	case n == 1 && t.countsPeople():
		parts = append(parts, t.words("person"))
	case n > 1:
		parts = append(parts, t.words("people", "n", strconv.Itoa(n)))
	}
	return strings.Join(parts, ", ")
}

// write does what the caller has said yes to.
func (t *turn) write() {
	switch t.s.Task.Kind {
	case Book, Reschedule:
		t.writeBooking()
	case Cancel:
		t.writeCancel()
	case Leave, Order:
		t.writeNote()
	}
}

func (t *turn) writeBooking() {
	task, w := t.s.Task, t.wish()
	b := Booking{
		Key: t.s.nextKey() + "/" + w.key(), Wish: w, About: t.s.Listing,
		Name: cmp.Or(t.s.Person.Name, task.Own.Name), Phone: cmp.Or(t.s.Person.Phone, task.Own.Phone), Email: t.s.Person.Email, Now: t.now,
	}
	c, err := t.desk.Book(t.ctx, b)
	switch {
	case errors.Is(err, ErrTaken):
		t.did("book", w.arguments(), map[string]any{"taken": true})
		t.taken(w)
	case err != nil:
		t.did("book", w.arguments(), map[string]any{"error": "unavailable"})
		t.notWritten()
	default:
		t.did("book", w.arguments(), map[string]any{"confirmation_code": c.ConfirmationCode, "scheduled_at": string(c.ScheduledAt)})
		t.booked(c)
	}
}

// booked tells the caller, and closes the task.
func (t *turn) booked(c frontdesk.Capture) {
	task := t.s.Task
	kind, phrase := Booked, "booked"
	if task.Kind == Reschedule {
		kind, phrase = Moved, "moved"
	} else if t.what() == "" {
		phrase = "booked_plain"
	}
	t.s.Keys++
	t.s.log(Event{
		Kind: kind, Capture: c.ID, Service: c.Service, Of: task.Service, At: c.ScheduledAt, Name: c.CustomerName, Phone: c.CustomerPhone,
		Party: task.Party, Code: c.ConfirmationCode,
	})
	t.out.Capture = &c
	t.say(phrase, "what", t.what(), "when", t.localMoment(c.ScheduledAt), "code", c.ConfirmationCode)
	t.close()
}

// close ends a task that is done.
func (t *turn) close() {
	t.s.Task = Task{}
	t.letChoices()
	t.s.Misses = 0
	t.offerMore()
}

// taken is a place that went to somebody else between the read-back and the yes.
func (t *turn) taken(w Wish) {
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
func (t *turn) notWritten() {
	if t.s.Task.try(SlotConfirm) {
		t.s.Broken = true
		t.giveUp()
		return
	}
	t.say("not_written")
	t.expect(SlotConfirm, t.words("yes"), t.words("no"))
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
		return t.lastUnanswered()
	}
	if name := t.service().Say(t.s.Lang); name != "" {
		parts = append(parts, name)
	}
	if !task.Date.IsZero() {
		parts = append(parts, shortDay(task.Date, t.s.Lang))
	}
	if task.Timed {
		parts = append(parts, task.Clock.String())
	}
	if task.Party > 0 {
		parts = append(parts, t.words("people", "n", strconv.Itoa(task.Party)))
	}
	return strings.Join(parts, ", ")
}
