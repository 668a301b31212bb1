package ical_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/ical"
)

// calendar puts lines between those of a calendar.
func calendar(lines ...string) string {
	return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\n" + strings.Join(lines, "\r\n") + "\r\nEND:VCALENDAR\r\n"
}

// event puts lines between those of an event.
func event(lines ...string) string {
	return "BEGIN:VEVENT\r\nUID:u\r\nDTSTAMP:20260101T000000Z\r\n" + strings.Join(lines, "\r\n") + "\r\nEND:VEVENT"
}

// week asks for the first days of June 2026 by the clock of Madrid.
func week(tb testing.TB) ical.Options {
	madrid := zone(tb, "Europe/Madrid")
	return ical.Options{From: time.Date(2026, 6, 1, 0, 0, 0, 0, madrid), To: time.Date(2026, 6, 8, 0, 0, 0, 0, madrid), Zone: madrid}
}

// spelled are periods in a few words: "0601 0900-0930".
func spelled(periods []ical.Period) string {
	var all []string
	for _, p := range periods {
		text := p.Start.Format("0102 1504") + "-"
		if p.End.YearDay() != p.Start.YearDay() || p.End.Year() != p.Start.Year() {
			text += p.End.Format("0102 ")
		}
		all = append(all, text+p.End.Format("1504"))
	}
	return strings.Join(all, ", ")
}

