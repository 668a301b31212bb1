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
