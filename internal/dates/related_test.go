package dates_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/dates"
)

// settled is what a caller has heard already: Friday, 27 November, five in the
// afternoon.
var settled = dates.Standing{Date: dates.Date{Year: 2026, Month: 11, Day: 27}, Clock: dates.Clock{Hour: 17}, Timed: true, Settled: true}

func TestAWeekdayThatCorrectsIsOfTheWeekOfWhatStands(t *testing.T) {
	t.Parallel()
	checkOnWednesday(t, settled, map[string]string{
		"I'm teaching that evening, shift it to Saturday at eleven": "2026-11-28 11:00 not 17:00-22:00",
		"esa tarde tengo clase, pásala al sábado a las once":        "2026-11-28 11:00 not 13:00-21:00",
		"could we make it Wednesday":                                "2026-11-25",
		"ponme el miércoles":                                        "2026-11-25",
		"this Thursday":                                             "2026-11-19",
		"este jueves":                                               "2026-11-19",
		"next Tuesday":                                              "2026-11-24",
		"the Tuesday following":                                     "2026-12-01",
		"el martes siguiente":                                       "2026-12-01",
		"the Wednesday before":                                      "2026-11-25",
		"el miércoles anterior":                                     "2026-11-25",
		"el martes de la semana siguiente":                          "2026-12-01",
		"ese viernes no, el siguiente":                              "2026-12-04 not 2026-11-27",
		"not that Friday, the one after":                            "2026-12-04 not 2026-11-27",
		"Friday is no good, the week after":                         "2026-12-04 not 2026-11-27",
		"yes, Friday at five":                                       "2026-11-27 17:00",
	})
	near := settled
	near.Date.Day = 20
	checkOnWednesday(t, near, map[string]string{
		"could we make it Tuesday": "2026-11-24", // that of its week has passed
	})
}

func TestRelationsToADayOfTheSameLine(t *testing.T) {
	t.Parallel()
	checkOnWednesday(t, dates.Standing{}, map[string]string{
		"the concert is on Saturday the 12th of December at six, I'd like to come on the Tuesday of that week": "2026-12-08",
		"el concierto es el sábado 12 de diciembre a las seis, quiero venir el martes de esa semana":           "2026-12-08",
		"we travel on the 12th of December, so three days earlier":                                             "2026-12-09",
		"viajamos el 12 de diciembre, tres días antes":                                                         "2026-12-09",
		"we travel on the 12th of December, the Thursday before that":                                          "2026-12-10",
		"viajamos el 12 de diciembre, el jueves anterior":                                                      "2026-12-10",
		"we travel on the 12th of December, on the Thursday of the week before":                                "2026-12-03",
		"viajamos el 12 de diciembre, el jueves de la semana anterior":                                         "2026-12-03",
		"we travel on the 12th of December, some time the week before":                                         "2026-11-30..2026-12-06",
		"the party is on the 12th of December, that same morning please":                                       "2026-12-12 06:00-12:00",
		"la fiesta es el 12 de diciembre, sería esa misma mañana":                                              "2026-12-12 06:00-13:00",
		"the party is on the 12th of December, the evening before":                                             "2026-12-11 17:00-22:00",
		"la fiesta es el 12 de diciembre, la tarde anterior":                                                   "2026-12-11 13:00-21:00",
		"Monday, no, Tuesday, not this Tuesday the one after":                                                  "2026-12-01 not 2026-11-24",
		"Tuesday, but not this one, the next":                                                                  "2026-12-01",
		"el martes, pero no este, el otro":                                                                     "2026-12-01",
		"el martes, este no, el que viene":                                                                     "2026-12-01",
		"el martes, no este martes, el otro martes":                                                            "2026-12-01 not 2026-11-24",
		"not this Tuesday, the week after":                                                                     "2026-12-01 not 2026-11-24",
		"el otro martes":                                                                                       "2026-12-01",
	})
}

func TestDaysBesideFeasts(t *testing.T) {
	t.Parallel()
	checkOnWednesday(t, dates.Standing{}, map[string]string{
		"el domingo antes del día de las velitas": "2026-12-06",
		"el lunes después de la Purísima":         "2026-12-14",
		"the last Friday before Christmas":        "2026-12-18",
		"the Wednesday before Thanksgiving":       "2026-11-25",
		"the Saturday after Black Friday":         "2026-11-28",
		"Memorial Day":                            "2027-05-31",
		"acción de gracias":                       "2026-11-26",
	})
}