func TestBusy(t *testing.T) {
	t.Parallel()
	const half = "DURATION:PT30M"
	tests := map[string]struct{ calendar, want string }{
		"nothing":                  {calendar(), ""},
		"UTC":                      {calendar(event("DTSTART:20260601T070000Z", "DTEND:20260601T073000Z")), "0601 0900-0930"},
		"a zone":                   {calendar(event("DTSTART;TZID=America/New_York:20260601T070000", half)), "0601 1300-1330"},
		"a zone in quotes":         {calendar(event(`DTSTART;X-A="b;c:d";TZID="America/New_York":20260601T070000`, half)), "0601 1300-1330"},
		"a zone with a path":       {calendar(event("DTSTART;TZID=/example.org/20260101_1/America/New_York:20260601T070000", half)), "0601 1300-1330"},
		"no zone":                  {calendar(event("DTSTART:20260601T070000", half)), "0601 0700-0730"},
		"ends in another zone":     {calendar(event("DTSTART:20260601T070000", "DTEND;TZID=Europe/London:20260601T070000")), "0601 0700-0800"},
		"Windows, Romance":         {calendar(event("DTSTART;TZID=Romance Standard Time:20260601T070000", half)), "0601 0700-0730"},
		"Windows, GMT":             {calendar(event("DTSTART;TZID=GMT Standard Time:20260601T070000", half)), "0601 0800-0830"},
		"Windows, Pacific":         {calendar(event("DTSTART;TZID=Pacific Standard Time:20260601T070000", half)), "0601 1600-1630"},
		"a day":                    {calendar(event("DTSTART;VALUE=DATE:20260602")), "0602 0000-0603 0000"},
		"a day that ends itself":   {calendar(event("DTSTART;VALUE=DATE:20260602", "DTEND;VALUE=DATE:20260602")), "0602 0000-0603 0000"},
		"days":                     {calendar(event("DTSTART;VALUE=DATE:20260602", "DTEND;VALUE=DATE:20260605")), "0602 0000-0605 0000"},
		"days by duration":         {calendar(event("DTSTART;VALUE=DATE:20260602", "DURATION:P1W")), "0602 0000-0609 0000"},
		"a week and an hour":       {calendar(event("DTSTART:20260602T100000", "DURATION:P1DT1H")), "0602 1000-0603 1100"},
		"no end":                   {calendar(event("DTSTART:20260602T100000")), ""},
		"begins before":            {calendar(event("DTSTART:20260531T230000", "DTEND:20260601T010000")), "0531 2300-0601 0100"},
		"ends at the beginning":    {calendar(event("DTSTART:20260531T230000", "DTEND:20260601T000000")), ""},
		"begins at the end":        {calendar(event("DTSTART:20260608T000000", half)), ""},
		"ends after":               {calendar(event("DTSTART:20260607T235900", half)), "0607 2359-0608 0029"},
		"transparent":              {calendar(event("DTSTART:20260602T100000", half, "TRANSP:TRANSPARENT")), ""},
		"free in Outlook":          {calendar(event("DTSTART:20260602T100000", half, "X-MICROSOFT-CDO-BUSYSTATUS:FREE")), ""},
		"busy in Outlook":          {calendar(event("DTSTART:20260602T100000", half, "X-MICROSOFT-CDO-BUSYSTATUS:OOF")), "0602 1000-1030"},
		"opaque":                   {calendar(event("DTSTART:20260602T100000", half, "TRANSP:OPAQUE")), "0602 1000-1030"},
		"cancelled":                {calendar(event("DTSTART:20260602T100000", half, "STATUS:CANCELLED")), ""},
		"tentative":                {calendar(event("DTSTART:20260602T100000", half, "STATUS:TENTATIVE")), "0602 1000-1030"},
		"an alarm":                 {calendar(event("DTSTART:20260602T100000", "BEGIN:VALARM", "DURATION:PT5H", "TRIGGER:-PT15M", "END:VALARM", half)), "0602 1000-1030"},
		"things to do":             {calendar("BEGIN:VTODO\r\nDTSTART:20260602T100000\r\nDURATION:PT1H\r\nEND:VTODO"), ""},
		"a folded line":            {calendar(event("DTSTART;TZID=Amer\r\n ica/New_York:2026\r\n\t0601T070000", half)), "0601 1300-1330"},
		"line feeds only":          {strings.ReplaceAll(calendar(event("DTSTART:2026060\r\n 1T070000", half)), "\r\n", "\n"), "0601 0700-0730"},
		"a byte order mark":        {"\ufeff" + calendar(event("DTSTART:20260601T070000", half)), "0601 0700-0730"},
		"small letters":            {calendar("begin:vevent\r\ndtstart:20260601T070000\r\nduration:PT30M\r\nend:vevent"), "0601 0700-0730"},
		"two calendars":            {calendar(event("DTSTART:20260601T070000", half)) + calendar(event("DTSTART:20260602T070000", half)), "0601 0700-0730, 0602 0700-0730"},
		"the last line is open":    {strings.TrimRight(calendar(event("DTSTART:20260601T070000", half)), "\r\n"), "0601 0700-0730"},
		"they overlap":             {calendar(event("DTSTART:20260602T100000", half), event("DTSTART:20260602T101000", half)), "0602 1000-1030, 0602 1010-1040"},
		"the same twice":           {calendar(event("DTSTART:20260602T100000", half), event("DTSTART:20260602T100000", half)), "0602 1000-1030"},
		"centuries":                {calendar(event("DTSTART:00000101T000000", "DTEND:99991231T000000")), "0101 0000-1231 0000"},
		"no UTF-8":                 {calendar(event("SUMMARY:\xff\xfe", "X-\xff:y", "no property", "DTSTART:20260602T100000", half)), "0602 1000-1030"},
		"a long line of no matter": {calendar(event("ATTACH:"+strings.Repeat("x", 1<<20), "DTSTART:20260602T100000", half)), "0602 1000-1030"},
		"free and busy": {calendar("BEGIN:VFREEBUSY\r\nFREEBUSY:20260601T070000Z/PT1H,20260601T100000Z/20260601T103000Z\r\nFREEBUSY;FBTYPE=FREE:20260602T070000Z/PT1H\r\n" +
			"FREEBUSY;FBTYPE=BUSY-TENTATIVE:20260603T070000Z/PT1H\r\nEND:VFREEBUSY"), "0601 0900-1000, 0601 1200-1230, 0603 0900-1000"},
	}
	compare(t, tests)
}

