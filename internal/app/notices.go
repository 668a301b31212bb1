package app

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"time"

	"frontdesk.dev/frontdesk/internal/config"
	"frontdesk.dev/frontdesk/internal/egress"
	"frontdesk.dev/frontdesk/internal/notice"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/store"
)

// textTime bounds one request to a carrier.
const textTime = 15 * time.Second

// OpenNotices puts together what writes to people. A channel that the settings
// do not name is left out.
func OpenNotices(s config.Settings, st *store.Store, box *seal.Box, now func() time.Time, log *slog.Logger) (*notice.Notices, error) {
	o := notice.Options{
		Store: st, Links: notice.NewLinks(box, s.PublicURL), TestAddresses: fields(s.NoticeTest), Now: now, Log: log,
	}
	mail, err := OpenMail(s)
	if err != nil {
		return nil, err
	}
	if mail != nil {
		o.Mail = mail
	}
	text, err := OpenText(s)
	if err != nil {
		return nil, err
	}
	if text != nil {
		o.Text = text
	}
	return notice.New(o), nil
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
