package dates

import (
	"slices"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/language"
)

// weekdayReader reads days of the week, and what is said with them.
type weekdayReader struct{ *reader }

// weekday reads "next Friday", "el martes que viene", "Monday the 3rd",
// "Wednesday next week", and with a day that stands "the Friday instead".
func weekday(all *reader, i int) (Mention, int) {
	r := weekdayReader{all}
	which, k := r.whichBefore.at(r.line, i)
	k = max(k, i)
	w, ok := r.weekdayAt(k)
	if !ok || k > i && !r.soft(k) {
		return Mention{}, 0
	}
	end := k + 1
	if m, e := r.sideOf(w, end); e > 0 {
		return m, e
	}
	m := on(r.choose(w, which))
	if after, e := r.whichAfterAt(end); e > 0 {
		m, which, end = on(r.choose(w, after)), after, e
	}
	m.weekdayOnly = true
	if last, found := r.last(); found && k == i && r.echoes(i, OneDay) && last.inWeek && !r.lastDay().InWeek(w).Before(r.today) { // "next week on Wednesday or Thursday"
		m = inWeek(r.lastDay().InWeek(w))
	} else if d, e := r.standingWeek(w, i, end); e > 0 && which == "" {
		m, end = inWeek(d), e
	}
	return r.specify(m, w, end)
}

// whichAfterAt reads the words behind a weekday that pick one. What could as well
// lead to something else only does so at the end: "the Monday after", not "Monday
// after five".
func (r weekdayReader) whichAfterAt(i int) (which string, end int) {
	which, end = r.whichAfter.at(r.line, i)
	if end == 0 || !r.soft(i) || which == "last" && r.is(end, "tomorrow_or_morning") {
		return "", 0
	}
	if _, said := r.said(); !said && strings.HasPrefix(which, "following ") && slices.ContainsFunc(r.found, Mention.aboutTime) { // "I finish at five, Thursday after that"
		return "", 0
	}
	if _, leads := r.links.at(r.line, i); leads == end && r.soft(end) || r.counts(end) {
		return "", 0
	}
	return which, end
}

func inWeek(d Date) Mention {
	m := on(d)
	m.inWeek = true
	return m
}

// choose is the weekday that a word beside it picks.
func (r weekdayReader) choose(w time.Weekday, which string) Date {
	first := r.today.Next(w)
	if rest, ok := strings.CutPrefix(which, "following "); ok {
		if d, said := r.said(); said {
			return d.Next(w)
		}
		which = rest
	}
	if d, said := r.said(); said && which == "preceding" {
		return d.AddDays(-8).Next(w)
	}
	switch which {
	case "last":
		if first == r.today.AddDays(7) {
			first = r.today
		}
		return first.AddDays(-7)
	case "week":
		return r.today.AddDays(7).InWeek(w)
	case "other":
		return first.AddDays(7)
	case "after next":
		return r.today.AddDays(14).InWeek(w)
	case "week on":
		return r.weekdayFromToday(w).AddDays(7)
	case "fortnight on":
		return r.weekdayFromToday(w).AddDays(14)
	case "coming":
		if first == r.today.AddDays(1) {
			return first.AddDays(7)
		}
	}
	return first
}

// weekdayFromToday is the weekday that weeks are counted from, today included:
// "Wednesday week" said on a Wednesday is a week away.
func (r weekdayReader) weekdayFromToday(w time.Weekday) Date { return r.today.AddDays(-1).Next(w) }

// said is the day that was said last, or else the one that was talked about, or that
// stands.
func (r *line) said() (Date, bool) {
	if d, ok := r.lastNamed(); ok {
		return d, true
	}
	if d := r.standing.Talked; !d.IsZero() {
		return d, true
	}
	return r.standing.Date, r.fromStanding()
}

// lastNamed is the day that was said last in the line, whatever was said about times
// since.
func (r *line) lastNamed() (Date, bool) {
	for _, m := range slices.Backward(r.found) {
		if m.Kind == OneDay && !m.Impossible {
			return m.Date, true
		}
		if m.aboutDay() {
			break
		}
	}
	return Date{}, false
}

// weekdayAt is the weekday named at i. Short names need a number, a small word
// or the edge of the text beside them.
func (r *line) weekdayAt(i int) (time.Weekday, bool) {
	t := r.tok(i)
	if t.taken || t.weekday < 0 || r.plain["introductions"].before(r, i) {
		return 0, false
	}
	if _, short := r.shortWeekdays[t.word]; short {
		after := r.tok(i + 1)
		_, lead := r.leads.at(r, i+1)
		return time.Weekday(t.weekday), !r.is(i-1, "subjects") && (r.is(i-1, "leading") || r.is(i-1, "day_preps") || r.is(i-1, "part_for") || i == 0 ||
			after.value >= 0 || lead > 0 || r.anyNumber(i+1).ok())
	}
	return time.Weekday(t.weekday), true
}

