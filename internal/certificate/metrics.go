package certificate

import "github.com/prometheus/client_golang/prometheus"

// collector tells the figures of certificates.
type collector struct{ keeper *Keeper }

var (
	expiresAt    = prometheus.NewDesc("frontdesk_certificate_expires_timestamp_seconds", "When the certificate that is served expires, in seconds since 1970; 0 while there is none.", []string{"domain"}, nil)
	failedOrders = prometheus.NewDesc("frontdesk_certificate_failed_orders", "Orders of the certificate in a row that failed; 0 is well.", []string{"domain"}, nil)
)

func (c collector) Describe(ch chan<- *prometheus.Desc) {
	ch <- expiresAt
	ch <- failedOrders
}

func (c collector) Collect(ch chan<- prometheus.Metric) {
	for _, domain := range c.keeper.Domains {
		expires := 0.0
		if cert := c.keeper.certificateOf(domain); cert != nil {
			expires = float64(cert.Leaf.NotAfter.Unix())
		}
		ch <- prometheus.MustNewConstMetric(expiresAt, prometheus.GaugeValue, expires, domain)
		ch <- prometheus.MustNewConstMetric(failedOrders, prometheus.GaugeValue, float64(c.keeper.row(domain).Attempts), domain)
	}
}
