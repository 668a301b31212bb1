package app

import (
	"net"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/phone"
)

// addPhone puts together what serves carriers. The demo can be called without a
// public address: `frontdesk phone try` is on the same machine.
func (p *parts) addPhone(registry *prometheus.Registry, demo bool) error {
	public := p.settings.PublicURL
	if public == "" && demo {
		public = LocalURL(p.settings.Listen)
	}
	names, err := p.settings.VoiceNames()
	if err != nil {
		return err
	}
	p.phone = phone.New(phone.Options{
		Sessions: p.sessions, Store: p.store, Numbers: account.NewNumbers(p.store, p.box, p.now), PublicURL: public, Box: p.box,
		Studio: p.studio, Station: station(p.settings.SIPListen), Voices: names, Nodes: p.nodes.limits(), Now: p.now, Log: p.log, Metrics: registry,
	})
	return p.addSIP(registry)
}

// LocalURL is where a server on this machine is reached that listens on an address.
func LocalURL(listen string) string {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return ""
	}
	if host == "" || net.ParseIP(host).IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port)
}
