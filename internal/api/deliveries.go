package api

import (
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

func (a *API) listDeliveries(r *request) (any, error) {
	page, err := r.page()
	if err != nil {
		return nil, err
	}
	id, err := r.pathID("connection_id", "connection")
	if err != nil {
		return nil, err
	}
	if _, err := a.store.Connection(r.Context(), r.owner, id); err != nil {
		return nil, err
	}
	list, err := a.store.Deliveries(r.Context(), r.owner, id, frontdesk.DeliveryStatus(r.text("status")), page)
	if err != nil {
		return nil, err
	}
	return wire.DeliveryList(list, id), nil
}

// retryDelivery makes one attempt now: it takes as long as the receiver does.
func (a *API) retryDelivery(r *request) (any, error) {
	id, err := r.pathID("delivery_id", "delivery")
	if err != nil {
		return nil, err
	}
	if r.resumes != "" {
		d, err := a.webhooks.Resume(r.http.Context(), r.owner, r.resumes)
		return wire.RetryResult(d), err
	}
	d, err := a.webhooks.Retry(r.http.Context(), r.owner, r.by(), id)
	if err != nil {
		return nil, err
	}
	return wire.RetryResult(d), nil
}
