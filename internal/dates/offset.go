package dates

import "time"

// unit is a measure of time: some count days, the others minutes.
type unit struct{ minutes, days, months int }

var units = map[string]unit{
	"minute": {minutes: 1}, "minutes": {minutes: 1}, "min": {minutes: 1}, "mins": {minutes: 1}, "minuto": {minutes: 1}, "minutos": {minutes: 1},
	"hour": {minutes: 60}, "hours": {minutes: 60}, "hr": {minutes: 60}, "hrs": {minutes: 60}, "hora": {minutes: 60}, "horas": {minutes: 60}, "h": {minutes: 60},
	"day": {days: 1}, "days": {days: 1}, "dia": {days: 1}, "dias": {days: 1},
	"week": {days: 7}, "weeks": {days: 7}, "semana": {days: 7}, "semanas": {days: 7},
	"fortnight": {days: 14}, "quincena": {days: 14}, "fortnights": {days: 14},
	"month": {months: 1}, "months": {months: 1}, "mes": {months: 1}, "meses": {months: 1},
	"year": {months: 12}, "years": {months: 12}, "ano": {months: 12}, "anos": {months: 12},
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

// quantities are amounts that are no numerals, in quarters.
var quantities = sayings(map[string]int{
	"a,an,un,una":                                4,
	"half a,half an,half,media,medio":            2,
	"a couple of,couple of,a couple,un par de":   8,
	"a quarter of an,quarter of an,un cuarto de": 1,
	"three quarters of an,tres cuartos de":       3,
	"one and a half,an and a half":               6,
	"two and a half":                             10,
})

// more follow a unit: "an hour and a half".
var more = sayings(map[string]int{
	"and a half,y media,y medio":        2,
	"and a quarter,y cuarto":            1,
	"and three quarters,y tres cuartos": 3,
})

// length reads how long something is: "two weeks", "hora y media", "1 hour and
// 20 minutes".
func (r *reader) length(i int) (unit, int) {
	u, end := r.oneLength(i)
	if end == 0 {
		return unit{}, 0
	}
	if r.soft(end) && (r.word(end) == "and" || r.word(end) == "y") {
		if v, e := r.oneLength(end + 1); e > 0 {
			return u.plus(v), e
		}
	}
	return u, end
}

func (r *reader) oneLength(i int) (unit, int) {
	quarters, k := quantities.at(r, i)
	if n := r.anyNumber(i); n.within(1, 999) && !n.ordinal && n.end > k {
		quarters, k = 4*n.value, n.end
	} else if r.word(i) == "hora" && r.word(i+1) == "y" {
		quarters, k = 4, i
	}
	u, ok := units[r.word(k)]
	if quarters == 0 || !ok || k > i && !r.soft(k) {
		return unit{}, 0
	}
	if part, e := more.at(r, k+1); e > 0 && r.soft(k+1) {
		return u.times(quarters + part), e
	}
	return u.times(quarters), k + 1
}

type direction int

const (
	ahead direction = iota + 1
	back
	around // "de hoy en ocho días": a week has eight days, two have fifteen
)

var offsetOpen = sayings(map[string]direction{
	"in,in about,in around,in exactly,within,en,en unos,en unas,dentro de,dentro de unos,dentro de unas,de aqui a,de aqui a unos,al cabo de,in another,en otra,en otros": ahead,
	"hace":                 back,
	"de hoy en,de aqui en": around,
})

var offsetClose = sayings(map[string]direction{
	"from now,later,from today,despues,mas tarde,a partir de ahora,desde ahora,time from now,hence": ahead,
	"ago,earlier,back": back,
})

// links lead from a length to the day it is counted from.
var links = sayings(map[string]direction{
	"from,after,on,despues de,despues del,a partir de,a partir del,desde,desde el,after the,from the,tras": ahead,
	"before,antes de,antes del,before the": back,
})

// offset reads a time counted from now or from another day: "in half an hour",
// "de aquí a dos semanas", "a week from Friday", "two days after Christmas".
// "Now" itself is one as well.
func offset(r *reader, i int) (Mention, int) {
	if m, end := r.nowAt(i); end > 0 {
		return m, end
	}
	dir, k := offsetOpen.at(r, i)
	k = max(k, i)
	u, end := r.length(k)
	if end == 0 || r.fleeting(k, end) || k > i && !r.soft(k) {
		return Mention{}, 0
	}
	if m, e := r.linked(u, end); e > 0 && (k == i || r.word(end) != "on") {
		return r.onWeekday(m, e)
	}
	if c, e := offsetClose.at(r, end); e > 0 && r.soft(end) {
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
	end = r.skip(end, "time", "s")
	end = r.skip(end, "time")
	return r.onWeekday(r.after(u), end)
}

// fleeting are manners of speaking: "in a minute".
func (r *reader) fleeting(k, end int) bool {
	return end == k+2 && (r.word(k) == "a" || r.word(k) == "un") && (r.word(k+1) == "minute" || r.word(k+1) == "minuto" || r.word(k+1) == "min")
}

var nows = sayings(map[string]bool{
	"now,right now,ahora,ahora mismo,right away,straight away,ya mismo": true,
})

// coming are words with which "now" is a time, and not a manner of speaking as
// in "bye now".
var coming = set(`come coming back visit pop arrive leave venir ir pasar acercarme volver volvere vuelvo voy vamos iremos ire llegar llego salgo`)

func (r *reader) nowAt(i int) (Mention, int) {
	_, end := nows.at(r, i)
	if end == 0 || r.asked == AskedNothing && !r.alone(i, end) && !coming[r.word(i-1)] && !coming[r.word(i-2)] {
		return Mention{}, 0
	}
	switch r.word(i - 1) {
	case "for", "por", "hasta", "until", "from":
		return Mention{}, 0
	}
	if r.soft(end) && musing[r.word(end)] {
		return Mention{}, 0
	}
	return Mention{Kind: Instant, At: r.now, mild: true}, end
}

// musing are words before which "now" is no time: "ahora sí", "ahora bien",
// "right now I don't know".
var musing = set(`si no bien yes yeah yep its thats it that im i we que then entonces`)

func (r *reader) after(u unit) Mention {
	if u.minutes != 0 {
		at := r.now.AddDate(0, u.months, u.days).Add(time.Duration(u.minutes) * time.Minute)
		return Mention{Kind: Instant, At: at}
	}
	return on(r.today.addMonths(u.months).AddDays(u.days))
}

// linked reads the day that a length is counted from.
func (r *reader) linked(u unit, k int) (Mention, int) {
	dir, e := links.at(r, k)
	if e == 0 || !r.soft(k) || u.minutes != 0 {
		return Mention{}, 0
	}
	m, end := r.longest(r.article(e), relative, weekday, dayOfMonth, bareDay, numeric, holiday)
	if end == 0 || m.Kind != OneDay || m.Impossible || r.word(e-1) == "on" && u.days%7 != 0 {
		return Mention{}, 0
	}
	if dir == back {
		u = unit{0, -u.days, -u.months}
	}
	return on(m.Date.addMonths(u.months).AddDays(u.days)), end
}

// onWeekday is a day counted in weeks with the weekday that follows: "in two
// weeks on Tuesday".
func (r *reader) onWeekday(m Mention, end int) (Mention, int) {
	k := r.skip(end, "on", "el")
	w, ok := r.weekdayAt(k)
	if m.Kind != OneDay || !ok || !r.near(end) || !r.soft(k) {
		return m, end
	}
	return on(m.Date.inWeek(w)), k + 1
}
