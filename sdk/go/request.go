package frontdesk

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// request is one call of a method, whatever number of attempts it takes.
type request struct {
	method, path string
	query        url.Values
	body         body // nil: none
	contentType  string
	accept       string
}

// get reads something that is not wrapped.
func get[T any](ctx context.Context, c *Client, path string, query url.Values, opts []RequestOptions) (*T, error) {
	return send[T](ctx, c, http.MethodGet, path, query, nil, opts)
}

// send sends in as JSON, where it is not nil, and returns the answer.
func send[T any](ctx context.Context, c *Client, method, path string, query url.Values, in any, opts []RequestOptions) (*T, error) {
	b, err := jsonBody(in)
	if err != nil {
		return nil, err
	}
	out := new(T)
	if err := c.call(ctx, request{method: method, path: path, query: query, body: b}, out, opts); err != nil {
		return nil, err
	}
	return out, nil
}

// one sends a request to a path with gaps for ids, and takes the answer out of
// the object of one key that it is wrapped in.
func one[T any](ctx context.Context, c *Client, key, method, format string, ids []string, in any, opts []RequestOptions) (*T, error) {
	path, err := pathTo(format, ids...)
	if err != nil {
		return nil, err
	}
	wrapped, err := send[map[string]json.RawMessage](ctx, c, method, path, nil, in, opts)
	if err != nil {
		return nil, err
	}
	out := new(T)
	if err := json.Unmarshal((*wrapped)[key], out); err != nil {
		return nil, fmt.Errorf("frontdesk: reading %s of the answer to %s %s: %w", key, method, path, err)
	}
	return out, nil
}

// pathTo fills the gaps of a path, one %s for each id or slug. One that is empty
// or made of dots would make it the path of another operation.
func pathTo(format string, ids ...string) (string, error) {
	escaped := make([]any, len(ids))
	for i, id := range ids {
		if id == "" || id == "." || id == ".." {
			return "", fmt.Errorf("frontdesk: %q is no id or slug for %s", id, strings.ReplaceAll(format, "%s", "…"))
		}
		escaped[i] = url.PathEscape(id)
	}
	return fmt.Sprintf(format, escaped...), nil
}

// call sends a request and reads the answer's JSON into out.
func (c *Client) call(ctx context.Context, r request, out any, opts []RequestOptions) error {
	answer, err := c.send(ctx, r, opts)
	if err != nil || out == nil {
		return err
	}
	if err := json.Unmarshal(answer, out); err != nil {
		return fmt.Errorf("frontdesk: the answer to %s %s is not what this version expects; check the base URL: %w", r.method, r.path, err)
	}
	return nil
}

// send makes attempts until one is answered for good, and returns that answer.
func (c *Client) send(ctx context.Context, r request, opts []RequestOptions) ([]byte, error) {
	o := merged(opts)
	retries := max(cmp.Or(o.MaxRetries, c.maxRetries), 0)
	header := c.headerOf(r, o)
	lost := false // an attempt may have been carried out without our knowing
	for n := 0; ; n++ {
		answer, res, err := c.attempt(ctx, r, header, cmp.Or(o.Timeout, c.timeout))
		if o.Response != nil && res != nil {
			*o.Response = Response{Status: res.StatusCode, Header: res.Header, Attempts: n + 1}
		}
		again, failed := endOf(r.body)
		switch {
		case err == nil:
			return answer, nil
		case failed != nil:
			return nil, fmt.Errorf("frontdesk: reading what to upload: %w", failed)
		case ctx.Err() != nil:
			return nil, ended(ctx, r, n+1, err)
		case lost && doneBefore(r, err):
			return []byte(`{"deleted":true}`), nil
		}
		pause, ok := pauseAfter(err, n)
		if !ok || !again || n >= retries {
			return nil, withAttempts(err, n+1)
		}
		lost = lost || mayBeDone(err)
		if stopped := c.wait(ctx, pause); stopped != nil {
			return nil, ended(ctx, r, n+1, err)
		}
	}
}

func endOf(b body) (again bool, err error) {
	if b == nil {
		return true, nil
	}
	return b.end()
}

