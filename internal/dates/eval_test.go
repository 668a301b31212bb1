package dates_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// TestEval measures the reader on sets of phrases that are not part of the
// project: FRONTDESK_EVAL=DIR go test -run TestEval -v ./internal/dates
//
// A line has a text, its language, the moment it was said and what is right:
// canonical, or any of accept.
func TestEval(t *testing.T) {
	dir := os.Getenv("FRONTDESK_EVAL")
	if dir == "" {
		t.Skip("FRONTDESK_EVAL names no directory")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*datetime*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			right, all := 0, 0
			for _, line := range evalLines(t, file) {
				all++
				if got, ok := line.right(); ok {
					right++
				} else {
					t.Logf("%s %q at %s: got %v, want %v%v", line.Lang, line.Text, line.Ref, got, line.Canonical, line.Accept)
				}
			}
			t.Logf("%d of %d right, %.1f %%", right, all, 100*float64(right)/float64(all))
		})
	}
}

type evalLine struct {
	Lang, Text, Type, Canonical, Ref string
	Accept                           []string
}

func evalLines(t *testing.T, file string) (all []evalLine) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var l evalLine
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	return all
}

// right compares to the minute. Where the set accepts both halves of the day,
// the reading must hold both; where it wants one, it must be settled.
func (l evalLine) right() (got []string, ok bool) {
	now, err := time.Parse("2006-01-02T15:04:05", l.Ref)
	if err != nil {
		return nil, false
	}
	reading := dates.Read(l.Text, now, l.Lang)
	if l.Canonical != "" {
		got = []string{canonical(reading, now, l.Type)}
		return got, got[0] == l.Canonical
	}
	got = readings(reading, now, l.Type)
	want := slices.Clone(l.Accept)
	for i, w := range want {
		if len(w) > 5 && strings.Count(w, ":") == 2 {
			want[i] = w[:len(w)-3]
		}
	}
	slices.Sort(want)
	if l.Type != "time" && len(want) > 1 && len(got) == 1 {
		return got, slices.Contains(want, got[0])
	}
	return got, slices.Equal(got, want)
}

// canonical is what a business that never closes makes of the reading.
func canonical(r dates.Reading, now time.Time, kind string) string {
	always := frontdesk.Hours{}
	for i := range always {
		always[i] = frontdesk.Shift{Open: 0, Close: 24}
	}
	w := r.Resolve(now, always)
	switch {
	case kind == "time" && w.Timed:
		return w.Clock.String()
	case kind == "date" && !w.Date.IsZero():
		return w.Date.String()
	}
	return "dontcare"
}

// readings are all moments that the reading leaves open.
func readings(r dates.Reading, now time.Time, kind string) []string {
	w := r.Resolve(now, frontdesk.Hours{})
	clocks := []string{}
	if m, ok := r.Time(); ok {
		switch {
		case m.Kind == dates.Instant:
			clocks = append(clocks, m.At.Format("15:04"))
		case m.Kind == dates.AtClock && m.Open:
			h := m.Clock.Hour % 12
			clocks = append(clocks, dates.Clock{Hour: h, Minute: m.Clock.Minute}.String(), dates.Clock{Hour: h + 12, Minute: m.Clock.Minute}.String())
		case m.Kind == dates.AtClock:
			clocks = append(clocks, m.Clock.String())
		case m.Kind == dates.InPart && m.Part == dates.EndOfDay:
			clocks = append(clocks, "23:59")
		}
	}
	date := w.Date
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
