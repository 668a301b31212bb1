package bench

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	opened   = 2_000
	ofAnEnd  = 100 // that are looked at, at either end
	inOneGo  = 16  // visitors who begin at the same time
	saturate = 200 // visitors who speak as fast as they are answered
)

// BenchmarkOpening opens conversations and leaves them open: one after another,
// and several at a time. The last ones are to take no longer than the first.
// Visitors come from many addresses, as they do in life.
func BenchmarkOpening(b *testing.B) {
	binary := build(b)
	bare := startBare(b, []byte(strings.Repeat("x", 400)))
	var bareCPU time.Duration
	b.Run("bare handler", func(b *testing.B) { bareCPU = measure(b, bare, "/", "", 0) })
	eachDatabase(b, func(b *testing.B, database string) {
		for _, way := range []struct {
			name   string
			atOnce int
		}{{"one after another", 1}, {"in parallel", inOneGo}} {
			b.Run(way.name, func(b *testing.B) {
				h := newHotel(b, binary, database)
				h.warm(b)
				before := h.cpu(b)
				began := time.Now()
				took := h.open(b, way.atOnce)
				elapsed, cpu := time.Since(began), (h.cpu(b)-before)/opened
				first, last := percentile(took[:ofAnEnd], 50), percentile(took[opened-ofAnEnd:], 50)
				b.ReportMetric(elapsed.Seconds(), "s-for-all")
				b.ReportMetric(micros(first)/1000, "first-ms")
				b.ReportMetric(micros(last)/1000, "last-ms")
				b.ReportMetric(float64(last)/float64(first), "last-x-first")
				b.ReportMetric(micros(cpu), "cpu-µs/open")
				b.ReportMetric(float64(cpu)/float64(bareCPU), "x-bare")
				b.ReportMetric(0, "ns/op")
			})
		}
	})
}

// open opens the conversations and returns how long each took, in their order.
func (h *hotel) open(b *testing.B, atOnce int) []time.Duration {
	b.Helper()
	took := make([]time.Duration, opened)
	var wg sync.WaitGroup
	for i := range atOnce {
		wg.Go(func() {
			for n := i; n < opened; n += atOnce {
				c, err := h.visitor(n)
				if err == nil {
					began := time.Now()
					_, err = c.act()
					took[n] = time.Since(began)
					c.Close()
				}
				if err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	if b.Failed() {
		b.FailNow()
	}
	return took
}

// visitor is a visitor with an address that few others have.
func (h *hotel) visitor(number int) (*caller, error) {
	from := &net.TCPAddr{IP: net.IPv4(127, 1, byte(number/200), byte(1+number%200))}
	c, err := (&net.Dialer{LocalAddr: from}).Dial("tcp", h.addr)
	if err != nil {
		return nil, err
	}
	return &caller{conn: newConn(c), number: number, play: plays[number%len(plays)], next: -1}, nil
}

// warm begins and ends some conversations, so that what is loaded once is loaded.
func (h *hotel) warm(b *testing.B) {
	b.Helper()
	var wg sync.WaitGroup
	for i := range inOneGo {
		wg.Go(func() {
			c, err := h.visitor(opened + i)
			if err != nil {
				b.Error(err)
				return
			}
			defer c.Close()
			for range 4 {
				_, began := c.act()
				_, ended := c.post("/web/conversations/"+c.id+"/end", c.token, "")
				if c.next = -1; began != nil || ended != nil {
					b.Error(began, ended)
				}
			}
		})
	}
	wg.Wait()
}

// BenchmarkSaturation lets visitors speak as fast as they are answered, with the
// time limits of a server that is in use, and tells how many are refused.
func BenchmarkSaturation(b *testing.B) {
	binary := build(b)
	bare := startBare(b, []byte(strings.Repeat("x", 400)))
	var bareCPU time.Duration
	b.Run("bare handler", func(b *testing.B) { bareCPU = measure(b, bare, "/", "", 0) })
	eachDatabase(b, func(b *testing.B, database string) {
		h := newHotel(b, binary, database, "FRONTDESK_DATABASE_TIMEOUT=1500ms")
		callers := make([]*caller, saturate)
		for i := range callers {
			c, err := h.visitor(i)
			check(b, err)
			b.Cleanup(func() { c.Close() })
			callers[i] = c
		}
		before, began := h.cpu(b), time.Now()
		took, refused := speakAtWill(b, callers)
		elapsed, cpu := time.Since(began), (h.cpu(b)-before)/time.Duration(len(took))
		report(b, took)
		b.ReportMetric(float64(len(took)-refused)/elapsed.Seconds(), "msgs/s")
		b.ReportMetric(float64(refused), "refused")
		b.ReportMetric(micros(cpu), "cpu-µs/msg")
		b.ReportMetric(float64(cpu)/float64(bareCPU), "x-bare")
	})
}

// speakAtWill lets the callers act for a while, and returns how long each answer
// took, and how many were refused: 503, or an apology where an appointment was to
// be made.
func speakAtWill(b *testing.B, callers []*caller) (took []time.Duration, refused int) {
	b.Helper()
	end := time.Now().Add(spell)
	var mu sync.Mutex
	var group sync.WaitGroup
	for _, c := range callers {
		group.Go(func() {
			for time.Now().Before(end) {
				began := time.Now()
				_, err := c.act()
				mu.Lock()
				took = append(took, time.Since(began))
				var r refusal
				switch {
				case errors.As(err, &r) && r.unavailable(), errors.Is(err, errNotDone):
					refused++
					c.next = -1 // begin anew: a step may be missing
				case err != nil:
					b.Error(err)
				}
				mu.Unlock()
				if b.Failed() {
					return
				}
			}
		})
	}
	group.Wait()
	if b.Failed() {
		b.FailNow()
	}
	return took, refused
}

// refusal is an answer that is no success.
type refusal struct {
	path, status, text string
}

func (r refusal) Error() string     { return fmt.Sprintf("%s: %s: %s", r.path, r.status, r.text) }
func (r refusal) unavailable() bool { return strings.HasPrefix(r.status, "503") }
