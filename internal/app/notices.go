package app

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/config"
	"frontdesk.dev/frontdesk/internal/egress"
	"frontdesk.dev/frontdesk/internal/notice"
)

// textTime bounds one request to a carrier.
const textTime = 15 * time.Second

// addNotices puts together what writes to people. A channel that the settings do
// not name is left out.
func (p *parts) addNotices(registry *prometheus.Registry) error {
	o := notice.Options{
		Store: p.store, Links: notice.NewLinks(p.box, p.settings.PublicURL), TestAddresses: fields(p.settings.NoticeTest), Now: p.now, Log: p.log, Metrics: registry,
	}
	mail, err := OpenMail(p.settings)
	if err != nil {
		return err
	}
	p.mail = mail
	if mail != nil {
		o.Mail = mail
	}
	text, err := OpenText(p.settings)
	if err != nil {
		return err
	}
	if p.texts = text != nil; p.texts {
		o.Text = text
	}
	p.notices = notice.New(o)
	registry.MustRegister(noticeCollector{p})
	return nil
}

// OpenMail returns what sends mail, nil when the settings name no relay.
func OpenMail(s config.Settings) (*notice.Mail, error) {
	if s.SMTP == "" {
		return nil, nil
	}
	o := notice.MailOptions{Relay: s.SMTP, Password: s.SMTPPassword, From: s.MailFrom}
	if s.WebhookCA != "" {
		pem, err := os.ReadFile(s.WebhookCA)
		if err != nil {
			return nil, fmt.Errorf("reading FRONTDESK_WEBHOOK_CA: %w", err)
		}
		roots, err := x509.SystemCertPool()
		if err != nil {
			roots = x509.NewCertPool()
		}
		roots.AppendCertsFromPEM(pem)
		o.TLS = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	}
	return notice.NewMail(o)
}

// OpenText returns what sends text messages, nil when the settings name no
// carrier.
func OpenText(s config.Settings) (*notice.Text, error) {
	if s.Text == "" {
		return nil, nil
	}
	client, err := textClient(s)
	if err != nil {
		return nil, err
	}
	return notice.NewText(notice.TextOptions{Carrier: s.Text, Key: s.TextKey, From: s.TextFrom, URL: s.TextURL, Client: client})
}

// textClient is a guarded client for the carrier, or for the address that stands
// in its place.
func textClient(s config.Settings) (*http.Client, error) {
	if s.TextURL != "" {
		return vendorClient("FRONTDESK_TEXT_URL", s.TextURL, textTime)
	}
	const kept = 8
	guard, err := egress.New(egress.Options{})
	if err != nil {
		return nil, err
	}
	return guard.Client(textTime, kept), nil
}

// noticeCollector tells how many notices wait, and for how long, and how many did
// not get through.
type noticeCollector struct{ parts *parts }

var (
	noticesOpen   = prometheus.NewDesc("frontdesk_notices_open", "Notices that are not done, with reminders whose time is to come.", []string{"channel"}, nil)
	noticesDue    = prometheus.NewDesc("frontdesk_notices_due", "Notices whose time has come and that nobody is sending.", []string{"channel"}, nil)
	noticesOldest = prometheus.NewDesc("frontdesk_notices_oldest_due_seconds", "How long the oldest notice that is due has waited.", []string{"channel"}, nil)
	noticesFailed = prometheus.NewDesc("frontdesk_notices_failed", "Notices that were tried and will be again.", []string{"channel"}, nil)
	noticesDead   = prometheus.NewDesc("frontdesk_notices_dead", "Notices that were given up.", []string{"channel"}, nil)
)

func (c noticeCollector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{noticesOpen, noticesDue, noticesOldest, noticesFailed, noticesDead} {
		ch <- d
	}
}

func (c noticeCollector) Collect(ch chan<- prometheus.Metric) {
	queues, err := c.parts.store.NoticeQueuesForWorker(context.Background(), c.parts.now())
	if err != nil {
		return // the database is away; /readyz says so
	}
	for channel, q := range queues {
		for desc, value := range map[*prometheus.Desc]float64{
			noticesOpen: float64(q.Open), noticesDue: float64(q.Due), noticesOldest: q.Oldest.Seconds(), noticesFailed: float64(q.Failed), noticesDead: float64(q.Dead),
		} {
			ch <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, string(channel))
		}
	}
}
