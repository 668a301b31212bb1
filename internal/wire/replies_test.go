package wire_test

import (
	"encoding/json"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

func TestReplies(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		got  wire.ReplyShape
		want string
	}{
		"a question": {
			wire.Reply(wire.Said{Text: "¿Qué día?", Language: "es", Expect: "date", QuickReplies: []string{"hoy"}}, nil, false, ""),
			`{"reply":{"text":"¿Qué día?","language":"es","expect":"date","quick_replies":["hoy"]},"capture":null,"ended":false,"outcome":null}`,
		},
		"a booking": {
			wire.Reply(wire.Said{Text: "Hecho.", Language: "es"}, &wire.Card{ICS: "/web/x.ics", Capture: frontdesk.Capture{
				Kind: frontdesk.Appointment, CustomerName: "Ana", ScheduledAt: "2026-11-18T12:00:00", Service: "Revisión", ConfirmationCode: "ACDEFG",
				Notes: "una trona", Visit: frontdesk.Visit{Party: 4},
			}}, true, frontdesk.Booking),
			`{"reply":{"text":"Hecho.","language":"es","expect":null,"quick_replies":[]},"capture":{"kind":"appointment","confirmation_code":"ACDEFG","scheduled_at":"2026-11-18T12:00:00","service":"Revisión","party_size":4,"customer_name":"Ana","notes":"una trona","ics":"/web/x.ics"},"ended":true,"outcome":"booking"}`,
		},
		"a message without a code": {
			wire.Reply(wire.Said{Text: "Noted.", Language: "en"}, &wire.Card{Capture: frontdesk.Capture{Kind: frontdesk.Lead}}, false, ""),
			`{"reply":{"text":"Noted.","language":"en","expect":null,"quick_replies":[]},"capture":{"kind":"lead","confirmation_code":null,"scheduled_at":null,"service":null,"party_size":null,"customer_name":null,"notes":null,"ics":null},"ended":false,"outcome":null}`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, err := json.Marshal(tt.got); err != nil || string(got) != tt.want {
				t.Errorf("got %s, %v\nwant %s", got, err, tt.want)
			}
		})
	}
}
