package hearing_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"frontdesk.dev/frontdesk/internal/hearing"
)

// TestConsentInAFile measures the lines of a file, {"says", "books"}, that
// CONSENT names: nothing hesitant may book, and hardly anything plain be missed.
func TestConsentInAFile(t *testing.T) {
	t.Parallel()
	path := os.Getenv("CONSENT")
	if path == "" {
		t.Skip("CONSENT names no file")
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	missed := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var l struct {
			Says  string
			Books bool
		}
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		g := hearing.Hear(l.Says, booking(hearing.SlotConfirm)).Gist()
		switch {
		case g.Yes && !l.Books:
			t.Errorf("%q books", l.Says)
		case !g.Yes && l.Books:
			missed++
			t.Logf("%q does not book", l.Says)
		}
	}
	if missed > 2 {
		t.Errorf("%d plain answers do not book", missed)
	}
}

// TestConsent: what is read back is agreed to without a condition, a question, a
// change, a doubt and a delay, or it is not agreed to.
func TestConsent(t *testing.T) {
	t.Parallel()
	for says, want := range map[string]string{
		"sí, hágalo":                             "yes",
		"dale, de una":                           "yes",
		"ya pues":                                "yes",
		"eso mero":                               "yes",
		"cabal":                                  "yes",
		"chévere, gracias":                       "yes",
		"sale y vale":                            "yes",
		"ándale pues":                            "yes",
		"va que va":                              "yes",
		"listo":                                  "yes",
		"así es":                                 "yes",
		"pues entonces sí":                       "yes",
		"sí claro, con mucho gusto":              "yes",
		"sin duda":                               "yes",
		"todo en orden":                          "yes",
		"apúntalo":                               "yes",
		"sí, si puede ser":                       "yes",
		"si, si claro":                           "yes",
		"si si":                                  "yes",
		"✅":                                      "yes",
		"👌 gracias":                              "yes",
		"👎":                                      "no",
		"aye, go on then":                        "yes",
		"bang on":                                "yes",
		"sound":                                  "yes",
		"that's grand":                           "yes",
		"champion, ta":                           "yes",
		"that's the one":                         "yes",
		"right you are":                          "yes",
		"fair enough":                            "yes",
		"hundred percent":                        "yes",
		"yes please, if you can":                 "yes",
		"in that case yes, please":               "yes",
		"no bother":                              "yes",
		"crack on":                               "yes",
		"yep book it":                            "yes",
		"yes sir":                                "yes",
		"sí, a menos que cueste más":             "",
		"sí, siempre y cuando haya parking":      "",
		"vale, si me hacéis factura":             "",
		"si hay sitio en la terraza sí":          "",
		"depende del precio":                     "",
		"sí, si es con la misma de siempre":      "",
		"la cancela es la verde, apúntalo":       "",
		"the bell is broken, put that down":      "",
		"sí si es eso":                           "yes",
		"sí, con tal de que no haya ruido":       "",
		"sí, pero antes quiero ver la carta":     "later",
		"sí, ¿se puede aparcar?":                 "",
		"claro, ¿y cuánto es?":                   "",
		"sí cuánto me va a costar":               "",
		"sí, lo de la alergia está puesto no":    "",
		"sí, y lo del perro lo sabéis, ¿no?":     "",
		"creo que sí":                            "",
		"más o menos":                            "",
		"quizás sí":                              "",
		"vale, lo hablo en casa y os llamo":      "later",
		"déjame que lo mire":                     "later",
		"ok, mañana te digo":                     "later",
		"bueno, ya os diré algo":                 "later",
		"tengo que consultarlo con mi socio":     "later",
		"espera un segundo":                      "wait",
		"sí, otro día mejor":                     "no",
		"yes, as long as it's ground floor":      "",
		"okay provided I can pay by card":        "",
		"sure, unless it rains":                  "",
		"yes, assuming there's parking":          "",
		"yes, do you take cards?":                "",
		"great, what do I have to bring":         "",
		"yes, you've got the alarm code, right?": "",
		"probably":                               "",
		"yeah I suppose":                         "",
		"okay I'll check with my wife first":     "later",
		"sounds good, I'll let you know":         "later",
		"hmm let me sleep on it":                 "later",
		"fine, but later in the day":             "",
		"yes although Thursday would be better":  "",
		"hold on a sec":                          "wait",
	} {
		g := hearing.Hear(says, booking(hearing.SlotConfirm)).Gist()
		got := ""
		switch {
		case g.Yes:
			got = "yes"
		case g.No && g.Waits:
			got = "later"
		case g.No:
			got = "no"
		case g.Waits:
			got = "wait"
		}
		if got != want && !(want == "" && got == "no") {
			t.Errorf("%q: got %q, want %q", says, got, want)
		}
	}
}
