package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// BenchmarkCallSearch looks for words in the transcripts of a tenant with 100,000
// calls, beside 20 tenants with 1,000 each, and of one of those.
func BenchmarkCallSearch(b *testing.B) {
	onBoth(b, func(b *testing.B, binary, url string) {
		l := openLibrary(b, url)
		server := start(b, binary, url)
		large := "Authorization: Bearer " + l.large + "\r\n"
		dates := "&started_from=" + l.began.AddDate(0, 0, 60).Format(time.RFC3339) + "&started_to=" + l.began.AddDate(0, 0, 67).Format(time.RFC3339)
		for _, c := range []struct{ name, query, header string }{
			{"a word of every call", "mesa", large},
			{"a word of a call in ten", "terraza", large},
			{"a rare word", "ornitorrinco", large},
			{"a word nobody said", "zarigueya", large},
			{"two common words", "mesa+viernes", large},
			{"two words, seldom together", "terraza+alergia", large},
			{"a word of old calls alone", "nochevieja", large},
			{"with an outcome", "mesa&outcome=over_limit", large},
			{"with an agent", "terraza&agent_id=" + string(l.agents[7]), large},
			{"with agent, outcome and channel", "terraza&outcome=error&channel=web&agent_id=" + string(l.agents[7]), large},
			{"with dates", "terraza" + dates, large},
			{"nobody said it, with dates", "zarigueya" + dates, large},
			{"page 5", "mesa&starting_after=" + l.fifthPage(b, server, "mesa", large), large},
			{"page 5 of a call in ten", "terraza&starting_after=" + l.fifthPage(b, server, "terraza", large), large},
			{"a small tenant", "mesa", "Authorization: Bearer " + l.small + "\r\n"},
			{"a rare word of a small tenant", "ornitorrinco", "Authorization: Bearer " + l.small + "\r\n"},
		} {
			b.Run(c.name, func(b *testing.B) { measureSearch(b, server, "/v1/calls?search="+c.query, c.header, 1) })
		}
		b.Run("four at once", func(b *testing.B) {
			measureSearch(b, server, "/v1/calls?search=terraza", large, 4)
		})
	})
}

// BenchmarkRecordCalls writes calls with their transcripts, one in a transaction,
// from one caller and from eight at once.
func BenchmarkRecordCalls(b *testing.B) {
	onBoth(b, func(b *testing.B, _, url string) {
		s, err := store.Open(store.Options{URL: url, Timeout: time.Minute})
		check(b, err)
		defer s.Close()
		_, err = s.Migrate(context.Background(), time.Now())
		check(b, err)
		owner := frontdesk.Owner{TenantID: storetest.Tenant(b, s, "bench").ID, Live: true}
		for _, callers := range []int{1, 8} {
			b.Run(fmt.Sprint(callers, " at once"), func(b *testing.B) { measureRecording(b, s, owner, callers) })
		}
	})
}

// onBoth runs a benchmark on SQLite, and on PostgreSQL where there is one.
func onBoth(b *testing.B, run func(b *testing.B, binary, url string)) {
	binary := build(b)
	b.Run("sqlite", func(b *testing.B) { run(b, binary, filepath.Join(b.TempDir(), "frontdesk.db")) })
	if os.Getenv("FRONTDESK_TEST_DATABASE") == "" {
		b.Log("PostgreSQL is not covered: FRONTDESK_TEST_DATABASE is not set")
		return
	}
	b.Run("postgres", func(b *testing.B) { run(b, binary, storetest.URL(b)) })
}

// library are many calls of several tenants in which something was said.
type library struct {
	large, small string // keys
	agents       []frontdesk.ID
	began        time.Time
}