// specify reads what may follow a weekday and says which one it is.
func (r weekdayReader) specify(m Mention, w time.Weekday, end int) (Mention, int) {
	if d, e := r.dayAfterWeekday(end, w); e > 0 {
		return d, e
	}
	k := end
	if r.near(k) {
		k = r.skip(k, "of")
	}
	if weeks, counted := r.weeksAfter.at(r.line, k); counted > r.heardWeek(k) { // "not this Friday, the week after"
		if d := r.today.AddDays(7 * weeks).InWeek(w); k > end && r.soft(k) && !d.Before(r.today) { // "el sábado de la otra semana"
			return inWeek(d), counted
		}
		return m, end
	}
	if d, e := days(r.reader, k); e > 0 && r.near(end) && !d.Until.IsZero() {
		if date, ok := within(w, d, r.today); ok {
			return inWeek(date), e
		}
	}
	for _, at := range []int{end, k} {
		if d, e := offset(r.reader, at); e > 0 && r.near(end) && d.Kind == OneDay {
			return on(d.Date.InWeek(w)), e
		}
	}
	return m, end
}

// heardWeek is where a stretch of days that begins at i ends.
func (r weekdayReader) heardWeek(i int) int {
	_, end := r.stretches.at(r.line, i)
	return end
}

// sideOf reads the day at whose side a weekday is: "the Monday after Easter".
func (r weekdayReader) sideOf(w time.Weekday, end int) (Mention, int) {
	side, k := r.weekdaySides.at(r.line, end)
	if k == 0 || !r.soft(end) || !r.soft(k) {
		return Mention{}, 0
	}
	m, e := r.dayNamed(k, dayOfMonth, bareDay, holiday, holidayBeside)
	if e == 0 || m.Kind != OneDay || m.Impossible {
		return Mention{}, 0
	}
	d := m.Date.Next(w)
	if side < 0 {
		d = m.Date.AddDays(-8).Next(w)
	}
	return on(d), e
}

// within is the weekday inside of a range of days, a day to come if there is one.
func within(w time.Weekday, m Mention, today Date) (Date, bool) {
	first := m.Date
	if !first.Before(today) || m.Until.Before(today) {
		first = first.AddDays(-1)
	} else {
		first = today.AddDays(-1)
	}
	d := first.Next(w)
	if m.Until.Before(d) {
		d = d.AddDays(-7)
	}
	if d.Before(m.Date.Monday()) {
		return Date{}, false
	}
	if d.Before(today) {
		d = today.Next(w)
	}
	return d, true
}

// dayAfterWeekday reads "Friday the 13th", "martes 3 de marzo", "lunes, 24/8".
func (r weekdayReader) dayAfterWeekday(end int, w time.Weekday) (Mention, int) {
	if r.sentenceEnds(end) {
		return Mention{}, 0
	}
	k := r.over(end, "weekday_links")
	if m, e := r.longest(k, dayOfMonth, numeric); e > 0 && m.Kind == OneDay {
		if other, ok := r.swap(k, w, m); ok {
			m = other
		}
		m.WeekdayDiffers = !m.Impossible && m.Date.Weekday() != w
		return m, e
	}
	return r.numberAfterWeekday(end, k, w)
}

