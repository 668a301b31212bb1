package wire

import "frontdesk.dev/frontdesk/internal/frontdesk"

// An event is frontdesk.MaxEventBody at most and holds what GET returns, so a
// capture is kept within these from the start.
const (
	maxCapture = 16 << 10 // bytes, encoded
	maxText    = 500      // characters of a capture's texts
)

// FitCapture holds a capture's texts to their lengths, and mends what a database
// could not hold.
func FitCapture(c frontdesk.Capture) frontdesk.Capture {
	texts := []*string{
		&c.Kind, &c.CustomerName, &c.CustomerPhone, &c.Service, &c.Topic, &c.Urgency,
		&c.Visit.Email, &c.Visit.ServiceID, &c.Visit.ResourceID, &c.Visit.Resource,
	}
	for _, text := range texts {
		*text = frontdesk.Clip(frontdesk.Storable(*text), maxText)
	}
	c.Notes = frontdesk.TidyNotes(frontdesk.Storable(c.Notes))
	for len(Capture(c)) > maxCapture { // of characters that take many bytes
		for _, text := range append(texts, &c.Notes) {
			*text = frontdesk.Clip(*text, len([]rune(*text))/2)
		}
	}
	return c
}
