package dates_test

import (
	"testing"
	"testing/fstest"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/language"
)

// madeUp is a language that nobody speaks. That its few lines are enough shows
// that the reader knows no language but by its folder.
const madeUp = `
[cardinals]
un = 1
du = 2
tri = 3
kvar = 4
dek = 10
dudek = 20

[dates]
order = day-month
tens_joiner = kaj
tens_joined_from = 20

[calendar weekdays]
lundo = 1
mardo = 2
vendredo = 5

[calendar months]
marto = 3
aprilo = 4

[calendar relatives]
hodiau = 0
morgau = 1

[calendar leads]
je la = at strong
post la = from strong

[calendar minutes_after]
kaj = 1

[calendar fractions]
duono = 30

[calendar day_marks]
la

[calendar month_links]
de

[calendar spoken_parts]
posttagmeze = afternoon 12-18

[calendar others]
la alia = 1

[calendar denied]
ne

[calendar which_before]
tiu = this

[wording]
weekdays: dimanco lundo mardo merkredo jaudo vendredo sabato
months: januaro februaro marto aprilo majo junio julio augusto septembro oktobro novembro decembro
said_date: {weekday} {day} {month}
said_date_year: {weekday} {day} {month} {year}
said_today: hodiau, {date}
said_tomorrow: morgau, {date}
said_other: {date}
said_figures: je {hour} {part}
said_figures_minutes: je {hour}:{minutes} {part}

[calendar said_parts]
16 = posttagmeze
`

func TestALanguageIsItsFolder(t *testing.T) {
	t.Parallel()
	l, err := language.Load("xx", fstest.MapFS{"all.txt": {Data: []byte(madeUp)}})
	if err != nil {
		t.Fatal(err)
	}
	mix := language.NewMix(l)
	for text, want := range map[string]string{
		"morgau je la kvar kaj duono posttagmeze": "2026-03-04 16:30",
		"la dudek kaj tri de marto":               "2026-03-23",
		"tiu vendredo ne, la alia":                "2026-03-13",
		"4/3":                                     "2026-03-04",
		"lundo post la tri":                       "2026-03-09 03:00-24:00?",
		"tomorrow at four":                        "",
	} {
		if got := show(dates.ReadTokens(text, mix.Tokens(text), mix, tuesday, l, dates.AskedNothing, dates.Standing{})); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	if got := dates.SayDateIn(l, dates.Date{Year: 2026, Month: 3, Day: 6}, tuesday); got != "vendredo 6 marto" {
		t.Errorf("the date is said %q", got)
	}
	if got := dates.SayTimeIn(l, dates.Clock{Hour: 16, Minute: 30}); got != "je 4:30 posttagmeze" {
		t.Errorf("the time is said %q", got)
	}
}