// numberAfterWeekday reads the day of the month at k, behind a weekday that ends
// at end: "Friday the 13th", "viernes 13".
func (r weekdayReader) numberAfterWeekday(end, k int, w time.Weekday) (Mention, int) {
	n := r.anyNumber(k)
	if !r.near(end) || !n.within(1, 31) || n.digits > 2 || r.startsClock(n.end) && !r.dayThenPart(k, n, k > end) || r.counts(n.end) || r.countsOther(end, k, n) {
		return Mention{}, 0
	}
	if m := r.anyNumber(n.end); k == end && r.soft(n.end) && afternoonFigures(n, m) && !r.moreNumbers(m.end) { // "viernes 17 30"
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

// countsOther says whether a number in words behind a weekday is no day of the month:
// "Monday, the one after", "Friday, the first slot".
func (r weekdayReader) countsOther(end, k int, n number) bool {
	if n.digits > 0 {
		return false
	}
	return !n.ordinal && k > end && r.is(k-1, "ordinal_articles") || n.ordinal && r.soft(n.end) && r.is(n.end, "unlikely_after_day")
}

// dayThenPart says whether the number at k, behind a weekday, is its day of the month
// though a part of the day follows: "el jueves 3 por la tarde". A bare number that
// is an hour of that part is one where the language says hours so: "Friday four in
// the afternoon", "el viernes cuatro de la tarde".
func (r weekdayReader) dayThenPart(k int, n number, article bool) bool {
	p, end := r.spokenParts.at(r.line, n.end)
	if end == 0 || r.halfDayAt(n.end) {
		return false
	}
	if article || n.ordinal || n.value > 12 || !r.is(n.end, "hour_parts") {
		return true
	}
	c, ok := p.settle(Clock{Hour: n.value})
	return !ok || c.Before(p.from) || p.to.Before(c)
}

// weekdayOn is the first day to come that is both: Friday the 13th.
func (r weekdayReader) weekdayOn(w time.Weekday, n int) (Date, bool) {
	for k := range 48 {
		d := Date{Year: r.today.Year, Month: r.today.Month, Day: 1}.AddMonths(k)
		d.Day = n
		if d.Exists() && !d.Before(r.today) && d.Weekday() == w {
			return d, true
		}
	}
	return Date{}, false
}

// withWeekday takes in the weekday that follows a date: "the 5th, a Tuesday".
func (r weekdayReader) withWeekday(m Mention, end int) (Mention, int) {
	if m.weekdayOnly || m.Impossible {
		return m, end
	}
	k := r.skip(end, "a")
	w, ok := r.weekdayAt(k)
	if !ok || r.sentenceEnds(end) {
		return m, end
	}
	if _, e := r.whichAfter.at(r.line, k+1); e > 0 {
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
func (r *line) sentenceEnds(i int) bool {
	t := r.tok(i)
	return !r.near(i) && (t.start == 0 || r.text[t.start-1] != '(')
}

// otherOne reads the alternative to a day that has just been refused, or that is
// offered beside it: "este martes no, el otro", "not this Monday, the one
// after", "this Friday or the next".
func otherOne(r *reader, i int) (Mention, int) {
	const far = 6
	n, end := r.others.at(r.line, i)
	last, ok := r.last()
	if end == 0 || !ok || last.Impossible || i-last.tokens.to > far || !r.ends(end) {
		return Mention{}, 0
	}
	if !orAt(r.line, i) && !betweenAt(r.line, last, i) && !r.denials().negated(len(r.found)-1) && !r.thisOneDenied(last.tokens.to, i) {
		return Mention{}, 0
	}
	var m Mention
	switch {
	case last.Kind == Days:
		m = last.following(n)
	case last.Kind == OneDay && (last.weekdayOnly || last.inWeek):
		m = last.again(last.Date.AddDays(7 * n))
	case last.Kind == OneDay:
		m = on(last.Date.AddDays(n))
	default:
		return Mention{}, 0
	}
	m.other = true
	if w, ok := r.weekdayAt(end); ok && r.soft(end) && m.Kind == OneDay && w == m.Date.Weekday() { // "el otro lunes"
		end++
	}
	return m, end
}

// orAt says whether an "or" stands before token i, with small words between them at
// most.
func orAt(r *line, i int) bool {
	for k := i - 1; k >= 0 && k >= i-3; k-- {
		switch {
		case r.is(k, "or"):
			return true
		case !r.is(k, "or_between"):
			return false
		}
	}
	return false
}

// betweenAt says whether token i is the other end of a stretch that m begins: "between
// this week and next".
func betweenAt(r *line, m Mention, i int) bool {
	return m.Kind == Days && r.is(i-1, "and") && r.is(m.tokens.from-1, "range_open")
}

// thisOneDenied says whether the day that was said is ruled out between two
// tokens without its name: "Friday, but not this one, the one after".
func (r *line) thisOneDenied(from, to int) bool {
	denied, this := false, false
	for k := from; k < to; k++ {
		denied = denied || r.is(k, "denied") || r.heardAt(k, "denials") > 0
		this = this || r.heardAt(k, "this_one") > 0 || r.passesOver(k, "this_one")
	}
	return denied && this
}

// passesOver says whether a word of a section stands behind token k that was
// passed over: some are also said to gain time.
func (r *line) passesOver(k int, section string) bool {
	for _, w := range language.Tokenize(r.text[r.tok(k).end:max(r.tok(k).end, r.tok(k+1).start)]) {
		if len(r.plain[section][w.Word]) > 0 {
			return true
		}
	}
	return false
}

// following is the stretch of days n weeks or months after another one.
func (m Mention) following(n int) Mention {
	until := m.Until.AddDays(7 * n)
	switch {
	case strings.HasSuffix(m.stretch, "weekend"):
		return through(until.AddDays(-1), until)
	case strings.Contains(m.stretch, "week"):
		return through(until.AddDays(-6), until)
	case strings.HasSuffix(m.stretch, "month"):
		first := Date{Year: m.Until.Year, Month: m.Until.Month, Day: 1}.AddMonths(n)
		return through(first, monthEnd(first))
	}
	return through(m.Date.AddDays(7*n), until)
}

// again is the same weekday on another date.
func (m Mention) again(d Date) Mention {
	other := on(d)
	other.weekdayOnly, other.inWeek = m.weekdayOnly, m.inWeek
	return other
}

// Weekdays is a set of days of the week.
type Weekdays uint8

// Has says whether a day of the week is in the set. All are in the empty one.
func (w Weekdays) Has(d time.Weekday) bool { return w == 0 || w&(1<<d) != 0 }

// weekdaysOf reads the numbers of days, 0 for Sunday.
func weekdaysOf(s string) (set Weekdays) {
	for n := range strings.FieldsSeq(s) {
		set |= 1 << numberIn(n)
	}
	return set
}

// weekdaySet reads days that are only some of a week: "entre semana", "weekday
// mornings".
func weekdaySet(r *reader, i int) (Mention, int) {
	set, end := r.daySets.at(r.line, i)
	if end == 0 {
		return Mention{}, 0
	}
	return Mention{Kind: DaysOfWeek, Weekdays: set}, end
}
