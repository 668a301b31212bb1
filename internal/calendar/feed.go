package calendar

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/ical"
	"frontdesk.dev/frontdesk/internal/store"
)

const (
	feedBack      = 31 * 24 * time.Hour  // how long what has been is shown
	feedAhead     = 730 * 24 * time.Hour // the longest horizon
	feedCancelled = 180 * 24 * time.Hour // how long ago what is shown as cancelled was made
	mostCancelled = 500
	feedRefresh   = 5 * time.Minute
)

// Feed is the calendar that an address of an agent's shows: its appointments, and
// those that were cancelled, so that who has copied one sees that it is off.
func (c *Calendar) Feed(ctx context.Context, token string, now time.Time) (ical.Calendar, error) {
	feed, err := c.store.FeedByHash(ctx, frontdesk.FeedHash(token))
	if err != nil {
		return ical.Calendar{}, err
	}
	owner := frontdesk.Owner{TenantID: feed.TenantID, Live: feed.Live}
	agent, err := c.store.Agent(ctx, owner, feed.AgentID)
	if err != nil {
		return ical.Calendar{}, err
	}
	zone, err := frontdesk.LoadZone(agent.Timezone)
	if err != nil {
		return ical.Calendar{}, err
	}
	captures, err := c.feedCaptures(ctx, owner, feed, now.In(zone))
	if err != nil {
		return ical.Calendar{}, err
	}
	cal := ical.Calendar{Name: agent.DisplayName, Zone: zone, Refresh: feedRefresh}
	if r, known := agent.Settings.Calendar.Resource(feed.ResourceID); known {
		cal.Name += ", " + r.Name
	}
	for _, capture := range captures {
		capture.Timezone = agent.Timezone
		if feed.ResourceID == "" || capture.Visit.ResourceID == feed.ResourceID {
			cal.Events = append(cal.Events, ownEvent(capture, agent))
		}
	}
	return cal, nil
}

func (c *Calendar) feedCaptures(ctx context.Context, owner frontdesk.Owner, f frontdesk.Feed, now time.Time) ([]frontdesk.Capture, error) {
	look := store.Look{
		AgentID: f.AgentID, From: frontdesk.LocalTimeOf(now.Add(-feedBack)), To: frontdesk.LocalTimeOf(now.Add(feedAhead)),
	}
	var all []frontdesk.Capture
	if err := c.store.Agenda(ctx, owner, look, func(capture frontdesk.Capture) { all = append(all, capture) }); err != nil {
		return nil, err
	}
	off, err := c.store.CancelledAppointments(ctx, owner, look, now.Add(-feedCancelled), mostCancelled)
	return append(all, off...), err
}

// ownEvent is an appointment in the business's own calendar: who comes, for what.
func ownEvent(c frontdesk.Capture, a frontdesk.Agent) ical.Event {
	e := Event(c, a)
	e.Summary = cmp.Or(c.Service, a.DisplayName)
	if c.CustomerName != "" {
		e.Summary += ": " + c.CustomerName
	}
	if c.Visit.Party > 1 {
		e.Summary += " (" + strconv.Itoa(c.Visit.Party) + ")"
	}
	e.Description = joinedLines(c.CustomerPhone, c.Visit.Email, c.Visit.Resource, c.Notes, c.ConfirmationCode)
	if c.Status == frontdesk.PendingConfirm {
		e.Status = ical.Tentative
	}
	return e
}

// Event is an appointment for the customer's calendar. It has the same UID in
// every file, so that one which moves is not shown twice.
func Event(c frontdesk.Capture, agent frontdesk.Agent) ical.Event {
	business := agent.Config.Business
	name := cmp.Or(business.Name, agent.DisplayName)
	e := ical.Event{
		UID: string(c.ID) + "@frontdesk", Start: c.StartsAt(), Summary: name, Location: cmp.Or(business.Address, name),
		Sequence:    int(c.UpdatedAt.Sub(c.CreatedAt) / time.Second),
		Description: joinedLines(c.ConfirmationCode, c.CustomerName, c.Notes, business.Phone),
		Status:      eventStatus(c.Status), Changed: c.UpdatedAt,
	}
	if c.Service != "" {
		e.Summary = c.Service + ", " + name
	}
	if c.Visit.Party > 1 {
		e.Summary += " (" + strconv.Itoa(c.Visit.Party) + ")"
	}
	if c.Visit.Duration > 0 {
		e.End = e.Start.Add(time.Duration(c.Visit.Duration) * time.Minute)
	}
	return e
}

func eventStatus(s frontdesk.CaptureStatus) string {
	if s == frontdesk.Cancelled || s == frontdesk.NoShow {
		return ical.Cancelled
	}
	return ical.Confirmed
}

// joinedLines are the texts that there are, one a line.
func joinedLines(texts ...string) string {
	var lines []string
	for _, text := range texts {
		if text != "" {
			lines = append(lines, text)
		}
	}
	return strings.Join(lines, "\n")
}
