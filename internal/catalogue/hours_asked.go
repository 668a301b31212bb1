package catalogue

import (
	"maps"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/opening"
)

// daysAsked are the days and the time of day that a question about hours names.
type daysAsked struct {
	dates       []frontdesk.Date // one by one
	weekly      []int            // every one of these weekdays, from Monday, 0
	first, last frontdesk.Date   // a stretch of days; zero: none
	feast       bool             // a day was named by its feast, or is one
	from, to    int              // of the day, in minutes; to is 0 when no time was named
	clock       bool             // from is a time of the clock
}

// none says whether no day was named.
func (a daysAsked) none() bool { return len(a.dates)+len(a.weekly) == 0 && a.first.IsZero() }

// timed says whether a time of day was named.
func (a daysAsked) timed() bool { return a.to > 0 }

// readDays finds the days and the time that a question names; their words are
// accounted for.
func (q hoursQuestion) readDays() (a daysAsked) {
	q.said(wordsOf("parts of day"))
	reading := q.markDates()
	for i := range q.words {
		if q.dated.any(i, i+1) {
			q.clear.add(i, i+1)
		}
	}
	named := slices.DeleteFunc(q.holidaysNamed(), func(h holidayNamed) bool { return q.saysMore(h, reading.Mentions) })
	days := !q.readSeason(&a) && !q.readBetween(&a, reading.Mentions, named) && !q.readHoliday(&a, named)
	for _, m := range reading.Mentions {
		if m.Negated || m.Impossible {
			continue
		}
		if days {
			q.readDay(&a, m)
		}
		q.readTime(&a, m)
	}
	q.said(wordsOf("weekly days"))
	q.said(wordsOf("weekly after"))
	if weekend := q.sees(expressions("expressions weekend")); weekend && a.none() {
		a.weekly = []int{5, 6}
	}
	if q.sees(expressions("expressions weekdays only")) && a.none() {
		a.weekly = []int{0, 1, 2, 3, 4}
	}
	return a
}

// markDates reads the days and times of the question, and remembers which of its words
// name them.
func (q hoursQuestion) markDates() dates.Reading {
	reading := dates.ReadTokens(q.text, q.spoken, mixed(), q.now, language.Of(q.lang), dates.AskedNothing, dates.Standing{Date: q.focus.Date})
	for i, w := range q.words {
		if slices.ContainsFunc(reading.Mentions, func(m dates.Mention) bool { return m.Start <= w.start && w.end <= m.End }) {
			q.dated.add(i, i+1)
		}
	}
	return reading
}

// saysMore says whether the words that name a holiday are part of what names another day:
// "Christmas Eve".
func (q hoursQuestion) saysMore(h holidayNamed, mentions []dates.Mention) bool {
	first, last := q.words[h.tokens[0]], q.words[h.tokens[len(h.tokens)-1]]
	return slices.ContainsFunc(mentions, func(m dates.Mention) bool {
		return m.Kind == dates.OneDay && m.Date != h.Date && m.Start <= first.start && last.end < m.End
	})
}

// readDay adds the days that a mention names.
func (q hoursQuestion) readDay(a *daysAsked, m dates.Mention) {
	switch m.Kind {
	case dates.OneDay, dates.InPart, dates.Shift:
		switch {
		case m.Kind == dates.Shift && m.Points() && !q.focus.Date.IsZero():
			a.dates = append(a.dates, q.focus.Date)
		case m.Date.IsZero():
		case q.everyWeek(m):
			a.weekly = append(a.weekly, monday(m.Date.Weekday()))
		default:
			a.dates = append(a.dates, m.Date)
			a.feast = a.feast || q.isFeast(m)
		}
	case dates.Days:
		a.first, a.last = m.Date, m.Until
	case dates.DaysOfWeek:
		for d := range 7 {
			if m.Weekdays.Has(sunday(d)) {
				a.weekly = append(a.weekly, d)
			}
		}
	}
}

// everyWeek says whether a weekday is meant in every week: "los lunes", "Saturdays".
func (q hoursQuestion) everyWeek(m dates.Mention) bool {
	for i, w := range q.words {
		if weekdayOf(w.word) < 0 || w.start < m.Start || w.end > m.End {
			continue
		}
		if wordsOf("weekly days")[w.word] || i+1 < len(q.words) && wordsOf("weekly after")[q.words[i+1].word] || i > 0 && wordsOf("weekly before")[q.words[i-1].word] {
			return true
		}
	}
	return false
}

// isFeast says whether a mention names a day by its feast: without a weekday, a number
// or a word such as "tomorrow".
func (q hoursQuestion) isFeast(m dates.Mention) bool {
	said := strings.Fields(language.Fold(q.text[m.Start:min(m.End, len(q.text))]))
	for i := range said {
		name := strings.Join(strings.FieldsFunc(strings.Join(said[i:], " "), func(r rune) bool { return strings.ContainsRune(" '’?¿.,!", r) }), " ")
		if _, ok := mixed().Value("calendar feasts", name); ok {
			return true
		}
	}
	return false
}

