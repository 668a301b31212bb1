package wire

import (
	"cmp"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// CaptureList spells a page of captures.
func CaptureList(l frontdesk.List[frontdesk.Capture]) []byte {
	id := func(c frontdesk.Capture) frontdesk.ID { return c.ID }
	return appendList(make([]byte, 0, 128+700*len(l.Items)), l, id, appendCapture)
}

// CaptureEnvelope spells one capture.
func CaptureEnvelope(c frontdesk.Capture) []byte {
	return append(appendCapture([]byte(`{"capture":`), c), '}')
}

// Capture spells a capture as events carry it.
func Capture(c frontdesk.Capture) []byte { return appendCapture(nil, c) }

func appendCapture(b []byte, c frontdesk.Capture) []byte {
	b = append(b, `{"id":"`...)
	b = append(b, c.ID...)
	b = append(b, `","object":"capture","kind":`...)
	b = appendString(b, c.Kind)
	b = appendNullable(b, `,"agent_id":`, string(c.AgentID))
	b = appendNullable(b, `,"call_id":`, string(callOf(c)))
	b = append(b, `,"source":`...)
	b = appendString(b, string(source(c)))
	b = appendField(b, `,"customer_name":`, c.CustomerName)
	b = appendField(b, `,"customer_phone":`, c.CustomerPhone)
	b = appendField(b, `,"customer_email":`, c.Visit.Email)
	b = appendNullable(b, `,"scheduled_at":`, string(c.ScheduledAt))
	b = appendNullableTime(b, `,"starts_at":`, c.StartsAt())
	b = appendNullableNumber(b, `,"duration_minutes":`, c.Visit.Duration)
	b = appendField(b, `,"service":`, c.Service)
	b = appendField(b, `,"service_id":`, c.Visit.ServiceID)
	b = appendNullableNumber(b, `,"party_size":`, c.Visit.Party)
	b = appendNullable(b, `,"resource_id":`, c.Visit.ResourceID)
	b = appendField(b, `,"resource":`, c.Visit.Resource)
	b = appendField(b, `,"notes":`, c.Notes)
	b = appendField(b, `,"confirmation_code":`, c.ConfirmationCode)
	b = append(b, `,"status":`...)
	b = appendString(b, string(c.Status))
	b = append(b, `,"created_at":"`...)
	b = appendTime(b, c.CreatedAt)
	b = append(b, `","updated_at":"`...)
	b = appendTime(b, changed(c))
	return append(b, `"}`...)
}

// callOf is the call that made a capture. A rehearsal is none.
func callOf(c frontdesk.Capture) frontdesk.ID {
	if c.Rehearsed() {
		return ""
	}
	return c.CallID
}

// changed is when a capture changed last: one that is new did as it was made.
func changed(c frontdesk.Capture) time.Time {
	if c.UpdatedAt.IsZero() {
		return c.CreatedAt
	}
	return c.UpdatedAt
}

// source is who made a capture, as customers know it: a rehearsal is a call of test mode.
func source(c frontdesk.Capture) frontdesk.Source {
	if c.Rehearsed() {
		return frontdesk.FromCall
	}
	return cmp.Or(c.Source, frontdesk.FromCall)
}
