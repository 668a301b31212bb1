package blob

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"frontdesk.dev/frontdesk/internal/egress"
)

// stall is how long a connection may be silent, both ways, before it is dead.
const stall = time.Minute

// connectTime is for reaching the bucket's server.
const connectTime = 10 * time.Second

// newTransport returns the way to a bucket: through the guard, which is open for
// the operator's own endpoint and nothing else that is not public; no proxy, no
// compression, HTTP/1.1, and a limit on everything that can hang. There is none
// on a whole request: a large blob on a slow line takes its time as long as
// something moves.
func newTransport(guard *egress.Guard, stall time.Duration) *http.Transport {
	dial := guard.Dial(connectTime)
	return &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := dial(ctx, network, address)
			if err != nil {
				return nil, err
			}
			return &movingConn{conn, stall}, nil
		},
		TLSHandshakeTimeout:   connectTime,
		ResponseHeaderTimeout: stall,
		IdleConnTimeout:       stall / 2,
		MaxIdleConnsPerHost:   16,
		DisableCompression:    true,
	}
}

// movingConn is a connection on which something has to move. Each read and each
// write moves the end of both: while one side is being sent to, its silence is
// no fault.
type movingConn struct {
	net.Conn
	stall time.Duration
}

func (c *movingConn) Read(p []byte) (int, error) {
	c.SetDeadline(time.Now().Add(c.stall))
	return c.Conn.Read(p)
}

func (c *movingConn) Write(p []byte) (int, error) {
	c.SetDeadline(time.Now().Add(c.stall))
	return c.Conn.Write(p)
}

// leash takes a request's body away from the transport when the request is
// over. A transport may go on reading for a while after it has returned, when
// the server answers early or the caller goes; by then the body's bytes are
// those of the next attempt or of another blob.
type leash struct{ http.RoundTripper }

func (l leash) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return l.RoundTripper.RoundTrip(r)
	}
	body := &leashedBody{ReadCloser: r.Body}
	defer body.take()
	held := r.Clone(r.Context())
	held.Body = body
	held.GetBody = nil // the client makes its own attempts
	return l.RoundTripper.RoundTrip(held)
}

type leashedBody struct {
	io.ReadCloser
	mu    sync.Mutex
	taken bool
}

func (b *leashedBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.taken {
		return 0, errors.New("the request is over")
	}
	return b.ReadCloser.Read(p)
}

func (b *leashedBody) take() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.taken = true
}
