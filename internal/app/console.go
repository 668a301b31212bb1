package app

import (
	"context"
	"net"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/console"
	"frontdesk.dev/frontdesk/internal/demo"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// addConsole puts together what serves the people of the businesses.
func (p *parts) addConsole(registry *prometheus.Registry) (err error) {
	proxies, err := p.settings.Proxies()
	if err != nil {
		return err
	}
	passkeys, err := account.NewPasskeys(p.people, p.box, account.PasskeysAt(p.settings.PublicURL, p.settings.Listen))
	if err != nil {
		return err
	}
	o := console.Options{
		Store: p.store, People: p.people, Keys: p.keys, Webhooks: p.webhooks, Library: p.library, Shelves: p.shelves, Privacy: p.privacy, Sessions: p.sessions,
		Now: p.now, Log: p.log, Metrics: registry, PublicURL: p.settings.PublicURL, TrustedProxies: proxies, Nodes: p.nodes.limits(),
		Passkeys: passkeys, Texts: p.texts, Server: console.Server{
			Version: p.version, Started: p.started, Documents: p.blobs.String(), CheckDocuments: p.blobs.Check, CreateTenant: p.createTenant,
		},
	}
	if p.mail != nil {
		o.Mail = p.mail
	}
	p.console, err = console.New(o)
	return err
}

// createTenant makes a tenant as the command line does.
func (p *parts) createTenant(ctx context.Context, by frontdesk.Actor, slug, name, zone string) (frontdesk.Tenant, error) {
	made, err := demo.NewTenant{By: by, Slug: slug, Name: name, Timezone: zone}.Create(ctx, p.store, p.library, p.now())
	return made.Tenant, err
}

// consoleLink is an address that lets the owner of a tenant into the console,
// once.
func (p *parts) consoleLink(ctx context.Context, t frontdesk.Tenant, addr net.Addr) (string, error) {
	owner, err := p.people.FirstOwner(ctx, t)
	if err != nil {
		return "", err
	}
	token, err := p.people.Link(ctx, owner, frontdesk.LinkPrinted)
	return "http://" + addr.String() + console.Path + "/enter/" + token.Reveal(), err
}
