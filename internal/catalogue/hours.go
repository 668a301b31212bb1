package catalogue

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// span is the days that a question about hours names.
type span struct {
	days   []int // from Monday, 0
	today  bool
	morrow bool
	dated  bool // a day of the calendar: it may be a holiday
	clock  int  // hour that is asked about; -1: none
}

var (
	dayNames = [7][2]string{
		{"lunes", "monday"},
		{"martes", "tuesday"},
		{"miercoles", "wednesday"},
		{"jueves", "thursday"},
		{"viernes", "friday"},
		{"sabado", "saturday"},
		{"domingo", "sunday"},
	}
	spokenDays = [7][2]string{
		{"lunes", "Monday"},
		{"martes", "Tuesday"},
		{"miércoles", "Wednesday"},
		{"jueves", "Thursday"},
		{"viernes", "Friday"},
		{"sábado", "Saturday"},
		{"domingo", "Sunday"},
	}
	monthNames = set(`enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre
january february march april june july august september october november december`)
	todayWords  = set("hoy today tonight")
	nightWords  = set("noche tarde madrugada night evening afternoon mediodia noon midday lunch morning lunchtime dia day")
	weekendText = []pattern{newPattern("fin* de semana"), newPattern("weekend*"), newPattern("finde*")}
	weekText    = []pattern{newPattern("entre semana"), newPattern("dias laborables"), newPattern("dias de diario"), newPattern("a diario"), newPattern("weekday*"), newPattern("during the week")}
	thisMorning = []pattern{newPattern("por la manana"), newPattern("de la manana"), newPattern("esta manana"), newPattern("la manana"), newPattern("in the morning"), newPattern("this morning"), newPattern("pm"), newPattern("am")}
	afterNext   = []pattern{newPattern("pasado manana"), newPattern("day after tomorrow")}
)

// monday numbers the days of the week from Monday, 0, to Sunday, 6.
func monday(d time.Weekday) int { return (int(d) + 6) % 7 }

// readDays finds the days and the hour that a question about hours names.
func (q *question) readDays() span {
	s := span{clock: -1}
	today := monday(q.now.Weekday())
	q.said(nightWords)
	morning := q.sees(thisMorning)
	for i, w := range q.words {
		if d := weekdayOf(w.word); d >= 0 {
			s.name(d)
			q.clear.add(i, i+1)
		}
		s.dated = s.dated || monthNames[w.word] || ordinal(w.word) || w.word == "dia" && i+1 < len(q.words) && q.words[i+1].number()
	}
	switch {
	case q.sees(afterNext):
		s.name((today + 2) % 7)
	case q.said(set("tomorrow tomorrows")), !morning && q.said(set("manana")):
		s.name((today + 1) % 7)
		s.morrow = true
	}
	if q.said(todayWords) {
		s.name(today)
		s.today = true
	}
	if q.sees(weekendText) {
		s.name(5)
		s.name(6)
	}
	if q.sees(weekText) {
		for d := range 5 {
			s.name(d)
		}
	}
	if !s.dated {
		q.readClock(&s)
	}
	return s
}

func (s *span) name(day int) {
	if !slices.Contains(s.days, day) {
		s.days = append(s.days, day)
	}
}

func weekdayOf(word string) int {
	for d, names := range dayNames {
		if word == names[0] || word == names[0]+"s" || word == names[1] || word == names[1]+"s" {
			return d
		}
	}
	return -1
}

// ordinal says whether a word is a day of the month: "25th".
func ordinal(word string) bool {
	return len(word) > 2 && word[0] >= '0' && word[0] <= '9' && strings.ContainsAny(word[len(word)-2:], "tsnr")
}

// sees says whether one of the patterns is in the question, and marks it.
func (q *question) sees(patterns []pattern) (found bool) {
	for _, p := range patterns {
		if used, ok := p.anywhere(q.words); ok {
			q.mark(used)
			found = true
		}
	}
	return found
}

// readClock reads the hour in "a las 22:00", "at 9 pm". A bare hour that could
// be either is the one at which the house may be open.
func (q *question) readClock(s *span) {
	for i, w := range q.words {
		if i == 0 || !slices.Contains([]string{"las", "la", "at", "after", "before", "by", "until", "till"}, q.words[i-1].word) {
			continue
		}
		hour, half, ok := clockOf(w.word)
		if !ok {
			continue
		}
		after := ""
		if i+1 < len(q.words) {
			after = q.words[i+1].word
		}
		if strings.HasPrefix(after, "pm") || half == "pm" || q.said(set("tarde noche evening night afternoon")) {
			half = "pm"
		} else if strings.HasPrefix(after, "am") || q.sees(thisMorning[:2]) {
			half = "am"
		}
		s.clock = hour
		if half == "pm" && hour < 12 || half == "" && hour < 12 && !q.c.house.everOpenAt(hour) && q.c.house.everOpenAt(hour+12) {
			s.clock += 12
		}
		q.clear.add(i, i+1)
		return
	}
}

