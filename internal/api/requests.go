package api

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

const (
	// requestsWaiting bounds the memory of a log whose database is away.
	requestsWaiting = 8192
	// requestsAtOnce is how many are written, or forgotten, in a transaction.
	requestsAtOnce = 256
	// A program that is refused in a loop must not fill the disk: this is what one
	// node keeps of an owner.
	requestsAMinute = 600
	requestsADay    = 50_000
	// dropsToldEvery is how far apart the operator is told of what was not kept.
	dropsToldEvery = 10 * time.Minute
)

// Why a request is not kept: the labels of the figure.
const (
	dropFull     = "full"     // too many wait to be written
	dropOwner    = "owner"    // of one tenant there were too many
	dropDatabase = "database" // the database refused them
)

// RequestLog keeps the requests that changed something or failed, for who looks one
// up by its request_id. A request only leaves its record in memory; Keep writes what
// waits. It is safe for concurrent use.
type RequestLog struct {
	store   *store.Store
	now     func() time.Time
	log     *slog.Logger
	dropped *prometheus.CounterVec

	mu      sync.Mutex
	waiting []frontdesk.Request
	day     int64
	counts  map[frontdesk.Owner]*requestCount // of the day
	drops   map[string]int                    // by reason, that the operator was not told of
	told    time.Time
	failing bool
}

// requestCount is how many requests of an owner were kept.
type requestCount struct {
	minute   int64
	inMinute int
	inDay    int
}

func newRequestLog(o Options, now func() time.Time) *RequestLog {
	l := &RequestLog{
		store: o.Store, now: now, log: cmp.Or(o.Log, slog.Default()),
		dropped: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "frontdesk_requests_not_kept_total", Help: "Requests that changed something or failed and that the console does not show.",
		}, []string{"reason"}),
		counts: map[frontdesk.Owner]*requestCount{}, drops: map[string]int{},
	}
	for _, reason := range []string{dropFull, dropOwner, dropDatabase} {
		l.dropped.WithLabelValues(reason)
	}
	if o.Metrics != nil {
		o.Metrics.MustRegister(l.dropped)
	}
	return l
}

// Requests is the log of the API's requests.
func (a *API) Requests() *RequestLog { return a.requests }

// record leaves what is kept of a request, if it is: one that changed something or
// failed, of an owner who is known.
func (a *API) record(r *request, ans answer, took time.Duration) {
	if r.owner.TenantID == "" || ans.status < 400 && reads(r.http.Method) {
		return
	}
	now := a.now()
	a.requests.add(now, frontdesk.Request{
		Owner: r.owner, RequestID: withoutKey(r.id), At: now.Add(-took), Method: r.http.Method, Path: keptPath(r),
		Status: ans.status, Code: ans.code, Param: keptParam(ans.param), Took: took, Key: r.caller.Key.ID, Replayed: ans.replayed,
	})
}

func reads(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}

// keptPath is the path of a request that has a route. What its parameters hold is
// kept where it can be an id or a slug: a client may have put anything there, a key
// or a telephone number.
func keptPath(r *request) string {
	var b strings.Builder
	b.WriteString("/v1")
	for _, segment := range r.route.segments[1:] {
		b.WriteByte('/')
		if name, is := strings.CutPrefix(segment, "{"); is {
			segment = keptValue(r.path[strings.TrimSuffix(name, "}")])
		}
		b.WriteString(segment)
	}
	return b.String()
}

func keptValue(value string) string {
	const longest = 64
	if _, ok := frontdesk.ParseID(value); ok {
		return value
	}
	letter := strings.ContainsFunc(value, func(c rune) bool { return c >= 'a' && c <= 'z' })
	if !letter || len(value) > longest || strings.Trim(value, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return "…"
	}
	return value
}

// keptParam is what an error is about, unless it is no name of a parameter: an
// unknown one is what the client sent.
func keptParam(param string) string {
	const longest = 100
	const fit = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.[]:-"
	if len(param) > longest || strings.Trim(param, fit) != "" || withoutKey(param) != param {
		return "…"
	}
	return param
}