// openLibrary records the calls as the product does, in large transactions.
func openLibrary(b *testing.B, url string) *library {
	b.Helper()
	s, err := store.Open(store.Options{URL: url, Timeout: 10 * time.Minute})
	check(b, err)
	defer s.Close()
	ctx := context.Background()
	_, err = s.Migrate(ctx, time.Now())
	check(b, err)
	const minutes = 180 * 24 * 60
	l := &library{began: time.Now().Add(-minutes * time.Minute).Truncate(time.Second)}
	said := time.Now()
	for i := range 21 {
		tenant := storetest.Tenant(b, s, fmt.Sprint("bench-", i))
		_, key, err := account.NewKeys(s, time.Now).Create(ctx, account.NewKey{Tenant: tenant, Live: true, Scopes: []string{"all"}})
		check(b, err)
		calls := 1_000
		if l.small = key.Reveal(); i == 0 {
			l.large, calls = key.Reveal(), rows
			books := books{store: s, owner: frontdesk.Owner{TenantID: tenant.ID, Live: true}}
			books.addAgents(b)
			for _, a := range books.agents {
				l.agents = append(l.agents, a.ID)
			}
		}
		l.record(b, s, frontdesk.Owner{TenantID: tenant.ID, Live: true}, calls, minutes*time.Minute)
	}
	b.Logf("the calls were recorded in %s", time.Since(said).Round(time.Second))
	settle(b, s)
	return l
}

func (l *library) record(b *testing.B, s *store.Store, owner frontdesk.Owner, calls int, span time.Duration) {
	b.Helper()
	random := rand.New(rand.NewPCG(uint64(calls), 3))
	const batch = 1_000
	for from := 0; from < calls; from += batch {
		recordings := make([]store.Recording, batch)
		for i := range recordings {
			n := from + i
			recordings[i] = spokenCall(random, l.began.Add(span/time.Duration(calls)*time.Duration(n)), n*rows/calls)
			recordings[i].Call.AgentID = l.agents[min(random.IntN(8), random.IntN(8))]
		}
		check(b, s.RecordCalls(context.Background(), owner, recordings...))
	}
}

// settle does for PostgreSQL what it does by itself over weeks, and nothing for
// SQLite.
func settle(b *testing.B, s *store.Store) {
	b.Helper()
	if s.Name() != "postgres" {
		return
	}
	books := books{}
	for _, statement := range []string{`VACUUM ANALYZE`, `CHECKPOINT`} {
		books.exec(b, os.Getenv("FRONTDESK_TEST_DATABASE"), statement)
	}
}

// spokenCall is a call of ten turns. n tells which one of 100,000: a few have rare
// words.
func spokenCall(random *rand.Rand, at time.Time, n int) store.Recording {
	var turns []frontdesk.Turn
	for i := range 10 {
		role := []string{"agent", "caller"}[i%2]
		turns = append(turns, frontdesk.Turn{Role: role, Text: babble(random), Language: "es"})
	}
	turns[1].Text = "Quería reservar una mesa" + map[bool]string{true: " para el viernes"}[random.IntN(2) == 0]
	for _, w := range []struct {
		said bool
		text string
	}{
		{random.IntN(10) == 0, " en la terraza"},
		{random.IntN(30) == 0, ", tengo alergia"},
		{n%20_000 == 7, ", con mi ornitorrinco"},
		{n > 5_000 && n < 25_000, ", por Nochevieja"},
	} {
		if w.said {
			turns[1].Text += w.text
		}
	}
	transcript, err := json.Marshal(map[string]any{"language": "es", "turns": turns})
	if err != nil {
		panic(err)
	}
	c := call(random, at)
	return store.Recording{Period: at.Format("2006-01"), Call: frontdesk.Call{
		ID: frontdesk.NewID(at), StartedAt: at, Duration: 60, Language: c.Language, Outcome: c.Outcome, Channel: c.Channel,
		Summary: json.RawMessage(`{"title":"Reserva para dos","text":"Llamó para reservar una mesa para dos el viernes a las nueve."}`), Transcript: transcript,
	}}
}

// babble is a sentence of twelve words, of which few are said often and many seldom.
func babble(random *rand.Rand) string {
	const syllables = "talerinodasupecomibravegolujafizo"
	var b strings.Builder
	for i := range 12 {
		if i > 0 {
			b.WriteByte(' ')
		}
		n := min(random.IntN(8_000), random.IntN(8_000), random.IntN(8_000), random.IntN(8_000))
		for ; n > 0; n /= 16 {
			b.WriteString(syllables[n%16*2 : n%16*2+2])
		}
	}
	return b.String()
}

