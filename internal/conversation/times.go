package conversation

import (
	"cmp"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/hearing"
)

// takeWhen puts the day and the time that were said into the task. It says
// whether they cannot be, which has then been told.
func (t times) takeWhen() (troubled bool) {
	task := &t.s.Task
	reading := t.withoutTold(t.wishedWhen()).From(t.standing())
	w := reading.Resolve(t.now, t.isOpen)
	t.ruleOut(w.Refused, w.Date)
	switch {
	case w.Impossible:
		t.say("impossible")
		return true
	case w.WeekdayDiffers:
		if d, _ := reading.Day(); !d.Date.IsZero() {
			if !d.Near.IsZero() {
				d.Date = d.Near
			}
			t.say("weekday_off", "date", t.day(d.Date))
		}
		t.takeTime(w)
		return true
	case w.Past && w.Timed:
		t.say("past", "when", t.moment(w.Date, w.Clock))
		return true
	case w.Past && t.s.Expect == Nothing && t.matter().tellsMatter():
		return false // it is told of the past, and no day was wished for yet
	case w.Past:
		t.say("past", "when", t.day(w.Date))
		return true
	}
	t.takeDay(w)
	t.takeTime(w)
	t.takeRange(w)
	t.keepHours()
	if t.heard.AnyTime {
		t.takeAnyTime()
	}
	if task.Timed && task.Date == dates.DateOf(t.now) && t.passed(task.Clock) {
		t.say("past", "when", t.moment(task.Date, task.Clock))
		task.Timed = false
		return true
	}
	return false
}

// wishedWhen is what was said about when outside of a question: who asks
// whether we open on Sunday does not want to come then.
func (t times) wishedWhen() dates.Reading {
	h := t.heard
	switch {
	case t.settled() && h.Phone+h.BadPhone+h.Name+h.Question != "" && !h.No && !h.Has(Book) && !h.Has(Reschedule):
		return dates.Reading{} // the figures of a number, or of a remark
	case h.Question == "" || !t.replied && (h.Has(Book) || !h.Has(Ask) || t.asked() != dates.AskedNothing):
		return h.When
	}
	rest := hearing.Without(h.Text, h.Question)
	return dates.ReadTokens(rest, t.tokens(rest), t.mix, t.now, t.tongue(t.s.Lang), t.asked(), t.standing())
}

// withoutTold leaves out what was only told of other things once a time stands: who has
// to be elsewhere at one and refuses nothing wants no other time.
func (t times) withoutTold(reading dates.Reading) dates.Reading {
	task := t.s.Task
	if !task.Timed || task.Date.IsZero() || t.heard.No || t.s.Expect != SlotConfirm && !t.settled() {
		return reading
	}
	reading.Mentions = slices.DeleteFunc(slices.Clone(reading.Mentions), func(m dates.Mention) bool { return m.Told && !m.Negated })
	return reading
}

// settled says whether the time stands and something else was asked for.
func (t times) settled() bool {
	return t.s.Task.Timed && (t.s.Expect == SlotName || t.s.Expect == SlotPhone || t.s.Expect == SlotEmail)
}

func (t times) asked() dates.Asked {
	switch t.s.Expect {
	case SlotDate:
		return dates.AskedDay
	case SlotTime:
		return dates.AskedTime
	}
	return dates.AskedNothing
}

// standing is the day and the time that are being arranged: "the day before" is
// counted from them.
func (t times) standing() dates.Standing {
	task := t.s.Task
	s := dates.Standing{Date: task.Date, Clock: task.Clock, Timed: task.Timed, Settled: task.Timed && task.Checked != ""}
	if d, c, ok := splitLocal(task.Own.At); ok && s.Date.IsZero() {
		s = dates.Standing{Date: d, Clock: c, Timed: true, Settled: true}
	}
	if before := t.s.justBooked(Reschedule); s.Date.IsZero() && before.ID != "" && (task.Kind == "" || task.Kind == Book) {
		if d, c, ok := splitLocal(before.At); ok { // a further wish counts from the one before it
			s = dates.Standing{Date: d, Clock: c, Timed: true}
		}
	}
	s.Several = len(t.s.Queue) > 0 || task.Further
	if task.Date.IsZero() && t.s.Turns-t.s.DayAt < longestTalked {
		s.Talked = t.s.Day
	}
	return s
}

// longestTalked is for how many turns a day that was asked about is the one that "that
// day" means.
const longestTalked = 4

