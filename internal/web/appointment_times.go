package web

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"time"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const (
	shownDays = 5                 // with something free, on one page
	lookDays  = 7                 // are looked at in one go
	mostDays  = calendar.MostDays // are looked at for one page
)

// freeDay is a day with its free times.
type freeDay struct {
	Day, Count string
	Open       bool // its times are shown at first
	Times      []freeTime
}

// freeTime is a time that can be chosen.
type freeTime struct{ Label, Address string }

// askToMove lists the free times, or asks whether to move to the chosen one.
func (s counter) askToMove(c *customer) (answer, error) {
	if !calendar.Coming(c.capture, c.now) || c.who.Agent.ID == "" {
		return c.seeOther("")
	}
	at, chosen := readOpening(c.http.URL.Query().Get("at"))
	if !chosen {
		return s.freeTimes(c)
	}
	if localOf(at) == c.capture.ScheduledAt {
		return c.seeOther("")
	}
	found, err := s.calendar.OpeningsFor(c.Context(), c.who, c.capture, at, c.now)
	if err != nil {
		return answer{}, err
	}
	if !found.Free {
		return c.taken(at, found)
	}
	return c.readBack(at, http.StatusOK)
}

// readBack asks whether to move to a time: what is, what becomes of it, and one
// button.
func (c *customer) readBack(at calendar.Opening, status int, lead ...string) (answer, error) {
	p := c.page("move")
	p.Heading, p.Lead = p.Say("page_move_ask"), lead
	p.From, p.To = c.capture.ScheduledAt, localOf(at)
	starts, _ := p.To.In(c.now.Location())
	p.New = p.moment(starts, c.now)
	return p.answer(status)
}

// moveAppointment does it. A time that has gone to somebody else leaves everything
// as it was, and the page says what is free near it.
func (s counter) moveAppointment(c *customer) (answer, error) {
	at, chosen := readOpening(c.form.Get("at"))
	if !chosen || c.who.Agent.ID == "" {
		return c.seeOther("/move")
	}
	_, err := s.calendar.Reschedule(c.Context(), c.who, calendar.Rescheduling{
		ID: c.capture.ID, From: frontdesk.LocalTime(c.form.Get("from")), To: at, Now: c.now,
	})
	switch {
	case errors.Is(err, calendar.ErrMoved):
		if c.capture, err = s.store.Capture(c.Context(), c.who.Owner(), c.capture.ID); err != nil {
			return answer{}, unknown(err, noAppointment)
		}
		return c.readBack(at, http.StatusConflict, c.page("").Say("page_moved_meanwhile"))
	case errors.Is(err, calendar.ErrTaken):
		found, err := s.calendar.OpeningsFor(c.Context(), c.who, c.capture, at, c.now)
		if err != nil {
			return answer{}, err
		}
		return c.taken(at, found)
	}
	return c.changed(err, "moved")
}

// taken says that a time cannot be had, and what is free nearest.
func (c *customer) taken(at calendar.Opening, found calendar.Openings) (answer, error) {
	p := c.page("taken")
	p.Heading = cmp.Or(p.Say("page_taken_"+found.Why), p.Say("page_taken_full"))
	starts := c.capture.StartsAt().In(c.now.Location())
	p.Lead = []string{p.Say("page_kept", "day", p.day(dates.DateOf(starts), c.now), "time", p.When.Clock)}
	near := found.Near
	if found.Free { // it has just come free again
		near = []calendar.Opening{at}
	}
	for _, o := range near {
		if localOf(o) == c.capture.ScheduledAt {
			continue
		}
		label := p.Say("page_day_alone", "day", p.day(o.Date, c.now)) + ", " + p.clock(o.Clock)
		p.Near = append(p.Near, freeTime{label, c.choose(o)})
	}
	return p.answer(http.StatusConflict)
}

