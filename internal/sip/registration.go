package sip

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	mathrand "math/rand/v2"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	gosip "github.com/emiago/sipgo/sip"
)

// How often we register.
const (
	registerFor   = 10 * time.Minute
	retryLongest  = 10 * time.Minute
	retryRefused  = 5 * time.Minute // a wrong password: asking often locks accounts
	trustedRounds = 3               // that an address is trusted after it was last resolved
)

// errDenied says that the registrar does not know our user or password.
var errDenied = errors.New("sip: the registrar refuses the user or the password: correct them in the trunk's settings")

// registration keeps one trunk registered.
type registration struct {
	s      *Server
	trunk  Trunk
	token  string // our contact's user, which nobody can guess
	ctx    context.Context
	cancel context.CancelFunc
	id     string // Call-ID of all its requests
	tag    string

	// Of run alone.
	sequence uint32
	failures int
	mapped   netip.AddrPort // as the registrar sees us; invalid: as we are
	hop      hop            // that it is registered at
	peer     string         // address of the connection there
	expiry   time.Duration  // that is asked for
	told     string         // the last failure that was logged

	mu      sync.Mutex
	trusted map[netip.Addr]int // rounds left, by the registrar's addresses
	state   TrunkState
}

// hop is an address that a registrar can be reached at.
type hop struct {
	network     string
	destination string // host:port
	address     netip.Addr
}

func newRegistration(s *Server, t Trunk) *registration {
	ctx, cancel := context.WithCancel(context.Background())
	return &registration{
		s: s, trunk: t, token: "fd" + strings.ToLower(rand.Text()), ctx: ctx, cancel: cancel, id: rand.Text(), tag: gosip.GenerateTagN(16),
		expiry: registerFor, trusted: map[netip.Addr]int{}, state: TrunkState{Trunk: t},
	}
}

