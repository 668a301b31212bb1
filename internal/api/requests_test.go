package api

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// keptOf are the requests that are kept of an owner, newest first.
func (h *house) keptOf(owner frontdesk.Owner, f frontdesk.RequestFilter) []frontdesk.Request {
	h.t.Helper()
	must(h.t, h.api.Requests().Write(context.Background()))
	list, err := h.store.Requests(context.Background(), owner, f, frontdesk.Page{Limit: 1000})
	must(h.t, err)
	return list.Items
}

// notKept is the figure of requests that were not kept for a reason.
func notKept(l *RequestLog, reason string) int {
	return int(testutil.ToFloat64(l.dropped.WithLabelValues(reason)))
}

func TestWhatIsKeptOfRequests(t *testing.T) {
	t.Parallel()
	h := newHouse(t).start()
	hash, _ := frontdesk.ParseKey(h.a.live)
	key, _, err := h.store.KeyByHash(t.Context(), hash)
	must(t, err)
	capture := "/captures/" + string(h.a.liveCapture)
	for name, tt := range map[string]struct {
		operation, body string
		want            frontdesk.Request // "" for its Path: nothing is kept
	}{
		"a change":              {"PATCH " + capture, `{"status":"confirmed"}`, frontdesk.Request{Path: "/v1" + capture, Status: 200}},
		"what is made":          {"POST /captures", `{"agent":"desk","customer_name":"Eva"}`, frontdesk.Request{Path: "/v1/captures", Status: 201}},
		"a refused change":      {"PATCH " + capture, `{"status":"soon"}`, frontdesk.Request{Path: "/v1" + capture, Status: 400, Code: "parameter_invalid", Param: "status"}},
		"a body that is none":   {"POST /captures", `{"customer_name":`, frontdesk.Request{Path: "/v1/captures", Status: 400, Code: "invalid_json", Param: "customer_name"}},
		"a read that fails":     {"GET /agents/nobody", "", frontdesk.Request{Path: "/v1/agents/nobody", Status: 404, Code: "not_found"}},
		"a wrong query":         {"GET /calls?limit=x&outcome=hush", "", frontdesk.Request{Path: "/v1/calls", Status: 400, Code: "parameter_invalid", Param: "limit"}},
		"an unknown parameter":  {"GET /calls?Ana%20Ruiz=1", "", frontdesk.Request{Path: "/v1/calls", Status: 400, Code: "parameter_unknown", Param: "…"}},
		"a key as a parameter":  {"GET /calls?" + h.b.live + "=1", "", frontdesk.Request{Path: "/v1/calls", Status: 400, Code: "parameter_unknown", Param: "…"}},
		"a key in the path":     {"GET /agents/" + h.b.live, "", frontdesk.Request{Path: "/v1/agents/…", Status: 404, Code: "not_found"}},
		"a number in the path":  {"GET /captures/34600111222", "", frontdesk.Request{Path: "/v1/captures/…", Status: 404, Code: "not_found"}},
		"an address in it":      {"GET /calls/ana@example.com", "", frontdesk.Request{Path: "/v1/calls/…", Status: 404, Code: "not_found"}},
		"a long path":           {"GET /agents/" + strings.Repeat("a", 65), "", frontdesk.Request{Path: "/v1/agents/…", Status: 404, Code: "not_found"}},
		"a read":                {"GET /calls?limit=5", "", frontdesk.Request{}},
		"an address that is no": {"POST /nothing", "", frontdesk.Request{}},
		"a public page":         {"GET /llms.txt", "", frontdesk.Request{}},
	} {
		id := strings.ReplaceAll(name, " ", "-")
		h.do(tt.operation, h.a.live, tt.body, "X-Request-Id", id)
		got := h.keptOf(h.a.owner(true), frontdesk.RequestFilter{RequestID: id})
		if tt.want.Path == "" {
			if len(got) != 0 {
				t.Errorf("%s: kept %+v", name, got)
			}
			continue
		}
		if len(got) != 1 {
			t.Errorf("%s: kept %+v", name, got)
			continue
		}
		r := got[0]
		if r.Took <= 0 || r.At.After(h.clock.Now()) || h.clock.Now().Sub(r.At) > time.Hour {
			t.Errorf("%s: took %v, at %v", name, r.Took, r.At)
		}
		tt.want.ID, tt.want.At, tt.want.Took = r.ID, r.At, r.Took
		tt.want.Owner, tt.want.RequestID, tt.want.Key = h.a.owner(true), id, key.ID
		tt.want.Method, _, _ = strings.Cut(tt.operation, " ")
		if r != tt.want {
			t.Errorf("%s: kept %+v\nwant %+v", name, r, tt.want)
		}
	}
	for _, owner := range []frontdesk.Owner{h.a.owner(false), h.b.owner(true)} {
		if got := h.keptOf(owner, frontdesk.RequestFilter{}); len(got) != 0 {
			t.Errorf("another owner has %+v", got)
		}
	}
}

