package app

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/api"
	"frontdesk.dev/frontdesk/internal/certificate"
	"frontdesk.dev/frontdesk/internal/config"
	"frontdesk.dev/frontdesk/internal/egress"
	"frontdesk.dev/frontdesk/internal/service"
)

// acmeTime bounds one request to a certificate authority.
const acmeTime = 30 * time.Second

// front is an address that the process listens on, and what it serves there.
type front struct {
	name     string // in the log
	listener net.Listener
	handler  http.Handler
}

// listen opens all addresses of the settings. The first is the one without TLS.
func (p *parts) listen() (fronts []front, err error) {
	s := p.settings
	defer func() {
		if err != nil {
			closeFronts(fronts)
		}
	}()
	open := func(name, address string, secured *tls.Config, handler http.Handler) {
		if err != nil {
			return
		}
		var l net.Listener
		if l, err = net.Listen("tcp", address); err != nil {
			err = fmt.Errorf("listening on %s: %w; %s", address, err, ListenAdvice(err, "FRONTDESK_"+strings.ToUpper(name)))
			return
		}
		if secured != nil {
			l = tls.NewListener(l, secured)
		}
		fronts = append(fronts, front{name, l, handler})
	}
	open("listen", s.Listen, nil, p.handler)
	if s.MetricsListen != "" {
		open("metrics_listen", s.MetricsListen, nil, p.figures)
	}
	if p.certs != nil {
		open("tls_listen", s.TLSListen, p.certs.TLS(), certificate.Strict(p.public))
		open("http_listen", s.HTTPListen, nil, p.certs.Plain())
	}
	return fronts, err
}

// ListenAdvice says what to do where serve cannot listen on the address of a setting.
func ListenAdvice(err error, setting string) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "let this program use ports below 1024 (systemd: AmbientCapabilities=CAP_NET_BIND_SERVICE; else: setcap cap_net_bind_service=+ep on the binary), or choose another port with " + setting + " and lead the port that the world uses to it"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return "this machine does not have that address: choose one of its own with " + setting + ", or 0.0.0.0 or [::] for all of them"
	}
	return "stop what uses it, or choose another address with " + setting
}

func closeFronts(fronts []front) {
	for _, f := range fronts {
		f.listener.Close()
	}
}

// places are the addresses of fronts, for the log.
func places(fronts []front) (all []any) {
	for _, f := range fronts {
		all = append(all, f.name, f.listener.Addr().String())
	}
	return all
}

// serveFronts begins to serve. The channel gives the error of the first server that
// ends by itself.
func (p *parts) serveFronts(fronts []front) (servers []*http.Server, failed <-chan error) {
	ended := make(chan error, len(fronts))
	for _, f := range fronts {
		server := api.NewServer(f.handler, p.log)
		servers = append(servers, server)
		service.Go(p.log, "HTTP server of "+f.name, func() error {
			err := service.Guard(p.log, "HTTP server of "+f.name, func() error { return server.Serve(api.Listener(f.listener, p.log)) })
			ended <- err
			return err
		})
	}
	return servers, ended
}

// addCertificates puts together what orders and serves certificates, if this server
// has names of its own.
func (p *parts) addCertificates(registry *prometheus.Registry) error {
	domains := p.settings.Domains()
	if len(domains) == 0 {
		return nil
	}
	client, err := acmeClient(p.settings)
	if err != nil {
		return err
	}
	p.certs = certificate.New(certificate.Options{
		Store: p.store, Box: p.box, Domains: domains, Directory: p.settings.ACMEDirectory, Email: p.settings.ACMEEmail, Client: client,
		PublicURL: p.settings.PublicURL, Now: p.now, Log: p.log, Metrics: registry,
	})
	return nil
}

// acmeClient is a guarded client for the certificate authority. The operator has
// named it, so that it may be on a private network; what it sends us to may not.
func acmeClient(s config.Settings) (*http.Client, error) {
	origin, err := originOf(s.ACMEDirectory)
	if err != nil {
		return nil, fmt.Errorf("reading FRONTDESK_ACME_DIRECTORY: %w", err)
	}
	guard, err := egress.New(egress.Options{Allow: []string{origin}, CAFile: s.ACMERoots, Proxy: s.WebhookProxy})
	if err != nil {
		return nil, fmt.Errorf("FRONTDESK_ACME_DIRECTORY, FRONTDESK_ACME_ROOTS or FRONTDESK_WEBHOOK_PROXY: %w", err)
	}
	const kept = 2
	return guard.Client(acmeTime, kept), nil
}
