package trace_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/trace"
	"frontdesk.dev/frontdesk/internal/trace/tracetest"
)

const (
	strangersTrace = "4bf92f3577b34da6a3ce929d0e0e4736"
	strangersSpan  = "00f067aa0ba902b7"
)

// journal is a log that a test can wait for.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
	news chan struct{}
}

func newJournal() *journal { return &journal{news: make(chan struct{}, 100)} }

func (j *journal) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.text.Write(b)
	j.news <- struct{}{}
	return len(b), nil
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// wait waits for a line with some words in it.
func (j *journal) wait(t *testing.T, words string) {
	t.Helper()
	for !strings.Contains(j.String(), words) {
		select {
		case <-j.news:
		case <-time.After(time.Minute):
			t.Fatalf("the log does not say %q:\n%s", words, j)
		}
	}
}

func tracer(t *testing.T, o trace.Options) *trace.Tracer {
	t.Helper()
	if o.Client == nil {
		o.Client = &http.Client{Timeout: 10 * time.Second}
	}
	o.Every = time.Millisecond
	made, err := trace.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		made.Stop(ctx)
	})
	return made
}

func TestSpansAreSent(t *testing.T) {
	t.Parallel()
	collector := tracetest.New(t)
	tr := tracer(t, trace.Options{URL: collector.URL, Headers: map[string]string{"X-Key": "k"}, Version: "1.2.3"})
	ctx, request := tr.Request(context.Background(), http.Header{})
	request.Name("GET /calls")
	_, inner := trace.Start(ctx, trace.Outside, "listing calls", trace.Text("db.system.name", "sqlite"), trace.Number("n", 3))
	inner.Fail("unavailable")
	inner.End()
	request.Set(trace.Yes("frontdesk.live", true))
	request.End()
	if err := tr.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	outer := collector.Wait(t, "request", tracetest.Named("GET /calls"))
	got := collector.Wait(t, "question", tracetest.Named("listing calls"))
	if got.Trace != outer.Trace || got.Parent != outer.ID || outer.Parent != "" || !got.Failed || outer.Failed {
		t.Errorf("got %+v inside %+v", got, outer)
	}
	if got.Attrs["db.system.name"] != "sqlite" || got.Attrs["n"] != 3 || got.Attrs["error.type"] != "unavailable" || outer.Attrs["frontdesk.live"] != true {
		t.Errorf("got %v and %v", got.Attrs, outer.Attrs)
	}
	if h := collector.Header(); h.Get("X-Key") != "k" {
		t.Errorf("the headers were %v", h)
	}
	if !bytes.Contains(collector.Raw(), []byte("1.2.3")) {
		t.Error("the version is not told")
	}
}

func TestOffThereAreNoSpans(t *testing.T) {
	t.Parallel()
	var off *trace.Tracer
	h := http.Header{trace.Header: {"00-" + strangersTrace + "-" + strangersSpan + "-01"}}
	ctx, span := off.Request(context.Background(), h)
	ctx, inner := trace.Start(off.Conversation(ctx, string(frontdesk.NewID(time.Now()))), trace.Inside, "turn")
	off.Ended(string(frontdesk.NewID(time.Now())), time.Now(), time.Now())
	if span.On() || inner.On() || trace.Parent(ctx) != "" || trace.TraceID(ctx) != "" {
		t.Error("there is a span")
	}
	inner.End()
	span.End()
	if err := off.Stop(context.Background()); err != nil {
		t.Error(err)
	}
}

