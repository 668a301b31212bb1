package table

import (
	"math"
	"strconv"
	"strings"
	"sync"

	"frontdesk.dev/frontdesk/internal/language"
)

// calendarWords are the words of all languages for days and months, and numbers in words.
type calendarWords struct {
	months, shortMonths, weekdays, shortDays, dayLetters, numerals map[string]int
	to, of                                                         language.Set
	verbs                                                          map[string]string // in which a month is none
	feasts                                                         map[string]string
}

var calendar = sync.OnceValue(func() *calendarWords {
	return &calendarWords{
		months: numbered("calendar months"), shortMonths: numbered("calendar short_months"),
		weekdays: numbered("calendar weekdays"), shortDays: numbered("calendar short_weekdays"), numerals: numbered("numerals"),
		dayLetters: numbered("table day letters"), feasts: expressions("calendar feasts"),
		to: language.MixOf().Words("calendar range_to"), of: language.MixOf().Words("calendar part_of"), verbs: expressions("calendar month_as_verb"),
	}
})

// numbered are the words of a section in all languages, with their numbers.
func numbered(section string) map[string]int {
	all := map[string]int{}
	for word, value := range expressions(section) {
		if n, err := strconv.Atoi(value); err == nil {
			all[word] = n
		}
	}
	return all
}

// beyond is what a stretch without an end ends with.
const beyond = math.MaxFloat64

// numberAt reads a number in figures or in words, and of how many words it is.
func numberAt(words []word) (number float64, n int) {
	if len(words) == 0 {
		return 0, 0
	}
	if words[0].number {
		if strings.Contains(words[0].text, ":") {
			return 0, 0
		}
		whole, part := parts(words[0].text)
		number, err := strconv.ParseFloat(whole+"."+part+"0", 64)
		if err != nil {
			return 0, 0
		}
		return number, 1
	}
	total, last := 0, 0
	for n < len(words) {
		value, ok := calendar().numerals[words[n].text]
		if !ok && n > 0 && last >= 20 && last < 100 && n+1 < len(words) && is(words[n].text, lexes().joins) {
			if unit, small := calendar().numerals[words[n+1].text]; small && unit < 10 {
				return float64(total + unit), n + 2
			}
		}
		switch {
		case !ok, n > 0 && value >= last && value < 100, n > 0 && last < 20 && value < 100:
			return float64(total), n
		case value >= 100 && total > 0:
			total *= value
		default:
			total += value
		}
		last = value
		n++
	}
	return float64(total), n
}

// number reads numbers that bound something, with their unit: "5-10 kg", "under 12",
// "65+", "six years old".
func (r *scopeReader) number(i int) int {
	lex := lexes()
	words := r.words[i:]
	e := extent{high: beyond}
	bounds, skipped := r.boundAt(i)
	words = words[skipped:]
	first, n := numberAt(words)
	if n == 0 && skipped == 0 {
		first, n = r.one(i)
	}
	if n == 0 {
		return 0
	}
	used := skipped + n
	rest := words[n:]
	if words[0].number && r.monthNear(i+skipped) {
		return used
	}
	if money, _ := currency(rest); money != "" || len(rest) > 0 && rest[0].text == "%" || i > 0 && lex.money[r.words[i-1].text] != "" {
		return used
	}
	e.low, e.high = first, first
	if m, unit := r.measureAt(rest); unit > 0 {
		if last, more := r.second(rest[unit:]); more > 0 { // "5 kg - 10 kg"
			e.unit, e.high, rest, used = m, last, rest[unit+more:], used+unit+more
		}
	} else if last, more := r.second(rest); more > 0 {
		e.high, rest, used = last, rest[more:], used+more
	}
	if _, over := match(rest, lex.andOver); over > 0 {
		e.high, rest, used = beyond, rest[over:], used+over
	} else if _, under := match(rest, lex.andUnder); under > 0 {
		e.low, rest, used = 0, rest[under:], used+under
	}
	if m, unit := r.measureAt(rest); unit > 0 {
		e.unit, rest, used = m, rest[unit:], used+unit
		if _, over := match(rest, lex.andOver); over > 0 {
			e.high, used = beyond, used+over
		} else if _, under := match(rest, lex.andUnder); under > 0 {
			e.low, used = 0, used+under
		}
	}
	e.bound(bounds)
	r.extents = append(r.extents, e.plain())
	return used
}

// one reads a word for one, which may be an article: it counts before a time, and in the name
// of a column before anything that is measured, or at its beginning.
func (r *scopeReader) one(i int) (number float64, n int) {
	_, n = match(r.words[i:], lexes().one)
	if n == 0 {
		return 0, 0
	}
	_, time := match(r.words[i+n:], lexes().times)
	if _, unit := r.measureAt(r.words[i+n:]); r.asked && time == 0 || unit == 0 && i > 0 {
		return 0, 0
	}
	return 1, n
}

// plain is a stretch with minutes as hours and weeks as days, to be compared with others.
func (e extent) plain() extent {
	switch e.unit {
	case "minute":
		return extent{e.low / 60, e.high / 60, "hour"}
	case "week":
		return extent{e.low * 7, e.high * 7, "day"}
	}
	return e
}

