package table_test

import (
	"slices"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
	"frontdesk.dev/frontdesk/internal/table"
)

// inquiry is a question that speaks of a text as far as they have words in common.
func inquiry(question string) table.Inquiry {
	asked := map[string]bool{}
	var order []string
	for _, w := range language.Tokenize(question) {
		if !lexicon.Grammar("en", w.Word) && !asked[w.Word] {
			asked[w.Word] = true
			order = append(order, w.Word)
		}
	}
	return table.Inquiry{
		Text: question,
		Found: func(text string) []float32 {
			found := make([]float32, len(order))
			for _, w := range language.Tokenize(text) {
				for i, o := range order {
					if o == w.Word {
						found[i] = 1 / float32(len(order))
					}
				}
			}
			return found
		},
		Echo: func(text string) float32 {
			words, n := language.Tokenize(text), 0
			for _, w := range words {
				if asked[w.Word] {
					n++
				}
			}
			return float32(n) / float32(max(1, len(words)))
		},
	}
}

// rows are those of lines.
func rows(t *testing.T, lines ...string) (all []table.Row) {
	t.Helper()
	for _, line := range lines {
		r, ok := table.Parse(line)
		if !ok {
			t.Fatalf("%q is no row", line)
		}
		all = append(all, r)
	}
	return all
}

