package search_test

import (
	"slices"
	"testing"

	"frontdesk.dev/frontdesk/internal/search"
)

func TestSentences(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"points, exclamations and questions": {"Hola. ¡Pasen! ¿Quién es? Yo.", []string{"Hola.", "¡Pasen!", "¿Quién es?", "Yo."}},
		"lines":                              {"- one\n\n- two\n", []string{"- one", "- two"}},
		"decimals and hours":                 {"Abre a las 9.30 y cuesta 3.50 €. Bien.", []string{"Abre a las 9.30 y cuesta 3.50 €.", "Bien."}},
		"titles":                             {"La Sra. Gil y el Dr. Paz. Nadie más.", []string{"La Sra. Gil y el Dr. Paz.", "Nadie más."}},
		"abbreviations":                      {"Son aprox. 20 min. Más tarde no.", []string{"Son aprox. 20 min.", "Más tarde no."}},
		"morning and afternoon":              {"From 9 a.m. Monday to 5 p.m. Friday.", []string{"From 9 a.m. Monday to 5 p.m. Friday."}},
		"a number's abbreviation":            {"See No. 5 here. The answer is no. Sorry.", []string{"See No. 5 here.", "The answer is no.", "Sorry."}},
		"initials":                           {"J. Pérez is in. Come.", []string{"J. Pérez is in.", "Come."}},
		"a web address":                      {"Go to example.com/a.b now. Thanks.", []string{"Go to example.com/a.b now.", "Thanks."}},
		"small letters go on":                {"Sí… pero no. Eso.", []string{"Sí… pero no.", "Eso."}},
		"nothing":                            {" \n ", nil},
	} {
		if got := search.Sentences(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"accents and capitals fold":             {"¿Habitación ÑU?", []string{"habitacion", "nu"}},
		"accents of their own are folded too":   {"cafe\u0301", []string{"cafe"}},
		"a number keeps its marks":              {"9.30, 3,50 and 10:15.", []string{"9.30", "3.50", "and", "10.15"}},
		"full hours and even prices are plain":  {"10:00 25,00", []string{"10", "25"}},
		"a unit is a word of its own":           {"25eur 9h", []string{"25", "eur", "9", "h"}},
		"a hyphen parts words":                  {"wi-fi", []string{"wi", "fi"}},
		"an apostrophe does not":                {"don't Anna's ladies’", []string{"dont", "anna", "ladies"}},
		"bytes that are no text part words too": {"a\xffb", []string{"a", "b"}},
	} {
		if got := search.Words(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestCognates(t *testing.T) {
	t.Parallel()
	for spanish, english := range map[string]string{
		"estacion": "station", "universidad": "university", "perfectamente": "perfectly", "electronico": "electronic",
		"famoso": "famous", "dentista": "dentist", "fotografia": "photography", "especial": "special", "creativo": "creative",
	} {
		if !search.Cognates(spanish, english) {
			t.Errorf("%s and %s are not seen as one", spanish, english)
		}
	}
	for spanish, english := range map[string]string{"ventana": "vegetable", "perro": "pepper", "mesa": "menu"} {
		if search.Cognates(spanish, english) {
			t.Errorf("%s and %s are seen as one", spanish, english)
		}
	}
}

func TestModelFile(t *testing.T) {
	t.Parallel()
	m := search.Fitted()
	for _, w := range []search.Weights{m.Words, m.Senses} {
		if len(w.Rank) != len(search.RankFeatures) || len(w.Match) != len(search.MatchFeatures) || w.Match[0] == 0 {
			t.Errorf("the model is %+v", m)
		}
	}
	for _, name := range search.SenseFeatures {
		if w := m.Words.Match[slices.Index(search.MatchFeatures, name)]; w != 0 {
			t.Errorf("without senses %s weighs %v", name, w)
		}
	}
	for _, text := range []string{"words rank score", "words rank nothing 1", "senses match score one", "rank score 1"} {
		if _, err := search.ReadModel(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}
