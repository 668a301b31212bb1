package dates

import "time"

// day reads one day: "tomorrow", "next Friday", "el 3 de marzo", "24/12".
func day(r *reader, i int) (Mention, int) {
	m, end := r.longest(i, weekdayOfMonth, relative, weekday, dayOfMonth, bareDay, numeric, holiday)
	if end == 0 || m.Kind != OneDay {
		return m, end
	}
	return r.withWeekday(m, end)
}

func on(d Date) Mention {
	if !d.exists() {
		return Mention{Kind: OneDay, Impossible: true}
	}
	return Mention{Kind: OneDay, Date: d}
}

var relatives = sayings(map[string]int{
	"today,hoy,hoy mismo,later today,this very day,el dia de hoy":                                        0,
	"tomorrow,tomorow,tommorow,tommorrow,tomorrows,tmrw,tmr,manana,manana mismo,el dia de manana,mna":    1,
	"day after tomorrow,the day after tomorrow,pasado manana,pasao manana,overmorrow,the day after tmrw": 2,
	"yesterday,ayer": -1,
	"the day before yesterday,day before yesterday,anteayer,antes de ayer": -2,
})

func relative(r *reader, i int) (Mention, int) {
	if r.word(i) == "pasado" && r.closed(i+1) && r.spokenOfTomorrow() {
		return on(r.today.AddDays(2)), r.skip(i+1, "manana")
	}
	if _, e := dayAfter.at(r, i); e > 0 && r.word(e) != "that" && r.word(e) != "next" && r.word(e) != "tomorrow" {
		return on(r.lastDay().AddDays(1)), e
	}
	n, end := relatives.at(r, i)
	if end == 0 || r.word(i) == "manana" && r.morningBefore(i) || n == 0 && (r.courtesy(i) || r.word(end) == "en" && r.word(end+1) == "dia") {
		return Mention{}, 0
	}
	return on(r.today.AddDays(n)), end
}

var courtesies = sayings(map[string]bool{
	"thank,thanks,gracias,assistance,your help,the help,tu ayuda,su ayuda,vuestra ayuda,s all,is all,be all,was all,es todo,seria todo,era todo,nada mas": true,
})

// courtesy says whether the today at i only takes leave: "thanks for your help
// today", "that's all for today", "nada más por hoy".
func (r *reader) courtesy(i int) bool {
	for k := i - 1; k >= 0 && k >= i-4 && r.soft(k+1); k-- {
		if _, end := courtesies.at(r, k); end > 0 {
			_, again := courtesies.at(r, i+1)
			return !r.soft(i+1) || again > 0
		}
	}
	return false
}

var dayAfter = sayings(map[string]bool{"the day after,el dia siguiente,al dia siguiente,the next day,the following day": true})

// lastDay is the day that was said last, or today.
func (r *reader) lastDay() Date {
	if len(r.found) == 0 || r.found[len(r.found)-1].Kind != OneDay || r.found[len(r.found)-1].Impossible {
		return r.today
	}
	return r.found[len(r.found)-1].Date
}

// spokenOfTomorrow lets "mañana no, pasado" be understood.
func (r *reader) spokenOfTomorrow() bool { return r.lastDay() == r.today.AddDays(1) }

// morningBefore says whether the mañana at i is a morning: "por la mañana".
func (r *reader) morningBefore(i int) bool {
	if len(r.found) > 0 && r.found[len(r.found)-1].tokens.to == i {
		return false
	}
	switch r.word(i - 1) {
	case "la", "esta", "las", "media", "cada", "una":
		return r.soft(i)
	}
	return false
}

type which int

const (
	plainDay which = iota
	thisOne
	nextOne
	lastOne
)

var whichBefore = sayings(map[string]which{
	"this,this coming,the coming,coming,este,este proximo,el proximo de,upcoming,this upcoming": thisOne,
	"next,the next,the following,following,proximo,el proximo,el siguiente":                     nextOne,
	"last,el pasado,this past": lastOne,
})

