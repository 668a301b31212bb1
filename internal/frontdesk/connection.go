package frontdesk

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Connection is where a customer wants to be told of events.
type Connection struct {
	ID             ID
	Live           bool
	AgentID        ID // "": all agents
	Name           string
	URL            string
	Events         []string
	MoreEvents     []string // kinds of AdditionalEvents that it is told of too
	Status         ConnectionStatus
	DisabledBy     string
	DisabledReason string
	Secret         SealedSecret  // signs deliveries
	OldSecret      *SealedSecret // signs too, until its grace is over
	OldUntil       time.Time
	FailingSince   time.Time // when the attempts began to fail without one that did not
	Health         ConnectionHealth
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// ConnectionHealth tells how deliveries of a connection have gone.
type ConnectionHealth struct {
	DeliveryCounts      // of the last 24 hours
	LastDeliveredAt     time.Time
	LastFailureAt       time.Time
	LastHTTPStatus      int // 0: none yet
	ConsecutiveFailures int
}

// DeliveryCounts is how many deliveries stand where.
type DeliveryCounts struct{ Pending, Delivered, Failed, Dead int }

// SealedSecret is a signing secret as it is kept: only its first characters can
// be read.
type SealedSecret struct {
	Prefix string
	Sealed []byte
	SetAt  time.Time
}

// ConnectionStatus is whether a connection is sent to.
type ConnectionStatus string

// The statuses of a connection.
const (
	ConnectionActive   ConnectionStatus = "active"
	ConnectionDisabled ConnectionStatus = "disabled"
)

// Who can disable a connection.
const (
	ByCustomer = "customer"
	ByOperator = "operator"
	BySystem   = "system"
)

// ConnectorType is the only kind of connection there is.
const ConnectorType = "crm.outbound"

// The events that a connection can subscribe to.
const (
	CaptureCreated = "capture.created"
	CaptureUpdated = "capture.updated" // one of AdditionalEvents
	CallCompleted  = "call.completed"
	ConnectionTest = "connection.test" // sent by POST /connections/{id}/test alone
)

// EventTypes are those that a connection can subscribe to.
var EventTypes = []string{CaptureCreated, CallCompleted}

// AdditionalEvents are further kinds, which are subscribed to apart from
// EventTypes.
var AdditionalEvents = []string{CaptureUpdated}

// Bounds of a connection's texts.
const (
	MaxConnectionName = 60
	MaxDisableReason  = 200
)

// ConnectionInput asks for a connection.
type ConnectionInput struct {
	Name   string
	URL    string
	Events []string
}

// ConnectionPatch changes what it names.
type ConnectionPatch struct {
	Name   *string
	URL    *string
	Events []string
}

// Apply returns the connection with the patch laid over it.
func (p ConnectionPatch) Apply(c Connection) Connection {
	set(&c.Name, p.Name)
	set(&c.URL, p.URL)
	if p.Events != nil {
		c.Events = p.Events
	}
	return c
}

// Subscribes says whether the connection wants events of a type now.
func (c Connection) Subscribes(event string) bool {
	return c.Status == ConnectionActive && (slices.Contains(c.Events, event) || slices.Contains(c.MoreEvents, event))
}

// Enable returns the connection as it is when it is sent to again.
func (c Connection) Enable() Connection {
	c.Status, c.DisabledBy, c.DisabledReason, c.FailingSince = ConnectionActive, "", "", time.Time{}
	c.Health.ConsecutiveFailures = 0
	return c
}

// Disable returns the connection as it is when nothing is sent to it. One that
// is disabled already keeps who did it and why.
func (c Connection) Disable(by, reason string) Connection {
	if c.Status == ConnectionActive {
		c.Status, c.DisabledBy, c.DisabledReason = ConnectionDisabled, by, reason
	}
	return c
}

// Rotate returns the connection with a new secret. The one before signs beside
// it until the grace is over; at most two sign at once.
func (c Connection) Rotate(next SealedSecret, grace time.Duration, now time.Time) Connection {
	old := c.Secret
	c.Secret, c.OldSecret, c.OldUntil = next, nil, time.Time{}
	if grace > 0 {
		c.OldSecret, c.OldUntil = &old, now.Add(grace)
	}
	return c
}

// Signing are the secrets that sign at now, newest first.
func (c Connection) Signing(now time.Time) []SealedSecret {
	secrets := []SealedSecret{c.Secret}
	if c.OldSecret != nil && now.Before(c.OldUntil) {
		secrets = append(secrets, *c.OldSecret)
	}
	return secrets
}

const (
	signingPrefix = "whsec_"
	secretShown   = 10
)

// NewSigningSecret makes the secret of a connection and the part of it that may
// be shown.
func NewSigningSecret() (secret Secret, prefix string) {
	var raw [32]byte
	rand.Read(raw[:])
	text := signingPrefix + base64.StdEncoding.EncodeToString(raw[:])
	return Secret(text), text[:secretShown]
}

// CheckConnectionName says whether a name is fit.
func CheckConnectionName(name string) error {
	if strings.TrimSpace(name) == "" || utf8.RuneCountInString(name) > MaxConnectionName {
		return InvalidParam("name", "name must have 1 to %d characters.", MaxConnectionName)
	}
	return nil
}

// LimitReached is the error for one thing more than the plan allows.
func LimitReached(thing string, limit int) *Error {
	return &Error{
		Kind: Invalid, Code: "limit_reached",
		Message: fmt.Sprintf("This account can have %d %s. Delete one first, or ask the operator for a larger plan.", limit, thing),
	}
}

// ConnectionChanges lists what differs between two versions of a connection, of
// what its customer decides. Neither its secrets nor the query of its address,
// which may hold one, are in it.
func ConnectionChanges(before, after Connection) []FieldChange {
	var c changes
	c.text("name", before.Name, after.Name)
	if before.URL != after.URL {
		c = append(c, FieldChange{Field: "url", From: AuditText(withoutQuery(before.URL)), To: AuditText(withoutQuery(after.URL))})
	}
	c.text("agent_id", string(before.AgentID), string(after.AgentID))
	c.list("events", before.Events, after.Events)
	c.list("additional_events", before.MoreEvents, after.MoreEvents)
	c.text("status", string(before.Status), string(after.Status))
	c.text("disabled_by", before.DisabledBy, after.DisabledBy)
	c.text("disabled_reason", before.DisabledReason, after.DisabledReason)
	if !bytes.Equal(before.Secret.Sealed, after.Secret.Sealed) { // of which two may be of the same second
		c = append(c, FieldChange{Field: "secret_set_at", From: moment(before.Secret.SetAt), To: moment(after.Secret.SetAt)})
	}
	c.instant("old_secret_until", before.OldUntil, after.OldUntil)
	return c
}

// withoutQuery is an address without its user, its query and its fragment. That
// there was a query is still to be seen.
func withoutQuery(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	query := u.RawQuery != ""
	u.User, u.RawQuery, u.Fragment, u.RawFragment, u.ForceQuery = nil, "", "", "", false
	if query {
		return u.String() + "?…"
	}
	return u.String()
}
