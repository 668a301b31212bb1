package acceptance

import (
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"
	_ "time/tzdata" // the days are cut here with Go's own zones
)

type usage struct {
	Livemode             bool     `json:"livemode"`
	CurrentPeriodSeconds int      `json:"current_period_seconds"`
	History              []period `json:"history"`
	Limits               struct {
		Included   *int   `json:"included_seconds_per_period"`
		Remaining  *int   `json:"remaining_seconds"`
		Overage    string `json:"overage"`
		Concurrent int    `json:"max_concurrent_calls"`
	} `json:"limits"`
}

type period struct {
	Period  string `json:"period"`
	Seconds int    `json:"seconds"`
	Calls   int    `json:"calls"`
}

type volume struct {
	Calls    int `json:"calls"`
	Seconds  int `json:"seconds"`
	Captures int `json:"captures"`
}

type analytics struct {
	Days     int    `json:"days"`
	Timezone string `json:"timezone"`
	PerDay   []struct {
		Date string `json:"date"`
		volume
		Outcomes map[string]int `json:"outcomes"`
		Channels map[string]int `json:"channels"`
	} `json:"per_day"`
	ByHour []struct {
		Hour int `json:"hour"`
		volume
	} `json:"by_hour"`
	Totals struct {
		volume
		AvgDuration float64        `json:"avg_duration_seconds"`
		BookingRate float64        `json:"booking_rate"`
		Outcomes    map[string]int `json:"outcomes"`
		Channels    map[string]int `json:"channels"`
		Languages   map[string]int `json:"languages"`
		AfterHours  int            `json:"after_hours_calls"`
		Previous    volume         `json:"previous"`
	} `json:"totals"`
}

// ledger is everything that happened in one mode, as its lists tell it.
type ledger struct {
	calls    []call
	captures []capture
	now      time.Time
}

func (n *node) ledger(key string, now time.Time) ledger {
	n.t.Helper()
	return ledger{walk[call](n, "/calls", key, 100), walk[capture](n, "/captures", key, 100), now}
}

var zones = []string{
	"Europe/Madrid", "Asia/Kathmandu", "America/St_Johns", "UTC", "Pacific/Chatham", "America/Santiago",
	"Africa/Casablanca", "Australia/Lord_Howe", "Pacific/Kiritimati", "Etc/GMT+12",
}

// instants are when the figures are looked at: after a day of 25 hours in
// Europe and America, and after one of 23.
var instants = []string{noon, "2026-04-03T17:05:00Z"}

func TestFiguresAgreeWithTheCalls(t *testing.T) {
	t.Parallel()
	for _, instant := range instants {
		t.Run(instant, func(t *testing.T) {
			t.Parallel()
			var d *showroom
			if d = lookAround(t); instant != noon {
				d = demo(t, newPlace(t, "FRONTDESK_NOW="+instant))
			}
			now, err := time.Parse(time.RFC3339, instant)
			must(t, err)
			for mode, key := range map[string]string{"live": d.live, "test": d.test} {
				l := d.ledger(key, now)
				t.Run(mode+", usage", func(t *testing.T) { l.checkUsage(t, d.in(t).node, key, "Europe/Madrid") })
				for _, zone := range zones {
					for _, days := range []int{1, 7, 30, 90} {
						t.Run(fmt.Sprintf("%s, %d days in %s", mode, days, zone), func(t *testing.T) {
							l.checkAnalytics(t, d.in(t).node, key, zone, days)
						})
					}
				}
			}
		})
	}
}

