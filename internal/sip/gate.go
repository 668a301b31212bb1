package sip

import (
	"bytes"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	gosip "github.com/emiago/sipgo/sip"

	"frontdesk.dev/frontdesk/internal/limit"
)

// Bounds of what is read at all.
const (
	mostMessage     = 32 << 10 // bytes
	mostLines       = 400      // of a message, its body with it
	mostConnections = 32       // of one address
	mostOpen        = 512      // connections of all
	messagesASecond = 400      // of one address
	logRefusedEvery = time.Minute
)

// gate says who is heard. It sees what comes before anything is parsed.
type gate struct {
	log     *slog.Logger
	now     func() time.Time
	metrics *metrics
	allowed []netip.Prefix
	pace    *limit.Buckets[netip.Addr]

	mu         sync.RWMutex
	registrars map[netip.Addr]int // that we registered with, or are about to
	guests     map[netip.Addr]int // that a call goes on with
	open       map[netip.Addr]int // connections
	opened     int                // all of them
	refused    int                // since the log last said so
	logged     time.Time
}

func newGate(allowed []netip.Prefix, log *slog.Logger, now func() time.Time, m *metrics) *gate {
	return &gate{
		log: log, now: now, metrics: m, allowed: allowed,
		pace:       limit.NewBuckets[netip.Addr](messagesASecond, time.Second, 4*messagesASecond),
		registrars: map[netip.Addr]int{}, guests: map[netip.Addr]int{}, open: map[netip.Addr]int{},
	}
}

// mayCall says whether an address may begin something.
func (g *gate) mayCall(a netip.Addr) bool {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.registrars[a] > 0 || g.isAllowed(a)
}

// isAllowed says whether an address needs no registration of ours.
func (g *gate) isAllowed(a netip.Addr) bool {
	for _, p := range g.allowed {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

func (g *gate) hears(a netip.Addr) bool {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.registrars[a] > 0 || g.guests[a] > 0 || g.isAllowed(a)
}

// trust adds an address by n to those of registrars, or takes it away.
func (g *gate) trust(a netip.Addr, n int) { g.change(g.registrars, a, n) }

// invite lets an address speak while a call with it goes on, or ends that.
func (g *gate) invite(a netip.Addr, n int) { g.change(g.guests, a, n) }

func (g *gate) change(who map[netip.Addr]int, a netip.Addr, n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if who[a] += n; who[a] <= 0 {
		delete(who, a)
	}
}

// passes says whether a datagram is to be parsed.
func (g *gate) passes(from netip.Addr, data []byte) bool {
	switch {
	case !g.hears(from):
		g.refuse(from, "stranger")
	case g.pace.Take(from, g.now()) > 0:
		g.refuse(from, "too many")
	case len(data) >= mostMessage || bytes.Count(data, []byte("\n")) > mostLines:
		g.refuse(from, "too large")
	default:
		return true
	}
	return false
}

// refuse counts what was passed over. Scanners come all day: the log says it once
// a minute.
func (g *gate) refuse(from netip.Addr, why string) {
	g.metrics.refused.WithLabelValues(why).Inc()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.refused++
	now := g.now()
	if now.Sub(g.logged) < logRefusedEvery {
		return
	}
	g.log.Warn("sip: messages were passed over without an answer; if the address is your telephone system or carrier, allow it",
		"count", g.refused, "last_address", from.String(), "last_why", why)
	g.refused, g.logged = 0, now
}

// enter counts a connection in, if its address may have one more.
func (g *gate) enter(a netip.Addr) bool {
	why := ""
	if !g.hears(a) {
		why = "stranger"
	} else {
		g.mu.Lock()
		// An address that has none yet is not kept out by those that have many.
		if g.open[a] < mostConnections && g.opened < mostOpen || g.open[a] == 0 && g.opened < 2*mostOpen {
			g.open[a]++
			g.opened++
		} else {
			why = "too many"
		}
		g.mu.Unlock()
	}
	if why != "" {
		g.refuse(a, why)
	}
	return why == ""
}

func (g *gate) leave(a netip.Addr) {
	g.change(g.open, a, -1)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.opened--
}

// await waits until an address may send a message more, and says whether it was not
// closed meanwhile: who sends faster on a connection is read more slowly.
func (g *gate) await(from netip.Addr, closed <-chan struct{}) bool {
	for {
		wait := g.pace.Take(from, g.now())
		if wait <= 0 {
			return true
		}
		select {
		case <-time.After(wait):
		case <-closed:
			return false
		}
	}
}

// gatedPackets is a socket for datagrams that only those come through who are heard.
type gatedPackets struct {
	net.PacketConn
	gate    *gate
	once    sync.Once
	serving chan struct{} // closed when somebody reads
}

func (c *gatedPackets) ReadFrom(b []byte) (int, net.Addr, error) {
	c.once.Do(func() { close(c.serving) })
	for {
		n, from, err := c.PacketConn.ReadFrom(b)
		if err != nil || c.gate.passes(addressOf(from), b[:n]) {
			return n, from, err
		}
	}
}

// gatedListener accepts connections of those alone who are heard.
type gatedListener struct {
	net.Listener
	gate    *gate
	once    sync.Once
	serving chan struct{}
}

func (l *gatedListener) Accept() (net.Conn, error) {
	l.once.Do(func() { close(l.serving) })
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		from := addressOf(conn.RemoteAddr())
		if l.gate.enter(from) {
			return &gatedConn{Conn: conn, gate: l.gate, from: from}, nil
		}
		_ = conn.Close() // nobody is told
	}
}

type gatedConn struct {
	net.Conn
	gate *gate
	from netip.Addr
	once sync.Once
}

func (c *gatedConn) Close() error {
	c.once.Do(func() { c.gate.leave(c.from) })
	return c.Conn.Close()
}

// addressOf is the address of a peer, without port and zone.
func addressOf(a net.Addr) netip.Addr {
	var ap netip.AddrPort
	switch a := a.(type) {
	case *net.UDPAddr:
		ap = a.AddrPort()
	case *net.TCPAddr:
		ap = a.AddrPort()
	}
	return ap.Addr().Unmap().WithZone("")
}

// newParser returns the library's parser, which would otherwise make room for as
// many bytes as a message says it has.
func newParser() *gosip.Parser {
	parsers := maps.Clone(gosip.DefaultHeadersParser())
	for _, name := range []string{"content-length", "l"} {
		read := parsers[name]
		parsers[name] = func(name []byte, value string) (gosip.Header, error) {
			n, err := strconv.Atoi(strings.TrimSpace(value))
			if err != nil || n < 0 || n > mostMessage {
				return nil, fmt.Errorf("sip: a body of %.20q bytes", value)
			}
			return read(name, value)
		}
	}
	p := gosip.NewParser(gosip.WithHeadersParsers(parsers))
	p.MaxMessageLength = mostMessage
	return p
}
