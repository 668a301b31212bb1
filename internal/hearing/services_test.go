package hearing_test

import (
	"encoding/json"
	"testing"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
)

// salonServices, tavernMenu and shopProducts are what three businesses say of
// themselves.
const (
	salonServices = `[
		{"id": "corte", "name": "Corte de pelo", "name_en": "Haircut", "aliases": ["cortarme el pelo"]},
		{"id": "corte-nino", "name": "Corte infantil", "name_en": "Kids' haircut"},
		{"id": "color", "name": "Color y mechas", "name_en": "Colour and highlights", "aliases": ["tinte"]},
		{"id": "unas", "name": "Manicura", "name_en": "Manicure"},
		{"id": "novia", "name": "Peinado de novia", "name_en": "Bridal hair", "bookable": false}
	]`
	tavernMenu = `{"Raciones": [
		{"name": "Croquetas de jamón", "name_en": "Ham croquettes", "price": 9},
		{"name": "Patatas bravas", "name_en": "Spicy potatoes", "price": 6},
		{"name": "Tortilla", "name_en": "Spanish omelette", "price": 8}
	]}`
	shopProducts = `{"Food": [
		{"sku": "MAR", "name": "Orange marmalade", "name_es": "Mermelada de naranja", "price": 5, "stock": 20},
		{"sku": "TEA", "name": "Black tea", "name_es": "Té negro", "price": 7, "stock": 3}
	]}`
)

func reading(services, menu, products string) *catalogue.Catalogue {
	raw := func(s string) json.RawMessage {
		if s == "" {
			return nil
		}
		return json.RawMessage(s)
	}
	var a frontdesk.Agent
	a.Languages = []string{"es", "en"}
	a.Config.Services, a.Config.Menu, a.Config.Products = raw(services), raw(menu), raw(products)
	return catalogue.Read(a)
}

func salon(expect hearing.Slot, booking bool) hearing.Setting {
	return hearing.Setting{
		Now: hearNow, Language: "es", Region: "ES", Trade: frontdesk.TradeOf("salon"), Expect: expect, Booking: booking,
		Catalogue: reading(salonServices, "", ""),
	}
}

func tavern() hearing.Setting {
	s := restaurant
	s.Catalogue = reading("", tavernMenu, "")
	return s
}

func shop() hearing.Setting {
	s := restaurant
	s.Catalogue, s.Trade = reading("", "", shopProducts), frontdesk.TradeOf("retail")
	return s
}

// TestHearServices: which service is meant; fewer words are enough when one was
// asked for.
func TestHearServices(t *testing.T) {
	t.Parallel()
	hears(t, salon("", false), map[string]string{
		"quiero un corte de pelo mañana":     "es book when=2026-03-05 service=corte",
		"I'd like a haircut on Friday":       "en book when=2026-03-06 service=corte",
		"quería cortarme el pelo":            "es book service=corte",
		"quiero un corte":                    "es book service=corte service=corte-nino",
		"una manicura el viernes a las seis": "es book when=2026-03-06,06:00?,18:00? service=unas",
		"quiero pedir hora para manicura":    "es book service=unas",
		"peinado de novia":                   "es unbookable=novia",
		"quería hora para peinado de novia":  "es book unbookable=novia",
		"¿cuánto cuesta un corte de pelo?":   "es ask service=corte asks=¿cuánto cuesta un corte de pelo?",
		"do you do manicures?":               "en ask service=unas asks=do you do manicures?",
		"para mi hijo, un corte infantil":    "es service=corte-nino",
		"tinte":                              "- service=color",
		"corte":                              "-",
		"me llamo Ana":                       "es name=Ana",
	})
	hears(t, salon(hearing.SlotService, true), map[string]string{
		"corte":                "- service=corte service=corte-nino",
		"a cut":                "- service=corte service=corte-nino",
		"highlights":           "- service=color",
		"Kids' haircut please": "en service=corte-nino",
		"mañana":               "es when=2026-03-05",
	})
	hears(t, salon(hearing.SlotName, true), map[string]string{
		"manicura":  "- service=unas",
		"Ana Color": "- name=Ana Color",
	})
}

// TestHearViewings: an agency's services are named by what is to be seen, or
// by an "it".
func TestHearViewings(t *testing.T) {
	t.Parallel()
	agency := hearing.Setting{
		Now: hearNow, Language: "es", Region: "ES", Trade: frontdesk.TradeOf("real_estate"),
		Catalogue: reading(`[
			{"id": "visita", "name": "Visita a una vivienda", "name_en": "Property viewing", "aliases": ["visita", "ver el piso", "viewing"]},
			{"id": "valoracion", "name": "Valoración de vivienda", "name_en": "Property valuation", "aliases": ["tasación", "valuation"]},
			{"id": "asesoria", "name": "Reunión con un asesor", "name_en": "Meeting with an adviser", "aliases": ["asesor"]}
		]`, "", ""),
	}
	hears(t, agency, map[string]string{
		"quería una valoración de mi piso":              "es book service=valoracion",
		"I'd like a valuation of my flat":               "en book service=valoracion",
		"quiero ver el piso mañana":                     "es book when=2026-03-05 service=visita",
		"quería verlo el jueves a las cinco":            "es book when=2026-03-05,17:00 service=visita",
		"I'd like to see it on Friday":                  "en book when=2026-03-06 service=visita",
		"could we view it tomorrow?":                    "en book when=2026-03-05 service=visita",
		"¿podríamos visitarla el sábado?":               "es book when=2026-03-07 service=visita",
		"Do you have anything for sale in Gandía?":      "en ask asks=Do you have anything for sale in Gandía?",
		"¿tienen algo en alquiler en Gandía?":           "es ask asks=¿tienen algo en alquiler en Gandía?",
		"do you have any listings in Valencia?":         "en ask asks=do you have any listings in Valencia?",
		"I'm looking for an apartment to rent in Denia": "en ask service=visita asks=I'm looking for an apartment to rent in Denia",
	})
}

// TestHearItems: what is ordered, how much of it and with which wishes.
func TestHearItems(t *testing.T) {
	t.Parallel()
	hears(t, tavern(), map[string]string{
		"dos croquetas y una de bravas":                                  "es order 2×Croquetas de jamón 1×Patatas bravas",
		"una ración de bravas y dos raciones de croquetas de jamón":      "es order 1×Patatas bravas 2×Croquetas de jamón",
		"quiero pedir tres tortillas para llevar":                        "es order 3×Tortilla",
		"two ham croquettes and a spanish omelette without onion please": "en order 2×Croquetas de jamón 1×Tortilla without onion",
		"¿las croquetas llevan gluten?":                                  "es ask 1×Croquetas de jamón asks=¿las croquetas llevan gluten?",
		"quiero una mesa para dos":                                       "es book party=2",
		"mesa para dos, ¿tenéis tortilla?":                               "es book ask party=2 1×Tortilla asks=¿tenéis tortilla?",
	})
	hears(t, shop(), map[string]string{
		"two jars of marmalade":                    "en order 2×Orange marmalade",
		"I want to buy three boxes of black tea":   "en order 3×Black tea",
		"quiero dos botes de mermelada de naranja": "es order 2×Orange marmalade",
		"do you have orange marmalade?":            "en ask 1×Orange marmalade asks=do you have orange marmalade?",
		"is there any tea left?":                   "en ask 1×Black tea asks=is there any tea left?",
	})
}
