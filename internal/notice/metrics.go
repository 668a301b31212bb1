package notice

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// metrics are the figures of what this process sends. What waits is counted in
// the database, for all nodes.
type metrics struct {
	attempts *prometheus.CounterVec
	latency  *prometheus.HistogramVec
}

func newMetrics(r prometheus.Registerer) *metrics {
	m := &metrics{
		attempts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "frontdesk_notice_attempts_total", Help: "Notices that were taken up, by how that ended.",
		}, []string{"channel", "result"}),
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "frontdesk_notice_seconds", Help: "Time that the mail relay or the carrier took.",
			Buckets: []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 15, 30},
		}, []string{"channel"}),
	}
	for _, channel := range frontdesk.NoticeChannels { // so that the first one is seen as an increase
		m.attempts.WithLabelValues(string(channel), string(frontdesk.NoticeSent))
		m.latency.WithLabelValues(string(channel))
	}
	if r != nil {
		r.MustRegister(m.attempts, m.latency)
	}
	return m
}

// observe counts how it ended that a notice was taken up: it was sent, ended, or
// postponed until the quiet hours end, or why it failed.
func (m *metrics) observe(claimed, after frontdesk.Notice) {
	result := string(after.Status)
	switch {
	case after.Attempts < claimed.Attempts:
		result = "postponed"
	case after.ErrorCode != "":
		result = after.ErrorCode
	}
	m.attempts.WithLabelValues(string(after.Channel), result).Inc()
}

func (m *metrics) took(channel frontdesk.NoticeChannel, d time.Duration) {
	m.latency.WithLabelValues(string(channel)).Observe(d.Seconds())
}
