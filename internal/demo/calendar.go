package demo

import (
	"math/rand/v2"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// How often the telephone rings when nobody is there.
const (
	afterHoursShare = 0.14 // of the calls of a day with opening hours
	closedDayShare  = 0.25 // of the calls of an open day, on a closed one
)

// shiftOn is the house's shift on the weekday of a date; false: closed.
func (h *house) shiftOn(date time.Time) (frontdesk.Shift, bool) {
	s := h.agent.Config.Hours[(int(date.Weekday())+6)%7]
	return s, s != frontdesk.Shift{}
}

// openSpan is how many hours a shift lasts.
func openSpan(s frontdesk.Shift) int {
	if s.Close <= s.Open {
		return s.Close + 24 - s.Open
	}
	return s.Close - s.Open
}

// ring is when a call of a date comes in, most of them in the middle of the
// shift. With open it never comes when the house is closed.
func (h *house) ring(rng *rand.Rand, date time.Time, open bool) time.Time {
	shift, hasShift := h.shiftOn(date)
	minute := 9*60 + rng.IntN(12*60) // on a closed day
	switch {
	case !hasShift:
	case !open && rng.Float64() < afterHoursShare:
		minute = h.closedMinute(rng, date)
	default:
		span := float64(openSpan(shift) * 60)
		minute = shift.Open*60 + int(span*(rng.Float64()+rng.Float64())/2)
	}
	at := time.Date(date.Year(), date.Month(), date.Day(), 0, minute, rng.IntN(60), 0, h.loc)
	return at.Add(time.Duration(rng.IntN(1000)) * time.Millisecond)
}

// closedMinute is a minute of the day at which people are up but the house is
// not open. A house that never closes by day gets any.
func (h *house) closedMinute(rng *rand.Rand, date time.Time) (minute int) {
	for range 30 {
		minute = 8*60 + rng.IntN(15*60)
		at := time.Date(date.Year(), date.Month(), date.Day(), 0, minute, 0, 0, h.loc)
		if !h.openAt(at) {
			break
		}
	}
	return minute
}

func (h *house) openAt(t time.Time) bool { return h.agent.Config.Hours.OpenAt(t.In(h.loc)) }

// slot is a free time for an appointment, within opening hours, at least an
// hour after a call and as a rule no more than so many days ahead.
func (h *house) slot(rng *rand.Rand, call time.Time, ahead int) time.Time {
	local := call.In(h.loc)
	for day := rng.IntN(ahead + 1); ; day++ {
		date := time.Date(local.Year(), local.Month(), local.Day()+day, 12, 0, 0, 0, h.loc)
		shift, open := h.shiftOn(date)
		if !open {
			continue
		}
		at := time.Date(date.Year(), date.Month(), date.Day(), h.bookableHour(rng, shift), 15*rng.IntN(4), 0, 0, h.loc)
		if h.openAt(at) && at.After(call.Add(time.Hour)) {
			return at
		}
	}
}

// bookableHour is an hour at which an appointment of the shift may begin: not
// the last one, nor after midnight.
func (h *house) bookableHour(rng *rand.Rand, shift frontdesk.Shift) int {
	last := min(shift.Open+openSpan(shift)-2, 23)
	var hours []int
	for hour := shift.Open; hour <= last; hour++ {
		hours = append(hours, hour)
	}
	if seats := h.seatingsWithin(shift.Open, last); len(seats) > 0 {
		hours = seats
	}
	return pick(rng, hours)
}

func (h *house) seatingsWithin(first, last int) (hours []int) {
	for _, hour := range h.habits.tableHours {
		if hour >= first && hour <= last {
			hours = append(hours, hour)
		}
	}
	return hours
}

// taken is a time on the same day as a free one that is not free.
func (h *house) taken(free time.Time) time.Time {
	if before := free.Add(-45 * time.Minute); h.openAt(before) {
		return before
	}
	return free.Add(45 * time.Minute)
}

// hourSlots speak of the opening hours of some weekday.
func (h *house) hourSlots(rng *rand.Rand, s slots) {
	for {
		date := time.Date(2024, time.January, 1+rng.IntN(7), 0, 0, 0, 0, time.UTC)
		if shift, open := h.shiftOn(date); open {
			s["open_day"] = spellWeekday(date.Weekday())
			s["opens"], s["closes"] = spellHour(shift.Open), spellHour(shift.Close)
			return
		}
	}
}
