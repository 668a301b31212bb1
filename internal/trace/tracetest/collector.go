// Package tracetest is a collector of OpenTelemetry for tests: it takes spans over
// HTTP as a real one does, and lets a test wait for those that it is about.
package tracetest

import (
	"bytes"
	"context"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Collector takes spans.
type Collector struct {
	URL string

	mu     sync.Mutex
	spans  []Span
	raw    bytes.Buffer
	header http.Header
	status int
	news   chan struct{} // closed when there are more
}

// Span is a span as it came.
type Span struct {
	Trace, ID, Parent string // in hex
	Name              string
	Kind              tracepb.Span_SpanKind
	Start, End        time.Time
	Failed            bool
	Attrs             map[string]any
}

// New returns a collector that lasts as long as the test.
func New(t testing.TB) *Collector {
	c := &Collector{news: make(chan struct{}), status: http.StatusOK}
	server := httptest.NewServer(http.HandlerFunc(c.take))
	t.Cleanup(server.Close)
	c.URL = server.URL
	return c
}

// Answer has all requests answered with a status from here on. What is answered with
// another than 200 is not taken.
func (c *Collector) Answer(status int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.status = status
}

// Raw is everything that was sent.
func (c *Collector) Raw() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return bytes.Clone(c.raw.Bytes())
}

// Header is that of the last request.
func (c *Collector) Header() http.Header {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.header.Clone()
}

// Spans are those that have come so far, in their order.
func (c *Collector) Spans() []Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.spans)
}

// Wait waits until one span is there that fits, and returns it.
func (c *Collector) Wait(t testing.TB, what string, fits func(Span) bool) Span {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		c.mu.Lock()
		i, news := slices.IndexFunc(c.spans, fits), c.news
		c.mu.Unlock()
		if i >= 0 {
			return c.Spans()[i]
		}
		select {
		case <-news:
		case <-ctx.Done():
			var have []string
			for _, s := range c.Spans() {
				have = append(have, s.Name)
			}
			t.Fatalf("there is no %s among %q", what, have)
		}
	}
}

// Named is a span with a name.
func Named(name string) func(Span) bool { return func(s Span) bool { return s.Name == name } }

// In is a span with a name in a trace.
func In(trace, name string) func(Span) bool {
	return func(s Span) bool { return s.Trace == trace && s.Name == name }
}

func (c *Collector) take(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var sent tracepb.TracesData
	if err == nil {
		err = proto.Unmarshal(body, &sent)
	}
	if err != nil || r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/x-protobuf" {
		http.Error(w, "not what a collector takes", http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.header = r.Header.Clone()
	w.WriteHeader(c.status)
	if c.status != http.StatusOK {
		return
	}
	c.raw.Write(body)
	for _, resource := range sent.ResourceSpans {
		for _, scope := range resource.ScopeSpans {
			for _, s := range scope.Spans {
				c.spans = append(c.spans, read(s))
			}
		}
	}
	close(c.news)
	c.news = make(chan struct{})
}

func read(s *tracepb.Span) Span {
	read := Span{
		Trace: hex.EncodeToString(s.TraceId), ID: hex.EncodeToString(s.SpanId), Parent: hex.EncodeToString(s.ParentSpanId),
		Name: s.Name, Kind: s.Kind, Start: time.Unix(0, int64(s.StartTimeUnixNano)), End: time.Unix(0, int64(s.EndTimeUnixNano)),
		Failed: s.Status.GetCode() == tracepb.Status_STATUS_CODE_ERROR, Attrs: map[string]any{},
	}
	for _, a := range s.Attributes {
		switch v := a.Value.Value.(type) {
		case *commonpb.AnyValue_StringValue:
			read.Attrs[a.Key] = v.StringValue
		case *commonpb.AnyValue_IntValue:
			read.Attrs[a.Key] = int(v.IntValue)
		case *commonpb.AnyValue_BoolValue:
			read.Attrs[a.Key] = v.BoolValue
		}
	}
	return read
}
