package hearing_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/hearing"
)

func TestWhatHappenedIsAMessageAndNoBooking(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"you've fitted the wrong tyres, I'd like somebody to look into it":     true,
		"we collected the sofa on Monday and a leg is missing":                 true,
		"el martes recogimos el traje y le falta un botón":                     true,
		"me entregasteis la moto sin luces, que alguien me dé una explicación": true,
		"we had dinner at yours on Sunday and waited an hour":                  true,
		"when we got there on Friday nobody was in":                            true,
		"el lunes fuimos ahí y no había mesa":                                  true,
		"we had a lovely dinner with you on Sunday":                            false,
		"I had an appointment for Friday":                                      false,
		"I'd like a table on Friday":                                           false,
		"he told us to book again, is Friday free":                             false,
		"el año pasado estuvimos ahí y queremos reservar para el viernes":      false,
	} {
		lang := "en"
		if text[0] == 'e' || text[0] == 'm' {
			lang = "es"
		}
		g := hearing.Hear(text, hearing.Setting{Now: hearNow, Language: lang, Catalogue: &catalogue.Catalogue{}}).Gist()
		if got := len(g.Messages) > 0; got != want {
			t.Errorf("%q: message %v, want %v", text, got, want)
		}
		if want && (g.Has(hearing.Book) || len(g.When.Mentions) > 0) {
			t.Errorf("%q: wishes for %v, %v", text, g.Intents, g.When.Mentions)
		}
	}
}
