package sip

import (
	"context"
	cryptorand "crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	gosip "github.com/emiago/sipgo/sip"
)

// onInvite takes a new call, or a change of one there is. It stays until nothing
// more is owed to the request, for the library ends the transaction when it
// returns.
func (s *Server) onInvite(req *gosip.Request, tx gosip.ServerTransaction) {
	if tag(req.To()) != "" {
		s.onReinvite(req, tx)
		return
	}
	if status, reason, header := s.refusal(req); status != 0 {
		s.refuse(req, tx, status, reason, header...)
		return
	}
	c, err := s.newCall(req, tx)
	switch {
	case errors.Is(err, errNoCodec):
		s.refuse(req, tx, gosip.StatusNotAcceptableHere, "Not Acceptable Here", gosip.NewHeader("Warning", `305 frontdesk "Incompatible media format"`))
		return
	case errors.Is(err, errSDP):
		s.refuse(req, tx, gosip.StatusBadRequest, "Bad Session Description")
		return
	case err != nil:
		s.say(s.log, slog.LevelError, "sip: a call could not be taken", "from", sourceOf(req).String(), "error", err)
		s.refuse(req, tx, gosip.StatusServiceUnavailable, "Service Unavailable", gosip.NewHeader("Retry-After", "10"))
		return
	}
	if !tx.OnCancel(func(*gosip.Request) { c.end("cancelled by the caller") }) {
		c.end("cancelled by the caller")
		c.close()
		return
	}
	if !s.admit(c) {
		c.end("too many calls")
		c.close()
		s.refuse(req, tx, gosip.StatusServiceUnavailable, "Too Many Calls", gosip.NewHeader("Retry-After", "10"))
		return
	}
	s.start(c)
	<-c.settled
}

// refusal is why a request for a call is not even looked at; 0: it is.
func (s *Server) refusal(req *gosip.Request) (status int, reason string, header []gosip.Header) {
	s.mu.Lock()
	merged := s.invites[inviteKey(req)] != nil
	s.mu.Unlock()
	switch {
	case req.Contact() == nil || req.From() == nil || req.To() == nil || req.CSeq() == nil || callID(req) == "" || tag(req.From()) == "":
		return gosip.StatusBadRequest, "Bad Request", nil
	case merged: // it came twice, by two ways
		return gosip.StatusLoopDetected, "Loop Detected", nil
	case s.isStopping():
		return gosip.StatusServiceUnavailable, "Stopping", nil
	case len(req.Body()) > 0 && !hasSDP(req):
		return gosip.StatusUnsupportedMediaType, "Unsupported Media Type", []gosip.Header{gosip.NewHeader("Accept", "application/sdp")}
	}
	if unknown := unsupported(req); unknown != "" {
		return gosip.StatusBadExtension, "Bad Extension", []gosip.Header{gosip.NewHeader("Unsupported", unknown)}
	}
	if shortest := s.timing.minSession; sessionTooShort(req, shortest) {
		return 422, "Session Interval Too Small", []gosip.Header{gosip.NewHeader("Min-SE", fmt.Sprint(int(shortest.Seconds())))}
	}
	return 0, "", nil
}

// inviteKey tells whether two INVITEs are the same (RFC 3261, 8.2.2.2).
func inviteKey(req *gosip.Request) string {
	n := uint32(0)
	if h := req.CSeq(); h != nil {
		n = h.SeqNo
	}
	return fmt.Sprintf("%s\x00%s\x00%d", callID(req), tag(req.From()), n)
}

func hasSDP(req *gosip.Request) bool {
	t := req.ContentType()
	return t != nil && strings.HasPrefix(strings.ToLower(strings.TrimSpace(t.Value())), "application/sdp")
}

// unsupported is what the peer insists on and we do not have.
func unsupported(req *gosip.Request) string {
	var unknown []string
	for _, value := range values(req, "Require") {
		for option := range strings.SplitSeq(value, ",") {
			if option = strings.TrimSpace(option); option != "" && !strings.EqualFold(option, "timer") {
				unknown = append(unknown, option)
			}
		}
	}
	return strings.Join(unknown, ", ")
}

