package app

import (
	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/notice"
	"frontdesk.dev/frontdesk/internal/web"
)

// addWeb puts together what serves the visitors of web sites.
func (p *parts) addWeb(registry *prometheus.Registry) error {
	s := p.settings
	proxies, err := s.Proxies()
	if err != nil {
		return err
	}
	p.web = web.New(web.Options{
		Sessions: p.sessions, Store: p.store, Now: p.now, Log: p.log, Metrics: registry,
		Links: notice.NewLinks(p.box, s.PublicURL), Keys: p.keys,
		StartsPerMinute: s.WebStarts, MessagesPerSecond: s.WebMessages, MessagesBurst: s.WebBurst, Nodes: p.nodes.limits(),
		AgentStartsPerMinute: s.WebAgentStarts, TrustedProxies: proxies, StopReminders: p.notices.StopReminders, Studio: p.studio,
	})
	return nil
}
