// Package devlisten hands a tenant's test events to a developer's machine that no
// public URL reaches: the server's side of `frontdesk listen`.
//
// It is one address outside the customer API, GET /relay/events: it answers with
// the test events after a position, and waits for some if there are none yet. A
// key of test mode with connections:read opens it. It signs nothing and keeps
// nothing: the developer's side signs with a secret of its own. Errors, limits and
// checks are like the API's.
//
// Events do not come in the order of their ids: two that are made at once may be
// committed the other way round. So a position stays behind by more than any
// commit takes, and whoever asks names what it has seen after it.
package devlisten

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/limit"
	"frontdesk.dev/frontdesk/internal/store"
)

// Path is where the relay listens.
const Path = "/relay/events"

const (
	// waitFor is how long an answer is held back for an event to come.
	waitFor = 25 * time.Second
	// lookEvery is how often the events are looked for meanwhile.
	lookEvery = 250 * time.Millisecond
	// settle is how long after its making an event may still turn up.
	settle = 10 * time.Second
	most   = 100
	// MostSeen is how many events the asker may name as seen.
	MostSeen = 200
)

// Batch is what the relay answers: events, and the position to go on from. Those
// of them that are after it come again, unless they are named as seen.
type Batch struct {
	Events []Event      `json:"events"`
	After  frontdesk.ID `json:"after"`
}

// Event is one event; Body is what a connection would be sent, to the byte.
type Event struct {
	ID   frontdesk.ID `json:"id"`
	Type string       `json:"type"`
	Body string       `json:"body"`
}

// What one key may ask for, on each node: so often, and so many answers that are
// waited for at once.
const (
	perSecond   = 20
	burst       = 200
	mostWaiting = 10
)

// Server serves test events.
type Server struct {
	store *store.Store
	keys  *account.Keys
	now   func() time.Time
	log   *slog.Logger
	asked *limit.Buckets[frontdesk.ID] // by key
	stop  chan struct{}
	once  sync.Once

	mu      sync.Mutex
	waiting map[frontdesk.ID]int // by key
}

// New returns a server.
func New(s *store.Store, keys *account.Keys, now func() time.Time, log *slog.Logger) *Server {
	return &Server{
		store: s, keys: keys, now: now, log: log, stop: make(chan struct{}), waiting: map[frontdesk.ID]int{},
		asked: limit.NewBuckets[frontdesk.ID](perSecond, time.Second, burst),
	}
}

// Stop answers everybody who waits, so that the server can stop.
func (rl *Server) Stop() { rl.once.Do(func() { close(rl.stop) }) }

// ServeHTTP answers with the events after the position in the query, or, without
// one, with the position of now. Errors come in the envelope of the API.
func (rl *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := exchange.RequestID(r)
	h := w.Header()
	h.Set("X-Request-Id", id)
	h.Set("Content-Type", exchange.JSON)
	h.Set("Cache-Control", "no-store")
	batch, err := rl.guarded(r)
	if err == nil {
		json.NewEncoder(w).Encode(batch) // who has gone is no error of ours
		return
	}
	e := exchange.Refusal(err)
	switch e.Kind {
	case frontdesk.Unauthorized:
		h.Set("WWW-Authenticate", "Bearer")
	case frontdesk.NotAllowed:
		h.Set("Allow", "GET, HEAD")
	}
	if wait := exchange.RetryAfter(e); wait != "" {
		h.Set("Retry-After", wait)
	}
	status, body := exchange.Envelope(e, id)
	if status >= http.StatusInternalServerError {
		rl.log.Error("relaying events failed", "request_id", id, "status", status, "error", err)
	}
	w.WriteHeader(status)
	w.Write(body)
}

// guarded serves a request; a panic in it is an internal error.
func (rl *Server) guarded(r *http.Request) (_ Batch, err error) {
	defer exchange.Recover(&err)
	return rl.serve(r)
}

// serve takes a request through the checks, in the API's order.
func (rl *Server) serve(r *http.Request) (Batch, error) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return Batch{}, &frontdesk.Error{
			Kind: frontdesk.NotAllowed, Code: "method_not_allowed",
			Message: "This address does not know that method. It knows: GET, HEAD.",
		}
	}
	caller, err := rl.authenticate(r)
	if err != nil {
		return Batch{}, err
	}
	if wait := rl.asked.Take(caller.Key.ID, rl.now()); wait > 0 {
		return Batch{}, tooOften(wait)
	}
	if caller.Key.Live {
		return Batch{}, &frontdesk.Error{Kind: frontdesk.Forbidden, Code: "test_key_required", Message: "Only events of test mode are relayed. Use a test key."}
	}
	if !caller.Key.Has("connections:read") {
		return Batch{}, frontdesk.ScopeMissing("connections:read")
	}
	p, err := readPosition(r.URL.Query())
	if err != nil {
		return Batch{}, err
	}
	if p.after == "" {
		return Batch{Events: []Event{}, After: frontdesk.FirstIDAt(rl.now())}, nil
	}
	leave, ok := rl.enter(caller.Key.ID)
	if !ok {
		return Batch{}, tooOften(time.Second)
	}
	defer leave()
	return rl.wait(r, caller.Owner(), p)
}

