package dates

import (
	"time"

	"frontdesk.dev/frontdesk/internal/language"
)

// day reads one day: "tomorrow", "next Friday", "el 3 de marzo", "24/12".
func day(r *reader, i int) (Mention, int) {
	m, end := r.longest(i, weekdayOfMonth, besideDay, relative, weekday, dayOfMonth, bareDay, numeric, holiday)
	if end == 0 || m.Kind != OneDay {
		return m, end
	}
	return weekdayReader{r}.withWeekday(m, end)
}

func on(d Date) Mention {
	if !d.Exists() {
		return Mention{Kind: OneDay, Impossible: true}
	}
	return Mention{Kind: OneDay, Date: d}
}

func relative(r *reader, i int) (Mention, int) {
	if e := r.heardAt(i, "after_tomorrow"); e > 0 && r.closed(e) && r.lastDay() == r.today.AddDays(1) { // "mañana no, pasado"
		return on(r.today.AddDays(2)), r.skip(e, "tomorrow_or_morning")
	}
	n, end := r.relatives.at(r.line, i)
	if end == 0 || r.is(i, "tomorrow_or_morning") && r.morningBefore(i) || n == 0 && (r.courtesy(i) || r.heardAt(i, "nowadays") > 0) {
		return Mention{}, 0
	}
	if which, e := r.whichAfter.at(r.line, end); e > 0 && which == "week on" && r.soft(end) { // "tomorrow week"
		return on(r.today.AddDays(n + 7)), e
	}
	return on(r.today.AddDays(n)), end
}

// courtesy says whether the today at i only takes leave: "thanks for your help
// today", "that's all for today", "nada más por hoy".
func (r *reader) courtesy(i int) bool {
	for k := i - 1; k >= 0 && k >= i-4 && r.soft(k+1); k-- {
		if r.heardAt(k, "courtesies") > 0 {
			return !r.soft(i+1) || r.heardAt(i+1, "courtesies") > 0
		}
	}
	return false
}

// lastDay is the day that was said last, or today.
func (r *line) lastDay() Date {
	if m, ok := r.last(); ok && m.Kind == OneDay && !m.Impossible {
		return m.Date
	}
	return r.today
}

// morningBefore says whether the mañana at i is a morning: "por la mañana".
func (r *reader) morningBefore(i int) bool {
	if m, ok := r.last(); ok && m.tokens.to == i {
		return false
	}
	return r.is(i-1, "morning_marks") && r.soft(i)
}

// besideDay reads the day before or after another one: "the day before Christmas
// Eve", "la víspera de Reyes".
func besideDay(r *reader, i int) (Mention, int) {
	n, k := r.beside.at(r.line, i)
	if k == 0 || !r.soft(k) {
		return Mention{}, 0
	}
	m, end := r.dayNamed(k, relative, weekday, dayOfMonth, bareDay, numeric, holiday, holidayBeside)
	if end == 0 || m.Kind != OneDay || m.Impossible {
		return Mention{}, 0
	}
	return on(m.Date.AddDays(n)), end
}

// dayNamed is what the rules read at k, or behind the articles there. Those may
// belong to the name of a feast: "el día de la madre".
func (r *reader) dayNamed(k int, rules ...rule) (Mention, int) {
	if m, end := r.longest(r.over(k, "articles"), rules...); end > 0 {
		return m, end
	}
	return r.longest(k, rules...)
}

// dayOfMonth reads a day with its month: "March 3rd", "el tres de marzo", "the
// 4th of next month", "1 de enero de 2027".
func dayOfMonth(r *reader, i int) (Mention, int) {
	if month := r.monthAt(i); month > 0 {
		return r.monthFirst(i, month)
	}
	if m, end := r.yearFirst(i); end > 0 {
		return m, end
	}
	n := r.anyNumber(i)
	if !n.within(1, 31) || n.digits > 2 {
		return Mention{}, 0
	}
	if m, end := r.dayOfThatMonth(i, n); end > 0 {
		return m, end
	}
	k := r.over(n.end, "month_links")
	month := r.monthAt(k)
	if month == 0 || !r.soft(k) && !(n.ordinal && r.near(k)) || k == n.end && !n.ordinal && r.notItsMonth(k, month) {
		return Mention{}, 0
	}
	return r.datedWith(month, n.value, k+1)
}