func (r *registration) stateNow() TrunkState {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

// run registers again and again until the trunk is taken away, and then
// unregisters.
func (r *registration) run() {
	defer r.distrust()
	for _, l := range r.s.here.listeners {
		select {
		case <-l.serving:
		case <-r.ctx.Done():
			return
		}
	}
	for r.ctx.Err() == nil {
		wait := r.round(r.ctx)
		r.rest(wait)
	}
	r.unregister()
}

// rest waits until it is time to register again, or until the connection to the
// registrar is gone.
func (r *registration) rest(wait time.Duration) {
	until := time.NewTimer(wait)
	defer until.Stop()
	alive := time.NewTicker(r.s.timing.keepAlive)
	defer alive.Stop()
	for {
		select {
		case <-r.ctx.Done():
			return
		case <-until.C:
			return
		case <-alive.C:
			if !r.stateNow().Until.IsZero() && !r.keepAlive() {
				r.s.log.Warn("sip: the connection to the registrar is gone, registering again", "registrar", r.trunk.Registrar, "user", r.trunk.User)
				return
			}
		}
	}
}

// round registers once, and says how long it is until the next time.
func (r *registration) round(ctx context.Context) time.Duration {
	granted, err := r.attempt(ctx)
	now := r.s.o.Now()
	wait := granted / 2
	if granted > 4*time.Minute {
		wait = granted - time.Minute
	}
	if err != nil {
		r.failures++
		wait = r.backOff(err)
	}
	if ctx.Err() == nil {
		r.note(err, granted, now, wait)
	}
	return wait
}

// backOff is how long to wait after a failure: longer each time, and never for as
// long as others do.
func (r *registration) backOff(err error) time.Duration {
	wait := min(r.s.timing.retry*time.Duration(math.Pow(2, float64(min(r.failures-1, 10)))), retryLongest)
	if errors.Is(err, errDenied) {
		wait = max(wait, retryRefused)
	}
	return wait/2 + mathrand.N(wait/2)
}

// note writes down how the last attempt went. The log says each failure once.
func (r *registration) note(err error, granted time.Duration, now time.Time, wait time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	was := !r.state.Until.IsZero()
	log := r.s.log.With("registrar", r.trunk.Registrar, "user", r.trunk.User)
	r.state.Next = now.Add(wait)
	if err != nil {
		r.state.Error = err.Error()
		if was && !now.Before(r.state.Until) || errors.Is(err, errDenied) {
			r.state.Until = time.Time{}
		}
		if r.told != r.state.Error {
			log.Error("sip: not registered: no calls come by this trunk; it is tried again by itself", "error", err)
		}
		r.told = r.state.Error
	} else {
		r.failures, r.told = 0, ""
		r.state.Error, r.state.Until = "", now.Add(granted)
		if !was {
			log.Info("sip: registered", "at", r.peer, "for", granted.String())
		}
	}
	if is := !r.state.Until.IsZero(); is != was {
		r.s.metrics.registered.Add(map[bool]float64{true: 1, false: -1}[is])
	}
}

// attempt tries the registrar's addresses one after another.
func (r *registration) attempt(ctx context.Context) (granted time.Duration, err error) {
	hops, err := r.resolve(ctx)
	if err != nil {
		return 0, err
	}
	for _, h := range hops {
		if granted, err = r.register(ctx, h, r.expiry); err == nil || errors.Is(err, errDenied) || ctx.Err() != nil {
			return granted, err
		}
	}
	return 0, err
}

// register asks one address of the registrar's for some time. Where a firewall
// gives us another address, it is asked once more with that.
func (r *registration) register(ctx context.Context, h hop, expiry time.Duration) (time.Duration, error) {
	for range 3 {
		req, res, err := r.send(ctx, h, expiry)
		switch {
		case err != nil:
			return 0, err
		case res.StatusCode == gosip.StatusIntervalToBrief:
			seconds, err := strconv.Atoi(headerValue(res, "Min-Expires"))
			if err != nil || seconds <= 0 || seconds > 86400 {
				return 0, errors.New("sip: the registrar finds the time too short, and does not say what it wants")
			}
			expiry = time.Duration(seconds) * time.Second
			r.expiry = expiry
			continue
		case !res.IsSuccess():
			return 0, fmt.Errorf("sip: the registrar refused: %d %s", res.StatusCode, clean(res.Reason))
		}
		r.hop, r.peer = h, res.Source()
		r.trustPeer(sourceOf(res).Addr())
		if r.moved(req, res, h) {
			continue
		}
		return r.granted(res, expiry), nil
	}
	return 0, errors.New("sip: the registrar sees us at another address each time: set the public address")
}

// moved takes the address that the registrar sees us at, and says whether it is
// not the one we gave.
func (r *registration) moved(req *gosip.Request, res *gosip.Response, h hop) bool {
	via, ours := res.Via(), req.Via()
	if via == nil || h.network != "udp" || r.s.o.Public != "" {
		return false
	}
	host, port := ours.Host, ours.Port
	if received, _ := via.Params.Get("received"); received != "" {
		host = received
	}
	if p, err := strconv.Atoi(via.Params.GetOr("rport", "")); err == nil {
		port = p
	}
	a, err := netip.ParseAddr(host)
	if err != nil || port <= 0 || port > 65535 {
		return false
	}
	seen, given := netip.AddrPortFrom(a.Unmap(), uint16(port)), req.Contact().Address
	if given.Host == seen.Addr().String() && given.Port == port {
		return false
	}
	r.mapped = seen
	return true
}

// granted is for how long the registrar knows us.
func (r *registration) granted(res *gosip.Response, asked time.Duration) time.Duration {
	seconds := headerValue(res, "Expires")
	for _, h := range res.GetHeaders("Contact") {
		if c, ok := h.(*gosip.ContactHeader); ok && c.Address.User == r.token {
			if e, _ := c.Params.Get("expires"); e != "" {
				seconds = e
			}
		}
	}
	n, err := strconv.Atoi(strings.TrimSpace(seconds))
	if err != nil || n <= 0 {
		return asked
	}
	return min(max(time.Duration(n)*time.Second, 2*time.Second), 24*time.Hour)
}

// send sends a REGISTER, signed if the registrar asks for it.
func (r *registration) send(ctx context.Context, h hop, expiry time.Duration) (*gosip.Request, *gosip.Response, error) {
	ctx, cancel := context.WithTimeout(ctx, r.s.timing.request)
	defer cancel()
	req, err := r.request(ctx, h, expiry)
	if err != nil {
		return nil, nil, err
	}
	res, err := r.s.here.do(ctx, req)
	for signed := false; err == nil; signed = true {
		challenge, proxy := strongest(res)
		asked := res.StatusCode == gosip.StatusUnauthorized || res.StatusCode == gosip.StatusProxyAuthRequired
		switch {
		case res.StatusCode == gosip.StatusForbidden, asked && signed && (challenge == nil || !challenge.Stale):
			return nil, nil, errDenied
		case !asked:
			return req, res, nil
		case challenge == nil:
			return nil, nil, errors.New("sip: the registrar wants to be signed to in a way that is not known here")
		}
		if req, err = r.request(ctx, h, expiry); err != nil {
			return nil, nil, err
		}
		if err = sign(req, challenge, proxy, r.trunk); err != nil {
			return nil, nil, err
		}
		res, err = r.s.here.do(ctx, req)
	}
	return nil, nil, err
}

func (r *registration) request(ctx context.Context, h hop, expiry time.Duration) (*gosip.Request, error) {
	uri, err := r.trunk.registrar()
	if err != nil {
		return nil, fmt.Errorf("sip: %q is no registrar: %w", r.trunk.Registrar, err)
	}
	host, err := r.s.here.hostFor(ctx, h.network, h.address)
	if err != nil {
		return nil, err
	}
	r.sequence++
	self := gosip.Uri{Scheme: cmp.Or(uri.Scheme, "sip"), User: r.trunk.User, Host: uri.Host}
	req := gosip.NewRequest(gosip.REGISTER, gosip.Uri{Scheme: cmp.Or(uri.Scheme, "sip"), Host: uri.Host, Port: uri.Port, UriParams: uri.UriParams})
	id, hops := gosip.CallIDHeader(r.id), gosip.MaxForwardsHeader(70)
	contact := r.s.here.contact(h.network, r.token, host, h.address)
	if r.mapped.IsValid() {
		contact.Address.Host, contact.Address.Port = r.mapped.Addr().String(), int(r.mapped.Port())
	}
	seconds := strconv.Itoa(int(expiry.Seconds()))
	contact.Params = gosip.HeaderParams{{K: "expires", V: seconds}}
	req.AppendHeader(r.s.here.via(h.network, host, h.address))
	req.AppendHeader(&gosip.FromHeader{Address: self, Params: gosip.HeaderParams{{K: "tag", V: r.tag}}})
	req.AppendHeader(&gosip.ToHeader{Address: self})
	req.AppendHeader(&id)
	req.AppendHeader(&gosip.CSeqHeader{SeqNo: r.sequence, MethodName: gosip.REGISTER})
	req.AppendHeader(&hops)
	req.AppendHeader(&contact)
	req.AppendHeader(gosip.NewHeader("Expires", seconds))
	req.AppendHeader(gosip.NewHeader("Allow", allowed))
	req.AppendHeader(gosip.NewHeader("User-Agent", "frontdesk"))
	req.SetBody(nil)
	r.s.here.address(req, h.network, h.destination, h.address)
	return req, nil
}

// keepAlive keeps the way through a firewall open, and says whether there is one.
func (r *registration) keepAlive() bool {
	to, err := netip.ParseAddrPort(r.peer)
	if err != nil {
		return true
	}
	if r.hop.network == "udp" {
		if l := r.s.here.listenerFor("udp", to.Addr()); l != nil && l.packets != nil {
			_, _ = l.packets.WriteTo([]byte("\r\n\r\n"), net.UDPAddrFromAddrPort(to)) // the next one may arrive
		}
		return true
	}
	conn, err := r.s.here.agent.TransportLayer().GetConnection(r.hop.network, r.peer)
	if err != nil {
		return false
	}
	defer conn.TryClose() //nolint:errcheck // it counts users
	if c, ok := conn.(*gosip.TCPConnection); ok {
		_, err = c.Write([]byte("\r\n\r\n"))
	}
	return err == nil
}

// unregister tells the registrar that we are gone.
func (r *registration) unregister() {
	if r.stateNow().Until.IsZero() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if _, _, err := r.send(ctx, r.hop, 0); err != nil {
		r.s.log.Warn("sip: could not unregister; calls may still be sent here until the registration runs out", "registrar", r.trunk.Registrar, "user", r.trunk.User, "error", err)
	}
	r.s.metrics.registered.Add(-1)
}