// TestCells: what is said of one cell of a price list, in the language of the list and in
// the other.
func TestCells(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ row, ask, en, es string }{
		"a sign before":                 {"Item: Lamp; Price: £12.50", "how much is the lamp", "Lamp is 12.50 pounds.", "El precio de lamp es 12,50 libras."},
		"a sign behind":                 {"Item: Lamp; Price: 12,50 €", "how much is the lamp", "Lamp is 12.50 euros.", "El precio de lamp es 12,50 euros."},
		"no cents where there are none": {"Item: Lamp; Price: 12.00 EUR", "how much is the lamp", "Lamp is 12 euros.", "El precio de lamp es 12 euros."},
		"one of a currency":             {"Item: Lamp; Price: $1", "how much is the lamp", "Lamp is 1 dollar.", "El precio de lamp es 1 dólar."},
		"thousands with a point":        {"Item: Lamp; Price: 1.250 €", "how much is the lamp", "Lamp is 1,250 euros.", "El precio de lamp es 1.250 euros."},
		"thousands with a comma":        {"Item: Lamp; Price: £1,250.50", "how much is the lamp", "Lamp is 1,250.50 pounds.", "El precio de lamp es 1.250,50 libras."},
		"the currency in the heading":   {"Item: Lamp; Price (GBP): 30", "how much is the lamp", "Lamp is 30 pounds.", "El precio de lamp es 30 libras."},
		"the least":                     {"Item: Lamp; Price: from £30", "how much is the lamp", "Lamp is from 30 pounds.", "El precio de lamp es desde 30 libras."},
		"the least, in the heading":     {"Item: Lamp; Price from: £30", "how much is the lamp", "Lamp is from 30 pounds.", "El precio de lamp es desde 30 libras."},
		"a range":                       {"Item: Lamp; Price: £30-£40", "how much is the lamp", "Lamp is 30 to 40 pounds.", "El precio de lamp es de 30 a 40 libras."},
		"a range in words":              {"Item: Lamp; Price: 30 to 40 pounds", "how much is the lamp", "Lamp is 30 to 40 pounds.", "El precio de lamp es de 30 a 40 libras."},
		"two prices are no range":       {"Item: Lamp; Price: £30, £50 with a shade", "how much is the lamp", "Lamp is 30 pounds, £50 with a shade.", ""},
		"by the month":                  {"Item: Lamp; Price: £5/month", "how much is the lamp", "Lamp is 5 pounds a month.", "El precio de lamp es 5 libras al mes."},
		"by the month, in the heading":  {"Item: Lamp; Price per month: £5", "how much is the lamp", "Lamp is 5 pounds a month.", "El precio de lamp es 5 libras al mes."},
		"by a unit":                     {"Item: Lamp; Unit: each; Price: £5", "how much is the lamp", "Lamp is 5 pounds each.", "El precio de lamp es 5 libras por unidad."},
		"by a unit of its own":          {"Item: Lamp; Unit: crate; Price: £5", "how much is the lamp", "Lamp is 5 pounds per crate.", "El precio de lamp es 5 libras. Además, en inglés, pone: crate."},
		"small money":                   {"Item: Lamp; Price: 80p", "how much is the lamp", "Lamp: 80p.", ""},
		"thousands that stand apart":    {"Item: Lamp; Price: 1 250 €", "how much is the lamp", "Lamp is 1,250 euros.", "El precio de lamp es 1.250 euros."},
		"a tax of its own for each":     {"Item: Lamp; Small: £5 + VAT; Large: £10 inc VAT", "how much is the lamp", "Lamp is 5 pounds (small), plus VAT and 10 pounds (large), VAT included.", "El precio de lamp es 5 libras (pequeño), más IVA y 10 libras (grande), IVA incluido."},
		"a deposit is not for each":     {"Item: Lamp; Unit: day; Price: £5; Deposit: £50", "what is the deposit for the lamp", "Lamp: deposit 50 pounds.", "Lamp: fianza 50 libras."},
		"a date":                        {"Item: Lamp; Date: 01.09.2026", "when is the lamp", "Lamp: 01.09.2026.", "Lamp: 01.09.2026."},
		"a year":                        {"Item: Lamp; Year: 2019", "what year is the lamp", "Lamp: 2019.", "Lamp: 2019."},
		"a telephone":                   {"Item: Lamp; Phone: 912345678", "what is the phone of the lamp", "Lamp: phone 912345678.", "Lamp: phone 912345678."},
		"the end at noon":               {"Item: Lamp; Hours: 10-12pm", "when is the lamp open", "Lamp: 10:00 to 12:00.", "Lamp: de 10:00 a 12:00."},
		"with the tax":                  {"Item: Lamp; Price: £5 inc VAT", "how much is the lamp", "Lamp is 5 pounds, VAT included.", "El precio de lamp es 5 libras, IVA incluido."},
		"without the tax":               {"Item: Lamp; Price ex VAT: £5", "how much is the lamp", "Lamp is 5 pounds, plus VAT.", "El precio de lamp es 5 libras, más IVA."},
		"the rate of the tax":           {"Item: Lamp; Price: £5; VAT: 20%", "how much is the lamp", "Lamp is 5 pounds, VAT 20 %.", "El precio de lamp es 5 libras, IVA 20 %."},
		"nothing to pay":                {"Item: Lamp; Price: free", "how much is the lamp", "There is no charge for lamp.", "Por lamp no se cobra nada."},
		"a price in words":              {"Item: Lamp; Price: on request", "how much is the lamp", "Lamp: on request.", "Lamp: a consultar."},
		"several things":                {"Item: Lamps; Price: £5", "how much are the lamps", "Lamps are 5 pounds.", "El precio de lamps es 5 libras."},
		"a share is no price":           {"Item: Lamp; Success rate: 40%; Price: £5", "how much is the lamp", "Lamp is 5 pounds.", "El precio de lamp es 5 libras."},
		"how long":                      {"Item: Repair; Duration: 1 h 30 min; Price: £5", "how long does the repair take", "Repair takes 1 hour and 30 minutes.", "La duración de repair es de 1 hora y 30 minutos."},
		"how long, in the heading":      {"Item: Repair; Duration (min): 45; Price: £5", "how long does the repair take", "Repair takes 45 minutes.", "La duración de repair es de 45 minutos."},
		"a range of days":               {"Item: Repair; Duration: 2-3 days; Price: £5", "how long does the repair take", "Repair takes 2 to 3 days.", "La duración de repair es de 2 a 3 días."},
		"how much and how long":         {"Item: Repair; Duration: 20 min; Price: £5", "how much is the repair and how long does it take", "Repair is 5 pounds. It takes 20 minutes.", "El precio de repair es 5 libras. La duración es de 20 minutos."},
		"when":                          {"Day: Monday; Hours: 9:00-14:00, 16:00-20:00", "when are you open on monday", "Monday: 9:00 to 14:00 and 16:00 to 20:00.", "Lunes: de 9:00 a 14:00 y de 16:00 a 20:00."},
		"in the afternoon":              {"Day: Monday; Hours: 10am-5pm", "when are you open on monday", "Monday: 10:00 to 17:00.", "Lunes: de 10:00 a 17:00."},
		"two times":                     {"Class: Spin; Monday: 10:00 and 18:00", "when is spin on monday", "Spin: Monday 10:00 and 18:00.", "Spin: lunes 10:00 y 18:00."},
		"yes":                           {"Plan: Gold; Parking: yes; Price: £5", "does gold have parking", "Yes. Gold, parking: yes.", "Sí. Gold, aparcamiento: sí."},
		"a note with the price":         {"Item: Lamp; Price: £5; Notes: without bulb", "how much is the lamp", "Lamp is 5 pounds. Without bulb.", "El precio de lamp es 5 libras. Además, en inglés, pone: without bulb."},
		"prose that was asked for":      {"Item: Lamp; Price: £5; Includes: bulb, cable and a year of light", "what includes the lamp", "Lamp: bulb, cable and a year of light.", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reading := table.New(rows(t, c.row), "").Read(inquiry(c.ask), []int{0})
			if got, ok := reading.Say("en", "en", 0); !ok || got != c.en {
				t.Errorf("in English it is %q, %v", got, ok)
			}
			if got, ok := reading.Say("es", "en", 0); ok != (c.es != "") || ok && got != c.es {
				t.Errorf("in Spanish it is %q, %v", got, ok)
			}
		})
	}
}