func TestARequestIsPartOfTheTraceItNames(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		header string
		joins  bool
	}{
		"a trace that is recorded":     {"00-" + strangersTrace + "-" + strangersSpan + "-01", true},
		"a trace that is not recorded": {"00-" + strangersTrace + "-" + strangersSpan + "-00", true},
		"none":                         {"", false},
		"all zeros":                    {"00-00000000000000000000000000000000-" + strangersSpan + "-01", false},
		"too short":                    {"00-" + strangersTrace + "-01", false},
		"no hex":                       {"00-zzf92f3577b34da6a3ce929d0e0e4736-" + strangersSpan + "-01", false},
		"a huge one":                   {strings.Repeat("0", 10000), false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			collector := tracetest.New(t)
			tr := tracer(t, trace.Options{URL: collector.URL})
			ctx, span := tr.Request(context.Background(), http.Header{trace.Header: {tt.header}})
			span.End()
			got := collector.Wait(t, "request", tracetest.Named("request"))
			if joins := got.Trace == strangersTrace && got.Parent == strangersSpan; joins != tt.joins || trace.TraceID(ctx) != got.Trace {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// A stranger who asks for all of their requests to be recorded gets the ratio.
func TestStrangersDoNotDecideWhatIsRecorded(t *testing.T) {
	t.Parallel()
	const all, ratio = 20000, .1
	tr := tracer(t, trace.Options{URL: "http://127.0.0.1:1", Ratio: ratio, Log: slog.New(slog.DiscardHandler)})
	for _, flag := range []string{"01", "00"} {
		recorded := 0
		for range all {
			// An id with which the ratio by ids would take it.
			h := http.Header{trace.Header: {"00-4bf92f3577b34da60000000000000001-" + strangersSpan + "-" + flag}}
			if _, span := tr.Request(context.Background(), h); span.On() {
				recorded++
			}
		}
		if share := float64(recorded) / all; share < ratio/2 || share > ratio*2 {
			t.Errorf("with the flag %s, %v are recorded", flag, share)
		}
	}
}

// All turns of a conversation are recorded or none, on whatever node, as many as
// the ratio says; what is left for later is recorded with them.
func TestAConversationIsRecordedWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	const all, ratio = 5000, .25
	o := trace.Options{URL: "http://127.0.0.1:1", Ratio: ratio, Log: slog.New(slog.DiscardHandler)}
	one, other := tracer(t, o), tracer(t, o)
	recorded := 0
	for range all {
		id := string(frontdesk.NewID(time.Now()))
		_, here := trace.Start(one.Conversation(context.Background(), id), trace.Inside, "turn")
		ctx, there := trace.Start(other.Conversation(context.Background(), id), trace.Inside, "turn")
		_, later := one.Continue(context.Background(), trace.Parent(ctx), "delivery")
		if here.On() != there.On() || later.On() != there.On() {
			t.Fatalf("of %s, one is recorded and another is not: %v, %v, %v", id, here.On(), there.On(), later.On())
		}
		if here.On() {
			recorded++
		}
	}
	if share := float64(recorded) / all; share < ratio*.8 || share > ratio*1.2 {
		t.Errorf("%v are recorded", share)
	}
}

func TestAConversationIsOneTrace(t *testing.T) {
	t.Parallel()
	collector := tracetest.New(t)
	tr := tracer(t, trace.Options{URL: collector.URL})
	id := string(frontdesk.NewID(time.Now()))
	start := time.Now().Add(-time.Minute).Truncate(time.Microsecond)
	for range 2 {
		ctx, span := trace.Start(tr.Conversation(context.Background(), id), trace.Inside, "turn")
		_, inner := trace.Start(tr.Conversation(ctx, id), trace.Outside, "model")
		inner.End()
		span.End()
	}
	tr.Ended(id, start, start.Add(time.Minute), trace.Text("frontdesk.outcome", "booking"))
	whole := collector.Wait(t, "conversation", tracetest.Named("conversation"))
	if whole.Trace != strings.ReplaceAll(id, "-", "") || whole.Parent != "" || !whole.Start.Equal(start) || whole.End.Sub(whole.Start) != time.Minute {
		t.Errorf("the conversation is %+v", whole)
	}
	turns := map[string]bool{}
	for _, s := range collector.Spans() {
		if s.Name == "turn" && s.Trace == whole.Trace && s.Parent == whole.ID {
			turns[s.ID] = true
		}
	}
	for _, s := range collector.Spans() {
		if s.Name == "model" && !turns[s.Parent] {
			t.Errorf("the model was asked outside of a turn: %+v", s)
		}
	}
	if len(turns) != 2 {
		t.Errorf("got %d turns in %+v", len(turns), collector.Spans())
	}
}

func TestWhatIsNoConversationIsNotTraced(t *testing.T) {
	t.Parallel()
	tr := tracer(t, trace.Options{URL: "http://127.0.0.1:1", Log: slog.New(slog.DiscardHandler)})
	for _, id := range []string{"", "abc", strings.Repeat("z", 32), strings.Repeat("ab", 4000), "00000000-0000-0000-0000-000000000000"} {
		if _, span := trace.Start(tr.Conversation(context.Background(), id), trace.Inside, "turn"); span.On() {
			t.Errorf("%.40q is traced", id)
		}
	}
}

// The operator is told once that the collector takes nothing, and once that it does
// again.
func TestTheOperatorIsToldOfACollectorThatIsAway(t *testing.T) {
	t.Parallel()
	tests := map[string]func(t *testing.T, c *tracetest.Collector) (url string, mend func()){
		"it answers errors": func(_ *testing.T, c *tracetest.Collector) (string, func()) {
			c.Answer(http.StatusServiceUnavailable)
			return c.URL, func() { c.Answer(http.StatusOK) }
		},
		"it is not there": func(t *testing.T, c *tracetest.Collector) (string, func()) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			address := l.Addr().String()
			l.Close()
			return "http://" + address, nil
		},
	}
	for name, breaks := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			collector, told := tracetest.New(t), newJournal()
			url, mend := breaks(t, collector)
			tr := tracer(t, trace.Options{URL: url, Log: slog.New(slog.NewTextHandler(told, nil))})
			for range 3 {
				_, span := tr.Request(context.Background(), nil)
				span.End()
				told.wait(t, "the collector does not take spans")
			}
			if mend != nil {
				mend()
				_, span := tr.Request(context.Background(), nil)
				span.End()
				told.wait(t, "the collector takes spans again")
			}
			if err := tr.Stop(context.Background()); err != nil {
				t.Error(err)
			}
			if n := strings.Count(told.String(), "does not take spans"); n != 1 {
				t.Errorf("it is said %d times:\n%s", n, told)
			}
		})
	}
}