// withoutKey is a text, or that somebody pasted a key or a secret there.
func withoutKey(text string) string {
	if strings.Contains(text, "svc_") || strings.Contains(text, "whsec_") {
		return "[a key]"
	}
	return text
}

// add leaves a request to be written, unless there are too many.
func (l *RequestLog) add(now time.Time, r frontdesk.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case !l.allows(r.Owner, now):
		l.drop(dropOwner, 1)
	case len(l.waiting) >= requestsWaiting:
		l.drop(dropFull, 1)
	default:
		l.waiting = append(l.waiting, r)
	}
}

// allows counts a request of an owner, unless that has had its share.
func (l *RequestLog) allows(owner frontdesk.Owner, now time.Time) bool {
	if day := now.Unix() / (24 * 60 * 60); day != l.day {
		l.day = day
		clear(l.counts)
	}
	c := l.counts[owner]
	if c == nil {
		c = &requestCount{}
		l.counts[owner] = c
	}
	if minute := now.Unix() / 60; minute != c.minute {
		c.minute, c.inMinute = minute, 0
	}
	if c.inMinute >= requestsAMinute || c.inDay >= requestsADay {
		return false
	}
	c.inMinute++
	c.inDay++
	return true
}

func (l *RequestLog) drop(reason string, n int) {
	l.drops[reason] += n
	l.dropped.WithLabelValues(reason).Add(float64(n))
}

// Keep writes what waits. It runs every second: an outage is logged when it begins
// and when it is over, and what was not kept now and then.
func (l *RequestLog) Keep(ctx context.Context) {
	err := l.Write(ctx)
	if ctx.Err() != nil {
		return // we are stopping: what waits is written last
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err != nil && !l.failing:
		l.log.Error("keeping requests failed, trying again every second", "error", err)
	case err == nil && l.failing:
		l.log.Info("requests are kept again")
	}
	l.failing = err != nil
	if now := l.now(); len(l.drops) > 0 && now.Sub(l.told) >= dropsToldEvery {
		l.log.Warn("some requests are not kept and not shown in the console", "waiting_full", l.drops[dropFull], "too_many_of_a_tenant", l.drops[dropOwner], "refused_by_the_database", l.drops[dropDatabase])
		l.told = now
		clear(l.drops)
	}
}

// Write writes what waits. While the database is away it goes on waiting.
func (l *RequestLog) Write(ctx context.Context) error {
	l.mu.Lock()
	all := l.waiting
	l.waiting = nil
	l.mu.Unlock()
	for i := range all {
		if all[i].ID == "" { // kept when it is written again, so that it is written once
			all[i].ID = frontdesk.NewID(all[i].At)
		}
	}
	var refused error
	for len(all) > 0 {
		some := all[:min(requestsAtOnce, len(all))]
		err := l.store.RecordRequestsForWorker(ctx, some)
		if frontdesk.IsUnavailable(err) {
			l.giveBack(all)
			return errors.Join(refused, err)
		}
		if err != nil {
			refused = err
			l.mu.Lock()
			l.drop(dropDatabase, len(some))
			l.mu.Unlock()
		}
		all = all[len(some):]
	}
	return refused
}

// giveBack lets requests wait again that were not written, before those that came
// meanwhile.
func (l *RequestLog) giveBack(all []frontdesk.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	all = append(all, l.waiting...)
	if over := len(all) - requestsWaiting; over > 0 {
		all = all[:requestsWaiting]
		l.drop(dropFull, over)
	}
	l.waiting = all
}

// Forget deletes the requests that have been kept long enough, a few at a time.
func (l *RequestLog) Forget(ctx context.Context) error {
	for {
		n, err := l.store.PruneRequestsForWorker(ctx, l.now().Add(-frontdesk.RequestsKept), requestsAtOnce)
		if err != nil || n < requestsAtOnce {
			return err
		}
	}
}
