package language

import "strings"

// observed ends the key of a day off, and is that of its wording.
const observed = ".observed"

// HolidayName is what a public holiday of internal/opening is called, by its
// key. One that ends in ".observed" is the day off for a holiday on a weekend.
// It is "" for a key that the language has no name for.
func (l *Language) HolidayName(key string) string {
	names := l.wording("holidays")
	holiday, moved := strings.CutSuffix(key, observed)
	name := names[holiday]
	if !moved || name == "" {
		return name
	}
	return fill(names[observed], []string{"name", name})
}
