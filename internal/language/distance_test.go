package language

import (
	"strings"
	"testing"
)

func TestDistance(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("larga", 10)
	for why, c := range map[string]struct {
		a, b string
		want int
	}{
		"nothing differs":        {"reservar", "reservar", 0},
		"nothing to compare":     {"", "", 0},
		"all letters are new":    {"", "mesa", 4},
		"one was left out":       {"resevar", "reservar", 1},
		"one was changed":        {"recervar", "reservar", 1},
		"neighbours swapped":     {"rseervar", "reservar", 1},
		"two slips":              {"apointmet", "appointment", 2},
		"words beyond the array": {long + "x", long, 1},
	} {
		if got, back := Distance(c.a, c.b), Distance(c.b, c.a); got != c.want || back != c.want {
			t.Errorf("%s: %q and %q are %d apart, %d the other way; want %d", why, c.a, c.b, got, back, c.want)
		}
	}
}
