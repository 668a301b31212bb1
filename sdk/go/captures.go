package frontdesk

import (
	"context"
	"iter"
	"net/http"
)

// CapturesClient reads, makes and changes captures: appointments, leads,
// orders, messages.
type CapturesClient struct{ client *Client }

// List returns a page of captures, newest first.
func (c *CapturesClient) List(ctx context.Context, params CaptureListParams, opts ...RequestOptions) (*Page[Capture], error) {
	return list[Capture](ctx, c.client, "/captures", params.query(), opts)
}

// All goes over all captures, newest first.
func (c *CapturesClient) All(ctx context.Context, params CaptureListParams, opts ...RequestOptions) iter.Seq2[Capture, error] {
	return all(ctx, func() (*Page[Capture], error) { return c.List(ctx, params, opts...) })
}

// Get returns a capture.
func (c *CapturesClient) Get(ctx context.Context, id string, opts ...RequestOptions) (*Capture, error) {
	return one[Capture](ctx, c.client, "capture", http.MethodGet, "/captures/%s", []string{id}, nil, opts)
}

// Create makes an appointment or a lead. Where the time is not free the error
// is an ErrConflict whose message says what is.
func (c *CapturesClient) Create(ctx context.Context, in CaptureInput, opts ...RequestOptions) (*Capture, error) {
	return one[Capture](ctx, c.client, "capture", http.MethodPost, "/captures", nil, in, opts)
}

// SetStatus confirms or cancels a capture, or marks it as a no-show.
func (c *CapturesClient) SetStatus(ctx context.Context, id string, status CaptureStatus, opts ...RequestOptions) (*Capture, error) {
	return one[Capture](ctx, c.client, "capture", http.MethodPatch, "/captures/%s", []string{id}, CapturePatch{Status: status}, opts)
}

// Change moves a capture or changes what it says. It keeps its id and its
// confirmation code. RequestOptions.IfMatch takes the ETag of a Get.
func (c *CapturesClient) Change(ctx context.Context, id string, change CaptureChange, opts ...RequestOptions) (*Capture, error) {
	return one[Capture](ctx, c.client, "capture", http.MethodPost, "/captures/%s/change", []string{id}, change, opts)
}
