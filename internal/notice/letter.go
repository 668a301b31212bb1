package notice

import (
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Words are what a mail says that is about nothing in the book, such as an
// invitation.
type Words struct {
	Language string
	Subject  string
	Lead     string // paragraphs, one a line
	Action   string // what the link is for
	Link     string
	Foot     string
}

// NewMessage puts words into a message to an address, in the name of somebody.
func NewMessage(from, to string, w Words, now time.Time) Message {
	p := page{Subject: plain(w.Subject), Lead: w.Lead, Action: w.Action, Link: w.Link}
	if w.Foot != "" {
		p.Foot = []string{w.Foot}
	}
	return Message{
		ID: frontdesk.NewID(now), Date: now, Language: w.Language, From: plain(from), To: to,
		Subject: p.Subject, Text: p.text(), HTML: p.html(w.Language),
	}
}
