package frontdesk_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func TestCountriesByTheirZones(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"Europe/Madrid":                  "ES EUR",
		"Atlantic/Canary":                "ES EUR",
		"Europe/London":                  "GB GBP",
		"Europe/Dublin":                  "IE EUR",
		"America/Argentina/Buenos_Aires": "AR ARS",
		"America/Buenos_Aires":           "AR ARS",
		"America/Mexico_City":            "MX MXN",
		"America/New_York":               "US USD",
		"America/Indiana/Knox":           "US USD",
		"US/Pacific":                     "US USD",
		"Africa/Malabo":                  "GQ XAF",
		"Asia/Tokyo":                     "JP JPY",
		"GB":                             "GB GBP",
		"UTC":                            "ES EUR",
		"EUR":                            "ES EUR",
		"":                               "ES EUR",
		"Europe":                         "ES EUR",
		"Europe/Mad":                     "ES EUR",
		"Europe/Madrid Africa/Ceuta":     "ES EUR",
	}
	for zone, want := range tests {
		if got := frontdesk.CountryOf(zone) + " " + frontdesk.CurrencyOf(zone); got != want {
			t.Errorf("%q: got %s, want %s", zone, got, want)
		}
	}
}

func TestTheCountriesAreWellFormed(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("countries.txt")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) < 3 || len(fields[0]) != 2 || len(fields[1]) != 3 || strings.Join(fields, " ")+"\n" != line {
			t.Fatalf("%q", line)
		}
		for _, zone := range slices.Concat(fields[:1], fields[2:]) {
			if seen[zone] && zone != fields[0] {
				t.Errorf("%s stands there twice", zone)
			}
			seen[zone] = true
			if zone == fields[0] {
				continue
			}
			if _, err := frontdesk.LoadZone(zone); err != nil {
				t.Error(err)
			}
			if got := frontdesk.CountryOf(zone); got != fields[0] {
				t.Errorf("%s is in %s, want %s", zone, got, fields[0])
			}
		}
	}
}