var whichAfter = sayings(map[string]which{
	"que viene,proximo,siguiente,que entra": nextOne,
	"pasado":                                lastOne,
	"week":                                  thisOne,
})

// weekday reads "next Friday", "el martes que viene", "Monday the 3rd",
// "Wednesday next week".
func weekday(r *reader, i int) (Mention, int) {
	chosen, k := whichBefore.at(r, i)
	k = max(k, i)
	w, ok := r.weekdayAt(k)
	if !ok || k > i && !r.soft(k) {
		return Mention{}, 0
	}
	end := k + 1
	date := r.choose(w, chosen, i)
	if c, e := whichAfter.at(r, end); e > 0 && r.soft(end) && (c != lastOne || r.word(e) != "manana") {
		if date = r.choose(w, c, end); r.word(end) == "week" {
			date = r.today.next(w).AddDays(7)
		}
		end = e
	}
	m := on(date)
	m.weekdayOnly = true
	if k == i && r.echoes(i, OneDay) && r.found[len(r.found)-1].inWeek { // "next week on Wednesday or Thursday"
		m = inWeek(r.lastDay().inWeek(w))
	}
	return r.specify(m, w, end)
}

func inWeek(d Date) Mention {
	m := on(d)
	m.inWeek = true
	return m
}

// specify reads what may follow a weekday and says which one it is.
func (r *reader) specify(m Mention, w time.Weekday, end int) (Mention, int) {
	if d, e := r.dayAfterWeekday(end, w); e > 0 {
		return d, e
	}
	k := end
	if r.near(k) {
		k = r.skip(k, "of", "on", "in", "de", "en")
	}
	if d, e := days(r, k); e > 0 && r.near(end) && !d.Until.IsZero() {
		if date, ok := within(w, d, r.today); ok {
			return inWeek(date), e
		}
	}
	if d, e := offset(r, end); e > 0 && r.near(end) && d.Kind == OneDay {
		return on(d.Date.inWeek(w)), e
	}
	return m, end
}

// within is the weekday inside of a range of days, a day to come if there is one.
func within(w time.Weekday, m Mention, today Date) (Date, bool) {
	first := m.Date
	if !first.Before(today) || m.Until.Before(today) {
		first = first.AddDays(-1)
	} else {
		first = today.AddDays(-1)
	}
	d := first.next(w)
	if m.Until.Before(d) {
		d = d.AddDays(-7)
	}
	if d.Before(m.Date.monday()) {
		return Date{}, false
	}
	if d.Before(today) {
		d = today.next(w)
	}
	return d, true
}

// dayAfterWeekday reads "Friday the 13th", "martes 3 de marzo", "lunes, 24/8".
func (r *reader) dayAfterWeekday(end int, w time.Weekday) (Mention, int) {
	if r.sentenceEnds(end) {
		return Mention{}, 0
	}
	k := r.over(end, "on", "the", "el", "dia")
	if m, e := r.longest(k, dayOfMonth, numeric); e > 0 && m.Kind == OneDay {
		if other, ok := r.swap(k, w, m); ok {
			m = other
		}
		m.WeekdayDiffers = !m.Impossible && m.Date.Weekday() != w
		return m, e
	}
	n := r.anyNumber(k)
	if !r.near(end) || !n.within(1, 31) || n.digits > 2 || r.startsClock(n.end) || counted[r.word(n.end)] && r.soft(n.end) {
		return Mention{}, 0
	}
	date, ok := r.weekdayOn(w, n.value)
	if !ok || !n.ordinal && k == end && n.value <= 12 && r.today.AddDays(60).Before(date) {
		return Mention{}, 0
	}
	m := on(date)
	if r.today.AddDays(62).Before(date) { // who says Friday the 19th may mean the next 19th, whatever day it is
		m.Near, m.WeekdayDiffers = r.nextDay(n.value), true
	}
	return m, n.end
}

