package catalogue_test

import (
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/opening"
)

// physio is a practice with a lunch break, people with days of their own, and a week
// away at Christmas.
const physio = `{"slug":"physio","vertical":"clinic","display_name":"Quay Physio","languages":["en","es"],"timezone":"Europe/Dublin",
"calendar":{"openings":{"0":[["08:30","13:00"],["14:00","17:30"]],"1":[["08:30","13:00"],["14:00","17:30"]],"2":[["08:30","13:00"],["14:00","17:30"]],
 "3":[["08:30","13:00"],["14:00","20:00"]],"4":[["08:30","13:00"]]},"holidays":"IE",
 "exceptions":[{"from":"2026-12-24","to":"2027-01-04","openings":[],"reason":"Christmas break"},{"from":"2026-12-29","to":"2026-12-30","openings":[["10:00","14:00"]]}],
 "resources":[
  {"id":"maeve","name":"Maeve Kelly","kind":"person","services":["massage","assessment"],"openings":{"0":[["08:30","17:30"]],"3":[["12:00","20:00"]]},
   "exceptions":[{"from":"2026-12-07","to":"2026-12-08","openings":[],"reason":"operation"}]},
  {"id":"conor","name":"Conor","kind":"person","services":["assessment"]},
  {"id":"gym","name":"Gym","kind":"room","services":["class"]}],
 "notice_minutes":120,"horizon_days":60},
"config":{"business":{"name":"Quay Physio","address":"3 Quay Street"},"policy":"Please tell us a day before if you cannot come.",
"services":[{"id":"massage","name":"Sports massage","name_es":"Masaje deportivo","duration_minutes":60},{"id":"assessment","name":"Assessment","name_es":"Valoración","duration_minutes":40},{"id":"class","name":"Pilates class","duration_minutes":50}]}}`

// inNovember is Wednesday, November 18th 2026.
var inNovember = time.Date(2026, time.November, 18, 10, 0, 0, 0, time.UTC)

func TestFeastsAndStretches(t *testing.T) {
	t.Parallel()
	c := business(t, physio)
	for question, want := range map[string]string{
		"are you open on St Patrick's Day?":            "No, we're closed on Wednesday, March 17th (Saint Patrick's Day). We open again on Thursday, March 18th at 8:30 am.",
		"will you be open on the 16th of March?":       "Yes, we're open on Tuesday, March 16th from 8:30 am to 1 pm and from 2 pm to 5:30 pm.",
		"are you shut on the October bank holiday?":    "Yes, we're closed on Monday, October 25th, 2027",
		"are you open on Paddy's Day":                  "March 17th",
		"are you open on Christmas Eve?":               "No, we're closed on Thursday, December 24th (Christmas break). We open again on Tuesday, December 29th at 10 am.",
		"are you open between Christmas and New Year?": "Tuesday, December 29th from 10 am to 2 pm",
		"are you open over Christmas?":                 "December 24th to Monday, December 28th closed",
		"are you open in February?":                    "usual hours: Monday to Wednesday",
		"are you open on bank holidays?":               "The next is Friday, December 25th",
		"are you open on Friday afternoons?":           "on Fridays from 8:30 am to 1 pm",
		"are you open on Thursday evening?":            "Yes, we're open tomorrow",
		"do you close for lunch?":                      "Yes, we're closed Monday to Thursday from 1 pm to 2 pm.",
		"are you open late on any day?":                "8 pm, on Thursdays",
		"until what time on Thursdays?":                "On Thursdays we close at 8 pm.",
		"are you open at the weekend?":                 "Saturday, November 21st",
		"what days are you closed?":                    "Saturday and Sunday closed",
		"¿abrís el día de San Patricio?":               "No, el miércoles 17 de marzo está cerrado (San Patricio).",
		"¿cerráis a mediodía?":                         "Sí, está cerrado de lunes a jueves de 13:00 a 14:00.",
		"¿abrís el lunes que viene?":                   "Sí, el lunes 23 de noviembre abrimos",
		"¿hoy cerráis a qué hora?":                     "Hoy cerramos a las",
	} {
		lang := "en"
		if strings.ContainsAny(question, "¿") {
			lang = "es"
		}
		if got, ok := c.Ask(question, lang, inNovember); !ok || !strings.Contains(got.Text, want) {
			t.Errorf("%s: %q, want %q in it", question, got.Text, want)
		}
	}
}

