package search_test

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/search"
)

// passages makes fragments of texts in a language.
func passages(lang string, texts ...string) (all []frontdesk.Fragment) {
	for i, text := range texts {
		all = append(all, frontdesk.Fragment{ID: frontdesk.ID(fmt.Sprint(i)), Position: i, Language: lang, Text: text})
	}
	return all
}

var inn = passages("en",
	"Breakfast is served from 7:30 to 10:00 in the garden room.",
	"Dogs are welcome for 12 euros a night; please keep them off the beds.",
	"The car park behind the house is free for our guests.",
	"Wi-Fi reaches every room; the password is on your key card.",
	"Cancellations up to 48 hours before arrival cost nothing.",
	"Room: Heron; Floor: 2; Price: 95 €; View: sea",
	"Children under 6 stay for free in their parents' bed.",
	"Our orthodontist neighbour sometimes plays the piano.",
)

var posada = passages("es",
	"El desayuno se sirve de 7:30 a 10:00 en la sala del jardín.",
	"Admitimos perros por 12 euros la noche, siempre que no suban a las camas.",
	"El aparcamiento de detrás de la casa es gratuito para los huéspedes.",
	"La anulación es gratuita hasta 48 horas antes de la llegada.",
	"Habitación: Garza; Planta: 2; Precio: 95 €; Vistas: al mar",
	"La estación de autobuses queda a diez minutos andando.",
	"La recepción cierra a medianoche; después se entra con código.",
)

func TestWhatIsFound(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fragments []frontdesk.Fragment
		ask, want string
	}{
		"a word as it is written":               {inn, "what about breakfast", "Breakfast is served"},
		"an inflection":                         {inn, "do you welcome a dog", "Dogs are welcome"},
		"a Spanish verb in another person":      {posada, "¿admitís perro?", "Admitimos perros"},
		"a word without its accent":             {posada, "habitacion", "Habitación: Garza"},
		"a word in capitals":                    {posada, "DESAYUNO", "El desayuno"},
		"a synonym":                             {posada, "¿dónde está el parking?", "El aparcamiento"},
		"a word of the other language":          {inn, "¿a qué hora es el desayuno?", "Breakfast is served"},
		"and back":                              {posada, "what time is breakfast?", "El desayuno"},
		"a phrase of the other language":        {posada, "is there a car park?", "El aparcamiento"},
		"something related":                     {posada, "can my spaniel come?", "Admitimos perros"},
		"a misspelled word":                     {inn, "brekfast", "Breakfast is served"},
		"two letters swapped":                   {posada, "aparcameinto", "El aparcamiento"},
		"a misspelled word of another language": {inn, "desayno", "Breakfast is served"},
		"a hyphen more or less":                 {inn, "wifi", "Wi-Fi reaches"},
		"a space more":                          {passages("en", "Checkin starts at three.", "The bar has live music."), "when can we check in", "Checkin"},
		"a word of the same family":             {inn, "orthodontics", "Our orthodontist"},
		"a number":                              {inn, "48", "Cancellations up to 48"},
		"a number in words":                     {inn, "kids under six", "Children under 6"},
		"a cognate that no lexicon has":         {passages("en", "The hagiographic museum is next door."), "¿qué es lo hagiográfico?", "hagiographic"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := search.New(c.fragments).Ask(search.Query{Text: c.ask})
			if len(r.Hits) == 0 || !strings.HasPrefix(r.Hits[0].Fragment.Text, c.want) && !strings.Contains(r.Hits[0].Fragment.Text, c.want) {
				t.Errorf("%q finds %+v", c.ask, r.Hits)
			}
		})
	}
}

