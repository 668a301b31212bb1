package frontdesk

import (
	"fmt"
	"time"
)

// Date is a day of the calendar, in no zone. The zero Date is none.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// DateOf is the date that t shows in its own zone.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date{y, m, d}
}

// ParseDate reads a date such as 2026-03-08. It is false for anything else, and
// for days that the calendar does not have.
func ParseDate(s string) (Date, bool) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return Date{}, false
	}
	return DateOf(t), true
}

// IsZero says whether d is no date.
func (d Date) IsZero() bool { return d == Date{} }

// String is the date as 2026-03-08.
func (d Date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day) }

// Weekday is the day of the week.
func (d Date) Weekday() time.Weekday { return d.utc().Weekday() }

// Before says whether d is earlier than e.
func (d Date) Before(e Date) bool {
	if d.Year != e.Year {
		return d.Year < e.Year
	}
	if d.Month != e.Month {
		return d.Month < e.Month
	}
	return d.Day < e.Day
}

// AddDays is the date n days later.
func (d Date) AddDays(n int) Date { return DateOf(d.utc().AddDate(0, 0, n)) }

// DaysUntil is how many days e is after d.
func (d Date) DaysUntil(e Date) int { return int(e.utc().Sub(d.utc()) / (24 * time.Hour)) }

// In is the first moment of the date in a zone, where there is one, for those
// who compare it with instants.
func (d Date) In(zone *time.Location) time.Time {
	return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, zone)
}

func (d Date) utc() time.Time { return d.In(time.UTC) }

// At is the first instant at which a clock in the zone shows so many minutes
// after midnight of the date, or more where the clock jumps over that time. The
// minutes may be those of the next day.
func (d Date) At(minute int, zone *time.Location) time.Time {
	guess := time.Date(d.Year, d.Month, d.Day, 0, minute, 0, 0, zone)
	_, before := guess.Add(-12 * time.Hour).Zone()
	_, after := guess.Add(12 * time.Hour).Zone()
	if before == after {
		return guess
	}
	wanted := time.Date(d.Year, d.Month, d.Day, 0, minute, 0, 0, time.UTC)
	for at := guess.Add(-2 * time.Hour); ; at = at.Add(time.Minute) {
		if !onTheWall(at).Before(wanted) {
			return at
		}
	}
}

// AddMonths keeps to the month: a month after 31 January is the end of February.
func (d Date) AddMonths(n int) Date {
	first := Date{d.Year, d.Month, 1}
	first = DateOf(first.utc().AddDate(0, n, 0))
	first.Day = min(d.Day, first.MonthDays())
	return first
}

// MonthDays is how many days the month has.
func (d Date) MonthDays() int {
	return time.Date(d.Year, d.Month+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// Exists says whether the calendar has the date.
func (d Date) Exists() bool {
	return d.Month >= 1 && d.Month <= 12 && d.Day >= 1 && d.Day <= d.MonthDays()
}

// Next is the first w after d.
func (d Date) Next(w time.Weekday) Date {
	return d.AddDays((int(w)-int(d.Weekday())+6)%7 + 1)
}

// Monday is the first day of d's week.
func (d Date) Monday() Date { return d.AddDays(-monday(d.Weekday())) }

// InWeek is w in d's week.
func (d Date) InWeek(w time.Weekday) Date { return d.Monday().AddDays(monday(w)) }

// NthWeekday is the n-th w in d's month; the fifth is the last.
func (d Date) NthWeekday(w time.Weekday, n int) Date {
	first := Date{d.Year, d.Month, 1}
	day := first.AddDays(-1).Next(w).AddDays(7 * (n - 1))
	for day.Month != d.Month {
		day = day.AddDays(-7)
	}
	return day
}

// Easter is the Sunday after the first full moon of spring, as the Gregorian
// calendar reckons the moon.
func Easter(year int) Date {
	century := year / 100
	golden := year % 19
	epact := (19*golden + century - century/4 - (century-(century+8)/25+1)/3 + 15) % 30
	toSunday := (32 + 2*(century%4) + 2*(year%100/4) - epact - year%100%4) % 7
	late := (golden + 11*epact + 22*toSunday) / 451
	n := epact + toSunday - 7*late + 114
	return Date{Year: year, Month: time.Month(n / 31), Day: n%31 + 1}
}

// Clock is a time as a wall clock shows it.
type Clock struct {
	Hour   int // 0 to 23; 24 only as the end of a range
	Minute int
}

// String is the clock as 17:05.
func (c Clock) String() string { return fmt.Sprintf("%02d:%02d", c.Hour, c.Minute) }

// Before says whether c is earlier in the day than e.
func (c Clock) Before(e Clock) bool { return c.Minutes() < e.Minutes() }

// Minutes is how many have passed since midnight.
func (c Clock) Minutes() int { return 60*c.Hour + c.Minute }
