package sip

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	gosip "github.com/emiago/sipgo/sip"
)

// tcpFrom connects from an address of loopback.
func tcpFrom(t *testing.T, host, to string) net.Conn {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(host)}}
	conn, err := d.Dial("tcp", to)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// options is a request that is answered, as text.
func options(headers string) string {
	return "OPTIONS sip:x@h SIP/2.0\r\nVia: SIP/2.0/TCP h;branch=z9hG4bK" + gosip.GenerateBranch() +
		"\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:x@h>\r\nCall-ID: q\r\nCSeq: 1 OPTIONS\r\n" + headers + "\r\n"
}

func TestWhatIsNoMessageClosesTheConnection(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{Listen: []string{"udp:127.0.0.1:0", "tcp:127.0.0.1:0", "tls:127.0.0.1:0"}, TLS: certificate(t)})
	random := make([]byte, 1<<16)
	for i := range random {
		random[i] = byte(rand.IntN(256))
	}
	head := strings.TrimSuffix(options(""), "\r\n")
	for name, tt := range map[string]struct{ first, again string }{
		"lines":                       {"", strings.Repeat("abc\r\n", 10000)},
		"lines and blank ones":        {"", strings.Repeat("abc\r\n\r\n", 10000)},
		"long lines":                  {"", strings.Repeat("a", 10000) + "\r\n"},
		"random bytes":                {"", string(random)},
		"line feeds":                  {"", strings.Repeat("abcdefgh\n", 7000)},
		"zeros":                       {"", strings.Repeat("\x00", 1<<16)},
		"headers without an end":      {head, strings.Repeat("X: yyyyyyyyyyyyyyyyy\r\n", 2000)},
		"a large body":                {options("Content-Length: 2000000000\r\n"), strings.Repeat("a", 1<<16)},
		"a body below none":           {options("Content-Length: -5\r\n"), strings.Repeat("a", 1<<16)},
		"no length":                   {"", options("")},
		"two lengths":                 {"", options("Content-Length: 0\r\nl: 5\r\n")},
		"headers that are none":       {"", options("Content-Length: 0\r\nVia\r\n")},
		"a CSeq that is none":         {"", strings.Replace(options("Content-Length: 0\r\n"), "CSeq: 1", "CSeq: x", 1)},
		"a message in too many lines": {options("Content-Length: 2000\r\n"), strings.Repeat("\r\n", 1000)},
	} {
		for _, network := range []string{"tcp", "tls"} {
			p := newPhone(t, network, s.at(network))
			_ = p.conn.SetDeadline(time.Now().Add(longest))
			_, err := io.WriteString(p.conn, tt.first)
			for n := 0; err == nil; n += len(tt.again) {
				if n > 64<<20 {
					t.Fatalf("%s: %s: 64 MiB were taken", network, name)
				}
				_, err = io.WriteString(p.conn, tt.again)
			}
			if timedOut(err) {
				t.Errorf("%s: %s: the connection was not closed: %v", network, name, err)
			}
		}
	}
	p := newPhone(t, "udp", s.at("udp"))
	p.call(p.sound("8"))
	p.hangup()
}

func TestMessagesInPieces(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{Listen: []string{"tcp:127.0.0.1:0"}})
	p := newPhone(t, "tcp", s.at("tcp"))
	p.send("OPTIONS", "")
	p.response("OPTIONS")
	p.cseq, p.branch = 7, gosip.GenerateBranch()
	for _, b := range []byte("\r\n" + p.text("OPTIONS", "v=0\r\n")) {
		p.write(string(b))
	}
	p.response("OPTIONS")
	both := ""
	for range 2 {
		p.cseq, p.branch = p.cseq+1, gosip.GenerateBranch()
		both += p.text("OPTIONS", "") + "\r\n"
	}
	p.write(both)
	p.response("OPTIONS")

	raw := tcpFrom(t, "127.0.0.1", s.at("tcp"))
	_, _ = io.WriteString(raw, "\r\n\r\n")
	pong := make([]byte, 2)
	if _, err := io.ReadFull(raw, pong); err != nil || string(pong) != "\r\n" {
		t.Errorf("a ping is answered with %q, %v", pong, err)
	}
}

func TestConnectionsAreHeldToThePace(t *testing.T) {
	t.Parallel()
	began, gone := time.Now(), atomic.Int64{}
	s := serve(t, Options{
		Listen: []string{"tcp:127.0.0.1:0"}, Now: func() time.Time { return began.Add(time.Duration(gone.Load())) },
	})
	p, other := phoneOn(t, "tcp", tcpFrom(t, "127.0.0.5", s.at("tcp"))), newPhone(t, "tcp", s.at("tcp"))
	const most, more = 4 * messagesASecond, 50
	go func() {
		for range most + more {
			_, _ = io.WriteString(p.conn, options("Content-Length: 0\r\n"))
		}
	}()
	take := func(n int) {
		for range n {
			p.next("answer", func(gosip.Message) bool { return true })
		}
	}
	take(most)
	other.status(200, "OPTIONS", "") // nobody else waits
	if n := len(p.messages); n > 0 {
		t.Errorf("%d more are answered", n)
	}
	gone.Store(int64(time.Second))
	take(more)

	closed := make(chan struct{})
	g := newGate(nil, s.o.Log, func() time.Time { return began }, newMetrics(nil))
	for range most {
		if !g.await(netip.IPv6Loopback(), nil) {
			t.Fatal("a message was to wait")
		}
	}
	if close(closed); g.await(netip.IPv6Loopback(), closed) {
		t.Error("nobody has to wait")
	}
}

