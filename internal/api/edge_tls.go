package api

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"frontdesk.dev/frontdesk/internal/limit"
)

// handshakeLines is how many lines a minute the log has of handshakes that fail:
// anybody can make any number of them.
const handshakeLines = 1

// handshakes logs those that fail.
type handshakes struct {
	log    *slog.Logger
	seldom *limit.Seldom
}

func newHandshakes(log *slog.Logger) *handshakes {
	return &handshakes{log, limit.NewSeldom(handshakeLines)}
}

func (h *handshakes) failed(from net.Addr, err error) {
	if errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) {
		return // somebody has only looked whether the port is open
	}
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err // without the address, which the log may have to shorten
	}
	if passed, ok := h.seldom.Take("handshake", time.Now()); ok {
		h.log.Info("a client could not connect by TLS; if many cannot, look at the certificate with: frontdesk doctor",
			"remote", from.String(), "error", err, "unlogged_before", passed)
	}
}

// tlsConn is an edgeConn over TLS. net/http knows a *tls.Conn by its type alone; in
// here it does not see one, so that what it would do with it is done here.
type tlsConn struct {
	edgeConn
	secured    *tls.Conn
	handshakes *handshakes
	told       sync.Once
}

func (c *tlsConn) Read(b []byte) (int, error) {
	n, err := c.edgeConn.Read(b) // the first one shakes hands
	if err != nil && !c.secured.ConnectionState().HandshakeComplete {
		c.told.Do(func() { c.handshakes.failed(c.RemoteAddr(), err) })
	}
	return n, err
}

type securedKey struct{}

// rememberTLS keeps the connection of a request for withTLS.
func rememberTLS(ctx context.Context, c net.Conn) context.Context {
	if secured, ok := c.(*tlsConn); ok {
		return context.WithValue(ctx, securedKey{}, secured.secured)
	}
	return ctx
}

// withTLS lets handlers see by Request.TLS that a request came by TLS, as net/http
// does where it knows the connection.
func withTLS(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if secured, ok := r.Context().Value(securedKey{}).(*tls.Conn); ok {
			state := secured.ConnectionState()
			r.TLS = &state
		}
		h.ServeHTTP(w, r)
	})
}
