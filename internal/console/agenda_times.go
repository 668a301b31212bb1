package console

import (
	"slices"
	"strconv"
	"time"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// freeTimes are the times of a day that can be had.
type freeTimes struct {
	Day   string // in words
	Times []choice
	None  string // why there are none
}

// taken says why a time cannot be had, and what can be instead.
type taken struct {
	Why  string
	Near []choice
}

// timesOn lists what can be had for a wish on a day. chosen is marked.
func (c *Console) timesOn(v *visit, agent frontdesk.Agent, w calendar.Wish, d dates.Date, chosen frontdesk.LocalTime) (freeTimes, error) {
	days, err := c.calendar.Availability(v.Context(), v.book(agent), w, d, d.AddDays(1), v.now)
	if err != nil {
		return freeTimes{}, err
	}
	f := freeTimes{Day: v.day(d)}
	for _, slot := range days[0].Slots {
		f.Times = append(f.Times, choice{v.clockOf(slot.At), string(slot.At), slot.At == chosen})
	}
	if len(f.Times) > 0 {
		return f, nil
	}
	w.Date = d
	o, err := c.calendar.Openings(v.Context(), v.book(agent), w, v.now)
	if err != nil {
		return f, err
	}
	f.None = againstWords(v, o)
	return f, nil
}

// nearTo says what stands against a time, and what is free near it.
func (c *Console) nearTo(v *visit, agent frontdesk.Agent, w calendar.Wish, at frontdesk.LocalTime) (*taken, error) {
	o, err := c.openingsAt(v, agent, w, at)
	if err != nil {
		return nil, err
	}
	t := &taken{Why: againstWords(v, o)}
	for _, near := range o.Near {
		local := localOf(near)
		t.Near = append(t.Near, choice{Name: localMoment(v, local), Value: string(local)})
	}
	return t, nil
}

// openingsAt says whether a wish can be met at a time.
func (c *Console) openingsAt(v *visit, agent frontdesk.Agent, w calendar.Wish, at frontdesk.LocalTime) (calendar.Openings, error) {
	shown, err := time.Parse(localLayout, string(at))
	if err != nil {
		return calendar.Openings{}, frontdesk.InvalidParam("at", "That is no time.")
	}
	w.Date, w.Clock, w.Timed = dates.DateOf(shown), dates.Clock{Hour: shown.Hour(), Minute: shown.Minute()}, true
	return c.calendar.Openings(v.Context(), v.book(agent), w, v.now)
}

// against says what the calendar has against an appointment where it stands: the
// time was closed or blocked since, or more than one takes it. "": nothing.
func (c *Console) against(v *visit, agent frontdesk.Agent, capture frontdesk.Capture) (string, error) {
	if !movable(capture, agent) || !capture.StartsAt().After(v.now) {
		return "", nil
	}
	o, err := c.openingsAt(v, agent, v.book(agent).WishToMove(capture), capture.ScheduledAt)
	if err != nil || o.Free || !slices.Contains([]string{calendar.WhyClosed, calendar.WhyAway, calendar.WhyFull}, o.Why) {
		return "", err
	}
	return v.say("capture_against", "why", againstWords(v, o)), nil
}

// againstWords say why something cannot be had.
func againstWords(v *visit, o calendar.Openings) string {
	if words := v.say("against_"+o.Why, "n", strconv.Itoa(o.Most)); words != "" {
		return words
	}
	return v.say("against_" + calendar.WhyFull)
}

const localLayout = "2006-01-02T15:04:05"

func localOf(o calendar.Opening) frontdesk.LocalTime {
	return frontdesk.LocalTimeOf(time.Date(o.Date.Year, o.Date.Month, o.Date.Day, o.Clock.Hour, o.Clock.Minute, 0, 0, time.UTC))
}

// localMoment is a local time in words: "mañana, 10:30".
func localMoment(v *visit, at frontdesk.LocalTime) string {
	shown, err := time.Parse(localLayout, string(at))
	if err != nil {
		return string(at)
	}
	// In no zone: the clock may jump over what was written.
	today := dates.DateOf(v.now.In(v.zone))
	day := v.day(dates.DateOf(shown))
	switch today.DaysUntil(dates.DateOf(shown)) {
	case -1:
		day = v.say("yesterday_word")
	case 0:
		day = v.say("today_word")
	case 1:
		day = v.say("tomorrow_word")
	}
	return v.say("moment", "day", day, "time", v.clock(shown))
}

// readAt is the time that a form asks for: that of the button which was pressed,
// one that was chosen of those that are free, or any other by its date and its
// clock.
func readAt(v *visit) (frontdesk.LocalTime, bool) {
	text := v.field("at")
	switch pick, force, other := v.field("pick"), v.field("force"), v.field("other"); {
	case pick != "":
		text = pick
	case force != "" && force != "yes":
		text = force
	case other != "" && (text == "" || text == "other"):
		text = v.field("date") + "T" + other
	}
	if len(text) == len("2006-01-02T15:04") {
		text += ":00"
	}
	at, err := time.Parse(localLayout, text)
	if err != nil || at.Year() < 1970 || at.Year() > 2200 {
		return "", false
	}
	return frontdesk.LocalTimeOf(at), true
}
