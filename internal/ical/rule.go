package ical

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/teambition/rrule-go"
)

// rule says when something recurs, by the clock of its zone.
//
// What a rule finds in one year or one month is found by rrule-go. Its own
// iterator is not used to get from one to the next: it looks at every occurrence
// since the first, never ends for a rule that matches nothing, and knows no
// bounds. Here the years and months that matter are counted off, each is paid for
// before it is looked at, and rrule-go is asked for that one alone.
type rule struct {
	start    time.Time
	freq     rrule.Frequency
	interval int
	count    int       // 0 has no end
	until    time.Time // zero has no end
	option   rrule.ROption
	cost     int // of one year or month
	steady   int // occurrences in each interval, if they are always as many; else 0
}

// More times than the minutes of a day make no sense.
const maxTimes = 24 * 60

// everMore is an interval, in years, that leads beyond the last one that rrule-go
// knows: it then looks at the first year or month alone.
const everMore = 10_000

// parseRule reads RRULE of something that first happens at start.
func parseRule(text string, start stamp) (*rule, error) {
	r := &rule{start: start.wall, freq: -1, interval: 1}
	parts := map[string]string{}
	for part := range strings.SplitSeq(strings.ToUpper(text), ";") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		if _, twice := parts[name]; twice {
			return nil, fmt.Errorf("%w: a rule with two %.20q", ErrValue, name)
		}
		parts[name] = value
		if err := r.part(name, value, start); err != nil {
			return nil, err
		}
	}
	if r.freq < 0 {
		return nil, fmt.Errorf("%w: a rule without FREQ", ErrValue)
	}
	if err := r.check(start.date); err != nil {
		return nil, err
	}
	r.complete()
	return r, nil
}

// part reads a part of a rule.
func (r *rule) part(name, value string, start stamp) (err error) {
	o := &r.option
	switch name {
	case "FREQ":
		if r.freq, err = rrule.StrToFreq(value); err != nil {
			return fmt.Errorf("%w: FREQ=%.20q", ErrValue, value)
		}
	case "INTERVAL":
		r.interval, err = atLeastOne(name, value)
	case "COUNT":
		r.count, err = atLeastOne(name, value)
	case "UNTIL":
		r.until, err = parseUntil(value, start)
	case "WKST":
		o.Wkst, err = parseWeekday(value)
	case "BYDAY":
		o.Byweekday, err = parseWeekdays(value)
	case "BYMONTH":
		o.Bymonth, err = parseNumbers(name, value, 1, 12, false)
	case "BYMONTHDAY":
		o.Bymonthday, err = parseNumbers(name, value, 1, 31, true)
	case "BYYEARDAY":
		o.Byyearday, err = parseNumbers(name, value, 1, 366, true)
	case "BYWEEKNO":
		o.Byweekno, err = parseNumbers(name, value, 1, 53, true)
	case "BYSETPOS":
		o.Bysetpos, err = parseNumbers(name, value, 1, 366, true)
	case "BYHOUR":
		o.Byhour, err = parseNumbers(name, value, 0, 23, false)
	case "BYMINUTE":
		o.Byminute, err = parseNumbers(name, value, 0, 59, false)
	case "BYSECOND":
		o.Bysecond, err = parseNumbers(name, value, 0, 59, false)
	default:
		err = fmt.Errorf("%w: a rule with %.20q", ErrValue, name)
	}
	return err
}

// atLeastOne reads a number of which a larger one than a thousand million means
// the same.
func atLeastOne(name, value string) (int, error) {
	n := number(value)
	if len(value) > 9 && number(value[:9]) > 0 && strings.Trim(value, "0123456789") == "" {
		n = 1_000_000_000
	}
	if n < 1 {
		return 0, fmt.Errorf("%w: %s=%.20q", ErrValue, name, value)
	}
	return n, nil
}

