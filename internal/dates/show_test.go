package dates_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/dates"
)

// tuesday is now in these tests: Tuesday, 3 March 2026, ten in the morning.
var tuesday = time.Date(2026, time.March, 3, 10, 0, 0, 0, time.FixedZone("CET", 3600))

// show writes down what a reading comes to: the day, then the time.
//
//	2026-03-06          a day                21:30        a time
//	2026-03-07..08      a stretch of days    9:30?        morning or evening is open
//	2026-03-05|06       days to choose from  15:00-17:00  hours
//	                                         [13-21]      a part of the day
//	                                         @11:30       an instant
func show(r dates.Reading) string {
	var parts []string
	if m, ok := r.Day(); ok && m.Kind != dates.Instant {
		parts = append(parts, showDay(r, m))
	}
	if m, ok := r.Time(); ok {
		parts = append(parts, showTime(r, m))
	}
	return strings.Join(parts, " ")
}

func showDay(r dates.Reading, m dates.Mention) string {
	switch {
	case m.Impossible:
		return "no such date"
	case m.Kind == dates.Days:
		return m.Date.String() + ".." + m.Until.String()
	case m.Or:
		var all []string
		for _, o := range r.Mentions {
			if o.Counts && !o.Date.IsZero() {
				all = append(all, o.Date.String())
			}
		}
		return strings.Join(all, "|")
	case m.WeekdayDiffers:
		return m.Date.String() + "!"
	}
	return m.Date.String()
}

func showTime(r dates.Reading, m dates.Mention) string {
	mark := ""
	if m.Open {
		mark = "?"
	}
	switch m.Kind {
	case dates.Instant:
		return "@" + m.At.Format("15:04")
	case dates.Hours:
		return m.From.String() + "-" + m.To.String() + mark
	case dates.InPart:
		return fmt.Sprintf("[%d-%d]", m.From.Hour, m.To.Hour)
	}
	if !m.Or {
		return m.Clock.String() + mark
	}
	var all []string
	for _, o := range r.Mentions {
		if o.Counts && o.Kind == dates.AtClock {
			all = append(all, o.Clock.String()+mark)
		}
	}
	return strings.Join(all, "|")
}

func checkPhrases(t *testing.T, lang string, phrases map[string]string) {
	t.Helper()
	for text, want := range phrases {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			if got := show(dates.Read(text, tuesday, lang)); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// sameInAnyLanguage reads the phrases again without a language. Dates in
// figures are left out: their order is the language's.
func sameInAnyLanguage(t *testing.T, lang string, phrases map[string]string) {
	t.Helper()
	for text, want := range phrases {
		if strings.Contains(text, "/") {
			continue
		}
		for _, other := range []string{"", map[string]string{"es": "en", "en": "es"}[lang]} {
			if got := show(dates.Read(text, tuesday, other)); got != want {
				t.Errorf("%q read as %q: got %q, want %q", text, other, got, want)
			}
		}
	}
}

// plain is text the way a speech recogniser writes it.
var plain = strings.NewReplacer("á", "a", "é", "e", "í", "i", "ó", "o", "ú", "u", "ñ", "n", "¿", "", "?", "", "¡", "", "!", "")

func TestAccentsAndCapitalsDoNotMatter(t *testing.T) {
	t.Parallel()
	for lang, phrases := range map[string]map[string]string{"es": spanish, "en": english} {
		for text, want := range phrases {
			for _, other := range []string{plain.Replace(text), strings.ToUpper(text), "  " + text + " "} {
				if got := show(dates.Read(other, tuesday, lang)); got != want {
					t.Errorf("%q: got %q, want %q", other, got, want)
				}
			}
		}
	}
}
