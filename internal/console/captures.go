package console

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// captureScreen is one appointment or wish, and what is done with it.
type captureScreen struct{ *Console }

// capturePage is one capture with everything that is known of it.
type capturePage struct {
	ID       frontdesk.ID
	Kind     string
	Who      string
	Phone    string
	Email    string
	When     string
	What     string
	With     string
	Party    int
	Duration string
	Notes    []string
	Code     string
	Source   frontdesk.Source
	Channel  frontdesk.Channel
	Status   frontdesk.CaptureStatus
	Call     frontdesk.ID
	Agent    string
	Made     string
	Changed  string // "": it never was
	Urgent   bool
	Over     bool   // its time has come
	Visits   bool   // it is an appointment
	Standing bool   // it can be changed
	Against  string // what the calendar has against it where it stands
	Agenda   string
	Actions  []statusAction
}

// statusAction is a button that moves a capture to a status.
type statusAction struct {
	Status frontdesk.CaptureStatus
	Words  string
	Icon   string
	Class  string
}

// list has no page of its own: what stands in the book is in the agenda.
func (c captureScreen) list(v *visit) (answer, error) { return v.redirect(v.base() + "agenda"), nil }

func (c captureScreen) show(v *visit) (answer, error) {
	capture, agent, err := c.read(v)
	if err != nil {
		return answer{}, err
	}
	page := newCapturePage(v, capture, agent)
	if page.Against, err = c.against(v, agent, capture); err != nil {
		return answer{}, err
	}
	return v.page("capture", page)
}

// read is the capture of the address, with the agent in whose book it stands. Its
// page tells the time by that agent's clock.
func (c captureScreen) read(v *visit) (frontdesk.Capture, frontdesk.Agent, error) {
	id, err := v.pathID("capture")
	if err != nil {
		return frontdesk.Capture{}, frontdesk.Agent{}, err
	}
	capture, err := c.store.Capture(v.Context(), v.owner(), id)
	if err != nil {
		return capture, frontdesk.Agent{}, err
	}
	agent, _ := v.agentNamed(capture.AgentID)
	v.zone = zoneOf(v, capture)
	return capture, agent, nil
}

func newCapturePage(v *visit, c frontdesk.Capture, agent frontdesk.Agent) capturePage {
	p := capturePage{
		ID: c.ID, Kind: c.Kind, Who: cmp.Or(c.CustomerName, v.say("nameless")), Phone: c.CustomerPhone, Email: c.Visit.Email,
		What: nameOf(v, c), With: c.Visit.Resource, Party: c.Visit.Party, Notes: lines(c.Notes), Code: c.ConfirmationCode,
		Source: c.Source, Channel: c.Channel, Status: c.Status, Call: c.CallID, Urgent: c.Urgency == frontdesk.Urgent,
		Made: v.moment(c.CreatedAt.In(v.zone)), Over: c.Over(v.now), Visits: c.Kind == frontdesk.Appointment,
		Standing: c.Status == frontdesk.PendingConfirm || c.Status == frontdesk.Confirmed,
	}
	if c.ScheduledAt != "" {
		p.When = whenOf(v, c)
		p.Agenda = "agenda"
		if agent.Slug != "" { // it may be another's than the place's
			p.Agenda = v.place(agent.Slug) + agendaQuery{date: openDay(agent, c.ScheduledAt), view: viewDay}.address()
		}
	}
	if c.Visit.Duration > 0 {
		p.Duration = v.say("agenda_minutes", "n", strconv.Itoa(c.Visit.Duration))
	}
	if c.UpdatedAt.Sub(c.CreatedAt) >= time.Second {
		p.Changed = v.moment(c.UpdatedAt.In(v.zone))
	}
	if len(v.agents) > 1 {
		p.Agent = agent.DisplayName
	}
	p.Actions = actionsFor(v, c, p.Over)
	return p
}

// whenOf is the time of a capture in words. Who waits for any time of a day waits
// for the day.
func whenOf(v *visit, c frontdesk.Capture) string {
	if c.Kind == frontdesk.Waiting && len(c.ScheduledAt) == len(localLayout) && c.ScheduledAt[11:] == "00:00:00" {
		return v.day(dateOf(c.ScheduledAt))
	}
	return localMoment(v, c.ScheduledAt)
}

// actionsFor are what can be done with a capture, the most needed first.
func actionsFor(v *visit, c frontdesk.Capture, over bool) []statusAction {
	visits := c.Kind == frontdesk.Appointment
	reopened := statusAction{frontdesk.PendingConfirm, v.say("capture_reopen"), "undo", ""}
	cancel := statusAction{frontdesk.Cancelled, v.say("cancel"), "", "quiet danger"}
	switch {
	case visits && c.Status == frontdesk.PendingConfirm:
		return []statusAction{{frontdesk.Confirmed, v.say("confirm"), "yes", "main"}, cancel}
	case visits && c.Status == frontdesk.Confirmed && over:
		return []statusAction{{frontdesk.NoShow, v.say("capture_no_show"), "no", ""}, cancel}
	case visits && c.Status == frontdesk.Confirmed:
		return []statusAction{cancel}
	case visits:
		return []statusAction{{frontdesk.Confirmed, v.say("capture_again"), "undo", ""}}
	case c.Status == frontdesk.PendingConfirm:
		return []statusAction{{frontdesk.Confirmed, v.say("seen_to"), "yes", "main"}, {frontdesk.Cancelled, v.say("capture_dismiss"), "", "quiet danger"}}
	}
	return []statusAction{reopened}
}

// setStatus moves a capture to another status, and offers the way back.
func (c captureScreen) setStatus(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	before, agent, err := c.read(v)
	if err != nil {
		return answer{}, err
	}
	status := frontdesk.CaptureStatus(v.field("status"))
	if !slices.Contains(frontdesk.CaptureStatuses, status) {
		return answer{}, frontdesk.InvalidParam("status", "There is no such status.")
	}
	after, err := c.calendar.SetStatus(v.Context(), v.book(agent), before.ID, status, c.now())
	if err != nil {
		return answer{}, err
	}
	against, err := c.against(v, agent, after)
	if err != nil {
		return answer{}, err
	}
	kind := "wish"
	if before.Kind == frontdesk.Appointment {
		kind = "appointment"
	}
	back := v.back("today")
	text := v.say("done_"+kind+"_"+string(status), "who", cmp.Or(before.CustomerName, v.say("nameless")))
	if against != "" {
		text += ". " + against
	}
	if told := c.toldOf(v, agent, before, after); told != "" {
		text = strings.TrimSuffix(text, ".") + "." + told
	}
	return v.done(back, said{text, "captures/" + string(before.ID) + "/status", [][2]string{{"status", string(before.Status)}, {"back", v.field("back")}}}), nil
}
