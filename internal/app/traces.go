package app

import (
	"context"
	"fmt"
	"time"

	"frontdesk.dev/frontdesk/internal/config"
	"frontdesk.dev/frontdesk/internal/trace"
)

const (
	// collectorTime bounds one request to the collector of traces.
	collectorTime = 10 * time.Second
	// lastTraces is how long a stop waits for the collector at most.
	lastTraces = time.Second
)

// openTracer returns what tells a collector of requests, conversations and
// deliveries, nil when the settings name none.
func (p *parts) openTracer(s config.Settings) (*trace.Tracer, error) {
	if s.TracesURL == "" {
		return nil, nil
	}
	client, err := vendorClient("FRONTDESK_TRACES_URL", s.TracesURL, collectorTime)
	if err != nil {
		return nil, err
	}
	headers, err := s.TracesHeaderValues()
	if err != nil {
		return nil, fmt.Errorf("reading FRONTDESK_TRACES_HEADERS: %w", err)
	}
	t, err := trace.New(trace.Options{URL: s.TracesURL, Headers: headers, Client: client, Ratio: s.TracesRatio, Version: p.version, Log: p.log})
	if err != nil {
		return nil, fmt.Errorf("reading FRONTDESK_TRACES_URL: %w", err)
	}
	p.log.Info("traces are sent", "collector", s.TracesURL, "ratio", s.TracesRatio)
	return t, nil
}

// sendLastTraces sends what is left of traces, while there is time for it.
func (p *parts) sendLastTraces() {
	left := time.Until(p.stopBy.Add(-lastMoments(p.settings.StopTimeout) * 2 / 3))
	ctx, cancel := context.WithTimeout(context.Background(), min(lastTraces, left))
	defer cancel()
	if err := p.tracer.Stop(ctx); err != nil {
		p.log.Warn("the last traces were not sent: the collector did not take them in time", "collector", p.settings.TracesURL)
	}
}
