package api

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/reception/receptiontest"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/wire"
)

// deaf is an origin that is open to every house and where nobody listens.
const deaf = "http://127.0.0.1:1"

// noNames resolves nothing, at once.
var noNames = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
	return nil, errors.New("there are no names here")
}}

// receiver is a customer's program. It answers what the end of the path says,
// /500 or /crm/410, and 200 otherwise, and remembers what came.
type receiver struct {
	*httptest.Server
	mu  sync.Mutex
	all []received
}

type received struct {
	path   string
	header http.Header
	body   string
}

func newReceiver(t testing.TB) *receiver {
	r := &receiver{}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, _ := io.ReadAll(q.Body)
	r.mu.Lock()
	r.all = append(r.all, received{q.URL.Path, q.Header.Clone(), string(body)})
	r.mu.Unlock()
	if status, err := strconv.Atoi(path.Base(q.URL.Path)); err == nil {
		w.WriteHeader(status)
	}
}

// got is what came to a path so far, oldest first.
func (r *receiver) got(path string) []received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(r.all), func(one received) bool { return one.path != path })
}

func (r *receiver) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.all)
}

func (t tenant) owner(live bool) frontdesk.Owner { return frontdesk.Owner{TenantID: t.ID, Live: live} }

// connect makes a connection to a path of the receiver, for all events.
func (h *house) connect(t tenant, live bool, path string) frontdesk.ID {
	h.t.Helper()
	c, _, err := h.webhooks.Connect(context.Background(), t.owner(live),
		frontdesk.Actor{}, frontdesk.ConnectionInput{Name: "receiver", URL: h.receiver.URL + path, Events: frontdesk.EventTypes}, 1_000_000)
	must(h.t, err)
	return c.ID
}

// failOne settles the two deliveries that a connection got of one call: the
// capture was delivered, the call failed. It returns the failed one.
func (h *house) failOne(t tenant, live bool, connection frontdesk.ID) (failed frontdesk.ID) {
	h.t.Helper()
	claims := h.claim(t, live, connection).Claims
	slices.SortFunc(claims, func(a, b store.Claim) int { return strings.Compare(b.Delivery.Event, a.Delivery.Event) }) // the call last
	for _, c := range claims {
		attempt := frontdesk.Attempt{HTTPStatus: 200, Latency: 12 * time.Millisecond}
		if c.Delivery.Event == frontdesk.CallCompleted {
			failed = c.Delivery.ID
			attempt.HTTPStatus, attempt.ErrorCode, attempt.Message = 500, frontdesk.HTTP5xx, "The receiver answered 500."
		}
		h.save(store.Tried{Claim: c, Attempt: attempt, After: c.Delivery.After(attempt, h.clock.Now(), 0.5), At: h.clock.Now()})
	}
	if failed == "" {
		h.t.Fatal("there was nothing to fail")
	}
	return failed
}

func (h *house) claim(t tenant, live bool, connection frontdesk.ID) store.Claimed {
	h.t.Helper()
	now := h.clock.Now()
	claimed, err := h.store.ClaimForWorker(context.Background(), store.Lane{Owner: t.owner(live), Connection: connection}, now, now.Add(frontdesk.DeliveryLease), 100)
	must(h.t, err)
	return claimed
}

func (h *house) save(tried ...store.Tried) {
	h.t.Helper()
	must(h.t, h.store.SaveAttempts(context.Background(), tried...))
}

// dispatch tries everything that is due for a connection, as the dispatcher
// would.
func (h *house) dispatch(t tenant, live bool, connection frontdesk.ID) int {
	h.t.Helper()
	claimed := h.claim(t, live, connection)
	for _, c := range claimed.Claims {
		h.save(h.sender.Try(context.Background(), claimed.Connection, c))
	}
	return len(claimed.Claims)
}

// spacious gives a tenant room for more connections than any test makes. It
// must come before the first request.
func (h *house) spacious(t *tenant) {
	h.t.Helper()
	t.Plan.MaxConnections, t.Plan.MaxDocuments, t.Plan.MaxTotalBytes = 1_000_000, 1_000_000, 1<<40
	must(h.t, h.store.SetPlan(context.Background(), frontdesk.Actor{}, t.ID, t.Plan))
}

// refill replaces every name in braces.
func refill(operation string, values map[string]string) string {
	for name, value := range values {
		operation = strings.ReplaceAll(operation, "{"+name+"}", value)
	}
	return operation
}

// fresh makes a connection with a failed delivery, a document, and a capture,
// that a test may use up.
func (h *house) fresh(t tenant, live bool) map[string]string {
	h.t.Helper()
	id := h.connect(t, live, "/fresh")
	call := sampleCall(t.agent.ID, h.clock.Now().Add(-time.Hour))
	must(h.t, receptiontest.Record(context.Background(), h.store, wire.EventSource{Tenant: t.Tenant, Live: live}, call))
	document := h.addDocument(t, live, knowledge.NewDocument{Filename: "fresh.txt"}, "Fresh as "+string(id))
	return map[string]string{
		"connection_id": string(id), "delivery_id": string(h.failOne(t, live, id)), "document_id": string(document),
		"capture_id": string(call.Captures[0].ID),
	}
}
