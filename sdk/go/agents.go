package frontdesk

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"net/url"
)

// AgentsClient reads and changes agents.
type AgentsClient struct {
	client *Client
	// History are the versions that an agent had.
	History *AgentHistoryClient
	// Calendar is when an agent can be booked.
	Calendar *AgentCalendarClient
}

// List returns all agents, as one page.
func (a *AgentsClient) List(ctx context.Context, opts ...RequestOptions) (*Page[Agent], error) {
	return whole[Agent](ctx, a.client, "agents", "/agents", opts)
}

// All goes over all agents.
func (a *AgentsClient) All(ctx context.Context, opts ...RequestOptions) iter.Seq2[Agent, error] {
	return all(ctx, func() (*Page[Agent], error) { return a.List(ctx, opts...) })
}

// Get returns an agent.
func (a *AgentsClient) Get(ctx context.Context, slug string, opts ...RequestOptions) (*Agent, error) {
	return one[Agent](ctx, a.client, "agent", http.MethodGet, "/agents/%s", []string{slug}, nil, opts)
}

// Update changes what patch has. Business, Assistant and Voice are changed field
// by field; Hours, Menu, Products, Services and Listings are replaced whole.
// RequestOptions.IfMatch takes the ETag of a Get.
func (a *AgentsClient) Update(ctx context.Context, slug string, patch AgentPatch, opts ...RequestOptions) (*Agent, error) {
	return one[Agent](ctx, a.client, "agent", http.MethodPatch, "/agents/%s", []string{slug}, patch, opts)
}

// Preview says what Update would change, and changes nothing.
func (a *AgentsClient) Preview(ctx context.Context, slug string, patch AgentPatch, opts ...RequestOptions) (*AgentChanged, error) {
	path, err := pathTo("/agents/%s", slug)
	if err != nil {
		return nil, err
	}
	return send[AgentChanged](ctx, a.client, http.MethodPatch, path, url.Values{"dry_run": {"true"}}, patch, opts)
}

// Availability returns the free places of each day. From is included, To is not.
func (a *AgentsClient) Availability(ctx context.Context, slug string, params AvailabilityParams, opts ...RequestOptions) (*Availability, error) {
	path, err := pathTo("/agents/%s/availability", slug)
	if err != nil {
		return nil, err
	}
	return get[Availability](ctx, a.client, path, params.query(), opts)
}

// Agenda returns the appointments of each day. From is included, To is not.
func (a *AgentsClient) Agenda(ctx context.Context, slug string, params AgendaParams, opts ...RequestOptions) (*Agenda, error) {
	path, err := pathTo("/agents/%s/agenda", slug)
	if err != nil {
		return nil, err
	}
	return get[Agenda](ctx, a.client, path, params.query(), opts)
}

// AgentHistoryClient reads the versions that an agent had, and brings one back.
type AgentHistoryClient struct{ client *Client }

// List returns a page of an agent's versions, newest first.
func (h *AgentHistoryClient) List(ctx context.Context, slug string, params AgentHistoryListParams, opts ...RequestOptions) (*Page[Revision], error) {
	path, err := pathTo("/agents/%s/history", slug)
	if err != nil {
		return nil, err
	}
	return list[Revision](ctx, h.client, path, params.query(), opts)
}

// All goes over all of an agent's versions, newest first.
func (h *AgentHistoryClient) All(ctx context.Context, slug string, params AgentHistoryListParams, opts ...RequestOptions) iter.Seq2[Revision, error] {
	return all(ctx, func() (*Page[Revision], error) { return h.List(ctx, slug, params, opts...) })
}

// Get returns a version with all that the agent was then.
func (h *AgentHistoryClient) Get(ctx context.Context, slug, revision string, opts ...RequestOptions) (*RevisionDetail, error) {
	return one[RevisionDetail](ctx, h.client, "revision", http.MethodGet, "/agents/%s/history/%s", []string{slug, revision}, nil, opts)
}

// Restore makes the agent what it was. That is a version of its own.
func (h *AgentHistoryClient) Restore(ctx context.Context, slug, revision string, opts ...RequestOptions) (*Agent, error) {
	return one[Agent](ctx, h.client, "agent", http.MethodPost, "/agents/%s/history/%s/restore", []string{slug, revision}, nil, opts)
}

// AgentCalendarClient reads and replaces an agent's hours, exceptions and
// resources.
type AgentCalendarClient struct{ client *Client }

// Get returns an agent's calendar.
func (c *AgentCalendarClient) Get(ctx context.Context, slug string, opts ...RequestOptions) (*Calendar, error) {
	path, err := pathTo("/agents/%s/calendar", slug)
	if err != nil {
		return nil, err
	}
	return get[Calendar](ctx, c.client, path, nil, opts)
}

// Replace replaces the whole calendar: what is left out has its default. Read
// it, change it, and send it all, with the ETag of the Get as
// RequestOptions.IfMatch.
func (c *AgentCalendarClient) Replace(ctx context.Context, slug string, calendar Calendar, opts ...RequestOptions) (*Calendar, error) {
	path, err := pathTo("/agents/%s/calendar", slug)
	if err != nil {
		return nil, err
	}
	return send[Calendar](ctx, c.client, http.MethodPut, path, nil, calendar, opts)
}

// ServiceID is what the API calls the service by, in CaptureInput.ServiceID and
// in AvailabilityParams.ServiceID: its id, or its name where it has none.
func (v Service) ServiceID() string {
	var id string
	if err := json.Unmarshal(v.Extra["id"], &id); err != nil || id == "" {
		return v.Name
	}
	return id
}
