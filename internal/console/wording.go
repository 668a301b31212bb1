package console

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

// words are what a page says, in its language and by its clock.
type words struct {
	lang        *language.Language
	appointment string // what one is to the people of the place, as Trade.Appointment names it
	now         time.Time
	zone        *time.Location // by which the page tells the time
}

// say is the console's wording of a key; "" where it has none.
func (w words) say(key string, pairs ...string) string { return w.voice().say(key, pairs...) }

func (w words) voice() voice {
	return voice{w.lang.Code, cmp.Or(w.appointment, frontdesk.AnAppointment)}
}

// voice is how a page speaks: in a language, and with a trade's word for an
// appointment.
type voice struct{ language, appointment string }

// say is the wording of a key. Its gaps {appointment} and {appointments} are filled
// with the trade's own words.
func (s voice) say(key string, pairs ...string) string {
	l := language.Of(s.language)
	return l.SayIn("console", key, append(slices.Clip(pairs),
		"appointment", l.Say("thing_"+s.appointment, ""), "appointments", l.Say("things_"+s.appointment, ""))...)
}

// appointmentsOf is what an appointment is to all of some agents: where they differ,
// it is just that.
func appointmentsOf(agents []frontdesk.Agent) string {
	if len(agents) == 0 {
		return frontdesk.AnAppointment
	}
	first := agents[0].Trade().Appointment()
	if slices.ContainsFunc(agents, func(a frontdesk.Agent) bool { return a.Trade().Appointment() != first }) {
		return frontdesk.AnAppointment
	}
	return first
}

// about is the words for what is of one agent.
func (w words) about(agent frontdesk.Agent) words {
	w.appointment = agent.Trade().Appointment()
	return w
}

// figure writes a number with the separators of the language.
func (w words) figure(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + w.say("thousands") + text[i:]
	}
	return text
}

// day is a date in words: "martes 17 de noviembre".
func (w words) day(d dates.Date) string {
	weekdays, months := strings.Fields(w.lang.Say("weekdays", "")), strings.Fields(w.lang.Say("months", ""))
	key := "date"
	if d.Year != w.now.In(w.zone).Year() {
		key = "date_year"
	}
	return w.say(key, "weekday", weekdays[d.Weekday()], "n", strconv.Itoa(d.Day), "month", months[d.Month-1], "year", strconv.Itoa(d.Year))
}

// moment is an instant in words, by the clock that it is given in: today and
// tomorrow by name.
func (w words) moment(at time.Time) string {
	d, today := dates.DateOf(at), dates.DateOf(w.now.In(at.Location()))
	day := w.day(d)
	switch d {
	case today:
		day = w.say("today_word")
	case today.AddDays(1):
		day = w.say("tomorrow_word")
	case today.AddDays(-1):
		day = w.say("yesterday_word")
	}
	return w.say("moment", "day", day, "time", w.clock(at))
}

// clock is the time of an instant as the language writes it.
func (w words) clock(at time.Time) string {
	return dates.WriteTimeIn(w.lang, dates.Clock{Hour: at.Hour(), Minute: at.Minute()})
}

// clockOf is the time of a local time as the language writes it.
func (w words) clockOf(l frontdesk.LocalTime) string {
	at, err := time.Parse("2006-01-02T15:04:05", string(l))
	if err != nil {
		return ""
	}
	return w.clock(at)
}

// ago says how long ago something was, and when, if that is longer.
func (w words) ago(at time.Time) string {
	switch since := w.now.Sub(at); {
	case since < time.Minute:
		return w.say("ago_now")
	case since < time.Hour:
		return w.say("ago_minutes", "n", strconv.Itoa(int(since/time.Minute)))
	default:
		return w.moment(at.In(w.zone))
	}
}

// zoneOf is the clock by which a capture's time is told.
func zoneOf(v *visit, capture frontdesk.Capture) *time.Location {
	zone, err := frontdesk.LoadZone(capture.Timezone)
	if err != nil {
		return v.zone
	}
	return zone
}

// nameOf is what a capture is about, as its business reads it.
func nameOf(v *visit, capture frontdesk.Capture) string {
	if capture.Service != "" {
		return capture.Service
	}
	if capture.Topic != "" {
		if words := v.say("topic_" + capture.Topic); words != "" {
			return words
		}
	}
	w := v.words
	if agent, known := v.agentNamed(capture.AgentID); known {
		w = w.about(agent)
	}
	return w.say("kind_" + capture.Kind)
}

// agentName is what the business calls one of its agents.
func agentName(v *visit, id frontdesk.ID) string {
	agent, _ := v.agentNamed(id)
	return agent.DisplayName
}

// lines are those of a text.
func lines(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
}
