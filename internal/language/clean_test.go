package language

import (
	"strings"
	"testing"
)

// words are those of the tokens that are read.
func words(tokens []Token) string {
	var all []string
	for _, t := range Kept(tokens) {
		all = append(all, t.Word)
	}
	return strings.Join(all, " ")
}

func TestEveryRuleOfCleaningHoldsToItsSentences(t *testing.T) {
	t.Parallel()
	for _, code := range Codes() {
		l := Of(code)
		for _, section := range []string{"spellings", "filler words"} {
			t.Run(code+" "+section, func(t *testing.T) { cleanSentences(t, NewMix(l), l.Lines(section)) })
			t.Run("mixed "+code+" "+section, func(t *testing.T) { cleanSentences(t, MixOf(), l.Lines(section)) })
		}
	}
}

func cleanSentences(t *testing.T, m *Mix, lines []string) {
	t.Helper()
	rule := ""
	for _, line := range lines {
		switch line[0] {
		case '+':
			from, to, _ := strings.Cut(line[1:], "->")
			if got, want := words(m.Tokens(from)), words(m.join(Tokenize(to))); got != want {
				t.Errorf("%s: %q is read %q, want %q", rule, from, got, want)
			}
		case '-':
			if got, want := words(m.Tokens(line[1:])), words(m.join(Tokenize(line[1:]))); got != want {
				t.Errorf("%s: %q is read %q, want %q", rule, line[1:], got, want)
			}
		default:
			rule = line
		}
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		// Stutters.
		"quiero una mesa a las, a las cinco":        "quiero una mesa a las cinco",
		"the the table for for two":                 "the table for two",
		"a las eh a las cinco":                      "a las cinco",
		"quiero reservar, quiero reservar una mesa": "quiero reservar una mesa",
		"I I would like a room":                     "i would like a room",
		"at seven seven pm":                         "at seven pm",
		"una mesa para dos dos personas":            "una mesa para dos personas",
		"una una mesa":                              "una mesa",
		"at twelve twelve thirty pm":                "at twelve thirty pm",
		// What is meant twice.
		"mi número es seis dos dos cuatro uno":         "mi numero es seis dos dos cuatro uno",
		"call me at five five five one two three four": "call me at five five five one two three four",
		"at 5 5 5 1 2":                "at 5 5 5 1 2",
		"está muy muy rico":           "esta muy muy rico",
		"bye bye":                     "bye bye",
		"no no, sí sí":                "no no si si",
		"uno para mí, para mi marido": "uno para mi para mi marido",
		"A N N A":                     "a n n a",
		"cinco y cinco":               "cinco y cinco",
		"la una y una más":            "la una y una mas",
		"what is it? is it open":      "what is it is it open",
		"from monday to monday":       "from monday to monday",
		"dos adultos y dos niños":     "dos adultos y dos ninos",
		// Restarts.
		"a las cinco, perdón, a las seis":             "a las seis",
		"a las cinco, perdón, cinco y media":          "a las cinco y media",
		"a table for four, no wait, for five":         "a table for five",
		"a table for four, no wait, five":             "a table for five",
		"el lunes digo el martes":                     "el martes",
		"el lunes, perdón, martes por la tarde":       "el martes por la tarde",
		"on monday, sorry, I mean, on tuesday at ten": "on tuesday at ten",
		"next friday, sorry, next saturday":           "next saturday",
		// Corrections that are the readers' to understand.
		"seis, bueno siete con el bebé":        "seis bueno siete con el bebe",
		"sorry, four people":                   "sorry four people",
		"perdón, ¿a qué hora cerráis?":         "perdon a que hora cerrais",
		"es para cuatro, perdón por la espera": "es para cuatro perdon por la espera",
		"612 345 perdón 678":                   "612 345 perdon 678",
		"at ten, I mean, thirty":               "at ten thirty",
		"not monday, tuesday":                  "not monday tuesday",
		// Fillers alone mean something.
		"bueno":              "bueno",
		"well?":              "well",
		"um":                 "",
		"we'll come at five": "well come at five",
		// Thumbs.
		"kiero una meza xa 2 x fa": "quiero una mesa para 2 x fa",
		"mesa xa 2 xfa":            "mesa para 2 porfavor",
		"r u open 2nite":           "are you open tonight",
	} {
		if got := words(MixOf().Tokens(text)); got != want {
			t.Errorf("%q is read %q, want %q", text, got, want)
		}
	}
}

func TestCleanLetsAClauseGoOn(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"a las, eh, cinco":              1,
		"una mesa para, para cuatro":    1,
		"on the... um... 5th of May":    1,
		"sí, a las cinco":               2,
		"what is it for? Monday":        2,
		"quiero una mesa, eh, y un bar": 2,
	} {
		kept := Kept(MixOf().Tokens(text))
		clauses := map[int]bool{}
		for _, tok := range kept {
			clauses[tok.Clause] = true
		}
		if len(clauses) != want {
			t.Errorf("%q has %d clauses, want %d", text, len(clauses), want)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, text := range []string{
		"a las, a las cinco, perdón, cinco y media", "2nite b4 um uh", "x favor p. m.", "no, wait, sorry, I mean", "ñ́’'", "a m a m a m",
	} {
		f.Add(text)
	}
	m := MixOf()
	f.Fuzz(func(t *testing.T, text string) {
		start, end, clause := 0, 0, 0
		for _, tok := range m.Tokens(text) {
			if tok.Start < start || tok.End < end || tok.Start >= tok.End || tok.End > len(text) || tok.Word == "" {
				t.Fatalf("token %+v stands wrong in %q", tok, text)
			}
			if tok.Clause < clause {
				t.Fatalf("clause %d after %d in %q", tok.Clause, clause, text)
			}
			start, end, clause = tok.Start, tok.End, tok.Clause
		}
	})
}

func BenchmarkTokens(b *testing.B) {
	m := MixOf()
	text := "hola buenas eh quería pues una mesa para, para cuatro personas el juebes a las, a las nueve i media, perdón, a las diez"
	m.Tokens(text)
	for b.Loop() {
		m.Tokens(text)
	}
}
