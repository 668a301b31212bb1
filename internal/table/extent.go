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
	months, shortMonths, weekdays, shortDays, numerals map[string]int
	to, of                                             language.Set
	verbs                                              map[string]string // in which a month is none
}

var calendar = sync.OnceValue(func() *calendarWords {
	return &calendarWords{
		months: numbered("calendar months"), shortMonths: numbered("calendar short_months"),
		weekdays: numbered("calendar weekdays"), shortDays: numbered("calendar short_weekdays"), numerals: numbered("numerals"),
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
	if n == 0 && !r.asked && skipped == 0 {
		if _, one := match(words, lex.one); one > 0 {
			first, n = 1, one
		}
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
	if m, unit := measureAt(rest); unit > 0 {
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
	if m, unit := measureAt(rest); unit > 0 {
		e.unit, rest, used = m, rest[unit:], used+unit
		if _, over := match(rest, lex.andOver); over > 0 {
			e.high, used = beyond, used+over
		} else if _, under := match(rest, lex.andUnder); under > 0 {
			e.low, used = 0, used+under
		}
	}
	e.bound(bounds)
	if e.unit == "minute" {
		e.unit, e.low, e.high = "hour", e.low/60, e.high/60
	}
	r.extents = append(r.extents, e)
	return used
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
			if _, number := numberAt(r.words[i+n:]); number > 0 {
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

// measureAt reads what a number counts.
func measureAt(words []word) (unit string, n int) {
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
		r.extents = append(r.extents, extent{value, value, unit})
	}
	return n
}

// clock reads hours of the day: "after 5 pm", "from 9:00 to 14:00".
func (r *scopeReader) clock(i int) int {
	bound, skipped := r.boundAt(i)
	if skipped == 0 {
		_, skipped = match(r.words[i:], lexes().atHour)
	} else if _, at := match(r.words[i+skipped:], lexes().atHour); at > 0 {
		skipped += at
	}
	from, n := r.hourAt(i + skipped)
	if n == 0 {
		return 0
	}
	to, used := from+1, skipped+n
	if next := r.through(i + used); next > 0 {
		if _, at := match(r.words[min(next, len(r.words)):], lexes().atHour); at > 0 {
			next += at
		}
		if last, more := r.hourAt(next); more > 0 {
			to, used = last, next+more-i
		}
	}
	switch bound {
	case "over", "least":
		to = 24
	case "under", "most":
		from, to = 0, from
	}
	r.hours |= hoursBetween(min(from, 24), min(to, 24))
	return used
}

// hourAt reads an hour of the day that is told to be one, and of how many words it is.
func (r *scopeReader) hourAt(i int) (hour, n int) {
	if i >= len(r.words) || !r.words[i].number {
		return 0, 0
	}
	whole, _, marked := strings.Cut(r.words[i].text, ":")
	hour, err := strconv.Atoi(whole)
	if err != nil || hour > 24 {
		return 0, 0
	}
	_, noon := match(r.words[i+1:], lexes().afterNoon)
	_, morning := match(r.words[i+1:], lexes().beforeNoon)
	if i > 0 && !marked && noon+morning == 0 {
		_, at := match(r.words[i-1:i], lexes().atHour)
		marked = at > 0
	}
	switch {
	case noon > 0 && hour < 12:
		return hour + 12, 1 + noon
	case noon > 0 || morning > 0:
		return hour, 1 + noon + morning
	case marked:
		return hour, 1
	}
	return 0, 0
}
