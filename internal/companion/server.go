package companion

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/whisper"
)

// Hearing is a loaded model.
type Hearing struct {
	Name string // as in /v1/models
	Hear func(context.Context, []int16, whisper.Request) (whisper.Heard, error)
}

// Options say what a Server serves. The zero value serves espeak-ng to everybody
// who reaches it.
type Options struct {
	Log    *slog.Logger
	Key    string // that clients have to send; empty: none
	Espeak string // the program that speaks; empty: espeak-ng
	Now    func() time.Time
}

// Server hears and speaks.
type Server struct {
	log      *slog.Logger
	key      string
	now      func() time.Time
	hearing  atomic.Pointer[Hearing]
	ears     *queue
	mouths   *queue
	speaker  *speaker
	requests http.Handler
}

const (
	// Hearing takes every core, speaking one for some milliseconds.
	heardAtOnce, waitToBeHeard    = 1, 8
	spokenAtOnce, waitToBeSpoken  = 4, 32
	retryHearing, retrySpeaking   = 2 * time.Second, time.Second
	mostRequestLine, mostVoiceAge = 16 << 10, 10 * time.Minute
)

// New returns a server that speaks, and hears once it is given a Hearing.
func New(o Options) *Server {
	s := &Server{
		log: o.Log, key: o.Key, now: o.Now,
		ears:   newQueue(heardAtOnce, waitToBeHeard),
		mouths: newQueue(spokenAtOnce, waitToBeSpoken),
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.now == nil {
		s.now = time.Now
	}
	s.speaker = newSpeaker(o.Espeak, s.now)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", s.health)
	mux.HandleFunc("GET /v1/models", s.keyed(s.models))
	mux.HandleFunc("GET /v1/voices", s.keyed(s.voices))
	mux.HandleFunc("POST /v1/audio/transcriptions", s.keyed(s.transcribe))
	mux.HandleFunc("POST /v1/audio/speech", s.keyed(s.speak))
	mux.HandleFunc("/", s.keyed(func(http.ResponseWriter, *http.Request) error {
		return &frontdesk.Error{Kind: frontdesk.NotFound, Code: "not_found", Message: "There is nothing here. Served are POST /v1/audio/transcriptions, POST /v1/audio/speech, GET /v1/models, GET /v1/voices and GET /healthz."}
	}))
	// A web page may not make its visitor's browser ask us.
	pages := http.NewCrossOriginProtection()
	pages.SetDenyHandler(s.keyed(func(http.ResponseWriter, *http.Request) error {
		return &frontdesk.Error{Kind: frontdesk.Forbidden, Code: "origin_not_allowed", Message: "Web pages of other origins are not served."}
	}))
	s.requests = pages.Handler(mux)
	return s
}

// SetHearing gives the server its model.
func (s *Server) SetHearing(h Hearing) { s.hearing.Store(&h) }

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// Without a key only those on this machine are served: not a web page either
	// that has its own name lead to this machine.
	if s.key == "" && !loopback(r.Host) {
		s.fail(w, r, &frontdesk.Error{Kind: frontdesk.Forbidden, Code: "host_not_allowed", Message: "Without a key this server answers at a loopback address alone: ask 127.0.0.1 or localhost, or start it with --key."})
		return
	}
	s.requests.ServeHTTP(w, r)
}

// loopback says whether an address, with or without a port, is this machine.
func loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = strings.Trim(address, "[]")
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// keyed is a handler behind the key, whose error is the answer.
func (s *Server) keyed(handle func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := s.checkKey(r); err != nil {
			s.fail(w, r, err)
			return
		}
		if err := handle(w, r); err != nil {
			s.fail(w, r, err)
		}
	}
}

func (s *Server) checkKey(r *http.Request) error {
	if s.key == "" {
		return nil
	}
	sent, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	// Digests are of one length, so that the time tells nothing of the key.
	given, right := sha256.Sum256([]byte(sent)), sha256.Sum256([]byte(s.key))
	if subtle.ConstantTimeCompare(given[:], right[:]) == 1 {
		return nil
	}
	return &frontdesk.Error{Kind: frontdesk.Unauthorized, Code: "invalid_api_key", Message: "Send the key that this server was started with, as Authorization: Bearer KEY."}
}

func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	h := s.hearing.Load()
	if h == nil {
		w.Header().Set("Retry-After", "1")
		answer(w, http.StatusServiceUnavailable, map[string]any{"status": "loading"})
		return
	}
	answer(w, http.StatusOK, map[string]any{"status": "ok", "model": h.Name, "speech": s.speaker.find() == nil})
}

func (s *Server) models(w http.ResponseWriter, _ *http.Request) error {
	type model struct {
		ID      string `json:"id"`
		Object  string `json:"object"`
		Created int64  `json:"created"`
		OwnedBy string `json:"owned_by"`
	}
	list := []model{}
	if h := s.hearing.Load(); h != nil {
		list = append(list, model{ID: h.Name, Object: "model", OwnedBy: "openai"})
	}
	if s.speaker.find() == nil {
		list = append(list, model{ID: "espeak-ng", Object: "model", OwnedBy: "espeak-ng"})
	}
	answer(w, http.StatusOK, map[string]any{"object": "list", "data": list})
	return nil
}
