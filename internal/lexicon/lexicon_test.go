package lexicon_test

import (
	"slices"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

func entry(lang, words string) lexicon.Entry {
	stems := strings.Fields(words)
	for i, w := range stems {
		stems[i] = lexicon.Stem(lang, language.Fold(w))
	}
	if len(stems) == 1 {
		return lexicon.Words().EntryOf(lang, language.Fold(words), stems[0])
	}
	return lexicon.Entry{Lang: lang, Stems: strings.Join(stems, " ")}
}

func TestSame(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ from, to lexicon.Entry }{
		"a translation":         {entry("es", "desayuno"), entry("en", "breakfast")},
		"and back":              {entry("en", "breakfast"), entry("es", "desayuno")},
		"an inflected word":     {entry("es", "perros"), entry("en", "dog")},
		"a synonym":             {entry("es", "aparcamiento"), entry("es", "parking")},
		"a phrase":              {entry("es", "aparcamiento"), entry("en", "car park")},
		"a word for a phrase":   {entry("en", "car park"), entry("es", "aparcamiento")},
		"a word with no accent": {entry("es", "habitacion"), entry("en", "room")},
	} {
		if !slices.ContainsFunc(slices.Collect(lexicon.Words().Same(c.from)), func(m lexicon.Meaning) bool { return m.Entry == c.to }) {
			t.Errorf("%s: %v is not %v", name, c.from, c.to)
		}
	}
}

func TestRelatedIsNotTheSame(t *testing.T) {
	t.Parallel()
	from, to := entry("es", "celíaco"), entry("en", "gluten")
	is := func(m lexicon.Meaning) bool { return m.Entry == to }
	if !slices.ContainsFunc(slices.Collect(lexicon.Words().Related(from)), is) || slices.ContainsFunc(slices.Collect(lexicon.Words().Same(from)), is) {
		t.Error("coeliac and gluten are not related, or the same")
	}
}

func TestPhraseAt(t *testing.T) {
	t.Parallel()
	stems := []string{"car", "park", "near"}
	if e, n := lexicon.Words().PhraseAt("en", stems); n != 2 || e.Stems != "car park" {
		t.Errorf("found %v of %d words", e, n)
	}
	if _, n := lexicon.Words().PhraseAt("en", stems[1:]); n != 0 {
		t.Errorf("found a phrase of %d words", n)
	}
}

func TestStem(t *testing.T) {
	t.Parallel()
	for lang, rows := range map[string][]string{
		"es": {"reserva reservar reservas reservacion", "habitacion habitaciones", "abre abren abrir abris", "mandais mandar", "dia dias", "panaderia panaderias", "cerrar cierra cierran", "volver vuelve vuelto", "dar dais"},
		"en": {"book books booked booking", "allergy allergies", "cancel cancelled cancellation", "buy bought", "tooth teeth", "cheap cheaper cheapest", "big bigger", "early earlier"},
	} {
		for _, row := range rows {
			words := strings.Fields(row)
			for _, w := range words[1:] {
				if a, b := lexicon.Stem(lang, words[0]), lexicon.Stem(lang, w); a != b {
					t.Errorf("%s is %s, %s is %s", words[0], a, w, b)
				}
			}
		}
	}
}

func TestLanguage(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"¿Tenéis wifi?":                       "es",
		"tienen aparcamiento cerca del hotel": "es",
		"precio corte de pelo":                "es",
		"do you have wifi":                    "en",
		"price of a haircut":                  "en",
		"opening hours":                       "en",
		"Garza: 95 €":                         "",
		"":                                    "",
		strings.Repeat("the house is open ", 5000): "en",
	} {
		if got := lexicon.Language(text); got != want && want != "" || want == "" && text == "" && got != "" {
			t.Errorf("%.30q is %q", text, got)
		}
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for word, lang := range map[string]string{"6": "en", "seis": "es", "six": "en"} {
		if all := lexicon.Numbers(lang, word); !slices.Contains(all, "6") || !slices.Contains(all, "seis") || !slices.Contains(all, "six") {
			t.Errorf("%s is also %v", word, all)
		}
	}
	if lexicon.Numbers("en", "once") != nil || lexicon.Numbers("es", "casa") != nil {
		t.Error("a word that is no number is one")
	}
}

func TestWhatCarriesNoMeaning(t *testing.T) {
	t.Parallel()
	if !lexicon.Grammar("es", "donde") || !lexicon.Grammar("en", "where") || lexicon.Grammar("en", "parking") {
		t.Error("grammar is mistaken")
	}
	if !lexicon.Manners("es", "hola") || !lexicon.Manners("en", "please") || lexicon.Manners("es", "perro") {
		t.Error("manners are mistaken")
	}
	if !lexicon.Light("es", "llegaremos") || !lexicon.Light("en", "bringing") || lexicon.Light("en", "dog") {
		t.Error("light words are mistaken")
	}
}

func TestWordsThatOnlyShareAStemAreNotTheSame(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lang, a, b string
		same       bool
	}{
		"cash and effect":              {"es", "efectivo", "efecto", false},
		"a table and a month":          {"es", "mesa", "mes", false},
		"tables and months":            {"es", "mesas", "meses", false},
		"the moon and Mondays":         {"es", "luna", "lunes", false},
		"a verb and its noun":          {"es", "reservar", "reserva", true},
		"one and many":                 {"es", "mesa", "mesas", true},
		"a verb and its past":          {"en", "book", "booked", true},
		"two words with a translation": {"en", "book", "booking", true},
	} {
		l := lexicon.Words()
		if a, b := l.Entry(c.lang, c.a), l.Entry(c.lang, c.b); a.Stems != b.Stems || (a == b) != c.same {
			t.Errorf("%s: %v and %v", name, a, b)
		}
	}
}

func TestFold(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{"Habitación": "habitacion", "NIÑO": "nino", "plain": "plain", "cuñada": "cunada"} {
		if got := language.Fold(word); got != want {
			t.Errorf("%s is %s", word, got)
		}
	}
	for _, word := range []string{"uña", "Uñas", "UÑA"} {
		if lexicon.Grammar("es", language.Fold(word)) {
			t.Errorf("%s is grammar", word)
		}
	}
}
