package app

import (
	"context"
	"crypto/tls"
	"fmt"
	"os"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/service"
	"frontdesk.dev/frontdesk/internal/sip"
)

// trunksEvery is how far apart it is looked for numbers whose trunks have changed.
const trunksEvery = 15 * time.Second

// addSIP opens the sockets on which calls come over SIP, where the settings name any.
func (p *parts) addSIP(registry *prometheus.Registry) error {
	s := p.settings
	if s.SIPListen == "" {
		return nil
	}
	places, err := s.SIP()
	if err != nil {
		return err
	}
	o := sip.Options{
		Listen: places.Listen, Ports: places.Ports, Allow: places.Allow, Public: s.SIPPublic, MostCalls: s.SIPCalls,
		Log: p.log, Now: p.now, Metrics: registry, Answer: p.phone.AnswerSIP,
	}
	if s.SIPCertificate != "" {
		certificate, err := tls.LoadX509KeyPair(s.SIPCertificate, s.SIPKey)
		if err != nil {
			return fmt.Errorf("reading FRONTDESK_SIP_CERTIFICATE and FRONTDESK_SIP_KEY: %w", err)
		}
		o.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	}
	if p.sip, err = sip.New(o); err != nil {
		return fmt.Errorf("serving SIP at %s: %w", s.SIPListen, err)
	}
	p.sipSince = p.now() // nobody else has the sockets from now on
	return nil
}

// station is where this process serves SIP.
func station(listen string) string {
	host, _ := os.Hostname() // "" is as good as any while it stays
	return host + " " + listen
}

// startSIP serves calls over SIP until stopSIP.
func (p *parts) startSIP(work *service.Group) {
	if p.sip == nil {
		return
	}
	p.log.Info("SIP is served", "listen", p.sip.Listening(), "ports", p.settings.SIPPorts)
	service.Go(p.log, "SIP server", func() error { return p.sip.Run(context.Background()) })
	work.Go("lost calls", p.logged("recording calls over SIP that were lost", func(ctx context.Context) error { return p.phone.EndLost(ctx, p.sipSince) }))
	register := p.logged("registering with trunks", func(ctx context.Context) error { return p.phone.SetTrunks(ctx, p.sip) })
	work.Go("trunks at the start", register)
	work.Every("trunks", trunksEvery, register)
}
