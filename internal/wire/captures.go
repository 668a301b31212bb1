package wire

import "frontdesk.dev/frontdesk/internal/frontdesk"

// CaptureList spells a page of captures.
func CaptureList(l frontdesk.List[frontdesk.Capture]) []byte {
	id := func(c frontdesk.Capture) frontdesk.ID { return c.ID }
	return appendList(make([]byte, 0, 128+400*len(l.Items)), l, id, appendCapture)
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
	b = appendField(b, `,"customer_name":`, c.CustomerName)
	b = appendField(b, `,"customer_phone":`, c.CustomerPhone)
	b = append(b, `,"scheduled_at":`...)
	if c.ScheduledAt == "" {
		b = append(b, `null`...)
	} else {
		b = appendString(b, string(c.ScheduledAt))
	}
	b = appendField(b, `,"service":`, c.Service)
	b = appendField(b, `,"confirmation_code":`, c.ConfirmationCode)
	b = append(b, `,"status":`...)
	b = appendString(b, string(c.Status))
	b = append(b, `,"created_at":"`...)
	b = appendTime(b, c.CreatedAt)
	return append(b, `"}`...)
}
