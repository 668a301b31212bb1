package api

import (
	"net/http"

	"frontdesk.dev/frontdesk/internal/trace"
)

// traced begins the span of a request.
func (a *API) traced(hr *http.Request) (*http.Request, trace.Span) {
	if a.tracer == nil {
		return hr, trace.Span{}
	}
	ctx, span := a.tracer.Request(hr.Context(), hr.Header)
	return hr.WithContext(ctx), span
}

// describe says what was asked for, by whom and how it ended: the pattern of the
// address, not the address, and nothing of the query or of bodies.
func (a *API) describe(span trace.Span, r *request, ans answer) {
	if !span.On() {
		return
	}
	span.Set(trace.Text("frontdesk.request_id", shown(r.id)), trace.Number("http.response.status_code", ans.status))
	if r.route != nil {
		span.Name(r.route.operation)
		span.Set(trace.Text("http.request.method", r.route.method), trace.Text("http.route", "/v1"+r.route.operation[len(r.route.method)+1:]))
	}
	if r.caller.Key.ID != "" {
		span.Set(trace.Text("frontdesk.tenant", string(r.caller.Tenant.ID)), trace.Text("frontdesk.key", string(r.caller.Key.ID)), trace.Yes("frontdesk.live", r.caller.Key.Live))
	}
	if ans.code != "" {
		span.Set(trace.Text("frontdesk.code", ans.code))
	}
	if ans.status >= http.StatusInternalServerError {
		span.Fail(ans.code)
	}
}