func TestWhatComesFirst(t *testing.T) {
	t.Parallel()
	const filler = "We look forward to your visit."
	for name, c := range map[string]struct {
		first, second frontdesk.Fragment
		ask           string
	}{
		"what speaks of more of the question": {
			frontdesk.Fragment{Text: "The sauna opens in the evening."}, frontdesk.Fragment{Text: "The sauna is made of wood."}, "is the sauna open in the evening",
		},
		"the same word before a synonym": {
			frontdesk.Fragment{Text: "Cheap rooms are in the annexe."}, frontdesk.Fragment{Text: "Inexpensive rooms are in the annexe."}, "cheap rooms",
		},
		"synonyms count as one word, not as many": {
			frontdesk.Fragment{Text: "Our terrace has heating."}, frontdesk.Fragment{Text: "Parking, car park, garage: parking space for all."}, "parking on the terrace with heating",
		},
		"a question that was answered before": {
			frontdesk.Fragment{Question: "Can I pay by card?", Text: "Yes, from 5 euros."}, frontdesk.Fragment{Text: "The card game evening is on Friday; players pay 5 euros by hand."}, "can I pay by card",
		},
		"what stands under the heading": {
			frontdesk.Fragment{Heading: "House rules > Smoking", Text: "Only on the balcony."}, frontdesk.Fragment{Heading: "House rules > Noise", Text: "Music only on the balcony."}, "smoking on the balcony",
		},
		"the kind of fact that is asked for": {
			frontdesk.Fragment{Text: "A massage costs 40 € at Lucía's."}, frontdesk.Fragment{Text: "A massage does good at any time."}, "how much is a massage",
		},
		"a price for the word price, in another language": {
			frontdesk.Fragment{Text: "Masaje con aceite: 40 €", Language: "es"}, frontdesk.Fragment{Text: "El masaje relaja.", Language: "es"}, "price of a massage",
		},
		"words that stand together": {
			frontdesk.Fragment{Text: "The pool is heated in winter. Bring a towel. Ask at the desk."}, frontdesk.Fragment{Text: "The pool is blue. Bring a towel. The lounge is heated."}, "is the pool heated",
		},
		"a word before another that only shares its stem": {
			frontdesk.Fragment{Text: "El pago es con dinero contante.", Language: "es"}, frontdesk.Fragment{Text: "La baja tiene efecto al mes siguiente.", Language: "es"}, "¿aceptan efectivo?",
		},
		"nails before any one thing": {
			frontdesk.Fragment{Text: "Cortamos las uñas al gato.", Language: "es"}, frontdesk.Fragment{Text: "Cortamos unas ramas.", Language: "es"}, "cortar uñas",
		},
		"a verb whose vowel changes": {
			frontdesk.Fragment{Text: "No se puede devolver la ropa interior.", Language: "es"}, frontdesk.Fragment{Text: "La ropa interior está en la planta baja.", Language: "es"}, "si la ropa interior no me vale, ¿la devuelvo?",
		},
		"a price without its currency": {
			frontdesk.Fragment{Text: "Bungaló: temporada alta 88,00"}, frontdesk.Fragment{Text: "Bungaló: temporada alta completa"}, "¿cuánto vale el bungaló en temporada alta?",
		},
		"hours for a question whether it is open": {
			frontdesk.Fragment{Text: "Sauna with two rooms: 9 to 5."}, frontdesk.Fragment{Text: "Sauna with two towels."}, "is the sauna open",
		},
		"round the clock for the same": {
			frontdesk.Fragment{Text: "The desk is staffed 24 hours."}, frontdesk.Fragment{Text: "The desk is made of oak."}, "when is the desk open",
		},
		"an age for how old": {
			frontdesk.Fragment{Text: "The slide is for swimmers over 12."}, frontdesk.Fragment{Text: "The slide is for good swimmers."}, "how old must swimmers be for the slide",
		},
		"a discount for what makes it cheaper": {
			frontdesk.Fragment{Text: "Students: 10 % on any cut."}, frontdesk.Fragment{Text: "Students: bring a photo of the cut."}, "is a cut cheaper for students",
		},
		"a name for who": {
			frontdesk.Fragment{Text: "Colour is done by Maialen."}, frontdesk.Fragment{Text: "Colour is done by appointment."}, "who does the colour",
		},
		"what carries meaning before what callers say around it": {
			frontdesk.Fragment{Text: "Vegetarians find three dishes."}, frontdesk.Fragment{Text: "My mother founded the house."}, "hi, my mother is vegetarian",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.first.ID, c.second.ID = "first", "second"
			for _, f := range []*frontdesk.Fragment{&c.first, &c.second} {
				f.Language = cmp.Or(f.Language, "en")
			}
			all := append([]frontdesk.Fragment{c.second, c.first}, passages("en", filler, filler, filler)...)
			r := search.New(all).Ask(search.Query{Text: c.ask})
			if len(r.Hits) == 0 || r.Hits[0].Fragment.ID != "first" {
				t.Errorf("%q finds %+v", c.ask, r.Hits)
			}
		})
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Nobody needs to know this about our old house by the sea. ", 4)
	row := "Service: Wedding hair; Length: any; Notes: " + strings.Repeat("a long remark about nothing, ", 12) + "; Price: 120 €"
	for name, c := range map[string]struct {
		fragment  frontdesk.Fragment
		ask, want string
	}{
		"the sentence that says it": {
			frontdesk.Fragment{Text: long + "The laundry costs 4 € a load. " + long}, "how much is the laundry", "The laundry costs 4 € a load.",
		},
		"what follows a question, never the question": {
			frontdesk.Fragment{Question: "Do you have a lift?", Text: "Sadly not."}, "do you have a lift", "Sadly not.",
		},
		"hours whole": {
			frontdesk.Fragment{Text: long + "We open from 9.30 a.m. to 8 p.m. on weekdays. " + long}, "when do you open on weekdays", "9.30 a.m. to 8 p.m. on weekdays.",
		},
		"a row in a sentence": {
			frontdesk.Fragment{Text: "Service: Cut; Price: 25 €"}, "price of a cut", "Cut is 25 euros.",
		},
		"of a long row what is asked": {
			frontdesk.Fragment{Text: row}, "how much is wedding hair", "Wedding hair is 120 euros.",
		},
		"two facts that stand in one passage": {
			frontdesk.Fragment{Text: "A perm is 48 € and takes two hours. We also sell combs."}, "how much is a perm and how long does it take", "48 € and takes two hours",
		},
		"with whom it is about": {
			frontdesk.Fragment{Text: "Nadia Roth is our farrier. She comes on the first Tuesday of the month.\n\nOwen Pike grooms the ponies."},
			"which tuesday does she come", "Nadia Roth is our farrier. She comes",
		},
		"a short paragraph whole after its heading": {
			frontdesk.Fragment{Text: "Bicycles. In the yard, yes. In the rooms, only folded.\n\nLaundry. On Mondays."}, "bicycles", "In the rooms, only folded.",
		},
		"two items of a list": {
			frontdesk.Fragment{Text: "- Towels are free\n- Robes cost 5 €"}, "are robes and towels free", "Towels are free; Robes cost 5 €",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.fragment.Language = "en"
			r := search.New([]frontdesk.Fragment{c.fragment}).Ask(search.Query{Text: c.ask})
			if !strings.Contains(r.Answer, c.want) || len(r.Answer) > search.LongestAnswer || strings.Contains(r.Answer, "?") {
				t.Errorf("%q is answered %q", c.ask, r.Answer)
			}
		})
	}
}

