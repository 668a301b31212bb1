package frontdesk

import (
	"fmt"
	"log/slog"
	"net/http"
	"time"
)

// Version is the version of this package, as it stands in User-Agent.
const Version = "0.1.0"

// The defaults of Options.
const (
	DefaultBaseURL    = "http://127.0.0.1:8080"
	DefaultTimeout    = 30 * time.Second
	DefaultMaxRetries = 2
)

const (
	// NoRetries as MaxRetries: a request is sent once.
	NoRetries = -1
	// NoTimeout as Timeout: an attempt ends with its context only.
	NoTimeout time.Duration = -1
)

// Options make a Client. The zero value takes everything from the environment.
type Options struct {
	// APIKey begins with svc_live_ or svc_test_. Default: FRONTDESK_API_KEY.
	APIKey string `json:"-"`
	// BaseURL is the server's address, without /v1. Default: FRONTDESK_BASE_URL,
	// else DefaultBaseURL.
	BaseURL string
	// Timeout bounds each attempt, its answer included. Default: DefaultTimeout.
	Timeout time.Duration
	// MaxRetries is how often a request is sent again. Default:
	// DefaultMaxRetries; NoRetries: never.
	MaxRetries int
	// Header is sent with every request.
	Header http.Header
	// HTTPClient sends the requests. Its Timeout and CheckRedirect are not used.
	// Default: a client with http.DefaultTransport.
	HTTPClient *http.Client
}

// String leaves the key out.
func (o Options) String() string {
	return fmt.Sprintf("frontdesk.Options{BaseURL: %q, Timeout: %s, MaxRetries: %d}", o.BaseURL, o.Timeout, o.MaxRetries)
}

// GoString leaves the key out.
func (o Options) GoString() string { return o.String() }

// LogValue leaves the key out.
func (o Options) LogValue() slog.Value { return slog.StringValue(o.String()) }

// RequestOptions change a single request. Methods take any number of them;
// where two set the same field, the last one wins.
type RequestOptions struct {
	// Timeout and MaxRetries replace those of the client.
	Timeout    time.Duration
	MaxRetries int
	// IdempotencyKey of a POST, 1 to 255 characters. Default: a new one for each
	// call of a method.
	IdempotencyKey string
	// IfMatch is the ETag that was read: the change is made only while that
	// version is the current one, else the error's Code is version_mismatch.
	// After an answer that was lost, a repeated change can find its own work
	// there and be refused in the same way.
	IfMatch string
	// Header is sent with the request, beside and instead of the client's.
	Header http.Header
	// Response, where set, is filled with the last answer, error or not.
	Response *Response
}

// Response is what came with an answer beside its body.
type Response struct {
	Status   int
	Header   http.Header
	Attempts int // how often the request was sent, 1 or more
}

// RequestID names the request in the server's log.
func (r Response) RequestID() string { return r.Header.Get("X-Request-Id") }

// ETag is the version of what was read, for RequestOptions.IfMatch.
func (r Response) ETag() string { return r.Header.Get("ETag") }

// Replayed says whether the answer is that of an earlier request with the same
// Idempotency-Key.
func (r Response) Replayed() bool { return r.Header.Get("Idempotent-Replayed") == "true" }

// merged makes one of several options.
func merged(all []RequestOptions) RequestOptions {
	var one RequestOptions
	for _, o := range all {
		if o.Timeout != 0 {
			one.Timeout = o.Timeout
		}
		if o.MaxRetries != 0 {
			one.MaxRetries = o.MaxRetries
		}
		if o.IdempotencyKey != "" {
			one.IdempotencyKey = o.IdempotencyKey
		}
		if o.IfMatch != "" {
			one.IfMatch = o.IfMatch
		}
		if o.Response != nil {
			one.Response = o.Response
		}
		one.Header = withHeader(one.Header, o.Header)
	}
	return one
}

// withHeader returns base with more instead of what it had under the same names.
func withHeader(base, more http.Header) http.Header {
	if len(more) == 0 {
		return base
	}
	all := base.Clone()
	if all == nil {
		all = http.Header{}
	}
	for name, values := range more {
		all[http.CanonicalHeaderKey(name)] = values
	}
	return all
}

// Ptr returns a pointer to v, for optional fields.
func Ptr[T any](v T) *T { return &v }
