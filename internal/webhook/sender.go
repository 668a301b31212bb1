package webhook

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/egress"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/trace"
	"frontdesk.dev/frontdesk/signature"
)

// mostAnswer is how much of an answer is read; none of it is kept.
const mostAnswer = 64 << 10

// Sender makes attempts: it signs, posts through the guarded client, and says
// how it went.
type Sender struct {
	client  *http.Client
	guard   *egress.Guard
	box     *seal.Box
	now     func() time.Time
	log     *slog.Logger
	metrics *metrics
	tracer  *trace.Tracer // nil: off
	timeout time.Duration // of one whole exchange
}

// NewSender returns a sender that reaches what the guard lets it.
func NewSender(guard *egress.Guard, box *seal.Box, now func() time.Time, log *slog.Logger, r prometheus.Registerer) *Sender {
	return &Sender{
		client: guard.Client(frontdesk.DeliveryTimeout, 64), guard: guard, box: box, now: now, log: log, metrics: newMetrics(r),
		timeout: frontdesk.DeliveryTimeout,
	}
}

// Traced has every attempt be a span from here on, in the trace of what has made the
// delivery. Receivers are told which.
func (s *Sender) Traced(t *trace.Tracer) { s.tracer = t }

// Try makes one attempt at a claimed delivery, writes one line about it, and
// says what it means for the delivery. It stores nothing.
func (s *Sender) Try(ctx context.Context, c frontdesk.Connection, claim store.Claim) store.Tried {
	ctx, span := s.tracer.Continue(ctx, claim.Trace, "delivery")
	defer span.End()
	attempt := s.Send(ctx, c, claim.Delivery.EventID, claim.Body)
	now := s.now()
	after := claim.Delivery.After(attempt, now, rand.Float64())
	s.metrics.observe(attempt)
	level := slog.LevelInfo
	if !attempt.OK() {
		level = slog.LevelWarn
	}
	describe(span, claim, attempt)
	attrs := []slog.Attr{
		slog.String("delivery", string(claim.Delivery.ID)), slog.String("connection", string(c.ID)), slog.String("tenant", string(claim.Lane.Owner.TenantID)),
		slog.Bool("live", claim.Lane.Owner.Live), slog.String("event", claim.Delivery.Event), slog.String("event_id", string(claim.Delivery.EventID)),
		slog.Int("attempt", after.Attempts), slog.String("status", string(after.Status)), slog.Int("http_status", attempt.HTTPStatus),
		slog.String("error_code", attempt.ErrorCode), slog.Duration("took", attempt.Latency),
	}
	if id := trace.TraceID(ctx); id != "" {
		attrs = append(attrs, slog.String("trace_id", id))
	}
	s.log.LogAttrs(ctx, level, "delivery", attrs...)
	return store.Tried{Claim: claim, Attempt: attempt, After: after, At: now}
}

// describe says what was sent to whom, and how it went.
func describe(span trace.Span, claim store.Claim, attempt frontdesk.Attempt) {
	if !span.On() {
		return
	}
	d, owner := claim.Delivery, claim.Lane.Owner
	span.Set(trace.Text("frontdesk.tenant", string(owner.TenantID)), trace.Yes("frontdesk.live", owner.Live),
		trace.Text("frontdesk.connection", string(d.ConnectionID)), trace.Text("frontdesk.delivery", string(d.ID)),
		trace.Text("frontdesk.event", d.Event), trace.Text("frontdesk.event_id", string(d.EventID)), trace.Number("frontdesk.attempt", d.Attempts))
	if attempt.HTTPStatus != 0 {
		span.Set(trace.Number("http.response.status_code", attempt.HTTPStatus))
	}
	if !attempt.OK() {
		span.Fail(attempt.ErrorCode)
	}
}

// broken is an attempt that failed on our side, before or after the receiver saw
// it.
func (s *Sender) broken(claim store.Claim) store.Tried {
	attempt := frontdesk.Attempt{ErrorCode: frontdesk.ConnectFailed, Message: "The delivery failed on our side. The operator has been told in the log."}
	now := s.now()
	return store.Tried{Claim: claim, Attempt: attempt, After: claim.Delivery.After(attempt, now, rand.Float64()), At: now}
}

