package search_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/search"
)

var sizes = []int{240, 2_000, 20_000}

var asked = []string{
	"¿a qué hora se sirve el desayuno los domingos?",
	"how much does it cost to bring two dogs for a week in august",
	"hola, quería saber si puedo anular la reserva sin pagar nada",
	"is there somewhere to park an electric car near the house?",
	"aparcameinto para autocaravanas",
}

// manual is a set of fragments of some length in both languages, with the words
// of the tests and rare ones: of those some thousands, as real documents have.
func manual(n int) (all []frontdesk.Fragment) {
	r := rand.New(rand.NewPCG(1, 2))
	var words [2][]string
	for i, texts := range [][]frontdesk.Fragment{inn, posada} {
		for _, f := range texts {
			words[i] = append(words[i], strings.Fields(f.Text)...)
		}
	}
	for i := range n {
		lang := i % 2
		var b strings.Builder
		for range 90 {
			w := words[lang][r.IntN(len(words[lang]))]
			if r.IntN(4) == 0 {
				w = fmt.Sprintf("%c%s%c", 'a'+r.IntN(26), strings.Trim(w, ".,;:"), 'a'+r.IntN(26))
			}
			b.WriteString(w + " ")
		}
		all = append(all, frontdesk.Fragment{ID: frontdesk.ID(fmt.Sprint(i)), Language: []string{"en", "es"}[lang], Heading: "House > Part", Text: b.String()})
	}
	return all
}

// BenchmarkAsk asks questions in both languages, and tells the slowest of a
// hundred.
func BenchmarkAsk(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			ix := search.New(manual(n))
			ix.Ask(search.Query{Text: "warm"})
			var took []time.Duration
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				ix.Ask(search.Query{Text: asked[i%len(asked)]})
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100])/1e6, "p99-ms")
		})
	}
}

// BenchmarkNew makes indexes, and tells what they take for each fragment beside
// its text.
func BenchmarkNew(b *testing.B) {
	for _, n := range sizes {
		fragments := manual(n)
		texts := 0
		for _, f := range fragments {
			texts += len(f.Text) + len(f.Heading)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			bytes := 0
			for b.Loop() {
				bytes = search.New(fragments).Bytes()
			}
			b.ReportMetric(float64(bytes)/float64(n), "B/fragment")
			b.ReportMetric(float64(texts)/float64(n), "text-B/fragment")
		})
	}
}
