package api

import (
	"time"

	jsonv2 "github.com/go-json-experiment/json"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

func (a *API) listCaptures(r *request) (any, error) {
	page, err := r.page()
	if err != nil {
		return nil, err
	}
	filter, err := captureFilter(r)
	if err != nil {
		return nil, err
	}
	if filter.AgentID, err = a.agentInQuery(r); err != nil {
		return nil, err
	}
	captures, err := a.store.Captures(r.Context(), r.owner, filter, page)
	if err != nil {
		return nil, err
	}
	return wire.CaptureList(captures), nil
}

func (a *API) getCapture(r *request) (any, error) {
	id, err := r.pathID("capture_id", "capture")
	if err != nil {
		return nil, err
	}
	capture, err := a.store.Capture(r.Context(), r.owner, id)
	if err != nil {
		return nil, err
	}
	return tagged{captureTag(capture), wire.CaptureEnvelope(capture)}, nil
}

func captureFilter(r *request) (f frontdesk.CaptureFilter, err error) {
	f = frontdesk.CaptureFilter{Status: frontdesk.CaptureStatus(r.text("status")), Kind: r.text("kind")}
	if f.ScheduledFrom, err = r.localTime("scheduled_from"); err != nil {
		return f, err
	}
	if f.ScheduledTo, err = r.localTime("scheduled_to"); err != nil {
		return f, err
	}
	if f.UpdatedFrom, err = r.instant("updated_from"); err != nil {
		return f, err
	}
	if phone, given := r.query["phone"].(string); given {
		if f.PhoneTail = frontdesk.PhoneTail(phone); f.PhoneTail == "" {
			return f, frontdesk.InvalidParam("phone", "phone must be a telephone number of six digits or more, in any spelling.")
		}
	}
	return f, nil
}

func (a *API) patchCapture(r *request) (any, error) {
	var patch struct {
		Status frontdesk.CaptureStatus `json:"status"`
	}
	if err := r.decode("CapturePatch", &patch); err != nil {
		return nil, err
	}
	who, id, err := a.captureOf(r)
	if err != nil {
		return nil, err
	}
	capture, err := a.calendar.SetStatus(r.Context(), who, id, patch.Status, a.now())
	if err != nil {
		return nil, err
	}
	return tagged{captureTag(capture), wire.CaptureEnvelope(capture)}, nil
}

func (a *API) createCapture(r *request) (any, error) {
	var in struct {
		Agent   *string `json:"agent"`
		AgentID *string `json:"agent_id"`
		captureFields
		Kind   string                  `json:"kind"`
		Status frontdesk.CaptureStatus `json:"status"`
	}
	if err := r.decode("CaptureInput", &in); err != nil {
		return nil, err
	}
	at, err := in.check()
	if err != nil {
		return nil, err
	}
	agent, err := a.agentInBody(r, in.Agent, in.AgentID)
	if err != nil {
		return nil, err
	}
	capture, err := a.calendar.Enter(r.Context(), a.bookOf(r, agent), calendar.Entry{
		Kind: in.Kind, ScheduledAt: at, Service: in.Service.value, ServiceID: in.ServiceID.value, ResourceID: in.ResourceID.value,
		Party: in.PartySize.value, Duration: in.Duration.value, Name: in.Name.value, Phone: in.Phone.value, Email: in.Email.value,
		Notes: in.Notes.value, Status: in.Status, Source: frontdesk.FromAPI, Force: in.Force, Now: a.now(),
	})
	if err != nil {
		return nil, err
	}
	return created{tagged{captureTag(capture), wire.CaptureEnvelope(capture)}}, nil
}

func (a *API) changeCapture(r *request) (any, error) {
	var in captureFields
	if err := r.decode("CaptureChange", &in); err != nil {
		return nil, err
	}
	at, err := in.check()
	if err != nil {
		return nil, err
	}
	who, id, err := a.captureOf(r)
	if err != nil {
		return nil, err
	}
	patch := calendar.Patch{
		Service: in.Service.given(), ServiceID: in.ServiceID.given(), ResourceID: in.ResourceID.given(), Party: in.PartySize.given(),
		Duration: in.Duration.given(), Name: in.Name.given(), Phone: in.Phone.given(), Email: in.Email.given(), Notes: in.Notes.given(),
		Force: in.Force, Now: a.now(), Unless: r.unlessCaptureMatches,
	}
	if in.ScheduledAt.set {
		patch.ScheduledAt = &at
	}
	capture, err := a.calendar.Change(r.Context(), who, id, patch)
	if err != nil {
		return nil, err
	}
	return tagged{captureTag(capture), wire.CaptureEnvelope(capture)}, nil
}

// captureFields are what of a capture a business can write.
type captureFields struct {
	ScheduledAt optional[string] `json:"scheduled_at"`
	Service     optional[string] `json:"service"`
	ServiceID   optional[string] `json:"service_id"`
	ResourceID  optional[string] `json:"resource_id"`
	PartySize   optional[int]    `json:"party_size"`
	Duration    optional[int]    `json:"duration_minutes"`
	Name        optional[string] `json:"customer_name"`
	Phone       optional[string] `json:"customer_phone"`
	Email       optional[string] `json:"customer_email"`
	Notes       optional[string] `json:"notes"`
	Force       bool             `json:"force"`
}

// check holds the fields to what their schema cannot say, and reads the time.
func (f captureFields) check() (frontdesk.LocalTime, error) {
	if f.ScheduledAt.value == "" {
		return "", nil
	}
	at, err := time.Parse("2006-01-02T15:04:05", f.ScheduledAt.value)
	if err != nil {
		return "", frontdesk.InvalidParam("scheduled_at", "scheduled_at must be a local time without an offset, such as 2026-11-20T17:30:00.")
	}
	return frontdesk.LocalTimeOf(at), nil
}

// optional is a property that may be missing, or null.
type optional[T any] struct {
	set   bool
	value T
}

func (o *optional[T]) UnmarshalJSON(text []byte) error {
	o.set = true
	if string(text) == "null" {
		return nil
	}
	return jsonv2.Unmarshal(text, &o.value)
}

// given is the value to write, nothing for null; nil when it is missing.
func (o optional[T]) given() *T {
	if !o.set {
		return nil
	}
	return &o.value
}

// captureOf is the book that the capture of the request stands in.
func (a *API) captureOf(r *request) (calendar.Caller, frontdesk.ID, error) {
	id, err := r.pathID("capture_id", "capture")
	if err != nil {
		return calendar.Caller{}, "", err
	}
	capture, err := a.store.Capture(r.Context(), r.owner, id)
	if err != nil {
		return calendar.Caller{}, "", err
	}
	agent := frontdesk.Agent{Timezone: capture.Timezone}
	if capture.AgentID != "" {
		if agent, err = a.store.Agent(r.Context(), r.owner, capture.AgentID); err != nil {
			return calendar.Caller{}, "", err
		}
	}
	return a.bookOf(r, agent), id, nil
}

// bookOf is the book of an agent, for the customer who asks.
func (a *API) bookOf(r *request, agent frontdesk.Agent) calendar.Caller {
	return calendar.Caller{
		By: r.by(), Tenant: r.caller.Tenant, Agent: agent, Services: catalogue.Read(agent).Services, Live: r.owner.Live, Channel: frontdesk.Web,
	}
}

// agentInBody is the agent that a body names, by slug or by id.
func (a *API) agentInBody(r *request, slug, id *string) (agent frontdesk.Agent, err error) {
	switch {
	case slug != nil && id != nil:
		return agent, frontdesk.InvalidParam("agent_id", "Name the agent once: by agent, its slug, or by agent_id.")
	case id != nil:
		return a.agentWithID(r, *id)
	case !exchange.Storable(*slug):
		err = frontdesk.Missing("agent")
	default:
		agent, err = a.store.AgentBySlug(r.Context(), r.owner, *slug)
	}
	if e := exchange.Domain(err); e != nil && e.Kind == frontdesk.NotFound {
		within := *e
		within.Param = "agent"
		return agent, &within
	}
	return agent, err
}

// captureTag is the version of a capture.
func captureTag(c frontdesk.Capture) string { return `"` + wire.Time(c.UpdatedAt) + `"` }

// unlessCaptureMatches refuses to change a capture that is not the version that
// If-Match names.
func (r *request) unlessCaptureMatches(c frontdesk.Capture) error {
	return r.unlessMatches(captureTag(c))
}
