package hearing_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
)

// hearNow is a Wednesday morning.
var hearNow = time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC)

// restaurant is the setting of most sentences: nothing asked, nothing begun.
var restaurant = hearing.Setting{Now: hearNow, Language: "es", Region: "ES", Trade: frontdesk.TradeOf("restaurant")}

// booking is a restaurant's setting in the middle of a booking.
func booking(expect hearing.Slot, offered ...string) hearing.Setting {
	s := restaurant
	s.Booking, s.Expect, s.Offered = true, expect, offered
	return s
}

// hears holds what is heard of each sentence in a setting against what should
// be, both in the words of written.
func hears(t *testing.T, s hearing.Setting, sentences map[string]string) {
	t.Helper()
	for text, want := range sentences {
		if got := written(hearing.Hear(text, s).Gist()); got != want {
			t.Errorf("%q\n got %s\nwant %s", text, got, want)
		}
	}
}

// written puts what was heard in one line: the language first, then the
// intents, then the rest.
func written(h hearing.Gist) string {
	out := []string{h.Language}
	if h.Language == "" {
		out[0] = "-"
	}
	for _, i := range h.Intents {
		out = append(out, string(i))
	}
	note := func(name string, said bool) {
		if said {
			out = append(out, name)
		}
	}
	note("YES", h.Yes)
	note("NO", h.No)
	note("any", h.AnyTime)
	note("unknown", h.DontKnow)
	note("self", h.Self)
	note(fmt.Sprintf("party=%d", h.Party), h.Party != 0)
	note("name="+h.Name, h.Name != "")
	note("phone="+h.Phone, h.Phone != "")
	note("bad="+h.BadPhone, h.BadPhone != "")
	note("email="+h.Email, h.Email != "")
	note("code="+h.Code, h.Code != "")
	note(fmt.Sprintf("choice=%d", h.Choice), h.Choice != 0)
	note("when="+writtenWhen(h), slices.ContainsFunc(h.When.Mentions, func(m dates.Mention) bool { return m.Kind != dates.Soonest }))
	for _, s := range h.Services {
		note("service="+s.ID, true)
	}
	for _, s := range h.Unbookable {
		note("unbookable="+s.ID, true)
	}
	for _, i := range h.Items {
		note(strings.TrimSpace(fmt.Sprintf("%d×%s %s", i.Quantity, i.Name, i.Detail)), true)
	}
	note("asks="+h.Question, h.Question != "")
	return strings.Join(out, " ")
}

func writtenWhen(h hearing.Gist) string {
	w := h.When.Resolve(hearNow, nil)
	var out []string
	if !w.Date.IsZero() {
		out = append(out, w.Date.String())
	}
	if w.Timed {
		out = append(out, w.Clock.String())
	}
	for _, c := range w.Clocks {
		out = append(out, c.String()+"?")
	}
	return strings.Join(out, ",")
}
