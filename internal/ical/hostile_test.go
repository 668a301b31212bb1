package ical_test

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"frontdesk.dev/frontdesk/internal/ical"
)

// counting are the numbers from one to another, with commas.
func counting(from, to int) string {
	var all []string
	for i := from; i <= to; i++ {
		if i != 0 {
			all = append(all, fmt.Sprint(i))
		}
	}
	return strings.Join(all, ",")
}

// hostile are calendars that mean harm. Those with an error must have it: no busy
// time is left out in silence.
func hostile() map[string]struct {
	calendar string
	want     error
} {
	const start, half = "DTSTART:20260101T080000", "DURATION:PT30M"
	times := ";BYHOUR=" + counting(0, 23) + ";BYMINUTE=" + counting(0, 59)
	days := ";BYMONTHDAY=" + counting(-31, 31) + ";BYYEARDAY=" + counting(-366, 366)
	many := func(n int, text string) string { return strings.Repeat(text+"\r\n", n) }
	numbered := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format+"\r\n", i)
		}
		return b.String()
	}
	own := "BEGIN:VTIMEZONE\r\nTZID:Here\r\n" + many(5000, "BEGIN:STANDARD\r\nDTSTART:16010101T000000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0100\r\nRRULE:FREQ=YEARLY"+days+"\r\nEND:STANDARD") + "END:VTIMEZONE"
	return map[string]struct {
		calendar string
		want     error
	}{
		"a line of 10 MB that matters":      {calendar(event("DTSTART:"+strings.Repeat("2", 10<<20), half)), ical.ErrTooMuch},
		"a line of 10 MB without a colon":   {calendar(event(start, half, strings.Repeat("2", 10<<20))), nil},
		"a begin of 10 MB":                  {"BEGIN:" + strings.Repeat("V", 10<<20), ical.ErrNoCalendar},
		"every second for a thousand years": {calendar(event(start, half, "RRULE:FREQ=SECONDLY;UNTIL=30260101T000000Z")), ical.ErrTooMuch},
		"every minute":                      {calendar(event(start, half, "RRULE:FREQ=MINUTELY")), ical.ErrTooMuch},
		"every minute, of few minutes":      {calendar(event(start, half, "RRULE:FREQ=MINUTELY;BYMINUTE=7;BYHOUR=5;BYDAY=MO")), nil},
		"seconds of every minute":           {calendar(event(start, half, "RRULE:FREQ=DAILY"+times+";BYSECOND="+counting(0, 59))), ical.ErrTooMuch},
		"minutes of every day":              {calendar(event(start, half, "RRULE:FREQ=DAILY"+times)), ical.ErrTooMuch},
		"a count without end":               {calendar(event(start, half, "RRULE:FREQ=DAILY;COUNT=2147483647")), nil},
		"a count beyond all numbers":        {calendar(event(start, half, "RRULE:FREQ=DAILY;COUNT=99999999999999999999999999")), nil},
		"a count of what is rare":           {calendar(event("DTSTART:16000229T080000", half, "RRULE:FREQ=YEARLY;COUNT=2147483647")), nil},
		"a count of what is never":          {calendar(event("DTSTART:16000229T080000", half, "RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=2147483647")), nil},
		"an interval beyond all numbers":    {calendar(event(start, half, "RRULE:FREQ=YEARLY;INTERVAL=99999999999999999999999999")), nil},
		"an interval that is never met":     {calendar(event(start, half, "RRULE:FREQ=MINUTELY;INTERVAL=60;BYMINUTE=7")), nil},
		"all positions of all days":         {calendar(event(start, half, "RRULE:FREQ=YEARLY"+times+days+";BYSETPOS="+counting(-366, 366))), nil},
		"all of everything":                 {calendar(event(start, half, "RRULE:FREQ=YEARLY"+times+days+";BYWEEKNO="+counting(-53, 53)+";BYMONTH="+counting(1, 12))), ical.ErrTooMuch},
		"lists of a million":                {calendar(event(start, half, "RRULE:FREQ=DAILY;BYHOUR="+strings.Repeat("5,", 100_000)+"5")), nil},
		"a year before all":                 {calendar(event("DTSTART:00000101T000000Z", half, "RRULE:FREQ=DAILY")), nil},
		"a count from before all":           {calendar(event("DTSTART:00010101T000000Z", half, "RRULE:FREQ=MONTHLY;COUNT=99999")), ical.ErrValue},
		"the last year":                     {calendar(event("DTSTART:99991231T235959Z", "DURATION:P100D", "RRULE:FREQ=DAILY")), nil},
		"a duration of years":               {calendar(event("DTSTART:19000101T000000Z", "DURATION:P36000D", "RRULE:FREQ=DAILY")), ical.ErrTooMuch},
		"a duration of centuries":           {calendar(event("DTSTART:16000101T000000Z", "DTEND:20260101T000000Z", "RRULE:FREQ=DAILY")), ical.ErrTooMuch},
		"a million events":                  {calendar(many(200_000, "BEGIN:VEVENT\r\nEND:VEVENT")), ical.ErrTooMuch},
		"many that recur for long":          {calendar(many(20_000, event(start, half, "RRULE:FREQ=YEARLY"+days))), ical.ErrTooMuch},
		"many that recur":                   {calendar(many(30_000, event(start, half, "RRULE:FREQ=DAILY"))), ical.ErrTooMuch},
		"begins in begins":                  {"BEGIN:VCALENDAR\r\n" + many(100_000, "BEGIN:VEVENT"), ical.ErrTooMuch},
		"a million dates left out":          {calendar(event(start, half, "RRULE:FREQ=WEEKLY", many(1000, "EXDATE:20260102"+strings.Repeat(",20260102", 1000)))), nil},
		"a million dates":                   {calendar(event(start, half, many(1000, "RDATE:20260602T100000"+strings.Repeat(",20260602T100000", 1000)))), ical.ErrTooMuch},
		"many zones":                        {calendar(numbered(5000, event("DTSTART;TZID=Z%d/a/b/c/d:20260601T000000", half))), ical.ErrValue},
		"a zone of many rules":              {calendar(own, event("DTSTART;TZID=Here:20260601T000000", half, "RRULE:FREQ=DAILY")), ical.ErrTooMuch},
		"a zone for dates of all years":     {calendar(own, event("DTSTART:20260601T000000", half, "RRULE:FREQ=DAILY;COUNT=1", numbered(9999, "EXDATE;TZID=Here:%04d0601T000000"))), ical.ErrTooMuch},
		"many that moved":                   {calendar(many(20_000, event("RECURRENCE-ID:20260602T080000", "DTSTART:20260602T180000", half)), many(20_000, event(start, half, "RRULE:FREQ=DAILY;COUNT=2"))), nil},
		"noise":                             {calendar("\xff\xfe\x00\x01:\x02", event(start+"\x00", half)), ical.ErrValue},
	}
}

