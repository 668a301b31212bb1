package wire

import "frontdesk.dev/frontdesk/internal/frontdesk"

// ReplyShape is what a receptionist answers to one message, as visitors read it.
type ReplyShape struct {
	Reply   saidShape          `json:"reply"`
	Capture *cardShape         `json:"capture"`
	Ended   bool               `json:"ended"`
	Outcome *frontdesk.Outcome `json:"outcome"`
}

type saidShape struct {
	Text         string   `json:"text"`
	Language     string   `json:"language"`
	Expect       *string  `json:"expect"`
	QuickReplies []string `json:"quick_replies"`
}

// cardShape is what a visitor is shown of a capture.
type cardShape struct {
	Kind             string               `json:"kind"`
	ConfirmationCode *string              `json:"confirmation_code"`
	ScheduledAt      *frontdesk.LocalTime `json:"scheduled_at"`
	Service          *string              `json:"service"`
	PartySize        *int                 `json:"party_size"`
	CustomerName     *string              `json:"customer_name"`
	Notes            *string              `json:"notes"`
	ICS              *string              `json:"ics"`
}

// Said is what a receptionist says, and what it waits for then.
type Said struct {
	Text, Language, Expect string
	QuickReplies           []string
}

// Card is a capture that a visitor is shown, and the address of its calendar
// file; "" when it has none.
type Card struct {
	Capture frontdesk.Capture
	ICS     string
}

// Reply spells an answer: what was said, what was written down, and whether and
// how it has ended the conversation.
func Reply(said Said, c *Card, ended bool, outcome frontdesk.Outcome) ReplyShape {
	s := ReplyShape{
		Reply: saidShape{said.Text, said.Language, maybe(said.Expect), append([]string{}, said.QuickReplies...)},
		Ended: ended, Outcome: maybe(outcome),
	}
	if c != nil {
		s.Capture = cardOf(c.Capture)
		s.Capture.ICS = maybe(c.ICS)
	}
	return s
}

func cardOf(c frontdesk.Capture) *cardShape {
	card := &cardShape{
		Kind: c.Kind, ConfirmationCode: maybe(c.ConfirmationCode), ScheduledAt: maybe(c.ScheduledAt), Service: maybe(c.Service),
		CustomerName: maybe(c.CustomerName), Notes: maybe(c.Notes),
	}
	if c.Visit.Party > 0 {
		card.PartySize = &c.Visit.Party
	}
	return card
}