func TestPick(t *testing.T) {
	t.Parallel()
	batteries := rows(t, "Model: Battery 5; Price: £500; Warranty: 10 years", "Model: Battery 10; Price: £900; Warranty: 10 years", "Model: Battery 15; Price: £1200; Warranty: 12 years", "Model: Inverter; Price: £700; Warranty: 5 years")
	cuts := rows(t, "Service: Cut; Price: £20", "Service: Cut and colour; Price: £60")
	for name, c := range map[string]struct {
		rows []table.Row
		ask  string
		best int
		want []int
	}{
		"what the question names":                  {batteries, "how much is the battery 10", 1, []int{1}},
		"all, where it does not tell":              {batteries, "how much is the large battery", 0, []int{0, 1, 2}},
		"a number of another column tells nothing": {batteries, "how much is the battery 10", 0, []int{1}},
		"the one whose whole name is asked":        {cuts, "how much is a cut", 1, []int{0}},
		"the one with more of it":                  {cuts, "how much is cut and colour", 1, []int{1}},
		"nothing of it in the name":                {batteries, "what does the thing cost", 3, []int{3}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := make([]int, len(c.rows))
			for i := range all {
				all[i] = i
			}
			got, more := table.New(c.rows, "").Pick(inquiry(c.ask), c.best, all)
			if more != 0 {
				t.Errorf("%d more", more)
			}
			slices.Sort(got)
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestMoreThanThree(t *testing.T) {
	t.Parallel()
	skips := rows(t, "Item: 2 yard skip; Price: £100", "Item: 4 yard skip; Price: £140", "Item: 6 yard skip; Price: £180", "Item: 8 yard skip; Price: £220")
	tab := table.New(skips, "")
	picked, more := tab.Pick(inquiry("how much is a skip"), 0, []int{0, 1, 2, 3})
	said, _ := tab.Read(inquiry("how much is a skip"), picked).Say("en", "en", more)
	if len(picked) != 3 || more != 1 || !strings.HasPrefix(said, "There are several. 2 yard skip is 100 pounds.") {
		t.Errorf("picked %v and %d more: %s", picked, more, said)
	}
}

func TestShapes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		money string
		row   int
		ask   string
		want  string
	}{
		"columns of sizes":                 {[]string{"Pizza: Plain; Small: 8.00; Large: 11.00", "Pizza: Spicy; Small: 9.00; Large: 12.00"}, "EUR", 1, "how much is spicy", "Spicy is 9 euros (small) and 12 euros (large)."},
		"the size that is asked":           {[]string{"Pizza: Plain; Small: 8.00; Large: 11.00", "Pizza: Spicy; Small: 9.00; Large: 12.00"}, "EUR", 1, "how much is a large spicy", "Spicy is 12 euros (large)."},
		"the size in the other language":   {[]string{"Pizza: Plain; Small: 8.00; Large: 11.00", "Pizza: Spicy; Small: 9.00; Large: 12.00"}, "EUR", 1, "¿cuánto vale la spicy grande?", "Spicy is 12 euros (large)."},
		"a deposit is no price":            {[]string{"Item: Drill; Day: £10; Deposit: £50", "Item: Saw; Day: £12; Deposit: £60"}, "", 0, "how much is the drill", "Drill is 10 pounds a day."},
		"a deposit that is asked for":      {[]string{"Item: Drill; Day: £10; Deposit: £50", "Item: Saw; Day: £12; Deposit: £60"}, "", 0, "how much is the deposit for the drill", "Drill: deposit 50 pounds."},
		"letters are sizes":                {[]string{"Item: Shirt; Size: S; Price: £5", "Item: Coat; Size: M; Price: £6"}, "", 0, "what size is the shirt", "Shirt: size S."},
		"a price from among several":       {[]string{"Item: Shirt; Mini: £5; Small: £10; Medium: £20; Large: from £40"}, "", 0, "how much is the shirt", "Shirt is 5 pounds (mini), 10 pounds (small), 20 pounds (medium) and from 40 pounds (large)."},
		"with the tax rather than without": {[]string{"Job: Brakes; Price ex VAT: £50; Price inc VAT: £60"}, "", 0, "how much are brakes", "Brakes are 60 pounds, VAT included."},
		"without the tax, where asked":     {[]string{"Job: Brakes; Price ex VAT: £50; Price inc VAT: £60"}, "", 0, "how much are brakes without VAT", "Brakes are 50 pounds, plus VAT."},
		"a code before the name":           {[]string{"Ref: A-1; Job: Brakes; Price: £50", "Ref: A-2; Job: Clutch; Price: £500"}, "", 1, "how much is the clutch", "Clutch is 500 pounds."},
		"a group before the name":          {[]string{"Section: Mains; Dish: Lamb; Price: £15", "Section: Mains; Dish: Cod; Price: £14", "Section: Sweets; Dish: Cake; Price: £5"}, "", 1, "how much is the cod", "Cod is 14 pounds."},
		"two rows of one name":             {[]string{"Course: English; Kind: online; Price: £50", "Course: English; Kind: in class; Price: £80"}, "", 0, "how much is English", "English (online) is 50 pounds."},
		"names down the side have no name": {[]string{"Plain; Small: £8; Large: £11", "Spicy; Small: £9; Large: £12"}, "", 0, "how much is a small plain", "Plain is 8 pounds (small)."},
		"no names at all":                  {[]string{"Soup; 5 €", "Bread; 1 €"}, "", 1, "how much is bread", "Bread is 1 euro."},
		"by the month, where asked":        {[]string{"Kit: Small kit; Price: 3.290 €; Financed: 39 €/month", "Kit: Plus kit; Price: 7.690 €; Financed: 91 €/month"}, "", 1, "how much is the plus kit a month", "Plus kit is 91 euros a month (financed)."},
		"columns of lengths":               {[]string{"Boat: Canoe; 1 hour: 10; 2 hours: 16", "Boat: Kayak; 1 hour: 12; 2 hours: 20"}, "EUR", 1, "how much is the kayak for 2 hours", "Kayak is 20 euros (2 hours)."},
		"a number of weeks":                {[]string{"Course: Pottery; Weeks: 6; Fee: £120", "Course: Weaving; Weeks: 8; Fee: £90"}, "", 0, "how many weeks is pottery", "Pottery: 6 weeks."},
		"a price that is none":             {[]string{"Service: Chip; Dog: 40 €; Ferret: not done", "Service: Check; Dog: 32 €; Ferret: 35 €"}, "", 0, "how much is the chip for a ferret", "Chip: not done (ferret)."},
		"figures in capitals":              {[]string{"Size: 205/55 R16; Price: £71", "Size: 225/45 R17; Price: £88"}, "", 0, "how much is 205/55 R16", "205/55 R16 is 71 pounds."},
		"a name in capitals":               {[]string{"ITEM: MANICURE; PRICE: £15", "ITEM: PEDICURE; PRICE: £20"}, "", 0, "how much is a manicure", "Manicure is 15 pounds."},
		"nothing in particular":            {[]string{"Room: Heron; Floor: 2; View: sea; Price: 95 €", "Room: Plover; Floor: 1; View: garden; Price: 80 €"}, "", 0, "tell me of the heron", "Heron: floor 2, view sea, 95 euros."},
		"a price without any currency":     {[]string{"Item: Lamp; Price: 12"}, "", 0, "how much is the lamp", "Lamp is 12."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ok := table.New(rows(t, c.lines...), c.money).Read(inquiry(c.ask), []int{c.row}).Say("en", "en", 0)
			if !ok || got != c.want {
				t.Errorf("got %q, %v", got, ok)
			}
		})
	}
}

