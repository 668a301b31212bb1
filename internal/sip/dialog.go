package sip

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"sync"

	"github.com/emiago/sipgo"
	gosip "github.com/emiago/sipgo/sip"
)

// dialog is what two parties have agreed to call each other for the time of a
// call (RFC 3261, 12).
type dialog struct {
	id        string
	localTag  string
	remoteTag string
	local     gosip.ToHeader   // us, as the caller wrote it, with our tag
	remote    gosip.FromHeader // the caller
	routes    []string
	network   string         // udp, tcp, tls
	from      netip.AddrPort // whence the INVITE came
	host      netip.Addr     // ours, that the peer reaches us by
	contact   gosip.ContactHeader

	mu       sync.Mutex
	target   gosip.Uri // the peer's contact
	sequence uint32    // of our last request
	first    uint32    // of the peer's INVITE
	received uint32    // the highest of the peer's requests
	seen     uint64    // which of the 64 below it have come, the next below first
}

func dialogKey(id, localTag string) string { return id + "\x00" + localTag }

// newDialog begins a dialog with an INVITE, which has our tag already.
func (e *endpoint) newDialog(ctx context.Context, invite *gosip.Request, user string) (*dialog, error) {
	from := sourceOf(invite)
	d := &dialog{
		id: callID(invite), localTag: tag(invite.To()), remoteTag: tag(invite.From()), local: *invite.To(), remote: *invite.From(),
		routes: values(invite, "Record-Route"), network: gosip.NetworkToLower(invite.Transport()), from: from,
		target: *invite.Contact().Address.Clone(), sequence: 1, first: invite.CSeq().SeqNo, received: invite.CSeq().SeqNo,
	}
	host, err := e.hostFor(ctx, d.network, from.Addr())
	if err != nil {
		return nil, err
	}
	d.host, d.contact = host, e.contact(d.network, user, host, from.Addr())
	return d, nil
}

// takes says whether a request of the peer's has not come before, and whether it
// comes in order, and remembers that it came.
func (d *dialog) takes(req *gosip.Request) (fresh, inOrder bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := req.CSeq().SeqNo
	if n > d.received {
		d.seen = d.seen<<1 | 1
		d.seen <<= n - d.received - 1 // all are gone when it is far
		d.received = n
		return true, true
	}
	below := d.received - n // 0 is the last one itself
	if n <= d.first || below == 0 || below > 64 || d.seen&(1<<(below-1)) != 0 {
		return false, false
	}
	d.seen |= 1 << (below - 1)
	return true, false
}

// retarget takes the peer's new contact.
func (d *dialog) retarget(req *gosip.Request) {
	if c := req.Contact(); c != nil {
		d.mu.Lock()
		d.target = *c.Address.Clone()
		d.mu.Unlock()
	}
}

// hop is where requests within the dialog are sent; d is locked. That is the first route, or
// the peer's contact, unless it names what cannot be reached from here: a name, or
// an address behind a firewall. Then it is where the INVITE came from, which is the
// same party.
func (d *dialog) hop() netip.AddrPort {
	if d.network != "udp" {
		return d.from // over the connection there is
	}
	host, port := d.target.Host, d.target.Port
	if len(d.routes) > 0 {
		var route gosip.Uri
		var params gosip.HeaderParams
		if _, err := gosip.ParseAddressValue(d.routes[0], &route, &params); err != nil {
			return d.from
		}
		host, port = route.Host, route.Port
	}
	a, err := netip.ParseAddr(strings.Trim(host, "[]"))
	if err != nil || a.IsUnspecified() || a.IsMulticast() || a.IsPrivate() && !d.from.Addr().IsPrivate() || a.IsLoopback() != d.from.Addr().IsLoopback() {
		return d.from
	}
	if port <= 0 || port > 65535 {
		port = gosip.DefaultUdpPort
	}
	return netip.AddrPortFrom(a.Unmap(), uint16(port))
}

