package frontdesk

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// Client speaks with one server by one API key. Make it with New, once, and
// share it.
type Client struct {
	// Scopes are what keys can be granted.
	Scopes *ScopesClient
	// Usage is how much was talked.
	Usage *UsageClient
	// Voices are what agents can speak with.
	Voices *VoicesClient
	// Analytics counts calls by day and hour.
	Analytics *AnalyticsClient
	// Agents are the receptionists.
	Agents *AgentsClient
	// Calls are the conversations that were had.
	Calls *CallsClient
	// Captures are what came of them: appointments, leads, orders, messages.
	Captures *CapturesClient
	// Notices are what was sent to people.
	Notices *NoticesClient
	// Events are what webhooks carry, to catch up with those that were missed.
	Events *EventsClient
	// Connectors are the kinds of connections there are.
	Connectors *ConnectorsClient
	// Connections are the webhooks.
	Connections *ConnectionsClient
	// Deliveries are what webhooks were sent.
	Deliveries *DeliveriesClient
	// Knowledge is what the receptionist answers from.
	Knowledge *KnowledgeClient

	base       string
	authorize  func(http.Header) // a function, so that no way of printing a Client shows the key
	timeout    time.Duration
	maxRetries int
	header     http.Header
	http       *http.Client

	// wait waits between two attempts. Tests replace it.
	wait func(context.Context, time.Duration) error
}

// New makes a Client. It sends nothing yet.
func New(o Options) (*Client, error) {
	key := cmp.Or(o.APIKey, os.Getenv("FRONTDESK_API_KEY"))
	if key == "" {
		return nil, errors.New("frontdesk: there is no API key: set FRONTDESK_API_KEY, or APIKey of frontdesk.Options")
	}
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("frontdesk: the API key contains a space, a line break or another character that no key has: copy it again")
	}
	base, err := baseURL(cmp.Or(o.BaseURL, os.Getenv("FRONTDESK_BASE_URL"), DefaultBaseURL))
	if err != nil {
		return nil, err
	}
	c := &Client{
		base:       base,
		authorize:  func(h http.Header) { h.Set("Authorization", "Bearer "+key) },
		timeout:    cmp.Or(o.Timeout, DefaultTimeout),
		maxRetries: cmp.Or(o.MaxRetries, DefaultMaxRetries),
		header:     withHeader(nil, o.Header),
		http:       &http.Client{},
		wait:       wait,
	}
	if o.HTTPClient != nil {
		*c.http = *o.HTTPClient
	}
	c.http.Timeout = 0
	c.http.CheckRedirect = noRedirects
	c.addResources()
	return c, nil
}

func (c *Client) addResources() {
	c.Scopes = &ScopesClient{c}
	c.Usage = &UsageClient{c}
	c.Voices = &VoicesClient{c}
	c.Analytics = &AnalyticsClient{c}
	c.Agents = &AgentsClient{client: c, History: &AgentHistoryClient{c}, Calendar: &AgentCalendarClient{c}}
	c.Calls = &CallsClient{c}
	c.Captures = &CapturesClient{c}
	c.Notices = &NoticesClient{c}
	c.Events = &EventsClient{c}
	c.Connectors = &ConnectorsClient{c}
	c.Connections = &ConnectionsClient{c}
	c.Deliveries = &DeliveriesClient{c}
	c.Knowledge = &KnowledgeClient{client: c, Documents: &DocumentsClient{c}}
}

// String says whom the client speaks with.
func (c *Client) String() string { return "frontdesk.Client(" + c.base + ")" }

// baseURL checks an address and takes the /v1 from its end that people copy
// along with it.
func baseURL(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", errors.New("frontdesk: the base URL must be the address of the server, such as https://frontdesk.example.com, without a user, a query or a fragment")
	}
	base := strings.TrimRight(u.String(), "/")
	return strings.TrimRight(strings.TrimSuffix(base, "/v1"), "/"), nil
}

// noRedirects makes a redirect an answer, and so an error: the API has none, and
// the key would go along.
func noRedirects(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Input is what Client.Request sends.
type Input struct {
	Query url.Values
	Body  any // marshalled as JSON; nil: none
}

// Request sends a request that this package has no method for, as
// client.Request(ctx, "GET", "/calls", frontdesk.Input{}, &out). path begins
// after /v1. The answer is unmarshalled into out; with out nil it is dropped.
func (c *Client) Request(ctx context.Context, method, path string, in Input, out any, opts ...RequestOptions) error {
	if !belowV1(path) {
		return fmt.Errorf("frontdesk: the path %q must begin with /, stay below /v1 and have no query", path)
	}
	body, err := jsonBody(in.Body)
	if err != nil {
		return err
	}
	return c.call(ctx, request{method: strings.ToUpper(method), path: path, query: in.Query, body: body}, out, opts)
}

// belowV1 says whether a path leads to an operation: none that would be cut off,
// and none that leads out of /v1.
func belowV1(path string) bool {
	plain, err := url.PathUnescape(path)
	if err != nil || !strings.HasPrefix(path, "/") || strings.ContainsAny(path, "?#") {
		return false
	}
	for part := range strings.SplitSeq(plain, "/") {
		if part == "." || part == ".." {
			return false
		}
	}
	return true
}

// Whoami is the account, the mode and the scopes of the key.
func (c *Client) Whoami(ctx context.Context, opts ...RequestOptions) (*Whoami, error) {
	return get[Whoami](ctx, c, "/whoami", nil, opts)
}

// OpenAPI is the API's description, as the server has it.
func (c *Client) OpenAPI(ctx context.Context, opts ...RequestOptions) (json.RawMessage, error) {
	var out json.RawMessage
	err := c.call(ctx, request{method: http.MethodGet, path: "/openapi.json"}, &out, opts)
	return out, err
}

// LLMs is the guide to the API for language models, as plain text.
func (c *Client) LLMs(ctx context.Context, opts ...RequestOptions) (string, error) {
	answer, err := c.send(ctx, request{method: http.MethodGet, path: "/llms.txt", accept: "text/plain"}, opts)
	return string(answer), err
}
