package frontdesk

import (
	"context"
	"iter"
)

// ScopesClient reads what keys can be granted.
type ScopesClient struct{ client *Client }

// List returns all scopes, and of each whether this key has it, as one page.
func (s *ScopesClient) List(ctx context.Context, opts ...RequestOptions) (*Page[Scope], error) {
	return whole[Scope](ctx, s.client, "scopes", "/scopes", opts)
}

// All goes over all scopes.
func (s *ScopesClient) All(ctx context.Context, opts ...RequestOptions) iter.Seq2[Scope, error] {
	return all(ctx, func() (*Page[Scope], error) { return s.List(ctx, opts...) })
}

// UsageClient reads how much was talked.
type UsageClient struct{ client *Client }

// Get returns the seconds and calls of the last periods, and what the plan
// includes.
func (u *UsageClient) Get(ctx context.Context, opts ...RequestOptions) (*Usage, error) {
	return get[Usage](ctx, u.client, "/usage", nil, opts)
}

// VoicesClient reads what agents can speak with.
type VoicesClient struct{ client *Client }

// List returns all voices, as one page.
func (v *VoicesClient) List(ctx context.Context, opts ...RequestOptions) (*Page[Voice], error) {
	return whole[Voice](ctx, v.client, "voices", "/voices", opts)
}

// All goes over all voices.
func (v *VoicesClient) All(ctx context.Context, opts ...RequestOptions) iter.Seq2[Voice, error] {
	return all(ctx, func() (*Page[Voice], error) { return v.List(ctx, opts...) })
}

// AnalyticsClient counts calls.
type AnalyticsClient struct{ client *Client }

// Get counts calls by day and hour, over 30 days unless params say otherwise.
func (a *AnalyticsClient) Get(ctx context.Context, params AnalyticsParams, opts ...RequestOptions) (*Analytics, error) {
	return get[Analytics](ctx, a.client, "/analytics", params.query(), opts)
}
