package provider

import (
	"errors"
	"fmt"
	"io"
	"net/http"
)

var errTooLong = errors.New("the answer is too long")

// strict is a client that takes nothing but an answer of 200 and of so many
// bytes. The library would read refusals whole, and single events of up to
// 32 MiB.
func strict(c *http.Client, most int64) *http.Client {
	client := *c
	client.Transport = strictTransport{c.Transport, most}
	return &client
}

type strictTransport struct {
	next http.RoundTripper // nil: the default
	most int64
}

func (t strictTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	next := t.next
	if next == nil {
		next = http.DefaultTransport
	}
	answer, err := next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		answer.Body.Close()
		return nil, fmt.Errorf("%w: %d %s", ErrRefused, answer.StatusCode, http.StatusText(answer.StatusCode))
	}
	answer.Body = &boundedBody{answer.Body, t.most}
	return answer, nil
}

// boundedBody fails where io.LimitReader would end: an answer that is cut off
// must not pass for a whole one.
type boundedBody struct {
	io.ReadCloser
	left int64
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLong
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}
