package opening_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/opening"
)

// everyDay is a house that is open from nine to five every day.
func everyDay(words, zone string) frontdesk.Agent {
	hours := frontdesk.Hours{}
	for i := range hours {
		hours[i] = frontdesk.Shift{Open: 9, Close: 17}
	}
	a := frontdesk.Agent{Slug: "shop", Timezone: zone}
	a.Config.Hours = &hours
	a.Config.Business.HoursHuman = words
	return a
}

func TestWordsThatCloseAHouse(t *testing.T) {
	t.Parallel()
	for words, test := range map[string]struct {
		zone         string
		closed, open []string
	}{
		"Daily 9 to 5. Closed on Thanksgiving and Christmas Day.":                     {"America/New_York", []string{"2026-11-26", "2026-12-25"}, []string{"2026-11-27", "2026-12-24"}},
		"Open every day except New Year's Day.":                                       {"Europe/London", []string{"2027-01-01"}, []string{"2026-12-31", "2027-01-02"}},
		"Every day 9 to 5, closed bank holidays and Easter Sunday":                    {"Europe/Dublin", []string{"2026-10-26", "2026-04-05"}, []string{"2026-10-27"}},
		"We are closed in August.":                                                    {"Europe/London", []string{"2026-08-01", "2026-08-31"}, []string{"2026-07-31", "2026-09-01"}},
		"Closed for our summer holidays in July and August.":                          {"Europe/London", []string{"2026-07-10", "2026-08-10"}, []string{"2026-06-30"}},
		"Closed on Sundays in August.":                                                {"Europe/London", nil, []string{"2026-08-03", "2026-08-04"}},
		"Closed the first two weeks of August.":                                       {"Europe/London", nil, []string{"2026-08-03"}},
		"Closed 24 December to 2 January.":                                            {"Europe/London", nil, []string{"2026-12-15", "2027-01-15"}},
		"Closed on Mondays except in August.":                                         {"Europe/London", nil, []string{"2026-08-03"}},
		"Open in August. Closed at lunchtime.":                                        {"Europe/London", nil, []string{"2026-08-03"}},
		"Todos los días de 9 a 17. Cerrado por vacaciones en agosto.":                 {"Europe/Madrid", []string{"2026-08-15"}, []string{"2026-09-01"}},
		"De lunes a sábado de 9:00 a 17:00. Domingos y festivos, cerrado.":            {"Europe/Madrid", []string{"2026-10-12"}, []string{"2026-10-13"}},
		"Abrimos todos los días menos Navidad y Año Nuevo.":                           {"America/Mexico_City", []string{"2026-12-25", "2027-01-01"}, []string{"2026-12-24"}},
		"Cerramos los lunes y todo el mes de enero.":                                  {"America/Argentina/Buenos_Aires", []string{"2027-01-12"}, []string{"2027-02-01"}},
		"Cerrado la primera quincena de agosto.":                                      {"Europe/Madrid", nil, []string{"2026-08-03"}},
		"Cerrado el 24 de junio y el 8 de septiembre.":                                {"Europe/Madrid", []string{"2026-06-24", "2026-09-08"}, []string{"2026-06-25", "2026-09-24"}},
		"Daily 9 to 5, closed July 5th.":                                              {"Europe/London", []string{"2026-07-05"}, []string{"2026-07-06", "2026-08-05"}},
		"Cerrado del 1 al 15 de agosto.":                                              {"Europe/Madrid", nil, []string{"2026-08-03", "2026-08-15"}},
		"En agosto cerrado":                                                           {"Europe/Madrid", []string{"2026-08-03"}, nil},
		"Lunes a viernes de 9 a 17 y en agosto de 9 a 15, sábados y domingos cerrado": {"Europe/Madrid", nil, []string{"2026-08-03"}},
	} {
		hours, err := opening.Of(everyDay(words, test.zone))
		if err != nil {
			t.Fatal(err)
		}
		for _, day := range test.closed {
			if d := hours.Day(date(t, day)); len(d.Open) > 0 {
				t.Errorf("%q: open on %s", words, day)
			}
		}
		for _, day := range test.open {
			if d := hours.Day(date(t, day)); len(d.Open) == 0 {
				t.Errorf("%q: closed on %s", words, day)
			}
		}
	}
}

func TestExceptionsReplaceWords(t *testing.T) {
	t.Parallel()
	a := everyDay("Closed in August.", "Europe/London")
	a.Settings.Calendar.Exceptions = []frontdesk.Exception{{From: date(t, "2026-12-25"), To: date(t, "2026-12-26")}}
	hours, err := opening.Of(a)
	if err != nil {
		t.Fatal(err)
	}
	if d := hours.Day(date(t, "2026-08-03")); len(d.Open) == 0 {
		t.Error("the words count beside the book")
	}
}

func date(t *testing.T, s string) frontdesk.Date {
	t.Helper()
	d, ok := frontdesk.ParseDate(s)
	if !ok {
		t.Fatalf("%s is no date", s)
	}
	return d
}
