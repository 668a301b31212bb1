package app

import (
	"context"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/webhook"
)

// addWebhooks puts together what sends deliveries: the guard on the way out, the
// sender, the connections and the dispatcher.
func (p *parts) addWebhooks(registry *prometheus.Registry) error {
	guard, err := webhookGuard(p.settings)
	if err != nil {
		return err
	}
	if opened := guard.Opened(); len(opened) > 0 {
		p.log.Warn("DEVELOPMENT OPENING: deliveries may reach addresses that are not public", "origins", opened)
	}
	sender := webhook.NewSender(guard, p.box, p.now, p.log, registry)
	sender.Traced(p.tracer)
	p.webhooks = webhook.New(p.store, p.box, guard, sender, p.now)
	p.dispatch = webhook.NewDispatcher(p.store, sender, p.now, p.log, webhook.DispatcherOptions{})
	registry.MustRegister(queueCollector{p})
	return nil
}

// fields are the parts of a setting that holds several.
func fields(setting string) []string {
	return strings.FieldsFunc(setting, func(r rune) bool { return r == ',' || r == ' ' })
}

// queueCollector tells how many deliveries wait, and for how long.
type queueCollector struct{ parts *parts }

var (
	queueOpen   = prometheus.NewDesc("frontdesk_deliveries_open", "Deliveries to active connections that are not done.", nil, nil)
	queueOldest = prometheus.NewDesc("frontdesk_deliveries_oldest_due_seconds", "How long the oldest delivery that is due has waited.", nil, nil)
)

func (c queueCollector) Describe(ch chan<- *prometheus.Desc) {
	ch <- queueOpen
	ch <- queueOldest
}

func (c queueCollector) Collect(ch chan<- prometheus.Metric) {
	open, oldest, err := c.parts.store.QueueForWorker(context.Background(), c.parts.now())
	if err != nil {
		return // the database is away; /readyz says so
	}
	ch <- prometheus.MustNewConstMetric(queueOpen, prometheus.GaugeValue, float64(open))
	ch <- prometheus.MustNewConstMetric(queueOldest, prometheus.GaugeValue, oldest.Seconds())
}
