package app

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"frontdesk.dev/frontdesk/internal/store"
)

func runtimeCollectors() []prometheus.Collector {
	return []prometheus.Collector{
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	}
}

func buildInfo(version string) prometheus.Collector {
	g := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "frontdesk_build_info", Help: "Always 1; the label is the version.",
		ConstLabels: prometheus.Labels{"version": version},
	})
	g.Set(1)
	return g
}

// poolCollector tells the figures of the database pools.
type poolCollector struct{ store *store.Store }

var (
	poolOpen  = prometheus.NewDesc("frontdesk_database_connections_open", "Open connections to the database.", []string{"pool"}, nil)
	poolInUse = prometheus.NewDesc("frontdesk_database_connections_in_use", "Connections that answer a question now.", []string{"pool"}, nil)
	poolWaits = prometheus.NewDesc("frontdesk_database_waits_total", "Questions that had to wait for a connection.", []string{"pool"}, nil)
	poolWait  = prometheus.NewDesc("frontdesk_database_wait_seconds_total", "Time that questions waited for a connection.", []string{"pool"}, nil)
)

func (c poolCollector) Describe(ch chan<- *prometheus.Desc) { prometheus.DescribeByCollect(c, ch) }

func (c poolCollector) Collect(ch chan<- prometheus.Metric) {
	for name, s := range c.store.Stats() {
		ch <- prometheus.MustNewConstMetric(poolOpen, prometheus.GaugeValue, float64(s.Open), name)
		ch <- prometheus.MustNewConstMetric(poolInUse, prometheus.GaugeValue, float64(s.InUse), name)
		ch <- prometheus.MustNewConstMetric(poolWaits, prometheus.CounterValue, float64(s.Waits), name)
		ch <- prometheus.MustNewConstMetric(poolWait, prometheus.CounterValue, s.Waited.Seconds(), name)
	}
}
