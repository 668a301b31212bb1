package web

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

var noCalendar = &frontdesk.Error{
	Kind: frontdesk.NotFound, Code: "not_found",
	Message: "There is no such calendar. Ask the business for its address: it may have been revoked.",
}

// calendarFeed shows a business's appointments to its own calendars. Whoever has
// the address may read them: it cannot be guessed, and it can be revoked.
func (s *Web) calendarFeed(v *visit) (answer, error) {
	if err := s.limit("address", s.messages.Take(v.address, s.now())); err != nil {
		return answer{}, err
	}
	token, isFile := strings.CutSuffix(v.http.PathValue("file"), ".ics")
	if !isFile {
		return answer{}, noCalendar
	}
	cal, err := s.calendar.Feed(v.Context(), token, s.now())
	if err != nil {
		return answer{}, unknown(err, noCalendar)
	}
	text, err := cal.AppendText(nil)
	if err != nil {
		return answer{}, err
	}
	sum := sha256.Sum256(text)
	tag := `"` + hex.EncodeToString(sum[:16]) + `"`
	v.header.Set("ETag", tag)
	v.header.Set("X-Robots-Tag", "noindex")
	v.header.Set("Cache-Control", "private, no-cache")
	if matches(v.http.Header.Get("If-None-Match"), tag) {
		return answer{status: http.StatusNotModified}, nil
	}
	return answer{status: http.StatusOK, contentType: "text/calendar; charset=utf-8", body: text}, nil
}

// matches says whether a list of entity tags has one of them.
func matches(list, tag string) bool {
	for one := range strings.SplitSeq(list, ",") {
		if one = strings.TrimPrefix(strings.TrimSpace(one), "W/"); one == tag || one == "*" {
			return true
		}
	}
	return false
}
