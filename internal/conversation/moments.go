package conversation

import (
	"slices"
	"time"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const localLayout = "2006-01-02T15:04:05"

// splitLocal takes a business-local time apart.
func splitLocal(at frontdesk.LocalTime) (dates.Date, dates.Clock, bool) {
	text := string(at)
	if len(text) > len(localLayout) {
		text = text[:len(localLayout)]
	}
	t, err := time.Parse(localLayout, text)
	if err != nil {
		return dates.Date{}, dates.Clock{}, false
	}
	return dates.DateOf(t), dates.Clock{Hour: t.Hour(), Minute: t.Minute()}, true
}

// shows says whether the clock on the wall ever shows a time of a day: an hour
// that is jumped over in spring it does not.
func (e *Engine) shows(d dates.Date, c dates.Clock) bool {
	return time.Date(d.Year, d.Month, d.Day, c.Hour, c.Minute, 0, 0, e.zone).Hour() == c.Hour
}

// openOn says whether the business is open at a time of a day.
func (e *Engine) openOn(d dates.Date, c dates.Clock) bool {
	return e.hours.OpenAt(d.At(c.Minutes(), e.zone))
}

// mayOpen says whether a time of a day is one at which the house is open, or would be:
// on a day on which it stays closed it is judged by the other days of the week, so that
// morning and evening are told apart there as well.
func (e *Engine) mayOpen(d dates.Date, c dates.Clock) bool {
	if e.openOn(d, c) {
		return true
	}
	if len(e.hours.Day(d).Open) > 0 {
		return false
	}
	minute, week := c.Minutes(), e.hours.Week()
	return slices.ContainsFunc(week[:], func(day []frontdesk.Period) bool {
		return slices.ContainsFunc(day, func(p frontdesk.Period) bool { return p.From <= minute && minute < p.End() })
	})
}

// localTime is a day, at its time or at its beginning.
func localTime(d dates.Date, c dates.Clock, timed bool) frontdesk.LocalTime {
	if !timed {
		c = dates.Clock{}
	}
	return frontdesk.LocalTime(time.Date(d.Year, d.Month, d.Day, c.Hour, c.Minute, 0, 0, time.UTC).Format(localLayout))
}
