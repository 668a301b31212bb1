package frontdesk

import "time"

// Shift is the opening of one day in whole local hours. Close at or before
// Open means the next day: a bar is open 20 to 2. The zero Shift is closed.
type Shift struct {
	Open  int // 0 to 23
	Close int // 1 to 24
}

// Hours are a week of shifts, Monday first.
type Hours [7]Shift

func (s Shift) closed() bool    { return s == Shift{} }
func (s Shift) overnight() bool { return s.Close <= s.Open }

// Valid says whether both hours are in range.
func (s Shift) Valid() bool {
	return s.Open >= 0 && s.Open <= 23 && s.Close >= 1 && s.Close <= 24
}

// OpenAt says whether the business is open at t, by the clock on its wall:
// t must be in the business's own zone.
func (h Hours) OpenAt(t time.Time) bool {
	day, hour := monday(t.Weekday()), t.Hour()
	today, yesterday := h[day], h[(day+6)%7]
	switch {
	case !today.closed() && hour >= today.Open && (today.overnight() || hour < today.Close):
		return true
	case !yesterday.closed() && yesterday.overnight() && hour < yesterday.Close:
		return true
	}
	return false
}

// On returns when the business opens on the date of day and when it closes
// after that, which may be on the next one. It is false when it stays closed.
// day must be in the business's own zone.
func (h Hours) On(day time.Time) (opens, closes time.Time, ok bool) {
	shift := h[monday(day.Weekday())]
	if shift.closed() {
		return time.Time{}, time.Time{}, false
	}
	end := shift.Close
	if shift.overnight() {
		end += 24
	}
	opens, closes = wallClock(day, shift.Open), wallClock(day, end)
	return opens, closes, opens.Before(closes)
}

// NextOpening returns the first instant after t at which the business opens.
// It is false when the business is open at t already, or never opens.
//
// It looks at every quarter of an hour to come, for clocks jump over openings
// and come back to them. Two weeks are enough: an opening that falls into a
// jump is there the week after.
func (h Hours) NextOpening(t time.Time) (time.Time, bool) {
	if h == (Hours{}) || h.OpenAt(t) {
		return time.Time{}, false
	}
	at := t.Truncate(Quarter)
	for range 15 * 24 * time.Hour / Quarter {
		at = at.Add(Quarter)
		if h.OpenAt(at) {
			return at, true
		}
	}
	return time.Time{}, false
}

// wallClock is the first instant at which the local clock shows hour, or later,
// on the date of day. When the clock jumps over the hour it is the jump; when
// the hour comes twice it is the first one.
func wallClock(day time.Time, hour int) time.Time {
	year, month, date := day.Date()
	guess := time.Date(year, month, date, hour, 0, 0, 0, day.Location())
	wanted := time.Date(year, month, date, hour, 0, 0, 0, time.UTC)
	for at := guess.Add(-2 * time.Hour); ; at = at.Add(15 * time.Minute) {
		if !onTheWall(at).Before(wanted) {
			return at
		}
	}
}

// onTheWall is what the local clock shows at t, as if it were UTC.
func onTheWall(t time.Time) time.Time {
	_, offset := t.Zone()
	return t.UTC().Add(time.Duration(offset) * time.Second)
}

// monday numbers the days of the week from Monday, 0, to Sunday, 6.
func monday(d time.Weekday) int { return (int(d) + 6) % 7 }