// parseUntil reads the last time at which something may recur, by the clock of its
// start. Where writers do not keep to the form of the start, the later of what they
// may mean is taken.
func parseUntil(value string, start stamp) (time.Time, error) {
	until, date, utc, err := parseStamp(value)
	switch {
	case err != nil:
		return until, err
	case date:
		until = until.Add((secondsOfADay - 1) * time.Second)
	case utc:
		if local := start.zone.wall(until); !start.date || local.After(until) {
			until = local
		}
	}
	return until, nil
}

// parseNumbers reads a list of numbers, each once. They may count from the end.
func parseNumbers(name, value string, least, most int, negative bool) (all []int, err error) {
	var seen [2*366 + 1]bool
	for text := range strings.SplitSeq(value, ",") {
		digits, minus := strings.CutPrefix(strings.TrimPrefix(text, "+"), "-")
		n := number(digits)
		if n < least || n > most || minus && !negative {
			return nil, fmt.Errorf("%w: %s=%.20q", ErrValue, name, text)
		}
		if minus {
			n = -n
		}
		if !seen[366+n] {
			seen[366+n] = true
			all = append(all, n)
		}
	}
	return all, nil
}

func parseWeekday(text string) (rrule.Weekday, error) {
	for _, day := range []rrule.Weekday{rrule.MO, rrule.TU, rrule.WE, rrule.TH, rrule.FR, rrule.SA, rrule.SU} {
		if day.String() == text {
			return day, nil
		}
	}
	return rrule.Weekday{}, fmt.Errorf("%w: the day %.20q", ErrValue, text)
}

// parseWeekdays reads days such as MO, 2TU or -1SU.
func parseWeekdays(value string) (all []rrule.Weekday, err error) {
	seen := map[rrule.Weekday]bool{}
	for text := range strings.SplitSeq(value, ",") {
		cut := max(len(text)-2, 0)
		day, err := parseWeekday(text[cut:])
		if err != nil {
			return nil, err
		}
		if cut > 0 {
			which, err := parseNumbers("BYDAY", text[:cut], 1, 53, true)
			if err != nil {
				return nil, err
			}
			day = day.Nth(which[0])
		}
		if !seen[day] {
			seen[day] = true
			all = append(all, day)
		}
	}
	return all, nil
}

// check refuses what is too fine to be looked at, and what nobody writes.
func (r *rule) check(date bool) error {
	switch {
	case r.freq == rrule.SECONDLY:
		return fmt.Errorf("%w: it recurs every second", ErrTooMuch)
	case date && r.freq > rrule.DAILY:
		return fmt.Errorf("%w: a day that recurs within a day", ErrValue)
	case len(r.option.Bysetpos) > 0 && r.freq > rrule.MONTHLY:
		return fmt.Errorf("%w: BYSETPOS within a week or less", ErrValue)
	case r.count > 0 && r.start.Year() < 1583:
		return fmt.Errorf("%w: a rule with COUNT from before the calendar", ErrValue)
	}
	if date {
		r.option.Byhour, r.option.Byminute, r.option.Bysecond = nil, nil, nil
	}
	if times := max(len(r.option.Byhour), 1) * max(len(r.option.Byminute), 1) * max(len(r.option.Bysecond), 1); times > maxTimes {
		return fmt.Errorf("%w: it recurs more often than every minute", ErrTooMuch)
	}
	return nil
}

