package store_test

import (
	"io"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// proxy stands between a store and its server. While it is silent it accepts
// connections and passes nothing on; connections made then, or open then, stay
// silent for ever, as those to a machine that was unplugged.
type proxy struct {
	net.Listener
	server string
	silent atomic.Bool
	mu     sync.Mutex
	conns  []net.Conn
}

func newProxy(t *testing.T, server string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{Listener: l, server: server}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go p.serve(c)
		}
	}()
	t.Cleanup(func() {
		l.Close()
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, c := range p.conns {
			c.Close()
		}
	})
	return p
}

func (p *proxy) serve(client net.Conn) {
	server, err := net.Dial("tcp", p.server)
	if err != nil {
		client.Close()
		return
	}
	p.mu.Lock()
	p.conns = append(p.conns, client, server)
	p.mu.Unlock()
	var mute atomic.Bool
	pass := func(dst, src net.Conn) {
		buf := make([]byte, 32<<10)
		for {
			n, err := src.Read(buf)
			if p.silent.Load() {
				mute.Store(true)
			}
			if !mute.Load() {
				if err != nil {
					dst.Close()
					return
				}
				dst.Write(buf[:n])
			} else if err != nil {
				return // its end is not passed on either
			}
		}
	}
	go pass(server, client)
	pass(client, server)
	io.Copy(io.Discard, client)
}

// A server that falls silent, and is replaced by another: connections to the
// old one never say anything again. All that asked get their answer in time,
// and soon after all is well, without any help.
func TestAServerThatFallsSilentAndIsReplaced(t *testing.T) {
	t.Parallel()
	if !storetest.IsPostgres() {
		t.Skip("this is about PostgreSQL")
	}
	address := storetest.URL(t)
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, storetest.Open(t, address), "a").ID, Live: true}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	p := newProxy(t, u.Host)
	u.Host = p.Addr().String()
	const timeout = 500 * time.Millisecond
	s, err := store.Open(store.Options{URL: u.String(), Timeout: timeout, MaxConnections: 8})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	ask := func(int) error {
		_, err := s.Agents(ctx, owner)
		return err
	}
	write := func(i int) error {
		return s.RecordCalls(ctx, owner, recording(time.Now(), i, 1))
	}
	// On a busy machine half a second is not much, even for a server that is well.
	began := time.Now()
	for errs := atOnce(40, ask); len(errs) > 0; errs = atOnce(40, ask) {
		if time.Since(began) > time.Minute {
			t.Fatal(errs)
		}
	}

	p.silent.Store(true)
	for round := range 3 {
		for _, work := range []func(int) error{ask, write} {
			began := time.Now()
			errs := atOnce(40, work)
			if took := time.Since(began); took > time.Minute {
				t.Errorf("in round %d the answers took %s", round, took)
			}
			if len(errs) != 40 {
				t.Errorf("in round %d only %d of 40 failed", round, len(errs))
			}
			for _, err := range errs {
				isKind(t, err, frontdesk.Unavailable, "database_unavailable")
			}
		}
	}

	p.silent.Store(false)
	began = time.Now()
	for ask(0) != nil || write(0) != nil {
		if time.Since(began) > time.Minute {
			t.Fatal("a minute after the server is back, questions fail")
		}
	}
	t.Logf("all is well %s after the server is back", time.Since(began).Round(time.Millisecond))
}
