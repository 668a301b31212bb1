package api

import (
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

// listEvents shows what connections are told of, so that who missed some can
// catch up. A key reads those about what it may read.
func (a *API) listEvents(r *request) (any, error) {
	page, err := r.page()
	if err != nil {
		return nil, err
	}
	filter := frontdesk.EventFilter{Type: r.text("type"), About: r.readableEvents()}
	if filter.CreatedFrom, err = r.instant("created_from"); err != nil {
		return nil, err
	}
	if filter.AgentID, err = a.agentInQuery(r); err != nil {
		return nil, err
	}
	events, err := a.store.Events(r.Context(), r.owner, filter, page)
	if err != nil {
		return nil, err
	}
	return wire.EventList(events), nil
}

func (a *API) getEvent(r *request) (any, error) {
	id, err := r.pathID("event_id", "event")
	if err != nil {
		return nil, err
	}
	event, err := a.store.Event(r.Context(), r.owner, id)
	if err != nil {
		return nil, err
	}
	if about := r.readableEvents(); about != "" && !strings.HasPrefix(event.Type, about+".") {
		return nil, frontdesk.Missing("event")
	}
	return wire.EventEnvelope(event), nil
}

// eventScopes are those of which one is needed to read events.
var eventScopes = []string{"captures:read", "calls:read"}

// readableEvents says about what the key, which has one of eventScopes, may read
// events: captures or calls; "": both.
func (r *request) readableEvents() string {
	switch {
	case !r.caller.Key.Has("captures:read"):
		return "call"
	case !r.caller.Key.Has("calls:read"):
		return "capture"
	}
	return ""
}