// Whoever ends spans never waits for a collector that hangs, nor does a stop beyond
// its time; what there is no room for is dropped.
func TestACollectorThatHangsHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	asked, release := make(chan struct{}, 1), make(chan struct{})
	hangs := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		select {
		case asked <- struct{}{}:
		default:
		}
		<-release
	}))
	t.Cleanup(hangs.Close)
	t.Cleanup(func() { close(release) })
	told := newJournal()
	tr := tracer(t, trace.Options{URL: hangs.URL, Log: slog.New(slog.NewTextHandler(told, nil))})
	for i := range 20000 { // more than there is room for
		_, span := tr.Request(context.Background(), nil)
		span.End()
		if i == 0 {
			<-asked
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := tr.Stop(ctx); err == nil {
		t.Error("the stop waits for the collector")
	}
}

// A collector that is slower than spans come makes the operator hear of those that
// are dropped.
func TestTheOperatorIsToldOfDroppedSpans(t *testing.T) {
	t.Parallel()
	asked, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		once.Do(func() {
			close(asked)
			<-release
		})
	}))
	t.Cleanup(slow.Close)
	told := newJournal()
	tr := tracer(t, trace.Options{URL: slow.URL, Log: slog.New(slog.NewTextHandler(told, nil))})
	const all = 20000
	for i := range all {
		_, span := tr.Request(context.Background(), nil)
		span.End()
		if i == 0 {
			<-asked
		}
	}
	close(release)
	told.wait(t, "the collector is too slow")
	told.wait(t, "the collector takes spans again")
	if strings.Contains(told.String(), fmt.Sprintf("dropped=%d", all)) {
		t.Errorf("all were dropped:\n%s", told)
	}
}
