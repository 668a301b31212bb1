package wire

import "frontdesk.dev/frontdesk/internal/frontdesk"

// DeliveryShape is a delivery as customers read it.
type DeliveryShape struct {
	ID            frontdesk.ID `json:"id"`
	ConnectionID  frontdesk.ID `json:"connection_id"`
	Event         string       `json:"event"`
	Status        string       `json:"status"`
	Attempts      int          `json:"attempts"`
	MaxAttempts   int          `json:"max_attempts"`
	HTTPStatus    *int         `json:"http_status"`
	LatencyMS     *int64       `json:"latency_ms"`
	ErrorCode     string       `json:"error_code,omitzero"`
	Message       string       `json:"message,omitzero"`
	Livemode      bool         `json:"livemode"`
	CreatedAt     string       `json:"created_at"`
	NextAttemptAt *string      `json:"next_attempt_at"`
	DeliveredAt   *string      `json:"delivered_at"`
}

// Delivery spells a delivery.
func Delivery(d frontdesk.Delivery) DeliveryShape {
	s := DeliveryShape{
		ID: d.ID, ConnectionID: d.ConnectionID, Event: d.Event, Status: string(d.Status), Attempts: d.Attempts, MaxAttempts: d.MaxAttempts,
		HTTPStatus: maybe(d.HTTPStatus), ErrorCode: d.ErrorCode, Message: d.Message, Livemode: d.Live,
		CreatedAt: Time(d.CreatedAt), NextAttemptAt: maybeTime(d.NextAttemptAt), DeliveredAt: maybeTime(d.DeliveredAt),
	}
	if d.Tried {
		ms := d.Latency.Milliseconds()
		s.LatencyMS = &ms
	}
	return s
}

// DeliveryList spells a page of a connection's deliveries.
func DeliveryList(l frontdesk.List[frontdesk.Delivery], connection frontdesk.ID) any {
	data := make([]DeliveryShape, len(l.Items))
	for i, d := range l.Items {
		data[i] = Delivery(d)
	}
	return struct {
		Object            string          `json:"object"`
		Data              []DeliveryShape `json:"data"`
		HasMore           bool            `json:"has_more"`
		NextStartingAfter *frontdesk.ID   `json:"next_starting_after"`
		ConnectionID      frontdesk.ID    `json:"connection_id"`
	}{"list", data, l.More, nextAfter(l, func(d frontdesk.Delivery) frontdesk.ID { return d.ID }), connection}
}

// RetryResult spells what came of a retry.
func RetryResult(d frontdesk.Delivery) any {
	return struct {
		OK       bool          `json:"ok"`
		Delivery DeliveryShape `json:"delivery"`
	}{d.Status == frontdesk.DeliveryDelivered, Delivery(d)}
}

// TestResult spells what came of a test.
func TestResult(a frontdesk.Attempt) any {
	return struct {
		OK         bool  `json:"ok"`
		HTTPStatus *int  `json:"http_status"`
		LatencyMS  int64 `json:"latency_ms"`
	}{a.OK(), maybe(a.HTTPStatus), a.Latency.Milliseconds()}
}