func TestWhatStandsIsMovedALittle(t *testing.T) {
	t.Parallel()
	checkOnWednesday(t, settled, map[string]string{
		"a bit later":                        "2026-11-27 17:30",
		"could it be a wee bit earlier":      "2026-11-27 16:30",
		"un poquito antes":                   "2026-11-27 16:30",
		"¿puede ser un pelín más tarde?":     "2026-11-27 17:30",
		"push it back twenty minutes":        "2026-11-27 17:20",
		"bring it forward by half an hour":   "2026-11-27 16:30",
		"retrásamela media horita":           "2026-11-27 17:30",
		"¿me la puede adelantar una hora?":   "2026-11-27 16:00",
		"a little after six":                 "18:00-24:00",
		"un poco antes de las cuatro":        "00:00-16:00",
		"would that evening be free instead": "2026-11-27 17:00-22:00",
	})
	checkOnWednesday(t, dates.Standing{}, map[string]string{
		"a bit later":      "",
		"un poquito antes": "",
	})
}

func TestWhatOnlyPointsSaysNothingNew(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"is there a bus that day":           true,
		"¿hay autobús a esa hora?":          true,
		"is it quiet that evening":          true,
		"the day before":                    false,
		"could it be an hour later":         false,
		"the evening before":                false,
		"¿y el sábado a qué hora hay menos": false,
	} {
		r := readAt(text, wednesday, settled)
		if len(r.Mentions) == 0 || r.Mentions[0].Points() != want {
			t.Errorf("%q: points is not %v", text, want)
		}
	}
}

func TestWhenTheCallerIsFreeBoundsTheWish(t *testing.T) {
	t.Parallel()
	checkOnWednesday(t, dates.Standing{}, map[string]string{
		"Thursday, I clock off at half four":                 "2026-11-19 16:31-24:00 earliest",
		"I'm in lectures until two on Thursday":              "2026-11-19 14:01-24:00 earliest",
		"the twins are out at three, so Thursday after that": "2026-11-19 15:01-24:00 earliest",
		"mañana saliendo de la oficina, salgo a las siete":   "2026-11-19 19:01-24:00 earliest",
		"el jueves curro hasta las cuatro":                   "2026-11-19 16:01-24:00 earliest",
		"el jueves, me desocupo a las cinco":                 "2026-11-19 17:01-24:00 earliest",
		"salgo a las seis, ¿a las siete?":                    "19:00",
		"I get off at five, could I come at six":             "18:00",
		"acabo de llamar, era para el jueves a las seis":     "2026-11-19 18:00",
		"could you get it working by five on Friday":         "2026-11-20 00:00-17:00",
	})
}

func TestOpeningAndClosingTimes(t *testing.T) {
	t.Parallel()
	checkOnWednesday(t, dates.Standing{}, map[string]string{
		"Monday, the minute you open":     "2026-11-23 06:00-12:00 earliest",
		"el lunes a la hora que abran":    "2026-11-23 06:00-12:00 earliest",
		"el lunes ni bien abran":          "2026-11-23 06:00-12:00 earliest",
		"Monday right before closing":     "2026-11-23 17:00-24:00 latest",
		"el lunes, ya para cerrar":        "2026-11-23 17:00-24:00 latest",
		"el lunes por la tardecita":       "2026-11-23 13:00-21:00",
		"what time do you open on Monday": "2026-11-23",
	})
}

func TestBothOfTwoThingsAreNoHour(t *testing.T) {
	t.Parallel()
	checkOnWednesday(t, dates.Standing{Several: true}, map[string]string{
		"las dos el martes":   "2026-11-24",
		"a las dos el martes": "2026-11-24 14:00",
	})
	checkOnWednesday(t, dates.Standing{}, map[string]string{
		"las dos el martes": "2026-11-24 14:00",
	})
}

func TestTheDayThatWasTalkedAboutIsWishedFor(t *testing.T) {
	t.Parallel()
	checkOnWednesday(t, dates.Standing{Talked: dates.Date{Year: 2026, Month: 12, Day: 3}}, map[string]string{
		"then put me down for that day":          "2026-12-03",
		"the same day at ten":                    "2026-12-03 10:00",
		"the day after would be better":          "2026-12-04",
		"pues ese día a las once de la mañana":   "2026-12-03 11:00",
		"resérveme algo ese mismo día":           "2026-12-03",
		"no, that Friday, the 11th of December":  "2026-12-11",
		"mañana mejor":                           "2026-11-19",
		"entonces al día siguiente, a las nueve": "2026-12-04 09:00",
	})
}

func TestStretchesThatAreOfferedTogetherAreOne(t *testing.T) {
	t.Parallel()
	checkOnWednesday(t, dates.Standing{}, map[string]string{
		"some day this week or next":            "2026-11-18..2026-11-29",
		"this or next week":                     "2026-11-18..2026-11-29",
		"either this week or the following one": "2026-11-18..2026-11-29",
		"esta semana o la próxima":              "2026-11-18..2026-11-29",
		"entre esta semana y la que viene":      "2026-11-18..2026-11-29",
		"esta o la semana que viene":            "2026-11-18..2026-11-29",
		"no esta semana, la otra":               "2026-11-23..2026-11-29 not 2026-11-18",
		"this month or in May":                  "2027-05-01..2027-05-31",
	})
}
