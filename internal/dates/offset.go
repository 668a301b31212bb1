package dates

import (
	"strings"
	"time"
)

// unit is a measure of time: some count days, the others minutes.
type unit struct{ minutes, days, months int }

// unitOf reads "60 minutes", "7 days", "12 months".
func unitOf(s string) unit {
	amount, of, _ := strings.Cut(s, " ")
	n := numberIn(amount)
	switch of {
	case "minutes":
		return unit{minutes: n}
	case "days":
		return unit{days: n}
	}
	return unit{months: n}
}

func (u unit) times(quarters int) unit {
	if u.minutes > 0 {
		return unit{minutes: u.minutes * quarters / 4}
	}
	return unit{days: u.days * quarters / 4, months: u.months * quarters / 4}
}

func (u unit) plus(v unit) unit {
	return unit{u.minutes + v.minutes, u.days + v.days, u.months + v.months}
}

// length reads how long something is: "two weeks", "hora y media", "1 hour and
// 20 minutes".
func (r *reader) length(i int) (unit, int) {
	u, end := r.oneLength(i)
	if end == 0 {
		return unit{}, 0
	}
	if r.soft(end) && r.is(end, "and") {
		if v, e := r.oneLength(end + 1); e > 0 {
			return u.plus(v), e
		}
	}
	return u, end
}

func (r *reader) oneLength(i int) (unit, int) {
	quarters, k := r.amounts.at(r.line, i)
	if n := r.anyNumber(i); n.within(1, 999) && !n.ordinal && n.end > k {
		quarters, k = 4*n.value, n.end
	} else if r.is(i, "lone_units") && r.is(i+1, "and") {
		quarters, k = 4, i
	}
	u, end := r.units.at(r.line, k)
	if quarters == 0 || end == 0 || k > i && !r.soft(k) {
		return unit{}, 0
	}
	if part, e := r.andMore.at(r.line, end); e > 0 && r.soft(end) {
		return u.times(quarters + part), e
	}
	return u.times(quarters), end
}

type direction int

const (
	ahead direction = iota + 1
	back
	around // "de hoy en ocho días": a week has eight days, two have fifteen
)

func directionOf(s string) direction {
	switch s {
	case "back":
		return back
	case "around":
		return around
	}
	return ahead
}

// offset reads a time counted from now or from another day: "in half an hour",
// "de aquí a dos semanas", "a week from Friday", "two days after Christmas".
// "Now" itself is one as well.
func offset(r *reader, i int) (Mention, int) {
	if m, end := r.nowAt(i); end > 0 {
		return m, end
	}
	if m, end := r.inWeekdays(i); end > 0 {
		return m, end
	}
	dir, k := r.offsetOpen.at(r.line, i)
	k = max(k, i)
	u, end := r.length(k)
	if end == 0 || r.heardAt(k, "fleeting") == end || k > i && !r.soft(k) {
		return Mention{}, 0
	}
	if m, e := r.linked(u, end); e > 0 && (k == i || !r.is(end, "week_links")) {
		return r.onWeekday(m, e)
	}
	if c, e := r.offsetClose.at(r.line, end); e > 0 && r.soft(end) {
		dir, end = c, e
	}
	switch dir {
	case back:
		u = unit{-u.minutes, -u.days, -u.months}
	case around:
		if u.days == 8 || u.days == 15 {
			u.days--
		}
	case 0:
		return Mention{}, 0
	}
	end = r.over(end, "offset_tail")
	return r.onWeekday(r.after(u), end)
}

// inWeekdays reads a time counted in days of the week: "dentro de dos viernes".
func (r *reader) inWeekdays(i int) (Mention, int) {
	dir, k := r.offsetOpen.at(r.line, i)
	n := r.anyNumber(k)
	w, ok := r.weekdayAt(n.end)
	if k == 0 || dir != ahead || !n.within(2, 9) || !ok || n.ordinal || !r.soft(k) || !r.soft(n.end) {
		return Mention{}, 0
	}
	return on(r.today.Next(w).AddDays(7 * (n.value - 1))), n.end + 1
}

func (r *reader) nowAt(i int) (Mention, int) {
	end := r.heardAt(i, "now")
	if end == 0 || (r.asked == AskedNothing || r.standing.Timed) && !r.alone(i, end) && !r.is(i-1, "coming") && !r.is(i-2, "coming") {
		return Mention{}, 0
	}
	// "ahora sí", "ahora bien", "right now I don't know" are no times
	if r.is(i-1, "not_now_before") || r.soft(end) && r.is(end, "musing") {
		return Mention{}, 0
	}
	return Mention{Kind: Instant, At: r.now, mild: true}, end
}

func (r *reader) after(u unit) Mention {
	if u.minutes != 0 {
		at := r.now.AddDate(0, u.months, u.days).Add(time.Duration(u.minutes) * time.Minute)
		return Mention{Kind: Instant, At: at}
	}
	return on(r.today.AddMonths(u.months).AddDays(u.days))
}

// linked reads the day that a length is counted from.
func (r *reader) linked(u unit, k int) (Mention, int) {
	dir, e := r.links.at(r.line, k)
	if n, end := r.relatives.at(r.line, k); end > 0 && u.days > 0 && u.days%7 == 0 && n >= 0 && r.soft(k) { // "a week today"
		return on(r.today.AddDays(n + u.days)), end
	}
	if e == 0 || !r.soft(k) || u.minutes != 0 {
		return Mention{}, 0
	}
	at := r.over(e, "articles")
	m, end := r.longest(at, relative, weekday, dayOfMonth, bareDay, numeric, holiday)
	if end == 0 || m.Kind != OneDay || m.Impossible || r.is(e-1, "week_links") && u.days%7 != 0 {
		return Mention{}, 0
	}
	if w, bare := r.weekdayAt(at); bare && m.weekdayOnly && end == at+1 && r.is(e-1, "week_links") {
		m.Date = weekdayReader{r}.weekdayFromToday(w)
	}
	if dir == back {
		u = unit{0, -u.days, -u.months}
	}
	return on(m.Date.AddMonths(u.months).AddDays(u.days)), end
}

// onWeekday is a day counted in weeks with the weekday that follows: "in two
// weeks on Tuesday".
func (r *reader) onWeekday(m Mention, end int) (Mention, int) {
	k := r.skip(end, "weekday_links")
	w, ok := r.weekdayAt(k)
	if m.Kind != OneDay || !ok || !r.near(end) || !r.soft(k) {
		return m, end
	}
	return on(m.Date.InWeek(w)), k + 1
}