func tooOften(wait time.Duration) error {
	return frontdesk.TooOften(wait, "Too much is asked of the relay with this key. Wait for the time in the Retry-After header, and ask once at a time.")
}

// authenticate finds out who asks. Only an Authorization header counts.
func (rl *Server) authenticate(r *http.Request) (account.Credential, error) {
	header := r.Header.Values("Authorization")
	if len(header) == 1 {
		scheme, key, _ := strings.Cut(header[0], " ")
		if key = strings.TrimSpace(key); strings.EqualFold(scheme, "Bearer") && key != "" {
			return rl.keys.Authenticate(r.Context(), key, false)
		}
	}
	return account.Credential{}, &frontdesk.Error{
		Kind: frontdesk.Unauthorized, Code: "api_key_missing",
		Message: "Send a test key, once, in the header: Authorization: Bearer <API_KEY>.",
	}
}

// enter lets a key wait for one answer more, if it does not wait for too many.
func (rl *Server) enter(key frontdesk.ID) (leave func(), ok bool) {
	rl.mu.Lock()
	defer rl.mu.Unlock()
	if rl.waiting[key] >= mostWaiting {
		return nil, false
	}
	rl.waiting[key]++
	return func() {
		rl.mu.Lock()
		defer rl.mu.Unlock()
		if rl.waiting[key]--; rl.waiting[key] == 0 {
			delete(rl.waiting, key)
		}
	}, true
}

// position is where somebody stands in the events.
type position struct {
	after frontdesk.ID
	seen  map[frontdesk.ID]bool
}

func readPosition(query url.Values) (p position, err error) {
	for _, name := range slices.Sorted(maps.Keys(query)) {
		switch {
		case name != "after" && name != "seen":
			return p, &frontdesk.Error{
				Kind: frontdesk.Invalid, Code: "parameter_unknown", Param: name,
				Message: fmt.Sprintf("There is no query parameter %q here. Known: after, seen.", name),
			}
		case len(query[name]) > 1:
			return p, frontdesk.InvalidParam(name, "%s may be given once.", name)
		}
	}
	if text := query.Get("after"); text != "" {
		var ok bool
		if p.after, ok = frontdesk.ParseID(text); !ok {
			return p, frontdesk.InvalidParam("after", "after must be a position that the relay has answered with.")
		}
	}
	p.seen = map[frontdesk.ID]bool{}
	for text := range strings.SplitSeq(query.Get("seen"), ",") {
		id, ok := frontdesk.ParseID(text)
		if !ok && text != "" || len(p.seen) >= MostSeen {
			return p, frontdesk.InvalidParam("seen", "seen must be ids of events, separated by commas, %d at most.", MostSeen)
		}
		if ok {
			p.seen[id] = true
		}
	}
	return p, nil
}

// wait looks for events until there are some, or the time is over, or the key
// may ask no longer.
func (rl *Server) wait(r *http.Request, owner frontdesk.Owner, p position) (Batch, error) {
	ctx, cancel := context.WithTimeout(r.Context(), waitFor)
	defer cancel()
	for {
		batch, err := rl.look(context.WithoutCancel(ctx), owner, p.after, p.seen)
		if err != nil || len(batch.Events) > 0 {
			return batch, err
		}
		select {
		case <-ctx.Done():
			return batch, nil
		case <-rl.stop:
			return batch, nil
		case <-time.After(lookEvery):
		}
		if _, err := rl.authenticate(r); err != nil { // revoked meanwhile
			return Batch{}, err
		}
	}
}

// look finds the events after a position that have not been seen.
func (rl *Server) look(ctx context.Context, owner frontdesk.Owner, after frontdesk.ID, seen map[frontdesk.ID]bool) (Batch, error) {
	batch := Batch{Events: []Event{}, After: after}
	settled := frontdesk.FirstIDAt(rl.now().Add(-settle))
	events, err := rl.store.EventsAfter(ctx, owner, after, most+len(seen))
	if err != nil {
		return batch, err
	}
	for _, e := range events {
		if !seen[e.ID] {
			batch.Events = append(batch.Events, Event{e.ID, e.Type, string(e.Body)})
		}
		if e.ID < settled {
			batch.After = e.ID
		}
	}
	if len(events) < most+len(seen) { // there are no more
		batch.After = max(batch.After, settled)
	}
	return batch, nil
}
