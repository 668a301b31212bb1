package notice

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/ical"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/store"
)

// Message is a notice as it is sent: to a mail relay all of it, to a carrier
// Short.
type Message struct {
	ID       frontdesk.ID // the same at every attempt
	Date     time.Time
	Language string
	From     string // name
	To       string
	ReplyTo  string
	Subject  string
	Text     string
	HTML     string
	Short    string
	Stop     string // address under which reminders are stopped

	Calendar     []byte // an .ics
	CalendarName string
}

// writer writes messages from the book as it is.
type writer struct {
	store *store.Store
	links Links
}

// letter is what a message is made of.
type letter struct {
	claim    store.NoticeClaim
	agent    frontdesk.Agent
	capture  frontdesk.Capture
	call     frontdesk.Call
	language *language.Language
	link     string
	unsure   bool // the business has to look before anything is confirmed
	now      time.Time
}

// unsent says why a notice is not to be sent; the zero value: it is.
type unsent struct {
	why    string    // it is not so any more, or nobody wants to hear it
	before time.Time // it is to be sent, but not before then
}

// write makes the message of a notice, or says why it is not to be sent.
func (w writer) write(ctx context.Context, c store.NoticeClaim, now time.Time) (m Message, not unsent, err error) {
	l, why, err := w.open(ctx, c, now)
	if err != nil || why != "" {
		return m, unsent{why: why}, err
	}
	if why := l.outdated(); why != "" {
		return m, unsent{why: why}, nil
	}
	if c.Notice.Kind == frontdesk.OwnerSummary {
		day, err := w.day(ctx, l)
		return l.message(day), unsent{}, err
	}
	if c.Notice.Kind == frontdesk.NoticeReminder {
		if why, err := w.needless(ctx, c, now); err != nil || why != "" {
			return m, unsent{why: why}, err
		}
	}
	if not := l.quiet(); not != (unsent{}) {
		return m, not, nil
	}
	return l.message(l.page()), unsent{}, nil
}

// needless says why nobody needs a reminder; "": somebody does.
func (w writer) needless(ctx context.Context, c store.NoticeClaim, now time.Time) (string, error) {
	stopped, err := w.store.RemindersStopped(ctx, c.Owner, c.Notice.Address)
	if err != nil {
		return "", err
	}
	if stopped {
		return "Reminders were stopped at this address.", nil
	}
	filter := frontdesk.NoticeFilter{CaptureID: c.Notice.CaptureID, Kind: frontdesk.NoticeReminder}
	others, err := w.store.Notices(ctx, c.Owner, filter, frontdesk.Page{Limit: 100})
	for _, o := range others.Items {
		if c.Notice.SupersededBy(o, now) {
			return "Superseded: it was late, and the next reminder of the appointment goes out in its place.", nil
		}
	}
	return "", err
}

// quietGrace is how long into the quiet hours something still goes out that was
// due before them.
const quietGrace = 15 * time.Minute

// quiet says until when a notice that is late waits for the quiet hours to end:
// they are planned for, but a server that was away, or a relay that was, comes
// back at any hour.
func (l letter) quiet() unsent {
	n := l.claim.Notice
	text := n.Channel == frontdesk.ByText && n.Kind.ForOwner() && n.Kind != frontdesk.OwnerUrgent
	zone, err := frontdesk.LoadZone(l.agent.Timezone)
	if err != nil || !text && n.Kind != frontdesk.NoticeReminder {
		return unsent{}
	}
	since, until, quiet := l.agent.Settings.Notices.QuietAround(l.now, zone)
	switch {
	case !quiet || l.now.Sub(since) < quietGrace:
		return unsent{}
	case n.Kind == frontdesk.NoticeReminder && !until.Before(l.capture.StartsAt()):
		return unsent{why: "It was late, and the quiet hours last until the appointment."}
	}
	return unsent{before: until}
}

