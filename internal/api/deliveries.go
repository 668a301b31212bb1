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
		d, err := a.begunDelivery(r)
		return wire.RetryResult(d), err
	}
	d, err := a.webhooks.Retry(r.http.Context(), r.owner, id)
	if err != nil {
		return nil, err
	}
	return wire.RetryResult(d), nil
}

// begunDelivery is the delivery that the same request has sent before it was cut
// off: it is not sent again, whatever became of it. While nobody can know that,
// the key is in use.
func (a *API) begunDelivery(r *request) (frontdesk.Delivery, error) {
	d, err := a.store.Delivery(r.Context(), r.owner, r.resumes)
	if err == nil && d.Status == frontdesk.DeliveryDelivering && a.now().Before(d.LeaseUntil) {
		err = conflict(keyInUse, "A request with this Idempotency-Key was cut off while its delivery was being sent, and what came of it is not known yet. Try again in a minute.")
	}
	return d, err
}