// fifthPage is the position at which the fifth page of a search begins.
func (l *library) fifthPage(b *testing.B, s *server, words, header string) (after string) {
	b.Helper()
	c := s.dial(b)
	defer c.Close()
	for range 4 {
		path := "/v1/calls?search=" + words
		if after != "" {
			path += "&starting_after=" + after
		}
		body, err := c.ask(path, header)
		check(b, err)
		var page struct {
			Next string `json:"next_starting_after"`
		}
		check(b, json.Unmarshal(body, &page))
		after = page.Next
	}
	return after
}

// measureSearch asks b.N times over some connections. A page that is short while
// there is more is followed by the next ones, as whoever searches must do: what
// is measured is the time until a page is full or nothing is left.
func measureSearch(b *testing.B, s *server, path, header string, asking int) {
	took := make([]time.Duration, b.N)
	before := s.cpu(b)
	b.ResetTimer()
	var askers sync.WaitGroup
	var pages int
	for i := range asking {
		c := s.dial(b)
		askers.Go(func() {
			defer c.Close()
			for n := i; n < b.N; n += asking {
				start := time.Now()
				asked, err := c.search(path, header)
				if err != nil {
					b.Error(err)
					return
				}
				if took[n] = time.Since(start); i == 0 {
					pages = asked
				}
			}
		})
	}
	askers.Wait()
	b.StopTimer()
	slices.Sort(took)
	b.ReportMetric(micros(took[len(took)/2])/1000, "p50-ms")
	b.ReportMetric(micros(took[len(took)*99/100])/1000, "p99-ms")
	b.ReportMetric(float64(pages), "pages")
	b.ReportMetric(micros((s.cpu(b)-before)/time.Duration(b.N))/1000, "cpu-ms/req")
	b.ReportMetric(0, "ns/op")
}

// search asks until it has 25 calls or there are no more, and says how often.
func (c *conn) search(path, header string) (asked int, err error) {
	found, next := 0, ""
	for {
		full := path
		if next != "" {
			full = setAfter(path, next)
		}
		body, err := c.ask(full, header)
		if err != nil {
			return asked, err
		}
		asked++
		var page struct {
			Data []struct{ ID string }
			More bool   `json:"has_more"`
			Next string `json:"next_starting_after"`
		}
		if err := json.Unmarshal(body, &page); err != nil {
			return asked, err
		}
		if found += len(page.Data); found >= 25 || !page.More {
			return asked, nil
		}
		next = page.Next
	}
}

func setAfter(path, after string) string {
	path, _, _ = strings.Cut(path, "&starting_after=")
	return path + "&starting_after=" + after
}

func measureRecording(b *testing.B, s *store.Store, owner frontdesk.Owner, callers int) {
	took := make([]time.Duration, b.N)
	recordings := make([]store.Recording, b.N)
	random := rand.New(rand.NewPCG(9, uint64(callers)))
	for i := range recordings {
		recordings[i] = spokenCall(random, time.Now(), i)
	}
	b.ResetTimer()
	began := time.Now()
	var all sync.WaitGroup
	for i := range callers {
		all.Go(func() {
			for n := i; n < b.N; n += callers {
				start := time.Now()
				if err := s.RecordCalls(context.Background(), owner, recordings[n]); err != nil {
					b.Error(err)
					return
				}
				took[n] = time.Since(start)
			}
		})
	}
	all.Wait()
	b.StopTimer()
	slices.Sort(took)
	b.ReportMetric(float64(b.N)/time.Since(began).Seconds(), "calls/s")
	b.ReportMetric(micros(took[len(took)/2])/1000, "p50-ms")
	b.ReportMetric(micros(took[len(took)*99/100])/1000, "p99-ms")
	b.ReportMetric(0, "ns/op")
}
