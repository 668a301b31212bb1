package frontdesk

import (
	"context"
	"iter"
	"net/http"
)

// CallsClient reads calls.
type CallsClient struct{ client *Client }

// List returns a page of calls, newest first.
func (c *CallsClient) List(ctx context.Context, params CallListParams, opts ...RequestOptions) (*Page[Call], error) {
	return list[Call](ctx, c.client, "/calls", params.query(), opts)
}

// All goes over all calls, newest first.
func (c *CallsClient) All(ctx context.Context, params CallListParams, opts ...RequestOptions) iter.Seq2[Call, error] {
	return all(ctx, func() (*Page[Call], error) { return c.List(ctx, params, opts...) })
}

// Get returns a call with its transcript.
func (c *CallsClient) Get(ctx context.Context, id string, opts ...RequestOptions) (*CallDetail, error) {
	return one[CallDetail](ctx, c.client, "call", http.MethodGet, "/calls/%s", []string{id}, nil, opts)
}