func TestHostileCalendarsEndWithinBounds(t *testing.T) {
	madrid := zone(t, "Europe/Madrid")
	o := ical.Options{From: time.Date(2026, 6, 1, 0, 0, 0, 0, madrid), To: time.Date(2026, 8, 1, 0, 0, 0, 0, madrid), Zone: madrid}
	for name, tt := range hostile() {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			began := time.Now()
			_, err := ical.Busy(strings.NewReader(tt.calendar), o)
			took := time.Since(began)
			runtime.ReadMemStats(&after)
			if (tt.want == nil) != (err == nil) || !errors.Is(err, tt.want) {
				t.Errorf("got %.300v, want %v", err, tt.want)
			}
			// They take less than two seconds where nothing else runs.
			if took > 20*time.Second {
				t.Errorf("it took %v", took)
			}
			allocated := (after.TotalAlloc - before.TotalAlloc) >> 20
			if allocated > 400 {
				t.Errorf("it allocated %d MiB", allocated)
			}
			t.Logf("%v, %d MiB", took.Round(time.Millisecond), allocated)
		})
	}
}

// endless is a calendar that never ends.
type endless struct{ n int }

func (e *endless) Read(p []byte) (int, error) {
	const begin, line = "BEGIN:VCALENDAR\r\n", "X-NOTHING:of interest\r\n"
	if e.n++; e.n == 1 {
		return copy(p, begin), nil
	}
	return copy(p, line), nil
}

func TestReadersThatNeverEnd(t *testing.T) {
	t.Parallel()
	if _, err := ical.Busy(&endless{}, week(t)); !errors.Is(err, ical.ErrTooMuch) {
		t.Errorf("lines without end: %v", err)
	}
	if _, err := ical.Busy(idle{}, week(t)); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("nothing without end: %v", err)
	}
}

type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

