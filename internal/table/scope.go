package table

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// scope is what something holds for, of all by which prices differ: sizes, seasons, days
// and hours, whom it is for, how much of it. The name of a column has one, what a row is
// called, and a question; what a scope does not name it leaves open.
//
//	readScope -> scope.agree
//
// "Alta (jul-ago)" and a question that says "in August" are of one scope because both
// have the month, and a child of six is of "4-11" because the number lies in it.
type scope struct {
	sorts   map[string]int // what is named of a sort, a size or a season, in bits
	months  int            // in bits, January first
	week    week
	extents []extent
}

// week is the hours of each day from Monday, in bits. Without any it is open.
type week [7]int

// allDay are all hours.
const allDay = 1<<24 - 1

// extent is a stretch of numbers, and what they count.
type extent struct {
	low, high float64
	unit      string // "": nothing tells
}

// sense is what a variant means: some of a sort, or months, days or hours.
type sense struct {
	sort   string
	some   int
	months int
	days   int // in bits, Monday first
	hours  int
}

// ages are how old the people are that variants of that sort name. They matter where a
// column tells an age and names nobody: "over 65" for a pensioner.
var ages = map[int]extent{1: {18, math.Inf(1), "year"}, 2: {0, 17, "year"}, 8: {60, math.Inf(1), "year"}, 16: {0, 3, "year"}}

// hoursBetween are the hours from one to another, in bits.
func hoursBetween(from, to int) int { return allDay >> from << from & (1<<to - 1) }

// senses are what variants mean, in any language. The rest are each a sort of their own.
var senses = map[string]sense{
	"mini": {sort: "size", some: 1}, "small": {sort: "size", some: 2}, "medium": {sort: "size", some: 4}, "large": {sort: "size", some: 8}, "extra_large": {sort: "size", some: 16},
	"low_season": {sort: "season", some: 1}, "mid_season": {sort: "season", some: 2}, "high_season": {sort: "season", some: 4},
	"off_peak": {sort: "season", some: 1 | 2}, "peak": {sort: "season", some: 4},
	"adult": {sort: "age", some: 1}, "child": {sort: "age", some: 2}, "student": {sort: "age", some: 4}, "senior": {sort: "age", some: 8}, "baby": {sort: "age", some: 16},
	"member": {sort: "member", some: 1}, "non_member": {sort: "member", some: 2},
	"urgent": {sort: "speed", some: 1}, "standard": {sort: "speed", some: 2},
	"half_day": {sort: "day", some: 1}, "full_day": {sort: "day", some: 2},
	"half": {sort: "part", some: 1}, "full": {sort: "part", some: 2},
	"half_portion": {sort: "portion", some: 1}, "whole_portion": {sort: "portion", some: 2}, "tapa": {sort: "portion", some: 4},
	"single": {sort: "beds", some: 1}, "double": {sort: "beds", some: 2},
	"dog": {sort: "animal", some: 1}, "cat": {sort: "animal", some: 2},
	"one_way": {sort: "way", some: 1}, "return": {sort: "way", some: 2},
	"glass": {sort: "vessel", some: 1}, "bottle": {sort: "vessel", some: 2},
	"men": {sort: "sex", some: 1}, "women": {sort: "sex", some: 2},
	"short": {sort: "length", some: 1}, "long": {sort: "length", some: 2},
	"spring": {months: 7 << 2}, "summer": {months: 7 << 5}, "autumn": {months: 7 << 8}, "winter": {months: 1<<11 | 3},
	"monday": {days: 1}, "tuesday": {days: 2}, "wednesday": {days: 4}, "thursday": {days: 8}, "friday": {days: 16}, "saturday": {days: 32}, "sunday": {days: 64},
	"weekday": {days: 31}, "weekend": {days: 96},
	"morning": {hours: hoursBetween(5, 14)}, "afternoon": {hours: hoursBetween(12, 21)}, "night": {hours: hoursBetween(18, 24) | hoursBetween(0, 5)},
}

// agree compares what is asked for with what something holds for: how much they have in
// common, and whether they keep each other out.
func (asked scope) agree(s scope) (common int, apart bool) {
	count := func(named bool, shared bool) {
		switch {
		case !named:
		case shared:
			common++
		default:
			apart = true
		}
	}
	for sort, some := range asked.sorts {
		count(s.sorts[sort] != 0, some&s.sorts[sort] != 0)
	}
	if age, ok := ages[asked.sorts["age"]]; ok && s.sorts["age"] == 0 {
		met, other := age.among(s.extents)
		apart = apart || other && !met // who names them has more in common
	}
	count(asked.months != 0 && s.months != 0, asked.months&s.months != 0)
	count(asked.week.named() && s.week.named(), asked.week.meets(s.week))
	for _, e := range asked.extents {
		met, other := e.among(s.extents)
		count(met || other && e.unit != "", met)
	}
	return common, apart
}

