package frontdesk

import (
	_ "embed"
	"strings"
)

// countries has a line for each country: its code (ISO 3166), the code of its
// currency (ISO 4217), and its time zones as the tz database has them, with the
// older names that are still in use.
//
//go:embed countries.txt
var countries string

// CountryOf is the country that a time zone suggests: ES for Europe/Madrid. A
// zone of no country, such as UTC, suggests Spain.
func CountryOf(zone string) string {
	if line := countryLine(zone); line != "" {
		return line[:2]
	}
	return "ES"
}

// CurrencyOf is the currency of the country that a time zone suggests.
func CurrencyOf(zone string) string {
	if line := countryLine(zone); line != "" {
		return line[3:6]
	}
	return "EUR"
}

// countryLine is the line that has a zone, from its beginning; "" when none has.
func countryLine(zone string) string {
	if zone == "" || strings.ContainsAny(zone, " \n") {
		return ""
	}
	for from := 0; ; {
		at := strings.Index(countries[from:], " "+zone)
		if at < 0 {
			return ""
		}
		from += at + 1 + len(zone)
		if next := countries[from]; next == ' ' || next == '\n' {
			line := countries[strings.LastIndexByte(countries[:from], '\n')+1:]
			if isZone := from-len(zone) >= len(countries)-len(line)+len("ES EUR "); isZone {
				return line
			}
		}
	}
}

// isCurrency says whether a code is one that a country has.
func isCurrency(code string) bool {
	return len(code) == 3 && strings.ToUpper(code) == code && strings.Contains(countries, " "+code+" ")
}
