package frontdesk_test

import (
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func TestConfirmationCodesHaveNoLookAlikes(t *testing.T) {
	t.Parallel()
	const alphabet = "34679ACDEFGHJKMNPQRTWXY"
	seen, letters := map[string]bool{}, map[rune]int{}
	const n = 5000
	for range n {
		code := frontdesk.NewConfirmationCode()
		if len(code) != 6 || strings.Trim(code, alphabet) != "" {
			t.Fatalf("got %q", code)
		}
		seen[code] = true
		for _, c := range code {
			letters[c]++
		}
	}
	if len(seen) < n-5 {
		t.Errorf("of %d codes only %d are different", n, len(seen))
	}
	for _, c := range alphabet {
		if share := float64(letters[c]) / (6 * n) * float64(len(alphabet)); share < 0.8 || share > 1.2 {
			t.Errorf("%c comes %.2f times as often as it should", c, share)
		}
	}
}

func TestLocalTimeHasNoZone(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 14, 8, 30, 0, 999, time.UTC).In(load(t, "Europe/Madrid"))
	if got := frontdesk.LocalTimeOf(at); got != "2026-11-14T09:30:00" {
		t.Errorf("got %s", got)
	}
}

func TestNotesAreTidy(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ñ", frontdesk.MaxNotes)
	tests := map[string]struct{ text, want string }{
		"nothing":                {"", ""},
		"one wish":               {" una trona ", "una trona"},
		"one a line":             {"una trona\r\n\n  sin gluten\n", "una trona\nsin gluten"},
		"blanks alone":           {" \n \n", ""},
		"as long as they can be": {long, long},
		"longer":                 {long + "o", long},
	}
	for name, tt := range tests {
		if got := frontdesk.TidyNotes(tt.text); got != tt.want {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func TestWhenACaptureStarts(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		at   frontdesk.LocalTime
		zone string
		want string // "": never
	}{
		"in winter":                   {"2026-11-20T20:00:00", "Europe/Madrid", "2026-11-20T19:00:00Z"},
		"in summer":                   {"2026-07-20T20:00:00", "Europe/Madrid", "2026-07-20T18:00:00Z"},
		"elsewhere":                   {"2026-11-20T20:00:00", "America/Lima", "2026-11-21T01:00:00Z"},
		"the first of two":            {"2026-10-25T02:30:00", "Europe/Madrid", "2026-10-25T00:30:00Z"},
		"without a time":              {"", "Europe/Madrid", ""},
		"with a time that is none":    {"soon", "Europe/Madrid", ""},
		"in a zone that there is not": {"2026-11-20T20:00:00", "Nowhere/Land", ""},
	}
	for name, tt := range tests {
		got := frontdesk.Capture{ScheduledAt: tt.at, Timezone: tt.zone}.StartsAt()
		if tt.want == "" && got.IsZero() {
			continue
		}
		if got.UTC().Format(time.RFC3339) != tt.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}