// open says whether a scope names nothing.
func (s scope) open() bool {
	return len(s.sorts) == 0 && s.months == 0 && !s.week.named() && len(s.extents) == 0
}

func (w week) named() bool { return w != week{} }

func (w week) meets(o week) bool {
	for day := range w {
		if w[day]&o[day] != 0 {
			return true
		}
	}
	return false
}

// rest are all hours that a week does not have.
func (w week) rest() (all week) {
	for day := range w {
		all[day] = allDay &^ w[day]
	}
	return all
}

// among says whether a stretch meets one of others that count the same, and whether there
// are any that it does not meet.
func (e extent) among(all []extent) (met, other bool) {
	for _, o := range all {
		switch {
		case !e.comparable(o):
		case e.low <= o.high && o.low <= e.high:
			met = true
		default:
			other = true
		}
	}
	return met, other
}

// comparable says whether two stretches count the same. Numbers that tell no unit are
// ages, people or pieces.
func (e extent) comparable(o extent) bool {
	counts := func(unit string) bool { return unit == "" || unit == "person" || unit == "each" }
	switch {
	case e.unit == o.unit:
		return true
	case o.unit == "":
		return counts(e.unit) || e.unit == "year"
	}
	return e.unit == "" && counts(o.unit)
}

// add puts a variant's sense into a scope but for days and hours, which belong together.
func (s *scope) add(variant string) {
	sense, ok := senses[variant]
	if !ok {
		sense.sort, sense.some = variant, 1
	}
	s.months |= sense.months
	if sense.sort != "" {
		if s.sorts == nil {
			s.sorts = map[string]int{}
		}
		s.sorts[sense.sort] |= sense.some
	}
}

// scopeReader reads a scope from a text.
type scopeReader struct {
	scope
	text        string
	words       []word
	asked       bool // it is a question, in which small words are only words
	days, hours int  // that were read last, and belong together
}

// readScope reads what a text holds for. In a question short names of months and articles
// count for nothing.
func readScope(text string, asked bool) scope {
	r := &scopeReader{text: text, words: wordsOf(text), asked: asked}
	if asked { // "New Year's Eve"
		r.words = slices.DeleteFunc(r.words, func(w word) bool { return w.text == "'" })
	}
	for i := 0; i < len(r.words); {
		i += max(1, r.take(i))
	}
	r.endDays()
	return r.scope
}

// take reads what begins at a word, and tells how many words that are.
func (r *scopeReader) take(i int) int {
	for _, read := range []func(int) int{r.month, r.feast, r.day, r.clock, r.length, r.number, r.variant} {
		if n := read(i); n > 0 {
			return n
		}
	}
	return 0
}

// month reads a month or a range of them.
func (r *scopeReader) month(i int) int {
	first := r.monthAt(i)
	if first < 0 {
		return 0
	}
	n := 1
	last := first
	if next := r.through(i + 1); next > 0 && r.monthAt(next) >= 0 {
		last, n = r.monthAt(next), next+1-i
	}
	for m := first; ; m = (m + 1) % 12 {
		r.months |= 1 << m
		if m == last {
			return n
		}
	}
}

// feast reads a feast that is always in the same month.
func (r *scopeReader) feast(i int) int {
	date, n := match(r.words[i:], calendar().feasts)
	month, _, _ := strings.Cut(date, "-")
	if at, err := strconv.Atoi(month); n > 0 && r.asked && err == nil && at > 0 && at <= 12 {
		r.months |= 1 << (at - 1)
		return n
	}
	return 0
}

// monthAt is the month that a word names, from 0; -1: none.
func (r *scopeReader) monthAt(i int) int {
	if i >= len(r.words) || r.words[i].number {
		return -1
	}
	cal := calendar()
	if _, n := match(r.words[i:], cal.verbs); n > 1 {
		return -1
	}
	if i > 0 {
		if _, n := match(r.words[i-1:], cal.verbs); n > 1 {
			return -1
		}
	}
	month, ok := cal.months[r.words[i].text]
	if short, has := cal.shortMonths[r.words[i].text]; !ok && has && !r.asked {
		month, ok = short, true
	}
	if !ok {
		return -1
	}
	return month - 1
}

// through is the word behind what makes a range of what stands before and behind a word,
// "jul-ago", "July to August", with the numbers of days passed over; 0: there is none.
func (r *scopeReader) through(i int) int {
	if i >= len(r.words) {
		return 0
	}
	next := 0
	switch between := r.text[r.words[i-1].end:r.words[i].start]; {
	case strings.ContainsAny(between, "-–—"):
		next = i
	case calendar().to[r.words[i].text] && (!r.joins(i) || r.spans(i-1)):
		next = i + 1
	default:
		return 0
	}
	for next < len(r.words) && (r.words[next].number && r.monthNear(next) || calendar().of[r.words[next].text]) {
		next++
	}
	return next
}

