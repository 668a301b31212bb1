package sip

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
	"sync"
	"time"

	gosip "github.com/emiago/sipgo/sip"
)

var (
	errNotSIP   = errors.New("sip: what comes on a connection is no message")
	errTooLarge = errors.New("sip: a message on a connection is too large")
)

var (
	lineEnd = []byte("\r\n")
	ping    = []byte("\r\n\r\n") // a sign of life that is answered (RFC 5626, 3.5.1), and the end of headers
)

// messages cuts what comes on a connection into messages. The library's parser would
// keep all that it cannot read, however much it is: it is handed whole messages that
// it can.
type messages struct {
	parser *gosip.Parser
	buf    []byte
	need   int // bytes of the message that buf begins with; 0: its headers are not there yet
	idle   int // bytes since the last message that belong to none
}

// next is what buf begins with: a whole message, a ping, or nothing that is whole. It
// is good until the next drop or add.
func (s *messages) next() ([]byte, error) {
	if err := s.skip(); err != nil {
		return nil, err
	}
	if bytes.HasPrefix(s.buf, ping) {
		return s.buf[:len(ping)], nil
	}
	if !s.begun() {
		return nil, nil
	}
	if err := s.measure(); err != nil {
		return nil, err
	}
	if s.need == 0 || len(s.buf) < s.need {
		return nil, nil
	}
	if bytes.Count(s.buf[:s.need], lineEnd[1:]) > mostLines {
		return nil, errTooLarge
	}
	return s.buf[:s.need], nil
}

// skip passes over what may stand between messages.
func (s *messages) skip() error {
	rest := bytes.TrimLeft(s.buf, "\x00")
	for bytes.HasPrefix(rest, lineEnd) && len(rest) > 3 && !bytes.HasPrefix(rest, ping) {
		rest = bytes.TrimLeft(rest[2:], "\x00")
	}
	if s.idle += len(s.buf) - len(rest); s.idle > mostMessage {
		return errNotSIP
	}
	s.buf = rest
	return nil
}

// begun says whether part of a message is there.
func (s *messages) begun() bool { return len(bytes.TrimLeft(s.buf, "\r\n")) > 0 }

// measure finds how long the message is, once its headers are there.
func (s *messages) measure() error {
	if s.need > 0 {
		return nil
	}
	end := bytes.Index(s.buf, ping)
	switch {
	case end < 0 && (len(s.buf) >= mostMessage || bytes.Count(s.buf, lineEnd[1:]) > mostLines):
		return errTooLarge
	case end < 0:
		return nil
	}
	msg, head, err := s.parser.ParseHeaders(s.buf[:end+len(ping)], true)
	if err != nil {
		return fmt.Errorf("%w: %w", errNotSIP, err)
	}
	body := bodyLength(msg)
	switch {
	case body < 0:
		return fmt.Errorf("%w: it has not one Content-Length", errNotSIP)
	case head+body >= mostMessage:
		return errTooLarge
	}
	s.need = head + body
	return nil
}

// bodyLength is what the one Content-Length says; -1: there is none, or several.
func bodyLength(msg gosip.Message) int {
	length := -1
	for _, h := range msg.(interface{ Headers() []gosip.Header }).Headers() {
		if l, ok := h.(*gosip.ContentLengthHeader); ok {
			if length >= 0 {
				return -1
			}
			length = int(*l)
		}
	}
	return length
}

// drop forgets what next has returned.
func (s *messages) drop(n int) {
	if s.need > 0 {
		s.idle = 0
	}
	s.buf, s.need = s.buf[n:], 0
}

// add takes more of what comes.
func (s *messages) add(data []byte) { s.buf = append(s.buf, data...) }

// streamListener hands out connections of which the library reads whole messages.
type streamListener struct {
	net.Listener
	s *Server
}

func (l streamListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	ap, _ := netip.ParseAddrPort(conn.RemoteAddr().String()) // the library names it so too
	return &streamConn{
		Conn: conn, s: l.s, from: netip.AddrPortFrom(ap.Addr().Unmap().WithZone(""), ap.Port()), opened: time.Now(),
		stream: messages{parser: l.s.parser}, chunk: make([]byte, 4<<10), closed: make(chan struct{}),
	}, nil
}

// streamConn is a connection of which each Read returns one whole message, or one
// ping. It is held to a pace by reading no faster, and closed when what comes is no
// message, when a message is too long in coming, and when nothing comes at all and
// no call needs it.
type streamConn struct {
	net.Conn
	s      *Server
	from   netip.AddrPort
	stream messages
	chunk  []byte
	opened time.Time
	began  time.Time // when the first bytes of a message came that is not whole; zero: there is none
	any    bool      // a whole message has come

	once   sync.Once
	closed chan struct{}
}