func TestAnAnswerThatIsCutKeepsItsNumbersWhole(t *testing.T) {
	t.Parallel()
	for pad := range 40 {
		text := strings.Repeat("x", 230+pad) + " prices begin at 1.250 € and go on and on and on for as long as anyone can listen to them"
		r := search.New(passages("en", text)).Ask(search.Query{Text: "prices"})
		if len(r.Answer) > search.LongestAnswer || strings.HasSuffix(r.Answer, "1.250…") {
			t.Fatalf("answered %q", r.Answer)
		}
	}
}

func TestMatchIsHighForWhatIsThereAndLowForWhatIsNot(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fragments  []frontdesk.Fragment
		there, not string
	}{
		{inn, "are dogs welcome at night", "is there a golf course near the airport"},
		{inn, "¿a qué hora se sirve el desayuno?", "¿quién ganó las elecciones generales?"},
		{posada, "¿admitís perros por la noche?", "¿tenéis pista de pádel cubierta?"},
		{posada, "is cancellation free 48 hours before arrival?", "can you translate my diploma?"},
	} {
		ix := search.New(c.fragments)
		there, not := ix.Ask(search.Query{Text: c.there}), ix.Ask(search.Query{Text: c.not})
		if there.Match < 0.6 || not.Match >= 0.6 {
			t.Errorf("%q has %.2f, %q has %.2f", c.there, there.Match, c.not, not.Match)
		}
	}
}

func TestWhatMatchedIsTold(t *testing.T) {
	t.Parallel()
	r := search.New(inn).Ask(search.Query{Text: "Do you serve breakfast on the helicopter?"})
	if !slices.Contains(r.Matched, "breakfast") || !slices.Contains(r.Missing, "helicopter") {
		t.Errorf("matched %v, missing %v", r.Matched, r.Missing)
	}
}

