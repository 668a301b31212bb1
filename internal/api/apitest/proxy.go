package apitest

import (
	"net"
	"sync"
)

// Proxy stands between a program and its database, and can be told to fail in
// the ways in which networks and servers fail.
type Proxy struct {
	addr   string
	target string

	mu       sync.Mutex
	changed  sync.Cond
	listener net.Listener
	pairs    map[*pair]bool
	refusing bool
	hanging  bool
	closed   bool
}

// pair is one connection through the proxy. A dead one never says anything
// again, and does not end either.
type pair struct {
	client, server net.Conn
	dead           bool
}

// NewProxy forwards to target until it is told otherwise.
func NewProxy(target string) (*Proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{addr: l.Addr().String(), target: target, pairs: map[*pair]bool{}}
	p.changed.L = &p.mu
	p.listen(l)
	return p, nil
}

// Addr is where the proxy listens.
func (p *Proxy) Addr() string { return p.addr }

// Refuse ends all connections and refuses new ones: the server is stopped.
func (p *Proxy) Refuse() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refusing = true
	p.listener.Close()
	p.end()
}

// Hang goes on accepting and says nothing any more, on old connections and on
// new ones.
func (p *Proxy) Hang() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hanging = true
}

// Restore ends a Refuse or a Hang. What was held up arrives now.
func (p *Proxy) Restore() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hanging = false
	p.changed.Broadcast()
	if !p.refusing {
		return nil
	}
	l, err := net.Listen("tcp", p.addr)
	if err != nil {
		return err
	}
	p.refusing = false
	p.listen(l)
	return nil
}

// Replace ends a Hang for new connections only. Those that hang do so for ever.
func (p *Proxy) Replace() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.pairs {
		c.dead = true
	}
	p.hanging = false
	p.changed.Broadcast()
}

// Close ends the proxy and all that goes through it.
func (p *Proxy) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.listener.Close()
	p.end()
	p.changed.Broadcast()
}

// end closes all connections; the lock is held.
func (p *Proxy) end() {
	for c := range p.pairs {
		c.client.Close()
		c.server.Close()
	}
}

func (p *Proxy) listen(l net.Listener) {
	p.listener = l
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go p.serve(client)
		}
	}()
}

func (p *Proxy) serve(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		return
	}
	defer server.Close()
	c := &pair{client: client, server: server}
	p.mu.Lock()
	p.pairs[c] = true
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		delete(p.pairs, c)
		p.mu.Unlock()
	}()
	var both sync.WaitGroup
	both.Go(func() { p.pump(c, server, client) })
	both.Go(func() { p.pump(c, client, server) })
	both.Wait()
}

func (p *Proxy) pump(c *pair, to, from net.Conn) {
	defer to.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if !p.wait(c) || err != nil {
			return
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// wait holds what came up for as long as the proxy hangs.
func (p *Proxy) wait(c *pair) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for (p.hanging || c.dead) && !p.closed {
		p.changed.Wait()
	}
	return !p.closed
}