// complete takes from the start what the rule does not say, so that the rule can
// be asked about any year or month.
func (r *rule) complete() {
	o := &r.option
	plainDays := len(o.Bymonth)+len(o.Bymonthday)+len(o.Byyearday)+len(o.Byweekno) == 0
	steady := plainDays && r.freq >= rrule.WEEKLY &&
		(r.freq == rrule.WEEKLY || len(o.Byweekday) == 0) &&
		(r.freq < rrule.HOURLY || len(o.Byhour) == 0) &&
		(r.freq < rrule.MINUTELY || len(o.Byminute) == 0)
	r.completeDays()
	days := 1
	if r.freq == rrule.WEEKLY {
		days = len(o.Byweekday)
	}
	hour, minute, second := r.start.Clock()
	if len(o.Bysecond) == 0 {
		o.Bysecond = []int{second}
	}
	perInterval := days * len(o.Bysecond)
	if len(o.Byminute) == 0 {
		o.Byminute = []int{minute}
		if r.freq == rrule.MINUTELY {
			o.Byminute = upTo(60)
		}
	}
	if r.freq < rrule.MINUTELY {
		perInterval *= len(o.Byminute)
	}
	if len(o.Byhour) == 0 {
		o.Byhour = []int{hour}
		if r.freq >= rrule.HOURLY {
			o.Byhour = upTo(24)
		}
	}
	if r.freq < rrule.HOURLY {
		perInterval *= len(o.Byhour)
	}
	if steady {
		r.steady = perInterval
	}
	o.Freq, o.Interval, r.cost = rrule.MONTHLY, everMore*12, 31
	if r.freq == rrule.YEARLY {
		o.Freq, o.Interval, r.cost = rrule.YEARLY, everMore, 366
	}
	// Each day is looked up in the lists of days, and found as often as there are
	// times in it.
	lists := len(o.Bymonthday) + len(o.Byyearday) + len(o.Byweekday) + len(o.Byweekno)
	r.cost *= len(o.Byhour)*len(o.Byminute)*len(o.Bysecond) + 2*len(o.Bysetpos) + lists/8
}

// completeDays is complete for the days. A week or less is looked at as a part of
// its month, of which all days count.
func (r *rule) completeDays() {
	o := &r.option
	named := len(o.Bymonthday) + len(o.Byyearday) + len(o.Byweekday)
	today := []rrule.Weekday{weekday(r.start)}
	switch {
	case r.freq >= rrule.WEEKLY && len(o.Byweekday) > 0:
		for i, day := range o.Byweekday {
			o.Byweekday[i] = day.Nth(0)
		}
		slices.SortFunc(o.Byweekday, func(a, b rrule.Weekday) int { return a.Day() - b.Day() })
		o.Byweekday = slices.Compact(o.Byweekday)
	case r.freq == rrule.WEEKLY && named == 0:
		o.Byweekday = today
	case r.freq >= rrule.WEEKLY:
		o.Byweekday = []rrule.Weekday{rrule.MO, rrule.TU, rrule.WE, rrule.TH, rrule.FR, rrule.SA, rrule.SU}
	case named == 0 && len(o.Byweekno) > 0:
		o.Byweekday = today
	case named == 0:
		o.Bymonthday = []int{r.start.Day()}
		if r.freq == rrule.YEARLY && len(o.Bymonth) == 0 {
			o.Bymonth = []int{int(r.start.Month())}
		}
	default:
		r.completeWeekdays()
	}
}

// completeWeekdays names each day of the week by its number in the month or year
// if one of them has a number: rrule-go takes MO,2TU for days that are both. A
// month has no sixth of them, and rrule-go would look for it elsewhere.
func (r *rule) completeWeekdays() {
	o := &r.option
	most := 5
	if r.freq == rrule.YEARLY && len(o.Bymonth) == 0 {
		most = 53
	}
	if !slices.ContainsFunc(o.Byweekday, func(d rrule.Weekday) bool { return d.N() != 0 }) {
		return
	}
	var all []rrule.Weekday
	for _, day := range o.Byweekday {
		switch n := day.N(); {
		case n == 0:
			for i := range most {
				all = append(all, day.Nth(i+1))
			}
		case n <= most && n >= -most:
			all = append(all, day)
		}
	}
	o.Byweekday = all
	if len(all) == 0 {
		// A day that no month has: the 31st of February is another.
		o.Bymonth, o.Bymonthday = []int{2}, []int{31}
	}
}

