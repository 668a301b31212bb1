package wire

import (
	"encoding/json"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// APIVersion is the version that events and the description carry.
const APIVersion = "1.0.0"

// EventSource says where an event comes from. Agent is nil when none was
// involved.
type EventSource struct {
	Tenant frontdesk.Tenant
	Agent  *frontdesk.Agent
	Live   bool
	By     string                       // who changed the object, where that is told: frontdesk.ChangedByCustomer, or ""
	NewID  func(time.Time) frontdesk.ID // nil: frontdesk.NewID
}

type reference struct {
	ID   frontdesk.ID `json:"id"`
	Slug string       `json:"slug"`
}

// Event spells an event about an object, as connections are sent it.
func Event(from EventSource, kind string, at time.Time, object json.RawMessage) (frontdesk.Event, error) {
	newID := frontdesk.NewID
	if from.NewID != nil {
		newID = from.NewID
	}
	id := newID(at)
	var agent *reference
	var agentID frontdesk.ID
	if from.Agent != nil {
		agent, agentID = &reference{from.Agent.ID, from.Agent.Slug}, from.Agent.ID
	}
	type data struct {
		Object    json.RawMessage `json:"object"`
		ChangedBy string          `json:"changed_by,omitempty"`
	}
	body, err := encode(struct {
		ID         frontdesk.ID `json:"id"`
		Object     string       `json:"object"`
		Type       string       `json:"type"`
		APIVersion string       `json:"api_version"`
		Timestamp  string       `json:"timestamp"`
		Livemode   bool         `json:"livemode"`
		Tenant     reference    `json:"tenant"`
		Agent      *reference   `json:"agent"`
		Data       data         `json:"data"`
	}{
		id, "event", kind, APIVersion, Time(at), from.Live,
		reference{from.Tenant.ID, from.Tenant.Slug},
		agent,
		data{object, from.By},
	})
	return frontdesk.Event{ID: id, Type: kind, AgentID: agentID, Live: from.Live, Body: body, CreatedAt: at}, err
}

// EventList spells a page of events, each as its connections are sent it.
func EventList(l frontdesk.List[frontdesk.Event]) []byte {
	id := func(e frontdesk.Event) frontdesk.ID { return e.ID }
	return appendList(nil, l, id, func(b []byte, e frontdesk.Event) []byte { return append(b, e.Body...) })
}

// EventEnvelope spells one event.
func EventEnvelope(e frontdesk.Event) []byte {
	return append(append([]byte(`{"event":`), e.Body...), '}')
}