// readTime takes the time of day that a mention names.
func (q hoursQuestion) readTime(a *daysAsked, m dates.Mention) {
	minute := func(c dates.Clock) int { return 60*c.Hour + c.Minute }
	switch m.Kind {
	case dates.AtClock:
		a.from, a.clock = minute(m.Clock), true
	case dates.Hours, dates.InPart:
		a.from, a.to = minute(m.From), minute(m.To)
		if m.Kind == dates.InPart {
			return
		}
		a.clock = true
	default:
		return
	}
	if m.Open && a.from < 12*60 && !q.c.house.everOpenAt(a.from/60) && q.c.house.everOpenAt(a.from/60+12) {
		a.from += 12 * 60
	}
	a.to = a.from + 1
}

// readSeason reads a season of feasts: "over Christmas", "en Semana Santa".
func (q hoursQuestion) readSeason(a *daysAsked) bool {
	for _, code := range languages() {
		for said, days := range language.Of(code).Pairs("catalogue seasons") {
			used, ok := newPattern(said).anywhere(q.words)
			begin, end, _ := strings.Cut(days, " ")
			if !ok || end == "" {
				continue
			}
			for year := q.now.Year(); year <= q.now.Year()+1; year++ {
				first, _ := opening.Feast(begin, year)
				last, _ := opening.Feast(end, year)
				if last.Before(first) {
					last, _ = opening.Feast(end, year+1)
				}
				if !last.Before(frontdesk.DateOf(q.now)) {
					a.first, a.last, a.feast = first, last, true
					q.mark(used)
					return true
				}
			}
		}
	}
	return false
}

// readHoliday reads public holidays of the country by their names, and the days off
// around one: "the August bank holiday", "el puente de la Constitución".
func (q hoursQuestion) readHoliday(a *daysAsked, named []holidayNamed) bool {
	bridge := q.sees(expressions("expressions bridge"))
	for _, h := range named {
		q.mark(h.tokens)
		a.feast = true
		if bridge {
			a.first, a.last = opening.Bridge(q.c.house.restRegion(), h.Date)
			return true
		}
		a.dates = append(a.dates, h.Date)
	}
	return len(named) > 0
}

// restRegion is the region or the country whose holidays the house may keep.
func (h house) restRegion() string {
	if h.hours == nil || h.hours.Region() == "" {
		return h.country
	}
	return h.hours.Region()
}

// holidayNamed is a public holiday and the words of a question that name it.
type holidayNamed struct {
	opening.Holiday
	tokens []int
}

// holidaysNamed are the public holidays that a question names, each by the most words.
// Beside a word for the days off around one, a month names the first of it.
func (q hoursQuestion) holidaysNamed() (all []holidayNamed) {
	bridge := slices.ContainsFunc(expressions("expressions bridge"), func(p pattern) bool {
		_, ok := p.anywhere(q.words)
		return ok
	})
	for _, h := range opening.HolidaysFrom(q.c.house.restRegion(), frontdesk.DateOf(q.now)) {
		if strings.Contains(h.Name, ".") {
			continue // it is the day off in the place of another
		}
		for _, code := range languages() {
			for _, name := range language.Of(code).HolidayNames(h.Name) {
				if at, ok := patternOf(name).anywhere(q.words); ok {
					all = addNamed(all, holidayNamed{h, at})
				}
			}
			if at := q.monthNamed(code, int(h.Date.Month)); bridge && len(at) > 0 {
				all = addNamed(all, holidayNamed{h, at})
			}
		}
	}
	return all
}

// addNamed adds a holiday, unless its words name another one by as many.
func addNamed(all []holidayNamed, h holidayNamed) []holidayNamed {
	for i, o := range all {
		if overlap(o.tokens, h.tokens) {
			if len(h.tokens) > len(o.tokens) {
				all[i] = h
			}
			return all
		}
	}
	return append(all, h)
}

// monthNamed are the words that name a month.
func (q hoursQuestion) monthNamed(code string, month int) (at []int) {
	for i, w := range q.words {
		if n, ok := language.Of(code).Numbers("calendar months")[w.word]; ok && n == month {
			return []int{i}
		}
	}
	return nil
}

// patternOf is a name as a pattern of its words.
func patternOf(name string) (p pattern) {
	for _, w := range tokens(name, "") {
		p = append(p, step{word: w.word})
	}
	return p
}

// readBetween reads two days as the ends of a stretch: "between Christmas and New Year".
func (q hoursQuestion) readBetween(a *daysAsked, mentions []dates.Mention, named []holidayNamed) bool {
	at := slices.IndexFunc(q.words, func(w token) bool { return wordsOf("between")[w.word] })
	if at < 0 {
		return false
	}
	ends := map[frontdesk.Date]bool{}
	for _, m := range mentions {
		if m.Kind == dates.OneDay && !m.Negated {
			ends[m.Date] = true
		}
	}
	for _, h := range named {
		q.mark(h.tokens)
		ends[h.Date] = true
	}
	if len(ends) != 2 {
		return false
	}
	both := slices.SortedFunc(maps.Keys(ends), func(a, b frontdesk.Date) int { return b.DaysUntil(a) })
	a.first, a.last, a.feast = both[0], both[1], true
	q.clear.add(at, at+1)
	return true
}