func TestTurnedTable(t *testing.T) {
	t.Parallel()
	tab := table.New(rows(t, "Price per month; Basic: £10; Plus: £20; Gold: £30", "Minutes; Basic: 30; Plus: 60; Gold: 90"), "")
	picked, _ := tab.PickNamed(inquiry("how much is gold"))
	got, _ := tab.Read(inquiry("how much is gold"), picked).Say("en", "en", 0)
	if !tab.Turned() || got != "Gold is 30 pounds a month." {
		t.Errorf("got %q", got)
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for text, strict := range map[string]bool{
		"Service: Cut; Price: 25 €": true, "Cut; Price: 25 €": false, "Note: wash; dry; Price: 25 €": false,
	} {
		if r, ok := table.Parse(text); !ok || r.Strict != strict || len(r.Cells) != 2 {
			t.Errorf("%q is %+v, %v", text, r, ok)
		}
	}
	for _, text := range []string{"", "We are open.", "Service: Cut", "a: b; c: d\ne: f; g: h"} {
		if r, ok := table.Parse(text); ok {
			t.Errorf("%q is %+v", text, r)
		}
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Servicio: Corte de pelo; Precio: 18 €; Duración: 30 min": "Corte de pelo: 30 minutos, 18 euros.",
		"We wash; you dry.": "We wash; you dry.",
	} {
		if got := table.Describe(text); got != want {
			t.Errorf("%q is %q", text, got)
		}
	}
}

// TestProse: what of a sentence can be said first to who speaks another language.
func TestProse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ ask, text, lang, want string }{
		"the price":               {"how much for the dog?", "Admitimos perros por 12 euros la noche.", "en", "12 euros a night."},
		"the hours":               {"what time is breakfast", "El desayuno se sirve de 7:30 a 10:00.", "en", "7:30 to 10:00."},
		"how long":                {"¿cuánto dura la visita?", "The tour takes about 45 minutes.", "es", "Unos 45 minutos."},
		"yes":                     {"do you have wifi", "Sí, gratis en todo el local.", "en", "Yes."},
		"no":                      {"¿tienen parking?", "No, but there is one next door.", "es", "No."},
		"two prices are not told": {"¿cuánto cuesta?", "It is £5 for adults and £3 for children.", "es", ""},
		"what was not asked for":  {"¿dónde están?", "We charge £5.", "es", ""},
	} {
		if got := table.Lead(c.ask, c.text, c.lang); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got, ok := table.Short("how much is a cut", "- Corte de caballero: 18 €", "en", "es"); !ok || got != "Corte de caballero is 18 euros." {
		t.Errorf("a short fact is %q, %v", got, ok)
	}
	if got, ok := table.Short("how much is a cut", "Nota: llame antes", "en", "es"); ok {
		t.Errorf("prose is %q", got)
	}
}

// TestLanguagesSayTheSame: what one language can word, all can.
func TestLanguagesSayTheSame(t *testing.T) {
	t.Parallel()
	keys := func(code string) map[string]int {
		all := map[string]int{}
		for _, line := range language.Of(code).Lines("table wording") {
			key, text, _ := strings.Cut(line, ":")
			all[key] = strings.Count(text, "{")
		}
		return all
	}
	first := keys(language.Codes()[0])
	for _, code := range language.Codes()[1:] {
		other := keys(code)
		for key, gaps := range first {
			if n, ok := other[key]; !ok || n != gaps {
				t.Errorf("%s: %s has %d gaps, want %d", code, key, n, gaps)
			}
		}
		if len(other) != len(first) {
			t.Errorf("%s has %d wordings, want %d", code, len(other), len(first))
		}
	}
	for section, prefix := range map[string]string{"table units": "per_", "table times": "time_", "table variants": "variant_", "table money": "money_", "table terms": "term_"} {
		for _, code := range language.Codes() {
			for expression, value := range language.Of(code).Pairs(section) {
				if _, ok := first[prefix+value]; !ok {
					t.Errorf("%s: %q stands for %q, which nothing words", code, expression, value)
				}
			}
		}
	}
}
