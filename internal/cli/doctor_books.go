package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/opening"
	"frontdesk.dev/frontdesk/internal/store"
)

const bookCheck = "books"

// checkBooks looks for calendars that say one thing here and another there, and
// for appointments to come that nobody would be there for.
func (d *doctor) checkBooks(s *store.Store, now time.Time) {
	tenants, err := s.Tenants(d.ctx)
	for _, t := range tenants {
		owner := frontdesk.Owner{TenantID: t.ID, Live: true}
		agents, failed := s.Agents(d.ctx, owner)
		for _, a := range agents {
			b := bookDoctor{doctor: d, tenant: t.Slug, agent: a, now: now}
			if b.hours, failed = opening.Of(a); failed != nil {
				break
			}
			b.checkWords()
			b.checkHolidays()
			b.checkResources()
			if failed = b.checkAppointments(s, owner); failed != nil {
				break
			}
		}
		if failed != nil {
			err = failed
			break
		}
	}
	if err != nil {
		d.fail(bookCheck, d.awayFix(), "they cannot be read: %v", cause(err))
	}
}

// bookDoctor looks at the calendar of one agent.
type bookDoctor struct {
	*doctor
	tenant string
	agent  frontdesk.Agent
	hours  *opening.Hours
	now    time.Time
}

func (b bookDoctor) name() string { return b.tenant + "/" + b.agent.Slug }

// checkWords holds hours_human against the hours that callers are told.
func (b bookDoctor) checkWords() {
	words := b.agent.Config.Business.HoursHuman
	if words == "" || !b.hours.Known() {
		return
	}
	days := catalogue.Contradicted(words, b.hours.Week())
	if len(days) == 0 {
		return
	}
	names := make([]string, len(days))
	for i, d := range days {
		names[i] = time.Weekday((d + 1) % 7).String()
	}
	lang := "en"
	if len(b.agent.Languages) > 0 {
		lang = b.agent.Languages[0]
	}
	b.warn(bookCheck, "Callers are told the hours of the calendar. Correct hours_human, or the hours: PATCH /agents/"+b.agent.Slug+", PUT /agents/"+b.agent.Slug+"/calendar.",
		"%s: hours_human says %q, the calendar says %q: they differ on %s", b.name(), words, catalogue.SayWeek(lang, b.hours.Week()), strings.Join(names, ", "))
}

// checkHolidays looks whether the holidays of next year are known.
func (b bookDoctor) checkHolidays() {
	region, next := b.agent.Settings.Calendar.Holidays, b.now.Year()+1
	if region == "" {
		return
	}
	_, err := opening.Holidays(region, next)
	switch published := b.now.Month() >= time.October; {
	case published && opening.Computed(region, next):
		b.warn(bookCheck, fmt.Sprintf("Upgrade frontdesk, or compare GET /agents/%s/availability of %d with what was published, and enter what differs as exceptions.", b.agent.Slug, next),
			"%s: the list of public holidays of %s for %d is not known yet: those that it usually keeps are taken", b.name(), region, next)
	case err != nil:
		b.warn(bookCheck, fmt.Sprintf("Upgrade frontdesk, or enter the holidays of %d as exceptions of the calendar.", next),
			"%s: no public holidays of %s are known for %d: the business counts as open on them", b.name(), region, next)
	}
}

// checkResources looks for those with whom nothing can be booked.
func (b bookDoctor) checkResources() {
	for _, r := range b.agent.Settings.Calendar.Resources {
		why := ""
		switch {
		case r.Services != nil && len(r.Services) == 0:
			why = "services is empty: it does nothing"
		case r.Openings != nil && !slices.ContainsFunc(r.Openings[:], func(p []frontdesk.Period) bool { return len(p) > 0 }):
			why = "openings is empty: it is never there"
		default:
			continue
		}
		b.warn(bookCheck, "Enter them with PUT /agents/"+b.agent.Slug+"/calendar: null is every service, and whenever the house is open. Or remove it.",
			"%s: nothing can be booked with %s, %s", b.name(), r.ID, why)
	}
}

// checkAppointments counts appointments to come at times at which the house is
// closed.
func (b bookDoctor) checkAppointments(s *store.Store, owner frontdesk.Owner) error {
	zone := b.hours.Zone()
	count, first := 0, ""
	err := s.Agenda(b.ctx, owner, store.Look{
		AgentID: b.agent.ID, From: frontdesk.LocalTimeOf(b.now.In(zone)), To: "9999-12-31T00:00:00",
	}, func(c frontdesk.Capture) {
		if at, _ := c.ScheduledAt.In(zone); !b.hours.OpenAt(at) {
			if count++; first == "" {
				first = string(c.ScheduledAt)
			}
		}
	})
	if err != nil || count == 0 {
		return err
	}
	date, _, _ := strings.Cut(first, "T")
	b.warn(bookCheck, fmt.Sprintf("List them with `frontdesk agenda --tenant %s --agent %s --on %s --days 31`, and move or cancel them, or open on these days.", b.tenant, b.agent.Slug, date),
		"%s: %d appointments to come stand outside the hours or on a closed day, the first at %s", b.name(), count, first)
	return nil
}
