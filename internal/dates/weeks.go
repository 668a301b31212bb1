package dates

import "time"

type stretch int

const (
	thisWeek stretch = iota
	nextWeek
	weekAfterNext
	thisWeekend
	nextWeekend
	proximoWeekend
	thisMonthLong
	nextMonthLong
	lastWeek
)

var stretches = sayings(map[string]stretch{
	"this week,the week,esta semana,la semana esta,later this week,esta misma semana": thisWeek,
	"next week,the next week,the following week,following week,la semana que viene,semana que viene,la proxima semana,proxima semana,la semana proxima,la semana siguiente,semana siguiente,la semana entrante": nextWeek,
	"the week after next,week after next,la semana siguiente a la que viene":                                                                             weekAfterNext,
	"this weekend,the weekend,weekend,at the weekend,this coming weekend,este fin de semana,fin de semana,el fin de semana,este finde,el finde,finde":    thisWeekend,
	"next weekend,the next weekend,the following weekend":                                                                                                nextWeekend,
	"el fin de semana que viene,fin de semana que viene,el proximo fin de semana,proximo fin de semana,el finde que viene,finde que viene,proximo finde": proximoWeekend,
	"this month,este mes,later this month,este mismo mes":                                                                                                thisMonthLong,
	"next month,the following month,el mes que viene,mes que viene,el proximo mes,proximo mes":                                                           nextMonthLong,
	"last week,la semana pasada": lastWeek,
})

// days reads a stretch of days: "next week", "este fin de semana", "in May",
// "a finales de mes"; and the weekday in it that follows, which makes it one day.
func days(r *reader, i int) (Mention, int) {
	m, end := r.longest(i, calendarWeek, weekOfMonth, partOfMonth, wholeMonth, weekOfDay)
	if end == 0 {
		return m, end
	}
	if d, e := r.dayInMonth(m, end); e > 0 {
		return d, e
	}
	k := end
	if r.near(k) {
		k = r.skip(k, "on", "el", "in", "por", "but", "pero", "the")
		k = r.skip(k, "el")
	}
	if w, ok := r.weekdayAt(k); ok && r.near(end) && r.near(k) {
		if d, ok := within(w, m, r.today); ok {
			return inWeek(d), k + 1
		}
	}
	return m, end
}

// dayInMonth reads the day behind a month: "el mes que viene, el día 3".
func (r *reader) dayInMonth(m Mention, end int) (Mention, int) {
	k := end
	if r.near(k) {
		k = r.over(k, "on", "the", "el", "dia")
	}
	n := r.anyNumber(k)
	if k == end || !n.within(1, 31) || n.digits > 2 || m.Until != monthEnd(m.Until) || r.startsClock(n.end) || r.monthAt(r.skip(n.end, "de", "of")) > 0 {
		return Mention{}, 0
	}
	return on(Date{m.Until.Year, m.Until.Month, n.value}), n.end
}

var weekOf = sayings(map[string]bool{"the week of,week of,the week of the,week of the,la semana del,semana del,la semana de": true})

// weekOfDay reads "the week of the 9th": the whole of it.
func weekOfDay(r *reader, i int) (Mention, int) {
	_, k := weekOf.at(r, i)
	if k == 0 {
		return Mention{}, 0
	}
	m, end := r.longest(k, dayOfMonth, bareDay, numeric, holiday)
	if end == 0 || m.Kind != OneDay || m.Impossible {
		return Mention{}, 0
	}
	return r.ahead(m.Date.monday(), m.Date.monday().AddDays(6)), end
}

var nthWeekdays = sayings(map[string]int{
	"first,primer,1st": 1, "second,segundo,2nd": 2, "third,tercer,3rd": 3, "fourth,cuarto,4th": 4, "last,ultimo": 5,
})

// weekdayOfMonth reads "the first Monday in April", "el último viernes de mes".
func weekdayOfMonth(r *reader, i int) (Mention, int) {
	n, k := nthWeekdays.at(r, i)
	if k == 0 || !r.soft(k) {
		return Mention{}, 0
	}
	w, ok := r.weekdayAt(k)
	if !ok {
		return Mention{}, 0
	}
	at := r.over(k+1, "of", "in", "de", "del", "en")
	first, end := r.namedMonth(at)
	if at == k+1 || end == 0 {
		return Mention{}, 0
	}
	d := first.AddDays(-1).next(w).AddDays(7 * (n - 1))
	for monthEnd(first).Before(d) {
		d = d.AddDays(-7)
	}
	return on(d), end
}

