// Package phone is the telephone: callers talk to a business's receptionist
// through a carrier that hears and speaks for us, or over SIP, where we do so
// ourselves.
//
// A call walks one line:
//
//	voice webhook -> Sessions.Ring -> markup that connects the carrier's relay
//	relay socket  -> frames -> turns (who speaks when) -> Sessions.HearOnce -> frames
//	the callback after it -> over, put through, or connected once more
//
// Twilio and Telnyx use the same words with other habits: a dialect holds what
// differs, and nothing else knows the carrier. What carriers post is signed; a relay
// is opened by a token that is good for one connection of one call. A socket that
// breaks, because a process died or was replaced, costs the caller two seconds: the
// carrier asks what to do, and is connected again to the conversation as it stands.
//
// A call over SIP is a sip.Call from its first ring to its end, on this process alone:
//
//	AnswerSIP -> Sessions.Ring -> turns, over a voice.Line -> put through, or hung up
//
// Who speaks when is decided below, in turns. Nothing is recorded here.
package phone

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/limit"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/service"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/turns"
	"frontdesk.dev/frontdesk/internal/voice"
)

// Path begins all addresses of the telephone.
const Path = "/phone/"

// Phone serves carriers. It is safe for concurrent use.
type Phone struct {
	sessions *reception.Sessions
	store    *store.Store
	numbers  *account.Numbers
	public   string
	now      func() time.Time
	log      *slog.Logger
	metrics  *metrics

	perNumber *limit.Buckets[string] // calls, by the number that is called
	withheld  *limit.Buckets[string] // the same, of callers who show no number
	perCaller *limit.Buckets[string] // and by the two numbers

	perLine *limit.Buckets[string] // relays of one call that broke
	seldom  *limit.Seldom          // of what callers can have logged

	box     *seal.Box
	lines   *turns.Lines
	studio  *voice.Studio
	station string
	voices  map[string]map[string]string
}

// Options are the parts of a Phone. All but the last six are needed.
type Options struct {
	Sessions *reception.Sessions
	Store    *store.Store
	Numbers  *account.Numbers

	// Box seals what carriers bring back to us in our own addresses. Nodes on one
	// database need boxes of the same key.
	Box *seal.Box

	// PublicURL is where carriers reach us, such as https://desk.example.com:
	// what they sign is built from it, never from what they send.
	PublicURL string

	Studio *voice.Studio // who hears and speaks over SIP; nil: SIP is not served
	// Station is where calls over SIP come to: the host and its sockets, of which no
	// two processes have the same at a time.
	Station string

	Voices map[string]map[string]string // names of our voices, by carrier and id; none: the carrier's own

	Nodes   *limit.Group          // the other nodes, for which limits hold too; nil: there are none
	Now     func() time.Time      // time.Now
	Log     *slog.Logger          // slog.Default()
	Metrics prometheus.Registerer // none
}

// How many calls a minute come through to one number, and of one caller, and how often
// one is connected again.
const (
	callsPerNumber = 120
	callsPerCaller = 10
	callsWithheld  = 40 // of all who show no number, to one
	brokenPerLine  = 10 // relays of one call that are connected again
	linesAMinute   = 20 // in the log, of calls over SIP that are not taken
)

// New returns the telephone.
func New(o Options) *Phone {
	p := &Phone{
		sessions: o.Sessions, store: o.Store, numbers: o.Numbers, public: strings.TrimSuffix(o.PublicURL, "/"),
		now: o.Now, log: cmp.Or(o.Log, slog.Default()), metrics: newMetrics(o.Metrics),
		perNumber: limit.NewBuckets[string](callsPerNumber, time.Minute, callsPerNumber).In(o.Nodes, "calls to numbers"),
		withheld:  limit.NewBuckets[string](callsWithheld, time.Minute, callsWithheld).In(o.Nodes, "withheld calls to numbers"),
		perCaller: limit.NewBuckets[string](callsPerCaller, time.Minute, callsPerCaller).In(o.Nodes, "calls of callers"),
		perLine:   limit.NewBuckets[string](brokenPerLine, time.Minute, brokenPerLine),
		seldom:    limit.NewSeldom(linesAMinute),
		box:       o.Box, studio: o.Studio, station: o.Station, voices: o.Voices,
	}
	p.lines = turns.NewLines(mostRelays, mostOfTenant, p.log)
	if p.now == nil {
		p.now = time.Now
	}
	return p
}

// Serves says whether an address is the telephone's.
func Serves(path string) bool { return strings.HasPrefix(path, Path) }

// Handler serves everything under /phone/.
func (p *Phone) Handler() http.Handler {
	mux := http.NewServeMux()
	for _, d := range dialects {
		at := Path + string(d.carrier)
		mux.HandleFunc("POST "+at+"/voice", p.webhook(d, p.voice))
		mux.HandleFunc("POST "+at+"/after", p.webhook(d, p.after))
		mux.HandleFunc("POST "+at+"/whisper", p.webhook(d, p.whisper))
		mux.HandleFunc("POST "+at+"/accept", p.webhook(d, p.accept))
		mux.HandleFunc("POST "+at+"/dialled", p.webhook(d, p.dialled))
		mux.HandleFunc("POST "+at+"/status", p.webhook(d, p.status))
		mux.HandleFunc("GET "+at+"/relay/{id}/{token}", p.guarded(func(w http.ResponseWriter, r *http.Request) { p.relay(w, r, d) }))
	}
	return mux
}

// guarded serves a request whose panic is an internal error.
func (p *Phone) guarded(serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		err := service.Guard(p.log, "telephone", func() error {
			serve(w, r)
			return nil
		})
		if err != nil {
			http.Error(w, "internal error", http.StatusInternalServerError)
		}
	}
}

// Stop lets every turn that has begun come to its end, and then closes the relays:
// carriers come back with their calls to whoever serves then.
func (p *Phone) Stop(ctx context.Context) {
	if !p.lines.Stop(ctx) {
		p.log.Warn("telephone: relays are still open at the end of the stop; their carriers connect again")
	}
}

// lineOf is what a call is known by in the books.
func lineOf(carrier frontdesk.Carrier, call string) string { return string(carrier) + " " + call }
