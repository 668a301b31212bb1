package mcp

import (
	"cmp"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics are the figures of this package. Labels are words of ours, never what a
// client sent.
type metrics struct {
	requests *prometheus.CounterVec
	latency  *prometheus.HistogramVec
	calls    *prometheus.CounterVec
}

func newMetrics(r prometheus.Registerer) *metrics {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "frontdesk_mcp_requests_total", Help: "Messages of assistants, by the protocol's method and the status of the answer.",
		}, []string{"method", "status"}),
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "frontdesk_mcp_request_seconds", Help: "Time to answer a message of an assistant.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"method"}),
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "frontdesk_mcp_tool_calls_total", Help: "Calls of tools, by tool and by the code of the error they were answered with, or ok.",
		}, []string{"tool", "result"}),
	}
	if r != nil {
		r.MustRegister(m.requests, m.latency, m.calls)
	}
	return m
}

func (m *metrics) observe(method, tool string, status int, code string, took time.Duration) {
	m.requests.WithLabelValues(method, strconv.Itoa(status)).Inc()
	m.latency.WithLabelValues(method).Observe(took.Seconds())
	if tool != "" {
		m.calls.WithLabelValues(tool, cmp.Or(code, "ok")).Inc()
	}
}