func through(first, last Date) Mention { return Mention{Kind: Days, Date: first, Until: last} }

func calendarWeek(r *reader, i int) (Mention, int) {
	s, end := stretches.at(r, i)
	if end == 0 || (r.word(i) == "the" || r.word(i) == "weekend" || r.word(i) == "fin") && r.word(end) == "of" {
		return Mention{}, 0
	}
	first, last := r.stretch(s)
	return through(first, last), end
}

func (r *reader) stretch(s stretch) (first, last Date) {
	monday := r.today.monday()
	saturday := r.today.inWeek(time.Saturday)
	month := Date{r.today.Year, r.today.Month, 1}
	switch s {
	case thisWeek:
		return r.today, monday.AddDays(6)
	case nextWeek:
		return monday.AddDays(7), monday.AddDays(13)
	case weekAfterNext:
		return monday.AddDays(14), monday.AddDays(20)
	case thisWeekend:
		return r.notBefore(saturday), saturday.AddDays(1)
	case proximoWeekend:
		if r.today.AddDays(1).Before(saturday) {
			return saturday, saturday.AddDays(1)
		}
		return saturday.AddDays(7), saturday.AddDays(8)
	case nextWeekend:
		return saturday.AddDays(7), saturday.AddDays(8)
	case thisMonthLong:
		return r.today, monthEnd(month)
	case nextMonthLong:
		return month.addMonths(1), monthEnd(month.addMonths(1))
	}
	return monday.AddDays(-7), monday.AddDays(-1)
}

// ahead is a stretch of days without those that have passed, unless all have.
func (r *reader) ahead(first, last Date) Mention {
	if last.Before(r.today) {
		return through(first, last)
	}
	return through(r.notBefore(first), last)
}

func (r *reader) notBefore(d Date) Date {
	if d.Before(r.today) {
		return r.today
	}
	return d
}

func monthEnd(d Date) Date { return Date{d.Year, d.Month, d.monthDays()} }

// personal are months that are names or words as well.
var personal = set(`may march april june august julio abril mar ago sep oct nov dec jan feb apr jun jul aug ene abr dic`)

// wholeMonth reads "in May", "noviembre", "next March".
func wholeMonth(r *reader, i int) (Mention, int) {
	k := r.skip(i, "in", "en", "during", "durante", "next", "this", "este", "proximo")
	for _, w := range []string{"el", "the", "mes", "month", "de", "of"} {
		if k > i {
			k = r.skip(k, w)
		}
	}
	month := r.monthAt(k)
	if month == 0 || k == i && personal[r.word(k)] || k > i && !r.soft(k) {
		return Mention{}, 0
	}
	if _, dated := r.monthFirst(k, month); dated > 0 {
		return Mention{}, 0
	}
	first, end := r.monthToCome(month, k+1)
	return r.ahead(first, monthEnd(first)), end
}

// monthToCome is the first day of the month that was named, with the year that
// stands at k if one does.
func (r *reader) monthToCome(month time.Month, k int) (first Date, end int) {
	at := r.skip(k, "de", "del", "of")
	if y := r.year(at); y.ok() && r.soft(k) {
		return Date{y.value, month, 1}, y.end
	}
	if y, e := thatYear.at(r, k); e > 0 && r.soft(k) {
		return Date{r.today.Year + y, month, 1}, e
	}
	first = Date{r.today.Year, month, 1}
	if monthEnd(first).Before(r.today) {
		first.Year++
	}
	return first, k
}

var monthParts = sayings(map[string]int{
	"early,early in,the beginning of,beginning of,at the beginning of,the start of,start of,a principios de,principios de,a primeros de,primeros de,a principio de,principio de,a comienzos de,comienzos de": 1,
	"mid,the middle of,middle of,in the middle of,a mediados de,mediados de":                                                                                                  2,
	"late,late in,the end of,end of,at the end of,towards the end of,a finales de,finales de,a final de,final de,a fines de,fines de,a fin de,fin de,a ultimos de,ultimos de": 3,
})

// partOfMonth reads "a mediados de mayo", "the end of the month".
func partOfMonth(r *reader, i int) (Mention, int) {
	third, k := monthParts.at(r, i)
	if k == 0 || !r.soft(k) {
		return Mention{}, 0
	}
	first, end := r.namedMonth(k)
	if end == 0 {
		return Mention{}, 0
	}
	from, to := first, first.AddDays(9)
	switch third {
	case 2:
		from, to = first.AddDays(10), first.AddDays(19)
	case 3:
		from, to = first.AddDays(20), monthEnd(first)
	}
	return r.ahead(from, to), end
}

