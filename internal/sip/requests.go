package sip

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/emiago/sipgo"
	gosip "github.com/emiago/sipgo/sip"

	"frontdesk.dev/frontdesk/internal/service"
)

// allowed are the methods that we answer.
const allowed = "INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE, NOTIFY"

// route says who answers which request. None is answered for a stranger, and
// none of our panics gets through to the library.
func (s *Server) route(server *sipgo.Server) {
	handle := func(answer func(*gosip.Request, gosip.ServerTransaction)) sipgo.RequestHandler {
		return func(req *gosip.Request, tx gosip.ServerTransaction) {
			from := sourceOf(req).Addr()
			if tag(req.To()) == "" && !s.gate.mayCall(from) {
				s.gate.refuse(from, "stranger")
				return
			}
			if status, reason := malformed(req); status != 0 {
				if req.Method != gosip.ACK {
					s.refuse(req, tx, status, reason)
				}
				return
			}
			_ = service.Guard(s.log, "sip "+string(req.Method), func() error { // it has been logged
				answer(req, tx)
				return nil
			})
		}
	}
	server.OnInvite(handle(s.onInvite))
	server.OnAck(handle(s.onACK))
	server.OnBye(handle(s.onBye))
	server.OnCancel(handle(s.onCancel))
	server.OnOptions(handle(s.onOptions))
	server.OnInfo(handle(s.within(s.onInfo)))
	server.OnUpdate(handle(s.within(s.onUpdate)))
	server.OnNotify(handle(s.within(s.onNotify)))
	server.OnNoRoute(handle(s.onOther))
}

// mostID is how long the names may be that a peer gives a call.
const mostID = 256

// malformed is why a request is not looked at, whatever it asks for; 0: it is.
// Max-Forwards is nothing to those whom a request is for.
func malformed(req *gosip.Request) (status int, reason string) {
	switch h := req.CSeq(); {
	case !strings.EqualFold(req.SipVersion, "SIP/2.0"):
		return 505, "Version Not Supported"
	case h == nil || h.MethodName != req.Method:
		return gosip.StatusBadRequest, "CSeq Does Not Fit"
	case len(callID(req)) > mostID || len(tag(req.From())) > mostID:
		return gosip.StatusBadRequest, "Call-ID Or Tag Too Long"
	}
	return 0, ""
}

// refuse answers a request with a status.
func (s *Server) refuse(req *gosip.Request, tx gosip.ServerTransaction, status int, reason string, headers ...gosip.Header) {
	if err := tx.Respond(response(req, status, reason, headers...)); err != nil {
		s.log.Debug("sip: an answer could not be sent", "status", status, "error", err)
	}
}

// within finds the call that a request belongs to. None is taken twice. Requests that
// change the call are held to their order; others may overtake each other on their way
// through here.
func (s *Server) within(answer func(*Call, *gosip.Request, gosip.ServerTransaction)) func(*gosip.Request, gosip.ServerTransaction) {
	return func(req *gosip.Request, tx gosip.ServerTransaction) {
		c := s.callOf(req)
		if c == nil {
			s.refuse(req, tx, gosip.StatusCallTransactionDoesNotExists, "Call/Transaction Does Not Exist")
			return
		}
		fresh, inOrder := c.dialog.takes(req)
		if changes := req.Method == gosip.INVITE || req.Method == gosip.UPDATE; !fresh || changes && !inOrder {
			s.refuse(req, tx, gosip.StatusInternalServerError, "Out Of Order")
			return
		}
		answer(c, req, tx)
	}
}

// onBye ends a call. One that comes late ends it as well.
func (s *Server) onBye(req *gosip.Request, tx gosip.ServerTransaction) {
	c := s.callOf(req)
	if c == nil {
		s.refuse(req, tx, gosip.StatusCallTransactionDoesNotExists, "Call/Transaction Does Not Exist")
		return
	}
	s.refuse(req, tx, gosip.StatusOK, "OK")
	c.end("hung up by the caller")
}

// onCancel sees only what belongs to no INVITE that waits.
func (s *Server) onCancel(req *gosip.Request, tx gosip.ServerTransaction) {
	s.refuse(req, tx, gosip.StatusCallTransactionDoesNotExists, "Call/Transaction Does Not Exist")
}

// onOptions answers whether we are there: carriers ask all the time.
func (s *Server) onOptions(req *gosip.Request, tx gosip.ServerTransaction) {
	status, reason := gosip.StatusOK, "OK"
	if s.isStopping() {
		status, reason = gosip.StatusServiceUnavailable, "Stopping"
	}
	s.refuse(req, tx, status, reason, gosip.NewHeader("Allow", allowed), gosip.NewHeader("Accept", "application/sdp"),
		gosip.NewHeader("Supported", "timer"), gosip.NewHeader("Server", "frontdesk"))
}