// open reads what a notice is about.
func (w writer) open(ctx context.Context, c store.NoticeClaim, now time.Time) (l letter, why string, err error) {
	l = letter{claim: c, now: now}
	if l.agent, err = w.store.Agent(ctx, c.Owner, c.Notice.AgentID); err != nil {
		return l, gone(err, "The agent is gone."), unless(err)
	}
	if c.Notice.CaptureID != "" {
		if l.capture, err = w.store.Capture(ctx, c.Owner, c.Notice.CaptureID); err != nil {
			return l, gone(err, "The capture is gone."), unless(err)
		}
		l.link = w.links.Address(c.Owner, c.Notice.CaptureID)
		unknown, err := w.store.UnknownOutside(ctx, c.Owner, l.agent.ID, now.Add(-frontdesk.OutsideHolds))
		if err != nil {
			return l, "", err
		}
		l.unsure = len(unknown) > 0
		if l.claim.Notice.Kind == frontdesk.NoticePlaceFree || l.claim.Notice.Kind == frontdesk.OwnerPlaceFree {
			l.capture.ScheduledAt = l.claim.Notice.ScheduledAt // the place, rather than the wish
		}
	}
	if c.Notice.CallID != "" {
		if l.call, err = w.store.Call(ctx, c.Owner, c.Notice.CallID); unless(err) != nil {
			return l, "", err
		} // one that goes on is not written yet
	}
	l.language = language.Of(cmp.Or(c.Notice.Language, l.call.Language, l.agent.Languages[0]))
	return l, "", nil
}

// gone is why, for an error that says that something is missing.
func gone(err error, why string) string {
	if unless(err) == nil {
		return why
	}
	return ""
}

// unless is an error that says something else than that a thing is missing.
func unless(err error) error {
	var missing *frontdesk.Error
	if errors.As(err, &missing) && missing.Kind == frontdesk.NotFound {
		return nil
	}
	return err
}

// outdated says why a notice is about what is not so any more; "": it is.
func (l letter) outdated() string {
	n, c := l.claim.Notice, l.capture
	switch {
	case n.Channel == frontdesk.ByEmail && !n.Kind.ForOwner() && n.CaptureID != "" && n.Address != c.Visit.Email:
		return "The customer has another e-mail address now."
	case n.Kind == frontdesk.NoticePlaceFree || n.Kind == frontdesk.OwnerPlaceFree:
		return l.outdatedOffer()
	case n.Kind.ForOwner():
		return l.outdatedForOwner()
	case n.CaptureID == "":
		return ""
	case c.Over(l.now):
		return "The appointment has been."
	case n.Kind == frontdesk.NoticeWaiting && (c.Kind != frontdesk.Waiting || c.Status == frontdesk.Cancelled):
		return "Nobody waits for a place any more."
	case n.Kind == frontdesk.NoticeCancellation && c.Status != frontdesk.Cancelled:
		return "The appointment stands again."
	case n.Kind != frontdesk.NoticeCancellation && c.Kind == frontdesk.Appointment && !c.TakesPlace():
		return "The appointment does not stand any more."
	case n.Kind == frontdesk.NoticeReminder && c.ScheduledAt != n.ScheduledAt:
		return "The appointment was moved."
	}
	return ""
}

// outdatedForOwner says why the business need not be told any more.
func (l letter) outdatedForOwner() string {
	n, c := l.claim.Notice, l.capture
	cancelled := c.Status == frontdesk.Cancelled
	switch {
	case n.Kind == frontdesk.OwnerSummary:
		if zone, err := frontdesk.LoadZone(l.agent.Timezone); err == nil && frontdesk.DateOf(n.CreatedAt.In(zone)) != frontdesk.DateOf(l.now.In(zone)) {
			return "The day of the summary is over."
		}
	case (n.Kind == frontdesk.OwnerBooking || n.Kind == frontdesk.OwnerChange) && cancelled:
		return "It was cancelled."
	case n.Kind == frontdesk.OwnerCancellation && !cancelled:
		return "It stands again."
	}
	return ""
}

