package cli

import (
	"strings"
	"testing"
)

// What the businesses of docs/examples say of their hours, what their
// receptionist books and what can be written into their book agree, on both
// sides of every boundary.
func TestExamplesSayWhatTheyBook(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		file, slug, now string
		ask             func(day, clock string) string
		asksName        string
		service         string
		probes          []probe
	}{
		"a hairdresser in Zaragoza": {
			file: "hairdresser-zaragoza", slug: "rizos", now: "2026-11-16T08:00:00Z", service: "corte",
			ask:      func(day, clock string) string { return "quería un corte de pelo el " + day + " a las " + clock },
			asksName: "¿A nombre de quién?",
			probes: []probe{
				{"2026-11-18", "18 de noviembre", "09:30", false},
				{"2026-11-18", "18 de noviembre", "10:00", true},
				{"2026-11-18", "18 de noviembre", "13:30", true},
				{"2026-11-18", "18 de noviembre", "14:00", false},
				{"2026-11-18", "18 de noviembre", "16:30", false},
				{"2026-11-18", "18 de noviembre", "17:00", true},
				{"2026-11-18", "18 de noviembre", "20:00", true},
				{"2026-11-18", "18 de noviembre", "20:30", false},
				{"2026-11-21", "21 de noviembre", "13:30", true},
				{"2026-11-21", "21 de noviembre", "17:00", false},
				{"2026-11-23", "23 de noviembre", "10:00", false}, // Mondays are closed
				{"2026-12-08", "8 de diciembre", "10:00", false},  // a holiday
				{"2026-12-24", "24 de diciembre", "13:00", true},
				{"2026-12-24", "24 de diciembre", "13:30", false},
				{"2026-12-25", "25 de diciembre", "10:00", false},
				{"2026-12-26", "26 de diciembre", "10:00", true},
			},
		},
		"a dentist in Leeds": {
			file: "dentist-leeds", slug: "headrow", now: "2026-11-16T08:00:00Z", service: "checkup",
			ask:      func(day, clock string) string { return "I'd like a check-up on " + day + " at " + clock },
			asksName: "What name",
			probes: []probe{
				{"2026-11-18", "18 November", "08:00", false},
				{"2026-11-18", "18 November", "08:30", true},
				{"2026-11-18", "18 November", "12:40", true},
				{"2026-11-18", "18 November", "13:00", false},
				{"2026-11-18", "18 November", "14:00", true},
				{"2026-11-18", "18 November", "17:15", false},
				{"2026-11-19", "19 November", "19:40", true},
				{"2026-11-19", "19 November", "20:00", false},
				{"2026-11-21", "21 November", "10:00", false}, // Saturdays are closed
				{"2026-12-25", "25 December", "10:00", false},
				{"2026-12-28", "28 December", "10:00", false}, // the day off for Boxing Day
				{"2026-12-29", "29 December", "10:00", true},
				{"2027-03-26", "26 March 2027", "10:00", false}, // Good Friday
				{"2027-03-30", "30 March 2027", "10:00", true},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, "FRONTDESK_NOW="+tt.now)
			d.must("tenant", "create", tt.slug)
			d.must("agent", "import", "../../docs/examples/"+tt.file+".yaml", "--tenant", tt.slug)
			for _, p := range tt.probes {
				said := d.mustFeed(tt.ask(p.said, p.clock)+"\n", "talk", "--tenant", tt.slug, "--agent", tt.slug, "--mode", "test")
				if offered := strings.Contains(said, tt.asksName); offered != p.free {
					t.Errorf("%s %s: the receptionist offers it: %v\n%s", p.date, p.clock, offered, said)
				}
				a := d.run("capture", "add", "--tenant", tt.slug, "--mode", "test", "--service", tt.service, "--at", p.date+"T"+p.clock)
				if written := a.code == 0; written != p.free {
					t.Errorf("%s %s: it can be written: %v\n%s", p.date, p.clock, written, a.stderr)
				}
			}
		})
	}
}

// probe is a time, and whether it can be had.
type probe struct {
	date, said, clock string
	free              bool
}