func TestRecurrences(t *testing.T) {
	t.Parallel()
	const half = "DURATION:PT30M"
	at := func(lines ...string) string { return calendar(event(append(lines, half)...)) }
	tests := map[string]struct{ calendar, want string }{
		"daily":                  {at("DTSTART:20200101T100000", "RRULE:FREQ=DAILY;INTERVAL=3"), "0601 1000-1030, 0604 1000-1030, 0607 1000-1030"},
		"weekdays":               {at("DTSTART:20200106T100000", "RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR"), "0601 1000-1030, 0603 1000-1030, 0605 1000-1030"},
		"every other week":       {at("DTSTART:20260525T100000", "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU"), ""},
		"every other week, this": {at("DTSTART:20260518T100000", "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU"), "0601 1000-1030, 0602 1000-1030"},
		"weeks from Sunday":      {at("DTSTART:20260526T100000", "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU"), "0607 1000-1030"},
		"weeks from Monday":      {at("DTSTART:20260526T100000", "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=MO"), ""},
		"the first Monday":       {at("DTSTART:20200106T100000", "RRULE:FREQ=MONTHLY;BYDAY=1MO"), "0601 1000-1030"},
		"the first working day":  {at("DTSTART:20200101T100000", "RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1"), "0601 1000-1030"},
		"the third day, any":     {at("DTSTART:20200103T100000", "RRULE:FREQ=MONTHLY"), "0603 1000-1030"},
		"the last day":           {at("DTSTART:20200131T100000", "RRULE:FREQ=MONTHLY;BYMONTHDAY=-28,-30"), "0601 1000-1030, 0603 1000-1030"},
		"numbered and plain":     {at("DTSTART:20200101T100000", "RRULE:FREQ=MONTHLY;BYDAY=MO,1TU"), "0601 1000-1030, 0602 1000-1030"},
		"a sixth Monday":         {at("DTSTART:20200101T100000", "RRULE:FREQ=MONTHLY;BYDAY=6MO,-53TU"), ""},
		"a birthday":             {calendar(event("DTSTART;VALUE=DATE:16040604", "RRULE:FREQ=YEARLY")), "0604 0000-0605 0000"},
		"a birthday of any year": {calendar(event("DTSTART;VALUE=DATE:00000604", "RRULE:FREQ=YEARLY")), "0604 0000-0605 0000"},
		"the first of the year":  {at("DTSTART:20000601T100000", "RRULE:FREQ=YEARLY;BYMONTH=6;BYDAY=1TH"), "0604 1000-1030"},
		"a week of the year":     {at("DTSTART:20000601T100000", "RRULE:FREQ=YEARLY;BYWEEKNO=23"), "0604 1000-1030"},
		"a day of the year":      {at("DTSTART:20000601T100000", "RRULE:FREQ=YEARLY;BYYEARDAY=155"), "0604 1000-1030"},
		"every six hours":        {at("DTSTART:20260601T030000", "RRULE:FREQ=HOURLY;INTERVAL=6;COUNT=3"), "0601 0300-0330, 0601 0900-0930, 0601 1500-1530"},
		"hours never reached":    {at("DTSTART:20260601T030000", "RRULE:FREQ=HOURLY;INTERVAL=24;BYHOUR=5"), "0601 0300-0330"},
		"every 1000 minutes":     {at("DTSTART:20260601T030000", "RRULE:FREQ=MINUTELY;INTERVAL=1000;UNTIL=20260602T000000"), "0601 0300-0330, 0601 1940-2010"},
		"twice a day":            {at("DTSTART:20200101T080000", "RRULE:FREQ=DAILY;BYHOUR=8,20;BYMONTH=6;BYMONTHDAY=2"), "0602 0800-0830, 0602 2000-2030"},
		"a date that is none":    {at("DTSTART:20200101T080000", "RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"), ""},
		"dates beside":           {at("DTSTART:20260101T080000", "RDATE:20260602T090000,20260603T090000", "RDATE;VALUE=PERIOD:20260604T090000Z/PT1H"), "0602 0900-0930, 0603 0900-0930, 0604 1100-1200"},
		"dates left out":         {at("DTSTART:20260601T080000", "RRULE:FREQ=DAILY;COUNT=4", "EXDATE:20260602T080000", "EXDATE;TZID=Europe/London:20260603T070000"), "0601 0800-0830, 0604 0800-0830"},
		"a day left out":         {at("DTSTART:20260601T080000", "RRULE:FREQ=DAILY;COUNT=2", "EXDATE;VALUE=DATE:20260601"), "0602 0800-0830"},
		"the start left out":     {at("DTSTART:20260601T080000", "RRULE:FREQ=DAILY;COUNT=2", "EXDATE:20260601T080000"), "0602 0800-0830"},
		"days left out by time":  {calendar(event("DTSTART;VALUE=DATE:20260601", "RRULE:FREQ=DAILY;COUNT=2", "EXDATE:20260601T000000")), "0602 0000-0603 0000"},
		"begins elsewhere":       {at("DTSTART:20260601T080000", "RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=2"), "0601 0800-0830, 0602 0800-0830"},
		"longer than its step":   {calendar(event("DTSTART:20260501T120000", "DURATION:P4D", "RRULE:FREQ=WEEKLY;BYDAY=FR")), "0529 1200-0602 1200, 0605 1200-0609 1200"},
	}
	compare(t, tests)
}

