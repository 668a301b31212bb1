package catalogue

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/opening"
)

// termsQuestion asks how appointments are made: how far ahead, how shortly before, how
// late in the day.
type termsQuestion struct{ *question }

func (q termsQuestion) ask() (Reply, bool) {
	switch {
	case q.says("asks_last"):
		return q.sayLast()
	case q.says("asks_ahead"):
		return q.sayHorizon()
	case q.says("asks_notice"):
		return q.sayNotice()
	}
	return Reply{}, false
}

// told is a reply to a question that was understood by its form.
func (q termsQuestion) told(text string) (Reply, bool) {
	return Reply{Text: text, Topic: "terms", Certain: true}, text != ""
}

// sayHorizon says how far ahead callers can book, where the house has set it.
func (q termsQuestion) sayHorizon() (Reply, bool) {
	horizon := q.c.house.settings.Horizon
	if horizon <= 0 {
		return Reply{}, false
	}
	last := frontdesk.DateOf(q.now.Add(horizon))
	return q.told(wording(q.lang, "horizon", "time", q.sayTerm(horizon), "date", dates.SayDate(last, q.lang, q.now)))
}

// sayNotice says how shortly before callers can book, where the house has set it.
func (q termsQuestion) sayNotice() (Reply, bool) {
	notice := q.c.house.settings.Notice
	switch {
	case notice == frontdesk.NoNotice:
		return q.told(wording(q.lang, "no_notice"))
	case notice > 0:
		return q.told(wording(q.lang, "notice", "time", q.sayTerm(notice)))
	}
	return Reply{}, false
}

// sayTerm says a length of time, in days where it is so many.
func (q termsQuestion) sayTerm(d time.Duration) string {
	const day = 24 * time.Hour
	switch days := int(d / day); {
	case d%day != 0 || days == 0:
		return SayLength(q.lang, d)
	case days == 1:
		return wording(q.lang, "one_day")
	default:
		return wording(q.lang, "some_days", "n", strconv.Itoa(days))
	}
}

// sayLast says when what takes its time can begin at the latest on some day: before the
// house closes, and while somebody is there who does it.
func (q termsQuestion) sayLast() (Reply, bool) {
	h := q.c.house
	done := staffQuestion(q).does()
	if len(done) == 0 && q.focus.Service != "" {
		done = slices.DeleteFunc(slices.Clone(q.c.Services), func(s Service) bool { return s.ID != q.focus.Service })
	}
	if !h.open || len(done) != 1 || done[0].Duration == 0 {
		return Reply{}, false
	}
	a := hoursQuestion(q).readDays()
	service := done[0]
	var parts []string
	for _, d := range a.dates {
		parts = append(parts, q.sayLastOn(q.nameDay(d), service, h.lastStart(service, func(o *opening.Hours) []frontdesk.Period { return o.Shown(d) })))
	}
	for _, d := range a.weekly {
		parts = append(parts, q.sayLastOn(everyDay(q.lang, d), service, h.lastUsual(service, d)))
	}
	if a.none() {
		parts = append(parts, sentence(wording(q.lang, "last_starts", "service", service.Say(q.lang), "days", q.sayLasts(service))))
	}
	return q.told(strings.Join(parts, " "))
}

func (q termsQuestion) sayLastOn(when string, service Service, last int) string {
	if last < 0 {
		return sentence(wording(q.lang, "no_last", "when", when, "service", service.Say(q.lang)))
	}
	return sentence(wording(q.lang, "last_start", "when", when, "service", service.Say(q.lang), "time", sayTime(q.lang, last)))
}

// lastStart is the minute of the day at which a service can begin at the latest, by the
// periods of those who do it, or of the house; -1 when it cannot.
func (h house) lastStart(s Service, periods func(*opening.Hours) []frontdesk.Period) int {
	last, length := -1, int(s.Duration/time.Minute)
	within := func(of *opening.Hours) {
		for _, p := range periods(of) {
			if p.End()-p.From >= length {
				last = max(last, p.End()-length)
			}
		}
	}
	if len(h.settings.Calendar.Resources) == 0 {
		within(h.hours)
	}
	for _, r := range h.settings.Calendar.Resources {
		if r.Does(s.ID) {
			within(h.hours.With(h.settings.Calendar, r))
		}
	}
	return last
}

func (h house) lastUsual(s Service, day int) int {
	return h.lastStart(s, func(o *opening.Hours) []frontdesk.Period { return o.Usual()[day] })
}

// sayLasts says the latest beginnings of a week, those of days in a row together.
func (q termsQuestion) sayLasts(s Service) string {
	h := q.c.house
	names := weekdays(q.lang)
	var parts []string
	for d := 0; d < len(names); {
		to, last := d, h.lastUsual(s, d)
		for to+1 < len(names) && h.lastUsual(s, to+1) == last {
			to++
		}
		days := names[d]
		switch to - d {
		case 0:
		case 1:
			days = wording(q.lang, "two_days", "first", names[d], "last", names[to])
		default:
			days = wording(q.lang, "days", "first", names[d], "last", names[to])
		}
		if last >= 0 {
			parts = append(parts, days+" "+sayTime(q.lang, last))
		}
		d = to + 1
	}
	return strings.Join(parts, "; ")
}
