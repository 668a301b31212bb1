package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/config"
)

func TestAddressesInTheLog(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ addresses, given, want string }{
		{"short", "203.0.113.77", "203.0.113.0/24"},
		{"short", "203.0.113.77:5060", "203.0.113.0/24"},
		{"short", "::ffff:203.0.113.77", "203.0.113.0/24"},
		{"short", "2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"},
		{"short", "[2001:db8:1:2::6]:443", "2001:db8:1::/48"},
		{"short", "127.0.0.1:9", "127.0.0.1:9"},
		{"short", "10.0.0.7", "10.0.0.7"},
		{"short", "", ""},
		{"full", "203.0.113.77", "203.0.113.77"},
	} {
		var b bytes.Buffer
		log := logger(&b, config.Settings{LogFormat: config.LogJSON, LogAddresses: tt.addresses})
		log.Info("request", "visitor", tt.given, "took", 1500*time.Microsecond)
		if got := b.String(); !strings.Contains(got, `"visitor":"`+tt.want+`"`) || !strings.Contains(got, `"took":"1.5ms"`) {
			t.Errorf("%s, %s: %s", tt.addresses, tt.given, got)
		}
	}
}
