package frontdesk_test

import (
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func TestTheInstantOfALocalTime(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		zone   string
		local  frontdesk.LocalTime
		want   string // UTC
		exists bool
	}{
		"in winter":                                {"Europe/Madrid", "2026-11-20T20:00:00", "2026-11-20T19:00:00Z", true},
		"in summer":                                {"Europe/Madrid", "2026-07-20T20:00:00", "2026-07-20T18:00:00Z", true},
		"just before the clock jumps":              {"Europe/Madrid", "2026-03-29T01:59:00", "2026-03-29T00:59:00Z", true},
		"the clock jumps over it":                  {"Europe/Madrid", "2026-03-29T02:30:00", "2026-03-29T01:30:00Z", false},
		"just after the jump":                      {"Europe/Madrid", "2026-03-29T03:00:00", "2026-03-29T01:00:00Z", true},
		"before the hour that comes twice":         {"Europe/Madrid", "2026-10-25T01:59:00", "2026-10-24T23:59:00Z", true},
		"it comes twice: the first":                {"Europe/Madrid", "2026-10-25T02:30:00", "2026-10-25T00:30:00Z", true},
		"after the hour that comes twice":          {"Europe/Madrid", "2026-10-25T03:00:00", "2026-10-25T02:00:00Z", true},
		"it comes twice, west of Greenwich":        {"America/New_York", "2026-11-01T01:30:00", "2026-11-01T05:30:00Z", true},
		"half an hour comes twice":                 {"Australia/Lord_Howe", "2026-04-05T01:45:00", "2026-04-04T14:45:00Z", true},
		"after the half hour that comes twice":     {"Australia/Lord_Howe", "2026-04-05T02:15:00", "2026-04-04T15:45:00Z", true},
		"a midnight that is jumped over":           {"America/Santiago", "2026-09-06T00:30:00", "2026-09-06T04:30:00Z", false},
		"no time at all":                           {"Europe/Madrid", "soon", "0001-01-01T00:00:00Z", false},
		"nothing, as a lead without a time has it": {"Europe/Madrid", "", "0001-01-01T00:00:00Z", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			zone, err := time.LoadLocation(tt.zone)
			if err != nil {
				t.Fatal(err)
			}
			got, exists := tt.local.In(zone)
			if exists != tt.exists || tt.exists && got.UTC().Format(time.RFC3339) != tt.want {
				t.Errorf("got %s, %t", got.UTC().Format(time.RFC3339), exists)
			}
			if exists && frontdesk.LocalTimeOf(got) != tt.local {
				t.Errorf("the clock shows %s then", frontdesk.LocalTimeOf(got))
			}
		})
	}
}

func TestPhoneTail(t *testing.T) {
	t.Parallel()
	for phone, want := range map[string]string{
		"+34600000001":       "600000001",
		"600 00 00 01":       "600000001",
		"0034 (600) 000-001": "600000001",
		"123456":             "123456",
		"12345":              "",
		"":                   "",
		"ñ":                  "",
	} {
		if got := frontdesk.PhoneTail(phone); got != want {
			t.Errorf("%q has the tail %q, want %q", phone, got, want)
		}
	}
}
