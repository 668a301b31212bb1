package devlisten_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/devlisten"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/internal/wire"
)

var (
	ctx = context.Background()
	day = time.Date(2026, 11, 14, 9, 30, 0, 0, time.UTC)
)

// desk is a relay with a tenant.
type desk struct {
	t      *testing.T
	store  *store.Store
	tenant frontdesk.Tenant
	keys   *account.Keys
	relay  *devlisten.Server
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	s := storetest.New(t)
	now := func() time.Time { return day }
	keys := account.NewKeys(s, now)
	return &desk{t, s, storetest.Tenant(t, s, "casa-lola"), keys, devlisten.New(s, keys, now, slog.New(slog.DiscardHandler))}
}

func (d *desk) key(live bool, scopes ...string) string {
	d.t.Helper()
	_, secret, err := d.keys.Create(ctx, account.NewKey{Tenant: d.tenant, Live: live, Scopes: scopes})
	if err != nil {
		d.t.Fatal(err)
	}
	return secret.Reveal()
}

func (d *desk) emit(live bool, at time.Time) frontdesk.Event {
	d.t.Helper()
	e, err := wire.Event(wire.EventSource{Tenant: d.tenant, Live: live}, frontdesk.CallCompleted, at, []byte(`{}`))
	if err != nil {
		d.t.Fatal(err)
	}
	if err := d.store.Emit(ctx, frontdesk.Owner{TenantID: d.tenant.ID, Live: live}, e); err != nil {
		d.t.Fatal(err)
	}
	return e
}

// ask asks as the developer's side does.
func (d *desk) ask(ctx context.Context, authorization string, after frontdesk.ID, seen ...devlisten.Event) (int, devlisten.Batch) {
	d.t.Helper()
	var ids []string
	for _, e := range seen {
		ids = append(ids, string(e.ID))
	}
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, devlisten.Path+"?after="+string(after)+"&seen="+strings.Join(ids, ","), nil)
	r.Header.Set("Authorization", authorization)
	w := httptest.NewRecorder()
	d.relay.ServeHTTP(w, r)
	var b devlisten.Batch
	if w.Code == http.StatusOK {
		if err := json.Unmarshal(w.Body.Bytes(), &b); err != nil {
			d.t.Errorf("%v: %s", err, w.Body)
		}
	} else {
		checkEnvelope(d.t, w)
	}
	return w.Code, b
}

// checkEnvelope holds a refusal against what all refusals look like.
func checkEnvelope(t *testing.T, w *httptest.ResponseRecorder) (code, param string) {
	t.Helper()
	var envelope struct {
		Error struct {
			Type, Code, Message string
			Param               *string
			RequestID           string `json:"request_id"`
		}
	}
	d := json.NewDecoder(w.Body)
	d.DisallowUnknownFields()
	err := d.Decode(&envelope)
	e := envelope.Error
	if err != nil || e.Type == "" || e.Code == "" || e.Message == "" || e.RequestID == "" || e.RequestID != w.Header().Get("X-Request-Id") || w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("%d %v %+v: %v", w.Code, w.Header(), e, err)
	}
	if e.Param != nil {
		param = *e.Param
	}
	return e.Code, param
}