// clockOf reads "9", "21:30", "9pm", "nueve", "nine".
func clockOf(word string) (hour int, half string, ok bool) {
	for _, h := range []string{"am", "pm", "h"} {
		if rest, cut := strings.CutSuffix(word, h); cut && rest != "" && rest[0] >= '0' && rest[0] <= '9' {
			word, half = rest, strings.TrimSuffix(h, "h")
		}
	}
	for _, lang := range languages {
		if n := lexicon.Numbers(lang, word); len(n) > 0 {
			word = n[0]
		}
	}
	if word == "una" {
		word = "1"
	}
	h, _, _ := strings.Cut(strings.ReplaceAll(word, ".", ":"), ":")
	hour, err := strconv.Atoi(h)
	return hour, half, err == nil && hour >= 0 && hour < 24
}

// everOpenAt says whether some day of the week is open at an hour.
func (h house) everOpenAt(hour int) bool {
	for d := range 7 {
		if h.openAt(d, hour) {
			return true
		}
	}
	return false
}

// openAt says whether the house is open at an hour of a weekday.
func (h house) openAt(day, hour int) bool {
	// 2024 began on a Monday.
	return h.hours.OpenAt(time.Date(2024, time.January, 1+day, hour, 0, 0, 0, time.UTC))
}

// askHours answers when the house is open.
func (q *question) askHours() (Reply, bool) {
	if !q.asksHours() {
		return Reply{}, false
	}
	h := q.c.house
	q.account(hours, openNow, closing)
	s := q.readDays()
	if q.about(festive) || s.dated {
		return q.askFestive()
	}
	if !h.open || h.finer {
		if h.business.HoursHuman == "" {
			return q.reply(hours, h.week(q.lang))
		}
		return q.reply(hours, quote(q.lang, h.business.HoursHuman))
	}
	return q.reply(hours, q.sayHours(s))
}

// askFestive says the usual hours, for holidays are not in the data.
func (q *question) askFestive() (Reply, bool) {
	usual := q.c.house.usual(q.lang)
	if usual == "" {
		return Reply{}, false
	}
	return q.unsure(hours, say(q.lang,
		"No tengo el horario de ese día en concreto, que podría ser festivo. El horario habitual es: ",
		"I don't have the hours for that particular day, which may be a holiday. The usual hours are: ")+usual)
}

func (h house) usual(lang string) string {
	if h.open && !h.finer {
		return h.week(lang)
	}
	if h.business.HoursHuman == "" {
		return ""
	}
	return quote(lang, h.business.HoursHuman)
}

func (q *question) sayHours(s span) string {
	h := q.c.house
	switch {
	case s.clock >= 0:
		return q.sayAt(s)
	case len(s.days) == 0 && (q.about(openNow) || q.said(set("ahora now"))):
		return q.sayNow()
	case len(s.days) == 0 && q.about(closing):
		return q.sayClosing()
	case len(s.days) == 0:
		return h.general(q.lang)
	}
	return q.sayDays(s)
}

// general is the whole week, in the words of the business where they are in
// the language.
func (h house) general(lang string) string {
	if human := h.business.HoursHuman; human != "" && lexicon.Language(human) == lang {
		return say(lang, "El horario es: ", "Our opening hours are: ") + sentence(human)
	}
	return say(lang, "El horario es: ", "Our opening hours are: ") + h.week(lang)
}

// sayAt answers whether the house is open at a certain hour.
func (q *question) sayAt(s span) string {
	h := q.c.house
	day := monday(q.now.Weekday())
	if len(s.days) > 0 {
		day = s.days[0]
	}
	yes := say(q.lang, "No, a esa hora está cerrado. ", "No, we're closed at that time. ")
	if h.openAt(day, s.clock) {
		yes = say(q.lang, "Sí. ", "Yes. ")
	}
	return yes + q.sayDays(span{days: []int{day}, today: len(s.days) == 0 || s.today, morrow: s.morrow})
}

// sayNow answers whether the house is open at this moment.
func (q *question) sayNow() string {
	h := q.c.house
	if h.hours.OpenAt(q.now) {
		if end := h.closes(q.now); end != 0 {
			return sayf(q.lang, "Sí, ahora está abierto, hasta las %s.", "Yes, we're open now, until %s.", sayHour(q.lang, end))
		}
		return say(q.lang, "Sí, ahora está abierto.", "Yes, we're open now.")
	}
	next, ok := h.hours.NextOpening(q.now)
	if !ok {
		return say(q.lang, "Ahora está cerrado.", "We're closed right now.")
	}
	return sayf(q.lang, "Ahora está cerrado. Abrimos %s a las %s.", "We're closed right now. We open %s at %s.",
		q.sayDay(next), sayHour(q.lang, next.Hour()))
}

