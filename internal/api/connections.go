package api

import (
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

func (a *API) listConnections(r *request) (any, error) {
	page, err := r.page()
	if err != nil {
		return nil, err
	}
	list, err := a.store.Connections(r.Context(), r.owner, page)
	if err != nil {
		return nil, err
	}
	for i, c := range list.Items {
		if list.Items[i].Health.DeliveryCounts, err = a.lastDay(r, c.ID); err != nil {
			return nil, err
		}
	}
	used, err := a.store.CountConnections(r.Context(), r.owner)
	if err != nil {
		return nil, err
	}
	return wire.ConnectionList(list, used, r.caller.Tenant.Plan, a.now()), nil
}

func (a *API) getConnection(r *request) (any, error) {
	id, err := r.pathID("connection_id", "connection")
	if err != nil {
		return nil, err
	}
	c, err := a.store.Connection(r.Context(), r.owner, id)
	if err != nil {
		return nil, err
	}
	c.Health.DeliveryCounts, err = a.lastDay(r, id)
	return a.connectionAnswer(c, err)
}

// lastDay counts what became of a connection's deliveries of the last day.
func (a *API) lastDay(r *request, id frontdesk.ID) (frontdesk.DeliveryCounts, error) {
	return a.store.CountDeliveries(r.Context(), r.owner, id, a.now().Add(-24*time.Hour))
}

// changeConnection changes the connection that the path names, and counts its
// deliveries, which a change leaves alone. Counting may take long and comes
// first: afterwards it would hold up, under an Idempotency-Key, what the change
// has locked.
func (a *API) changeConnection(r *request, change func(id frontdesk.ID) (frontdesk.Connection, error)) (frontdesk.Connection, error) {
	id, err := r.pathID("connection_id", "connection")
	if err != nil {
		return frontdesk.Connection{}, err
	}
	counts, err := a.lastDay(r, id)
	if err != nil {
		return frontdesk.Connection{}, err
	}
	c, err := change(id)
	c.Health.DeliveryCounts = counts
	return c, err
}

func (a *API) connectionAnswer(c frontdesk.Connection, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return wire.ConnectionEnvelope(wire.Connection(c, a.now())), nil
}

func (a *API) createConnection(r *request) (any, error) {
	var in struct {
		Type   string   `json:"type"`
		Name   string   `json:"name"`
		URL    string   `json:"url"`
		Events []string `json:"events"`
	}
	if err := r.decode("ConnectionInput", &in); err != nil {
		return nil, err
	}
	c, secret, err := a.webhooks.Connect(r.Context(), r.owner, r.by(),
		frontdesk.ConnectionInput{Name: in.Name, URL: in.URL, Events: in.Events}, r.caller.Tenant.Plan.MaxConnections)
	if err != nil {
		return nil, err
	}
	return created{wire.ConnectionEnvelope(wire.ConnectionWithSecret(c, secret, a.now()))}, nil
}

func (a *API) patchConnection(r *request) (any, error) {
	var in struct {
		Name   *string  `json:"name"`
		URL    *string  `json:"url"`
		Events []string `json:"events"`
	}
	if err := r.decode("ConnectionPatch", &in); err != nil {
		return nil, err
	}
	return a.connectionAnswer(a.changeConnection(r, func(id frontdesk.ID) (frontdesk.Connection, error) {
		return a.webhooks.Change(r.Context(), r.owner, r.by(), id, frontdesk.ConnectionPatch{Name: in.Name, URL: in.URL, Events: in.Events})
	}))
}

// putAdditionalEvents says of which further kinds of events a connection is told.
func (a *API) putAdditionalEvents(r *request) (any, error) {
	var in struct {
		Events []string `json:"events"`
	}
	if err := r.decode("AdditionalEvents", &in); err != nil {
		return nil, err
	}
	return a.connectionAnswer(a.changeConnection(r, func(id frontdesk.ID) (frontdesk.Connection, error) {
		return a.webhooks.SetAdditionalEvents(r.Context(), r.owner, r.by(), id, in.Events)
	}))
}

func (a *API) deleteConnection(r *request) (any, error) {
	id, err := r.pathID("connection_id", "connection")
	if err != nil {
		return nil, err
	}
	if err := a.store.DeleteConnection(r.Context(), r.owner, r.by(), id); err != nil {
		return nil, err
	}
	return wire.Deleted(id), nil
}

func (a *API) enableConnection(r *request) (any, error) {
	return a.connectionAnswer(a.changeConnection(r, func(id frontdesk.ID) (frontdesk.Connection, error) {
		return a.webhooks.Enable(r.Context(), r.owner, r.by(), id)
	}))
}

func (a *API) disableConnection(r *request) (any, error) {
	var in struct {
		Reason string `json:"reason"`
	}
	if err := r.decodeOptional("DisableInput", &in); err != nil {
		return nil, err
	}
	return a.connectionAnswer(a.changeConnection(r, func(id frontdesk.ID) (frontdesk.Connection, error) {
		return a.webhooks.Disable(r.Context(), r.owner, r.by(), id, frontdesk.ByCustomer, in.Reason)
	}))
}

// testConnection sends a test now: it takes as long as the receiver does.
func (a *API) testConnection(r *request) (any, error) {
	id, err := r.pathID("connection_id", "connection")
	if err != nil {
		return nil, err
	}
	if r.resumes != "" {
		d, err := a.webhooks.Resume(r.http.Context(), r.owner, r.resumes)
		return wire.TestResult(d.LastAttempt()), err
	}
	attempt, err := a.webhooks.Test(r.http.Context(), r.caller.Tenant, r.owner, id)
	if err != nil {
		return nil, err
	}
	return wire.TestResult(attempt), nil
}

func (a *API) rotateSecret(r *request) (any, error) {
	in := struct {
		GraceSeconds int `json:"grace_seconds"`
	}{GraceSeconds: 86_400}
	if err := r.decodeOptional("RotateInput", &in); err != nil {
		return nil, err
	}
	var secret frontdesk.Secret
	c, err := a.changeConnection(r, func(id frontdesk.ID) (c frontdesk.Connection, err error) {
		c, secret, err = a.webhooks.Rotate(r.Context(), r.owner, r.by(), id, time.Duration(in.GraceSeconds)*time.Second)
		return c, err
	})
	if err != nil {
		return nil, err
	}
	return wire.ConnectionEnvelope(wire.ConnectionWithSecret(c, secret, a.now())), nil
}
