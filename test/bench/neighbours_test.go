package bench

import (
	"os"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/test/faults"
)

const (
	dead       = 300 // connections to one host, all of which hang
	healthy    = 300 // events, paced, of the account beside them
	healthyPer = 20  // a second
)

// BenchmarkNeighbours measures how long the events of an account take to arrive,
// alone and while three hundred receivers of others, on one host, take requests
// and never answer. A bare handler is asked meanwhile: what it waits for, all
// wait for.
func BenchmarkNeighbours(b *testing.B) {
	binary := build(b)
	bare := startBare(b, []byte(strings.Repeat("x", 400)))
	server := os.Getenv("FRONTDESK_TEST_DATABASE")
	eachDatabase(b, func(b *testing.B, database string) {
		if database == "sqlite" {
			b.Setenv("FRONTDESK_TEST_DATABASE", "")
		} else {
			b.Setenv("FRONTDESK_TEST_DATABASE", server)
		}
		idle := askMeanwhile(b, bare)
		alone, beside := faults.Neighbours(b, binary, dead, healthy, healthyPer)
		var waited []time.Duration
		for _, w := range idle() {
			waited = append(waited, w.asked)
		}
		b.ReportMetric(micros(alone.Percentile(50))/1000, "alone-p50-ms")
		b.ReportMetric(micros(alone.Percentile(99))/1000, "alone-p99-ms")
		b.ReportMetric(micros(beside.Percentile(50))/1000, "beside-p50-ms")
		b.ReportMetric(micros(beside.Percentile(99))/1000, "beside-p99-ms")
		b.ReportMetric(micros(percentile(waited, 99))/1000, "bare-p99-ms")
		b.ReportMetric(float64(beside.Percentile(99))/float64(alone.Percentile(99)), "p99-x-alone")
		b.ReportMetric(float64(beside.Percentile(99))/float64(percentile(waited, 99)), "p99-x-bare")
		b.ReportMetric(0, "ns/op")
	})
}
