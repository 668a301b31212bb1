package console

import (
	"cmp"
	"net/http"
	"strconv"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const (
	shownDays = 5 // with something free, on one page
	lookDays  = 7 // are looked at in one go
)

// movePage is where an appointment is given another time.
type movePage struct {
	ID        frontdesk.ID
	Who       string
	What      string
	Against   string // what the calendar has against it where it stands
	When      string // as it is
	Seen      string // the version that the page shows
	With      string // the person it stays with; "": whoever is free
	Anyone    bool   // it may be with somebody else
	CanSwitch bool
	Days      []moveDay
	From      string
	Next      string // the day from which to look on
	Taken     *taken
	At        string // the time that was refused, or that waits for a second yes
	AtWords   string
	Moved     string // where it is meanwhile, because somebody else moved or changed it
	Faults    faults
	Other     string
	Date      string
}

// moveDay is a day with its free times.
type moveDay struct {
	Day   string
	Count int
	Open  bool
	Times []choice
}

func (c captureScreen) askToMove(v *visit) (answer, error) {
	capture, agent, err := c.read(v)
	if err != nil {
		return answer{}, err
	}
	if !movable(capture, agent) {
		return v.redirect(v.base() + "captures/" + string(capture.ID)), nil
	}
	p, err := c.movePage(v, capture, agent)
	if err != nil {
		return answer{}, err
	}
	if p.Against, err = c.against(v, agent, capture); err != nil {
		return answer{}, err
	}
	return v.page("capture_move", p)
}

// movable says whether a capture has a place in a book that can be another.
func movable(c frontdesk.Capture, agent frontdesk.Agent) bool {
	return c.TakesPlace() && agent.ID != ""
}

func (c captureScreen) movePage(v *visit, capture frontdesk.Capture, agent frontdesk.Agent) (movePage, error) {
	p := movePage{
		ID: capture.ID, Who: cmp.Or(capture.CustomerName, v.say("nameless")), What: nameOf(v, capture), When: whenOf(v, capture),
		Seen: versionOf(capture), With: capture.Visit.Resource, Anyone: v.field("anyone") == "yes", Faults: faults{}, Other: v.field("other"),
	}
	wish := moveWish(v, agent, capture)
	p.CanSwitch = p.With != "" && len(agent.Settings.Calendar.Resources) > 1 && v.book(agent).WishToMove(capture).Resource != ""
	from := dates.DateOf(v.now.In(v.zone))
	if d := dates.DateOf(capture.StartsAt().In(v.zone)); from.Before(d) {
		from = d // where it stands: most are moved by hours
	}
	if d, ok := frontdesk.ParseDate(v.field("from")); ok && !d.Before(dates.DateOf(v.now.In(v.zone))) && d.Year < 2200 {
		from = d
	}
	p.From, p.Date = from.String(), cmp.Or(v.field("date"), from.String())
	return p, c.addMoveDays(v, agent, wish, capture, from, &p)
}

// moveWish is what is looked for: the same with the same person, or with anybody.
func moveWish(v *visit, agent frontdesk.Agent, capture frontdesk.Capture) calendar.Wish {
	w := v.book(agent).WishToMove(capture)
	if v.field("anyone") == "yes" {
		w.Resource = ""
	}
	return w
}

// addMoveDays adds the next days with something free, and the day from which to
// look on.
func (c captureScreen) addMoveDays(v *visit, agent frontdesk.Agent, w calendar.Wish, capture frontdesk.Capture, from dates.Date, p *movePage) error {
	next := from
	for end := from.AddDays(calendar.MostDays); next.Before(end) && len(p.Days) < shownDays; {
		days, err := c.calendar.Availability(v.Context(), v.book(agent), w, next, next.AddDays(lookDays), v.now)
		if err != nil {
			return err
		}
		for _, day := range days {
			next = next.AddDays(1)
			free := moveDay{Day: v.day(day.Date), Open: len(p.Days) == 0}
			for _, slot := range day.Slots {
				if slot.At != capture.ScheduledAt {
					free.Times = append(free.Times, choice{Name: v.clockOf(slot.At), Value: string(slot.At)})
				}
			}
			if free.Count = len(free.Times); free.Count > 0 {
				p.Days = append(p.Days, free)
			}
			if len(p.Days) == shownDays {
				break
			}
		}
	}
	p.Next = next.String()
	return nil
}

// versionOf tells one state of a capture from another.
func versionOf(c frontdesk.Capture) string { return strconv.FormatInt(c.UpdatedAt.UnixMicro(), 36) }

// unlessSeen refuses to change a capture that is not the version which the form
// was made of.
func unlessSeen(v *visit) func(frontdesk.Capture) error {
	return func(now frontdesk.Capture) error {
		if seen := v.field("seen"); seen != "" && seen != versionOf(now) {
			return &frontdesk.Error{Kind: frontdesk.Clash, Code: "version_mismatch", Message: "Somebody else has changed it meanwhile. Look at it again."}
		}
		return nil
	}
}

// move gives an appointment another time, and offers the way back while its old
// place is free.
func (c captureScreen) move(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	before, agent, err := c.read(v)
	if err != nil {
		return answer{}, err
	}
	if !movable(before, agent) {
		return v.redirect(v.base() + "captures/" + string(before.ID)), nil
	}
	at, ok := readAt(v)
	if !ok {
		return c.refuseMove(v, before, agent, "", frontdesk.InvalidParam("at", "Choose a time."))
	}
	patch := calendar.Patch{ScheduledAt: &at, Force: v.field("force") != "", Unless: unlessSeen(v), Now: c.now()}
	if !patch.Force && moveWish(v, agent, before).Resource == "" && before.Visit.ResourceID != "" {
		nobody := ""
		patch.ResourceID = &nobody
	}
	if back, known := agent.Settings.Calendar.Resource(v.field("resource")); known { // the way back is to whom it was with
		patch.ResourceID = &back.ID
	}
	after, err := c.calendar.Change(v.Context(), v.book(agent), before.ID, patch)
	if err != nil {
		return c.refuseMove(v, before, agent, at, err)
	}
	return c.moved(v, before, after, agent)
}

func (c captureScreen) moved(v *visit, before, after frontdesk.Capture, agent frontdesk.Agent) (answer, error) {
	told := said{Text: v.say("done_moved", "who", cmp.Or(after.CustomerName, v.say("nameless")), "when", whenOf(v, after)) + "." + c.toldOf(v, agent, before, after)}
	wish := v.book(agent).WishToMove(after)
	wish.Resource = before.Visit.ResourceID
	was, err := c.openingsAt(v, agent, wish, before.ScheduledAt)
	if err != nil {
		return answer{}, err
	}
	if was.Free || was.Why == calendar.WhyPast {
		told.Action = "captures/" + string(after.ID) + "/move"
		told.Fields = [][2]string{{"at", string(before.ScheduledAt)}, {"seen", versionOf(after)}, {"resource", before.Visit.ResourceID}, {"back", v.field("back")}}
		if was.Why == calendar.WhyPast { // nothing is free in the past, and nothing is taken
			told.Fields = append(told.Fields, [2]string{"force", "yes"})
		}
	}
	return v.done(v.back("captures/"+string(after.ID)), told), nil
}

// refuseMove shows why an appointment stays where it is: somebody has changed it
// meanwhile, or the time is taken.
func (c captureScreen) refuseMove(v *visit, capture frontdesk.Capture, agent frontdesk.Agent, at frontdesk.LocalTime, cause error) (answer, error) {
	e := exchange.Domain(cause)
	if e == nil {
		return answer{}, cause
	}
	now, err := c.store.Capture(v.Context(), v.owner(), capture.ID)
	if err != nil {
		return answer{}, err
	}
	p, err := c.movePage(v, now, agent)
	if err != nil {
		return answer{}, err
	}
	p.At, p.AtWords = string(at), localMoment(v, at)
	status := http.StatusConflict
	switch {
	case e.Code == "version_mismatch":
		p.Moved = p.When
	case e.Code == "slot_unavailable":
		if p.Taken, err = c.nearTo(v, agent, moveWish(v, agent, now), at); err != nil {
			return answer{}, err
		}
	case e.Kind == frontdesk.Invalid:
		p.Faults["at"], p.At = faultWords(v, e), ""
		status = http.StatusBadRequest
	default:
		return answer{}, cause
	}
	return v.render(status, "capture_move", p)
}
