package ical

import (
	"fmt"
	"strings"
	"time"
)

const secondsOfADay = 24 * 60 * 60

// stamp is a date or a time as a calendar writes it.
type stamp struct {
	wall time.Time // what the clock of the zone shows, as if it were UTC
	date bool      // without a time of day
	zone zone
}

func (s stamp) instant() time.Time { return s.zone.instant(s.wall) }

// day numbers the day of a stamp.
func (s stamp) day() int64 { return floorDiv(s.wall.Unix(), secondsOfADay) }

// plus is when something ends that begins at s.
func (s stamp) plus(length span) time.Time {
	s.wall = s.wall.AddDate(0, 0, length.days)
	return s.instant().Add(length.exact)
}

// span is how long something takes. Days are by the calendar, and so of 23 or 25
// hours when the clocks change; the rest is exact.
type span struct {
	days  int
	exact time.Duration
}

// maxYears is how long something that recurs may take, and what DURATION may say.
const maxYears = 100

func (s span) tooLong() bool {
	return s.days > maxYears*366 || s.exact > maxYears*366*24*time.Hour
}

// before is a time that much before t.
func (s span) before(t time.Time) time.Time { return t.AddDate(0, 0, -s.days).Add(-s.exact) }

// parseStamp reads a date or a time of RFC 5545; utc says that it ends in Z.
func parseStamp(text string) (wall time.Time, date, utc bool, err error) {
	fail := fmt.Errorf("%w: %.40q is no time", ErrValue, text)
	digits, utc := strings.CutSuffix(text, "Z")
	day, clock, timed := strings.Cut(digits, "T")
	if len(day) != 8 || timed && len(clock) != 6 || utc && !timed {
		return wall, false, false, fail
	}
	if !timed {
		clock = "000000"
	}
	year, month, dayOfMonth := number(day[:4]), number(day[4:6]), number(day[6:])
	hour, minute, second := number(clock[:2]), number(clock[2:4]), number(clock[4:])
	if year < 0 || month < 1 || month > 12 || dayOfMonth < 1 || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60 {
		return wall, false, false, fail
	}
	second = min(second, 59) // Go knows no leap seconds
	wall = time.Date(year, time.Month(month), dayOfMonth, hour, minute, second, 0, time.UTC)
	if wall.Day() != dayOfMonth {
		return wall, false, false, fail
	}
	return wall, !timed, utc, nil
}

// number reads decimal digits; anything else is negative.
func number(digits string) int {
	if digits == "" || len(digits) > 9 {
		return -1
	}
	n := 0
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return -1
		}
		n = n*10 + int(digits[i]-'0')
	}
	return n
}

// parseSpan reads a duration such as P1W, P1DT2H or PT90M.
func parseSpan(text string) (length span, err error) {
	fail := fmt.Errorf("%w: %.40q is no duration", ErrValue, text)
	rest, ok := strings.CutPrefix(strings.TrimPrefix(text, "+"), "P")
	if !ok || rest == "" {
		return span{}, fail // one that is negative is none for us either
	}
	timed := false
	for rest != "" {
		if !timed && rest[0] == 'T' {
			timed, rest = true, rest[1:]
			continue
		}
		i := strings.IndexAny(rest, "WDHMS")
		if i < 0 {
			return span{}, fail
		}
		n := number(rest[:i])
		unit := map[byte]time.Duration{'H': time.Hour, 'M': time.Minute, 'S': time.Second}[rest[i]]
		if n < 0 || timed != (unit > 0) {
			return span{}, fail
		}
		if unit > 0 && n > int(maxYears*366*24*time.Hour/unit) {
			return span{}, fail
		}
		switch rest[i] {
		case 'W':
			length.days += 7 * n
		case 'D':
			length.days += n
		default:
			length.exact += time.Duration(n) * unit
		}
		if length.tooLong() {
			return span{}, fail
		}
		rest = rest[i+1:]
	}
	return length, nil
}

func floorDiv(a, b int64) int64 {
	if a < 0 && a%b != 0 {
		return a/b - 1
	}
	return a / b
}
