package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/dates"
)

// phrase is a caller's turn with a day or a time in it, and what is right:
// Canonical, or any of Accept.
type phrase struct {
	Lang, Text, Type, Canonical, Ref string
	Accept                           []string
}

// readDates says how many of the phrases are read right.
func readDates(name string, phrases []phrase, verbose bool) {
	right := 0
	for _, p := range phrases {
		got, ok := p.read()
		if ok {
			right++
		} else if verbose {
			fmt.Printf("  %s %q at %s: got %v, want %v%v\n", p.Lang, p.Text, p.Ref, got, p.Canonical, p.Accept)
		}
	}
	fmt.Printf("%-32s days and times read right   %4d of %4d  %s\n", name, right, len(phrases), percent(right, len(phrases)))
}

// read compares to the minute. Where the set accepts both halves of the day, the
// reading must hold both; where it wants one, it must be settled.
func (p phrase) read() (got []string, right bool) {
	now := refTime(p.Ref)
	reading := dates.Read(p.Text, now, p.Lang)
	if p.Canonical != "" {
		got = []string{settled(reading, now, p.Type)}
		return got, got[0] == p.Canonical
	}
	got = left(reading, now, p.Type)
	want := slices.Clone(p.Accept)
	for i, w := range want {
		if len(w) > 5 && strings.Count(w, ":") == 2 {
			want[i] = w[:len(w)-3]
		}
	}
	slices.Sort(want)
	if p.Type != "time" && len(want) > 1 && len(got) == 1 {
		return got, slices.Contains(want, got[0])
	}
	return got, slices.Equal(got, want)
}

// always is a business that never closes.
func always(dates.Date, dates.Clock) bool { return true }

// settled is what a business that never closes makes of a reading.
func settled(r dates.Reading, now time.Time, kind string) string {
	w := r.Resolve(now, always)
	switch {
	case kind == "time" && w.Timed:
		return w.Clock.String()
	case kind == "date" && !w.Date.IsZero():
		return w.Date.String()
	}
	return "dontcare"
}

// left are all moments that a reading leaves open.
func left(r dates.Reading, now time.Time, kind string) []string {
	clocks := openClocks(r)
	date := r.Resolve(now, nil).Date
	if date.IsZero() && kind == "datetime" && len(clocks) > 0 && clocks[0] == "23:59" {
		date = dates.DateOf(now) // "the end of the day" is today's
	}
	switch {
	case kind == "date" && !date.IsZero():
		return []string{date.String()}
	case kind == "time":
		return clocks
	case kind == "datetime" && !date.IsZero():
		for i, c := range clocks {
			clocks[i] = date.String() + " " + c
		}
		return clocks
	}
	return nil
}

// openClocks are the times that a reading may mean.
func openClocks(r dates.Reading) []string {
	m, ok := r.Time()
	switch {
	case !ok:
	case m.Kind == dates.Instant:
		return []string{m.At.Format("15:04")}
	case m.Kind == dates.AtClock && m.Open:
		h := m.Clock.Hour % 12
		return []string{dates.Clock{Hour: h, Minute: m.Clock.Minute}.String(), dates.Clock{Hour: h + 12, Minute: m.Clock.Minute}.String()}
	case m.Kind == dates.AtClock:
		return []string{m.Clock.String()}
	case m.Kind == dates.InPart && m.Part == dates.EndOfDay:
		return []string{"23:59"}
	}
	return []string{}
}
