package frontdesk

import (
	"context"
	"iter"
	"net/http"
)

// NoticesClient reads what was sent to people: confirmations, reminders.
type NoticesClient struct{ client *Client }

// List returns a page of notices, newest first.
func (n *NoticesClient) List(ctx context.Context, params NoticeListParams, opts ...RequestOptions) (*Page[Notice], error) {
	return list[Notice](ctx, n.client, "/notices", params.query(), opts)
}

// All goes over all notices, newest first.
func (n *NoticesClient) All(ctx context.Context, params NoticeListParams, opts ...RequestOptions) iter.Seq2[Notice, error] {
	return all(ctx, func() (*Page[Notice], error) { return n.List(ctx, params, opts...) })
}

// EventsClient reads events of the last 30 days, for receivers that missed some.
type EventsClient struct{ client *Client }

// List returns a page of events, newest first. To catch up, ask with CreatedFrom
// ten seconds before the last event that was seen, and pass over known ids.
func (e *EventsClient) List(ctx context.Context, params EventListParams, opts ...RequestOptions) (*Page[Event], error) {
	return list[Event](ctx, e.client, "/events", params.query(), opts)
}

// All goes over all events, newest first.
func (e *EventsClient) All(ctx context.Context, params EventListParams, opts ...RequestOptions) iter.Seq2[Event, error] {
	return all(ctx, func() (*Page[Event], error) { return e.List(ctx, params, opts...) })
}

// Get returns an event.
func (e *EventsClient) Get(ctx context.Context, id string, opts ...RequestOptions) (*Event, error) {
	return one[Event](ctx, e.client, "event", http.MethodGet, "/events/%s", []string{id}, nil, opts)
}

// Capture is the capture that the event is about; nil: it is about something
// else.
func (v *Event) Capture() *Capture {
	switch e := v.Value.(type) {
	case *EventCaptureCreated:
		return &e.Data.Object
	case *EventCaptureUpdated:
		return &e.Data.Object
	}
	return nil
}

// Call is the call that the event is about; nil: it is about something else.
func (v *Event) Call() *Call {
	if e, ok := v.Value.(*EventCallCompleted); ok {
		return &e.Data.Object
	}
	return nil
}