// dayOfThatMonth reads the day n of a month that is not named: "el 4 del mes que
// viene".
func (r *reader) dayOfThatMonth(i int, n number) (Mention, int) {
	if !n.ordinal && n.digits == 0 && !r.marked(i) {
		return Mention{}, 0
	}
	for k := n.end + 1; k <= r.over(n.end, "month_links"); k++ {
		months, e := r.monthPhrases.at(r.line, k)
		if e == 0 || r.monthAt(r.over(e, "month_links")) > 0 {
			continue
		}
		d := Date{Year: r.today.Year, Month: r.today.Month, Day: 1}.AddMonths(months)
		d.Day = n.value
		return written(on(d)), e
	}
	return Mention{}, 0
}

// yearFirst reads a year, a month in letters and a day: "2027 sep 23".
func (r *reader) yearFirst(i int) (Mention, int) {
	y := r.year(i)
	if !y.ok() || r.tok(i).value < 0 {
		return Mention{}, 0
	}
	month, n := r.monthAt(y.end), r.anyNumber(y.end+1)
	if month > 0 && n.within(1, 31) && r.soft(y.end) && r.soft(y.end+1) && n.digits <= 2 {
		return written(on(Date{Year: y.value, Month: month, Day: n.value})), n.end
	}
	return Mention{}, 0
}

// notItsMonth says whether the month at k does not belong to the number before
// it: "for two, March 5th", "for two may I".
func (r *reader) notItsMonth(k int, month time.Month) bool {
	if r.plain["month_as_verb"].over(r.line, k) {
		return true
	}
	_, end := r.monthFirst(k, month)
	return end > 0 && r.year(k+1).end == 0
}

// marked says whether an article makes the number at i a day.
func (r *line) marked(i int) bool { return r.is(i-1, "day_marks") && r.soft(i) }

func (r *line) monthAt(i int) time.Month {
	t := r.tok(i)
	if t.taken || t.value >= 0 || t.word == "" || r.lang.noMonths[t.word] {
		return 0
	}
	return time.Month(t.month)
}

func (r *reader) monthFirst(i int, month time.Month) (Mention, int) {
	k := r.over(i+1, "articles")
	n := r.anyNumber(k)
	if !r.near(i+1) || !r.soft(i+1) && n.digits == 0 && !n.ordinal {
		return Mention{}, 0
	}
	if !n.within(1, 31) || n.digits > 2 || r.startsClock(n.end) && !n.ordinal || r.counts(n.end) && !n.ordinal {
		return Mention{}, 0
	}
	if after := r.over(n.end, "month_links"); after > n.end && r.monthAt(after) > 0 { // "con la doctora Abril el 5 de mayo"
		return Mention{}, 0
	}
	if !n.ordinal && r.plain["month_as_verb"].over(r.line, i) {
		return Mention{}, 0
	}
	return r.datedWith(month, n.value, n.end)
}

// counts says whether what stands at i is counted by the number before it.
func (r *line) counts(i int) bool { return r.soft(i) && r.is(i, "counted") }