func TestRecurrencesThatEndOrChange(t *testing.T) {
	t.Parallel()
	const half = "DURATION:PT30M"
	at := func(lines ...string) string { return calendar(event(append(lines, half)...)) }
	tests := map[string]struct{ calendar, want string }{
		"count, ended":              {at("DTSTART:20200106T100000", "RRULE:FREQ=WEEKLY;COUNT=300"), ""},
		"count, the last":           {at("DTSTART:20200106T100000", "RRULE:FREQ=WEEKLY;COUNT=335"), "0601 1000-1030"},
		"count, one too few":        {at("DTSTART:20200106T100000", "RRULE:FREQ=WEEKLY;COUNT=334"), ""},
		"count of months":           {at("DTSTART:20200102T100000", "RRULE:FREQ=MONTHLY;COUNT=78"), "0602 1000-1030"},
		"count of months, ended":    {at("DTSTART:20200102T100000", "RRULE:FREQ=MONTHLY;COUNT=77"), ""},
		"count without end":         {at("DTSTART:19700101T100000", "RRULE:FREQ=WEEKLY;COUNT=2147483647"), "0604 1000-1030"},
		"until a local time":        {at("DTSTART:20260601T080000", "RRULE:FREQ=DAILY;UNTIL=20260602T080000"), "0601 0800-0830, 0602 0800-0830"},
		"until before it":           {at("DTSTART:20260601T080000", "RRULE:FREQ=DAILY;UNTIL=20260602T075959"), "0601 0800-0830"},
		"until in UTC":              {at("DTSTART;TZID=Europe/Madrid:20260601T080000", "RRULE:FREQ=DAILY;UNTIL=20260602T060000Z"), "0601 0800-0830, 0602 0800-0830"},
		"until in UTC before it":    {at("DTSTART;TZID=Europe/Madrid:20260601T080000", "RRULE:FREQ=DAILY;UNTIL=20260602T055959Z"), "0601 0800-0830"},
		"until a day":               {at("DTSTART:20260601T080000", "RRULE:FREQ=DAILY;UNTIL=20260602"), "0601 0800-0830, 0602 0800-0830"},
		"days until a day":          {calendar(event("DTSTART;VALUE=DATE:20260601", "RRULE:FREQ=DAILY;UNTIL=20260602")), "0601 0000-0602 0000, 0602 0000-0603 0000"},
		"days until local midnight": {calendar(event("DTSTART;VALUE=DATE:20260601", "RRULE:FREQ=DAILY;UNTIL=20260601T220000Z")), "0601 0000-0602 0000, 0602 0000-0603 0000"},
		"until long ago":            {at("DTSTART:20100601T080000", "RRULE:FREQ=DAILY;UNTIL=20200602T000000Z"), ""},
		"one of them moved": {calendar(event("DTSTART:20260601T080000", "RRULE:FREQ=DAILY;COUNT=3", half),
			event("RECURRENCE-ID:20260602T080000", "DTSTART:20260602T180000", half)), "0601 0800-0830, 0602 1800-1830, 0603 0800-0830"},
		"one of them moved in UTC": {calendar(event("RECURRENCE-ID:20260602T060000Z", "DTSTART:20260602T180000", half),
			event("DTSTART:20260601T080000", "RRULE:FREQ=DAILY;COUNT=3", half)), "0601 0800-0830, 0602 1800-1830, 0603 0800-0830"},
		"one of them cancelled": {calendar(event("DTSTART:20260601T080000", "RRULE:FREQ=DAILY;COUNT=2", half),
			event("RECURRENCE-ID:20260602T080000", "DTSTART:20260602T180000", half, "STATUS:CANCELLED")), "0601 0800-0830"},
		"one of them moved here": {calendar(event("DTSTART:20250601T080000", "RRULE:FREQ=DAILY;COUNT=3", half),
			event("RECURRENCE-ID:20250602T080000", "DTSTART:20260602T180000", half)), "0602 1800-1830"},
		"a day of them moved": {calendar(event("DTSTART;VALUE=DATE:20260601", "RRULE:FREQ=DAILY;COUNT=2"),
			event("RECURRENCE-ID;VALUE=DATE:20260602", "DTSTART;VALUE=DATE:20260605")), "0601 0000-0602 0000, 0605 0000-0606 0000"},
		"one of another moved": {calendar(event("DTSTART:20260601T080000", "RRULE:FREQ=DAILY;COUNT=2", half),
			strings.Replace(event("RECURRENCE-ID:20260602T080000", "DTSTART:20260603T180000", half), "UID:u", "UID:v", 1)), "0601 0800-0830, 0602 0800-0830, 0603 1800-1830"},
		"two rules": {at("DTSTART:20260601T080000", "RRULE:FREQ=WEEKLY;BYDAY=TU", "RRULE:FREQ=WEEKLY;BYDAY=WE"), "0601 0800-0830, 0602 0800-0830, 0603 0800-0830"},
	}
	compare(t, tests)
}

