package ical_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/teambition/rrule-go"

	"frontdesk.dev/frontdesk/internal/ical"
)

// What is found by looking at a few months is what rrule-go finds when it looks at
// every occurrence since the first.
func TestRulesFindWhatTheirIteratorFinds(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	compared, found := 0, 0
	for range 700 {
		text := randomRule(random)
		start := time.Date(2015+random.IntN(11), time.Month(1+random.IntN(12)), 1+random.IntN(28), random.IntN(24), random.IntN(60), 0, 0, time.UTC)
		from := time.Date(2024, time.Month(1+random.IntN(24)), 1+random.IntN(28), random.IntN(24), 0, 0, 0, time.UTC)
		to := from.AddDate(0, 0, 1+random.IntN(500))
		if strings.Contains(text, "MINUTELY") {
			to = from.AddDate(0, 0, 3)
		}
		option, err := rrule.StrToROption(text)
		if err != nil {
			t.Fatal(text, err)
		}
		option.Dtstart = start
		whole, err := rrule.NewRRule(*option)
		if err != nil {
			t.Fatal(text, err)
		}
		first, ok := whole.Iterator()()
		if !ok || !first.Equal(start) {
			continue // a start that the rule does not name counts for us, and not for rrule-go
		}
		want := slices.DeleteFunc(whole.Between(from, to.Add(-time.Second), true), start.Equal)
		got, err := ical.Occurrences(text, start, from, to)
		if err != nil || !slices.EqualFunc(got, want, time.Time.Equal) {
			t.Fatalf("%s from %v, between %v and %v:\ngot  %v, %v\nwant %v", text, start, from, to, got, err, want)
		}
		compared, found = compared+1, found+len(got)
	}
	if compared < 100 || found < 2000 {
		t.Errorf("%d rules with %d occurrences are too few", compared, found)
	}
}

// randomRule is a rule that rrule-go comes to an end with.
func randomRule(random *rand.Rand) string {
	some := func(values ...string) string {
		random.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
		return strings.Join(values[:1+random.IntN(len(values))], ",")
	}
	freq := []string{"YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY"}[random.IntN(6)]
	parts := []string{"FREQ=" + freq}
	add := func(chance int, part string) {
		if random.IntN(chance) == 0 {
			parts = append(parts, part)
		}
	}
	interval := 1 + random.IntN(4)
	always := 2
	if freq == "MINUTELY" {
		interval, always = 60+random.IntN(2000), 1
	}
	add(always, fmt.Sprintf("INTERVAL=%d", interval))
	add(4, fmt.Sprintf("COUNT=%d", 1+random.IntN(3000)))
	add(4, "WKST="+some("SU", "SA", "TH")[:2])
	byMonth := "BYMONTH=" + some("1", "2", "5", "6", "9", "12")
	switch {
	case freq == "YEARLY" && random.IntN(2) == 0:
		add(2, "BYDAY="+some("MO", "TU", "SA", "SU"))
		add(3, byMonth)
	case freq == "YEARLY":
		add(1, "BYYEARDAY="+some("1", "60", "100", "-1", "366"))
	case freq == "MONTHLY" && random.IntN(2) == 0:
		add(2, "BYDAY="+some("1MO", "-1FR", "5SU", "2WE"))
	case freq == "MONTHLY":
		add(2, "BYMONTHDAY="+some("1", "15", "28", "31", "-1"))
	case freq == "MINUTELY":
	default:
		add(3, byMonth)
		add(2, "BYDAY="+some("MO", "TU", "WE", "TH", "FR", "SA", "SU"))
	}
	if freq == "DAILY" || freq == "MONTHLY" {
		add(4, "BYHOUR="+some("3", "9", "20"))
		add(4, "BYMINUTE="+some("0", "20", "59"))
	}
	if freq == "MONTHLY" {
		add(4, "BYSETPOS="+some("1", "-1"))
	}
	return strings.Join(parts, ";")
}

// Every place in a year that a rule can name is within the tables of rrule-go.
func TestNoPlaceInAYearIsOutOfBounds(t *testing.T) {
	t.Parallel()
	start := time.Date(1999, 1, 1, 9, 0, 0, 0, time.UTC)
	from, to := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2029, 1, 1, 0, 0, 0, 0, time.UTC)
	all := func(most int) string {
		var list []string
		for i := range most {
			list = append(list, fmt.Sprint(i+1), fmt.Sprint(-i-1))
		}
		return strings.Join(list, ",")
	}
	days := func(most int) string {
		var list []string
		for n := range strings.SplitSeq(all(most), ",") {
			list = append(list, n+"MO", n+"SU")
		}
		return strings.Join(list, ",")
	}
	for _, wkst := range []string{"MO", "TU", "WE", "TH", "FR", "SA", "SU"} {
		for _, freq := range []string{"YEARLY", "MONTHLY", "WEEKLY", "DAILY"} {
			for _, part := range []string{
				"BYWEEKNO=" + all(53), "BYYEARDAY=" + all(366), "BYMONTHDAY=" + all(31), "BYDAY=" + days(53),
				"BYMONTH=1,2,12;BYDAY=" + days(53), "BYWEEKNO=53", "BYWEEKNO=-53", "BYWEEKNO=1", "BYWEEKNO=-1", "BYDAY=53SU,-53SU",
			} {
				if _, err := ical.Occurrences("FREQ="+freq+";WKST="+wkst+";"+part, start, from, to); err != nil {
					t.Errorf("%s %s: %v", freq, part, err)
				}
			}
		}
	}
	if _, err := ical.Occurrences("FREQ=YEARLY;BYSETPOS="+all(366)+";BYYEARDAY="+all(366), start, from, to); err != nil {
		t.Error(err)
	}
}
