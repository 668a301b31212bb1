package web

import (
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/voice"
)

// metrics are the figures of the web channel. Labels are words of ours, never
// what a visitor sent.
type metrics struct {
	requests *prometheus.CounterVec
	latency  *prometheus.HistogramVec
	started  *prometheus.CounterVec
	ended    *prometheus.CounterVec
	messages prometheus.Counter
	answers  prometheus.Histogram
	refused  *prometheus.CounterVec

	microphones prometheus.Gauge
	understood  *prometheus.HistogramVec
	spoken      *prometheus.HistogramVec
}

func newMetrics(r prometheus.Registerer) *metrics {
	times := []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "frontdesk_web_requests_total", Help: "Requests to the web channel.",
		}, []string{"operation", "status"}),
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "frontdesk_web_request_seconds", Help: "Time to answer a request to the web channel.", Buckets: times,
		}, []string{"operation"}),
		started: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "frontdesk_web_conversations_started_total", Help: "Conversations that visitors started.",
		}, []string{"mode"}),
		ended: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "frontdesk_web_conversations_ended_total", Help: "Answers that said that a conversation has ended; those that end by silence are not among them.",
		}, []string{"outcome"}),
		messages: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "frontdesk_web_messages_total", Help: "Messages of visitors that were answered.",
		}),
		answers: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "frontdesk_web_answer_seconds", Help: "Time from a visitor's message to the receptionist's answer.", Buckets: times,
		}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "frontdesk_web_refused_total", Help: "Visits refused because of a limit, by address, by agent, by the conversations or the microphones open from the address, or because of their origin.",
		}, []string{"reason"}),
		microphones: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "frontdesk_web_microphones", Help: "Visitors' microphones that are open.",
		}),
		understood: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "frontdesk_web_hearing_seconds", Help: "Time to make words of what a visitor said into the microphone.", Buckets: times,
		}, []string{"result"}),
		spoken: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "frontdesk_web_speech_seconds", Help: "Time from an answer to a visitor's microphone to its first sound.", Buckets: times,
		}, []string{"result"}),
	}
	m.begin()
	if r != nil {
		r.MustRegister(m.requests, m.latency, m.started, m.ended, m.messages, m.answers, m.refused, m.microphones, m.understood, m.spoken)
	}
	return m
}

// begin makes figures begin at 0, so that the first one counted is seen as an increase.
func (m *metrics) begin() {
	for _, reason := range []string{"address", "agent", "open", "microphones", "origin"} {
		m.refused.WithLabelValues(reason)
	}
	for _, result := range []string{"ok", "failed"} {
		m.understood.WithLabelValues(result)
		m.spoken.WithLabelValues(result)
	}
}

func (m *metrics) observe(operation string, status int, took time.Duration) {
	m.requests.WithLabelValues(operation, strconv.Itoa(status)).Inc()
	m.latency.WithLabelValues(operation).Observe(took.Seconds())
}

func (m *metrics) turn(took time.Duration) {
	m.messages.Inc()
	m.answers.Observe(took.Seconds())
}

func (m *metrics) over(ended bool, outcome frontdesk.Outcome) {
	if ended {
		m.ended.WithLabelValues(string(outcome)).Inc()
	}
}

// sound is what is counted of a microphone's line.
func (m *metrics) sound() voice.Watch {
	in := func(h *prometheus.HistogramVec) func(time.Duration, error) {
		return func(took time.Duration, err error) {
			result := "ok"
			if err != nil {
				result = "failed"
			}
			h.WithLabelValues(result).Observe(took.Seconds())
		}
	}
	return voice.Watch{Understood: in(m.understood), Spoken: in(m.spoken)}
}
