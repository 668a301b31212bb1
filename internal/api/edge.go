package api

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// NewServer returns a server whose times are set against slow clients.
func NewServer(h http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:                      withTLS(h),
		ConnContext:                  rememberTLS,
		ReadHeaderTimeout:            10 * time.Second,
		ReadTimeout:                  15 * time.Second,
		WriteTimeout:                 30 * time.Second,
		IdleTimeout:                  2 * time.Minute,
		MaxHeaderBytes:               32 << 10,
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

// Listener makes what net/http answers by itself, before any handler runs,
// come in the envelope: a broken request line, a header that is too large. It
// writes those answers straight to the connection, each in one piece of a form
// that no answer of a handler has. Of clients of a TLS listener that cannot connect
// the log has a line.
func Listener(l net.Listener, log *slog.Logger) net.Listener {
	return edgeListener{l, newHandshakes(log)}
}

type edgeListener struct {
	net.Listener
	handshakes *handshakes
}

func (l edgeListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if secured, ok := c.(*tls.Conn); ok {
		return &tlsConn{edgeConn: edgeConn{c}, secured: secured, handshakes: l.handshakes}, nil
	}
	return edgeConn{c}, nil
}

type edgeConn struct{ net.Conn }

// CloseWrite lets net/http close its half gently after such an answer.
func (c edgeConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

func (c edgeConn) Write(b []byte) (int, error) {
	e := refusalOf(b)
	if e == nil {
		return c.Conn.Write(b)
	}
	if _, err := c.Conn.Write(rawAnswer(e)); err != nil {
		return 0, err
	}
	return len(b), nil
}

var (
	refusalHeaders    = []byte("\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")
	headerTooLarge    = []byte("HTTP/1.1 431 ")
	expectationFailed = []byte("HTTP/1.1 417 ")
)

// refusalOf recognises an answer of net/http's own and says what it means, or
// returns nil.
func refusalOf(b []byte) *frontdesk.Error {
	const longest = 512
	switch {
	case len(b) > longest || !bytes.HasPrefix(b, []byte("HTTP/1.1 ")):
		return nil
	// The bare line end: a customer's text may begin a write with these words.
	case bytes.HasPrefix(b, expectationFailed) && bytes.HasSuffix(b, []byte("\r\n\r\n")):
		return malformed("This server does not know that Expect header. Leave it out, or send 100-continue.")
	case !bytes.Contains(b, refusalHeaders):
		return nil
	case bytes.HasPrefix(b, headerTooLarge):
		return &frontdesk.Error{Kind: frontdesk.TooLarge, Code: "request_too_large", Message: "The request line and headers are larger than 32 KiB. Send less."}
	}
	return malformed("The request could not be read as HTTP/1.1. Check its first line and its headers.")
}

func malformed(message string) *frontdesk.Error {
	return &frontdesk.Error{Kind: frontdesk.Invalid, Code: "parameter_invalid", Message: message}
}

func rawAnswer(e *frontdesk.Error) []byte {
	id := exchange.NewRequestID()
	a := envelope(e, id)
	head := fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nX-Request-Id: %s\r\nConnection: close\r\n\r\n",
		a.status, http.StatusText(a.status), a.contentType, len(a.body), id)
	return append([]byte(head), a.body...)
}