// weekdayOn is the first day to come that is both: Friday the 13th.
func (r *reader) weekdayOn(w time.Weekday, n int) (Date, bool) {
	for k := range 48 {
		d := Date{r.today.Year, r.today.Month, 1}.addMonths(k)
		d.Day = n
		if d.exists() && !d.Before(r.today) && d.Weekday() == w {
			return d, true
		}
	}
	return Date{}, false
}

// withWeekday takes in the weekday that follows a date: "the 5th, a Tuesday".
func (r *reader) withWeekday(m Mention, end int) (Mention, int) {
	if m.weekdayOnly || m.Impossible {
		return m, end
	}
	k := r.skip(end, "a", "un")
	w, ok := r.weekdayAt(k)
	if !ok || r.sentenceEnds(end) {
		return m, end
	}
	if _, e := whichAfter.at(r, k+1); e > 0 {
		return m, end
	}
	if d, found := r.weekdayOn(w, m.Date.Day); m.dayOnly && found && d.Before(r.today.AddDays(62)) {
		m.Date, m.dayOnly = d, false
	}
	if m.WeekdayDiffers = m.Date.Weekday() != w; m.WeekdayDiffers && !m.written {
		m.WeekdayDiffers = false
		return m, end
	}
	return m, k + 1
}

// sentenceEnds says whether a sentence ends before token i: brackets do not
// count.
func (r *reader) sentenceEnds(i int) bool {
	t := r.tok(i)
	return !r.near(i) && (t.start == 0 || r.text[t.start-1] != '(')
}

// choose is the weekday that a modifier at token i picks.
func (r *reader) choose(w time.Weekday, c which, i int) Date {
	first := r.today.next(w)
	switch c {
	case lastOne:
		if first == r.today.AddDays(7) {
			first = r.today
		}
		return first.AddDays(-7)
	case nextOne:
		if word := r.word(i); word == "next" || word == "following" || word == "the" {
			return r.today.AddDays(7).inWeek(w)
		}
		if first == r.today.AddDays(1) {
			return first.AddDays(7)
		}
	}
	return first
}

// weekdayAt is the weekday named at i. Short names need a number, a small word
// or the edge of the text beside them.
func (r *reader) weekdayAt(i int) (time.Weekday, bool) {
	t := r.tok(i)
	if t.taken || t.value >= 0 || t.word == "" || r.introduced(i) {
		return 0, false
	}
	if w, ok := shortWeekdays[t.word]; ok {
		before, after := r.word(i-1), r.tok(i+1)
		return w, !pronouns[before] && (leading[before] || before == "by" || before == "for" || before == "" ||
			after.value >= 0 || after.word == "at" || after.word == "a" || r.number(i+1, r.lang).ok())
	}
	return time.Weekday(t.weekday), t.weekday >= 0
}

// introduced says whether a name is given at i: "me llamo Domingo".
func (r *reader) introduced(i int) bool {
	switch before := r.word(i - 1); before {
	case "llamo", "soy", "santo", "senor", "don", "apellido":
		return true
	case "is", "de", "es":
		return r.word(i-2) == "name" || r.word(i-2) == "nombre"
	}
	return false
}

var pronouns = set(`i you he she we they who cat kids`)

// dayOfMonth reads a day with its month: "March 3rd", "el tres de marzo", "the
// 4th of next month", "1 de enero de 2027".
func dayOfMonth(r *reader, i int) (Mention, int) {
	if month := r.monthAt(i); month > 0 {
		return r.monthFirst(i, month)
	}
	n := r.anyNumber(i)
	if !n.within(1, 31) || n.digits > 2 {
		return Mention{}, 0
	}
	k := r.over(n.end, "day", "dia", "de", "del", "of", "the")
	if d, e := thatMonth.at(r, k); e > 0 && k > n.end && (n.ordinal || n.digits > 0 || r.marked(i)) {
		d := Date{r.today.Year, r.today.Month, 1}.addMonths(d)
		d.Day = n.value
		return written(on(d)), e
	}
	if month := r.monthAt(r.over(k, "mes", "de")); month > 0 {
		k = r.over(k, "mes", "de")
	}
	month := r.monthAt(k)
	if month == 0 || !r.soft(k) && !(n.ordinal && r.near(k)) || k == n.end && !n.ordinal && r.notItsMonth(k, month) {
		return Mention{}, 0
	}
	return r.datedWith(month, n.value, k+1)
}

