package web

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"sync/atomic"
)

// mostDiscarded is how many bytes are read from a page whose microphone is being
// closed, until it has answered that: the sound of some seconds.
const mostDiscarded = 256 << 10

// socketWriter gives the socket of a microphone a connection that is not read for ever while it
// is closed: the library discards whatever comes until the page answers, however much
// that is.
type socketWriter struct {
	http.ResponseWriter
	conn *leftConn
}

// Hijack hands out the connection.
func (w *socketWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	w.conn = &leftConn{Conn: conn}
	w.conn.left.Store(-1)
	return w.conn, buffered, nil
}

// leave bounds what is read from here on.
func (w *socketWriter) leave() {
	if w.conn != nil {
		w.conn.left.Store(mostDiscarded)
	}
}

// leftConn is a connection that may be left.
type leftConn struct {
	net.Conn
	left atomic.Int64 // bytes that are still read; below 0: no bound
}

// Read reads, until what is left is used up.
func (c *leftConn) Read(p []byte) (int, error) {
	left := c.left.Load()
	if left < 0 {
		return c.Conn.Read(p)
	}
	if left == 0 {
		return 0, io.EOF
	}
	n, err := c.Conn.Read(p[:min(int64(len(p)), left)])
	c.left.Add(-int64(n))
	return n, err
}
