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
// checked against its schemas (description.go), so the two cannot disagree.
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
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/store"
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
	metrics     *metrics
	description *description
	connector   connector
	router      *router
	answerTime  time.Duration
	uploadTime  time.Duration
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
	AnswerTime    time.Duration         // what the database may take of one request; 1.8 s
	UploadTime    time.Duration         // for a file to come in; 2 minutes, 10 MiB at 1 Mbit/s
}

// New returns the API.
func New(o Options) (*API, error) {
	description, err := loadDescription(openapi)
	if err != nil {
		return nil, err
	}
	a := &API{
		store: o.Store, keys: o.Keys, box: o.Box, webhooks: o.Webhooks, library: o.Library, shelves: o.Shelves, calendar: calendar.New(o.Store, nil), now: o.Now,
		log:         cmp.Or(o.Log, slog.Default()),
		limiter:     newLimiter(cmp.Or(o.RatePerSecond, 200), cmp.Or(o.RateBurst, 2000)),
		metrics:     newMetrics(o.Metrics),
		description: description,
		answerTime:  cmp.Or(o.AnswerTime, 1800*time.Millisecond),
		uploadTime:  cmp.Or(o.UploadTime, 2*time.Minute),
	}
	if a.now == nil {
		a.now = time.Now
	}
	if a.connector, err = readConnector(openapi); err != nil {
		return nil, err
	}
	a.router, err = newRouter(a.routes(), description)
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

// CheckAgentConfig holds an agent's configuration, as JSON, to the same rules
// as a PATCH of an agent.
func CheckAgentConfig(config []byte) error {
	description, err := loadDescription(openapi)
	if err != nil {
		return err
	}
	value, err := exchange.ParseObject(config)
	if err != nil {
		return err
	}
	_, err = description.agentPatch(config, value)
	return err
}