// compare holds what is read of calendars to what should be.
func compare(t *testing.T, tests map[string]struct{ calendar, want string }) {
	t.Helper()
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ical.Busy(strings.NewReader(tt.calendar), week(t))
			if err != nil || spelled(got) != tt.want {
				t.Errorf("got %q, %v; want %q", spelled(got), err, tt.want)
			}
		})
	}
}

func TestWeeksInWhichTheClocksChange(t *testing.T) {
	t.Parallel()
	madrid := zone(t, "Europe/Madrid")
	tests := map[string]struct {
		from time.Time
		days int
		text string
		want string
	}{
		"weekly in spring": {
			time.Date(2026, 3, 22, 0, 0, 0, 0, madrid), 14, "DTSTART;TZID=Europe/Madrid:20260101T100000\r\nDURATION:PT1H\r\nRRULE:FREQ=WEEKLY;BYDAY=SU",
			"0322 1000-1100, 0329 1000-1100",
		},
		"weekly in autumn": {
			time.Date(2026, 10, 18, 0, 0, 0, 0, madrid), 14, "DTSTART;TZID=Europe/Madrid:20260101T100000\r\nDURATION:PT1H\r\nRRULE:FREQ=WEEKLY;BYDAY=SU",
			"1018 1000-1100, 1025 1000-1100",
		},
		"weekly in UTC moves by the clock": {
			time.Date(2026, 3, 22, 0, 0, 0, 0, madrid), 14, "DTSTART:20260101T090000Z\r\nDURATION:PT1H\r\nRRULE:FREQ=WEEKLY;BYDAY=SU",
			"0322 1000-1100, 0329 1100-1200",
		},
		"weekly where the clocks changed before": {
			time.Date(2026, 3, 8, 0, 0, 0, 0, madrid), 8, "DTSTART;TZID=America/New_York:20260101T100000\r\nDURATION:PT1H\r\nRRULE:FREQ=WEEKLY;BYDAY=SA,SU",
			"0308 1500-1600, 0314 1500-1600, 0315 1500-1600",
		},
		"an hour that there is not": {
			time.Date(2026, 3, 28, 0, 0, 0, 0, madrid), 3, "DTSTART;TZID=Europe/Madrid:20260101T023000\r\nDURATION:PT1H\r\nRRULE:FREQ=DAILY",
			"0328 0230-0330, 0329 0330-0430, 0330 0230-0330",
		},
		"an hour that comes twice": {
			time.Date(2026, 10, 25, 0, 0, 0, 0, madrid), 1, "DTSTART;TZID=Europe/Madrid:20260101T023000\r\nDURATION:PT1H\r\nRRULE:FREQ=DAILY",
			"1025 0230-0230",
		},
		"a day of 23 hours": {time.Date(2026, 3, 29, 0, 0, 0, 0, madrid), 1, "DTSTART;VALUE=DATE:20260329", "0329 0000-0330 0000"},
		"a day later by the clock": {
			time.Date(2026, 3, 28, 0, 0, 0, 0, madrid), 2, "DTSTART;TZID=Europe/Madrid:20260328T120000\r\nDURATION:P1D", "0328 1200-0329 1200",
		},
		"24 hours later": {
			time.Date(2026, 3, 28, 0, 0, 0, 0, madrid), 2, "DTSTART;TZID=Europe/Madrid:20260328T120000\r\nDURATION:PT24H", "0328 1200-0329 1300",
		},
		"until in UTC after the change": {
			time.Date(2026, 3, 28, 0, 0, 0, 0, madrid), 5, "DTSTART;TZID=Europe/Madrid:20260328T100000\r\nDURATION:PT1H\r\nRRULE:FREQ=DAILY;UNTIL=20260330T080000Z",
			"0328 1000-1100, 0329 1000-1100, 0330 1000-1100",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := ical.Options{From: tt.from, To: tt.from.AddDate(0, 0, tt.days), Zone: madrid}
			got, err := ical.Busy(strings.NewReader(calendar(event(tt.text))), o)
			if err != nil || spelled(got) != tt.want {
				t.Errorf("got %q, %v; want %q", spelled(got), err, tt.want)
			}
		})
	}
}

