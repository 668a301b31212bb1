package opening_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/opening"
)

func TestBridges(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ region, day, first, last string }{
		"two holidays with a day between":  {"ES-MD", "2026-12-06", "2026-12-05", "2026-12-08"},
		"a Monday":                         {"IE", "2026-10-26", "2026-10-24", "2026-10-26"},
		"a Thursday and the day behind it": {"ES", "2027-01-07", "2027-01-06", "2027-01-10"},
	} {
		if first, last := opening.Bridge(tt.region, date(t, tt.day)); first.String() != tt.first || last.String() != tt.last {
			t.Errorf("%s: %s to %s, want %s to %s", name, first, last, tt.first, tt.last)
		}
	}
}

func TestSpecialDays(t *testing.T) {
	t.Parallel()
	house, err := opening.Of(agentWith(t, "Europe/Madrid", hairdresser))
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		first, last string
		want        []string
	}{
		"an ordinary week":               {"2026-11-16", "2026-11-22", nil},
		"a holiday and hours of its own": {"2026-12-21", "2026-12-27", []string{"2026-12-24", "2026-12-24", "2026-12-25", "2026-12-25"}},
		"away, over a Sunday":            {"2026-08-08", "2026-08-31", []string{"2026-08-08", "2026-08-15"}},
	} {
		var got []string
		for _, r := range house.Special(date(t, tt.first), date(t, tt.last)) {
			got = append(got, r.First.String(), r.Last.String())
		}
		if len(got) != len(tt.want) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
			continue
		}
		for i := range got {
			if got[i] != tt.want[i] {
				t.Errorf("%s: %v, want %v", name, got, tt.want)
			}
		}
	}
}
