package dates_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/dates"
)

func TestBoundsAreTheDaysBefore(t *testing.T) {
	t.Parallel()
	checkWishes(t, dates.Standing{}, map[string]string{
		"antes del lunes":                                    "2026-03-03..2026-03-08",
		"tendría que ser antes del 14":                       "2026-03-03..2026-03-13",
		"antes de que termine el mes":                        "2026-03-03..2026-03-31",
		"antes de fin de mes":                                "2026-03-03..2026-03-31",
		"antes de que acabe la semana":                       "2026-03-03..2026-03-08",
		"antes del bautizo del 21":                           "2026-03-03..2026-03-20",
		"el lunes como muy tarde":                            "2026-03-03..2026-03-09",
		"a más tardar el lunes":                              "2026-03-03..2026-03-09",
		"no antes del lunes":                                 "2026-03-09..2026-03-22",
		"la semana que viene, antes del jueves":              "2026-03-09..2026-03-11",
		"by Monday":                                          "2026-03-03..2026-03-08",
		"some time before Easter":                            "2026-03-03..2026-04-04",
		"before the weekend":                                 "2026-03-03..2026-03-06",
		"before the month is out":                            "2026-03-03..2026-03-31",
		"before my cousin's graduation on the 20th":          "2026-03-03..2026-03-19",
		"Monday at the latest":                               "2026-03-03..2026-03-09",
		"no later than Monday":                               "2026-03-03..2026-03-09",
		"not until Monday":                                   "2026-03-09..2026-03-22",
		"it must be done before Easter. Could it be Monday?": "2026-03-09",
		"lo quiero antes de Pascua, ¿puede ser el lunes?":    "2026-03-09",
		"I'll stop by Monday":                                "2026-03-09",
		"before work on Monday":                              "2026-03-09 07:00-10:00",
		"Monday before five":                                 "2026-03-09 00:00-17:00",
		"the day before Monday":                              "2026-03-08",
	})
}

func TestTheDayOfTheMonthStandsBeforeAPartOfTheDay(t *testing.T) {
	t.Parallel()
	checkWishes(t, dates.Standing{}, map[string]string{
		"el jueves 19 por la tarde":               "2026-03-19 13:00-21:00",
		"el jueves diecinueve por la tarde":       "2026-03-19 13:00-21:00",
		"el lunes día 16 a la mañana":             "2026-03-16 06:00-13:00",
		"el jueves cinco por la mañana":           "2026-03-05 06:00-13:00",
		"el viernes cinco de la tarde":            "2026-03-06 17:00",
		"Thursday the 19th in the evening":        "2026-03-19 17:00-22:00",
		"Thursday 19 in the morning":              "2026-03-19 06:00-12:00",
		"Thursday the twelfth in the afternoon":   "2026-03-12 12:00-18:00",
		"Thursday five in the afternoon":          "2026-03-05 17:00",
		"el sábado de la otra semana":             "2026-03-14",
		"Saturday fortnight":                      "2026-03-21",
		"no este viernes el siguiente a la tarde": "2026-03-13 13:00-21:00 not 2026-03-06",
		"not this Friday the one after about ten": "2026-03-13 10:00 not 2026-03-06",
		"Monday? Monday I can't, Wednesday":       "2026-03-04 not 2026-03-09",
		"el lunes, espera, el lunes no puedo":     "not 2026-03-09",
	})
}

func TestHoursThatAreSaidLoosely(t *testing.T) {
	t.Parallel()
	checkWishes(t, dates.Standing{}, map[string]string{
		"el lunes por la tarde, tipo cinco":              "2026-03-09 17:00",
		"por la mañana como once":                        "11:00",
		"somos como once":                                "",
		"Monday at fiveish":                              "2026-03-09 17:00",
		"el lunes a las once y una revisión":             "2026-03-09 11:00",
		"el lunes a las once y dos tintes":               "2026-03-09 11:00",
		"el lunes a las once y cinco":                    "2026-03-09 11:05",
		"el lunes sobre el mediodía":                     "2026-03-09 12:00-16:00",
		"on Monday at ten and my wife an hour later":     "2026-03-09 11:00",
		"el lunes a las diez y mi hija una hora después": "2026-03-09 11:00",
	})
}
