package cli

import (
	"context"

	"frontdesk.dev/frontdesk/internal/app"
)

// checkTraces sees whether the collector takes traces. Without it nothing but traces
// is missing, so that it only warns.
func (d *doctor) checkTraces() {
	const check = "traces"
	if d.settings.TracesURL == "" {
		return
	}
	ctx, cancel := context.WithTimeout(d.ctx, lookTime)
	defer cancel()
	if err := app.CheckTraces(ctx, d.settings); err != nil {
		d.warn(check, "See that the collector runs, takes OTLP over HTTP and is reached at FRONTDESK_TRACES_URL, and correct FRONTDESK_TRACES_HEADERS. Until then serve works without traces.",
			"the collector at %s takes no traces: %v", d.settings.TracesURL, err)
		return
	}
	d.ok(check, "the collector at %s takes traces", d.settings.TracesURL)
}
