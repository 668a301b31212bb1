package app

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/provider"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/service"
	"frontdesk.dev/frontdesk/internal/store"
)

// business are the figures of what callers and customers do. They count what this
// process writes, so that the sum over all nodes is what happened. No label names a
// tenant, an agent or a caller.
type business struct {
	calls      *prometheus.CounterVec
	captures   *prometheus.CounterVec
	bookings   *prometheus.CounterVec
	unanswered *prometheus.CounterVec
	refused    *prometheus.CounterVec
}

// What becomes of a booking.
const (
	bookingMade      = "made"
	bookingMoved     = "moved"
	bookingCancelled = "cancelled"
	bookingNoShow    = "no_show"
)

// other stands for whatever has no label of its own.
const other = "other"

var (
	modes          = []string{"live", "test"}
	bookingChanges = []string{bookingMade, bookingMoved, bookingCancelled, bookingNoShow}
	captureKinds   = []string{frontdesk.Appointment, frontdesk.Lead, frontdesk.Order, frontdesk.Callback, frontdesk.Message, frontdesk.Waiting}
)

func counters(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
}

func newBusiness(r prometheus.Registerer) *business {
	b := &business{
		calls: counters("frontdesk_calls_total",
			"Calls and conversations that have ended and were recorded by this process.", "channel", "language", "outcome", "mode"),
		captures: counters("frontdesk_captures_total",
			"Captures that this process has written down: by callers, the API and the console.", "kind", "mode"),
		bookings: counters("frontdesk_bookings_total",
			"Appointments that were made, moved or cancelled in this process, or whose customer did not come.", "change", "mode"),
		unanswered: counters("frontdesk_unanswered_questions_total",
			"Questions in the calls that this process has recorded that the receptionist could not answer.", "mode"),
		refused: counters("frontdesk_callers_refused_total",
			"Callers who met a limit: of their business's plan, or on how much is written down.", "limit"),
	}
	b.begin()
	r.MustRegister(b.calls, b.captures, b.bookings, b.unanswered, b.refused)
	return b
}

// begin makes all figures begin at 0: of one that appears with its first event, that
// event is not seen by who looks at increases.
func (b *business) begin() {
	for _, mode := range modes {
		b.unanswered.WithLabelValues(mode)
		for _, change := range bookingChanges {
			b.bookings.WithLabelValues(change, mode)
		}
		for _, kind := range captureKinds {
			b.captures.WithLabelValues(kind, mode)
		}
		for _, channel := range frontdesk.Channels {
			for _, language := range frontdesk.Languages {
				for _, outcome := range frontdesk.Outcomes {
					b.calls.WithLabelValues(string(channel), language, string(outcome), mode)
				}
			}
		}
	}
	for _, limit := range reception.RefusedBy {
		b.refused.WithLabelValues(limit)
	}
}

// count counts what was written into the books.
func (b *business) count(w store.Written) {
	for _, c := range w.Calls {
		mode := modeOf(c.Live)
		b.calls.WithLabelValues(string(c.Call.Channel), known(frontdesk.Languages, c.Call.Language), string(c.Call.Outcome), mode).Inc()
		b.unanswered.WithLabelValues(mode).Add(float64(c.Unanswered))
	}
	for _, c := range w.Captures {
		mode := modeOf(c.Live)
		if c.Before.ID == "" {
			b.captures.WithLabelValues(known(captureKinds, c.After.Kind), mode).Inc()
		}
		if change := bookingChange(c.Before, c.After); change != "" {
			b.bookings.WithLabelValues(change, mode).Inc()
		}
	}
}

// bookingChange says what has become of a booking; "": nothing that counts.
func bookingChange(before, after frontdesk.Capture) string {
	stood, stands := before.TakesPlace(), after.TakesPlace()
	switch {
	case stands && !stood:
		return bookingMade
	case stands && before.ScheduledAt != after.ScheduledAt:
		return bookingMoved
	case stood && after.Status == frontdesk.Cancelled:
		return bookingCancelled
	case stood && after.Status == frontdesk.NoShow:
		return bookingNoShow
	}
	return ""
}

// known is a value as a label: what anybody can make up is "other".
func known(values []string, value string) string {
	if slices.Contains(values, value) {
		return value
	}
	return other
}

func modeOf(live bool) string {
	if live {
		return "live"
	}
	return "test"
}

// modelResults are the ways in which a question to the language model ends.
var modelResults = map[string]error{
	"timeout": provider.ErrTimeout, "away": provider.ErrAway, "refused": provider.ErrRefused, "broken": provider.ErrBroken,
}

// modelTimes counts how long the language model takes, and how that ends.
func modelTimes(r prometheus.Registerer) func(time.Duration, error) {
	seconds := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "frontdesk_model_seconds", Help: "Time that the language model took to read a sentence, by how that ended.",
		Buckets: []float64{.05, .1, .25, .5, 1, 2, 4},
	}, []string{"result"})
	r.MustRegister(seconds)
	seconds.WithLabelValues("ok")
	for result := range modelResults {
		seconds.WithLabelValues(result)
	}
	return func(took time.Duration, err error) {
		if errors.Is(err, context.Canceled) {
			return // whoever asked has gone
		}
		seconds.WithLabelValues(modelResult(err)).Observe(took.Seconds())
	}
}

func modelResult(err error) string {
	if err == nil {
		return "ok"
	}
	for result, is := range modelResults {
		if errors.Is(err, is) {
			return result
		}
	}
	return "broken"
}

