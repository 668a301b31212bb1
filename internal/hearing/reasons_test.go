package hearing_test

import (
	"slices"
	"testing"

	"frontdesk.dev/frontdesk/internal/hearing"
)

// TestReasonsForCalling: what is no booking and no question is a message, in the
// caller's words.
func TestReasonsForCalling(t *testing.T) {
	t.Parallel()
	for says, want := range map[string]hearing.Topic{
		"my son has hit his head and he won't stop bleeding":                hearing.Urgent,
		"mi padre no puede respirar":                                        hearing.Urgent,
		"el perro se ha comido una tableta de chocolate y está temblando":   hearing.Urgent,
		"there's a strong smell of gas in the hall":                         hearing.Urgent,
		"se ha reventado una tubería y está cayendo agua por el techo":      hearing.Urgent,
		"our toddler is locked in the bathroom":                             hearing.Urgent,
		"congratulations you have won a holiday":                            hearing.Spam,
		"le llamamos para ahorrar en su factura de la luz":                  hearing.Spam,
		"sorry, wrong number":                                               hearing.WrongNumber,
		"perdone, me he equivocado de número":                               hearing.WrongNumber,
		"hi, are you hiring at the moment? I could send a CV":               hearing.Job,
		"hola, busco trabajo de camarera":                                   hearing.Job,
		"I'm a journalist, I'd like to interview the owner":                 hearing.Press,
		"llamo de una revista para hacer un reportaje":                      hearing.Press,
		"somos proveedores de café y queríamos ofrecerles nuestro producto": hearing.Supplier,
		"could I have a word with whoever does your buying?":                hearing.Supplier,
		"I think I left my umbrella there last night":                       hearing.LostProperty,
		"ayer me dejé la chaqueta en vuestro local":                         hearing.LostProperty,
		"you charged me twice and I want my money back":                     hearing.Refund,
		"quiero que me devolváis el dinero":                                 hearing.Refund,
		"I still need the invoice for last month":                           hearing.Invoice,
		"necesito la factura de la comida del sábado":                       hearing.Invoice,
		"we're running late, we'll be twenty minutes late":                  hearing.RunningLate,
		"tengo cita ahora y voy a llegar un poco tarde":                     hearing.RunningLate,
		"where is my order? it was supposed to arrive yesterday":            hearing.OrderStatus,
		"mi pedido no ha llegado todavía":                                   hearing.OrderStatus,
		"we want to hire the whole place for a company event":               hearing.GroupEvent,
		"queremos hacer ahí la cena de empresa, seremos cuarenta":           hearing.GroupEvent,
		"I want to make a complaint about your waiter":                      hearing.Complaint,
		"es una vergüenza cómo me habéis tratado":                           hearing.Complaint,
		"I've lost the report that you gave us":                             hearing.Invoice,
		"¿me reenvían el justificante de la comida del lunes?":              hearing.Invoice,
		"my certificate has expired, I need a new one":                      "",
		"una mesa para dos el lunes a las nueve, con factura":               "",
		"¿qué pasa si llego tarde?":                                         "",
		"do you give refunds if I cancel?":                                  "",
		"¿dais factura?":                                                    "",
		"una mesa para dos mañana a las nueve":                              "",
		"my gums are bleeding when I brush, can I have an appointment":      "",
		"can I order two pizzas for tonight":                                "",
	} {
		g := hearing.Hear(says, restaurant).Gist()
		var got hearing.Topic
		if len(g.Messages) > 0 {
			got = g.Messages[0].Topic
			if g.Messages[0].Text == "" {
				t.Errorf("%q: the message has no text", says)
			}
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", says, got, want)
		}
	}
}

// TestTwoWishesInASentence: each has its own service, and what was said for both
// belongs to both.
func TestTwoWishesInASentence(t *testing.T) {
	t.Parallel()
	for says, want := range map[string][2]string{
		"quería dos citas el viernes a las doce: un tinte y otra de corte para mi hijo": {"es book when=2026-03-06,12:00 service=color", "- book when=2026-03-06,12:00 service=corte service=corte-nino"},
		"a manicure on Friday at nine and then a kids' haircut at five":                 {"en book when=2026-03-06,09:00?,21:00? service=unas", "- book when=2026-03-06,17:00 service=corte-nino"},
		"corte y tinte el viernes a las cinco":                                          {"", ""},
	} {
		heard := hearing.Hear(says, salon(hearing.Nothing, false))
		first, further := hearing.Wishes(heard.Commands)
		if len(further) == 0 {
			if want[1] != "" {
				t.Errorf("%q: one wish", says)
			}
			continue
		}
		g := hearing.GistOf(first)
		g.Language = heard.Language
		if got := [2]string{written(g), written(hearing.GistOf(further[0]))}; got != want {
			t.Errorf("%q\n got %q\nwant %q", says, got, want)
		}
	}
}

// TestWordsForSomebodyAreNoBooking: a service and a day may be what a message is about, and
// who books and has something told books.
func TestWordsForSomebodyAreNoBooking(t *testing.T) {
	t.Parallel()
	for says, message := range map[string]bool{
		"It's Nuala from the wool shop, the manicure trolley comes on Monday. Can you let her know?": true,
		"would you mind telling Moira the colour samples are out till four on Friday":                true,
		"decile a Mónica que el tinte llega el viernes":                                              true,
		"a manicure on Friday at ten please, and could you let her know that I'm allergic":           false,
	} {
		if got := len(hearing.Hear(says, salon(hearing.Nothing, false)).Gist().Messages) > 0; got != message {
			t.Errorf("%q: message %t, want %t", says, got, message)
		}
	}
}

// TestNotesKeepTheirValues: what is noted is not cut where its value stands.
func TestNotesKeepTheirValues(t *testing.T) {
	t.Parallel()
	for says, want := range map[string]string{
		"the entry code is B7731K":                 "the entry code is B7731K",
		"son para niños de 5, 7 y 11 años":         "son para niños de 5, 7 y 11 años",
		"our address is 9 Orchard Lane ne6 and up": "",
	} {
		g := hearing.Hear(says, salon(hearing.SlotName, true)).Gist()
		if want != "" && !slices.Contains(g.Notes, want) || g.Code != "" {
			t.Errorf("%q: notes %q, code %q, want %q", says, g.Notes, g.Code, want)
		}
	}
}