// sayDay names the day of a moment to come.
func (q *question) sayDay(t time.Time) string {
	name := spokenDays[monday(t.Weekday())]
	switch days := daysBetween(q.now, t); days {
	case 0:
		return say(q.lang, "hoy", "today")
	case 1:
		return say(q.lang, "mañana", "tomorrow")
	}
	return say(q.lang, "el "+name[0], "on "+name[1])
}

func daysBetween(a, b time.Time) int {
	day := func(t time.Time) time.Time {
		y, m, d := t.Date()
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	}
	return int(day(b).Sub(day(a)).Hours() / 24)
}

// closes is the hour at which the shift that is open at t ends; 0: not soon.
func (h house) closes(t time.Time) int {
	today := monday(t.Weekday())
	if before := h.hours[(today+6)%7]; before != (frontdesk.Shift{}) && before.Close <= before.Open && t.Hour() < before.Close {
		return before.Close
	}
	if s := h.hours[today]; s.Open != s.Close%24 {
		return s.Close
	}
	return 0
}

// sayClosing answers when the house closes, today if it opens today.
func (q *question) sayClosing() string {
	h := q.c.house
	if h.hours.OpenAt(q.now) {
		if end := h.closes(q.now); end != 0 {
			return sayf(q.lang, "Hoy cerramos a las %s.", "Today we close at %s.", sayHour(q.lang, end))
		}
	}
	return q.sayDays(span{days: []int{monday(q.now.Weekday())}, today: true})
}

// sayDays says the hours of the days that were named.
func (q *question) sayDays(s span) string {
	h := q.c.house
	if len(s.days) > 2 {
		return sentence(h.runs(q.lang, s.days))
	}
	var parts []string
	for _, d := range s.days {
		parts = append(parts, q.sayOneDay(s, d))
	}
	return strings.Join(parts, " ")
}

func (q *question) sayOneDay(s span, d int) string {
	when := say(q.lang, "el "+spokenDays[d][0], "on "+spokenDays[d][1])
	switch today := monday(q.now.Weekday()); {
	case s.today && d == today:
		when = say(q.lang, "hoy", "today")
	case s.morrow && d == (today+1)%7:
		when = say(q.lang, "mañana", "tomorrow")
	}
	shift := q.c.house.hours[d]
	switch {
	case shift == (frontdesk.Shift{}):
		return sentence(sayf(q.lang, "%s está cerrado", "we're closed %s", when))
	case q.about(closing) && shift.Open != shift.Close%24:
		return sentence(sayf(q.lang, "%s cerramos a las %s", "%s we close at %s", when, sayHour(q.lang, shift.Close)))
	}
	if q.lang == lexicon.English {
		return sentence("we're open " + when + " " + sayShift(q.lang, shift))
	}
	return sentence(when + " abrimos " + sayShift(q.lang, shift))
}

// week is all seven days, those with the same hours together.
func (h house) week(lang string) string {
	if !h.open {
		return ""
	}
	return sentence(h.runs(lang, []int{0, 1, 2, 3, 4, 5, 6}))
}

// runs says days in a row with the same hours as one.
func (h house) runs(lang string, days []int) string {
	slices.Sort(days)
	var parts []string
	for i := 0; i < len(days); {
		k := i
		for k+1 < len(days) && days[k+1] == days[k]+1 && h.hours[days[k+1]] == h.hours[days[i]] {
			k++
		}
		parts = append(parts, sayRun(lang, days[i], days[k], h.hours[days[i]]))
		i = k + 1
	}
	return strings.Join(parts, "; ")
}

func sayRun(lang string, from, to int, shift frontdesk.Shift) string {
	what := sayShift(lang, shift)
	if shift == (frontdesk.Shift{}) {
		what = say(lang, "cerrado", "closed")
	}
	a, b := spokenDays[from], spokenDays[to]
	switch to - from {
	case 0:
		return say(lang, a[0], a[1]) + " " + what
	case 1:
		return say(lang, a[0]+" y "+b[0], a[1]+" and "+b[1]) + " " + what
	}
	return say(lang, "de "+a[0]+" a "+b[0], a[1]+" to "+b[1]) + " " + what
}

// sayShift says opening hours: "de 13:00 a 24:00", "1 pm to midnight".
func sayShift(lang string, s frontdesk.Shift) string {
	if s.Open == 0 && s.Close == 24 || s.Open == s.Close {
		return say(lang, "las 24 horas", "24 hours")
	}
	return sayf(lang, "de %s a %s", "from %s to %s", sayHour(lang, s.Open), sayHour(lang, s.Close))
}

func sayHour(lang string, hour int) string {
	if lang != lexicon.English {
		return strconv.Itoa(hour) + ":00"
	}
	switch hour {
	case 0, 24:
		return "midnight"
	case 12:
		return "noon"
	}
	if hour > 12 {
		return strconv.Itoa(hour-12) + " pm"
	}
	return strconv.Itoa(cmp.Or(hour, 12)) + " am"
}
