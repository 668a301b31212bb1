package web

import (
	"errors"
	"net/http"
	"strings"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/notice"
)

// Who waits for a place has a page too: it shows the place that is kept for them,
// if there is one, and lets them take it or leave the list.

func (s counter) waitingRoutes() []*route {
	const page = notice.LinkPath + "{token}"
	return []*route{
		{method: http.MethodGet, path: page + "/take", handle: s.customers(backToPage), post: s.customers(s.takePlace)},
		{method: http.MethodGet, path: page + "/leave", handle: s.customers(backToPage), post: s.customers(s.leaveList)},
	}
}

// waits says whether the customer is on the waiting list, or was.
func (c *customer) waits() bool { return c.capture.Kind == frontdesk.Waiting }

// pagesForAppointments sends who waits from the pages of appointments to theirs.
func pagesForAppointments(handle func(*customer) (answer, error)) func(*customer) (answer, error) {
	return func(c *customer) (answer, error) {
		if c.waits() {
			return c.seeOther("")
		}
		return handle(c)
	}
}

// showWaiting is the page of somebody who waits.
func (s counter) showWaiting(c *customer) (answer, error) {
	hold, kept, err := s.calendar.OfferedPlace(c.Context(), c.who.Owner(), c.capture.ID, c.now)
	if err != nil {
		return answer{}, err
	}
	open := c.capture.Status == frontdesk.PendingConfirm || c.capture.Status == frontdesk.Confirmed
	day := c.capture
	wholeDay := strings.HasSuffix(string(day.ScheduledAt), "T00:00:00")
	if kept {
		c.capture.ScheduledAt = hold.ScheduledAt
	}
	p := c.page("waiting")
	p.Kept, p.Waits = kept && open, open
	if wholeDay && !kept {
		p.When.Clock = ""
	}
	if open && !kept && c.http.URL.Query().Get("done") == "late" {
		p.Done = p.Say("page_waiting_late")
	}
	switch {
	case !open:
		p.Heading = p.Say("page_waiting_left")
	case kept:
		p.Heading = p.Say("page_waiting_free")
		p.Lead = []string{p.Say("page_waiting_until", "time", p.moment(hold.Until.In(c.now.Location()), c.now).Clock)}
	default:
		p.Heading, p.Lead = p.Say("page_waiting"), []string{p.Say("page_waiting_help")}
	}
	return p.answer(http.StatusOK)
}

// takePlace makes the place that is kept an appointment. One that is not kept any
// more shows on the page.
func (s counter) takePlace(c *customer) (answer, error) {
	_, err := s.calendar.TakePlace(c.Context(), c.who, c.capture.ID, c.now)
	if errors.Is(err, calendar.ErrTaken) {
		return c.seeOther("", "done", "late")
	}
	return c.changed(err, "confirmed")
}

// leaveList ends the waiting.
func (s counter) leaveList(c *customer) (answer, error) {
	if !c.waits() {
		return c.seeOther("")
	}
	return c.changed(s.calendar.LeaveList(c.Context(), c.who, c.capture.ID, c.now), "left")
}
