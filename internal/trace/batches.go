package trace

import (
	"cmp"
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"

	"frontdesk.dev/frontdesk/internal/service"
)

const (
	mostWaiting = 4096 // spans that wait to be sent; more are dropped
	mostAtOnce  = 512  // in one request
	sendEvery   = 2 * time.Second
	sendTime    = 10 * time.Second // that one request may take
)

// batches sends spans some at a time, beside everything else. Whoever ends a span
// never waits: where the collector is down or too slow, spans are dropped, and the
// operator is told once, and again when it is over.
type batches struct {
	to      sdk.SpanExporter
	waiting chan sdk.ReadOnlySpan
	every   time.Duration
	url     string
	log     *slog.Logger
	stop    chan struct{} // closed when no more spans come
	stopped atomic.Bool
	ended   <-chan error

	dropped atomic.Int64 // since the operator was told, for want of room
	failing bool         // the operator knows that spans are lost
	lost    int64        // since then
}

var _ sdk.SpanProcessor = (*batches)(nil)

func newBatches(to sdk.SpanExporter, o Options) *batches {
	b := &batches{
		to: to, waiting: make(chan sdk.ReadOnlySpan, mostWaiting), every: cmp.Or(o.Every, sendEvery),
		url: o.URL, log: o.Log, stop: make(chan struct{}),
	}
	b.ended = service.Go(o.Log, "sending of traces", b.run)
	return b
}

// OnStart does nothing: a span is told of when it has ended.
func (b *batches) OnStart(context.Context, sdk.ReadWriteSpan) {}

// OnEnd takes a span that has ended.
func (b *batches) OnEnd(s sdk.ReadOnlySpan) {
	if !s.SpanContext().IsSampled() || b.stopped.Load() {
		return
	}
	select {
	case b.waiting <- s:
	default:
		b.dropped.Add(1)
	}
}

// ForceFlush has nothing to add: what waits is sent soon.
func (b *batches) ForceFlush(context.Context) error { return nil }

// Shutdown sends what waits, and returns when it is sent or ctx ends.
func (b *batches) Shutdown(ctx context.Context) error {
	if b.stopped.Swap(true) {
		return nil
	}
	close(b.stop)
	select {
	case <-b.ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// run sends what has come in, when there is enough of it or its time has come.
func (b *batches) run() error {
	tick := time.NewTicker(b.every)
	defer tick.Stop()
	some := make([]sdk.ReadOnlySpan, 0, mostAtOnce)
	send := func() {
		b.send(some)
		some = make([]sdk.ReadOnlySpan, 0, mostAtOnce)
	}
	for {
		select {
		case s := <-b.waiting:
			if some = append(some, s); len(some) == mostAtOnce {
				send()
			}
		case <-tick.C:
			send()
		case <-b.stop:
			for len(b.waiting) > 0 && !b.failing { // a collector that is away is not waited for again and again
				if some = append(some, <-b.waiting); len(some) == mostAtOnce {
					send()
				}
			}
			send()
			return nil
		}
	}
}

// send sends some spans; what fails is not sent again.
func (b *batches) send(some []sdk.ReadOnlySpan) {
	lost := b.dropped.Swap(0)
	if len(some) == 0 && lost == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), sendTime)
	defer cancel()
	err := service.Guard(b.log, "sending of spans", func() error { return b.to.ExportSpans(ctx, some) })
	if err != nil {
		lost += int64(len(some))
	}
	b.tell(err, lost)
}

// tell tells the operator when spans begin to be lost, and when they are lost no more.
func (b *batches) tell(err error, lost int64) {
	b.lost += lost
	switch failing := lost > 0; {
	case failing && !b.failing && err != nil:
		b.log.Warn("traces: the collector does not take spans, and they are dropped; nothing else is affected. Check that it runs and is reached at FRONTDESK_TRACES_URL, and FRONTDESK_TRACES_HEADERS",
			"collector", b.url, "error", err)
		b.failing = true
	case failing && !b.failing:
		b.log.Warn("traces: the collector is too slow, and spans are dropped; nothing else is affected. Give it more room, or record fewer with FRONTDESK_TRACES_RATIO",
			"collector", b.url, "dropped", lost)
		b.failing = true
	case !failing && b.failing:
		b.log.Info("traces: the collector takes spans again", "collector", b.url, "dropped", b.lost)
		b.failing, b.lost = false, 0
	}
}
