package api

import (
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

func (a *API) listCalls(r *request) (any, error) {
	page, err := r.page()
	if err != nil {
		return nil, err
	}
	filter := frontdesk.CallFilter{
		Outcome: frontdesk.Outcome(r.text("outcome")), Channel: frontdesk.Channel(r.text("channel")), Language: r.text("language"),
		Search: r.text("search"),
	}
	if filter.Search != "" && !frontdesk.HasWords(filter.Search) {
		return nil, frontdesk.InvalidParam("search", "search has no words. Send words that were said, such as search=cumpleaños.")
	}
	if caller := r.text("caller"); caller != "" {
		// A plus that was not percent-encoded arrives as a space.
		filter.Caller = "+" + strings.TrimLeft(caller, "+ ")
	}
	if filter.StartedFrom, err = r.instant("started_from"); err != nil {
		return nil, err
	}
	if filter.StartedTo, err = r.instant("started_to"); err != nil {
		return nil, err
	}
	if filter.AgentID, err = a.agentInQuery(r); err != nil {
		return nil, err
	}
	calls, err := a.store.Calls(r.Context(), r.owner, filter, page)
	if err != nil {
		return nil, err
	}
	return wire.CallList(calls), nil
}

func (a *API) getCall(r *request) (any, error) {
	id, err := r.pathID("call_id", "call")
	if err != nil {
		return nil, err
	}
	call, err := a.store.Call(r.Context(), r.owner, id)
	if err != nil {
		return nil, err
	}
	return wire.CallEnvelope(call), nil
}