func (s *Server) onOther(req *gosip.Request, tx gosip.ServerTransaction) {
	s.refuse(req, tx, gosip.StatusMethodNotAllowed, "Method Not Allowed", gosip.NewHeader("Allow", allowed))
}

// onInfo takes keys that come as messages.
func (s *Server) onInfo(c *Call, req *gosip.Request, tx gosip.ServerTransaction) {
	kind := ""
	if t := req.ContentType(); t != nil {
		kind, _, _ = strings.Cut(strings.ToLower(t.Value()), ";")
	}
	switch strings.TrimSpace(kind) {
	case "application/dtmf-relay", "application/dtmf":
		if key, ok := readKey(req.Body()); ok {
			c.media.mu.Lock()
			c.media.press(key, byMessage, time.Now())
			c.media.mu.Unlock()
		}
	case "":
	default:
		s.refuse(req, tx, gosip.StatusUnsupportedMediaType, "Unsupported Media Type", gosip.NewHeader("Accept", "application/dtmf-relay"))
		return
	}
	s.refuse(req, tx, gosip.StatusOK, "OK")
}

// readKey reads "Signal=5" and the like, or the key alone.
func readKey(body []byte) (byte, bool) {
	if len(body) > 256 {
		return 0, false
	}
	value := bytes.TrimSpace(body)
	for line := range bytes.Lines(body) {
		name, v, ok := bytes.Cut(line, []byte("="))
		if ok && strings.EqualFold(string(bytes.TrimSpace(name)), "signal") {
			value = bytes.TrimSpace(v)
			break
		}
	}
	switch text := strings.ToUpper(string(value)); {
	case text == "10":
		return '*', true
	case text == "11":
		return '#', true
	case len(text) == 1 && strings.Contains("0123456789*#ABCD", text):
		return text[0], true
	}
	return 0, false
}

// onReinvite changes a call: hold, resume, another address, another timer.
func (s *Server) onReinvite(req *gosip.Request, tx gosip.ServerTransaction) {
	s.within(func(c *Call, req *gosip.Request, tx gosip.ServerTransaction) { s.change(c, req, tx) })(req, tx)
}

func (s *Server) onUpdate(c *Call, req *gosip.Request, tx gosip.ServerTransaction) {
	s.change(c, req, tx)
}

func (s *Server) change(c *Call, req *gosip.Request, tx gosip.ServerTransaction) {
	c.awaitAnswered()
	if c.stateNow() == ended {
		s.refuse(req, tx, gosip.StatusCallTransactionDoesNotExists, "Call/Transaction Does Not Exist")
		return
	}
	if !c.beginChange(false) {
		s.refuse(req, tx, gosip.StatusRequestPending, "Request Pending")
		return
	}
	defer c.endChange()
	if shortest := s.timing.minSession; sessionTooShort(req, shortest) {
		s.refuse(req, tx, 422, "Session Interval Too Small", gosip.NewHeader("Min-SE", fmt.Sprint(int(shortest.Seconds()))))
		return
	}
	offer, err := readOffer(req)
	if err == nil && offer != nil && (offer.keys == nil) != (c.own == nil) {
		err = errNoCodec // what was encrypted stays so
	}
	if err == nil && offer != nil {
		err = s.mayHear(*offer, c.dialog.host)
	}
	if err != nil {
		s.refuse(req, tx, gosip.StatusNotAcceptableHere, "Not Acceptable Here")
		return
	}
	c.dialog.retarget(req)
	c.welcome()
	c.session.version++
	res, late, err := c.accepting(req, offer)
	if err != nil {
		s.refuse(req, tx, gosip.StatusNotAcceptableHere, "Not Acceptable Here")
		return
	}
	if req.Method != gosip.INVITE {
		_ = tx.Respond(res) // asked again if it is lost
		return
	}
	if err := c.accept(context.Background(), tx, res, req.CSeq().SeqNo, late); errors.Is(err, errNoACK) {
		c.giveUp("no ACK")
	}
}

// awaitAnswered waits until the peer has acknowledged what it asked for before, the
// call itself or a change of it: what it asks for next may overtake its ACK.
func (c *Call) awaitAnswered() {
	over := c.peers()
	if over == nil {
		return
	}
	select {
	case <-over:
	case <-c.done:
	case <-time.After(c.s.timing.request):
	}
}

// peers is closed when what the peer asked for is acknowledged; nil: it asks for
// nothing now.
func (c *Call) peers() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.state == settling:
		return c.settled
	case c.change != nil && !c.change.ours:
		return c.change.over
	}
	return nil
}

// change is one of the session that is under way.
type change struct {
	ours bool
	over chan struct{}
}

// beginChange says whether no other change is under way, and makes it so.
func (c *Call) beginChange(ours bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.change != nil || c.state != talking {
		return false
	}
	c.change = &change{ours: ours, over: make(chan struct{})}
	return true
}

func (c *Call) endChange() {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.change.over)
	c.change = nil
}
