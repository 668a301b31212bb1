package dates_test

import (
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/dates"
)

func day(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 12, 0, 0, 0, time.UTC) }

func TestDatesRollForward(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		now              time.Time
		lang, text, want string
	}{
		"a day that has passed is next month's":          {day(2026, 3, 5), "es", "el 3", "2026-04-03"},
		"a day that is today is today":                   {day(2026, 3, 5), "en", "the 5th", "2026-03-05"},
		"the 31st waits for a month that has one":        {day(2026, 4, 2), "en", "the 31st", "2026-05-31"},
		"the 30th in February is in March":               {day(2026, 2, 10), "es", "el 30", "2026-03-30"},
		"a month that has passed is next year's":         {day(2026, 3, 5), "es", "el 4 de marzo", "2027-03-04"},
		"in December, January is next year's":            {day(2026, 12, 30), "en", "January 2nd", "2027-01-02"},
		"in December, the 2nd is next year's":            {day(2026, 12, 30), "en", "the 2nd", "2027-01-02"},
		"29 February waits for a leap year":              {day(2026, 3, 5), "es", "el 29 de febrero", "2028-02-29"},
		"29 February of a year without it is no date":    {day(2026, 3, 5), "en", "February 29th 2027", "no such date"},
		"Monday said on a Monday is a week away":         {day(2026, 3, 9), "en", "on Monday", "2026-03-16"},
		"lunes dicho en lunes es el siguiente":           {day(2026, 3, 9), "es", "el lunes", "2026-03-16"},
		"today is today even when its name follows":      {day(2026, 3, 9), "en", "today, Monday", "2026-03-09"},
		"next Sunday said on a Sunday is a week away":    {day(2026, 3, 8), "en", "next Sunday", "2026-03-15"},
		"next Monday said on a Sunday is tomorrow":       {day(2026, 3, 8), "en", "next Monday", "2026-03-09"},
		"next Saturday is the one of next week":          {day(2026, 3, 9), "en", "next Saturday", "2026-03-21"},
		"este sábado es el primero que llega":            {day(2026, 3, 9), "es", "este sábado", "2026-03-14"},
		"el próximo sábado es el primero que llega":      {day(2026, 3, 9), "es", "el próximo sábado", "2026-03-14"},
		"el próximo sábado no es mañana":                 {day(2026, 3, 13), "es", "el próximo sábado", "2026-03-21"},
		"el sábado que viene no es mañana":               {day(2026, 3, 13), "es", "el sábado que viene", "2026-03-21"},
		"el sábado sí es mañana":                         {day(2026, 3, 13), "es", "el sábado", "2026-03-14"},
		"a month after 31 January is the end of Feb":     {day(2026, 1, 31), "en", "in a month", "2026-02-28"},
		"the weekend said on a Sunday is what is left":   {day(2026, 3, 8), "en", "this weekend", "2026-03-08..2026-03-08"},
		"this week said on a Sunday is today":            {day(2026, 3, 8), "es", "esta semana", "2026-03-08..2026-03-08"},
		"next week over the end of the year":             {day(2026, 12, 29), "es", "la semana que viene", "2027-01-04..2027-01-10"},
		"tomorrow over the end of a month":               {day(2026, 2, 28), "en", "tomorrow", "2026-03-01"},
		"pasado mañana over the end of the year":         {day(2026, 12, 30), "es", "pasado mañana", "2027-01-01"},
		"Easter that has passed is next year's":          {day(2026, 4, 6), "en", "Easter", "2027-03-28"},
		"a year that is said is kept, though it is past": {day(2026, 4, 6), "es", "el 3 de mayo de 1985", "1985-05-03"},
		"before the small hours of a night they are its": {time.Date(2026, 3, 7, 0, 30, 0, 0, time.UTC), "es", "esta noche a la una", "2026-03-07 01:00"},
		"in the evening they are tomorrow's":             {time.Date(2026, 3, 6, 20, 0, 0, 0, time.UTC), "es", "esta noche a la una", "2026-03-07 01:00"},
		"the month that is running begins today":         {day(2026, 5, 20), "en", "in May", "2026-05-20..2026-05-31"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := show(dates.Read(c.text, c.now, c.lang)); got != c.want {
				t.Errorf("%q: got %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func TestFiguresFollowTheLanguage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ lang, text, want string }{
		"Spanish puts the day first":                   {"es", "el 4/5", "2026-05-04"},
		"English puts the month first":                 {"en", "on 4/5", "2026-04-05"},
		"an impossible order is turned round":          {"en", "on 25/4", "2026-04-25"},
		"and in Spanish":                               {"es", "el 4/25", "2026-04-25"},
		"the weekday decides":                          {"en", "Monday 4/5", "2026-05-04"},
		"the language of the text decides without one": {"", "can you make it on 4/5", "2026-04-05"},
		"and in Spanish without one":                   {"", "me va bien el 4/5", "2026-05-04"},
		"years have two figures or four":               {"es", "el 4/5/27", "2027-05-04"},
		"dots need a year":                             {"es", "el 4.5.2027", "2027-05-04"},
		"a month may be a word":                        {"es", "4-may-2027", "2027-05-04"},
		"the order of machines":                        {"en", "2027-05-04", "2027-05-04"},
		"there is no 32nd":                             {"es", "32/1", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := show(dates.Read(c.text, tuesday, c.lang)); got != c.want {
				t.Errorf("%q: got %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func TestAnAnswerGivesANumberItsMeaning(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		asked            dates.Asked
		lang, text, want string
	}{
		"a number is nothing by itself":     {dates.AskedNothing, "en", "six", ""},
		"a time when one was asked for":     {dates.AskedTime, "en", "six", "06:00?"},
		"with manners around it":            {dates.AskedTime, "es", "pues mejor las seis por favor", "06:00?"},
		"a day when one was asked for":      {dates.AskedDay, "es", "quince", "2026-03-15"},
		"an ordinal is a day":               {dates.AskedDay, "en", "the first please", "2026-04-01"},
		"a count is never a time":           {dates.AskedTime, "en", "six people", ""},
		"a name is still no day":            {dates.AskedDay, "es", "me llamo Domingo", ""},
		"now that all is right is no time":  {dates.AskedTime, "es", "ahora sí", ""},
		"now that nobody knows is no time":  {dates.AskedDay, "en", "right now I don't know", ""},
		"the first of something is no day":  {dates.AskedDay, "es", "el primer hueco que tengan", ""},
		"now is a time when one was asked":  {dates.AskedTime, "es", "ahora mismo", "@10:00"},
		"a whole sentence is read as ever":  {dates.AskedTime, "es", "para 4 a las 9 de la noche", "21:00"},
		"an hour of the afternoon is given": {dates.AskedTime, "en", "17", "17:00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := show(dates.ReadAnswer(c.text, tuesday, c.lang, c.asked)); got != c.want {
				t.Errorf("%q: got %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func TestMentionsTellTheirPlaces(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"mesa para 4 a las 9":                                    "a las 9",
		"¿Tenéis algo el miércoles por la mañana?":               "el miércoles|por la mañana",
		"Thursday at five, no, better Friday":                    "Thursday|at five|Friday",
		"the day after tomorrow, for six people, at half past 8": "the day after tomorrow|at half past 8",
		"MAÑANA A LAS 8 P.M.":                                    "MAÑANA|A LAS 8 P.M",
		"soy Iñaki, el próximo sábado a las nueve":               "el próximo sábado|a las nueve",
		"buenas tardes, para dos":                                "",
		"from the 3rd to the 5th of April, between 10 and 12 am": "from the 3rd to the 5th of April|between 10 and 12 am",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, m := range dates.Read(text, tuesday, "").Mentions {
				got = append(got, text[m.Start:m.End])
			}
			if joined := strings.Join(got, "|"); joined != want {
				t.Errorf("got %q, want %q", joined, want)
			}
		})
	}
}

func TestWithoutLeavesTheRest(t *testing.T) {
	t.Parallel()
	text := "mesa para 4 mañana a las 9 a nombre de Núñez"
	rest := dates.Read(text, tuesday, "es").Without(text)
	if got := strings.Join(strings.Fields(rest), " "); got != "mesa para 4 a nombre de Núñez" {
		t.Errorf("left %q", got)
	}
	if len(rest) != len(text) {
		t.Errorf("%d bytes of %d are left: places have moved", len(rest), len(text))
	}
}

func TestInstantsAreInTheZoneOfNow(t *testing.T) {
	t.Parallel()
	m, ok := dates.Read("in an hour and a half", tuesday, "en").Time()
	if !ok || !m.At.Equal(tuesday.Add(90*time.Minute)) || m.At.Location() != tuesday.Location() {
		t.Errorf("got %v", m.At)
	}
}

func BenchmarkRead(b *testing.B) {
	for name, text := range map[string]string{
		"spanish":  "hola buenas quería una mesa para cuatro el viernes que viene a las nueve y media de la noche a nombre de García",
		"english":  "hi there I'd like to book a table for four next Friday at half past eight in the evening, no, better on Saturday",
		"no dates": "could you tell me whether you have parking nearby and whether dogs are allowed on the terrace please",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				dates.Read(text, tuesday, "")
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	for text := range spanish {
		f.Add(text, "es", int64(0))
	}
	for text := range english {
		f.Add(text, "en", int64(1_000_000))
	}
	f.Add("semana despues de w/s\xd6/", "es", int64(35))
	f.Fuzz(func(t *testing.T, text, lang string, seconds int64) {
		now := time.Unix(seconds%(200*365*24*3600), 0).UTC()
		r := dates.Read(text, now, lang)
		last := 0
		for _, m := range r.Mentions {
			if m.Start < last || m.End <= m.Start || m.End > len(text) {
				t.Fatalf("mention %d to %d of %d bytes, after one that ended at %d", m.Start, m.End, len(text), last)
			}
			last = m.End
			if m.Clock.Hour > 23 || m.Clock.Hour < 0 || m.Clock.Minute > 59 || m.From.Hour > 24 || m.To.Hour > 24 {
				t.Fatalf("no such time: %+v", m)
			}
		}
		if again := dates.Read(text, now, lang); show(again) != show(r) || len(again.Mentions) != len(r.Mentions) {
			t.Fatalf("read twice, %q and %q", show(r), show(again))
		}
	})
}