// checkUsage sums the calls up by month.
func (l ledger) checkUsage(t *testing.T, n *node, key, zone string) {
	t.Helper()
	loc, err := time.LoadLocation(zone)
	must(t, err)
	want := map[string]period{}
	for _, c := range l.calls {
		month := c.StartedAt.In(loc).Format("2006-01")
		p := want[month]
		want[month] = period{month, p.Seconds + c.DurationSeconds, p.Calls + 1}
	}
	got := get[usage](n, "/usage", key)
	for i, p := range got.History {
		if w := want[p.Period]; p.Seconds != w.Seconds || p.Calls != w.Calls {
			t.Errorf("usage says %+v, the calls %+v", p, w)
		}
		if i > 0 && p.Period >= got.History[i-1].Period {
			t.Errorf("%s comes after %s", p.Period, got.History[i-1].Period)
		}
		delete(want, p.Period)
	}
	if len(want) > 0 {
		t.Errorf("usage does not tell of %v", slices.Sorted(maps.Keys(want)))
	}
	first := got.History[0]
	if first.Period != l.now.In(loc).Format("2006-01") || first.Seconds != got.CurrentPeriodSeconds {
		t.Errorf("the current period is %+v with %d seconds", first, got.CurrentPeriodSeconds)
	}
	if remaining := max(0, *got.Limits.Included-first.Seconds); remaining != *got.Limits.Remaining {
		t.Errorf("%d seconds remain, want %d", *got.Limits.Remaining, remaining)
	}
}

// checkAnalytics cuts the days and hours itself and counts.
func (l ledger) checkAnalytics(t *testing.T, n *node, key, zone string, days int) {
	t.Helper()
	loc, err := time.LoadLocation(zone)
	must(t, err)
	got := get[analytics](n, fmt.Sprintf("/analytics?days=%d&timezone=%s", days, url.QueryEscape(zone)), key)
	want := l.count(loc, days)
	if got.Days != days || got.Timezone != zone || len(got.PerDay) != days || len(got.ByHour) != 24 {
		t.Fatalf("%d days in %s with %d entries and %d hours", got.Days, got.Timezone, len(got.PerDay), len(got.ByHour))
	}
	for i, d := range got.PerDay {
		if date := want.dates[i]; d.Date != date || d.volume != want.days[date] {
			t.Errorf("%s: %+v, want %s: %+v", d.Date, d.volume, date, want.days[date])
		}
		checkCounts(t, d.Date, d.Outcomes, outcomes, want.by[d.Date])
		checkCounts(t, d.Date, d.Channels, channels, want.by[d.Date])
	}
	for i, h := range got.ByHour {
		if h.Hour != i || h.volume != want.hours[i] {
			t.Errorf("hour %d: %+v, want %+v", h.Hour, h.volume, want.hours[i])
		}
	}
	if got.Totals.volume != want.total || got.Totals.Previous != want.previous {
		t.Errorf("in all %+v, before %+v; want %+v, %+v", got.Totals.volume, got.Totals.Previous, want.total, want.previous)
	}
	checkCounts(t, "in all", got.Totals.Outcomes, outcomes, want.by[""])
	checkCounts(t, "in all", got.Totals.Channels, channels, want.by[""])
	checkCounts(t, "in all", got.Totals.Languages, []string{"es", "en"}, want.by[""])
	if calls := float64(max(1, want.total.Calls)); math.Abs(got.Totals.AvgDuration-float64(want.total.Seconds)/calls) > 0.051 ||
		math.Abs(got.Totals.BookingRate-float64(want.by[""]["booking"])/calls) > 0.00051 {
		t.Errorf("%v seconds on average, %v booked, of %+v", got.Totals.AvgDuration, got.Totals.BookingRate, want.total)
	}
}

func checkCounts(t *testing.T, when string, got map[string]int, names []string, want map[string]int) {
	t.Helper()
	if len(got) != len(names) {
		t.Errorf("%s: %v, want all of %v", when, got, names)
	}
	for _, name := range names {
		if got[name] != want[name] {
			t.Errorf("%s: %d are %s, want %d", when, got[name], name, want[name])
		}
	}
}

// tally is what a ledger comes to.
type tally struct {
	dates           []string
	days            map[string]volume
	hours           [24]volume
	total, previous volume
	by              map[string]map[string]int // date, or "" for all -> outcome, channel or language -> calls
}