func TestWhatTheRelayRefuses(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	key := "Bearer " + d.key(false, "connections:read")
	const id = "01a19b51-60c9-7114-bda2-bc54c495c4be"
	tests := map[string]struct {
		method, query string
		authorization []string
		status        int
		code, param   string
	}{
		"another method":             {"POST", "", []string{key}, 405, "method_not_allowed", ""},
		"no key":                     {"GET", "", nil, 401, "api_key_missing", ""},
		"a key of another kind":      {"GET", "", []string{strings.Replace(key, "Bearer", "Basic", 1)}, 401, "api_key_missing", ""},
		"two keys":                   {"GET", "", []string{key, key}, 401, "api_key_missing", ""},
		"a key that is none":         {"GET", "", []string{"Bearer x"}, 401, "api_key_invalid", ""},
		"a live key":                 {"GET", "", []string{"Bearer " + d.key(true, "connections:read")}, 403, "test_key_required", ""},
		"a key without the scope":    {"GET", "", []string{"Bearer " + d.key(false, "calls:read")}, 403, "scope_missing", "connections:read"},
		"an unknown parameter":       {"GET", "after=" + id + "&limit=3", []string{key}, 400, "parameter_unknown", "limit"},
		"a parameter twice":          {"GET", "after=" + id + "&after=" + id, []string{key}, 400, "parameter_invalid", "after"},
		"a position that is none":    {"GET", "after=yesterday", []string{key}, 400, "parameter_invalid", "after"},
		"an event that is none":      {"GET", "after=" + id + "&seen=" + id + ",x", []string{key}, 400, "parameter_invalid", "seen"},
		"more events than are known": {"GET", "after=" + id + "&seen=" + manyIDs(devlisten.MostSeen+1), []string{key}, 400, "parameter_invalid", "seen"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(tt.method, devlisten.Path+"?"+tt.query, nil)
			r.Header["Authorization"] = tt.authorization
			w := httptest.NewRecorder()
			d.relay.ServeHTTP(w, r)
			code, param := checkEnvelope(t, w)
			if w.Code != tt.status || code != tt.code || param != tt.param {
				t.Errorf("got %d %s %q", w.Code, code, param)
			}
			if h := w.Header(); tt.status == 405 && h.Get("Allow") == "" || tt.status == 401 && h.Get("WWW-Authenticate") == "" {
				t.Errorf("the headers are %v", h)
			}
		})
	}
}

func manyIDs(n int) string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = string(frontdesk.NewID(day))
	}
	return strings.Join(ids, ",")
}

// A key that asks too often, or waits for too much at once, is told when to come
// back; another key is not concerned.
func TestTheRelayIsLimitedByKey(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	busy, other := "Bearer "+d.key(false, "connections:read"), "Bearer "+d.key(false, "connections:read")
	var got reply
	for range 1000 {
		if got = d.get(ctx, busy, ""); got.status != http.StatusOK {
			break
		}
	}
	if got.status != 429 || got.code != "rate_limited" || got.wait != "1" {
		t.Errorf("got %+v", got)
	}
	if got := d.get(ctx, other, ""); got.status != http.StatusOK {
		t.Errorf("another key: %+v", got)
	}
}

func TestWaitingAtTheRelayIsLimitedByKey(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	busy, other := "Bearer "+d.key(false, "connections:read"), "Bearer "+d.key(false, "connections:read")
	const tries = 15
	answers := make(chan reply, tries)
	for range tries {
		go func() { answers <- d.get(ctx, busy, frontdesk.FirstIDAt(day)) }()
	}
	for range 5 { // those who wait are not answered before an event comes
		if got := <-answers; got.status != 429 || got.code != "rate_limited" || got.wait != "1" {
			t.Errorf("got %+v", got)
		}
	}
	d.emit(false, day.Add(time.Second))
	for range tries - 5 {
		if got := <-answers; got.status != http.StatusOK {
			t.Errorf("who waited got %+v", got)
		}
	}
	if got := d.get(ctx, other, frontdesk.FirstIDAt(day)); got.status != http.StatusOK {
		t.Errorf("another key: %+v", got)
	}
	if got := d.get(ctx, busy, frontdesk.FirstIDAt(day)); got.status != http.StatusOK {
		t.Errorf("after the waiting: %+v", got)
	}
}

// reply is what a refusal says.
type reply struct {
	status     int
	code, wait string
}

func (d *desk) get(ctx context.Context, authorization string, after frontdesk.ID) (got reply) {
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, devlisten.Path+"?after="+string(after), nil)
	r.Header.Set("Authorization", authorization)
	w := httptest.NewRecorder()
	d.relay.ServeHTTP(w, r)
	got = reply{status: w.Code, wait: w.Header().Get("Retry-After")}
	if w.Code != http.StatusOK {
		got.code, _ = checkEnvelope(d.t, w)
	}
	return got
}