func TestConnectionsThatAreIdleOrSlow(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{Listen: []string{"tcp:127.0.0.1:0"}}, func(t *timing) {
		t.message, t.idleConn = 500*time.Millisecond, 500*time.Millisecond
	})
	isClosed := func(name string, conn net.Conn) {
		t.Helper()
		_ = conn.SetReadDeadline(time.Now().Add(longest))
		if _, err := io.Copy(io.Discard, conn); timedOut(err) {
			t.Errorf("%s stays open: %v", name, err)
		}
		_ = conn.Close()
	}
	p := newPhone(t, "tcp", s.at("tcp"))
	p.call(p.sound("8 101"))
	isClosed("a connection on which nothing comes", tcpFrom(t, "127.0.0.1", s.at("tcp")))
	slow := tcpFrom(t, "127.0.0.1", s.at("tcp"))
	_, _ = io.WriteString(slow, "OPTIONS sip:x SIP/2.0\r\nVia: ")
	trickle := make(chan struct{})
	go func() {
		defer close(trickle)
		for range time.Tick(5 * time.Millisecond) {
			if _, err := slow.Write([]byte("a")); err != nil {
				return
			}
		}
	}()
	isClosed("one on which a message does not end", slow)
	<-trickle
	idle := tcpFrom(t, "127.0.0.1", s.at("tcp"))
	_, _ = io.WriteString(idle, options("Content-Length: 0\r\n"))
	isClosed("one that is not used any more", idle)
	p.hears(fiveTone, keyIn('5'))
	p.hangup() // over the connection of the call, which was silent longer than all of them
}

func timedOut(err error) bool {
	timeout := net.Error(nil)
	return errors.As(err, &timeout) && timeout.Timeout()
}

func TestAConnectionToARegistrarIsWatched(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{Listen: []string{"tcp:127.0.0.1:0"}, Allow: nobody})
	registrar, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer registrar.Close()
	s.SetTrunks([]Trunk{{Registrar: "sip:" + registrar.Addr().String() + ";transport=tcp", User: "desk", Number: "1"}})
	conn, err := registrar.Accept()
	if err != nil {
		t.Fatal(err)
	}
	p := phoneOn(t, "tcp", conn)
	p.grant(p.request("REGISTER"), "300")
	until(t, s, "registered", registered)
	_ = conn.SetDeadline(time.Now().Add(longest))
	for n := 0; err == nil; n += 50000 {
		if n > 64<<20 {
			t.Fatal("64 MiB were taken")
		}
		_, err = io.WriteString(conn, strings.Repeat("abc\r\n", 10000))
	}
}

func FuzzMessages(f *testing.F) {
	f.Add([]byte(options("Content-Length: 0\r\n")), 7)
	f.Add([]byte("\r\n\r\n"+options("l: 3\r\n")+"abc\r\n"+options("Content-Length: 0\r\n")), 70)
	f.Add([]byte("\x00\r\nabc\r\n\r\n"), 2)
	f.Add([]byte("SIP/2.0 200 OK\r\nContent-Length:\r\n 2\r\n\r\nab"), 30)
	parser := newParser()
	f.Fuzz(func(t *testing.T, data []byte, cut int) {
		cut = min(max(cut, 0), len(data))
		read := func(pieces ...[]byte) (all []string) {
			m := messages{parser: parser}
			for _, piece := range pieces {
				m.add(piece)
				for {
					message, err := m.next()
					if err != nil {
						return append(all, "closed")
					}
					if len(message) == 0 {
						break
					}
					all = append(all, string(message))
					if !bytes.Equal(message, ping) {
						whole := 0
						err := parser.NewSIPStream().ParseSIPStream(message, func(gosip.Message) { whole++ })
						if err != nil || whole != 1 {
							t.Fatalf("%q is %d messages: %v", message, whole, err)
						}
					}
					m.drop(len(message))
				}
				if len(m.buf) > mostMessage+len(piece) {
					t.Fatal("too much is kept")
				}
			}
			return all
		}
		if one, two := fmt.Sprintf("%q", read(data)), fmt.Sprintf("%q", read(data[:cut], data[cut:])); one != two {
			t.Fatalf("in one piece %s, in two %s", one, two)
		}
	})
}