// freeTimes lists the next days that have something free.
func (s counter) freeTimes(c *customer) (answer, error) {
	today := dates.DateOf(c.now)
	last, err := c.who.LastDay(c.now)
	if err != nil {
		return answer{}, err
	}
	from := today
	if wish, err := time.Parse(time.DateOnly, c.http.URL.Query().Get("from")); err == nil {
		from = dates.DateOf(wish)
	}
	if from.Before(today) || last.Before(from) {
		from = today
	}
	days, next, err := s.daysFrom(c, from, last)
	if err != nil {
		return answer{}, err
	}
	p := c.page("times")
	starts := c.capture.StartsAt().In(c.now.Location())
	p.Heading, p.Asked = p.Say("page_times"), c.asked()
	p.FirstDay, p.Today, p.LastDay = from, today, last
	p.Lead = []string{
		p.Say("page_times_now", "day", p.day(dates.DateOf(starts), c.now), "time", p.When.Clock),
		p.Say("page_times_zone", "city", cityOf(c.now.Location())),
	}
	for i, day := range days {
		p.Days = append(p.Days, c.freeDay(p, day, i == 0))
	}
	isMore := !last.Before(next)
	switch {
	case len(days) == 0 && isMore:
		p.Lead = append(p.Lead, p.Say("page_times_none", "first", p.date(from, c.now), "last", p.date(next.AddDays(-1), c.now)))
	case len(days) == 0:
		p.Lead = append(p.Lead, p.Say("page_times_never"))
	}
	if isMore {
		p.More = c.address("/move", "from", next.String())
	}
	if from != today {
		p.First = c.address("/move")
	}
	return p.answer(http.StatusOK)
}

// daysFrom are the next days with something free, and the day from which to look
// on.
func (s counter) daysFrom(c *customer, from, last dates.Date) (days []calendar.Day, next dates.Date, err error) {
	end := from.AddDays(mostDays)
	if after := last.AddDays(1); after.Before(end) {
		end = after
	}
	for next = from; next.Before(end); {
		to := next.AddDays(lookDays)
		if end.Before(to) {
			to = end
		}
		found, err := s.calendar.TimesFor(c.Context(), c.who, c.capture, next, to, c.now)
		if err != nil {
			return nil, next, err
		}
		for _, day := range found {
			next = next.AddDays(1)
			if day.Slots = c.others(day.Slots); len(day.Slots) > 0 {
				days = append(days, day)
			}
			if len(days) == shownDays {
				return days, next, nil
			}
		}
	}
	return days, next, nil
}

// others are the slots at another time than that of the appointment.
func (c *customer) others(slots []calendar.Slot) (others []calendar.Slot) {
	for _, slot := range slots {
		if slot.At != c.capture.ScheduledAt {
			others = append(others, slot)
		}
	}
	return others
}

func (c *customer) freeDay(p *appointmentPage, day calendar.Day, open bool) freeDay {
	f := freeDay{
		Day: p.Say("page_day_alone", "day", p.day(day.Date, c.now)), Open: open,
		Count: p.Say("page_times_many", "n", strconv.Itoa(len(day.Slots))),
	}
	if len(day.Slots) == 1 {
		f.Count = p.Say("page_times_one")
	}
	for _, slot := range day.Slots {
		at := slot.Starts.In(c.now.Location())
		o := calendar.Opening{Date: dates.DateOf(at), Clock: dates.Clock{Hour: at.Hour(), Minute: at.Minute()}}
		f.Times = append(f.Times, freeTime{p.clock(o.Clock), c.choose(o)})
	}
	return f
}

// choose is the address that asks whether to move to a time.
func (c *customer) choose(o calendar.Opening) string {
	return c.address("/move", "at", string(localOf(o)))
}

func localOf(o calendar.Opening) frontdesk.LocalTime {
	return frontdesk.LocalTimeOf(time.Date(o.Date.Year, o.Date.Month, o.Date.Day, o.Clock.Hour, o.Clock.Minute, 0, 0, time.UTC))
}

// readOpening reads a time that was chosen.
func readOpening(text string) (calendar.Opening, bool) {
	at, err := time.Parse("2006-01-02T15:04:05", text)
	if err != nil || at.Second() != 0 || string(frontdesk.LocalTimeOf(at)) != text {
		return calendar.Opening{}, false
	}
	return calendar.Opening{Date: dates.DateOf(at), Clock: dates.Clock{Hour: at.Hour(), Minute: at.Minute()}}, true
}