// Read returns the next message. b has room for the largest.
func (c *streamConn) Read(b []byte) (int, error) {
	for {
		message, err := c.stream.next()
		if err == nil && len(message) > len(b) {
			err = errTooLarge
		}
		switch {
		case err != nil:
			c.s.gate.refuse(c.from.Addr(), whyClosed(err))
			return 0, err
		case len(message) > 0:
			if !c.s.gate.await(c.from.Addr(), c.closed) {
				return 0, net.ErrClosed
			}
			c.any = c.any || len(message) > len(ping)
			n := copy(b, message)
			c.stream.drop(n)
			c.began = time.Time{}
			return n, nil
		}
		if err := c.fill(); err != nil {
			return 0, err
		}
	}
}

func whyClosed(err error) string {
	if errors.Is(err, errTooLarge) {
		return "too large"
	}
	return "not SIP"
}

// fill reads what comes next, if it comes in time.
func (c *streamConn) fill() error {
	for {
		now := time.Now()
		begun := c.stream.begun()
		if begun && c.began.IsZero() {
			c.began = now
		}
		t := c.s.timing
		until := now.Add(t.idleConn)
		switch {
		case begun:
			until = c.began.Add(t.message)
		case !c.any:
			until = c.opened.Add(t.message)
		}
		if err := c.SetReadDeadline(until); err != nil {
			return err
		}
		n, err := c.Conn.Read(c.chunk)
		c.stream.add(c.chunk[:n])
		if n > 0 {
			return nil
		}
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			return err
		}
		if begun || !c.any || !c.s.callsOn(c.from) {
			c.s.gate.refuse(c.from.Addr(), "too slow")
			return err
		}
	}
}

// Write closes the connection when something could not be written whole: what comes
// after it would not be understood.
func (c *streamConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	if err != nil {
		_ = c.Close() // the first error tells more
	}
	return n, err
}

func (c *streamConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

// callsOn says whether a call goes on over a connection with an address.
func (s *Server) callsOn(from netip.AddrPort) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.calls {
		if c.dialog.network != "udp" && c.dialog.from == from {
			return true
		}
	}
	return false
}

// dialed are the connections that we have made, to registrars: the library dials them
// itself, so what comes on them is looked at before it is parsed.
type dialed struct {
	s *Server

	mu      sync.Mutex
	streams map[string]*dialedStream
}

type dialedStream struct {
	messages
	read time.Time // last
}

// mostDialed is how many connections of ours are remembered; there is one for a trunk.
const mostDialed = 1024

// filter hands on whole messages, and has the connection closed by an error.
func (d *dialed) filter(at gosip.TransportReadProps, data []byte) ([]byte, error) {
	if at.Transport == "UDP" || d.s.here.listensOn(at.LocalAddr) {
		return data, nil // they were looked at
	}
	if len(strings.Trim(string(data), "\r\n")) == 0 && len(data) <= len(ping) {
		return data, nil
	}
	key, from := at.LocalAddr.String()+" "+at.RemoteAddr.String(), addressOf(at.RemoteAddr)
	st := d.of(key)
	st.add(data)
	var whole []byte
	for {
		message, err := st.next()
		if err != nil {
			d.forget(key)
			d.s.gate.refuse(from, whyClosed(err))
			return nil, err
		}
		if len(message) == 0 {
			return whole, nil
		}
		if !d.s.gate.await(from, d.s.hard.Done()) {
			return nil, net.ErrClosed
		}
		whole = append(whole, message...)
		st.drop(len(message))
	}
}

// of is the stream of a connection. Nobody says when one is closed: what was begun
// long ago was begun on another one between the same ports.
func (d *dialed) of(key string) *dialedStream {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := time.Now()
	st := d.streams[key]
	if st == nil || now.Sub(st.read) > d.s.timing.message {
		for k, old := range d.streams {
			if len(d.streams) >= mostDialed || now.Sub(old.read) > d.s.timing.idleConn {
				delete(d.streams, k)
			}
		}
		st = &dialedStream{messages: messages{parser: d.s.parser}}
		d.streams[key] = st
	}
	st.read = now
	return st
}

func (d *dialed) forget(key string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.streams, key)
}

// listensOn says whether an address of ours is one that is listened on, and not one
// that we have dialed from.
func (e *endpoint) listensOn(own net.Addr) bool {
	tcp, ok := own.(*net.TCPAddr)
	for _, l := range e.listeners {
		if ok && l.network != "udp" && int(l.address.Port()) == tcp.Port {
			return true
		}
	}
	return false
}
