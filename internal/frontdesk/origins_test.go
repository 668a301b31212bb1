package frontdesk_test

import (
	"errors"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// TestOriginsAreSingleSites: a list of sites has no wildcards, and nothing in it
// that would mean something else in a header.
func TestOriginsAreSingleSites(t *testing.T) {
	t.Parallel()
	for origin, allowed := range map[string]bool{
		"https://www.lola.es":         true,
		"http://localhost:8080":       true,
		"https://xn--caf-dma.es":      true,
		"https://[2001:db8::1]:8443":  true,
		"*":                           false,
		"https://*":                   false,
		"https://*.lola.es":           false,
		"https://lola.es/":            false,
		"https://Lola.es":             false,
		"https://lola.es;script-src":  false,
		"https://lola.es,https://b.c": false,
	} {
		err := frontdesk.AgentSettings{Origins: []string{origin}}.Check()
		var wrong *frontdesk.Error
		if allowed && err != nil || !allowed && (!errors.As(err, &wrong) || wrong.Param != "origins") {
			t.Errorf("%s: %v", origin, err)
		}
	}
}
