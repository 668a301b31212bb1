package wire

import (
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// ConnectionShape is a connection as customers read it. Secret is set only by
// ConnectionWithSecret, for the two answers that may show it.
type ConnectionShape struct {
	ID               frontdesk.ID     `json:"id"`
	Type             string           `json:"type"`
	Name             string           `json:"name"`
	URL              string           `json:"url"`
	Events           []string         `json:"events"`
	AdditionalEvents []string         `json:"additional_events"`
	Status           string           `json:"status"`
	DisabledBy       string           `json:"disabled_by,omitzero"`
	DisabledReason   string           `json:"disabled_reason,omitzero"`
	Livemode         bool             `json:"livemode"`
	AgentID          *frontdesk.ID    `json:"agent_id"`
	SecretPrefix     string           `json:"secret_prefix"`
	SecretSetAt      *string          `json:"secret_set_at"`
	SecretGraceUntil *string          `json:"secret_grace_until"`
	CreatedAt        string           `json:"created_at"`
	UpdatedAt        string           `json:"updated_at"`
	Secret           string           `json:"secret,omitzero"`
	SecretNotice     string           `json:"secret_notice,omitzero"`
	Deliveries       connectionHealth `json:"deliveries"`
}

type connectionHealth struct {
	Last24h             deliveryCounts `json:"last_24h"`
	LastDeliveredAt     *string        `json:"last_delivered_at"`
	LastFailureAt       *string        `json:"last_failure_at"`
	LastHTTPStatus      *int           `json:"last_http_status"`
	ConsecutiveFailures int            `json:"consecutive_failures"`
}

type deliveryCounts struct {
	Pending   int `json:"pending"`
	Delivered int `json:"delivered"`
	Failed    int `json:"failed"`
	Dead      int `json:"dead"`
}

// Connection spells a connection at now, without its secret.
func Connection(c frontdesk.Connection, now time.Time) ConnectionShape {
	s := ConnectionShape{
		ID: c.ID, Type: frontdesk.ConnectorType, Name: c.Name, URL: c.URL, Events: c.Events, AdditionalEvents: append([]string{}, c.MoreEvents...), Status: string(c.Status),
		DisabledBy: c.DisabledBy, DisabledReason: c.DisabledReason, Livemode: c.Live, AgentID: maybe(c.AgentID),
		SecretPrefix: c.Secret.Prefix, SecretSetAt: maybeTime(c.Secret.SetAt),
		CreatedAt: Time(c.CreatedAt), UpdatedAt: Time(c.UpdatedAt),
		Deliveries: connectionHealth{
			Last24h:         deliveryCounts{c.Health.Pending, c.Health.Delivered, c.Health.Failed, c.Health.Dead},
			LastDeliveredAt: maybeTime(c.Health.LastDeliveredAt), LastFailureAt: maybeTime(c.Health.LastFailureAt),
			LastHTTPStatus: maybe(c.Health.LastHTTPStatus), ConsecutiveFailures: c.Health.ConsecutiveFailures,
		},
	}
	if c.OldSecret != nil && now.Before(c.OldUntil) {
		s.SecretGraceUntil = maybeTime(c.OldUntil)
	}
	return s
}

// ConnectionWithSecret spells a connection with the secret it was just given:
// the one time that it is shown.
func ConnectionWithSecret(c frontdesk.Connection, secret frontdesk.Secret, now time.Time) ConnectionShape {
	s := Connection(c, now)
	s.Secret = secret.Reveal()
	s.SecretNotice = "Store this secret now: it is not shown again. Verify the webhook-signature header of every delivery with it."
	return s
}

// ConnectionEnvelope puts a connection into its envelope.
func ConnectionEnvelope(s ConnectionShape) any {
	return struct {
		Connection ConnectionShape `json:"connection"`
	}{s}
}

// ConnectionList spells a page of connections with the limits of the plan.
func ConnectionList(l frontdesk.List[frontdesk.Connection], used int, p frontdesk.Plan, now time.Time) any {
	type limits struct {
		MaxConnections        int   `json:"max_connections"`
		Used                  int   `json:"used"`
		Remaining             int   `json:"remaining"`
		MaxAttempts           int   `json:"max_attempts"`
		DeliveryTimeoutMS     int64 `json:"delivery_timeout_ms"`
		DeliveryRetentionDays int   `json:"delivery_retention_days"`
	}
	data := make([]ConnectionShape, len(l.Items))
	for i, c := range l.Items {
		data[i] = Connection(c, now)
	}
	return struct {
		Object            string            `json:"object"`
		Data              []ConnectionShape `json:"data"`
		HasMore           bool              `json:"has_more"`
		NextStartingAfter *frontdesk.ID     `json:"next_starting_after"`
		Limits            limits            `json:"limits"`
	}{
		"list", data, l.More, nextAfter(l, func(c frontdesk.Connection) frontdesk.ID { return c.ID }),
		limits{
			p.MaxConnections, used, max(0, p.MaxConnections-used), frontdesk.MaxAttempts,
			frontdesk.DeliveryTimeout.Milliseconds(), p.EventsKept(),
		},
	}
}

func nextAfter[T any](l frontdesk.List[T], id func(T) frontdesk.ID) *frontdesk.ID {
	if !l.More || len(l.Items) == 0 {
		return nil
	}
	last := id(l.Items[len(l.Items)-1])
	return &last
}

// maybe is null for what has no value.
func maybe[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}
