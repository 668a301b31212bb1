// Package api is the customer API: everything under /v1.
//
// A request walks one straight line:
//
//	Handler -> route row -> key -> rate -> scope and mode -> query -> handler -> answer
//
// and may leave it at every step with an error, which one place (respond.go)
// turns into the envelope. A handler reads straight from the store, or asks the
// package that owns the rule, and spells its answer with wire.
//
// openapi.json is not only documentation: query parameters and bodies are
// checked against its schemas (package description), so the two cannot disagree.
package api

import (
	"cmp"
	"log/slog"
	"net/http"
	"time"

	"github.com/klauspost/compress/gzhttp"
	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/description"
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/limit"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/trace"
	"frontdesk.dev/frontdesk/internal/webhook"
)

// API serves the customer API. It is safe for concurrent use.
type API struct {
	store       *store.Store
	keys        *account.Keys
	box         *seal.Box
	webhooks    *webhook.Webhooks
	library     *knowledge.Library
	shelves     *knowledge.Shelves
	calendar    *calendar.Calendar
	now         func() time.Time
	log         *slog.Logger
	limiter     *limiter
	requests    *RequestLog
	metrics     *metrics
	description *description.Description
	connector   connector
	router      *router
	answerTime  time.Duration
	uploadPace  exchange.Pace
	tracer      *trace.Tracer
	proxies     exchange.Proxies
}

// Options are the parts and figures of an API. Its parts are needed: Store, Keys,
// Box, Webhooks, Library and Shelves.
type Options struct {
	Store         *store.Store
	Keys          *account.Keys
	Box           *seal.Box
	Webhooks      *webhook.Webhooks
	Library       *knowledge.Library
	Shelves       *knowledge.Shelves
	Now           func() time.Time      // time.Now
	Log           *slog.Logger          // slog.Default()
	Metrics       prometheus.Registerer // none
	RatePerSecond int                   // 200
	RateBurst     int                   // 2,000
	Nodes         *limit.Group          // the other nodes, for which limits hold too; nil: there are none
	AnswerTime    time.Duration         // what the database may take of one request; 1.8 s
	UploadPace    exchange.Pace         // of files that come in; exchange.Unhurried
	Tracer        *trace.Tracer         // nil: off
	// TrustedProxies are the networks whose X-Forwarded-For is believed when the log
	// says where a request came from.
	TrustedProxies exchange.Proxies
}

// New returns the API.
func New(o Options) (*API, error) {
	d, err := description.Load()
	if err != nil {
		return nil, err
	}
	a := &API{
		store: o.Store, keys: o.Keys, box: o.Box, webhooks: o.Webhooks, library: o.Library, shelves: o.Shelves, calendar: calendar.New(o.Store, nil), now: o.Now,
		log:         cmp.Or(o.Log, slog.Default()),
		limiter:     newLimiter(cmp.Or(o.RatePerSecond, 200), cmp.Or(o.RateBurst, 2000), o.Nodes),
		metrics:     newMetrics(o.Metrics),
		description: d,
		answerTime:  cmp.Or(o.AnswerTime, 1800*time.Millisecond),
		uploadPace:  cmp.Or(o.UploadPace, exchange.Unhurried),
		tracer:      o.Tracer,
		proxies:     o.TrustedProxies,
	}
	if a.now == nil {
		a.now = time.Now
	}
	a.requests = newRequestLog(o, a.now)
	if a.connector, err = readConnector(description.Text()); err != nil {
		return nil, err
	}
	a.router, err = newRouter(a.routes(), d)
	return a, err
}

// Handler serves everything under /v1; whatever else comes to it does not
// exist. Answers are compressed for clients that ask, where it pays.
func (a *API) Handler() (http.Handler, error) {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(2048), gzhttp.CompressionLevel(1))
	if err != nil {
		return nil, err
	}
	return wrap(http.HandlerFunc(a.serve)), nil
}
