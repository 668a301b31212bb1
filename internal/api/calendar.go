package api

import (
	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/wire"
)

func (a *API) getCalendar(r *request) (any, error) {
	agent, err := a.agentOf(r)
	if err != nil {
		return nil, err
	}
	return tagged{agentTag(agent), wire.Calendar(agent)}, nil
}

// putCalendar replaces the whole book of hours.
func (a *API) putCalendar(r *request) (any, error) {
	if err := r.readBody(); err != nil {
		return nil, err
	}
	if err := a.description.CheckBody("Calendar", r.body); err != nil {
		return nil, err
	}
	agent, err := a.changeAgent(r, func(agent frontdesk.Agent) (frontdesk.Agent, error) {
		return calendar.Replaced(agent, r.body)
	})
	if err != nil {
		return nil, err
	}
	return tagged{agentTag(agent), wire.Calendar(agent)}, nil
}

// agentOf is the agent that the path names.
func (a *API) agentOf(r *request) (frontdesk.Agent, error) {
	slug := r.path["slug"]
	if !exchange.Storable(slug) {
		return frontdesk.Agent{}, frontdesk.Missing("agent")
	}
	return a.store.AgentBySlug(r.Context(), r.owner, slug)
}

// changeAgent changes the agent that the path names, if it is the version that
// If-Match names, and keeps who did so.
func (a *API) changeAgent(r *request, change func(frontdesk.Agent) (frontdesk.Agent, error)) (frontdesk.Agent, error) {
	return a.changeAgentBy(r, "", change)
}

// changeAgentBy is changeAgent with an action for the audit log; "": what the
// change itself says.
func (a *API) changeAgentBy(r *request, action string, change func(frontdesk.Agent) (frontdesk.Agent, error)) (frontdesk.Agent, error) {
	slug := r.path["slug"]
	if !exchange.Storable(slug) {
		return frontdesk.Agent{}, frontdesk.Missing("agent")
	}
	return a.store.ChangeAgent(r.Context(), r.owner, slug, store.AgentChange{
		By: r.by(), Action: action, Now: a.now(), Fields: wire.AgentFields,
		Change: func(agent frontdesk.Agent) (frontdesk.Agent, error) {
			if err := r.unlessMatches(agentTag(agent)); err != nil {
				return agent, err
			}
			return change(agent)
		},
	})
}

func (a *API) getAvailability(r *request) (any, error) {
	from, to, err := r.days()
	if err != nil {
		return nil, err
	}
	agent, err := a.agentOf(r)
	if err != nil {
		return nil, err
	}
	who := a.bookOf(r, agent)
	w := calendar.Wish{Party: r.number("party_size"), Resource: r.text("resource_id")}
	if w.Service, err = who.Service(r.text("service_id")); err != nil {
		return nil, err
	}
	if _, known := agent.Settings.Calendar.Resource(w.Resource); w.Resource != "" && !known {
		return nil, frontdesk.InvalidParam("resource_id", "There is no resource %q; GET /agents/%s/calendar lists them.", w.Resource, agent.Slug)
	}
	days, err := a.calendar.Availability(r.Context(), who, w, from, to, a.now())
	if err != nil {
		return nil, err
	}
	return wire.Availability(agent, bookDays(days)), nil
}

func (a *API) getAgenda(r *request) (any, error) {
	from, to, err := r.days()
	if err != nil {
		return nil, err
	}
	agent, err := a.agentOf(r)
	if err != nil {
		return nil, err
	}
	days, err := a.calendar.Agenda(r.Context(), a.bookOf(r, agent), from, to, a.now())
	if err != nil {
		return nil, err
	}
	return wire.Agenda(agent, bookDays(days)), nil
}

// days are the dates from and to of the query.
func (r *request) days() (from, to frontdesk.Date, err error) {
	if from, err = r.date("from"); err != nil {
		return from, to, err
	}
	if to, err = r.date("to"); err != nil {
		return from, to, err
	}
	switch n := from.DaysUntil(to); {
	case n < 1:
		return from, to, frontdesk.InvalidParam("to", "to must be after from; it is the first day that is not meant any more.")
	case n > calendar.MostDays:
		return from, to, frontdesk.InvalidParam("to", "%d days can be asked for at once. Ask for the rest from there on.", calendar.MostDays)
	}
	return from, to, nil
}

// bookDays are days as they are spelled.
func bookDays(days []calendar.Day) []wire.BookDay {
	all := make([]wire.BookDay, len(days))
	for i, d := range days {
		all[i] = wire.BookDay{Day: d.Day, Captures: d.Captures, Busy: d.Busy, Kept: d.Kept}
		for _, s := range d.Slots {
			all[i].Slots = append(all[i].Slots, wire.BookSlot(s))
		}
	}
	return all
}