// notItsMonth says whether the month at k does not belong to the number before
// it: "for two, March 5th", "for two may I".
func (r *reader) notItsMonth(k int, month time.Month) bool {
	after := r.word(k + 1)
	if r.word(k) == "may" && (after == "i" || after == "we") {
		return true
	}
	_, end := r.monthFirst(k, month)
	return end > 0 && r.year(k+1).end == 0
}

// over skips the words in their order, each if it is there.
func (r *reader) over(i int, words ...string) int {
	for _, w := range words {
		if r.near(i) {
			i = r.skip(i, w)
		}
	}
	return i
}

var thatMonth = sayings(map[string]int{
	"this month,este mes,month,mes,el corriente,mes en curso,current month":                                            0,
	"next month,following month,mes que viene,proximo mes,mes proximo,proximo mes que viene,mes siguiente,month after": 1,
})

// marked says whether an article makes the number at i a day.
func (r *reader) marked(i int) bool {
	switch r.word(i - 1) {
	case "the", "el", "dia", "del", "al":
		return r.soft(i)
	}
	return false
}

func (r *reader) monthAt(i int) time.Month {
	t := r.tok(i)
	if t.taken || t.value >= 0 || t.word == "" || t.word == "ago" && r.lang != "es" {
		return 0
	}
	return time.Month(t.month)
}

func (r *reader) monthFirst(i int, month time.Month) (Mention, int) {
	k := r.over(i+1, "the", "el")
	n := r.anyNumber(k)
	if !r.near(i+1) || !r.soft(i+1) && n.digits == 0 && !n.ordinal {
		return Mention{}, 0
	}
	if !n.within(1, 31) || n.digits > 2 || r.startsClock(n.end) && !n.ordinal || counted[r.word(n.end)] && r.soft(n.end) && !n.ordinal {
		return Mention{}, 0
	}
	if after := r.over(n.end, "de", "of"); after > n.end && r.monthAt(after) > 0 { // "con la doctora Abril el 5 de mayo"
		return Mention{}, 0
	}
	if r.word(i) == "may" && !n.ordinal && (r.word(i-1) == "i" || r.word(i-1) == "we" || r.word(i-1) == "you") {
		return Mention{}, 0
	}
	return r.datedWith(month, n.value, n.end)
}

var thatYear = sayings(map[string]int{
	"this year,este ano,de este ano":                                         0,
	"next year,del ano que viene,del proximo ano,ano que viene,of next year": 1,
})

// datedWith is the day of a month, in the year that follows it at k or else in
// the one that brings it next.
func (r *reader) datedWith(month time.Month, n, k int) (Mention, int) {
	if y, e := thatYear.at(r, k); e > 0 && r.near(k) {
		return written(on(Date{r.today.Year + y, month, n})), e
	}
	at := k
	if r.near(at) {
		at = r.skip(at, "de", "del", "of", "in")
		at = r.skip(at, "ano", "year")
	}
	if y := r.year(at); y.ok() && r.near(at) {
		return written(on(Date{y.value, month, n})), y.end
	}
	return written(on(r.upcoming(month, n))), k
}

// written marks a date that was said with its month.
func written(m Mention) Mention {
	m.written = true
	return m
}

// upcoming is the next such day, today included. 29 February waits for its
// year; 31 April never comes.
func (r *reader) upcoming(month time.Month, n int) Date {
	for k := range 9 {
		d := Date{r.today.Year + k, month, n}
		if d.exists() && !d.Before(r.today) {
			return d
		}
	}
	return Date{r.today.Year, month, n}
}

