package spoken_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/spoken"
)

// Wordings that only some languages need, or that have gaps of their own.
var ofTheirOwn = []string{"spoken_clock_", "spoken_date", "spoken_month_first", "spoken_each"}

func wordings(l *language.Language) map[string]string {
	all := map[string]string{}
	for _, line := range l.Lines("spoken wording") {
		key, text, _ := strings.Cut(line, ":")
		if !slices.ContainsFunc(ofTheirOwn, func(own string) bool { return strings.HasPrefix(key, own) }) {
			all[key] = strings.TrimSpace(text)
		}
	}
	return all
}

func TestLanguagesHaveTheSameWordings(t *testing.T) {
	t.Parallel()
	first := wordings(language.Of(language.Codes()[0]))
	for _, code := range language.Codes() {
		all := wordings(language.Of(code))
		if got, want := slices.Sorted(maps.Keys(all)), slices.Sorted(maps.Keys(first)); !slices.Equal(got, want) {
			t.Errorf("%s has the wordings %q, want %q", code, got, want)
		}
		for key, text := range all {
			if text == "" || strings.Count(text, "{") != strings.Count(first[key], "{") {
				t.Errorf("%s: %s is %q", code, key, text)
			}
		}
	}
}

func TestFormsAreWhole(t *testing.T) {
	t.Parallel()
	for section, want := range map[string]int{"spoken money": 4, "spoken units": 2} {
		for _, code := range language.Codes() {
			if len(language.Of(code).Lines(section)) < 3 {
				t.Errorf("%s has hardly anything in %q", code, section)
			}
			for _, line := range language.Of(code).Lines(section) {
				if _, forms, _ := strings.Cut(line, " = "); len(strings.Fields(forms)) != want {
					t.Errorf("%s: %q has other than %d forms", code, line, want)
				}
			}
		}
	}
}

// TestCodesCanBeNotedDown: every letter of a code is said so that it can be told
// from all others.
func TestCodesCanBeNotedDown(t *testing.T) {
	t.Parallel()
	for _, code := range language.Codes() {
		said := map[string]rune{}
		for _, r := range frontdesk.CodeLetters {
			one := strings.Repeat(string(r), 6)
			text := spoken.Text(language.Of(code), "x "+one, spoken.Options{Code: one})
			first, _, _ := strings.Cut(strings.TrimPrefix(text, "x "), ",")
			if other, ok := said[first]; ok {
				t.Errorf("%s: %c is said as %c: %q", code, r, other, first)
			}
			said[first] = r
			if strings.Count(text, first) != 6 || r >= 'A' && len(first) < 4 {
				t.Errorf("%s: %s is said %q", code, one, text)
			}
		}
	}
}
