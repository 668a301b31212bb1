package sip

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/emiago/sipgo"
	gosip "github.com/emiago/sipgo/sip"
)

// listener is one address that we listen on.
type listener struct {
	network string // udp, tcp, tls
	address netip.AddrPort
	serving chan struct{} // closed when requests can go out through it
	serve   func() error
	close   func() error
	packets net.PacketConn // of udp
}

// endpoint is where we are: the sockets there are, and what others are told of
// them.
type endpoint struct {
	agent     *sipgo.UserAgent
	client    *sipgo.Client
	listeners []*listener
	host      publicHost
}

// listen opens an address such as udp:0.0.0.0:5060.
func (s *Server) listen(where string) (*listener, error) {
	network, address, _ := strings.Cut(where, ":")
	serving := make(chan struct{})
	switch {
	case network == "udp":
		conn, err := net.ListenPacket("udp", address)
		if err != nil {
			return nil, fmt.Errorf("sip: listening on %s: %w", where, err)
		}
		gated := &gatedPackets{PacketConn: conn, gate: s.gate, serving: serving}
		return &listener{
			network, conn.LocalAddr().(*net.UDPAddr).AddrPort(), serving,
			func() error { return s.here.agent.TransportLayer().ServeUDP(gated) }, conn.Close, conn,
		}, nil
	case network == "tls" && s.o.TLS == nil:
		return nil, fmt.Errorf("sip: %s needs a certificate", where)
	case network != "tcp" && network != "tls":
		return nil, fmt.Errorf("sip: %s is no address to listen on: udp:, tcp: or tls: comes first", where)
	}
	conn, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("sip: listening on %s: %w", where, err)
	}
	at := conn.Addr().(*net.TCPAddr).AddrPort()
	gated := &gatedListener{Listener: conn, gate: s.gate, serving: serving}
	serve := func() error { return s.here.agent.TransportLayer().ServeTCP(streamListener{gated, s}) }
	if network == "tls" {
		serve = func() error {
			return s.here.agent.TransportLayer().ServeTLS(streamListener{tls.NewListener(gated, s.o.TLS), s})
		}
	}
	return &listener{network, at, serving, serve, conn.Close, nil}, nil
}

// serve keeps a listener going until ctx ends.
func (s *Server) serve(ctx context.Context, l *listener) {
	for {
		err := l.serve()
		if ctx.Err() != nil || s.hard.Err() != nil {
			return
		}
		s.log.Error("sip: stopped listening, trying again in a second", "address", l.network+":"+l.address.String(), "error", err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Second):
		}
	}
}

func (e *endpoint) close() {
	for _, l := range e.listeners {
		_ = l.close() // it is not used any more
	}
}

// listenerFor is the one that a peer is spoken to through, nil if there is none.
func (e *endpoint) listenerFor(network string, peer netip.Addr) *listener {
	var other *listener
	for _, l := range e.listeners {
		if l.network != network {
			continue
		}
		if own := l.address.Addr(); own.Is4() == peer.Is4() || own.IsUnspecified() && own.Is6() {
			return l
		}
		other = l
	}
	return other
}

// source is where sipgo is to send from: the socket that is listened on, for a
// peer behind a firewall answers to that alone. Connections have none.
func (l *listener) source() gosip.Addr {
	return gosip.Addr{IP: net.IP(l.address.Addr().AsSlice()), Port: int(l.address.Port())}
}

// publicHost is what peers are told where to find us.
type publicHost struct {
	name string

	mu       sync.Mutex
	address  netip.Addr
	resolved time.Time
}

// resolveEvery is how long the address of our public name is believed.
const resolveEvery = time.Minute

// hostFor is our address as a peer is to reach it.
func (e *endpoint) hostFor(ctx context.Context, network string, peer netip.Addr) (netip.Addr, error) {
	if a, ok := e.host.resolve(ctx); ok {
		return a, nil
	}
	if l := e.listenerFor(network, peer); l != nil && !l.address.Addr().IsUnspecified() {
		return l.address.Addr().Unmap(), nil
	}
	// The system says which of our addresses it would send from. Nothing is sent.
	conn, err := net.Dial("udp", netip.AddrPortFrom(peer, 9).String())
	if err != nil {
		return netip.Addr{}, fmt.Errorf("sip: there is no way to %s: %w", peer, err)
	}
	defer conn.Close()
	return addressOf(conn.LocalAddr()), nil
}

func (h *publicHost) resolve(ctx context.Context) (netip.Addr, bool) {
	if h.name == "" {
		return netip.Addr{}, false
	}
	if a, err := netip.ParseAddr(h.name); err == nil {
		return a, true
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.address.IsValid() && time.Since(h.resolved) < resolveEvery {
		return h.address, true
	}
	if found, err := net.DefaultResolver.LookupNetIP(ctx, "ip4", h.name); err == nil && len(found) > 0 {
		h.address, h.resolved = found[0].Unmap(), time.Now()
	}
	return h.address, h.address.IsValid() // the last one, when nothing is found now
}

// contact is the address that a peer is to send requests to.
func (e *endpoint) contact(network, user string, host netip.Addr, peer netip.Addr) gosip.ContactHeader {
	uri := gosip.Uri{Scheme: "sip", User: user, Host: host.String()}
	if e.host.name != "" {
		uri.Host = e.host.name
	}
	if l := e.listenerFor(network, peer); l != nil {
		uri.Port = int(l.address.Port())
	}
	if network != "udp" {
		uri.UriParams = gosip.HeaderParams{{K: "transport", V: network}}
	}
	return gosip.ContactHeader{Address: uri}
}

// via is how answers to a request of ours come back.
func (e *endpoint) via(network string, host netip.Addr, peer netip.Addr) *gosip.ViaHeader {
	via := &gosip.ViaHeader{
		ProtocolName: "SIP", ProtocolVersion: "2.0", Transport: strings.ToUpper(network), Host: host.String(), Port: gosip.DefaultPort(network),
		Params: gosip.HeaderParams{{K: "branch", V: gosip.GenerateBranchN(24)}, {K: "rport", V: ""}},
	}
	if l := e.listenerFor(network, peer); l != nil {
		via.Port = int(l.address.Port())
	}
	return via
}