// newCall makes a call of an INVITE: its dialog, its port, and what it offers.
func (s *Server) newCall(req *gosip.Request, tx gosip.ServerTransaction) (*Call, error) {
	offer, err := readOffer(req)
	if err != nil {
		return nil, err
	}
	invite := req.Clone()
	invite.To().Params.Add("tag", cryptorand.Text()) // nobody guesses it
	trunk, user := s.trunkOf(req)
	ctx, cancel := context.WithTimeout(s.hard, s.timing.request)
	defer cancel()
	dialog, err := s.here.newDialog(ctx, invite, user)
	if err != nil {
		return nil, err
	}
	if offer != nil {
		if err := s.mayHear(*offer, dialog.host); err != nil {
			return nil, err
		}
	}
	c := &Call{
		s: s, key: dialogKey(dialog.id, dialog.localTag), inviteKey: inviteKey(req), invite: invite, tx: tx, dialog: dialog,
		media: newMedia(dialog.from.Addr()), from: caller(req), called: called(req), trunk: trunk, offer: offer,
		session: ours{session: rand.Uint64() >> 2, version: 1, address: dialog.host},
		refers:  make(chan notice, 8), settled: make(chan struct{}), done: make(chan struct{}),
		acks: acks{wanted: map[uint32]chan *gosip.Request{}}, allows: allowsOf(req),
	}
	c.log = s.log.With("call", dialog.id, "peer", dialog.from.String())
	if offer != nil && offer.keys != nil {
		c.own = newKeys(offer.keys.tag)
		c.session.keys = c.own
	}
	c.welcome()
	return c, nil
}

// readOffer reads what an INVITE offers, nil if it leaves the offer to us.
func readOffer(req *gosip.Request) (*description, error) {
	if len(req.Body()) == 0 {
		return nil, nil
	}
	d, err := readDescription(req.Body())
	if err != nil {
		return nil, err
	}
	return &d, nil
}

// mayHear refuses a description that has our sound sent to ourselves: to where we
// listen for messages, or into another call.
func (s *Server) mayHear(d description, host netip.Addr) error {
	a := d.address.Addr()
	own := a == host || a.IsLoopback() && host.IsLoopback()
	port := d.address.Port()
	for _, l := range s.here.listeners {
		own = own || l.address.Addr().Unmap() == a
	}
	if !own {
		return nil
	}
	listens := slices.ContainsFunc(s.here.listeners, func(l *listener) bool { return l.address.Port() == port })
	if listens || s.ports.inUse(int(port)) {
		return fmt.Errorf("%w: the sound is to be sent to ourselves", errSDP)
	}
	return nil
}

func allowsOf(req *gosip.Request) map[string]bool {
	methods := map[string]bool{}
	for _, value := range values(req, "Allow") {
		for m := range strings.SplitSeq(value, ",") {
			methods[strings.ToUpper(strings.TrimSpace(m))] = true
		}
	}
	return methods
}

// start lets a call have its goroutines.
func (s *Server) start(c *Call) {
	s.work.Go("sip call", func(context.Context) { c.run(s.o.Answer) })
	s.work.Go("sip watch", func(context.Context) { watch{c, time.Now()}.run() })
}

// Answer takes the call, and waits until the caller knows.
func (c *Call) Answer(ctx context.Context) error {
	if err := c.openSound(); errors.Is(err, errNoPort) {
		return errors.Join(err, c.Reject(gosip.StatusServiceUnavailable, "Service Unavailable"))
	}
	if !c.move(waiting, settling) {
		return errAnswered
	}
	res, late, err := c.accepting(c.invite, c.offer)
	if err == nil {
		err = c.accept(ctx, c.tx, res, c.invite.CSeq().SeqNo, late)
	}
	if err == nil {
		c.answered.Store(true)
		c.s.acknowledged(c)
		if !c.move(settling, talking) {
			err = errEnded
		}
	}
	if errors.Is(err, errNoACK) {
		c.giveUp("no ACK")
	}
	c.settleInvite()
	return err
}

