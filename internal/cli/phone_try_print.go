package cli

import (
	"cmp"
	"fmt"

	"frontdesk.dev/frontdesk/internal/carrier"
)

// trySaid is a line of JSON about something that was said, or that happened.
type trySaid struct {
	Said      *string `json:"said,omitempty"`
	Locale    string  `json:"locale,omitempty"`
	Kept      bool    `json:"kept,omitempty"` // it is not to be cut off
	Cut       bool    `json:"cut,omitempty"`
	Calls     string  `json:"calls,omitempty"` // the person whom the carrier is to call
	Ended     bool    `json:"ended,omitempty"`
	Whispered *string `json:"whispered,omitempty"`
	Note      string  `json:"note,omitempty"`
}

// introduce says who is called, and from where.
func (t *phoneTry) introduce() {
	if t.json {
		return
	}
	fmt.Fprintf(t.stdout, "Calling %s on %s from %s, %s, as %s does.\n/hang or Ctrl-D hangs up, /help says what else can be typed.\n\n",
		plain(t.who.Agent.DisplayName), t.o.Number, cmp.Or(t.o.From, "a withheld number"), modeWords(t.who.Live), t.o.Habits)
}

// play prints what is being said, part by part.
func (t *phoneTry) play(text string) {
	if t.json {
		return
	}
	if !t.speaking {
		t.newLine()
		if now := t.call.Locale; now != t.locale {
			fmt.Fprintf(t.stdout, "[%s] ", plain(now))
			t.locale = now
		}
	}
	t.speaking = true
	fmt.Fprint(t.stdout, plain(text))
}

// silence ends what was being said.
func (t *phoneTry) silence(said carrier.Said) {
	if t.json && (said.Text != "" || said.Dialed != "" || said.Ended) {
		_ = encode(t.stdout, trySaid{Said: &said.Text, Locale: said.Locale, Kept: said.Kept, Cut: said.Cut, Calls: said.Dialed, Ended: said.Ended})
		return
	}
	if t.speaking && said.Cut {
		fmt.Fprint(t.stdout, " —")
	}
	t.newLine()
}

// newLine begins a line of the terminal, if something stands on the one that is.
func (t *phoneTry) newLine() {
	if t.speaking || t.prompted {
		fmt.Fprintln(t.stdout)
	}
	t.speaking, t.prompted = false, false
}

// note tells of something that is not said on the line.
func (t *phoneTry) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	t.tell(trySaid{Note: text}, "  ("+text+")")
}

// tell prints a line, as JSON or for people.
func (t *phoneTry) tell(value trySaid, text string) {
	if t.json {
		_ = encode(t.stdout, value) // what cannot be printed is not worth the call
		return
	}
	t.newLine()
	fmt.Fprintln(t.stdout, text)
}
