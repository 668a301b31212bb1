package phone

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/turns"
)

// metrics are the figures of the telephone. Labels are words of ours.
type metrics struct {
	webhooks  *prometheus.CounterVec
	calls     *prometheus.CounterVec
	refused   prometheus.Counter
	broken    *prometheus.CounterVec
	transfers *prometheus.CounterVec
	relays    prometheus.Gauge
	answers   prometheus.Histogram
	repeated  prometheus.Counter
	faults    prometheus.Counter
}

func newMetrics(r prometheus.Registerer) *metrics {
	m := &metrics{
		webhooks: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "frontdesk_phone_webhooks_total", Help: "Requests of carriers, by what they asked and how they were answered.",
		}, []string{"carrier", "what", "status"}),
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "frontdesk_phone_calls_total", Help: "Calls that came in and were answered.",
		}, []string{"carrier"}),
		refused: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "frontdesk_phone_refused_total", Help: "Calls refused because too many came within a minute.",
		}),
		broken: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "frontdesk_phone_relays_broken_total", Help: "Relays that broke in the middle of a call.",
		}, []string{"carrier"}),
		transfers: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "frontdesk_phone_transfers_total", Help: "Callers who were to be put through, by how that went.",
		}, []string{"result"}),
		relays: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "frontdesk_phone_relays_open", Help: "Calls that are being held now.",
		}),
		answers: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "frontdesk_phone_answer_seconds", Help: "Time from the end of what a caller said, as we judge it, to the first word of the answer on its way.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}),
		repeated: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "frontdesk_phone_repeated_total", Help: "Times that something was said once more because a noise had cut it off.",
		}),
		faults: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "frontdesk_phone_faults_total", Help: "Turns that could not be taken, most often because the database was away.",
		}),
	}
	if r != nil {
		r.MustRegister(m.webhooks, m.calls, m.refused, m.broken, m.transfers, m.relays, m.answers, m.repeated, m.faults)
	}
	return m
}

// watch counts what happens while a call is held.
func (m *metrics) watch() turns.Watch {
	return turns.Watch{
		Answered: func(took time.Duration) { m.answers.Observe(took.Seconds()) },
		Repeated: m.repeated.Inc, Failed: m.faults.Inc,
	}
}
