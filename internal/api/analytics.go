package api

import (
	"cmp"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

func (a *API) getAnalytics(r *request) (any, error) {
	loc, err := frontdesk.LoadZone(cmp.Or(r.text("timezone"), r.caller.Tenant.Timezone))
	if err != nil {
		return nil, err
	}
	filter := frontdesk.AnalyticsFilter{Channel: frontdesk.Channel(r.text("channel"))}
	agents, err := a.store.Agents(r.Context(), r.owner)
	if err != nil {
		return nil, err
	}
	if slug, given := r.query["agent"]; given {
		if filter.AgentID, err = agentNamed(agents, slug.(string)); err != nil {
			return nil, err
		}
	}
	w := frontdesk.WindowOf(a.now(), r.number("days"), loc)
	figures, err := a.store.Analytics(r.Context(), r.owner, filter, w, agents)
	if err != nil {
		return nil, err
	}
	return wire.Analytics(figures), nil
}

func agentNamed(agents []frontdesk.Agent, slug string) (frontdesk.ID, error) {
	for _, a := range agents {
		if a.Slug == slug {
			return a.ID, nil
		}
	}
	e := frontdesk.Missing("agent")
	e.Param = "agent"
	return "", e
}