func TestWhoIsThere(t *testing.T) {
	t.Parallel()
	c := business(t, physio)
	for question, want := range map[string]string{
		"who works on Thursday?":                      "Maeve Kelly is in tomorrow from noon to 1 pm and from 2 pm to 8 pm; Conor is in tomorrow",
		"who works tomorrow, on Thursday?":            "Maeve Kelly is in tomorrow from noon to 1 pm and from 2 pm to 8 pm; Conor is in tomorrow",
		"who is in tomorrow, Thursday?":               "Maeve Kelly is in tomorrow from noon to 1 pm and from 2 pm to 8 pm; Conor is in tomorrow",
		"¿quién trabaja mañana, el jueves?":           "Maeve Kelly está mañana de 12:00 a 13:00 y de 14:00 a 20:00; Conor está mañana",
		"what days is Maeve in?":                      "Maeve Kelly is in Monday from 8:30 am to 1 pm and from 2 pm to 5:30 pm; Thursday",
		"does Maeve work Fridays?":                    "No, Maeve Kelly isn't in on Fridays.",
		"is Maeve in today?":                          "No, Maeve Kelly isn't in today. Maeve Kelly is next in tomorrow",
		"is Maeve Kelly in on the 7th of December?":   "No, Maeve Kelly isn't in on Monday, December 7th.",
		"who does the sports massage?":                "Sports massage: Maeve Kelly.",
		"which of you does assessments?":              "Assessment: Maeve Kelly and Conor.",
		"does Conor do sports massages?":              "Conor doesn't do Sports massage. Sports massage: Maeve Kelly.",
		"how far ahead can I book?":                   "60 days ahead, until Sunday, January 17th",
		"how much notice do you need for a booking?":  "up to 2 hours before",
		"how late can I come for an assessment today": "Today the latest to begin Assessment is 4:50 pm.",
		"¿qué días está Conor?":                       "Conor está de lunes a miércoles",
		"¿trabaja Maeve los jueves?":                  "Sí, Maeve Kelly está los jueves de 12:00 a 13:00 y de 14:00 a 20:00.",
		"¿quién hace la valoración?":                  "Maeve Kelly y Conor",
		"¿con cuánta antelación se puede reservar?":   "60 días",
		"what days does she work?":                    "Maeve Kelly is in Monday",
		"do you work weekends?":                       "closed on Saturdays",
		// These are wishes, or ask for somebody, or for what the book does not have.
		"can you do the 26th?":                     "",
		"is Maeve free on Thursday at 3?":          "",
		"could Maeve see me on Thursday?":          "",
		"is Maeve there?":                          "",
		"I'd like to book in with Maeve on Monday": "",
		"does Maeve work with children?":           "",
		"why is Maeve away?":                       "",
		"who does acupuncture?":                    "",
		"how much notice do you need to cancel?":   "",
		"¿tenéis hueco con Conor el lunes?":        "",
	} {
		lang := "en"
		if strings.ContainsAny(question, "¿") {
			lang = "es"
		}
		got, ok := c.AskBook(question, lang, inNovember, catalogue.Focus{Resource: "maeve"})
		if ok != (want != "") || !strings.Contains(got.Text, want) {
			t.Errorf("%s: %q, want %q in it", question, got.Text, want)
		}
		if strings.Contains(got.Text, "operation") {
			t.Errorf("%s: %q tells why somebody is away", question, got.Text)
		}
	}
}

// What is said of every holiday of a year, and of the days beside it, is what the hours
// say by which appointments are made.
func TestWhatIsSaidOfHolidaysIsWhatIsBooked(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{"physio": physio, "salon": salon} {
		a, c := agent(t, file), business(t, file)
		hours, err := opening.Of(a)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range opening.HolidaysFrom(a.Settings.Calendar.Holidays, frontdesk.DateOf(inNovember)) {
			for n := -1; n <= 1; n++ {
				d := h.Date.AddDays(n)
				question := "are you open on " + dates.SayDate(d, "en", inNovember) + "?"
				got, ok := c.Ask(question, "en", inNovember)
				open := len(hours.Day(d).Open) > 0
				if !ok || strings.HasPrefix(got.Text, "Yes, we're open") != open || strings.HasPrefix(got.Text, "No, we're closed") == open {
					t.Errorf("%s: %s is answered with %q, and it is %v that it is open", name, question, got.Text, open)
				}
			}
		}
	}
}