func TestPeriodsTellWhoseTheyAre(t *testing.T) {
	t.Parallel()
	ours := written(t, ical.Calendar{Zone: zone(t, "Europe/Madrid"), Events: []ical.Event{
		{UID: `a;b,c\d@frontdesk`, Start: week(t).From.Add(time.Hour), End: week(t).From.Add(2 * time.Hour)},
	}})
	theirs := calendar("BEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20260601\r\nEND:VEVENT")
	got, err := ical.Busy(strings.NewReader(theirs+ours), week(t))
	if err != nil || len(got) != 2 || got[0].UID != "" || !got[0].AllDay || got[1].UID != `a;b,c\d@frontdesk` || got[1].AllDay {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestWhatCannotBeUnderstood(t *testing.T) {
	t.Parallel()
	const half = "DURATION:PT30M"
	good := event("DTSTART:20260602T100000", half)
	tests := map[string]struct {
		calendar string
		want     error
		text     string
	}{
		"nothing at all":        {"", ical.ErrNoCalendar, ""},
		"a page":                {"<!DOCTYPE html><p>Sign in: now</p>", ical.ErrNoCalendar, ""},
		"another format":        {"BEGIN:VCARD\r\nEND:VCARD\r\n", ical.ErrNoCalendar, ""},
		"cut off":               {calendar(good)[:120], ical.ErrNoCalendar, ""},
		"cut off after events":  {strings.TrimSuffix(calendar(good), "END:VCALENDAR\r\n"), ical.ErrNoCalendar, ""},
		"ends of others":        {calendar("BEGIN:VEVENT\r\nEND:VTODO"), ical.ErrNoCalendar, ""},
		"no start":              {calendar(good, event("SUMMARY:x")), ical.ErrValue, `the event "u"`},
		"a start that is none":  {calendar(good, event("DTSTART:20260631T100000", half)), ical.ErrValue, "20260631T100000"},
		"an hour that is none":  {calendar(good, event("DTSTART:20260601T250000", half)), ical.ErrValue, ""},
		"ends before":           {calendar(good, event("DTSTART:20260601T100000", "DTEND:20260601T090000")), ical.ErrValue, ""},
		"a negative duration":   {calendar(good, event("DTSTART:20260601T100000", "DURATION:-PT1H")), ical.ErrValue, ""},
		"a duration of nothing": {calendar(good, event("DTSTART:20260601T100000", "DURATION:P")), ical.ErrValue, ""},
		"hours without T":       {calendar(good, event("DTSTART:20260601T100000", "DURATION:P1H")), ical.ErrValue, ""},
		"millennia":             {calendar(good, event("DTSTART:20260601T100000", "DURATION:P999999999W")), ical.ErrValue, ""},
		"another zone":          {calendar(good, event("DTSTART;TZID=Mars/Olympus:20260601T100000", half)), ical.ErrValue, "Mars/Olympus"},
		"this machine's zone":   {calendar(good, event("DTSTART;TZID=Local:20260601T100000", half)), ical.ErrValue, "Local"},
		"a path to a file":      {calendar(good, event("DTSTART;TZID=../../etc/passwd:20260601T100000", half)), ical.ErrValue, ""},
		"no frequency":          {calendar(good, event("DTSTART:20260601T100000", half, "RRULE:COUNT=2")), ical.ErrValue, ""},
		"another frequency":     {calendar(good, event("DTSTART:20260601T100000", half, "RRULE:FREQ=FORTNIGHTLY")), ical.ErrValue, ""},
		"every second":          {calendar(good, event("DTSTART:20260601T100000", half, "RRULE:FREQ=SECONDLY")), ical.ErrTooMuch, ""},
		"no interval":           {calendar(good, event("DTSTART:20260601T100000", half, "RRULE:FREQ=DAILY;INTERVAL=0")), ical.ErrValue, ""},
		"no count":              {calendar(good, event("DTSTART:20260601T100000", half, "RRULE:FREQ=DAILY;COUNT=-1")), ical.ErrValue, ""},
		"parts twice":           {calendar(good, event("DTSTART:20260601T100000", half, "RRULE:FREQ=DAILY;COUNT=1;COUNT=2")), ical.ErrValue, ""},
		"Easter":                {calendar(good, event("DTSTART:20260601T100000", half, "RRULE:FREQ=YEARLY;BYEASTER=400")), ical.ErrValue, ""},
		"a month that is none":  {calendar(good, event("DTSTART:20260601T100000", half, "RRULE:FREQ=YEARLY;BYMONTH=13")), ical.ErrValue, ""},
		"a day that is none":    {calendar(good, event("DTSTART:20260601T100000", half, "RRULE:FREQ=WEEKLY;BYDAY=XX")), ical.ErrValue, ""},
		"hours of a day":        {calendar(good, event("DTSTART;VALUE=DATE:20260601", "RRULE:FREQ=HOURLY")), ical.ErrValue, ""},
		"all later ones moved":  {calendar(good, event("RECURRENCE-ID;RANGE=THISANDFUTURE:20260601T100000", "DTSTART:20260601T100000", half)), ical.ErrValue, ""},
		"a period without end":  {calendar(good, "BEGIN:VFREEBUSY\r\nUID:f\r\nFREEBUSY:20260601T070000Z\r\nEND:VFREEBUSY"), ical.ErrValue, `"f"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ical.Busy(strings.NewReader(tt.calendar), week(t))
			if !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.text) {
				t.Fatalf("got %v, want %v: %s", err, tt.want, tt.text)
			}
			var about *ical.EventError
			if errors.As(err, &about) != (len(got) > 0) {
				t.Errorf("%d periods beside %v", len(got), err)
			}
		})
	}
}

func TestWhatCannotBeUnderstoodElsewhere(t *testing.T) {
	t.Parallel()
	got, err := ical.Busy(strings.NewReader(calendar(
		event("DTSTART;TZID=Mars/Olympus:20150601T100000", "DURATION:PT30M"),
		event("DTSTART:20150601T100000", "DTEND:20150601T090000"),
		event("DTSTART;TZID=Mars/Olympus:20350601T100000"),
		event("DTSTART:20260602T100000", "DURATION:PT30M"),
	)), week(t))
	if err != nil || spelled(got) != "0602 1000-1030" {
		t.Errorf("got %q, %v", spelled(got), err)
	}
	for _, lines := range [][]string{
		{"DTSTART;TZID=Mars/Olympus:20150601T100000", "RRULE:FREQ=YEARLY"},
		{"DTSTART;TZID=Mars/Olympus:20150601T100000", "DTEND;TZID=Mars/Olympus:20260604T000000"},
		{"DTSTART;TZID=Mars/Olympus:20150601T100000", "DURATION:P11Y"},
		{"DTSTART;TZID=Mars/Olympus:20150601T100000", "DTEND:x"},
	} {
		if _, err := ical.Busy(strings.NewReader(calendar(event(lines...))), week(t)); !errors.Is(err, ical.ErrValue) {
			t.Errorf("%s: %v", lines, err)
		}
	}
}

func TestNoTimeAtAll(t *testing.T) {
	t.Parallel()
	if _, err := ical.Busy(strings.NewReader(calendar()), ical.Options{From: day, To: day}); err == nil {
		t.Error("a time from then till then was accepted")
	}
}
