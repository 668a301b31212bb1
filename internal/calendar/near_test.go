package calendar

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func offered(o Openings) string {
	var all []string
	for _, near := range o.Near {
		all = append(all, fmt.Sprintf("%02d/%02d %s", near.Date.Day, near.Date.Month, near.Clock))
	}
	return strings.TrimSpace(o.Why + " " + strings.Join(all, ", "))
}

func TestWhatIsOfferedInstead(t *testing.T) {
	t.Parallel()
	const clinic = "9-20 9-20 9-20 9-20 9-15"
	all := func(day string, from, to int) (lines []string) { // the whole day is taken
		for h := from; h < to; h++ {
			lines = append(lines, fmt.Sprintf("%s %02d:00 - 60 1", day, h))
		}
		return lines
	}
	tests := map[string]struct {
		hours    string
		trade    string
		settings frontdesk.AgentSettings
		now      string
		service  catalogue.Service
		party    int
		wish     string
		taken    []string
		want     string
	}{
		"both sides, then the same time on another day": {
			hours: clinic, service: checkup, wish: "2026-11-18 10:00", taken: []string{"2026-11-18 10:00 - 40 1"},
			want: "full 18/11 09:15, 18/11 10:45, 19/11 10:00",
		},
		"the nearer side first": {
			hours: clinic, service: checkup, wish: "2026-11-18 10:05", taken: []string{"2026-11-18 10:00 - 40 1"},
			want: "full 18/11 10:45, 18/11 09:15, 19/11 10:05",
		},
		"half hours for what takes an hour": {
			hours: clinic, wish: "2026-11-18 10:00", taken: []string{"2026-11-18 10:00 - 60 1"},
			want: "full 18/11 09:00, 18/11 11:00, 19/11 10:00",
		},
		"one side only": {
			hours: clinic, service: checkup, wish: "2026-11-18 08:00",
			want: "closed 18/11 09:00, 19/11 09:00, 17/11 09:00",
		},
		"a closed day": {
			hours: clinic, service: checkup, wish: "2026-11-21 10:00",
			want: "closed 20/11 10:00, 23/11 10:00, 19/11 10:00",
		},
		"a whole day taken, and the same time of the next": {
			hours: clinic, service: checkup, wish: "2026-11-18 10:00", taken: append(all("2026-11-18", 9, 20), "2026-11-19 10:00 - 40 1"),
			want: "full 17/11 10:00, 20/11 10:00, 16/11 10:00",
		},
		"today, an hour ago": {
			hours: clinic, service: checkup, now: "2026-11-16 10:00", wish: "2026-11-16 09:00",
			want: "past 16/11 10:15, 17/11 09:00, 18/11 09:00",
		},
		"last week": {
			hours: clinic, service: checkup, now: "2026-11-16 10:00", wish: "2026-11-09 09:00",
			want: "past 17/11 09:00, 18/11 09:00, 19/11 09:00",
		},
		"too soon": {
			hours: clinic, service: checkup, now: "2026-11-16 10:00", wish: "2026-11-16 10:05", settings: frontdesk.AgentSettings{Notice: time.Hour},
			want: "soon 16/11 11:00, 17/11 10:05, 18/11 10:05",
		},
		"beyond the horizon, the last days before it": {
			hours: clinic, service: checkup, wish: "2026-12-18 10:00", settings: frontdesk.AgentSettings{Horizon: 10 * 24 * time.Hour},
			want: "far 26/11 10:00, 25/11 10:00, 24/11 10:00",
		},
		"a party that never fits": {
			hours: clinic, trade: "restaurant", party: 30, wish: "2026-11-18 10:00", want: "large",
		},
		"a bar past midnight": {
			hours: "- - - 20-2 20-2 20-2", trade: "restaurant", party: 6, settings: frontdesk.AgentSettings{Capacity: 6},
			wish: "2026-11-21 00:30", taken: []string{"2026-11-21 00:00 - 60 6"},
			want: "full 21/11 01:00, 20/11 22:30, 22/11 00:30",
		},
		"never open": {hours: "- -", service: checkup, wish: "2026-11-18 10:00", want: "closed"},
		"nothing free for two weeks": {
			hours: "9-10", wish: "2026-11-16 09:00", taken: []string{"2026-11-16 09:00 - 60 1", "2026-11-23 09:00 - 60 1", "2026-11-30 09:00 - 60 1"},
			want: "full",
		},
		"the clock jumps over it": {
			service: sauna, now: "2026-03-28 12:00", wish: "2026-03-29 02:30",
			want: "closed 29/03 03:15, 29/03 03:45, 30/03 02:30",
		},

		"a day, early, in the middle and late": {
			hours: clinic, service: checkup, wish: "2026-11-18", want: "18/11 10:00, 18/11 14:00, 18/11 18:00",
		},
		"an afternoon": {
			hours: clinic, service: checkup, wish: "2026-11-18 16:00-20:00", want: "18/11 16:00, 18/11 18:00, 18/11 19:00",
		},
		"an afternoon with little left": {
			hours: clinic, service: filling, wish: "2026-11-18 16:00-20:00", taken: append(all("2026-11-18", 9, 18), "2026-11-18 18:30 - 30 1"),
			want: "18/11 19:00, 18/11 19:15",
		},
		"an afternoon with nothing left": {
			hours: clinic, service: filling, wish: "2026-11-18 16:00-20:00", taken: all("2026-11-18", 15, 20),
			want: "full 18/11 14:15, 19/11 18:00, 17/11 18:00",
		},
		"a morning when it is closed": {
			hours: "16-20 16-20 16-20", service: checkup, wish: "2026-11-17 09:00-12:00",
			want: "closed 17/11 16:00, 18/11 16:00, 16/11 16:00",
		},
		"today, when most of it has passed": {
			hours: clinic, service: checkup, now: "2026-11-16 18:20", wish: "2026-11-16", want: "16/11 18:45, 16/11 19:15, 16/11 19:30",
		},
		"today, when all of it has passed": {
			hours: clinic, service: checkup, now: "2026-11-16 20:20", wish: "2026-11-16", want: "past 17/11 12:00, 18/11 12:00, 19/11 12:00",
		},
		"today, which is closed": {
			hours: clinic, service: checkup, now: "2026-11-21 10:00", wish: "2026-11-21", want: "closed 23/11 12:00, 24/11 12:00, 25/11 12:00",
		},
		"a day that is full": {
			hours: clinic, service: checkup, wish: "2026-11-18", taken: all("2026-11-18", 9, 20), want: "full 19/11 12:00, 17/11 12:00, 20/11 12:00",
		},
		"a bar's Friday does not begin the night before": {
			hours: "- - - 20-2 20-2 20-2", trade: "restaurant", party: 2, wish: "2026-11-20", want: "20/11 20:00, 20/11 22:00, 20/11 23:00",
		},
		"but its small hours do": {
			hours: "- - - 20-2 20-2 20-2", trade: "restaurant", party: 2, wish: "2026-11-20 00:00-06:00", want: "20/11 00:00, 20/11 01:00, 20/11 01:30",
		},

		"whenever": {
			hours: clinic, service: checkup, now: "2026-11-16 18:20", wish: "", want: "16/11 18:45, 17/11 09:00, 17/11 11:00",
		},
		"some morning": {
			hours: clinic, service: checkup, now: "2026-11-16 11:20", wish: "09:00-12:00", want: "16/11 11:45, 17/11 09:00, 17/11 11:00",
		},
		"at ten, any day": {
			hours: clinic, service: checkup, now: "2026-11-16 11:20", wish: "10:00", taken: []string{"2026-11-17 10:00 - 40 1"},
			want: "18/11 10:00, 19/11 10:00, 20/11 10:00",
		},
		"at three in the night, any day": {
			hours: clinic, service: checkup, now: "2026-11-16 11:20", wish: "03:00", want: "closed 16/11 11:45, 16/11 13:45, 17/11 09:00",
		},
		"whenever, and never open": {hours: "- -", wish: "", want: "closed"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			zone := madrid(t)
			h := house{zone: zone, hours: weekly(t, tt.hours), settings: tt.settings, restaurant: tt.trade == "restaurant", services: []catalogue.Service{checkup}}
			if tt.now == "" {
				tt.now = "2026-11-16 08:00"
			}
			now, _ := frontdesk.FirstShowing(moment(t, tt.now), zone)
			w := wishAt(t, tt.wish)
			w.Service, w.Party = tt.service, tt.party
			d := h.diary(w, now)
			d.fill(takenAt(t, tt.taken...), "")
			if got := offered(d.openings(w)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// Whatever is wished for and taken, what is offered can be had, is ahead, and is
// offered once.
func TestWhatIsOfferedCanBeHad(t *testing.T) {
	t.Parallel()
	zone := madrid(t)
	rng := rand.New(rand.NewPCG(1, 2))
	services := []catalogue.Service{{}, checkup, filling, yoga, sauna, room, terrace}
	weeks := []string{"", "9-20 9-20 9-20 9-20 9-15", "- - - 20-2 20-2 20-2", "0-24 - 0-24", "22-6 22-6 22-6 22-6 22-6 22-6 22-6", "- -"}
	for range 2000 {
		h := house{zone: zone, hours: weekly(t, weeks[rng.IntN(len(weeks))]), services: services[1:], restaurant: rng.IntN(2) == 0}
		h.settings.Capacity = rng.IntN(20)
		// Around the nights on which the clocks change, too.
		now := time.Date(2026, []time.Month{3, 10, 11}[rng.IntN(3)], 20+rng.IntN(10), rng.IntN(24), rng.IntN(60), 0, 0, zone)
		w := Wish{Service: services[rng.IntN(len(services))], Party: rng.IntN(15), Timed: rng.IntN(2) == 0}
		if rng.IntN(4) > 0 {
			at := now.AddDate(0, 0, rng.IntN(20)-2)
			w.Date.Year, w.Date.Month, w.Date.Day = at.Date()
		}
		w.Clock.Hour, w.Clock.Minute = rng.IntN(24), rng.IntN(60)
		if rng.IntN(2) == 0 {
			w.From.Hour = rng.IntN(20)
			w.To.Hour = w.From.Hour + 1 + rng.IntN(4)
		}
		var taken []frontdesk.Busy
		for range rng.IntN(200) {
			at := now.Add(time.Duration(rng.IntN(20*24*4)) * 15 * time.Minute)
			taken = append(taken, frontdesk.Busy{ScheduledAt: frontdesk.LocalTimeOf(at), Visit: frontdesk.Visit{Minutes: rng.IntN(180), Party: rng.IntN(8)}})
		}
		d := h.diary(w, now)
		d.fill(taken, "")
		o := d.openings(w)
		if len(o.Near) > mostNear || o.Free && (o.Why != "" || !w.Timed) || !o.Free && o.Why == "" && len(o.Near) == 0 {
			t.Fatalf("%+v comes to %+v", w, o)
		}
		seen := map[Opening]bool{}
		for _, near := range o.Near {
			fresh := h.diary(w, now)
			fresh.fill(taken, "")
			if why := fresh.against(near.Date, near.Clock); why != "" || seen[near] {
				t.Fatalf("%+v at %s: %v is offered, which is %q", w, now, near, why)
			}
			seen[near] = true
		}
	}
}

// A look at two weeks of a busy house.
func BenchmarkOpenings(b *testing.B) {
	h := house{zone: madrid(b), hours: weekly(b, "9-20 9-20 9-20 9-20 9-20 9-20 9-20"), services: []catalogue.Service{checkup, filling}}
	now := time.Date(2026, 11, 16, 8, 0, 0, 0, h.zone)
	var taken []frontdesk.Busy
	for day := range 18 {
		for slot := range 22 {
			at := now.AddDate(0, 0, day).Add(time.Hour + time.Duration(slot)*30*time.Minute)
			taken = append(taken, frontdesk.Busy{ScheduledAt: frontdesk.LocalTimeOf(at), Visit: frontdesk.Visit{Minutes: 30}})
		}
	}
	w := wishAt(b, "2026-11-18 10:00")
	w.Service = checkup
	for b.Loop() {
		d := h.diary(w, now)
		d.fill(taken, "")
		if o := d.openings(w); o.Free {
			b.Fatal(o)
		}
	}
}
