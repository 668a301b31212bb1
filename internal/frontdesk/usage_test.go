package frontdesk_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func TestUsageHistory(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		used string // period:seconds:calls
		now  string
		zone string
		want string
	}{
		"a new tenant has the current month": {"", "2026-11-14T12:00:00Z", "UTC", "2026-11:0:0"},
		"the current month alone":            {"2026-11:60:1", "2026-11-14T12:00:00Z", "UTC", "2026-11:60:1"},
		"gaps are zeros":                     {"2026-08:60:1 2026-10:30:2", "2026-11-14T12:00:00Z", "UTC", "2026-11:0:0 2026-10:30:2 2026-09:0:0 2026-08:60:1"},
		"the order given is no matter":       {"2026-10:30:2 2026-11:5:1", "2026-11-14T12:00:00Z", "UTC", "2026-11:5:1 2026-10:30:2"},
		"over the new year":                  {"2025-11:1:1", "2026-02-01T00:00:00Z", "UTC", "2026-02:0:0 2026-01:0:0 2025-12:0:0 2025-11:1:1"},
		"twelve at most": {
			"2020-01:9:9 2026-11:1:1", "2026-11-14T12:00:00Z", "UTC",
			"2026-11:1:1 2026-10:0:0 2026-09:0:0 2026-08:0:0 2026-07:0:0 2026-06:0:0 2026-05:0:0 2026-04:0:0 2026-03:0:0 2026-02:0:0 2026-01:0:0 2025-12:0:0",
		},
		"on the last day of a long month":    {"2026-02:1:1", "2026-03-31T23:00:00Z", "UTC", "2026-03:0:0 2026-02:1:1"},
		"already the next month in Auckland": {"2026-11:1:1", "2026-11-30T12:00:00Z", "Pacific/Auckland", "2026-12:0:0 2026-11:1:1"},
		"still the last month in New York":   {"2026-11:1:1", "2026-12-01T04:59:59Z", "America/New_York", "2026-11:1:1"},
		"a month to come is not told":        {"2026-12:1:1 2026-11:2:2", "2026-11-14T12:00:00Z", "UTC", "2026-11:2:2"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var used []frontdesk.UsagePeriod
			for _, s := range strings.Fields(tt.used) {
				u := frontdesk.UsagePeriod{Period: s[:7]}
				if _, err := fmt.Sscanf(s[7:], ":%d:%d", &u.Seconds, &u.Calls); err != nil {
					t.Fatal(err)
				}
				used = append(used, u)
			}
			var got []string
			for _, u := range frontdesk.UsageHistory(used, instant(t, tt.now), load(t, tt.zone)) {
				got = append(got, fmt.Sprintf("%s:%d:%d", u.Period, u.Seconds, u.Calls))
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestPeriodOfIsTheTenantsMonth(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 10, 31, 18, 15, 0, 0, time.UTC)
	for zone, want := range map[string]string{
		"UTC": "2026-10", "Asia/Kathmandu": "2026-11", "America/St_Johns": "2026-10", "Pacific/Kiritimati": "2026-11",
	} {
		if got := frontdesk.PeriodOf(at, load(t, zone)); got != want {
			t.Errorf("in %s: %s", zone, got)
		}
	}
}

func TestRemainingSeconds(t *testing.T) {
	t.Parallel()
	p := frontdesk.Plan{IncludedSeconds: 100}
	for used, want := range map[int]int{0: 100, 99: 1, 100: 0, 500: 0} {
		if got, limited := p.RemainingSeconds(used); got != want || !limited {
			t.Errorf("after %d: %d, %v", used, got, limited)
		}
	}
	if _, limited := (frontdesk.Plan{}).RemainingSeconds(5); limited {
		t.Error("a plan without a limit has one")
	}
}
