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

// HolidayNames are all names by which a public holiday is called: the one that is said,
// and those below [holiday names].
func (l *Language) HolidayNames(key string) (all []string) {
	if name := l.HolidayName(key); name != "" {
		all = append(all, name)
	}
	for name := range strings.SplitSeq(l.wording("holiday names")[key], ",") {
		if name = strings.TrimSpace(name); name != "" {
			all = append(all, name)
		}
	}
	return all
}
