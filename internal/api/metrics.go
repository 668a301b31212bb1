package api

import (
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics are the figures of the API. Labels are operations of the route table,
// never what a client sent.
type metrics struct {
	requests *prometheus.CounterVec
	latency  *prometheus.HistogramVec
	limited  *prometheus.CounterVec
	errors   *prometheus.CounterVec
}

func newMetrics(r prometheus.Registerer) *metrics {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "frontdesk_requests_total", Help: "Requests to the customer API.",
		}, []string{"operation", "status"}),
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "frontdesk_request_seconds", Help: "Time to answer a request to the customer API.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5},
		}, []string{"operation"}),
		limited: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "frontdesk_limits_hit_total", Help: "Requests refused because a limit was reached.",
		}, []string{"limit"}),
		errors: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "frontdesk_request_errors_total", Help: "Requests to the customer API that were answered with an error, by its code.",
		}, []string{"code"}),
	}
	m.limited.WithLabelValues("rate")
	for _, code := range []string{"internal_error", "database_unavailable", "api_key_missing", "api_key_invalid"} {
		m.errors.WithLabelValues(code) // so that the first one is an increase
	}
	if r != nil {
		r.MustRegister(m.requests, m.latency, m.limited, m.errors)
	}
	return m
}

// observe counts an answer. code is that of its error, one of ours; "" where it is
// none.
func (m *metrics) observe(operation string, status int, code string, took time.Duration) {
	if code != "" {
		m.errors.WithLabelValues(code).Inc()
	}
	m.requests.WithLabelValues(operation, strconv.Itoa(status)).Inc()
	m.latency.WithLabelValues(operation).Observe(took.Seconds())
}
