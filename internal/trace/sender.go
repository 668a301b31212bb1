package trace

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// sender posts spans to a collector, as OTLP over HTTP wants them. The exporter of
// OpenTelemetry's own would bring gRPC along, and take settings from variables that
// are not ours.
type sender struct {
	url     string
	headers map[string]string
	client  *http.Client
}

func newSender(o Options) (sender, error) {
	u, err := url.Parse(o.URL)
	if err != nil {
		return sender{}, err
	}
	if strings.Trim(u.Path, "/") == "" {
		u = u.JoinPath("v1/traces")
	}
	return sender{u.String(), o.Headers, o.Client}, nil
}

// Check sends the collector a request without spans, and says why it does not take
// it.
func Check(ctx context.Context, o Options) error {
	s, err := newSender(o)
	if err != nil {
		return err
	}
	return s.UploadTraces(ctx, nil)
}

// Start and Stop have nothing to do: each request stands for itself.
func (s sender) Start(context.Context) error { return nil }

// Stop ends nothing.
func (s sender) Stop(context.Context) error { return nil }

// UploadTraces sends spans. What the collector says about an error is not read: a
// stranger may have written it.
func (s sender) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	// On the wire it is the same as the request of the collector's service.
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans})
	if err != nil {
		return fmt.Errorf("encoding spans: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	for name, value := range s.headers {
		request.Header.Set(name, value)
	}
	request.Header.Set("Content-Type", "application/x-protobuf")
	answer, err := s.client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	const most = 64 << 10
	if _, err := io.CopyN(io.Discard, answer.Body, most); err != nil && err != io.EOF {
		return fmt.Errorf("reading the collector's answer: %w", err)
	}
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("the collector answered %d", answer.StatusCode)
	}
	return nil
}
