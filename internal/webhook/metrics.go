package webhook

import (
	"cmp"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

type metrics struct {
	attempts *prometheus.CounterVec
	latency  prometheus.Histogram
}

// delivered is the result of an attempt that has no error.
const delivered = "delivered"

func newMetrics(r prometheus.Registerer) *metrics {
	m := &metrics{
		attempts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "frontdesk_delivery_attempts_total", Help: "Attempts to deliver an event, by how they ended.",
		}, []string{"result"}),
		latency: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "frontdesk_delivery_seconds", Help: "Time that receivers took to answer.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 15},
		}),
	}
	m.attempts.WithLabelValues(delivered) // so that the first one is seen as an increase
	if r != nil {
		r.MustRegister(m.attempts, m.latency)
	}
	return m
}

func (m *metrics) observe(a frontdesk.Attempt) {
	m.attempts.WithLabelValues(cmp.Or(a.ErrorCode, delivered)).Inc()
	m.latency.Observe(a.Latency.Seconds())
}
