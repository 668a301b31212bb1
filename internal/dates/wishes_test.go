package dates_test

import (
	"fmt"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/language"
)

// standing is what is being arranged in these tests: Tuesday of next week at
// five in the afternoon.
var standing = dates.Standing{Date: dates.Date{Year: 2026, Month: 3, Day: 10}, Clock: dates.Clock{Hour: 17}, Timed: true}

// readIn reads a text with what stands.
func readIn(text string, standing dates.Standing) dates.Reading {
	return readAt(text, tuesday, standing)
}

func readAt(text string, now time.Time, standing dates.Standing) dates.Reading {
	mix := language.MixOf()
	return dates.ReadTokens(text, mix.Tokens(text), mix, now, nil, dates.AskedNothing, standing)
}

// showWish is showWhen with what narrows the days and hours.
func showWish(w dates.When) string {
	s := showWhen(w)
	add := func(format string, args ...any) {
		if s != "" {
			s += " "
		}
		s += fmt.Sprintf(format, args...)
	}
	for i, name := range []string{"earliest", "latest", "soonest"} {
		if []bool{w.Earliest, w.Latest, w.Soonest}[i] {
			add("%s", name)
		}
	}
	if w.Weekdays != 0 {
		add("weekdays %07b", w.Weekdays)
	}
	for _, x := range w.Refused {
		switch {
		case x.Timed:
			add("not %v", x.Clock)
		case x.To != dates.Clock{}:
			add("not %v-%v", x.From, x.To)
		default:
			add("not %v", x.First)
		}
	}
	return s
}