// request begins a request within the dialog.
func (e *endpoint) request(d *dialog, method gosip.RequestMethod, headers ...gosip.Header) *gosip.Request {
	d.mu.Lock()
	d.sequence++
	req := e.requestWith(d, method, d.sequence)
	d.mu.Unlock()
	for _, h := range headers {
		req.AppendHeader(h)
	}
	req.SetBody(nil)
	return req
}

// requestWith makes a request with a sequence number. d is locked.
func (e *endpoint) requestWith(d *dialog, method gosip.RequestMethod, sequence uint32) *gosip.Request {
	req := gosip.NewRequest(method, *d.target.Clone())
	from, to := d.local.AsFrom(), d.remote.AsTo()
	id, hops := gosip.CallIDHeader(d.id), gosip.MaxForwardsHeader(70)
	req.AppendHeader(e.via(d.network, d.host, d.from.Addr()))
	for _, r := range d.routes {
		req.AppendHeader(gosip.NewHeader("Route", r))
	}
	req.AppendHeader(&from)
	req.AppendHeader(&to)
	req.AppendHeader(&id)
	req.AppendHeader(&gosip.CSeqHeader{SeqNo: sequence, MethodName: method})
	req.AppendHeader(&hops)
	contact := d.contact
	req.AppendHeader(&contact)
	req.AppendHeader(gosip.NewHeader("User-Agent", "frontdesk"))
	e.address(req, d.network, d.hop().String(), d.from.Addr())
	return req
}

// address says which way a request goes out.
func (e *endpoint) address(req *gosip.Request, network, destination string, peer netip.Addr) {
	req.SetTransport(strings.ToUpper(network))
	req.SetDestination(destination)
	if network != "udp" {
		return
	}
	if l := e.listenerFor(network, peer); l != nil {
		req.Laddr = l.source()
	}
}

// asItIs keeps the library from adding headers: the request has them all.
func asItIs(*sipgo.Client, *gosip.Request) error { return nil }

// do sends a request and waits for its final answer.
func (e *endpoint) do(ctx context.Context, req *gosip.Request) (*gosip.Response, error) {
	tx, err := e.client.TransactionRequest(ctx, req, asItIs)
	if err != nil {
		return nil, fmt.Errorf("sip: sending %s: %w", req.Method, err)
	}
	defer tx.Terminate()
	for {
		select {
		case res := <-tx.Responses():
			if !res.IsProvisional() {
				return res, nil
			}
		case <-tx.Done():
			return nil, fmt.Errorf("sip: %s was not answered: %w", req.Method, tx.Err())
		case <-ctx.Done():
			return nil, fmt.Errorf("sip: %s was not answered: %w", req.Method, ctx.Err())
		}
	}
}

// ask sends a request within a call and waits for its final answer. Where the peer
// wants to know who we are, it is told once.
func (c *Call) ask(ctx context.Context, method gosip.RequestMethod, body []byte, headers ...gosip.Header) (*gosip.Request, *gosip.Response, error) {
	ctx, cancel := context.WithTimeout(ctx, c.s.timing.request)
	defer cancel()
	make := func() *gosip.Request {
		req := c.s.here.request(c.dialog, method, headers...)
		if body != nil {
			req.AppendHeader(gosip.NewHeader("Content-Type", "application/sdp"))
			req.SetBody(body)
		}
		return req
	}
	req := make()
	res, err := c.s.here.do(ctx, req)
	if err != nil || c.trunk == nil || res.StatusCode != gosip.StatusUnauthorized && res.StatusCode != gosip.StatusProxyAuthRequired {
		return req, res, err
	}
	challenge, proxy := strongest(res)
	if challenge == nil {
		return req, res, nil
	}
	req = make()
	if err := sign(req, challenge, proxy, *c.trunk); err != nil {
		return req, nil, err
	}
	res, err = c.s.here.do(ctx, req)
	return req, res, err
}

// response answers a request of the peer's.
func response(req *gosip.Request, status int, reason string, headers ...gosip.Header) *gosip.Response {
	res := gosip.NewResponseFromRequest(req, status, reason, nil)
	for _, h := range headers {
		res.AppendHeader(h)
	}
	return res
}
