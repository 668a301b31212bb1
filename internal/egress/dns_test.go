package egress_test

import (
	"context"
	"encoding/binary"
	"errors"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
)

// nameserver is a tiny DNS server on loopback. A name has lists of addresses;
// every question of its IPv4 or IPv6 takes the next list, and the last one stays.
type nameserver struct {
	conn net.PacketConn
	mu   sync.Mutex
	all  map[string][][]string
	got  map[string]int // by name and type
}

func newNameserver(t testing.TB, names map[string][][]string) *nameserver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &nameserver{conn: conn, all: names, got: map[string]int{}}
	t.Cleanup(func() { conn.Close() })
	go func() {
		buf := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			if answer := s.answer(buf[:n]); answer != nil {
				conn.WriteTo(answer, from)
			}
		}
	}()
	return s
}

// resolver asks this server alone.
func (s *nameserver) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "udp", s.conn.LocalAddr().String())
	}}
}

// deaf is a resolver that never gets an answer.
func deaf() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.New("there is no name server")
	}}
}

const (
	typeA    = 1
	typeAAAA = 28
)

func (s *nameserver) answer(q []byte) []byte {
	name, end := questionOf(q)
	if end == 0 {
		return nil
	}
	kind := binary.BigEndian.Uint16(q[end:])
	addrs, known := s.take(name, kind)
	a := append([]byte{q[0], q[1], 0x84, 0, 0, 1, 0, byte(len(addrs)), 0, 0, 0, 0}, q[12:end+4]...)
	if !known {
		a[3] = 3 // no such name
	}
	for _, addr := range addrs {
		raw := addr.AsSlice()
		a = append(a, 0xc0, 12, 0, byte(kind), 0, 1, 0, 0, 0, 0, 0, byte(len(raw)))
		a = append(a, raw...)
	}
	return a
}

func (s *nameserver) take(name string, kind uint16) (addrs []netip.Addr, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	lists, known := s.all[name]
	if !known {
		lists, known = s.all["*"]
	}
	if !known || kind != typeA && kind != typeAAAA {
		return nil, known
	}
	counter := name + "/A"
	if kind == typeAAAA {
		counter = name + "/AAAA"
	}
	turn := min(s.got[counter], len(lists)-1)
	s.got[counter]++
	for _, text := range lists[turn] {
		if addr := netip.MustParseAddr(text); addr.Is4() == (kind == typeA) {
			addrs = append(addrs, addr)
		}
	}
	return addrs, true
}

func (s *nameserver) asked(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.got[name+"/A"]
}

// questionOf returns the name that a question is about, and where it ends.
func questionOf(q []byte) (string, int) {
	var labels []string
	for i := 12; i < len(q); {
		n := int(q[i])
		if n == 0 {
			return strings.ToLower(strings.Join(labels, ".")), i + 1
		}
		if i+1+n >= len(q) {
			break
		}
		labels = append(labels, string(q[i+1:i+1+n]))
		i += 1 + n
	}
	return "", 0
}