// second reads the second number of a range.
func (r *scopeReader) second(words []word) (number float64, n int) {
	_, between := match(words, lexes().between)
	if between == 0 && len(words) > 0 && words[0].text == dash {
		between = 1
	}
	if between == 0 {
		return 0, 0
	}
	number, n = numberAt(words[between:])
	if n == 0 {
		return 0, 0
	}
	return number, between + n
}

// boundAt reads "under" or "over" before a number, and tells of how many words it is.
func (r *scopeReader) boundAt(i int) (bound string, n int) {
	lex := lexes()
	for _, b := range []struct {
		name string
		in   map[string]string
	}{{"over", lex.over}, {"under", lex.under}, {"least", lex.least}, {"most", lex.most}, {"least", map[string]string{"+": ""}}} {
		if _, n := match(r.words[i:], b.in); n > 0 {
			_, number := numberAt(r.words[i+n:])
			if _, hour := r.hourAt(i+n, false); number+hour > 0 {
				return b.name, n
			}
		}
	}
	return "", 0
}

// bound widens a number to what stands before it: "over 25" is all that is more.
func (e *extent) bound(name string) {
	const little = 1e-6
	switch name {
	case "over":
		e.low, e.high = e.low+little, beyond
	case "under":
		e.low, e.high = 0, e.low-little
	case "least":
		e.high = max(e.high, beyond)
	case "most":
		e.low = 0
	}
}

// measureAt reads what a number counts. A large letter is none: "65 L-J".
func (r *scopeReader) measureAt(words []word) (unit string, n int) {
	if len(words) > 0 && len(words[0].text) == 1 && r.text[words[0].start:words[0].end] != words[0].text {
		return "", 0
	}
	unit, n = match(words, lexes().measures)
	if length, times := match(words, lexes().times); times > n {
		return length, times
	}
	return unit, n
}

// length reads a length that is said without a number: "half an hour".
func (r *scopeReader) length(i int) int {
	length, n := match(r.words[i:], lexes().lengths)
	if n == 0 {
		return 0
	}
	if _, unit := match(r.words[i:], lexes().units); r.asked && unit >= n {
		return 0 // "how much is it a month": a price for each
	}
	number, unit, _ := strings.Cut(length, " ")
	if value, err := strconv.ParseFloat(number, 64); err == nil {
		r.extents = append(r.extents, extent{value, value, unit}.plain())
	}
	return n
}

// clock reads hours of the day: "after 5 pm", "from 9:00 to 14:00", "de 20 a 8 h".
func (r *scopeReader) clock(i int) int {
	bound, skipped := r.boundAt(i)
	if _, at := match(r.words[i+skipped:], lexes().atHour); at > 0 {
		skipped += at
	}
	from, n := r.hourAt(i+skipped, skipped > 0 && bound == "")
	if n == 0 {
		from, n = r.hourOfRange(i + skipped)
	}
	if n == 0 {
		return 0
	}
	to, used := from+1, skipped+n
	if next := r.through(i + used); next > 0 {
		at := 0
		if next < len(r.words) {
			_, at = match(r.words[next:], lexes().atHour)
		}
		if last, more := r.hourAt(next+at, true); more > 0 {
			to, used = last, next+at+more-i
		}
	}
	switch bound {
	case "over", "least":
		to = 24
	case "under", "most":
		from, to = 0, from
	}
	if from < to {
		r.hours |= hoursBetween(from, min(to, 24))
	} else {
		r.hours |= hoursBetween(from, 24) | hoursBetween(0, to)
	}
	return used
}

// hourAt reads an hour of the day that is told to be one, or marked as one by what stands
// before it, and of how many words it is.
func (r *scopeReader) hourAt(i int, marked bool) (hour, n int) {
	if i >= len(r.words) {
		return 0, 0
	}
	whole, _, minutes := strings.Cut(r.words[i].text, ":")
	hour, err := strconv.Atoi(whole)
	n = 1
	if !r.words[i].number {
		var number float64
		number, n = numberAt(r.words[i:])
		hour, err = int(number), nil
	}
	if err != nil || n == 0 || hour > 24 {
		return 0, 0
	}
	_, noon := match(r.words[i+n:], lexes().afterNoon)
	_, morning := match(r.words[i+n:], lexes().beforeNoon)
	switch {
	case noon > 0 && hour < 12:
		return hour + 12, n + noon
	case noon > 0 || morning > 0:
		return hour % 24, n + noon + morning
	case marked || minutes:
		return hour % 24, n
	}
	return 0, 0
}

// hourOfRange reads the first hour of a range of which only the end tells that it is one,
// "8 a 20 h", beside days or where nothing takes so long.
func (r *scopeReader) hourOfRange(i int) (hour, n int) {
	if i >= len(r.words) || !r.words[i].number {
		return 0, 0
	}
	hour, err := strconv.Atoi(r.words[i].text)
	next := r.through(i + 1)
	if next == 0 && i+1 < len(r.words) && r.words[i+1].text == dash {
		next = i + 2
	}
	if err != nil || hour > 24 || next == 0 || next+1 >= len(r.words) || !r.words[next].number {
		return 0, 0
	}
	last, err := strconv.Atoi(r.words[next].text)
	unit, _ := match(r.words[next+1:next+2], lexes().times)
	_, noon := match(r.words[next+1:], lexes().afterNoon)
	if err != nil || last > 24 || noon == 0 && (unit != "hour" || r.days == 0 && max(hour, last) < 12) {
		return 0, 0
	}
	return hour % 24, 1
}
