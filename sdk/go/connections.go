package frontdesk

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
)

// ConnectorsClient reads the kinds of connections there are.
type ConnectorsClient struct{ client *Client }

// List returns a page of connectors.
func (c *ConnectorsClient) List(ctx context.Context, params ConnectorListParams, opts ...RequestOptions) (*Page[Connector], error) {
	return list[Connector](ctx, c.client, "/connectors", params.query(), opts)
}

// All goes over all connectors.
func (c *ConnectorsClient) All(ctx context.Context, params ConnectorListParams, opts ...RequestOptions) iter.Seq2[Connector, error] {
	return all(ctx, func() (*Page[Connector], error) { return c.List(ctx, params, opts...) })
}

// ConnectionsClient reads, makes and changes connections: the webhooks.
type ConnectionsClient struct{ client *Client }

// ConnectionPage is a page of connections, with how many there may be.
type ConnectionPage struct {
	Page[Connection]
	Limits ConnectionLimits
}

// List returns a page of connections, newest first.
func (c *ConnectionsClient) List(ctx context.Context, params ConnectionListParams, opts ...RequestOptions) (*ConnectionPage, error) {
	page, err := list[Connection](ctx, c.client, "/connections", params.query(), opts)
	if err != nil {
		return nil, err
	}
	with := &ConnectionPage{Page: *page}
	return with, takeLimits(with.Extra, &with.Limits)
}

// takeLimits reads the limits that come with some lists.
func takeLimits(extra map[string]json.RawMessage, to any) error {
	text, there := extra["limits"]
	if !there {
		return nil
	}
	if err := json.Unmarshal(text, to); err != nil {
		return fmt.Errorf("frontdesk: reading the limits of the list: %w", err)
	}
	delete(extra, "limits")
	return nil
}

// All goes over all connections, newest first.
func (c *ConnectionsClient) All(ctx context.Context, params ConnectionListParams, opts ...RequestOptions) iter.Seq2[Connection, error] {
	return all(ctx, func() (*Page[Connection], error) {
		return list[Connection](ctx, c.client, "/connections", params.query(), opts)
	})
}

// Get returns a connection.
func (c *ConnectionsClient) Get(ctx context.Context, id string, opts ...RequestOptions) (*Connection, error) {
	return one[Connection](ctx, c.client, "connection", http.MethodGet, "/connections/%s", []string{id}, nil, opts)
}

// Create makes a connection. Its Secret is shown here and never again.
func (c *ConnectionsClient) Create(ctx context.Context, in ConnectionInput, opts ...RequestOptions) (*ConnectionWithSecret, error) {
	return one[ConnectionWithSecret](ctx, c.client, "connection", http.MethodPost, "/connections", nil, in, opts)
}

// Update changes what patch has.
func (c *ConnectionsClient) Update(ctx context.Context, id string, patch ConnectionPatch, opts ...RequestOptions) (*Connection, error) {
	return one[Connection](ctx, c.client, "connection", http.MethodPatch, "/connections/%s", []string{id}, patch, opts)
}

// Delete ends a connection and its deliveries.
func (c *ConnectionsClient) Delete(ctx context.Context, id string, opts ...RequestOptions) (*DeletedConnection, error) {
	path, err := pathTo("/connections/%s", id)
	if err != nil {
		return nil, err
	}
	deleted, err := send[DeletedConnection](ctx, c.client, http.MethodDelete, path, nil, nil, opts)
	if err == nil {
		deleted.ID = cmp.Or(deleted.ID, id)
	}
	return deleted, err
}

// Enable makes a connection send again.
func (c *ConnectionsClient) Enable(ctx context.Context, id string, opts ...RequestOptions) (*Connection, error) {
	return one[Connection](ctx, c.client, "connection", http.MethodPost, "/connections/%s/enable", []string{id}, nil, opts)
}

// Disable makes a connection keep what it would send.
func (c *ConnectionsClient) Disable(ctx context.Context, id string, in DisableInput, opts ...RequestOptions) (*Connection, error) {
	return one[Connection](ctx, c.client, "connection", http.MethodPost, "/connections/%s/disable", []string{id}, in, opts)
}

// Test sends a signed test event to a connection, now.
func (c *ConnectionsClient) Test(ctx context.Context, id string, opts ...RequestOptions) (*TestResult, error) {
	path, err := pathTo("/connections/%s/test", id)
	if err != nil {
		return nil, err
	}
	return send[TestResult](ctx, c.client, http.MethodPost, path, nil, nil, opts)
}

// RotateSecret gives a connection a new secret, shown here and never again. The
// old one signs beside it for a day, unless in says otherwise.
func (c *ConnectionsClient) RotateSecret(ctx context.Context, id string, in RotateInput, opts ...RequestOptions) (*ConnectionWithSecret, error) {
	return one[ConnectionWithSecret](ctx, c.client, "connection", http.MethodPost, "/connections/%s/rotate-secret", []string{id}, in, opts)
}

// SetAdditionalEvents replaces the kinds of events that are subscribed beside
// Connection.Events; none ends them.
func (c *ConnectionsClient) SetAdditionalEvents(ctx context.Context, id string, events []AdditionalEventType, opts ...RequestOptions) (*Connection, error) {
	if events == nil {
		events = []AdditionalEventType{}
	}
	return one[Connection](ctx, c.client, "connection", http.MethodPut, "/connections/%s/additional-events", []string{id}, AdditionalEvents{Events: events}, opts)
}

// Deliveries returns a page of what a connection was sent, newest first.
func (c *ConnectionsClient) Deliveries(ctx context.Context, id string, params DeliveryListParams, opts ...RequestOptions) (*Page[Delivery], error) {
	path, err := pathTo("/connections/%s/deliveries", id)
	if err != nil {
		return nil, err
	}
	return list[Delivery](ctx, c.client, path, params.query(), opts)
}

// AllDeliveries goes over all that a connection was sent, newest first.
func (c *ConnectionsClient) AllDeliveries(ctx context.Context, id string, params DeliveryListParams, opts ...RequestOptions) iter.Seq2[Delivery, error] {
	return all(ctx, func() (*Page[Delivery], error) { return c.Deliveries(ctx, id, params, opts...) })
}

// DeliveriesClient sends deliveries again.
type DeliveriesClient struct{ client *Client }

// Retry makes one attempt now, and says whether it arrived.
func (d *DeliveriesClient) Retry(ctx context.Context, id string, opts ...RequestOptions) (*RetryResult, error) {
	path, err := pathTo("/deliveries/%s/retry", id)
	if err != nil {
		return nil, err
	}
	return send[RetryResult](ctx, d.client, http.MethodPost, path, nil, nil, opts)
}
