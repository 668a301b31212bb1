package catalogue_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func FuzzRead(f *testing.F) {
	f.Add([]byte(`[{"name":"Corte","price":{"amount":9.5},"aliases":["a","b c"]}]`), "corte y precio?")
	f.Add([]byte(`{"Mains":[{"name":"Fish","allergens":["fish"],"stock":0,"variants":["40-43","S"]}]}`), "is there fish in 41")
	f.Add([]byte(`[{"title":"Flat","ref":"A-12","city":"Bath","bedrooms":2,"price":"900"}]`), "flat in bath under 1k, ref a 12")
	f.Fuzz(func(t *testing.T, entries []byte, question string) {
		var a frontdesk.Agent
		a.Config.Services, a.Config.Menu, a.Config.Products, a.Config.Listings = entries, entries, entries, entries
		a.Config.Policy, a.Config.Dietary = question, string(entries)
		a.Config.Hours = &frontdesk.Hours{{Open: 9, Close: 2}}
		probe(t, catalogue.Read(a), question)
	})
}

func FuzzAsk(f *testing.F) {
	houses := []*catalogue.Catalogue{
		demo(f, "casa-lola"), demo(f, "costa-clara"), demo(f, "dental-la-plaza"), demo(f, "harbour-store"),
		business(f, salon), business(f, hotel), business(f, bistro),
	}
	for _, q := range []string{"¿cuánto cuesta?", "open at 9 pm on friday", "soy alérgico al huevo", "boots in 42", "piso de 2 dormitorios por 900", "ref 1042 -", "a\u0301 ", "\xff 24h"} {
		f.Add(uint8(0), q)
	}
	f.Fuzz(func(t *testing.T, which uint8, question string) {
		probe(t, houses[int(which)%len(houses)], question)
	})
}

// probe asks everything there is to ask and checks what always holds.
func probe(t *testing.T, c *catalogue.Catalogue, text string) {
	t.Helper()
	for _, lang := range []string{"es", "en", ""} {
		r, ok := c.Ask(text, lang, wednesday)
		if ok != (r.Text != "") || ok && r.Topic == "" || utf8.ValidString(text) && !utf8.ValidString(r.Text) {
			t.Errorf("%q: %+v, %v", text, r, ok)
		}
		within(t, text, c.FindServices(text, lang))
		within(t, text, c.FindDishes(text, lang))
		within(t, text, c.FindProducts(text, lang))
		within(t, text, c.FindListings(text, lang))
	}
	if _, err := json.Marshal(c); err != nil {
		t.Error(err)
	}
}

func within[T any](t *testing.T, text string, all []catalogue.Match[T]) {
	t.Helper()
	before := 1.0
	for _, m := range all {
		if m.Start < 0 || m.End < m.Start || m.End > len(text) || m.Score <= 0 || m.Score > before {
			t.Errorf("%q: %+v", text, m)
		}
		before = m.Score
	}
}

func BenchmarkAsk(b *testing.B) {
	c := demo(b, "casa-lola")
	for b.Loop() {
		c.Ask("Hola, buenas tardes, ¿me podría decir si la tarta de queso lleva frutos secos?", "es", wednesday)
	}
}

func BenchmarkFindServices(b *testing.B) {
	c := demo(b, "dental-la-plaza")
	for b.Loop() {
		c.FindServices("Hola, quería pedir cita para una limpiesa dental el martes por la tarde", "es")
	}
}

func BenchmarkRead(b *testing.B) {
	a := agent(b, salon)
	for b.Loop() {
		catalogue.Read(a)
	}
}
