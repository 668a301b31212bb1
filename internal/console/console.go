// Package console is the owner's screen: everything under /console.
//
// A request walks one straight line:
//
//	Handler -> route row -> own origin -> session -> role -> place -> handler -> page
//
// A place is a mode and an agent, and stands in the address of every page, so
// that test and live are never mixed and two windows can look at two businesses.
// Pages are made on the server (render.go) and can be read without a script;
// htmx renews what is live. A handler reads straight from the store, or asks the
// package that owns the rule: the console has no rules of its own.
package console

import (
	"cmp"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/limit"
	"frontdesk.dev/frontdesk/internal/privacy"
	desk "frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/webhook"
)

// Path is where the console is.
const Path = "/console"

// Serves says whether an address is one of the console.
func Serves(path string) bool { return path == Path || strings.HasPrefix(path, Path+"/") }

// Console serves the console. It is safe for concurrent use.
type Console struct {
	store    *store.Store
	people   *account.People
	keys     *account.Keys
	webhooks *webhook.Webhooks
	library  *knowledge.Library
	shelves  *knowledge.Shelves
	calendar *calendar.Calendar
	sessions *desk.Sessions
	now      func() time.Time
	log      *slog.Logger
	metrics  *metrics
	pages    *pages
	handler  http.Handler
	proxies  exchange.Proxies
	publicly string
	passkeys *account.Passkeys
	mail     Mailer // nil: nobody is written to
	texts    bool
	server   Server
	keeper   *privacy.Keeper

	answerable answerable // questions that Teach asked before

	entries *limit.Buckets[netip.Prefix] // attempts to enter, by address
	letters *limit.Hourly[string]        // links that were asked for, by e-mail address
	asked   chan linkWish                // to be mailed
}

// Options are the parts of a console. Store and People are needed.
type Options struct {
	Store          *store.Store
	People         *account.People
	Keys           *account.Keys
	Webhooks       *webhook.Webhooks
	Library        *knowledge.Library
	Shelves        *knowledge.Shelves
	Privacy        *privacy.Keeper
	Sessions       *desk.Sessions        // that drafts are talked to in; nil: none are
	Now            func() time.Time      // time.Now
	Log            *slog.Logger          // slog.Default()
	Metrics        prometheus.Registerer // none
	PublicURL      string                // under which the world reaches this server; "": as the browser says
	TrustedProxies exchange.Proxies
	Nodes          *limit.Group      // the other nodes, for which limits hold too; nil: there are none
	Passkeys       *account.Passkeys // nil: none are offered
	Mail           Mailer            // nil: nobody is written to
	Texts          bool              // text messages can be sent
	Server         Server
}

// New returns the console.
func New(o Options) (*Console, error) {
	c := &Console{
		store: o.Store, people: o.People, keys: o.Keys, webhooks: o.Webhooks, library: o.Library, shelves: o.Shelves, keeper: o.Privacy,
		calendar: calendar.New(o.Store, nil), sessions: o.Sessions, now: o.Now, log: cmp.Or(o.Log, slog.Default()), metrics: newMetrics(o.Metrics),
		proxies: o.TrustedProxies, publicly: strings.TrimSuffix(o.PublicURL, "/"),
		entries:  limit.NewBuckets[netip.Prefix](10, time.Minute, 20).In(o.Nodes, "entries of addresses"),
		letters:  limit.NewHourly[string](5).In(o.Nodes, "letters to addresses"),
		passkeys: o.Passkeys, mail: o.Mail, texts: o.Texts, server: o.Server, asked: make(chan linkWish, 100),
	}
	if c.now == nil {
		c.now = time.Now
	}
	var err error
	if c.passkeys == nil {
		if c.passkeys, err = account.NewPasskeys(o.People, nil, account.PasskeyOptions{}); err != nil {
			return nil, err
		}
	}
	if c.pages, err = loadPages(); err != nil {
		return nil, err
	}
	c.handler = c.newHandler()
	return c, nil
}

// Handler serves everything under Path.
func (c *Console) Handler() http.Handler { return c.handler }
