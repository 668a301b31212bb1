package spoken_test

import (
	"slices"
	"strings"
	"testing"
	"testing/quick"
	"time"

	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/spoken"
)

func TestSentences(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"none":                           {"", nil},
		"one":                            {"Hola", []string{"Hola"}},
		"two":                            {"Hecho. ¿Algo más?", []string{"Hecho.", "¿Algo más?"}},
		"an exclamation":                 {"¡Gracias! Adiós.", []string{"¡Gracias!", "Adiós."}},
		"a decimal":                      {"It is 2.5 km. Bye.", []string{"It is 2.5 km.", "Bye."}},
		"thousands":                      {"Son 1.150 euros. Vale.", []string{"Son 1.150 euros.", "Vale."}},
		"a title":                        {"La Dra. Pérez está. Pase.", []string{"La Dra. Pérez está.", "Pase."}},
		"an English title":               {"Dr. Patel is in. Come.", []string{"Dr. Patel is in.", "Come."}},
		"for example":                    {"Con p. ej. dos. Sí.", []string{"Con p. ej. dos.", "Sí."}},
		"an initial":                     {"With J. Brown. Bye.", []string{"With J. Brown.", "Bye."}},
		"a word that goes on":            {"a.m. or p.m. only. Yes.", []string{"a.m. or p.m. only.", "Yes."}},
		"figures begin a sentence":       {"Call us. 24 hours.", []string{"Call us.", "24 hours."}},
		"lines":                          {"Uno\nDos", []string{"Uno", "Dos"}},
		"three full stops":               {"Well... Yes.", []string{"Well...", "Yes."}},
		"both marks":                     {"What?! Yes.", []string{"What?!", "Yes."}},
		"a question in brackets":         {"It is (is it?) so. Yes.", []string{"It is (is it?) so.", "Yes."}},
		"a colon and a semicolon do not": {"Nota: uno; dos, tres.", []string{"Nota: uno; dos, tres."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := spoken.Sentences(tt.text); !slices.Equal(got, tt.want) {
				t.Errorf("the sentences of %q are %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

func TestSentencesLoseNothing(t *testing.T) {
	t.Parallel()
	for _, texts := range replies(t) {
		for _, text := range texts {
			if got := strings.Join(spoken.Sentences(text), " "); got != strings.Join(strings.Fields(text), " ") {
				t.Errorf("the sentences of %q together are %q", text, got)
			}
		}
	}
}

func TestDuration(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text        string
		least, most time.Duration
	}{
		"nothing takes no time":      {"", 0, 0},
		"fifteen letters a second":   {strings.Repeat("palabra y otras ", 15), 14 * time.Second, 18 * time.Second},
		"figures are slower":         {"6 0 0, 1 1, 1 2, 2 2", 3 * time.Second, 6 * time.Second},
		"a question takes its pause": {"¿Es correcto?", 1 * time.Second, 2 * time.Second},
	} {
		if got := spoken.Duration(tt.text); got < tt.least || got > tt.most {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestHeard(t *testing.T) {
	t.Parallel()
	const written = "Hecho. Limpieza dental, mañana a las 17:00. Su código es K7M4QX. ¿Puedo ayudarle en algo más?"
	said := spoken.Text(language.Of("es"), written, spoken.Options{Code: "K7M4QX"})
	for name, tt := range map[string]struct{ played, want string }{
		"nothing":                      {"", ""},
		"only marks":                   {" ,. ", ""},
		"one word":                     {"Hecho", "Hecho."},
		"a word that was begun":        {"Hecho. Limp", "Hecho. Limpieza"},
		"other spaces and marks":       {"hecho  limpieza, dental", "Hecho. Limpieza dental,"},
		"before the time":              {"Hecho. Limpieza dental, mañana a", "Hecho. Limpieza dental, mañana a"},
		"within the time":              {"Hecho. Limpieza dental, mañana a las cinco", "Hecho. Limpieza dental, mañana a las 17:00."},
		"within the code":              {said[:strings.Index(said, "Madrid")], "Hecho. Limpieza dental, mañana a las 17:00. Su código es K7M4QX."},
		"the last question":            {said[:strings.Index(said, "ayudarle")], "Hecho. Limpieza dental, mañana a las 17:00. Su código es K7M4QX. ¿Puedo"},
		"all of it":                    {said, written},
		"more than there was":          {said + said, written},
		"all but the last word":        {strings.TrimSuffix(said, " más?"), strings.TrimSuffix(written, " más?")},
		"the last word, begun":         {strings.TrimSuffix(said, "s?"), written},
		"a sentence and the next word": {"Hecho. L", "Hecho. Limpieza"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := spoken.Heard(written, said, tt.played); got != tt.want {
				t.Errorf("after %q %q was heard, want %q", tt.played, got, tt.want)
			}
		})
	}
}

// TestHeardGrows: whoever hears more of a reply has heard what came before.
func TestHeardGrows(t *testing.T) {
	t.Parallel()
	for code, texts := range replies(t) {
		for i := 0; i < len(texts); i += 5 {
			written := texts[i]
			said := spoken.Text(language.Of(code), written, spoken.Options{Code: "K7M4QX", Region: "ES"})
			before := ""
			for end := range len(said) + 1 {
				got := spoken.Heard(written, said, strings.ToValidUTF8(said[:end], ""))
				if !strings.HasPrefix(got, before) || !strings.HasPrefix(written, got) {
					t.Fatalf("of %q, after %q: %q, and before it %q", written, said[:end], got, before)
				}
				before = got
			}
			if before != written {
				t.Errorf("of %q, all played: %q", written, before)
			}
		}
	}
}

func TestHeardOfAnything(t *testing.T) {
	t.Parallel()
	holds := func(written, said string, a, b uint8) bool {
		first, second := min(int(a), int(b), len(said)), min(max(int(a), int(b)), len(said))
		less, more := spoken.Heard(written, said, said[:first]), spoken.Heard(written, said, said[:second])
		return strings.HasPrefix(more, less) && strings.HasPrefix(written, more) && spoken.Heard(written, said, "") == ""
	}
	if err := quick.Check(holds, &quick.Config{MaxCount: 2000}); err != nil {
		t.Error(err)
	}
}