// namedMonth is the first day of "May", "the month", "el mes que viene".
func (r *reader) namedMonth(k int) (first Date, end int) {
	if month := r.monthAt(k); month > 0 {
		return r.monthToCome(month, k+1)
	}
	k = r.skip(k, "the", "el")
	if n, e := thatMonth.at(r, k); e > 0 {
		return Date{r.today.Year, r.today.Month, 1}.addMonths(n), e
	}
	return Date{}, 0
}

var nthWeek = sayings(map[string]int{
	"first week of,primera semana de,first week in": 1, "second week of,segunda semana de,second week in": 2,
	"third week of,tercera semana de,third week in": 3, "fourth week of,cuarta semana de,fourth week in": 4,
	"last week of,ultima semana de,last week in": 5,
})

// weekOfMonth reads "the first week of June", weeks being seven days long.
func weekOfMonth(r *reader, i int) (Mention, int) {
	n, k := nthWeek.at(r, i)
	if d := r.number(i, r.lang); k == 0 && d.ordinal && d.within(1, 4) && r.word(d.end) == "week" && r.word(d.end+1) == "of" {
		n, k = d.value, d.end+2
	}
	if k == 0 {
		return Mention{}, 0
	}
	k = r.skip(k, "del")
	first, end := r.namedMonth(k)
	if end == 0 {
		return Mention{}, 0
	}
	from := first.AddDays(7 * (n - 1))
	if n == 5 {
		from = monthEnd(first).AddDays(-6)
	}
	return through(from, from.AddDays(6)), end
}

var (
	rangeOpen = set(`from between de del desde entre`)
	rangeTo   = set(`to through thru until till and a al y hasta`)
)

// dayRange reads "from Monday to Wednesday", "del 3 al 5 de marzo", "March 3 to 5".
func dayRange(r *reader, i int) (Mention, int) {
	if !rangeOpen[r.word(i)] || r.moving {
		return Mention{}, 0
	}
	k := r.article(i + 1)
	from, e := r.longest(k, relative, plainWeekday, dayOfMonth, bareDay, numeric, dayNumber)
	if e == 0 || from.Kind != OneDay || !rangeTo[r.word(e)] || !r.soft(e) {
		return Mention{}, 0
	}
	until, end := r.longest(r.article(e+1), relative, plainWeekday, dayOfMonth, bareDay, numeric, dayNumber)
	if end == 0 || until.Kind != OneDay || from.Impossible || until.Impossible || from.mild && until.mild && !r.marked(k) {
		return Mention{}, 0
	}
	return r.stretchBetween(from, until), end
}

var moves = set(`move moved change changed reschedule switch push postpone cambiar cambia cambiarla cambiarlo cambio mover muevela pasar pasarla aplazar
trasladar adelantar retrasar`)

func (r *reader) article(i int) int {
	i = r.skip(i, "el", "the")
	return r.skip(i, "dia")
}

// stretchBetween lets the first day take the month of the second, and the
// second one come after the first.
func (r *reader) stretchBetween(from, until Mention) Mention {
	if d := (Date{until.Date.Year, until.Date.Month, from.Date.Day}); from.dayOnly && d.exists() && !until.Date.Before(d) {
		from.Date = d
	}
	for until.Date.Before(from.Date) && until.weekdayOnly {
		until.Date = until.Date.AddDays(7)
	}
	if until.Date.Before(from.Date) && until.dayOnly {
		until.Date = until.Date.addMonths(1)
	}
	if until.Date.Before(from.Date) {
		from.Date, until.Date = until.Date, from.Date
	}
	return through(from.Date, until.Date)
}

// plainWeekday is a weekday and nothing behind it: the a of "de lunes a
// viernes" belongs to the range.
func plainWeekday(r *reader, i int) (Mention, int) {
	w, ok := r.weekdayAt(i)
	if !ok {
		return Mention{}, 0
	}
	m := on(r.today.next(w))
	m.weekdayOnly = true
	return m, i + 1
}

// dayNumber is the bare number of a day, as in "del 3 al 5 de marzo".
func dayNumber(r *reader, i int) (Mention, int) {
	n := r.anyNumber(i)
	if !n.within(1, 31) || n.digits > 2 || !r.marked(i) && !n.ordinal || r.startsClock(n.end) {
		return Mention{}, 0
	}
	m := on(r.nextDay(n.value))
	m.dayOnly = true
	return m, n.end
}
