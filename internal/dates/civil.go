package dates

import (
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Date is a day of the calendar, in no zone.
type Date = frontdesk.Date

// Clock is a time as a wall clock shows it.
type Clock = frontdesk.Clock

// DateOf is the date that t shows in its own zone.
func DateOf(t time.Time) Date { return frontdesk.DateOf(t) }

// justAfter is the first moment after c.
func justAfter(c Clock) Clock {
	m := min(c.Minutes()+1, 24*60-1)
	return Clock{Hour: m / 60, Minute: m % 60}
}

// halves are the two times of day that an open clock may mean.
func halves(c Clock) []Clock {
	h := c.Hour % 12
	return []Clock{{Hour: h, Minute: c.Minute}, {Hour: h + 12, Minute: c.Minute}}
}