func TestWhoIsRelayedTo(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	tests := map[string]struct {
		authorization string
		want          int
	}{
		"a test key that may read connections": {"Bearer " + d.key(false, "connections:read"), 200},
		"a test key that may not":              {"Bearer " + d.key(false, "calls:read"), 403},
		"a live key":                           {"Bearer " + d.key(true, "connections:read"), 403},
		"a key of nobody":                      {"Bearer svc_test_" + strings.Repeat("a", 43), 401},
		"no key":                               {"", 401},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, _ := d.ask(ctx, tt.authorization, ""); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

func TestTestEventsAreRelayedOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	key := "Bearer " + d.key(false, "connections:read")
	d.emit(false, day.Add(-time.Minute)) // before anybody asked
	_, b := d.ask(ctx, key, "")
	if len(b.Events) != 0 || b.After == "" {
		t.Fatalf("got %+v", b)
	}
	var want []frontdesk.Event
	for i := range 150 {
		d.emit(true, day.Add(time.Duration(i)*time.Second)) // of live mode: not relayed
		want = append(want, d.emit(false, day.Add(time.Duration(i+1)*time.Second)))
	}
	var got []devlisten.Event
	for len(got) < len(want) {
		status, next := d.ask(ctx, key, b.After, got...)
		if status != http.StatusOK || len(next.Events) == 0 || len(next.Events) > 100 {
			t.Fatalf("got %d with %d events", status, len(next.Events))
		}
		got, b = append(got, next.Events...), next
	}
	for i, e := range want {
		if got[i].ID != e.ID || got[i].Type != e.Type || got[i].Body != string(e.Body) {
			t.Errorf("got %+v", got[i])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d of %d", len(got), len(want))
	}
}

// Two events are made at once, and the one with the older id is committed last.
func TestAnEventThatIsCommittedLateIsRelayed(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	key := "Bearer " + d.key(false, "connections:read")
	_, start := d.ask(ctx, key, "")
	newer := d.emit(false, day.Add(20*time.Millisecond))
	_, first := d.ask(ctx, key, start.After)
	older := d.emit(false, day.Add(10*time.Millisecond))
	_, second := d.ask(ctx, key, first.After, first.Events...)
	if len(first.Events) != 1 || first.Events[0].ID != newer.ID || len(second.Events) != 1 || second.Events[0].ID != older.ID {
		t.Errorf("got %+v, then %+v", first.Events, second.Events)
	}
}

// What has been there for long is passed, so that it need not be named for ever.
func TestThePositionMovesOn(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	key := "Bearer " + d.key(false, "connections:read")
	old := d.emit(false, day.Add(-time.Minute))
	fresh := d.emit(false, day.Add(-time.Second))
	_, b := d.ask(ctx, key, frontdesk.FirstIDAt(day.Add(-time.Hour)))
	if len(b.Events) != 2 || b.After <= old.ID || b.After >= fresh.ID {
		t.Errorf("got %d events up to %s", len(b.Events), b.After)
	}
}

func TestAnAnswerWaitsForAnEvent(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	key := "Bearer " + d.key(false, "connections:read")
	answer := make(chan devlisten.Batch, 1)
	go func() {
		_, b := d.ask(ctx, key, frontdesk.FirstIDAt(day))
		answer <- b
	}()
	e := d.emit(false, day.Add(time.Second))
	if b := <-answer; len(b.Events) != 1 || b.Events[0].ID != e.ID {
		t.Errorf("got %+v", b)
	}
}

// Who goes away meanwhile, or waits for nothing, keeps the position.
func TestAnAnswerWithoutEvents(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	key := "Bearer " + d.key(false, "connections:read")
	if status, _ := d.ask(ctx, key, ""); status != 200 { // the key is known from now on
		t.Fatal(status)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	position := frontdesk.FirstIDAt(day)
	if status, b := d.ask(gone, key, position); status != 200 || len(b.Events) != 0 || b.After != position {
		t.Errorf("got %d, %+v", status, b)
	}
}

// Who waits does not hold up a server that stops.
func TestAStopAnswersWhoWaits(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	key := "Bearer " + d.key(false, "connections:read")
	waiting, cancel := context.WithTimeout(ctx, 20*time.Second) // less than an answer is held back
	defer cancel()
	answered := make(chan int, 1)
	go func() {
		status, _ := d.ask(waiting, key, frontdesk.FirstIDAt(day))
		answered <- status
	}()
	d.relay.Stop()
	d.relay.Stop() // twice is once
	if status := <-answered; status != http.StatusOK || waiting.Err() != nil {
		t.Errorf("got %d", status)
	}
}
