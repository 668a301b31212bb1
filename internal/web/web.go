// Package web is the web channel: visitors talk to a business's receptionist
// over HTTP, without a key.
//
// A visit walks one straight line:
//
//	address -> route -> limit -> body -> receptionist and origin -> reception.Sessions -> answer
//
// and may leave it at every step with an error, in the same envelope as the
// customer API's. Three addresses are the conversation itself, and a fourth is its
// microphone (microphone.go); the others put it
// on a screen: a hosted page for each receptionist, and one script that any
// site can include. Page and site run the same script, which knows nothing but
// those addresses.
//
// Beside the conversation, customers see their own appointment on a page that
// needs no script: they confirm, move or cancel it there (appointment.go).
//
// A conversation belongs to whoever holds its token. There are no cookies. What
// is said is decided below, in conversation; nothing of it is kept here.
package web

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/limit"
	"frontdesk.dev/frontdesk/internal/notice"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/turns"
	"frontdesk.dev/frontdesk/internal/voice"
)

// Web serves visitors. It is safe for concurrent use.
type Web struct {
	sessions *reception.Sessions
	store    *store.Store
	calendar *calendar.Calendar
	now      func() time.Time
	log      *slog.Logger
	metrics  *metrics
	proxies  exchange.Proxies
	origins  origins
	links    notice.Links
	keys     *account.Keys                                              // nil: nobody rehearses here
	studio   *voice.Studio                                              // nil: nobody listens to microphones
	lines    *turns.Lines                                               // microphones that are open, by address
	silence  func(context.Context, frontdesk.Owner, frontdesk.ID) error // Options.StopReminders

	starts   *limit.Buckets[netip.Prefix]
	messages *limit.Buckets[netip.Prefix]
	agents   *limit.Buckets[agentMode]
	first    *limit.Buckets[netip.Prefix] // starts that agents do not count

	soundWithin time.Duration
	tokenWithin time.Duration
}

// Options are the parts and figures of a Web. Its parts are needed: Sessions
// and Store.
type Options struct {
	Sessions *reception.Sessions
	Store    *store.Store
	Now      func() time.Time      // time.Now
	Log      *slog.Logger          // slog.Default()
	Metrics  prometheus.Registerer // none

	// Links are the addresses of customers' own appointments; none: nobody has a
	// page of theirs.
	Links notice.Links
	// StopReminders sees to it that no more reminders of an appointment are sent;
	// nil: there is no page to ask for that.
	StopReminders func(ctx context.Context, owner frontdesk.Owner, capture frontdesk.ID) error

	// Keys are those of the customer API, with which a business rehearses; nil: nobody
	// does so here.
	Keys *account.Keys

	// Studio hears and speaks to visitors who use their microphone; nil: none is offered.
	Studio *voice.Studio

	StartsPerMinute      int          // conversations that one address may start; 300, and no more than a quarter of AgentStartsPerMinute
	MessagesPerSecond    int          // that one address may send for long; 50
	MessagesBurst        int          // and at once; 2,000
	Nodes                *limit.Group // the other nodes, for which these hold too; nil: there are none
	AgentStartsPerMinute int          // conversations that may be started with one agent; 1,200

	// TrustedProxies are the networks whose X-Forwarded-For is believed. With
	// none, a visitor's address is the one that the connection comes from.
	TrustedProxies []netip.Prefix
}

// New returns the web channel.
func New(o Options) *Web {
	perAgent := cmp.Or(o.AgentStartsPerMinute, 1200)
	perMinute := share(cmp.Or(o.StartsPerMinute, 300), perAgent)
	s := &Web{
		sessions: o.Sessions, store: o.Store, calendar: calendar.New(o.Store, nil), now: o.Now,
		log:      cmp.Or(o.Log, slog.Default()),
		metrics:  newMetrics(o.Metrics),
		proxies:  o.TrustedProxies,
		links:    o.Links,
		keys:     o.Keys,
		silence:  o.StopReminders,
		studio:   o.Studio,
		starts:   limit.NewBuckets[netip.Prefix](perMinute, time.Minute, perMinute).In(o.Nodes, "starts of addresses"),
		messages: limit.NewBuckets[netip.Prefix](cmp.Or(o.MessagesPerSecond, 50), time.Second, cmp.Or(o.MessagesBurst, 2000)).In(o.Nodes, "messages of addresses"),
		agents:   limit.NewBuckets[agentMode](perAgent, time.Minute, perAgent).In(o.Nodes, "starts of agents"),
		first:    limit.NewBuckets[netip.Prefix](few, time.Minute, few).In(o.Nodes, "first starts of addresses"),

		soundWithin: soundWithin, tokenWithin: tokenWithin,
	}
	s.lines = turns.NewLines(mostMicrophones, mostOfAddress, s.log)
	if s.now == nil {
		s.now = time.Now
	}
	return s
}

// Handler serves everything under /web/, /talk/, /calendar/ and /appointment/, and
// the scripts.
func (s *Web) Handler() http.Handler {
	mux := http.NewServeMux()
	for _, r := range s.routes() {
		mux.HandleFunc(r.path, func(w http.ResponseWriter, hr *http.Request) { s.serve(w, hr, r) })
	}
	return mux
}

// Serves says whether an address is the web channel's.
func Serves(path string) bool {
	return scripts[path] != nil || under(path, "/web/") || under(path, "/talk/") || under(path, "/calendar/") || under(path, notice.LinkPath)
}

func under(path, place string) bool { return len(path) > len(place) && path[:len(place)] == place }
