package bench

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

const ninetyDays = "/v1/analytics?days=90&timezone=Asia/Kathmandu"

// TestAnalyticsOverManyCalls holds what the benchmark measures to a count of all
// calls. With FRONTDESK_SOAK=1 there are a million of them.
func TestAnalyticsOverManyCalls(t *testing.T) {
	t.Parallel()
	calls := 20_000
	if os.Getenv("FRONTDESK_SOAK") == "1" {
		calls = mostCalls()
	}
	b := openBooks(t, storetest.URL(t), calls)
	b.tally(t)
	for zone, days := range map[string]int{"Asia/Kathmandu": 90, "Europe/Madrid": 90, "Pacific/Chatham": 30, "America/St_Johns": 1} {
		loc, err := frontdesk.LoadZone(zone)
		check(t, err)
		w := frontdesk.WindowOf(time.Now(), days, loc)
		for _, f := range []frontdesk.AnalyticsFilter{{}, {Channel: frontdesk.Phone}, {AgentID: b.agents[3].ID, Channel: frontdesk.Web}} {
			got, err := b.store.Analytics(context.Background(), b.owner, f, w, b.agents)
			// A day that has only begun may have none.
			if want := b.counted(t, f, w); err != nil || !reflect.DeepEqual(got, want) || want.Totals.Calls == 0 && days > 1 {
				t.Errorf("%d days in %s, %+v: %v\ngot  %+v\nwant %+v", days, zone, f, err, got.Totals, want.Totals)
			}
		}
	}
}

// BenchmarkAnalytics asks for analytics of 90 days over a million calls: once
// counted, and then from tallies, alone and six at once, with lists beside them.
func BenchmarkAnalytics(b *testing.B) {
	binary := build(b)
	b.Run("sqlite", func(b *testing.B) { measureAnalytics(b, binary, filepath.Join(b.TempDir(), "frontdesk.db")) })
	if os.Getenv("FRONTDESK_TEST_DATABASE") == "" {
		b.Log("PostgreSQL is not covered: FRONTDESK_TEST_DATABASE is not set")
		return
	}
	b.Run("postgres", func(b *testing.B) { measureAnalytics(b, binary, storetest.URL(b)) })
}

func measureAnalytics(b *testing.B, binary, url string) {
	books := openBooks(b, url, mostCalls())
	b.Run("90 days, counted", func(b *testing.B) {
		loc, err := frontdesk.LoadZone("Asia/Kathmandu")
		check(b, err)
		for range b.N {
			books.counted(b, frontdesk.AnalyticsFilter{}, frontdesk.WindowOf(time.Now(), 90, loc))
		}
		b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N), "ms")
		b.ReportMetric(0, "ns/op")
	})
	began := time.Now()
	books.tally(b)
	b.Logf("%d calls were tallied in %s", books.calls, time.Since(began).Round(time.Millisecond))
	server := start(b, binary, url)
	header := "Authorization: Bearer " + books.key + "\r\n"
	for _, m := range []struct {
		name, path     string
		asking, beside int
	}{
		{"lists alone", "/v1/calls", 1, 0}, // first: what a start does beside serving is over then
		{"90 days", ninetyDays, 1, 0},
		{"90 days of an agent", ninetyDays + "&agent=desk-3", 1, 0},
		{"90 days, six at once", ninetyDays, 6, 0},
		{"lists beside six analytics", "/v1/calls", 1, 6},
	} {
		b.Run(m.name, func(b *testing.B) { measureBeside(b, server, header, m.path, m.asking, m.beside) })
	}
}

// measureBeside asks b.N times over some connections, while others ask for
// analytics of 90 days without a pause.
func measureBeside(b *testing.B, s *server, header, path string, asking, beside int) {
	done := make(chan struct{})
	var besides, askers sync.WaitGroup
	for range beside {
		c := s.dial(b)
		besides.Go(func() {
			defer c.Close()
			for !closed(done) {
				if _, err := c.ask(ninetyDays, header); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	took := make([]time.Duration, b.N)
	before := s.cpu(b)
	b.ResetTimer()
	for i := range asking {
		c := s.dial(b)
		askers.Go(func() {
			defer c.Close()
			for n := i; n < b.N; n += asking {
				start := time.Now()
				if _, err := c.ask(path, header); err != nil {
					b.Error(err)
					return
				}
				took[n] = time.Since(start)
			}
		})
	}
	askers.Wait()
	b.StopTimer()
	cpu := (s.cpu(b) - before) / time.Duration(b.N)
	close(done)
	besides.Wait()
	slices.Sort(took)
	b.ReportMetric(micros(took[len(took)/2])/1000, "p50-ms")
	b.ReportMetric(micros(took[len(took)*99/100])/1000, "p99-ms")
	if beside == 0 {
		b.ReportMetric(micros(cpu)/1000, "cpu-ms/req")
	}
	b.ReportMetric(0, "ns/op")
}

func closed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