// headerOf is the same in all attempts, the Idempotency-Key above all.
func (c *Client) headerOf(r request, o RequestOptions) http.Header {
	h := http.Header{}
	h.Set("User-Agent", "frontdesk-go/"+Version)
	h.Set("Accept", cmp.Or(r.accept, "application/json"))
	c.authorize(h)
	if r.body != nil {
		h.Set("Content-Type", cmp.Or(r.contentType, "application/json"))
	}
	if r.method == http.MethodPost {
		h.Set("Idempotency-Key", cmp.Or(o.IdempotencyKey, newUUID()))
	}
	if o.IfMatch != "" {
		h.Set("If-Match", o.IfMatch)
	}
	return withHeader(withHeader(h, c.header), o.Header)
}

func newUUID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// attempt sends the request once. An answer that is an error comes back as an
// *Error, with the response.
func (c *Client) attempt(ctx context.Context, r request, header http.Header, timeout time.Duration) ([]byte, *http.Response, error) {
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	req, err := c.newRequest(ctx, r, header)
	if err != nil {
		return nil, nil, err
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, nil, noAnswer(r, err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, nil, noAnswer(r, fmt.Errorf("reading the answer: %w", err))
	}
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return nil, res, errorOf(res.StatusCode, res.Header, answer, time.Now())
	}
	return answer, res, nil
}

func (c *Client) newRequest(ctx context.Context, r request, header http.Header) (*http.Request, error) {
	address := c.base + "/v1" + r.path
	if len(r.query) > 0 {
		address += "?" + r.query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, r.method, address, nil)
	if err != nil {
		return nil, fmt.Errorf("frontdesk: %w", err)
	}
	req.Header = header.Clone()
	if r.body == nil {
		return req, nil
	}
	req.Body, req.ContentLength, err = r.body.attempt()
	if req.ContentLength == 0 {
		req.Body = http.NoBody // with another one, 0 would mean unknown
	}
	return req, err
}

// noAnswer is the error of an attempt that was not answered. The address that
// the HTTP client puts into its error is not repeated.
func noAnswer(r request, err error) error {
	var of *url.Error
	if errors.As(err, &of) {
		err = of.Err
	}
	var timed interface{ Timeout() bool }
	return &ConnectionError{
		Method: r.method, Path: r.path, Attempts: 1, Err: err,
		Timeout: errors.As(err, &timed) && timed.Timeout(),
	}
}

// ended is the error of a request whose context ended, during or after an
// attempt that failed by last.
func ended(ctx context.Context, r request, attempts int, last error) error {
	why := ctx.Err()
	if cause := context.Cause(ctx); cause != why {
		why = fmt.Errorf("%w: %w", why, cause)
	}
	var answered *Error
	if errors.As(last, &answered) {
		why = fmt.Errorf("%w; the answer before: %w", why, answered)
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &ConnectionError{Method: r.method, Path: r.path, Attempts: attempts, Timeout: true, Err: why}
	}
	return fmt.Errorf("frontdesk: %s %s: %w", r.method, r.path, why)
}

func withAttempts(err error, attempts int) error {
	var lost *ConnectionError
	if errors.As(err, &lost) {
		lost.Attempts = attempts
	}
	return err
}

// pauseAfter is how long to wait after the nth attempt, and whether it is worth
// another one.
func pauseAfter(err error, n int) (time.Duration, bool) {
	var lost *ConnectionError
	if errors.As(err, &lost) {
		return backoff(n), true
	}
	var answered *Error
	if !errors.As(err, &answered) || !passing(answered) {
		return 0, false
	}
	if asked, ok := retryAfter(answered.Header, time.Now()); ok {
		return asked, asked <= longestAsked
	}
	return backoff(n), true
}

// mayBeDone says whether the server may have done what was asked although the
// attempt failed.
func mayBeDone(err error) bool {
	var answered *Error
	if errors.As(err, &answered) {
		return answered.Status == http.StatusBadGateway || answered.Status == http.StatusGatewayTimeout
	}
	return true
}

// doneBefore says that a DELETE finds nothing because an attempt before it did
// its work.
func doneBefore(r request, err error) bool {
	var answered *Error
	return r.method == http.MethodDelete && errors.As(err, &answered) && answered.Code == ErrorCodeNotFound
}