// bareDay reads a day without its month: "the 3rd", "el quince", "día 8".
func bareDay(r *reader, i int) (Mention, int) {
	n := r.anyNumber(i)
	if !n.within(1, 31) || n.digits > 2 || !r.isDay(i, n) {
		return Mention{}, 0
	}
	m := on(r.nextDay(n.value))
	if d := r.lastDay(); r.echoes(i, OneDay) && n.value > d.Day && (Date{d.Year, d.Month, n.value}).exists() {
		m = on(Date{d.Year, d.Month, n.value})
	}
	m.dayOnly = true
	return m, n.end
}

var echoing = set(`or o u not no i mean instead of rather better mejor perdon digo sorry make it wait las la a at maybe even the on el dia and y`)

// echoes says whether the number at i goes on from the mention before, which is
// of that kind: "at 7 or 8", "the 2nd or 3rd", "at five, I mean six".
func (r *reader) echoes(i int, kind Kind) bool {
	if len(r.found) == 0 {
		return false
	}
	last := r.found[len(r.found)-1]
	for k := last.tokens.to; k < i; k++ {
		if !echoing[r.word(k)] || r.tok(k).gap == stop {
			return false
		}
	}
	return last.Kind == kind && i-last.tokens.to <= 4 && (i > last.tokens.to || r.tok(i).gap == comma)
}

// isDay says whether the number at i can be nothing but the day of a month.
func (r *reader) isDay(i int, n number) bool {
	after := r.word(n.end)
	switch {
	case r.startsClock(n.end) && !n.ordinal && !r.onlyPart(i, n.end):
		return false
	case r.soft(n.end) && (counted[after] || unlikelyAfterDay[after] || after == "por" && r.word(n.end+1) == "ciento"):
		return false
	case r.asked == AskedDay && (r.alone(i, n.end) || n.ordinal):
		return true
	case n.ordinal && n.digits > 0 && r.echoes(i, OneDay):
		return true
	case !r.marked(i):
		return n.ordinal && n.digits > 0 && (r.word(i-1) == "on" || r.word(i-1) == "for" || r.alone(i, n.end))
	case r.word(i-1) == "the":
		return n.ordinal && (n.digits > 0 || n.value > 3 || n.end-i > 1 || r.word(i-2) == "on" || r.word(i-2) == "for") || n.digits > 0 && r.closed(n.end)
	case r.word(i-1) == "dia":
		return true
	}
	return (n.digits > 0 || !n.ordinal && (n.value > 1 || r.word(n.end) == "a")) && r.closed(n.end)
}

// onlyPart says whether nothing but a part of the day follows the day at i: "el
// 5 por la tarde", not "el 5 pm".
func (r *reader) onlyPart(i, end int) bool {
	w := r.word(end)
	return r.marked(i) && (w == "por" || w == "in" || w == "a" || w == "en" && r.word(end+1) != "punto")
}

var unlikelyAfterDay = set(`one floor street avenue birthday anniversary available slot appointment opening visit party element option half quarter
course attempt reason thing of piso planta hijo de hueco cita turno sitio disponible libre dia day`)

// alone says whether nothing else stands in the text but small words.
func (r *reader) alone(from, to int) bool {
	for i := range r.toks {
		if (i < from || i >= to) && !small[r.word(i)] {
			return false
		}
	}
	return true
}

var small = set(`the on at for el la las a para dia please por favor yes si no pues eh um uh ok okay vale mejor better make it around about sobre que
sea maybe perhaps then well hacia gracias thanks thank you perfecto i say said would be o clock uhm mm`)

// nextDay is the next n-th of a month, today included.
func (r *reader) nextDay(n int) Date {
	for k := range 13 {
		d := Date{r.today.Year, r.today.Month, 1}.addMonths(k)
		d.Day = n
		if d.exists() && !d.Before(r.today) {
			return d
		}
	}
	return Date{}
}
