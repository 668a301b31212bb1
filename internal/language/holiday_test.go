package language

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestHolidayName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ code, key, want string }{
		{"en", "christmas_day", "Christmas Day"},
		{"es", "christmas_day", "Navidad"},
		{"en", "christmas_day.observed", "the day off for Christmas Day"},
		{"es", "christmas_day.observed", "descanso por Navidad"},
		{"en", "doomsday", ""},
		{"en", "doomsday.observed", ""},
		{"en", ".observed", ""},
		{"en", "observed", ""},
		{"en", "", ""},
	} {
		if got := Of(tt.code).HolidayName(tt.key); got != tt.want {
			t.Errorf("%s: %q is called %q, want %q", tt.code, tt.key, got, tt.want)
		}
	}
}

// Every language names the same holidays, and each once.
func TestLanguagesNameTheSameHolidays(t *testing.T) {
	t.Parallel()
	keys := func(code string) []string { return slices.Sorted(maps.Keys(Of(code).wording("holidays"))) }
	for _, code := range Codes() {
		if got, want := keys(code), keys(Codes()[0]); !slices.Equal(got, want) {
			t.Errorf("%s names %v, %s names %v", code, got, Codes()[0], want)
		}
		if got, lines := len(keys(code)), len(Of(code).Lines("holidays")); got != lines {
			t.Errorf("%s has %d lines for %d holidays", code, lines, got)
		}
		for key, name := range Of(code).wording("holidays") {
			if name == "" || key != observed && strings.HasSuffix(key, observed) {
				t.Errorf("%s: %q is called %q", code, key, name)
			}
		}
	}
}
