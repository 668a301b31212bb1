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
	o, err := tracesTo(s)
	if err != nil {
		return nil, err
	}
	o.Version, o.Log = p.version, p.log
	t, err := trace.New(o)
	if err != nil {
		return nil, fmt.Errorf("reading FRONTDESK_TRACES_URL: %w", err)
	}
	p.log.Info("traces are sent", "collector", s.TracesURL, "ratio", s.TracesRatio)
	return t, nil
}

// tracesTo are the options of a collector as the settings name it.
func tracesTo(s config.Settings) (trace.Options, error) {
	client, err := vendorClient("FRONTDESK_TRACES_URL", s.TracesURL, collectorTime)
	if err != nil {
		return trace.Options{}, err
	}
	headers, err := s.TracesHeaderValues()
	if err != nil {
		return trace.Options{}, fmt.Errorf("reading FRONTDESK_TRACES_HEADERS: %w", err)
	}
	return trace.Options{URL: s.TracesURL, Headers: headers, Client: client, Ratio: s.TracesRatio}, nil
}

// CheckTraces says why the collector of traces takes none. The settings must name
// one.
func CheckTraces(ctx context.Context, s config.Settings) error {
	o, err := tracesTo(s)
	if err != nil {
		return err
	}
	return trace.Check(ctx, o)
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
