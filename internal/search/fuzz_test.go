package search_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/search"
)

// FuzzAsk asks anything at all.
func FuzzAsk(f *testing.F) {
	for _, q := range []string{"", "¿a qué hora es el desayuno?", "wi-fi", "#0", " a", "\xff", "check in 10:00", "9.9.9.9"} {
		f.Add(q)
	}
	ix := search.New(append(inn, posada...))
	f.Fuzz(func(t *testing.T, text string) {
		check(t, ix.Ask(search.Query{Text: text}))
	})
}

// FuzzNew makes an index of anything at all, and asks it for its own words.
func FuzzNew(f *testing.F) {
	f.Add("Rules > Dogs", "¿Perros?", "Sí. 12 €; always.", "es")
	f.Add("", "", "a: b; c: d", "")
	f.Add("\xff", "-", "x-y-z\n\n..", "fr")
	f.Fuzz(func(t *testing.T, heading, question, text, lang string) {
		one := frontdesk.Fragment{Heading: heading, Question: question, Text: text, Language: lang}
		ix := search.New([]frontdesk.Fragment{one, inn[0], one})
		for _, q := range []string{heading, question, text} {
			check(t, ix.Ask(search.Query{Text: q}))
		}
	})
}

func check(t *testing.T, r search.Result) {
	t.Helper()
	if len(r.Hits) > 5 || len(r.Answer) > search.LongestAnswer || !(r.Match >= 0 && r.Match <= 1) {
		t.Errorf("got %+v", r)
	}
}
