package sip

import (
	"errors"
	"net"
	"net/netip"
	"sync"
)

// errNoPort says that every port for sound is in use.
var errNoPort = errors.New("sip: every port for sound is in use: widen the range of ports, and open it in the firewall")

// ports hands out the ports for sound: even ones, the odd ones being RTCP's.
type ports struct {
	first, count int

	mu   sync.Mutex
	used map[int]bool
	next int
}

func newPorts(bounds [2]int) *ports {
	first := bounds[0] + bounds[0]%2
	return &ports{first: first, count: (bounds[1]-first)/2 + 1, used: map[int]bool{}}
}

// open binds the next free port. The one that was used longest ago comes first, so
// that late packets of one call are not heard in another.
func (p *ports) open(host netip.Addr) (*net.UDPConn, int, error) {
	for range p.count {
		port, ok := p.take()
		if !ok {
			break
		}
		conn, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.AddrPortFrom(host, uint16(port))))
		if err == nil {
			return conn, port, nil
		}
		p.release(port) // another program has it
	}
	return nil, 0, errNoPort
}

func (p *ports) take() (int, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for range p.count {
		port := p.first + 2*p.next
		p.next = (p.next + 1) % p.count
		if !p.used[port] {
			p.used[port] = true
			return port, true
		}
	}
	return 0, false
}

// inUse says whether a port is that of a call.
func (p *ports) inUse(port int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.used[port]
}

func (p *ports) release(port int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.used, port)
}