// asksOf is the one day to come that a question is about, the zero day when there is
// none.
func (t times) asksOf() dates.Date {
	w := t.heard.When.Resolve(t.now, t.isOpen)
	if t.heard.Question == "" || w.Past || !w.Last.IsZero() || w.Date.Before(dates.DateOf(t.now)) {
		return dates.Date{}
	}
	return w.Date
}

// ruleOut remembers what the caller will not have, and lets go of what stood and
// is ruled out now. The time stands where only its day is and another one is named.
func (t times) ruleOut(refused []dates.Refusal, instead dates.Date) {
	const most = 20
	for _, r := range refused {
		if len(t.s.Refusals) < most {
			t.s.Refusals = append(t.s.Refusals, r)
		}
	}
	task := &t.s.Task
	if task.Last.IsZero() && !task.Timed && !task.Date.IsZero() && slices.ContainsFunc(refused, func(r dates.Refusal) bool { return r.WholeDay(task.Date) }) {
		task.Date = dates.Date{}
		t.letTimes()
	}
	if len(refused) > 0 && task.Timed && !task.Date.IsZero() && !t.suits(task.Date, task.Clock) {
		task.Timed = task.Timed && refused[0].WholeDay(task.Date) && !instead.IsZero() && instead != task.Date
		if refused[0].To == (dates.Clock{}) && !refused[0].Timed {
			task.Date = dates.Date{}
		}
	}
}

// suits says whether the caller has not ruled out a time of a day.
func (t times) suits(d dates.Date, c dates.Clock) bool {
	if !t.s.Task.Weekdays.Has(d.Weekday()) {
		return false
	}
	return !slices.ContainsFunc(t.s.Refusals, func(r dates.Refusal) bool { return r.Covers(d, c) })
}

// takeRange takes wishes that the calendar answers: the first free place, the
// first or last of a day, certain days of the week.
func (t times) takeRange(w dates.When) {
	task := &t.s.Task
	if w.Weekdays != 0 {
		task.Weekdays = w.Weekdays
	}
	if w.Earliest || w.Latest {
		task.First, task.Latest, task.Timed = w.Earliest, w.Latest, false
	}
	if w.Soonest || w.Bound || w.Weekdays != 0 && task.Date.IsZero() && !w.Timed && len(w.Clocks) == 0 {
		task.Soonest = true
	}
}

// keepHours keeps the hours of the day that will do as they were said: who waits for a
// place is told of one by people.
func (t times) keepHours() {
	for _, m := range t.heard.When.Mentions {
		if m.AboutTime() && m.Kind != dates.AtClock && m.Kind != dates.Instant && !m.Negated && m.End <= len(t.heard.Text) && m.Start < m.End {
			t.s.Task.Hours = t.heard.Text[m.Start:m.End]
		}
	}
}

func (t times) takeDay(w dates.When) {
	task := &t.s.Task
	switch {
	case !w.Date.IsZero():
		task.Date, task.Last = w.Date, dates.Date{}
		t.wantAfterAll(w)
		t.shareDay()
		t.letTimes()
	case len(w.Dates) > 1:
		t.s.Choices = nil
		for _, d := range w.Dates {
			t.s.Choices = append(t.s.Choices, Choice{Said: t.day(d), Date: d})
		}
		task.Date, task.Last = dates.Date{}, dates.Date{}
	case !w.First.IsZero() && w.Last.Before(dates.DateOf(t.now)):
		// "last week" is told of the past
	case !w.First.IsZero():
		first := w.First
		if today := dates.DateOf(t.now); first.Before(today) {
			first = today
		}
		task.Date, task.Last = first, w.Last
		if first == w.Last {
			task.Last = dates.Date{}
		}
	}
}

// wantAfterAll forgets that a day was ruled out which is wished for now.
func (t times) wantAfterAll(w dates.When) {
	t.s.Refusals = slices.DeleteFunc(t.s.Refusals, func(r dates.Refusal) bool {
		return r.WholeDay(w.Date)
	})
	if task := &t.s.Task; !task.Weekdays.Has(w.Date.Weekday()) {
		task.Weekdays = 0
	}
}

// shareDay gives the day to the wishes that wait, where it is said of both: "las
// dos el martes".
func (t times) shareDay() {
	if !t.mix.Phrases("both").In(t.tokens(t.heard.Text)) {
		return
	}
	for i := range t.s.Queue {
		if next := &t.s.Queue[i]; next.Kind == Book && next.Date.IsZero() {
			next.Date = t.s.Task.Date
		}
	}
}

// letTimes lets go of the days and times that were offered. The services that
// may be meant are still to be asked about.
func (t times) letTimes() {
	if c := t.s.Choices; len(c) == 0 || c[0].Service == "" || t.s.Task.Service != "" {
		t.arrangement().letChoices()
	}
}