func TestReadersThatFail(t *testing.T) {
	t.Parallel()
	text := calendar(event("DTSTART:20260602T100000", "DURATION:PT30M"))
	broken := io.MultiReader(strings.NewReader(text), iotest.ErrReader(io.ErrClosedPipe))
	if got, err := ical.Busy(broken, week(t)); !errors.Is(err, io.ErrClosedPipe) || got != nil {
		t.Errorf("a reader that fails after the end: %v, %v", got, err)
	}
	for name, r := range map[string]io.Reader{"byte by byte": iotest.OneByteReader(strings.NewReader(text)), "its end with its bytes": iotest.DataErrReader(strings.NewReader(text))} {
		if got, err := ical.Busy(r, week(t)); err != nil || len(got) != 1 {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func TestTheBoundsOfOptions(t *testing.T) {
	t.Parallel()
	text := calendar(event("DTSTART:20260602T100000", "DURATION:PT30M", "RRULE:FREQ=DAILY;COUNT=4"), event("DTSTART:20260602T100000", "DURATION:PT1H"))
	for name, change := range map[string]func(*ical.Options){
		"bytes":       func(o *ical.Options) { o.Bytes = 100 },
		"line":        func(o *ical.Options) { o.Line = 15 },
		"components":  func(o *ical.Options) { o.Components = 1 },
		"occurrences": func(o *ical.Options) { o.Occurrences = 3 },
		"periods":     func(o *ical.Options) { o.Periods = 4 },
		"work":        func(o *ical.Options) { o.Work = 10 },
	} {
		o := week(t)
		if got, err := ical.Busy(strings.NewReader(text), o); err != nil || len(got) != 5 {
			t.Fatal(got, err)
		}
		change(&o)
		if _, err := ical.Busy(strings.NewReader(text), o); !errors.Is(err, ical.ErrTooMuch) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzBusy(f *testing.F) {
	for _, tt := range hostile() {
		if len(tt.calendar) < 20_000 {
			f.Add([]byte(tt.calendar))
		}
	}
	for _, text := range styles() {
		f.Add([]byte(text))
	}
	o := week(f)
	o.Work, o.Periods, o.Occurrences = 200_000, 1000, 500
	f.Fuzz(func(t *testing.T, text []byte) {
		began := time.Now()
		got, err := ical.Busy(strings.NewReader(string(text)), o)
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("it took %v", took)
		}
		if len(got) > o.Periods {
			t.Errorf("%d periods", len(got))
		}
		for i, p := range got {
			if !p.Start.Before(p.End) || !p.Start.Before(o.To) || !p.End.After(o.From) || i > 0 && p.Start.Before(got[i-1].Start) {
				t.Errorf("the period %d is %v to %v", i, p.Start, p.End)
			}
		}
		var about *ical.EventError
		if err != nil && got != nil && !errors.As(err, &about) {
			t.Errorf("periods beside %v", err)
		}
	})
}

// Any rule ends, in occurrences that come one after the other or in an error.
func FuzzRule(f *testing.F) {
	for _, rule := range []string{
		"FREQ=WEEKLY;BYDAY=MO,-53TU;WKST=SU;INTERVAL=2", "FREQ=YEARLY;BYWEEKNO=53,-53;BYDAY=SU", "FREQ=MONTHLY;BYDAY=5SU,MO;BYSETPOS=-1;COUNT=99999",
		"FREQ=HOURLY;INTERVAL=24;BYHOUR=5", "FREQ=MINUTELY;BYMONTHDAY=-31;BYYEARDAY=366;BYMINUTE=5", "FREQ=DAILY;UNTIL=20260602T000000Z;BYSECOND=0,59",
		"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=2147483647",
	} {
		f.Add(rule, int64(1_600_000_000))
		f.Add(rule, int64(-60_000_000_000))
	}
	o := week(f)
	o.Work = 200_000
	f.Fuzz(func(t *testing.T, rule string, start int64) {
		at := time.Unix(start%100_000_000_000, 0).UTC().Format("20060102T150405Z")
		text := calendar(event("DTSTART:"+at, "DURATION:PT5M", "RRULE:"+rule))
		began := time.Now()
		got, _ := ical.Busy(strings.NewReader(text), o)
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("it took %v", took)
		}
		for i, p := range got {
			if i > 0 && !p.Start.After(got[i-1].Start) {
				t.Errorf("%v after %v", p.Start, got[i-1].Start)
			}
		}
	})
}

func BenchmarkBusy(b *testing.B) {
	c := feed(b, 2000)
	text := written(b, c)
	rules := calendar(strings.Repeat(event("DTSTART;TZID=Europe/Madrid:20200106T100000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY;BYDAY=MO,WE")+"\r\n", 500))
	o := ical.Options{From: day, To: day.AddDate(0, 2, 0), Zone: c.Zone}
	b.ReportAllocs()
	b.SetBytes(int64(len(text) + len(rules)))
	for b.Loop() {
		if _, err := ical.Busy(strings.NewReader(text+rules), o); err != nil {
			b.Fatal(err)
		}
	}
}