// outdatedOffer says why nobody is told of a place any more.
func (l letter) outdatedOffer() string {
	if l.capture.Kind != frontdesk.Waiting || l.capture.Status == frontdesk.Cancelled {
		return "Nobody waits for the place any more."
	}
	// It is kept for who is told themselves, and for an hour; who tells them by
	// telephone has until it is taken.
	if l.claim.Notice.Kind == frontdesk.NoticePlaceFree && l.now.Sub(l.claim.Notice.CreatedAt) > 50*time.Minute {
		return "The place is not kept any more."
	}
	return ""
}

// message puts a page into a message.
func (l letter) message(p page) Message {
	n := l.claim.Notice
	m := Message{
		ID: n.ID, Date: l.now, Language: l.language.Code, From: l.business(), To: n.Address, ReplyTo: l.agent.Settings.Notices.ReplyTo,
		Subject: plain(p.Subject), Text: p.text(), Short: l.short(p),
	}
	if !l.claim.Owner.Live {
		m.Subject = "[test] " + m.Subject
	}
	m.HTML = p.html(l.language.Code)
	if !n.Kind.ForOwner() && l.capture.ScheduledAt != "" && n.Kind != frontdesk.NoticePlaceFree && n.Kind != frontdesk.NoticeWaiting {
		m.Calendar, m.CalendarName = l.calendar(), l.language.Say("notice_file", "")
	}
	if n.Kind == frontdesk.NoticeReminder && l.link != "" {
		m.Stop = l.link + "/reminders"
	}
	return m
}

// calendar is the appointment as an .ics, or nothing where it cannot be written.
func (l letter) calendar() []byte {
	zone, err := frontdesk.LoadZone(l.capture.Timezone)
	if err != nil {
		return nil
	}
	shown := l.capture // without what a caller may have written to somebody else's address
	shown.CustomerName, shown.Notes, shown.Service = "", "", l.service()
	event := calendar.Event(shown, l.agent)
	if shown.Status == frontdesk.PendingConfirm {
		event.Status = ical.Tentative
	}
	text, err := ical.Calendar{Name: l.business(), Zone: zone, Events: []ical.Event{event}}.AppendText(nil)
	if err != nil {
		return nil
	}
	return text
}

func (l letter) business() string {
	return plain(cmp.Or(l.agent.Config.Business.Name, l.agent.DisplayName))
}

// service is what is booked, in the business's own words: what a caller called it
// may be anything.
func (l letter) service() string {
	for _, s := range catalogue.Read(l.agent).Services {
		if s.ID == l.capture.Visit.ServiceID {
			return plain(s.Say(l.language.Code))
		}
	}
	if l.capture.Source == frontdesk.FromCall {
		return ""
	}
	return plain(l.capture.Service)
}

// notAName tells what is no name of a person: addresses, figures, sentences.
var notAName = regexp.MustCompile(`[/:@<>0-9]|\p{L}\.\p{L}|(\S+\s+){4}\S`)

// customer is the customer's name, unless it is something else: a stranger may
// have written it to somebody else's address.
func (l letter) customer() string {
	name := plain(l.capture.CustomerName)
	if notAName.MatchString(name) || len([]rune(name)) > 60 {
		return ""
	}
	return name
}

// when is a local time as it is written down: with its weekday, in figures.
func (l letter) when(at frontdesk.LocalTime) string {
	t, err := time.Parse("2006-01-02T15:04:05", string(at))
	if err != nil {
		return ""
	}
	weekdays, months := strings.Fields(l.language.Say("weekdays", "")), strings.Fields(l.language.Say("months", ""))
	if len(weekdays) < 7 || len(months) < 12 {
		return string(at)
	}
	day := l.language.Say("short_day", "", "weekday", weekdays[t.Weekday()], "n", strconv.Itoa(t.Day()), "month", months[t.Month()-1])
	if l.capture.Kind == frontdesk.Waiting && t.Hour() == 0 && t.Minute() == 0 {
		return day // any time of it
	}
	said := dates.WriteTimeIn(l.language, dates.Clock{Hour: t.Hour(), Minute: t.Minute()})
	return l.language.Say("notice_when", "", "day", day, "time", said)
}

// plain is a text on one line.
func plain(s string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0x2028 || r == 0x2029 {
			return ' '
		}
		return r
	}, s)), " ")
}
