package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	fragments   = 20_000
	manuals     = 40 // documents
	askedInAll  = 2_000
	askedAtOnce = 4
)

// questions are what visitors of a house with many rooms want to know.
var questions = []string{
	"¿A qué hora se sirve el desayuno los domingos?",
	"How much does it cost to bring two dogs for a week in August?",
	"Hola, quería saber si puedo anular la reserva sin pagar nada",
	"Is there somewhere to park an electric car near the house?",
	"aparcameinto para autocaravanas",
	"What is the code of part 11417?",
	"¿Cuál es el precio de la parte 8204?",
}

// BenchmarkQuestions asks POST /v1/knowledge/test over 20,000 fragments.
func BenchmarkQuestions(b *testing.B) {
	binary := build(b)
	eachDatabase(b, func(b *testing.B, database string) {
		h := newHotel(b, binary, database, "FRONTDESK_RATE_PER_SECOND=1000000", "FRONTDESK_RATE_BURST=1000000")
		if n := h.readManuals(b); n < fragments*9/10 {
			b.Fatalf("there are %d fragments", n)
		}
		page, err := h.ask(questions[0]) // which makes the index
		check(b, err)
		bare := startBare(b, page)
		var bareCPU time.Duration
		b.Run("bare handler", func(b *testing.B) { bareCPU = measure(b, bare, "/", "", 0) })
		b.Run("questions", func(b *testing.B) {
			before, began := h.cpu(b), time.Now()
			took := h.askAll(b)
			elapsed, cpu := time.Since(began), (h.cpu(b)-before)/time.Duration(len(took))
			report(b, took)
			b.ReportMetric(float64(len(took))/elapsed.Seconds(), "req/s")
			b.ReportMetric(micros(cpu), "cpu-µs/req")
			b.ReportMetric(float64(cpu)/float64(bareCPU), "x-bare")
		})
	})
}

// readManuals uploads the documents and waits until they are read. It returns
// how many fragments there are.
func (h *hotel) readManuals(b *testing.B) (count int) {
	b.Helper()
	h.command(b, "plan", "set", "--tenant", "demo", "--max-documents", "1000", "--max-total-bytes", "1000000000")
	r, words := rand.New(rand.NewPCG(1, 2)), vocabulary(b)
	for i := range manuals {
		_, err := h.send(fmt.Sprintf("/v1/knowledge/documents?filename=manual-%d.md", i), "text/markdown", manualOf(r, words, i), http.StatusCreated)
		check(b, err)
	}
	h.awaitDocuments(b)
	var all struct {
		Summary struct{ Fragments int }
	}
	check(b, json.Unmarshal([]byte(h.fetch(b, http.MethodGet, "/v1/knowledge", h.key)), &all))
	return all.Summary.Fragments
}

// vocabulary is the words of the documents that answers are measured on, as
// often as they stand there.
func vocabulary(b *testing.B) (words []string) {
	b.Helper()
	files, err := filepath.Glob("../eval/businesses/*/*.md")
	check(b, err)
	for _, name := range files {
		text, err := os.ReadFile(name)
		check(b, err)
		words = append(words, strings.Fields(string(text))...)
	}
	if len(words) == 0 {
		b.Fatal("there are no documents in test/eval/businesses")
	}
	return words
}

// manualOf is a document whose every part becomes a fragment.
func manualOf(r *rand.Rand, words []string, number int) string {
	var text strings.Builder
	each := fragments / manuals
	for part := number * each; part < (number+1)*each; part++ {
		fmt.Fprintf(&text, "## Part %d\n\nThe code of part %d is %d. ", part, part, 1000+r.IntN(9000))
		for range 80 {
			w := words[r.IntN(len(words))]
			if r.IntN(4) == 0 { // rare words, of which real documents have some thousands
				w = fmt.Sprintf("%c%s%c", 'a'+r.IntN(26), strings.Trim(w, ".,;:"), 'a'+r.IntN(26))
			}
			text.WriteString(w + " ")
		}
		text.WriteString("\n\n")
	}
	return text.String()
}

// send posts a text with the demo's live key.
func (h *hotel) send(path, kind, text string, want int) ([]byte, error) {
	req, err := http.NewRequest(http.MethodPost, "http://"+h.addr+path, strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+h.key)
	req.Header.Set("Content-Type", kind)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != want {
		err = refusal{path, res.Status, string(answer)}
	}
	return answer, err
}

func (h *hotel) ask(question string) ([]byte, error) {
	return h.send("/v1/knowledge/test", "application/json", fmt.Sprintf(`{"question":%q}`, question), http.StatusOK)
}

// askAll asks the questions in turn, a few at a time, and returns how long each
// took.
func (h *hotel) askAll(b *testing.B) []time.Duration {
	b.Helper()
	took := make([]time.Duration, askedInAll)
	var wg sync.WaitGroup
	for i := range askedAtOnce {
		wg.Go(func() {
			for n := i; n < askedInAll; n += askedAtOnce {
				began := time.Now()
				if _, err := h.ask(questions[n%len(questions)]); err != nil {
					b.Error(err)
					return
				}
				took[n] = time.Since(began)
			}
		})
	}
	wg.Wait()
	if b.Failed() {
		b.FailNow()
	}
	return took
}