// Who is not known has no requests: nothing is kept of a key that is wrong.
func TestRequestsOfStrangersAreNotKept(t *testing.T) {
	t.Parallel()
	h := newHouse(t).start()
	for _, key := range []string{"", "svc_live_nonsense", h.a.live[:len(h.a.live)-1] + "!"} {
		if got := h.do("POST /captures", key, `{}`); got.status != 401 {
			t.Errorf("got %s", got)
		}
	}
	if waiting := len(h.api.Requests().waiting); waiting != 0 {
		t.Errorf("%d wait", waiting)
	}
}

func TestAnAnswerThatIsReplayedIsKeptAsSuch(t *testing.T) {
	t.Parallel()
	h := newHouse(t).start()
	for i := range 2 {
		h.do("POST /captures", h.a.live, `{"agent":"desk","customer_name":"Eva"}`, "Idempotency-Key", "k1", "X-Request-Id", fmt.Sprint("good-", i))
		h.do("POST /captures", h.a.live, `{"agent":"desk","status":"soon"}`, "Idempotency-Key", "k2", "X-Request-Id", fmt.Sprint("bad-", i))
	}
	h.do("GET /agents/nobody", h.a.test, "", "X-Request-Id", h.a.live)
	for i, replayed := range []bool{false, true} {
		if got := h.keptOf(h.a.owner(true), frontdesk.RequestFilter{RequestID: fmt.Sprint("good-", i)}); len(got) != 1 || got[0].Replayed != replayed || got[0].Status != 201 {
			t.Errorf("kept %+v", got)
		}
		got := h.keptOf(h.a.owner(true), frontdesk.RequestFilter{RequestID: fmt.Sprint("bad-", i)})
		if len(got) != 1 || got[0].Replayed != replayed || got[0].Status != 400 || got[0].Code == "" || got[0].Param == "" {
			t.Errorf("kept %+v", got)
		}
	}
	if got := h.keptOf(h.a.owner(false), frontdesk.RequestFilter{}); len(got) != 1 || got[0].RequestID != "[a key]" {
		t.Errorf("a key as a request's id: %+v", got)
	}
}

// A program that fails in a loop fills neither the memory nor the disk, and takes
// nothing from others.
func TestOneTenantDoesNotFillTheLog(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	l, now := h.api.Requests(), h.clock.Now()
	add := func(owner frontdesk.Owner, n int) {
		for range n {
			l.add(now, frontdesk.Request{Owner: owner, RequestID: "r", At: now, Status: 400, Key: frontdesk.NewID(now)})
		}
	}
	add(h.a.owner(true), requestsAMinute+5)
	add(h.b.owner(true), 1)
	add(h.a.owner(false), 1)
	if got := notKept(l, dropOwner); got != 5 || len(l.waiting) != requestsAMinute+2 {
		t.Errorf("%d are not kept, %d wait", got, len(l.waiting))
	}
	now = now.Add(time.Minute)
	add(h.a.owner(true), 3)
	if got := notKept(l, dropOwner); got != 5 {
		t.Errorf("a minute later %d are not kept", got)
	}
	l.Keep(t.Context())
	l.Keep(t.Context())
	if told := strings.Count(h.log.String(), "some requests are not kept"); told != 1 || !strings.Contains(h.log.String(), "too_many_of_a_tenant=5") {
		t.Errorf("the log is %s", h.log)
	}
	if got := h.keptOf(h.a.owner(true), frontdesk.RequestFilter{}); len(got) != requestsAMinute+3 {
		t.Errorf("%d are kept", len(got))
	}
	l.counts[h.a.owner(true)].inDay = requestsADay
	add(h.a.owner(true), 1)
	if got := notKept(l, dropOwner); got != 6 {
		t.Errorf("after the share of a day %d are not kept", got)
	}
	now = now.Add(24 * time.Hour)
	add(h.a.owner(true), 1)
	if got := notKept(l, dropOwner); got != 6 || len(l.waiting) != 1 {
		t.Errorf("a day later %d are not kept, %d wait", got, len(l.waiting))
	}
}

