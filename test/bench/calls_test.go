package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

const (
	rows        = 100_000
	connections = 8
)

// BenchmarkCalls asks for 25 of 100,000 calls.
func BenchmarkCalls(b *testing.B) {
	binary := build(b)
	databases := map[string]func(*testing.B) string{
		"sqlite": func(b *testing.B) string { return filepath.Join(b.TempDir(), "frontdesk.db") },
	}
	if os.Getenv("FRONTDESK_TEST_DATABASE") == "" {
		b.Log("PostgreSQL is not covered: FRONTDESK_TEST_DATABASE is not set")
	} else {
		databases["postgres"] = func(b *testing.B) string { return storetest.URL(b) }
	}
	for _, name := range []string{"sqlite", "postgres"} {
		if databases[name] == nil {
			continue
		}
		b.Run(name, func(b *testing.B) {
			url := databases[name](b)
			key, cursor := seed(b, url)
			server := start(b, binary, url)
			header := "Authorization: Bearer " + key + "\r\n"
			page := server.get(b, "/v1/calls", header)
			bare := startBare(b, page)
			var bareCPU time.Duration
			b.Run("bare handler", func(b *testing.B) { bareCPU = measure(b, bare, "/", "", 0) })
			for _, c := range []struct{ name, path string }{
				{"page 1", "/v1/calls"},
				{"page 1000", "/v1/calls?starting_after=" + cursor},
				{"one filter", "/v1/calls?outcome=booking"},
				{"two filters, rare", "/v1/calls?outcome=over_limit&channel=web"},
				{"two filters, page 1000 of all", "/v1/calls?outcome=booking&channel=phone&starting_after=" + cursor},
			} {
				b.Run(c.name, func(b *testing.B) { measure(b, server, c.path, header, bareCPU) })
			}
		})
	}
}

// BenchmarkStart starts the program on an existing data directory and waits
// until it is ready; then it tells what an idle one holds in memory.
func BenchmarkStart(b *testing.B) {
	binary := build(b)
	url := filepath.Join(b.TempDir(), "frontdesk.db")
	start(b, binary, url).stop()
	var total time.Duration
	var resident int64
	for range b.N {
		began := time.Now()
		s := start(b, binary, url)
		total += time.Since(began)
		resident = s.resident(b)
		s.stop()
	}
	b.ReportMetric(float64(total.Milliseconds())/float64(b.N), "ms-to-ready")
	b.ReportMetric(float64(resident)/(1<<20), "MB-resident")
	b.ReportMetric(0, "ns/op")
}

// seed writes the calls and returns a live key and the position of page 1,000.
func seed(b *testing.B, url string) (key, cursor string) {
	b.Helper()
	s, err := store.Open(store.Options{URL: url, Timeout: time.Minute})
	check(b, err)
	defer s.Close()
	ctx := context.Background()
	_, err = s.Migrate(ctx, time.Now())
	check(b, err)
	tenant := storetest.Tenant(b, s, "bench")
	_, secret, err := account.NewKeys(s, time.Now).Create(ctx, account.NewKey{Tenant: tenant, Live: true, Scopes: []string{"all"}})
	check(b, err)
	owner := frontdesk.Owner{TenantID: tenant.ID, Live: true}
	random := rand.New(rand.NewPCG(1, 2))
	began := time.Now().Add(-rows * time.Minute)
	const batch = 2_000
	for from := 0; from < rows; from += batch {
		recordings := make([]store.Recording, batch)
		for i := range recordings {
			recordings[i], err = reception.Prepare(tenant, call(random, began.Add(time.Duration(from+i)*time.Minute)))
			check(b, err)
		}
		check(b, s.RecordCalls(ctx, owner, recordings...))
	}
	return secret.Reveal(), string(nth(b, s, owner, 25_000))
}

// call makes a call like those of the demo: a summary of a few sentences.
func call(random *rand.Rand, at time.Time) frontdesk.FinishedCall {
	outcome := frontdesk.Outcomes[min(random.IntN(len(frontdesk.Outcomes)), random.IntN(len(frontdesk.Outcomes)))]
	return frontdesk.FinishedCall{
		StartedAt: at, Duration: time.Duration(20+random.IntN(200)) * time.Second,
		Language: frontdesk.Languages[random.IntN(2)], Outcome: outcome, Channel: frontdesk.Channels[random.IntN(2)],
		Summary: frontdesk.Summary{
			Title: "Reserva para dos", Intent: "book",
			Text:                "Llamó para reservar una mesa para dos el viernes a las nueve. Preguntó por el menú sin gluten y dejó su teléfono.",
			KeyPoints:           []string{"Mesa para dos", "Viernes a las 21:00", "Menú sin gluten"},
			UnansweredQuestions: []string{}, CaptureIDs: []frontdesk.ID{},
		},
		Transcript: frontdesk.Transcript{Language: "es", Turns: []frontdesk.Turn{
			{Role: "agent", Text: "Hola, ¿en qué puedo ayudarle?", Language: "es"},
			{Role: "caller", Text: "Quería reservar una mesa para el viernes.", Language: "es"},
		}},
	}
}

// nth walks to the n-th newest call.
func nth(b *testing.B, s *store.Store, owner frontdesk.Owner, n int) (at frontdesk.ID) {
	b.Helper()
	for seen := 0; seen < n; {
		page, err := s.Calls(context.Background(), owner, frontdesk.CallFilter{}, frontdesk.Page{Limit: 100, StartingAfter: at})
		check(b, err)
		seen += len(page.Items)
		at = page.Items[len(page.Items)-1].ID
	}
	return at
}

func check(b testing.TB, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// listOf makes sure that an answer is a page of calls.
func listOf(body []byte) error {
	var list struct {
		Object string
		Data   []json.RawMessage
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return err
	}
	if list.Object != "list" || len(list.Data) == 0 {
		return fmt.Errorf("not a page of calls: %.200s", body)
	}
	return nil
}
