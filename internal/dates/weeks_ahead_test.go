package dates_test

import (
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/dates"
)

// wednesday is now where days more than a week ahead are arranged: Wednesday,
// 18 November 2026.
var wednesday = time.Date(2026, time.November, 18, 10, 0, 0, 0, time.UTC)

func checkOnWednesday(t *testing.T, standing dates.Standing, sentences map[string]string) {
	t.Helper()
	for text, want := range sentences {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			if got := showWish(readAt(text, wednesday, standing).Resolve(wednesday, openIn(week(9, 20)))); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestTheFirstThingOfADayIsNoDayOfTheMonth(t *testing.T) {
	t.Parallel()
	checkOnWednesday(t, dates.Standing{}, map[string]string{
		"a week on Thursday, first thing":             "2026-11-26 06:00-10:00 earliest",
		"a week on monday first thing if you can":     "2026-11-30 06:00-10:00 earliest",
		"Friday, first thing":                         "2026-11-20 06:00-10:00 earliest",
		"Friday last thing":                           "2026-11-20 17:00-24:00 latest",
		"Friday, the first slot":                      "2026-11-20 soonest",
		"Friday, first available":                     "2026-11-20 soonest",
		"el viernes, a primera hora":                  "2026-11-20 06:00-10:00 earliest",
		"el viernes primera hora":                     "2026-11-20 06:00-10:00 earliest",
		"el viernes, el primer hueco":                 "2026-11-20 soonest",
		"el lunes a última hora":                      "2026-11-23 17:00-24:00 latest",
		"Friday the first":                            "2027-01-01",
		"Friday the first of January":                 "2027-01-01",
		"el viernes, primero de enero":                "2027-01-01",
		"the first thing I need to know is the price": "",
	})
}

func TestWeeksAreCountedFromToday(t *testing.T) {
	t.Parallel()
	checkOnWednesday(t, dates.Standing{}, map[string]string{
		"Wednesday week":            "2026-11-25",
		"a week on Wednesday":       "2026-11-25",
		"today week":                "2026-11-25",
		"a week today":              "2026-11-25",
		"Friday week":               "2026-11-27",
		"Tuesday week":              "2026-12-01",
		"a fortnight on Friday":     "2026-12-04",
		"el viernes en ocho":        "2026-11-27",
		"de este miércoles en ocho": "2026-11-25",
		"on Wednesday":              "2026-11-25",
	})
}

func TestWhatIsToldOfTheDayThatStandsLeavesIt(t *testing.T) {
	t.Parallel()
	thursday := dates.Standing{Date: dates.Date{Year: 2026, Month: 11, Day: 26}, Clock: dates.Clock{Hour: 10}, Timed: true}
	checkOnWednesday(t, thursday, map[string]string{
		"hang on, thursday i'm on nights, could it be the friday instead, same time": "2026-11-27 10:00",
		"i work thursdays, friday would be better":                                   "2026-11-27",
		"she is away that day, do the day before same time":                          "2026-11-25 10:00",
		"that day i can't, the day after?":                                           "2026-11-27 not 2026-11-26",
		"uy el jueves trabajo, mejor el viernes a la misma hora":                     "2026-11-27 10:00 not 2026-11-26",
		"ese día mi mujer no está, el día antes a la misma hora":                     "2026-11-25 10:00",
		"thursday":                    "2026-11-26",
		"el jueves":                   "2026-11-26",
		"this thursday":               "2026-11-19",
		"este jueves":                 "2026-11-19",
		"can you move it to thursday": "2026-11-19",
		"friday":                      "2026-11-20",
	})
}

func TestADayThatIsAgreedToIsNearWhatStands(t *testing.T) {
	t.Parallel()
	friday := dates.Standing{Date: dates.Date{Year: 2026, Month: 12, Day: 4}}
	checkOnWednesday(t, friday, map[string]string{
		"yeah, thursday is fine":    "2026-12-03",
		"ok, thursday then":         "2026-12-03",
		"the thursday":              "2026-12-03",
		"that thursday":             "2026-12-03",
		"vale, el jueves":           "2026-12-03",
		"el jueves me va bien":      "2026-12-03",
		"ese jueves":                "2026-12-03",
		"yes but this thursday":     "2026-11-19",
		"yes, next thursday":        "2026-11-26",
		"sí, pero este jueves":      "2026-11-19",
		"thursday":                  "2026-11-19",
		"yes, the 10th of december": "2026-12-10",
	})
	monday := dates.Standing{Date: dates.Date{Year: 2026, Month: 11, Day: 23}}
	checkOnWednesday(t, monday, map[string]string{
		"yeah, friday's good":  "2026-11-20",
		"sí, el viernes mismo": "2026-11-20",
	})
}

func TestSmallWordsForLengthsOfTime(t *testing.T) {
	t.Parallel()
	three := dates.Standing{Date: dates.Date{Year: 2026, Month: 12, Day: 4}, Clock: dates.Clock{Hour: 15}, Timed: true}
	checkOnWednesday(t, three, map[string]string{
		"media horita más tarde":        "2026-12-04 15:30",
		"una horita antes":              "2026-12-04 14:00",
		"una horita y media después":    "2026-12-04 16:30",
		"diez minutitos antes":          "2026-12-04 14:50",
		"un ratito más tarde":           "2026-12-04 15:30",
		"a little while later":          "2026-12-04 15:30",
		"un ratito":                     "",
		"en un ratito":                  "",
		"hace un ratito que llamé":      "",
		"en una horita":                 "2026-11-18 11:00",
		"dentro de un par de semanitas": "2026-12-02",
		"mañanita a las diez":           "2026-11-19 10:00",
		"el lunes tempranito":           "2026-11-23 06:00-10:00",
		"algo más tempranito":           "",
	})
}

func TestHoursInsideOfLongerSentences(t *testing.T) {
	t.Parallel()
	checkOnWednesday(t, dates.Standing{}, map[string]string{
		"could somebody come on Monday, not before ten because of the nurse?": "2026-11-23 10:00-24:00",
		"Monday but not before ten my daughter drives me":                     "2026-11-23 10:00-24:00",
		"it has to be after five because I work":                              "17:00-24:00",
		"after five, after five if you can":                                   "17:00-24:00",
		"After five. It has to be after five.":                                "17:00-24:00",
		"after five only":                                                     "17:00-24:00",
		"after five sessions":                                                 "",
		"after five people":                                                   "",
		"can one of your people come at two":                                  "14:00",
		"el lunes, no antes de las diez por la enfermera":                     "2026-11-23 10:00-24:00",
		"tiene que ser a partir de las cinco y media porque trabajo":          "17:30-24:00",
		"a partir de cinco y media":                                           "17:30-24:00",
		"las cinco porque salgo tarde":                                        "17:00",
		"a partir de 3 de marzo":                                              "2027-03-03",
		"a partir de 3 personas":                                              "",
		"from 3 March":                                                        "2027-03-03",
	})
}

func TestTheEarliestAndTheLatest(t *testing.T) {
	t.Parallel()
	checkOnWednesday(t, dates.Standing{}, map[string]string{
		"Friday as early as you can":                 "2026-11-20 earliest",
		"the earliest you've got on Friday":          "2026-11-20 earliest",
		"as early as you can":                        "earliest soonest",
		"as early as possible next week":             "2026-11-23..2026-11-29 earliest soonest",
		"as early as you can after five on Friday":   "2026-11-20 17:00-24:00 earliest",
		"the latest you have":                        "00:00-24:00 latest",
		"the latest you've got on Friday":            "2026-11-20 00:00-24:00 latest",
		"el viernes lo más temprano posible":         "2026-11-20 earliest",
		"el lunes, lo más temprano que puedan venir": "2026-11-23 earliest",
		"lo más temprano que vengáis":                "earliest soonest",
		"lo más tarde que tengan el lunes":           "2026-11-23 00:00-24:00 latest",
		"lo más tarde que salgáis el lunes":          "2026-11-23 00:00-24:00 latest",
		"lo más temprano que puedo es a las diez":    "10:00",
		"by Friday at the latest":                    "2026-11-18..2026-11-20",
	})
}