// While the database is away requests wait, as many as there is room for; what it
// refuses is given up.
func TestRequestsWaitForTheDatabase(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	l, now := h.api.Requests(), h.clock.Now()
	request := func(tenant frontdesk.ID) frontdesk.Request {
		return frontdesk.Request{Owner: frontdesk.Owner{TenantID: tenant, Live: true}, RequestID: "r", At: now, Status: 400, Key: frontdesk.NewID(now)}
	}
	l.add(now, request(h.a.ID))
	away, cancel := context.WithCancel(t.Context())
	cancel()
	if !storetest.IsPostgres() { // SQLite finishes what it can do at once
		l.store = storetest.New(t)
		must(t, l.store.Close())
	}
	if err := l.Write(away); !frontdesk.IsUnavailable(err) || len(l.waiting) != 1 {
		t.Errorf("%v, and %d wait", err, len(l.waiting))
	}
	l.store = h.store
	l.add(now, request(h.b.ID))
	must(t, l.Write(t.Context()))
	for _, owner := range []frontdesk.Owner{h.a.owner(true), h.b.owner(true)} {
		if got := h.keptOf(owner, frontdesk.RequestFilter{}); len(got) != 1 {
			t.Errorf("kept %+v", got)
		}
	}

	for range requestsWaiting + 7 { // of many tenants: none has had its share
		l.counts = map[frontdesk.Owner]*requestCount{}
		l.add(now, request(h.a.ID))
	}
	if got := notKept(l, dropFull); got != 7 || len(l.waiting) != requestsWaiting {
		t.Errorf("%d are not kept, %d wait", got, len(l.waiting))
	}
	l.waiting = l.waiting[:0]
	l.giveBack(make([]frontdesk.Request, requestsWaiting+2))
	if got := notKept(l, dropFull); got != 9 || len(l.waiting) != requestsWaiting {
		t.Errorf("%d are not kept, %d wait", got, len(l.waiting))
	}

	l.waiting = []frontdesk.Request{request(frontdesk.NewID(now)), request(h.b.ID)} // the first of a tenant that there is not
	must(t, l.Write(t.Context()))
	if got := h.keptOf(h.b.owner(true), frontdesk.RequestFilter{}); len(got) != 2 || notKept(l, dropDatabase) != 0 {
		t.Errorf("kept %+v", got)
	}
	if !storetest.IsPostgres() {
		return // SQLite takes anything
	}
	wrong := request(h.a.ID)
	wrong.Key = "no id"
	for range 2 {
		l.waiting = append(l.waiting, wrong)
		l.Keep(t.Context())
	}
	if got := notKept(l, dropDatabase); got != 2 {
		t.Errorf("%d were refused", got)
	}
	l.waiting = nil
	l.Keep(t.Context())
	if log := h.log.String(); strings.Count(log, "keeping requests failed") != 1 || strings.Count(log, "requests are kept again") != 1 {
		t.Errorf("the log is %s", log)
	}
}

func TestOldRequestsAreForgotten(t *testing.T) {
	t.Parallel()
	h := newHouse(t).start()
	h.do("GET /agents/nobody", h.a.live, "")
	h.clock.Forward(frontdesk.RequestsKept - time.Hour)
	h.do("GET /agents/nobody", h.a.live, "")
	h.keptOf(h.a.owner(true), frontdesk.RequestFilter{})
	must(t, h.api.Requests().Forget(t.Context()))
	if got := h.keptOf(h.a.owner(true), frontdesk.RequestFilter{}); len(got) != 2 {
		t.Errorf("kept %+v", got)
	}
	h.clock.Forward(2 * time.Hour)
	must(t, h.api.Requests().Forget(t.Context()))
	if got := h.keptOf(h.a.owner(true), frontdesk.RequestFilter{}); len(got) != 1 {
		t.Errorf("kept %+v", got)
	}
}