// datedWith is the day of a month, in the year that follows it at k or else in
// the one that brings it next.
func (r *reader) datedWith(month time.Month, n, k int) (Mention, int) {
	if y, e := r.yearPhrases.at(r.line, k); e > 0 && r.near(k) {
		return written(on(Date{Year: r.today.Year + y, Month: month, Day: n})), e
	}
	at := k
	if r.near(at) {
		at = r.skip(r.skip(at, "year_links"), "year_nouns")
	}
	if y := r.year(at); y.ok() && r.near(at) {
		return written(on(Date{Year: y.value, Month: month, Day: n})), y.end
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
func (r figures) upcoming(month time.Month, n int) Date {
	for k := range 9 {
		d := Date{Year: r.today.Year + k, Month: month, Day: n}
		if d.Exists() && !d.Before(r.today) {
			return d
		}
	}
	return Date{Year: r.today.Year, Month: month, Day: n}
}

// bareDay reads a day without its month: "the 3rd", "el quince", "día 8".
func bareDay(r *reader, i int) (Mention, int) {
	n := r.anyNumber(i)
	if !n.within(1, 31) || n.digits > 2 || !r.isDay(i, n) {
		return Mention{}, 0
	}
	m := on(r.nextDay(n.value))
	if d := r.lastDay(); r.echoes(i, OneDay) && n.value > d.Day && (Date{Year: d.Year, Month: d.Month, Day: n.value}).Exists() {
		m = on(Date{Year: d.Year, Month: d.Month, Day: n.value})
	}
	m.dayOnly = true
	return m, n.end
}

// echoes says whether the number at i goes on from the mention before, which is
// of that kind: "at 7 or 8", "the 2nd or 3rd", "at five, I mean six".
func (r *line) echoes(i int, kind Kind) bool {
	last, ok := r.last()
	if !ok {
		return false
	}
	for k := last.tokens.to; k < i; k++ {
		if !r.is(k, "echoing") || r.tok(k).gap == language.Stop {
			return false
		}
	}
	return last.Kind == kind && i-last.tokens.to <= 4 && (i > last.tokens.to || r.tok(i).gap == language.Comma)
}

// isDay says whether the number at i can be nothing but the day of a month.
func (r *reader) isDay(i int, n number) bool {
	switch {
	case r.startsClock(n.end) && !n.ordinal && !onlyPart(r.line, i, n.end):
		return false
	case r.counts(n.end) || r.soft(n.end) && (r.is(n.end, "unlikely_after_day") || percent(r.line, n.end)):
		return false
	case r.asked == AskedDay && (r.alone(i, n.end) || n.ordinal):
		return true
	case n.ordinal && n.digits > 0 && r.echoes(i, OneDay):
		return true
	case !r.marked(i):
		return n.ordinal && n.digits > 0 && (r.is(i-1, "day_preps") || r.alone(i, n.end))
	}
	return r.isMarkedDay(i, n)
}

// isMarkedDay says whether the number behind an article is a day.
func (r *reader) isMarkedDay(i int, n number) bool {
	figures := n.digits > 0
	switch {
	case r.is(i-1, "ordinal_articles") && n.ordinal:
		return figures || n.value > 3 || n.end-i > 1 || r.is(i-2, "day_preps")
	case r.is(i-1, "ordinal_articles"):
		return figures && r.closed(n.end)
	case r.is(i-1, "day_nouns"):
		return true
	}
	return (figures || !n.ordinal && (n.value > 1 || r.startsLead(n.end))) && r.closed(n.end)
}

// percent says whether the number before i is one in a hundred: "el 2 por
// ciento".
func percent(r *line, i int) bool {
	for _, l := range r.lexicons {
		if l.language.Pairs("digits")[r.word(i+1)] == "100" {
			return true
		}
	}
	return false
}

// onlyPart says whether nothing but a part of the day follows the day at i: "el
// 5 por la tarde", not "el 5 pm".
func onlyPart(r *line, i, end int) bool {
	if !r.marked(i) || r.halfDayAt(end) {
		return false
	}
	if _, e := r.trimmings.at(r, end); e > 0 {
		return false
	}
	_, e := r.spokenParts.at(r, end)
	return e > 0 && !r.is(end, "part_of")
}

// alone says whether nothing else stands in the text but small words.
func (r *line) alone(from, to int) bool {
	for i := range r.toks {
		if (i < from || i >= to) && !r.is(i, "small") {
			return false
		}
	}
	return true
}

// nextDay is the next n-th of a month, today included.
func (r figures) nextDay(n int) Date {
	for k := range 13 {
		d := Date{Year: r.today.Year, Month: r.today.Month, Day: 1}.AddMonths(k)
		d.Day = n
		if d.Exists() && !d.Before(r.today) {
			return d
		}
	}
	return Date{}
}
