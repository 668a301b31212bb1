package reception

import (
	"context"
	"encoding/json"
	"time"

	"frontdesk.dev/frontdesk/internal/conversation"
)

// Watch is told what this process refuses, for who counts it. Its zero value counts
// nothing.
type Watch struct {
	// Refused is told the limit, one of RefusedBy, that a caller has met.
	Refused func(limit string)
	// Model is told how long the language model took to answer, and its error.
	Model func(took time.Duration, err error)
}

// The limits that callers can meet. The first two are of the tenant's plan.
const (
	limitSeconds       = "plan_seconds"         // the month's are used up
	limitConversations = "plan_conversations"   // as many talk as may at once
	limitAddress       = "bookings_per_address" // Limits.BookingsPerAddress
	limitPhone         = "bookings_per_phone"   // Limits.BookingsPerPhone
	limitAgent         = "bookings_per_agent"   // Limits.BookingsPerAgent
	limitOpen          = "appointments_to_come" // of one customer, as the agent is set up
)

// RefusedBy are the limits that Watch.Refused is told of.
var RefusedBy = []string{limitSeconds, limitConversations, limitAddress, limitPhone, limitAgent, limitOpen}

func (w Watch) refused(limit string) {
	if w.Refused != nil {
		w.Refused(limit)
	}
}

func planLimit(crowded bool) string {
	if crowded {
		return limitConversations
	}
	return limitSeconds
}

// watchedModel is a language model whose answers are counted.
type watchedModel struct {
	conversation.Model
	told func(time.Duration, error)
}

func (w Watch) model(m conversation.Model) conversation.Model {
	if m == nil || w.Model == nil {
		return m
	}
	return watchedModel{m, w.Model}
}

func (m watchedModel) Fill(ctx context.Context, instructions string, said []string, schema json.RawMessage) (json.RawMessage, error) {
	began := time.Now()
	form, err := m.Model.Fill(ctx, instructions, said, schema)
	m.told(time.Since(began), err)
	return form, err
}
