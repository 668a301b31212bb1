package frontdesk

import "time"

// Event is something that happened, as its subscribers are told of it. Body is
// what is sent, to the byte, at every attempt.
type Event struct {
	ID        ID // minted at CreatedAt; the webhook-id of every delivery
	Type      string
	AgentID   ID // "": of no agent
	Live      bool
	Body      []byte
	CreatedAt time.Time
}

// ChangedByCustomer is who changed a capture, in its event, when its own customer did.
const ChangedByCustomer = "customer"

// MaxEventBody is how large an event can be.
const MaxEventBody = 20 << 10

// EventFilter narrows a list of events; zero fields do not.
type EventFilter struct {
	Type        string
	About       string // "capture" or "call"; "": both
	AgentID     ID
	CreatedFrom time.Time
}