// timedEmbedder counts how long embeddings take, and whether they come.
type timedEmbedder struct {
	knowledge.Embedder
	seconds *prometheus.HistogramVec
}

// timed counts what an embedder is asked. One that is not there is asked nothing.
func timed(e knowledge.Embedder, r prometheus.Registerer) knowledge.Embedder {
	seconds := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "frontdesk_embeddings_seconds", Help: "Time that embeddings of documents or of a question took, by whether they came.",
		Buckets: []float64{.05, .1, .3, 1, 5, 30},
	}, []string{"result"})
	r.MustRegister(seconds)
	seconds.WithLabelValues("ok")
	seconds.WithLabelValues("failed")
	if e == nil {
		return nil
	}
	return timedEmbedder{e, seconds}
}

func (t timedEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	began := time.Now()
	vectors, err := t.Embedder.Embed(ctx, texts)
	switch {
	case errors.Is(ctx.Err(), context.Canceled): // whoever asked has gone
	case err != nil:
		t.seconds.WithLabelValues("failed").Observe(time.Since(began).Seconds())
	default:
		t.seconds.WithLabelValues("ok").Observe(time.Since(began).Seconds())
	}
	return vectors, err
}

// databaseCollector tells what is read from the database when somebody asks: it is
// the same on all nodes.
type databaseCollector struct{ parts *parts }

var (
	conversationsOpen = prometheus.NewDesc("frontdesk_conversations_open", "Conversations that have not ended; in the whole database. After 30 minutes of silence one ends by itself.", []string{"channel", "mode"}, nil)
	documentsWaiting  = prometheus.NewDesc("frontdesk_documents_waiting", "Documents that wait to be read and that nobody reads; in the whole database.", nil, nil)
	documentsOldest   = prometheus.NewDesc("frontdesk_documents_oldest_waiting_seconds", "How long the oldest of those has waited; in the whole database.", nil, nil)
	calendarsOutside  = prometheus.NewDesc("frontdesk_outside_calendars", "Outside calendars that are connected; in the whole database.", nil, nil)
	calendarsFailing  = prometheus.NewDesc("frontdesk_outside_calendars_failing", "Those of them that could not be read when that was last tried; in the whole database.", nil, nil)
)

func (c databaseCollector) Describe(ch chan<- *prometheus.Desc) {
	ch <- conversationsOpen
	ch <- documentsWaiting
	ch <- documentsOldest
	ch <- calendarsOutside
	ch <- calendarsFailing
}

func (c databaseCollector) Collect(ch chan<- prometheus.Metric) {
	ctx := context.Background()
	open, err := c.parts.store.OpenConversationsForWorker(ctx)
	if err != nil {
		return // the database is away; frontdesk_ready says so
	}
	for _, channel := range frontdesk.Channels {
		for _, live := range []bool{true, false} {
			n := open[store.OpenOn{Channel: channel, Live: live}]
			ch <- prometheus.MustNewConstMetric(conversationsOpen, prometheus.GaugeValue, float64(n), string(channel), modeOf(live))
		}
	}
	waiting, oldest, err := c.parts.store.DocumentQueueForWorker(ctx, c.parts.now())
	if err != nil {
		return
	}
	ch <- prometheus.MustNewConstMetric(documentsWaiting, prometheus.GaugeValue, float64(waiting))
	ch <- prometheus.MustNewConstMetric(documentsOldest, prometheus.GaugeValue, oldest.Seconds())
	calendars, failing, err := c.parts.store.OutsideStateForWorker(ctx)
	if err != nil {
		return
	}
	ch <- prometheus.MustNewConstMetric(calendarsOutside, prometheus.GaugeValue, float64(calendars))
	ch <- prometheus.MustNewConstMetric(calendarsFailing, prometheus.GaugeValue, float64(failing))
}

// processCollector tells how this process stands.
type processCollector struct{ parts *parts }

var (
	isReady      = prometheus.NewDesc("frontdesk_ready", "1 while this process can do its work, as /readyz says; else 0.", nil, nil)
	panicsCaught = prometheus.NewDesc("frontdesk_panics_total", "Faults of the program that were survived; the log has a line for each.", nil, nil)
	sweptAt      = prometheus.NewDesc("frontdesk_retention_swept_timestamp_seconds", "When this process last deleted all that plans say is kept long enough; the start of the process before the first time.", nil, nil)
	dataFree     = prometheus.NewDesc("frontdesk_data_free_bytes", "What can still be written on the disk of the data directory.", nil, nil)
)

func (c processCollector) Describe(ch chan<- *prometheus.Desc) {
	ch <- isReady
	ch <- panicsCaught
	ch <- sweptAt
	ch <- dataFree
}

func (c processCollector) Collect(ch chan<- prometheus.Metric) {
	ready := 1.0
	if c.parts.unready(context.Background()) != nil {
		ready = 0
	}
	ch <- prometheus.MustNewConstMetric(isReady, prometheus.GaugeValue, ready)
	ch <- prometheus.MustNewConstMetric(panicsCaught, prometheus.CounterValue, float64(service.Panics()))
	ch <- prometheus.MustNewConstMetric(sweptAt, prometheus.GaugeValue, float64(c.parts.swept.Load()))
	if free, err := FreeSpace(c.parts.settings.Data); err == nil {
		ch <- prometheus.MustNewConstMetric(dataFree, prometheus.GaugeValue, float64(free))
	}
}