func checkWishes(t *testing.T, standing dates.Standing, sentences map[string]string) {
	t.Helper()
	for text, want := range sentences {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			if got := showWish(readIn(text, standing).Resolve(tuesday, openIn(week(9, 20)))); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestAnotherOneThanThatWhichWasRefused(t *testing.T) {
	t.Parallel()
	checkWishes(t, dates.Standing{}, map[string]string{
		"este jueves no, el otro":                             "2026-03-12 not 2026-03-05",
		"este jueves no el otro":                              "2026-03-12 not 2026-03-05",
		"no este sábado, el siguiente":                        "2026-03-14 not 2026-03-07",
		"el lunes no, el otro":                                "2026-03-16 not 2026-03-09",
		"el lunes que viene no, el siguiente a las diez":      "2026-03-16 10:00 not 2026-03-09",
		"el viernes de la semana que viene no, el de la otra": "2026-03-20 not 2026-03-13",
		"esta semana no, la otra":                             "2026-03-09..2026-03-15 not 2026-03-03",
		"este finde no, el siguiente":                         "2026-03-14..2026-03-15 not 2026-03-07",
		"este viernes o el otro":                              "ask 2026-03-06 2026-03-13",
		"mañana no, al otro":                                  "2026-03-05 not 2026-03-04",
		"dentro de dos viernes":                               "2026-03-13",
		"not this Monday, the one after":                      "2026-03-16 not 2026-03-09",
		"not this friday but the one after":                   "2026-03-13 not 2026-03-06",
		"this Friday or the next":                             "ask 2026-03-06 2026-03-13",
		"not this weekend, the one after":                     "2026-03-14..2026-03-15 not 2026-03-07",
		"not this week, the following one":                    "2026-03-09..2026-03-15 not 2026-03-03",
		"a week on Friday":                                    "2026-03-13",
		"Friday week":                                         "2026-03-13",
		"in two Fridays":                                      "2026-03-13",
		"the Friday after next":                               "2026-03-20",
		"el otro día estuve ahí":                              "",
		"el siguiente, por favor":                             "",
		"the next one please":                                 "",
	})
}

func TestDaysBesideOthers(t *testing.T) {
	t.Parallel()
	checkWishes(t, dates.Standing{}, map[string]string{
		"the Saturday before Easter":        "2026-04-04",
		"el lunes después de Reyes":         "2027-01-11",
		"Friday after five":                 "2026-03-06 17:00-24:00",
		"the weekend of the 14th":           "2026-03-14..2026-03-15",
		"the first weekend in April":        "2026-04-04..2026-04-05",
		"el primer fin de semana de abril":  "2026-04-04..2026-04-05",
		"early next week":                   "2026-03-09..2026-03-10",
		"a finales de la semana que viene":  "2026-03-12..2026-03-14",
		"the 24th or 25th of December":      "ask 2026-12-24 2026-12-25",
		"a week today":                      "2026-03-10",
		"tomorrow week":                     "2026-03-11",
		"de hoy en ocho":                    "2026-03-10",
		"the day before Christmas Eve":      "2026-12-23",
		"the day after Boxing Day":          "2026-12-27",
		"two days before New Year":          "2026-12-30",
		"the day after the 15th of April":   "2026-04-16",
		"la víspera de Reyes":               "2027-01-05",
		"la víspera del 15 de agosto":       "2026-08-14",
		"el día antes de Nochebuena":        "2026-12-23",
		"el día después de Navidad":         "2026-12-26",
		"dos días antes de Nochevieja":      "2026-12-29",
		"a nombre de Reyes":                 "",
		"the day before my sister's visit":  "",
		"el viernes, o mejor el día antes":  "2026-03-05",
		"Friday, or rather the day before":  "2026-03-05",
		"the day after tomorrow at 5 pm":    "2026-03-05 17:00",
		"the day before yesterday I called": "2026-03-01 past",
	})
}

func TestRelationsToWhatStands(t *testing.T) {
	t.Parallel()
	checkWishes(t, standing, map[string]string{
		"could it be the friday instead":       "2026-03-13",
		"actually that friday":                 "2026-03-13",
		"friday of that week":                  "2026-03-13",
		"mejor el viernes":                     "2026-03-13",
		"no, el viernes":                       "2026-03-13",
		"el viernes de esa semana":             "2026-03-13",
		"ese viernes":                          "2026-03-13",
		"este viernes":                         "2026-03-06",
		"the tuesday after that":               "2026-03-17",
		"el martes siguiente":                  "2026-03-17",
		"this friday":                          "2026-03-06",
		"mejor este viernes":                   "2026-03-06",
		"same time the week after":             "2026-03-17 17:00",
		"the week after, same time":            "2026-03-17 17:00",
		"a la semana siguiente":                "2026-03-17",
		"the day before":                       "2026-03-09",
		"the next day":                         "2026-03-11",
		"el día anterior":                      "2026-03-09",
		"al día siguiente a la misma hora":     "2026-03-11 17:00",
		"al día siguiente a las seis":          "2026-03-11 18:00",
		"that same day at six":                 "2026-03-10 18:00",
		"ese mismo día pero a las seis":        "2026-03-10 18:00",
		"an hour later":                        "2026-03-10 18:00",
		"could it be half an hour earlier?":    "2026-03-10 16:30",
		"15 minutes earlier":                   "2026-03-10 16:45",
		"media hora antes":                     "2026-03-10 16:30",
		"una hora más tarde si puede ser":      "2026-03-10 18:00",
		"two days later":                       "2026-03-12",
		"una semana después":                   "2026-03-17",
		"thursday at the same time":            "2026-03-12 17:00",
		"media hora antes de comer":            "11:00-14:00",
		"an hour before the wedding":           "",
		"mañana a la misma hora":               "2026-03-04 17:00",
		"el jueves 12 a la misma hora":         "2026-03-12 17:00",
		"el otro día":                          "",
		"in an hour":                           "2026-03-03 11:00",
		"tomorrow instead":                     "2026-03-04",
		"eight hours later than that, please.": "2026-03-11 01:00",
	})
}

func TestWithoutWhatStandsRelationsAreCountedFromNow(t *testing.T) {
	t.Parallel()
	checkWishes(t, dates.Standing{}, map[string]string{
		"an hour later":    "2026-03-03 11:00",
		"the next day":     "2026-03-04",
		"the day before":   "",
		"same time":        "",
		"mejor el viernes": "2026-03-06",
	})
	checkWishes(t, dates.Standing{Date: standing.Date}, map[string]string{
		"the day before": "2026-03-09",
		"same time":      "",
	})
}

func TestWishesForTheCalendar(t *testing.T) {
	t.Parallel()
	checkWishes(t, dates.Standing{}, map[string]string{
		"first thing tomorrow":                     "2026-03-04 06:00-10:00 earliest",
		"a primera hora del jueves":                "2026-03-05 06:00-10:00 earliest",
		"when you open on Thursday":                "2026-03-05 06:00-12:00 earliest",
		"el jueves en cuanto abráis":               "2026-03-05 06:00-12:00 earliest",
		"last thing on Friday":                     "2026-03-06 17:00-24:00 latest",
		"a última hora de la tarde":                "18:00-21:00 latest",
		"mid-morning":                              "10:00-12:00",
		"a media mañana":                           "11:00-13:00",
		"a media tarde":                            "17:00-19:00",
		"tomorrow after work":                      "2026-03-04 17:00-24:00",
		"al salir de trabajar":                     "18:00-24:00",
		"after lunch on Monday":                    "2026-03-09 13:00-17:00",
		"el lunes después de comer":                "2026-03-09 15:00-19:00",
		"lunchtime":                                "12:00-14:00",
		"between five and six":                     "17:00-18:00",
		"entre las cinco y las seis":               "17:00-18:00",
		"from half five on":                        "17:30-24:00",
		"a partir de las cinco y media":            "17:30-24:00",
		"not before ten":                           "10:00-24:00",
		"no antes de las diez":                     "10:00-24:00",
		"before noon":                              "00:00-12:00",
		"any afternoon but Wednesday":              "12:00-18:00 not 2026-03-04",
		"cualquier tarde menos el miércoles":       "13:00-21:00 not 2026-03-04",
		"any day except Friday":                    "not 2026-03-06",
		"cualquier día menos el lunes":             "not 2026-03-09",
		"mornings don't work for me":               "not 06:00-12:00",
		"por la mañana no puedo":                   "not 06:00-13:00",
		"no puedo el martes ni el jueves":          "not 2026-03-10 not 2026-03-05",
		"weekday mornings":                         "06:00-12:00 weekdays 0111110",
		"entre semana por la tarde":                "13:00-21:00 weekdays 0111110",
		"except Monday and Tuesday":                "not 2026-03-09 not 2026-03-10",
		"todas las tardes menos martes y jueves":   "13:00-21:00 not 2026-03-10 not 2026-03-05",
		"I can't do Friday at five":                "not 05:00",
		"me viene fatal el jueves":                 "not 2026-03-05",
		"the last slot on Friday":                  "2026-03-06 00:00-24:00 latest",
		"lo antes posible":                         "soonest",
		"mañana cuanto antes":                      "2026-03-04 soonest",
		"the soonest you have":                     "soonest",
		"as soon as possible, not Friday":          "soonest not 2026-03-06",
		"el viernes no, mejor el sábado a las dos": "2026-03-07 14:00 not 2026-03-06",
		"el lunes, ¿no?":                           "2026-03-09",
	})
}

func TestWhatIsToldIsNotWishedFor(t *testing.T) {
	t.Parallel()
	checkWishes(t, dates.Standing{}, map[string]string{
		"I came last Saturday and want to come again on Friday":                      "2026-03-06",
		"el sábado estuve ahí":                                                       "",
		"el sábado estuve ahí y quiero volver el jueves":                             "2026-03-05",
		"me duele desde el lunes, ¿tenéis algo el jueves?":                           "2026-03-05",
		"it's been hurting since Monday, anything on Thursday?":                      "2026-03-05",
		"quiero venir el jueves, me duele desde el lunes":                            "2026-03-05",
		"el bautizo es a la una, quiero venir a las diez":                            "10:00",
		"quiero venir a las diez porque el bautizo es a la una":                      "10:00",
		"el bautizo es el sábado a la una y me gustaría venir el viernes a las once": "2026-03-06 11:00",
		"acabo el turno a las seis entonces a partir de las seis y media":            "18:30-24:00",
		"I finish work at six so anything after half six":                            "18:30-24:00",
		"the film starts at nine so could we have a table at seven":                  "19:00",
		"a table at seven, the film starts at nine":                                  "19:00",
		"check in on Friday, check out on Sunday":                                    "2026-03-06",
		"tres noches desde el viernes":                                               "2026-03-06",
		"mi cumpleaños es el sábado, ¿tenéis mesa?":                                  "2026-03-07",
	})
}

func TestOtherNumbersAreNoDates(t *testing.T) {
	t.Parallel()
	checkWishes(t, dates.Standing{}, map[string]string{
		"calle del Mar 12": "",
		"vivo en la calle del mar 12, mañana a las cinco": "2026-03-04 17:00",
		"avenida de la Constitución 3, segundo B":         "",
		"C/ Mayor 8, el lunes":                            "2026-03-09",
		"plaza de mayo 5 el viernes a las 10":             "2026-03-06 10:00",
		"número 3":                                        "",
		"12 Cotham Brow":                                  "",
		"I live at 12 Cotham Brow, tomorrow at 3":         "2026-03-04 15:00",
		"at 4 Primrose Hill on Friday":                    "2026-03-06",
		"tiene seis años":                                 "",
		"she's nine weeks old":                            "",
		"una hora y media":                                "",
		"two nights":                                      "",
		"talla 38":                                        "",
		"size 10":                                         "",
		"son 12 euros":                                    "",
		"we'd like a table":                               "",
		"one of us uses a wheelchair":                     "",
	})
}

func TestCorrectionsAndSpellingsOfRecognisers(t *testing.T) {
	t.Parallel()
	checkWishes(t, dates.Standing{}, map[string]string{
		"a las cinco, perdón, cinco y media":      "17:30",
		"a las cinco digo a las seis":             "18:00",
		"half two, no, sorry, quarter past three": "15:15",
		"at eight thirty p m":                     "20:30",
		"a las nueve i media":                     "09:30",
		"at 8 30 in the evening":                  "20:30",
		"a las 8 30 de la tarde":                  "20:30",
		"um on uh friday at at five thirty":       "2026-03-06 17:30",
		"el eh viernes a las a las cinco":         "2026-03-06 17:00",
		"el tres de eh de marzo":                  "2026-03-03",
		"on five/twelve":                          "2026-05-12",
		"at eight.30 pm":                          "20:30",
		"el 1 º de julio":                         "2026-07-01",
		"2027/23 sep":                             "2027-09-23",
	})
}

func TestAReadingCountsFromWhatStands(t *testing.T) {
	t.Parallel()
	later := dates.Standing{Date: dates.Date{Year: 2026, Month: 4, Day: 1}, Clock: dates.Clock{Hour: 9}, Timed: true}
	for text, want := range map[string]string{
		"an hour later":                    "2026-04-01 10:00",
		"al día siguiente a la misma hora": "2026-04-02 09:00",
		"on Friday":                        "2026-03-06",
	} {
		if got := showWish(readIn(text, standing).From(later).Resolve(tuesday, openIn(week(9, 20)))); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	if got := showWish(readIn("an hour later", standing).From(dates.Standing{}).Resolve(tuesday, openIn(unknown))); got != "2026-03-10 18:00" {
		t.Errorf("without another, what stood holds: got %q", got)
	}
}

func TestNoDateIsSaidInFigures(t *testing.T) {
	t.Parallel()
	if got := dates.SayDate(dates.Date{}, "es", tuesday); got != "0000-00-00" {
		t.Errorf("got %q", got)
	}
}

func TestADayWithWhatStandsAgainstItIsNotWanted(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 18, 10, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"en monday at four oh hang on monday there's the school play so tuesday at four":                "2026-11-24",
		"en saturday at eleven no hold on saturday is my sister's wedding sunday at eleven then":        "2026-11-22",
		"en tuesday at ten no tuesday is good wednesday i have work":                                    "2026-11-24",
		"en thursday at ten, friday i have the dentist":                                                 "2026-11-19",
		"es pues el viernes a las seis no espera el viernes mi hija tiene función el sábado a las doce": "2026-11-21",
		"es el sábado a la una no perdón el sábado es el bautizo el domingo a la una":                   "2026-11-22",
		"es el jueves a las diez, el viernes tengo médico":                                              "2026-11-19",
	} {
		w := dates.Read(text[3:], now, text[:2]).Resolve(now, nil)
		if got := w.Date.String(); got != want {
			t.Errorf("%q\n got %s\nwant %s", text, got, want)
		}
	}
}