// Send posts an event to a connection and says how that ended.
func (s *Sender) Send(ctx context.Context, c frontdesk.Connection, event frontdesk.ID, body []byte) frontdesk.Attempt {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	// A handshake that fails may say no more than that the other side hung up.
	var handshakeFailed atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		TLSHandshakeDone: func(_ tls.ConnectionState, err error) { handshakeFailed.Store(err != nil) },
	})
	request, err := s.request(ctx, c, event, body)
	if err != nil {
		s.log.Error("a delivery could not be signed", "connection", c.ID, "error", err)
		return frontdesk.Attempt{ErrorCode: frontdesk.ConnectFailed, Message: "The delivery could not be signed on our side. The operator has been told in the log."}
	}
	if err := s.guard.CheckScheme(request.URL); err != nil {
		return frontdesk.Attempt{ErrorCode: frontdesk.AddressBlocked, Message: stageMessages[frontdesk.AddressBlocked]}
	}
	began := time.Now()
	// Not through the client: it reads where a redirect leads to.
	answer, err := s.client.Transport.RoundTrip(request)
	if err == nil {
		// An answer that ends just as its time does has not come in time.
		err = cmp.Or(drain(answer), ctx.Err())
	}
	latency := time.Since(began)
	if err != nil {
		code := stageOf(err, handshakeFailed.Load())
		return frontdesk.Attempt{ErrorCode: code, Message: stageMessages[code], Latency: latency}
	}
	attempt := judge(answer, s.now())
	attempt.Latency = latency
	return attempt
}

// request signs with every secret of the connection that signs now.
func (s *Sender) request(ctx context.Context, c frontdesk.Connection, event frontdesk.ID, body []byte) (*http.Request, error) {
	now := s.now()
	var signatures []string
	for _, sealed := range c.Signing(now) {
		secret, err := s.box.Open(secretPlace(c.ID), sealed.Sealed)
		if err != nil {
			return nil, err
		}
		signed, err := signature.Sign(string(secret), string(event), now, body)
		if err != nil {
			return nil, err
		}
		signatures = append(signatures, signed)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header = http.Header{
		"Content-Type":      {"application/json"},
		"User-Agent":        {"frontdesk/1"},
		"Webhook-Id":        {string(event)},
		"Webhook-Timestamp": {strconv.FormatInt(now.Unix(), 10)},
		"Webhook-Signature": {strings.Join(signatures, " ")},
	}
	if parent := trace.Parent(ctx); parent != "" {
		request.Header[trace.Header] = []string{parent}
	}
	return request, nil
}

// drain reads a little of the answer, so that the connection can be used again,
// and no more.
func drain(answer *http.Response) error {
	defer answer.Body.Close()
	_, err := io.CopyN(io.Discard, answer.Body, mostAnswer)
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// judge says what an answer means: 2xx is success, everything else failure.
func judge(answer *http.Response, now time.Time) frontdesk.Attempt {
	a := frontdesk.Attempt{HTTPStatus: answer.StatusCode}
	switch status := answer.StatusCode; {
	case status >= 200 && status < 300:
		return a
	case status == http.StatusGone:
		a.ErrorCode = frontdesk.Gone
	case status >= 300 && status < 400:
		a.ErrorCode = frontdesk.RedirectRefused
	case status >= 400 && status < 500:
		a.ErrorCode = frontdesk.HTTP4xx
	default:
		a.ErrorCode = frontdesk.HTTP5xx
	}
	if message := stageMessages[a.ErrorCode]; message != "" {
		a.Message = message
	} else {
		a.Message = fmt.Sprintf("The receiver answered %d. Answer 2xx once the event is stored.", a.HTTPStatus)
	}
	if answer.StatusCode == http.StatusTooManyRequests || answer.StatusCode == http.StatusServiceUnavailable {
		a.RetryAfter = retryAfter(answer.Header.Get("Retry-After"), now)
	}
	return a
}

// retryAfter reads a Retry-After header: seconds, or a date.
func retryAfter(value string, now time.Time) time.Duration {
	const most = 7 * 24 * time.Hour
	seconds, err := strconv.ParseInt(value, 10, 64) // out of range: the most there is
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(max(0, seconds), int64(most/time.Second))) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

var stageMessages = map[string]string{
	frontdesk.DNSFailed:       "The receiver's name could not be resolved. Check the URL and your DNS.",
	frontdesk.AddressBlocked:  "The receiver's name leads to an address that is not public. Nothing was sent.",
	frontdesk.ConnectFailed:   "The receiver could not be reached, or closed the connection. Check that it is up and reachable from the internet.",
	frontdesk.TLSFailed:       "No secure connection could be made. Check the receiver's certificate and its name.",
	frontdesk.TimedOut:        "The receiver did not answer within 15 seconds. Answer first, work later.",
	frontdesk.RedirectRefused: "The receiver answered with a redirect, which is never followed. Set the URL to where it points.",
	frontdesk.Gone:            "The receiver answered 410 Gone. The connection was disabled.",
}

// stageOf says at which stage an exchange failed.
func stageOf(err error, inHandshake bool) string {
	var dns *net.DNSError
	var netErr net.Error
	switch {
	case errors.Is(err, egress.ErrBlocked):
		return frontdesk.AddressBlocked
	case errors.As(err, &dns):
		return frontdesk.DNSFailed
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &netErr) && netErr.Timeout():
		return frontdesk.TimedOut
	case inHandshake, isAlert(err):
		return frontdesk.TLSFailed
	}
	return frontdesk.ConnectFailed
}

// isAlert says whether the receiver ended the secure connection after the
// handshake, as one does that wants a certificate of ours.
func isAlert(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "remote error"
}
