// Package relay hands a tenant's test events to a developer's machine that no
// public URL reaches: the server's side of `frontdesk listen`.
//
// It is one address outside the customer API, GET /relay/events: it answers with
// the test events after a position, and waits for some if there are none yet. A
// key of test mode with connections:read opens it. It signs nothing and keeps
// nothing: the developer's side signs with a secret of its own.
//
// Events do not come in the order of their ids: two that are made at once may be
// committed the other way round. So a position stays behind by more than any
// commit takes, and whoever asks names what it has seen after it.
package relay

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/frontdesk"
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

// Relay serves test events.
type Relay struct {
	store *store.Store
	keys  *account.Keys
	now   func() time.Time
	log   *slog.Logger
	stop  chan struct{}
	once  sync.Once
}

// New returns a relay.
func New(s *store.Store, keys *account.Keys, now func() time.Time, log *slog.Logger) *Relay {
	return &Relay{store: s, keys: keys, now: now, log: log, stop: make(chan struct{})}
}

// Stop answers everybody who waits, so that the server can stop.
func (rl *Relay) Stop() { rl.once.Do(func() { close(rl.stop) }) }

// ServeHTTP answers with the events after the position in the query, or, without
// one, with the position of now.
func (rl *Relay) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	batch, err := rl.serve(r)
	if err == nil {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		json.NewEncoder(w).Encode(batch)
		return
	}
	var e *frontdesk.Error
	if !errors.As(err, &e) || e.Kind == frontdesk.Unavailable {
		rl.log.Error("relaying events failed", "error", err)
		http.Error(w, "The events cannot be read at the moment. Try again.", http.StatusServiceUnavailable)
		return
	}
	status := http.StatusForbidden
	if e.Kind == frontdesk.Unauthorized {
		status = http.StatusUnauthorized
	}
	http.Error(w, e.Message, status)
}

func (rl *Relay) serve(r *http.Request) (Batch, error) {
	_, key, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	caller, err := rl.keys.Authenticate(r.Context(), key, false)
	if err != nil {
		return Batch{}, err
	}
	if caller.Key.Live {
		return Batch{}, &frontdesk.Error{Kind: frontdesk.Forbidden, Message: "Only events of test mode are relayed. Use a test key."}
	}
	if !caller.Key.Has("connections:read") {
		return Batch{}, frontdesk.ScopeMissing("connections:read")
	}
	after, ok := frontdesk.ParseID(r.URL.Query().Get("after"))
	if !ok {
		return Batch{Events: []Event{}, After: frontdesk.FirstIDAt(rl.now())}, nil
	}
	seen := map[frontdesk.ID]bool{}
	for id := range strings.SplitSeq(r.URL.Query().Get("seen"), ",") {
		if id, ok := frontdesk.ParseID(id); ok && len(seen) < MostSeen {
			seen[id] = true
		}
	}
	return rl.wait(r.Context(), caller.Owner(), after, seen)
}

// wait looks for events until there are some, or the time is over.
func (rl *Relay) wait(ctx context.Context, owner frontdesk.Owner, after frontdesk.ID, seen map[frontdesk.ID]bool) (Batch, error) {
	ctx, cancel := context.WithTimeout(ctx, waitFor)
	defer cancel()
	for {
		batch, err := rl.look(context.WithoutCancel(ctx), owner, after, seen)
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
	}
}

// look finds the events after a position that have not been seen.
func (rl *Relay) look(ctx context.Context, owner frontdesk.Owner, after frontdesk.ID, seen map[frontdesk.ID]bool) (Batch, error) {
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