// giveUp hangs up because of the peer.
func (c *Call) giveUp(why string) {
	c.s.say(c.log, slog.LevelWarn, "sip: hanging up", "why", why)
	ctx, cancel := context.WithTimeout(context.Background(), c.s.timing.request)
	defer cancel()
	_ = c.hangup(ctx, why) // the peer is likely gone
}

// accepting makes the answer 200 to an INVITE or UPDATE. late says that the peer's
// description comes with its ACK.
func (c *Call) accepting(req *gosip.Request, offer *description) (res *gosip.Response, late bool, err error) {
	c.mu.Lock()
	headers := c.timer.agree(req, time.Now())
	c.mu.Unlock()
	res = c.dress(response(req, gosip.StatusOK, "OK", headers...))
	if offer == nil && req.Method != gosip.INVITE {
		return res, false, nil // nothing but the session timer
	}
	body := c.session.offer()
	if offer != nil {
		if err := c.media.agree(*offer, c.own); err != nil {
			return nil, false, err
		}
		body = c.session.answer(*offer)
	}
	res.AppendHeader(gosip.NewHeader("Content-Type", "application/sdp"))
	res.SetBody(body)
	return res, offer == nil, nil
}

// accept sends a 200 to an INVITE again and again until it is acknowledged.
func (c *Call) accept(ctx context.Context, tx gosip.ServerTransaction, res *gosip.Response, sequence uint32, late bool) error {
	acked := c.acks.expect(sequence)
	defer c.acks.forget(sequence)
	if err := tx.Respond(res); err != nil {
		return fmt.Errorf("sip: answering: %w", err)
	}
	pause := c.s.timing.t1
	again, never := time.NewTimer(pause), time.NewTimer(64*c.s.timing.t1)
	defer again.Stop()
	defer never.Stop()
	for {
		select {
		case ack := <-acked:
			return c.acknowledged(ack, late)
		case ack := <-tx.Acks(): // with the branch of the INVITE, as some do
			return c.acknowledged(ack, late)
		case <-again.C:
			_ = tx.Respond(res) // the next one may arrive
			pause = min(2*pause, c.s.timing.t2)
			again.Reset(pause)
		case <-never.C:
			return errNoACK
		case <-c.done:
			return errEnded
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// acknowledged takes the peer's description out of its ACK, where we made the
// offer.
func (c *Call) acknowledged(ack *gosip.Request, late bool) error {
	if !late {
		return nil
	}
	d, err := readDescription(ack.Body())
	if err == nil {
		err = c.s.mayHear(d, c.dialog.host)
	}
	if err == nil {
		err = c.media.agree(d, nil)
	}
	if err != nil {
		c.s.say(c.log, slog.LevelWarn, "sip: the caller's answer to our offer is no good", "error", err)
	}
	return err
}

// onACK hands an ACK to whoever waits for it.
func (s *Server) onACK(req *gosip.Request, _ gosip.ServerTransaction) {
	if c := s.callOf(req); c != nil && req.CSeq() != nil {
		c.acks.deliver(req)
	}
}

// acks are those that are waited for, by the number of their INVITE.
type acks struct {
	mu     sync.Mutex
	wanted map[uint32]chan *gosip.Request
}

func (a *acks) expect(sequence uint32) <-chan *gosip.Request {
	a.mu.Lock()
	defer a.mu.Unlock()
	ch := make(chan *gosip.Request, 1)
	a.wanted[sequence] = ch
	return ch
}

func (a *acks) forget(sequence uint32) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.wanted, sequence)
}

func (a *acks) deliver(ack *gosip.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	select {
	case a.wanted[ack.CSeq().SeqNo] <- ack:
	default: // nobody waits, or it came twice
	}
}