func (l ledger) count(loc *time.Location, days int) tally {
	c := tally{days: map[string]volume{}, by: map[string]map[string]int{"": {}}}
	today := l.now.In(loc)
	before := map[string]bool{}
	for i := range days {
		c.dates = append(c.dates, dateOf(today, i-days+1))
		before[dateOf(today, i-2*days+1)] = true
	}
	add := func(at time.Time, v volume, labels ...string) {
		local := at.In(loc)
		date := local.Format(time.DateOnly)
		switch {
		case before[date]:
			c.previous = c.previous.plus(v)
		case slices.Contains(c.dates, date):
			c.days[date] = c.days[date].plus(v)
			c.hours[local.Hour()] = c.hours[local.Hour()].plus(v)
			c.total = c.total.plus(v)
			c.note(date, labels)
		}
	}
	for _, k := range l.calls {
		add(k.StartedAt, volume{Calls: 1, Seconds: k.DurationSeconds}, k.Outcome, k.Channel, k.Language)
	}
	for _, k := range l.captures {
		add(k.CreatedAt, volume{Captures: 1})
	}
	return c
}

func (c *tally) note(date string, labels []string) {
	if c.by[date] == nil {
		c.by[date] = map[string]int{}
	}
	for _, label := range labels {
		c.by[date][label]++
		c.by[""][label]++
	}
}

func (v volume) plus(w volume) volume {
	return volume{v.Calls + w.Calls, v.Seconds + w.Seconds, v.Captures + w.Captures}
}