func TestHitsAreFewOrderedAndSure(t *testing.T) {
	t.Parallel()
	var texts []string
	for i := range 30 {
		texts = append(texts, fmt.Sprintf("Room %d has a balcony and a view.", i))
	}
	r := search.New(passages("en", texts...)).Ask(search.Query{Text: "room 7 with a balcony"})
	if len(r.Hits) != 5 || !r.Hits[0].Used || r.Hits[0].Match != r.Match || !strings.Contains(r.Answer, "Room 7 ") {
		t.Fatalf("got %+v", r)
	}
	for i, h := range r.Hits {
		if h.Match < 0 || h.Match > 1 || i > 0 && (h.Used || h.Match > r.Hits[0].Match) {
			t.Errorf("hit %d: %+v", i, h)
		}
	}
}

func TestNothingToFind(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "¿?", "¿cuándo?", "zzzzzz", "\xff\xfe", strings.Repeat("a", 5000)} {
		for _, fragments := range [][]frontdesk.Fragment{nil, {{}}, inn} {
			r := search.New(fragments).Ask(search.Query{Text: text})
			if len(r.Hits) > 0 || r.Answer != "" || r.Match != 0 {
				t.Errorf("%q finds %+v", text, r)
			}
		}
	}
}

// TestVectors asks in words that no fragment has: only the vectors know.
func TestVectors(t *testing.T) {
	t.Parallel()
	vectors := make([][]float32, len(inn))
	for i := range vectors {
		vectors[i] = make([]float32, len(inn))
		vectors[i][i] = 1
	}
	vectors[0] = nil
	ix := search.NewWith(inn, search.Options{Vectors: vectors})
	r := ix.Ask(search.Query{Text: "qwertyuiop", Vector: vectors[4]})
	if len(r.Hits) != 1 || r.Hits[0].Fragment.ID != inn[4].ID {
		t.Errorf("found %+v", r.Hits)
	}
	without, with := ix.Ask(search.Query{Text: "dogs"}), ix.Ask(search.Query{Text: "dogs", Vector: vectors[1]})
	if with.Match <= without.Match {
		t.Errorf("a vector that agrees leads to %.2f, none to %.2f", with.Match, without.Match)
	}
	against := ix.Ask(search.Query{Text: "guests", Vector: vectors[6]})
	if against.Hits[0].Fragment.ID != inn[6].ID {
		t.Errorf("the vector does not outweigh one weak word: %+v", against.Hits)
	}
	if r := ix.Ask(search.Query{Text: "dogs", Vector: []float32{1}}); !reflect.DeepEqual(r, without) {
		t.Error("a vector of another length changes the answer")
	}
}

// TestTheSameQuestionHasTheSameAnswer asks from many goroutines at once.
func TestTheSameQuestionHasTheSameAnswer(t *testing.T) {
	t.Parallel()
	ix := search.New(slices.Concat(inn, posada))
	questions := []string{"¿a qué hora es el desayuno?", "where can I park", "precio de la habitacion con vistas", "dogs?"}
	want := make([]search.Result, len(questions))
	for i, q := range questions {
		want[i] = search.New(slices.Concat(inn, posada)).Ask(search.Query{Text: q})
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i, q := range questions {
				if got := ix.Ask(search.Query{Text: q}); !reflect.DeepEqual(got, want[i]) {
					t.Errorf("%q: %+v, and then %+v", q, want[i], got)
				}
			}
		})
	}
	wg.Wait()
}

func TestBytesGrowWithTheFragments(t *testing.T) {
	t.Parallel()
	small, large := search.New(inn[:2]).Bytes(), search.New(inn).Bytes()
	if small <= 0 || large <= small {
		t.Errorf("%d bytes for two fragments, %d for all", small, large)
	}
}

// A price and a length may stand in two passages.
func TestTwoFacts(t *testing.T) {
	t.Parallel()
	all := passages("en",
		"A perm is 48 €, conditioner included.",
		"For a perm we need two hours, so please do not come in a hurry.",
		"A massage takes one hour.",
		"Towels are free.",
	)
	r := search.New(all).Ask(search.Query{Text: "how much is a perm and how long does a perm take"})
	for _, want := range []string{"48 €", "two hours"} {
		if !strings.Contains(r.Answer, want) {
			t.Errorf("%q is not in %q", want, r.Answer)
		}
	}
	used := slices.DeleteFunc(slices.Clone(r.Hits), func(h search.Hit) bool { return !h.Used })
	if strings.Contains(r.Answer, "massage") || len(used) != 2 {
		t.Errorf("answered %q from %+v", r.Answer, r.Hits)
	}
	if r := search.New(all).Ask(search.Query{Text: "how much is a perm"}); strings.Contains(r.Answer, "hours") {
		t.Errorf("one fact is answered %q", r.Answer)
	}
}
