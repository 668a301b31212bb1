package dates

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

// IsZero says whether d is no date.
func (d Date) IsZero() bool { return d == Date{} }

// String is the date as 2026-03-08.
func (d Date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day) }

// Weekday is the day of the week.
func (d Date) Weekday() time.Weekday { return d.utc().Weekday() }

// Before says whether d is earlier than e.
func (d Date) Before(e Date) bool { return d.utc().Before(e.utc()) }

// AddDays is the date n days later.
func (d Date) AddDays(n int) Date { return DateOf(d.utc().AddDate(0, 0, n)) }

// In is the first moment of the date in a zone, where there is one, for those
// who compare it with instants.
func (d Date) In(zone *time.Location) time.Time {
	return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, zone)
}

func (d Date) utc() time.Time { return d.In(time.UTC) }

// addMonths keeps to the month: a month after 31 January is the end of February.
func (d Date) addMonths(n int) Date {
	first := Date{d.Year, d.Month, 1}
	first = DateOf(first.utc().AddDate(0, n, 0))
	first.Day = min(d.Day, first.monthDays())
	return first
}

func (d Date) monthDays() int {
	return time.Date(d.Year, d.Month+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

func (d Date) exists() bool {
	return d.Month >= 1 && d.Month <= 12 && d.Day >= 1 && d.Day <= d.monthDays()
}

// next is the first w after d.
func (d Date) next(w time.Weekday) Date {
	return d.AddDays((int(w)-int(d.Weekday())+6)%7 + 1)
}

// monday is the first day of d's week.
func (d Date) monday() Date { return d.AddDays(-place(d.Weekday())) }

// inWeek is w in d's week.
func (d Date) inWeek(w time.Weekday) Date { return d.monday().AddDays(place(w)) }

// place numbers the days of a week from Monday, 0.
func place(w time.Weekday) int { return (int(w) + 6) % 7 }

// Clock is a time as a wall clock shows it.
type Clock struct {
	Hour   int // 0 to 23; 24 only as the end of a range
	Minute int
}

// String is the clock as 17:05.
func (c Clock) String() string { return fmt.Sprintf("%02d:%02d", c.Hour, c.Minute) }

// Before says whether c is earlier in the day than e.
func (c Clock) Before(e Clock) bool { return c.minutes() < e.minutes() }

func (c Clock) minutes() int { return 60*c.Hour + c.Minute }

// justAfter is the first moment after c.
func (c Clock) justAfter() Clock {
	m := min(c.minutes()+1, 24*60-1)
	return Clock{m / 60, m % 60}
}

// halves are the two times of day that an open clock may mean.
func (c Clock) halves() []Clock {
	h := c.Hour % 12
	return []Clock{{h, c.Minute}, {h + 12, c.Minute}}
}