func (t times) takeTime(w dates.When) {
	task := &t.s.Task
	switch {
	case w.Timed:
		task.Clock, task.Timed, task.Clocks = w.Clock, true, nil
		t.s.Refusals = slices.DeleteFunc(t.s.Refusals, func(r dates.Refusal) bool {
			return !task.Date.IsZero() && !r.WholeDay(task.Date) && r.Covers(task.Date, task.Clock) // wanted after all
		})
		task.From, task.To = dates.Clock{}, dates.Clock{}
		t.letTimes()
	case len(w.Clocks) > 0 && task.Timed:
		task.Clock = nearest(w.Clocks, task.Clock) // "better at half past nine" stays in the evening
		t.letTimes()
	case len(w.Clocks) > 0:
		task.Clocks, task.Timed = w.Clocks, false
	case w.To != (dates.Clock{}):
		t.takeHours(w.From, w.To)
	}
	t.settleClocks()
	t.settleNight()
}

// settleNight puts the small hours to the night that they are part of: a bar that
// is open on Friday from eight to two is meant by "Friday at one".
func (t times) settleNight() {
	task := &t.s.Task
	const dawn = 6
	if !task.Timed || task.Date.IsZero() || !task.Last.IsZero() || task.Clock.Hour >= dawn {
		return
	}
	if next := task.Date.AddDays(1); !t.openOn(task.Date, task.Clock) && t.openOn(next, task.Clock) {
		task.Date = next
	}
}

// takeHours is a part of the day: it settles "at six", or narrows what is
// looked for.
func (t times) takeHours(from, to dates.Clock) {
	task := &t.s.Task
	within := func(c dates.Clock) bool { return !c.Before(from) && c.Before(to) }
	if i := slices.IndexFunc(task.Clocks, within); i >= 0 {
		task.Clock, task.Timed, task.Clocks = task.Clocks[i], true, nil
		return
	}
	if task.Timed && (within(task.Clock) || !t.heard.No && (t.s.Expect == SlotName || t.s.Expect == SlotPhone)) {
		return // "call me in the morning" does not move the appointment
	}
	task.From, task.To, task.Timed = from, to, false
}

// settleClocks decides between morning and evening once the day is known and
// only one of them is open, or still to come.
func (t times) settleClocks() {
	task := &t.s.Task
	if len(task.Clocks) == 0 || task.Date.IsZero() || !task.Last.IsZero() {
		return
	}
	possible := slices.DeleteFunc(slices.Clone(task.Clocks), func(c dates.Clock) bool {
		return t.isOpen != nil && !t.isOpen(task.Date, c) || task.Date == dates.DateOf(t.now) && t.passed(c)
	})
	if len(possible) == 1 {
		task.Clock, task.Timed, task.Clocks = possible[0], true, nil
	}
}

func (t times) passed(c dates.Clock) bool {
	return c.Before(dates.Clock{Hour: t.now.Hour(), Minute: t.now.Minute()})
}

// takeAnyTime is a caller who does not mind.
func (t times) takeAnyTime() {
	task := &t.s.Task
	switch {
	case task.Timed:
	case t.s.Expect == SlotTime && len(t.s.Choices) > 0 && t.s.Choices[0].Timed:
		task.Clock, task.Timed = t.s.Choices[0].Clock, true
		t.arrangement().letChoices()
	default:
		task.Soonest = true
	}
}

// takeNewTime is the time that an appointment is to be moved to, said before it
// is known which. Only what stands after "to" is one: "the one on Tuesday" names
// the old time.
func (t times) takeNewTime() (troubled bool) {
	before := func(m dates.Mention) string {
		words := strings.Fields(strings.ToLower(t.heard.Text[:min(m.Start, len(t.heard.Text))]))
		if len(words) == 0 {
			return ""
		}
		return words[len(words)-1]
	}
	for _, m := range t.heard.When.Mentions {
		if m.Counts && slices.Contains([]string{"to", "for", "until", "till", "para", "al", "a", "hasta"}, before(m)) {
			return t.takeWhen()
		}
	}
	return false
}

// nearest is the one of several times that is closest to another.
func nearest(all []dates.Clock, to dates.Clock) dates.Clock {
	minutes := func(c dates.Clock) int { return 60*c.Hour + c.Minute }
	away := func(c dates.Clock) int { return max(minutes(c)-minutes(to), minutes(to)-minutes(c)) }
	return slices.MinFunc(all, func(a, b dates.Clock) int { return cmp.Compare(away(a), away(b)) })
}
