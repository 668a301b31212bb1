package sip

import "github.com/prometheus/client_golang/prometheus"

// watchTrunks tells how many trunks there are, registered or not.
func (s *Server) watchTrunks(r prometheus.Registerer) {
	if r == nil {
		return
	}
	r.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "frontdesk_sip_trunks", Help: "Trunks that this process is to be registered with.",
	}, func() float64 { return float64(len(s.registrations())) }))
}

// metrics are the figures of this package.
type metrics struct {
	calls      prometheus.Gauge
	ended      *prometheus.CounterVec
	refused    *prometheus.CounterVec
	registered prometheus.Gauge
	late       prometheus.Counter
	concealed  prometheus.Counter
}

func newMetrics(r prometheus.Registerer) *metrics {
	m := &metrics{
		calls: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "frontdesk_sip_calls", Help: "Calls there are now.",
		}),
		ended: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "frontdesk_sip_calls_total", Help: "Calls that came, by how they ended.",
		}, []string{"end"}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "frontdesk_sip_refused_total", Help: "Messages and connections that were passed over without an answer, by why.",
		}, []string{"why"}),
		registered: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "frontdesk_sip_trunks_registered", Help: "Trunks that are registered now.",
		}),
		late: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "frontdesk_sip_late_packets_total", Help: "Packets of sound that came too late to be heard.",
		}),
		concealed: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "frontdesk_sip_concealed_frames_total", Help: "Frames of 20 ms that were made up because they were lost or late.",
		}),
	}
	if r != nil {
		r.MustRegister(m.calls, m.ended, m.refused, m.registered, m.late, m.concealed)
	}
	return m
}
