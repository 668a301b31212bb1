package frontdesk

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"time"
)

// Feed is an address under which other calendars read an agent's appointments.
// Whoever has the address reads them, so it is kept as a hash and shown once.
type Feed struct {
	ID         ID // minted at CreatedAt
	TenantID   ID
	Live       bool
	AgentID    ID
	ResourceID string // those with this resource alone; "": all
	Hash       [sha256.Size]byte
	CreatedAt  time.Time
}

// NewFeedToken makes the secret part of a feed's address.
func NewFeedToken() Secret {
	var b [24]byte
	rand.Read(b[:])
	return Secret(base64.RawURLEncoding.EncodeToString(b[:]))
}

// FeedHash is what is kept of the secret part of an address.
func FeedHash(token string) [sha256.Size]byte { return sha256.Sum256([]byte(token)) }

// FeedChanges lists what differs between two versions of a feed.
func FeedChanges(before, after Feed) []FieldChange {
	var c changes
	c.text("agent_id", string(before.AgentID), string(after.AgentID))
	c.text("resource_id", before.ResourceID, after.ResourceID)
	return c
}