// dateOf is the date some days from today; dates know no hours.
func dateOf(today time.Time, ahead int) string {
	return time.Date(today.Year(), today.Month(), today.Day()+ahead, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
}

func TestFiguresCanBeNarrowed(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	whole := get[analytics](d.node, "/analytics?days=90", d.live).Totals
	var byChannel, byAgent volume
	afterHours := 0
	for _, channel := range channels {
		part := get[analytics](d.node, "/analytics?days=90&channel="+channel, d.live).Totals
		byChannel = byChannel.plus(part.volume)
		if part.Calls != whole.Channels[channel] || part.Channels[channel] != part.Calls {
			t.Errorf("%s: %d calls, of all %d", channel, part.Calls, whole.Channels[channel])
		}
	}
	for _, a := range get[struct{ Agents []agent }](d.node, "/agents", d.live).Agents {
		part := get[analytics](d.node, "/analytics?days=90&agent="+a.Slug, d.live).Totals
		byAgent = byAgent.plus(part.volume)
		afterHours += part.AfterHours
		if part.Calls == 0 {
			t.Errorf("%s has no calls", a.Slug)
		}
	}
	if byChannel != whole.volume || byAgent != whole.volume || afterHours != whole.AfterHours {
		t.Errorf("all %+v, the channels %+v, the agents %+v", whole.volume, byChannel, byAgent)
	}
	both := get[analytics](d.node, "/analytics?days=90&agent=casa-lola&channel=web", d.live).Totals
	agentOnly := get[analytics](d.node, "/analytics?days=90&agent=casa-lola", d.live).Totals
	if both.Calls != agentOnly.Channels["web"] || both.Calls == 0 {
		t.Errorf("both filters: %d calls, one of them %d", both.Calls, agentOnly.Channels["web"])
	}
}

func TestFiguresHaveTheirDefaults(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	got := get[analytics](d.node, "/analytics", d.live)
	if got.Days != 30 || got.Timezone != "Europe/Madrid" || got.PerDay[29].Date != "2026-11-14" {
		t.Errorf("%d days in %s up to %s", got.Days, got.Timezone, got.PerDay[29].Date)
	}
}

func TestFiguresThatCannotBeHad(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	for query, want := range map[string]struct {
		status      int
		code, param string
	}{
		"days=0":                    {400, "parameter_invalid", "days"},
		"days=91":                   {400, "parameter_invalid", "days"},
		"days=-1":                   {400, "parameter_invalid", "days"},
		"days=7.0":                  {400, "parameter_invalid", "days"},
		"days=":                     {400, "parameter_invalid", "days"},
		"days=99999999999999999999": {400, "parameter_invalid", "days"},
		"timezone=Madrid":           {400, "parameter_invalid", "timezone"},
		"timezone=Local":            {400, "parameter_invalid", "timezone"},
		"timezone=":                 {400, "parameter_invalid", "timezone"},
		"timezone=../../etc/passwd": {400, "parameter_invalid", "timezone"},
		"timezone=/etc/localtime":   {400, "parameter_invalid", "timezone"},
		"timezone=%00":              {400, "parameter_invalid", "timezone"},
		"timezone=tzdata.zi":        {400, "parameter_invalid", "timezone"},
		"channel=fax":               {400, "parameter_invalid", "channel"},
		"channel=":                  {400, "parameter_invalid", "channel"},
		"agent=nobody":              {404, "not_found", "agent"},
		"agent=":                    {404, "not_found", "agent"},
		"from=2026-01-01":           {400, "parameter_unknown", "from"},
		"days=7&days=7":             {400, "parameter_invalid", "days"},
	} {
		got := d.do("GET /analytics?"+query, d.live, "")
		if f := got.failure(t); got.status != want.status || f.Code != want.code || f.param() != want.param {
			t.Errorf("%s: got %s, want %+v", query, got, want)
		}
	}
}

// TestUsageIsCountedInTheTenantsZone looks, in the first hours of a month, at
// tenants for whom it has and has not begun. It is also, in Newfoundland, a day
// of 25 hours.
func TestUsageIsCountedInTheTenantsZone(t *testing.T) {
	t.Parallel()
	const instant = "2026-11-01T03:00:00Z"
	now, err := time.Parse(time.RFC3339, instant)
	must(t, err)
	p := newPlace(t, "FRONTDESK_NOW="+instant)
	n := p.serve()
	for _, zone := range []string{"Asia/Kathmandu", "America/St_Johns", "America/Los_Angeles", "Europe/Madrid"} {
		t.Run(zone, func(t *testing.T) {
			t.Parallel()
			n := n.in(t)
			n.place.tenant(slugOf(zone), "--timezone", zone)
			key := n.place.key(slugOf(zone), "test").Key
			l := n.ledger(key, now)
			if len(l.calls) == 0 {
				t.Fatal("the sample is empty")
			}
			l.checkUsage(t, n, key, zone)
			for _, days := range []int{1, 2, 30, 90} {
				l.checkAnalytics(t, n, key, zone, days)
			}
			if got := get[analytics](n, "/analytics", key).Timezone; got != zone {
				t.Errorf("figures are in %s", got)
			}
		})
	}
}

func TestPlansShowInUsage(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "FRONTDESK_NOW="+noon)
	p.tenant("lola")
	n, key := p.serve(), p.key("lola", "test").Key
	used := get[usage](n, "/usage", key).CurrentPeriodSeconds
	for _, tt := range []struct {
		flags               []string
		included, remaining int // -1: no limit
		overage             string
		concurrent          int
	}{
		{[]string{"--included-seconds", "100000", "--overage", "block"}, 100000, 100000 - used, "block", 250},
		{[]string{"--included-seconds", "1", "--max-concurrent-calls", "3"}, 1, max(0, 1-used), "block", 3},
		{[]string{"--included-seconds", "0", "--overage", "allow"}, -1, -1, "allow", 3},
	} {
		ask[any](p, append([]string{"plan", "set", "--tenant", "lola"}, tt.flags...)...)
		shown := func() bool {
			l := get[usage](n, "/usage", key).Limits
			return orNone(l.Included) == tt.included && orNone(l.Remaining) == tt.remaining && l.Overage == tt.overage && l.Concurrent == tt.concurrent
		}
		if !until(shown, n.ended) {
			t.Errorf("after %v: %+v", tt.flags, get[usage](n, "/usage", key).Limits)
		}
	}
	if got := p.run("plan", "set", "--tenant", "lola", "--overage", "perhaps", "--json"); got.code != 1 {
		t.Errorf("plan set --overage perhaps: %+v", got)
	}
	if live := get[usage](n, "/usage", p.key("lola", "live").Key); live.CurrentPeriodSeconds != 0 || len(live.History) != 1 || live.History[0].Period != "2026-11" {
		t.Errorf("a new tenant's live usage is %+v", live)
	}
	n.do("GET /usage?period=2026-11", key, "").refuses(t, http.StatusBadRequest, "parameter_unknown")
}

func orNone(n *int) int {
	if n == nil {
		return -1
	}
	return *n
}
