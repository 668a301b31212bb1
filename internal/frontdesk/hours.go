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

// onTheWall is what the local clock shows at t, as if it were UTC.
func onTheWall(t time.Time) time.Time {
	_, offset := t.Zone()
	return t.UTC().Add(time.Duration(offset) * time.Second)
}

// monday numbers the days of the week from Monday, 0, to Sunday, 6.
func monday(d time.Weekday) int { return (int(d) + 6) % 7 }