func weekday(t time.Time) rrule.Weekday {
	return []rrule.Weekday{rrule.SU, rrule.MO, rrule.TU, rrule.WE, rrule.TH, rrule.FR, rrule.SA}[t.Weekday()]
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// each calls do, until it says no, with the times after the start at which the
// rule holds, from one time until another. The start is the first occurrence
// whether the rule says so or not, and is not among them.
func (r *rule) each(w *work, from, to time.Time, do func(time.Time) bool) error {
	if !r.until.IsZero() && r.until.Before(to) {
		to = r.until.Add(time.Second)
	}
	after, left, ok := r.skip(from)
	begin := after
	if r.count == 0 && from.After(after) {
		begin = from
	}
	for at := r.position(begin); ok && r.date(at).Before(to) && r.date(at).Year() <= 9999; at += r.stride() {
		if !w.spend(r.cost) {
			return errWork
		}
		o := r.option
		if o.Dtstart = r.date(at); o.Dtstart.Year() < 2 {
			continue // the zero time would mean today to rrule-go
		}
		found, err := rrule.NewRRule(o)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrValue, err)
		}
		next := found.Iterator()
		for t, more := next(); more; t, more = next() {
			switch {
			case !t.After(after) || !r.inStep(t):
				continue
			case !t.Before(to) || r.count > 0 && left == 0:
				return nil
			}
			left--
			if !t.Before(from) && !do(t) {
				return nil
			}
		}
	}
	return nil
}

// skip is a time before from after which so many occurrences are left of those
// that COUNT allows; it is false if there are none. Where each interval has as many
// as the other the time is just before from, else it is the start.
func (r *rule) skip(from time.Time) (after time.Time, left int, ok bool) {
	if r.count == 0 {
		return r.start, 0, true
	}
	left = r.count - 1
	unit := map[rrule.Frequency]int64{rrule.WEEKLY: 7 * secondsOfADay, rrule.DAILY: secondsOfADay, rrule.HOURLY: 3600, rrule.MINUTELY: 60}[r.freq]
	if r.steady == 0 || unit == 0 {
		return r.start, left, left > 0
	}
	length := unit * int64(r.interval)
	intervals := (from.Unix()-r.start.Unix())/length - 1
	if intervals <= 0 {
		return r.start, left, left > 0
	}
	if intervals >= int64(left)/int64(r.steady)+1 {
		return r.start, 0, false
	}
	left -= int(intervals) * r.steady
	return time.Unix(r.start.Unix()+intervals*length, 0).UTC(), left, left > 0
}

// Positions number the years or the months that are looked at.

// position is the last position of the rule whose first day is not after t.
func (r *rule) position(t time.Time) int {
	first, at := r.start.Year(), t.Year()
	if r.freq != rrule.YEARLY {
		first, at = first*12+int(r.start.Month())-1, at*12+int(t.Month())-1
	}
	return first + (at-first)/r.stride()*r.stride()
}

// stride is from one position to the next.
func (r *rule) stride() int {
	if r.freq > rrule.MONTHLY {
		return 1
	}
	return r.interval
}

// date is the first day of a position.
func (r *rule) date(position int) time.Time {
	if r.freq == rrule.YEARLY {
		return time.Date(position, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return time.Date(position/12, time.Month(position%12+1), 1, 0, 0, 0, 0, time.UTC)
}

// inStep says whether t is in one of the weeks, days, hours or minutes that the
// interval chooses.
func (r *rule) inStep(t time.Time) bool {
	a, b, unit := r.start.Unix(), t.Unix(), int64(1)
	switch r.freq {
	case rrule.WEEKLY:
		unit = 7 * secondsOfADay
		// 1970 began on a Thursday; weeks begin on the day of WKST.
		shift := int64(3-r.option.Wkst.Day()) * secondsOfADay
		a, b = a+shift, b+shift
	case rrule.DAILY:
		unit = secondsOfADay
	case rrule.HOURLY:
		unit = 3600
	case rrule.MINUTELY:
		unit = 60
	default:
		return true
	}
	return (floorDiv(b, unit)-floorDiv(a, unit))%int64(r.interval) == 0
}
