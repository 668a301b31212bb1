package faults

import (
	"io"
	"net"
	"testing"
	"time"
)

// Distance is a proxy that puts a database further away: what it is sent in
// either direction arrives so much later, in order. It delays, and does not
// throttle: what follows is on its way meanwhile, as on a long cable.
type Distance struct {
	delay    time.Duration
	target   string
	listener net.Listener
}

// NewDistance starts a proxy to an address; Address says where it listens.
func NewDistance(t testing.TB, target string, delay time.Duration) *Distance {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	d := &Distance{delay: delay, target: target, listener: l}
	t.Cleanup(func() { l.Close() })
	go d.serve()
	return d
}

// Address is where the far database is to be reached.
func (d *Distance) Address() string { return d.listener.Addr().String() }

func (d *Distance) serve() {
	for {
		near, err := d.listener.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", d.target)
		if err != nil {
			near.Close()
			continue
		}
		go d.carry(far, near)
		go d.carry(near, far)
	}
}

// packet is what was read at once, and when it arrives; the last one is empty.
type packet struct {
	bytes []byte
	due   time.Time
}

// carry takes what one side sends to the other, later.
func (d *Distance) carry(to, from net.Conn) {
	const onTheWay = 1 << 12 // packets; more than any delay of ours can hold
	packets := make(chan packet, onTheWay)
	go d.read(from, packets)
	for p := range packets {
		<-time.After(time.Until(p.due))
		if len(p.bytes) == 0 {
			break
		}
		if _, err := to.Write(p.bytes); err != nil {
			break
		}
	}
	to.Close()
	from.Close()
	for range packets { // its reader must come to its end
	}
}

func (d *Distance) read(from io.Reader, packets chan<- packet) {
	defer close(packets)
	for {
		b := make([]byte, 16<<10)
		n, err := from.Read(b)
		due := time.Now().Add(d.delay)
		if n > 0 {
			packets <- packet{b[:n], due}
		}
		if err != nil {
			packets <- packet{nil, due}
			return
		}
	}
}
