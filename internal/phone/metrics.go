package phone

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/turns"
	"frontdesk.dev/frontdesk/internal/voice"
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
	heard     *prometheus.HistogramVec
	spoken    *prometheus.HistogramVec
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
	m.heard = soundTimes("frontdesk_voice_heard_seconds", "Time that it took to make words of what a caller said.")
	m.spoken = soundTimes("frontdesk_voice_spoken_seconds", "Time from an answer to its first sound.")
	for _, result := range []string{"ok", "failed"} { // so that the first one is seen as an increase
		m.heard.WithLabelValues(string(frontdesk.SIP), result)
		m.spoken.WithLabelValues(string(frontdesk.SIP), result)
	}
	if r != nil {
		r.MustRegister(m.webhooks, m.calls, m.refused, m.broken, m.transfers, m.relays, m.answers, m.repeated, m.faults, m.heard, m.spoken)
	}
	return m
}

func soundTimes(name, help string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: name, Help: help, Buckets: []float64{.01, .025, .05, .1, .25, .5, 1, 2, 4, 8, 16},
	}, []string{"line", "result"})
}

// sound counts how long hearing and speaking take on lines that carry sound.
func (m *metrics) sound(carrier frontdesk.Carrier) voice.Watch {
	note := func(times *prometheus.HistogramVec) func(time.Duration, error) {
		return func(took time.Duration, err error) {
			result := "ok"
			if err != nil {
				result = "failed"
			}
			times.WithLabelValues(string(carrier), result).Observe(took.Seconds())
		}
	}
	return voice.Watch{Understood: note(m.heard), Spoken: note(m.spoken)}
}

// watch counts what happens while a call is held.
func (m *metrics) watch() turns.Watch {
	return turns.Watch{
		Answered: func(took time.Duration) { m.answers.Observe(took.Seconds()) },
		Repeated: m.repeated.Inc, Failed: m.faults.Inc,
	}
}