// joins says whether a word is "and", which makes a range only of what is between two ends.
func (r *scopeReader) joins(i int) bool {
	_, ok := lexes().joins[r.words[i].text]
	return ok
}

// spans says whether the day or month at a word is the first end of "between 1 June and".
func (r *scopeReader) spans(i int) bool {
	for i--; i >= 0 && (r.words[i].number || calendar().of[r.words[i].text]); i-- {
	}
	if i < 0 {
		return false
	}
	_, ok := lexes().spans[r.words[i].text]
	return ok
}

// monthNear says whether a number is the day of a month: "15 June", "1 de julio".
func (r *scopeReader) monthNear(i int) bool {
	if i > 0 && r.monthAt(i-1) >= 0 {
		return true
	}
	next := i + 1
	if next < len(r.words) && calendar().of[r.words[next].text] {
		next++
	}
	return r.monthAt(next) >= 0
}

// day reads a day of the week or a range of them.
func (r *scopeReader) day(i int) int {
	first := r.dayAt(i)
	if first < 0 {
		return 0
	}
	n, last := 1, first
	if next := r.through(i + 1); next > 0 && r.dayAt(next) >= 0 {
		last, n = r.dayAt(next), next+1-i
	}
	days := 0
	for d := first; ; d = (d + 1) % 7 {
		days |= 1 << d
		if d == last {
			break
		}
	}
	r.addDays(days)
	return n
}

// dayAt is the day of the week that a word names, from Monday; -1: none.
func (r *scopeReader) dayAt(i int) int {
	if i >= len(r.words) {
		return -1
	}
	cal := calendar()
	day, ok := cal.weekdays[r.words[i].text]
	if letter, has := cal.dayLetters[r.words[i].text]; !ok && has && r.letterRange(i) {
		day, ok = letter, true
	}
	if short, has := cal.shortDays[r.words[i].text]; !ok && has && !r.asked {
		day, ok = short, true
	}
	if !ok {
		return -1
	}
	return (day + 6) % 7
}

// letterRange says whether a letter stands for a day: it is large, and a dash parts it from
// another, "L-V".
func (r *scopeReader) letterRange(i int) bool {
	large := func(i int) bool {
		return i >= 0 && i < len(r.words) && len(r.words[i].text) == 1 && r.text[r.words[i].start:r.words[i].end] != r.words[i].text
	}
	dashed := func(i int) bool {
		return i > 0 && i < len(r.words) && strings.ContainsAny(r.text[r.words[i-1].end:r.words[i].start], "-–—")
	}
	return large(i) && (dashed(i) && large(i-1) || dashed(i+1) && large(i+1))
}

// addDays notes days. Days behind hours begin anew: "Monday to Friday after 5 pm and all
// weekend".
func (r *scopeReader) addDays(days int) {
	if r.hours != 0 {
		r.endDays()
	}
	r.days |= days
}

func (r *scopeReader) endDays() {
	days, hours := r.days, r.hours
	if days == 0 && hours == 0 {
		return
	}
	if days == 0 {
		days = 1<<7 - 1
	}
	if hours == 0 {
		hours = allDay
	}
	for d := range r.week {
		if days&(1<<d) != 0 {
			r.week[d] |= hours
		}
	}
	r.days, r.hours = 0, 0
}

// variant reads a size, a season or the like. What a price is for each of, "a night", is
// none.
func (r *scopeReader) variant(i int) int {
	variant, n := match(r.words[i:], lexes().variants)
	if _, unit := match(r.words[i:], lexes().units); unit > 1 && unit >= n {
		return unit
	}
	if n == 0 || r.asked && n == 1 && len(r.words[i].text) == 1 {
		return 0
	}
	r.add(variant)
	sense := senses[variant]
	if sense.days != 0 {
		r.addDays(sense.days)
	}
	r.hours |= sense.hours
	return n
}

// wholly says whether a text names nothing but what something holds for: "half a day".
func wholly(text string) bool {
	r := &scopeReader{text: text, words: wordsOf(text)}
	for i := 0; i < len(r.words); {
		n := r.take(i)
		if n == 0 {
			return false
		}
		i += n
	}
	return !readScope(text, false).open()
}

// only is the one variant that a text names, "high_season" of "Alta (jul-ago)"; "" where
// it names none, several, or something else beside it.
func only(text string) string {
	r := &scopeReader{text: text, words: wordsOf(text)}
	if whole, ok := lexes().variants[joined(r.words)]; ok {
		return whole
	}
	found := ""
	for i := 0; i < len(r.words); {
		if variant, n := match(r.words[i:], lexes().variants); n > 0 && r.dayAt(i) < 0 {
			if found != "" {
				return ""
			}
			found = variant
			i += n
			continue
		}
		n := r.take(i)
		if n == 0 && !calendar().to[r.words[i].text] {
			return ""
		}
		i += max(1, n)
	}
	return found
}
