package reception

import (
	"bytes"
	"context"
	"encoding/base64"
	"strconv"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/ical"
	"frontdesk.dev/frontdesk/internal/store"
)

// An appointment can be had as a file for the customer's own calendar. Its
// address holds all that is needed to find it, sealed: whoever has the address
// sees the appointment as it is then, and nobody guesses one.

func icsPlace(conversation frontdesk.ID) string { return "calendar file " + string(conversation) }

// icsAddress is where the file of a capture is; "" when it has no time.
func (t tokens) icsAddress(row store.Conversation, c frontdesk.Capture) string {
	if c.Kind != frontdesk.Appointment || c.StartsAt().IsZero() {
		return ""
	}
	text := strconv.FormatBool(row.Owner.Live) + " " + string(row.Owner.TenantID) + " " + string(c.ID)
	ticket := base64.RawURLEncoding.EncodeToString(t.box.Seal(icsPlace(row.ID), []byte(text)))
	return "/web/conversations/" + string(row.ID) + "/captures/" + ticket + ".ics"
}

// readTicket is what an address was made for.
func (t tokens) readTicket(conversation frontdesk.ID, ticket string) (owner frontdesk.Owner, capture frontdesk.ID, ok bool) {
	sealed, err := base64.RawURLEncoding.DecodeString(ticket)
	if err != nil {
		return owner, "", false
	}
	text, err := t.box.Open(icsPlace(conversation), sealed)
	if err != nil {
		return owner, "", false
	}
	fields := bytes.Fields(text)
	if len(fields) != 3 {
		return owner, "", false
	}
	owner = frontdesk.Owner{Live: string(fields[0]) == "true", TenantID: frontdesk.ID(fields[1])}
	return owner, frontdesk.ID(fields[2]), true
}

// CalendarFile is the file of an appointment that a ticket was given out for in
// a conversation, as the appointment is now.
func (s *Sessions) CalendarFile(ctx context.Context, conversation frontdesk.ID, ticket string) ([]byte, error) {
	owner, id, ok := s.tokens.readTicket(conversation, ticket)
	if !ok {
		return nil, frontdesk.Missing("appointment")
	}
	c, err := s.store.Capture(ctx, owner, id)
	if err != nil {
		return nil, err
	}
	agent, err := s.store.Agent(ctx, owner, c.AgentID)
	if err != nil {
		return nil, err
	}
	if c.StartsAt().IsZero() {
		return nil, frontdesk.Missing("appointment")
	}
	// Its times are in UTC: it is put into calendars of any zone, and of one
	// appointment nobody needs a table of zones.
	return ical.Calendar{Events: []ical.Event{calendar.Event(c, agent)}}.AppendText(nil)
}
