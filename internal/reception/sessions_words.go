package reception

import (
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

// What the house itself says to a caller: keys of the wording of a language.
const (
	timeIsUp        = "session_time_up"
	lessThanAMinute = "session_last_minute"
	tooLong         = "session_too_long"
	broken          = "session_broken"
	hasEnded        = "session_ended"
	writtenDown     = "session_written_down"
)

// say is a wording in a language; in the first one where the house does not speak
// it.
func say(code, key string) string {
	l := language.Of(code)
	if l == nil {
		l = language.Of(language.Codes()[0])
	}
	return l.Say(key, "")
}

// joined puts sentences one after the other.
func joined(sentences ...string) string {
	return strings.TrimSpace(strings.Join(sentences, " "))
}

// noted tells of a capture in a few words.
func noted(code string, c frontdesk.Capture) string {
	var about []string
	for _, part := range []string{c.Service, c.CustomerName, string(c.ScheduledAt), c.ConfirmationCode} {
		if part != "" {
			about = append(about, part)
		}
	}
	return say(code, writtenDown) + " " + strings.Join(about, ", ")
}
