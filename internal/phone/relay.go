package phone

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/service"
)

// relay serves the socket of one call.
func (p *Phone) relay(w http.ResponseWriter, r *http.Request, d *dialect) {
	on, err := p.mayRelay(r, d)
	if err != nil {
		status, body := refused(err)
		http.Error(w, strings.TrimSpace(string(body)), status)
		p.log.Warn("telephone: a relay was refused", "carrier", d.carrier, "status", status, "error", err)
		return
	}
	conn, err := websocket.Accept(w, r, nil)
	if err != nil {
		p.log.Warn("telephone: a relay could not be opened", "carrier", d.carrier, "call", on.ID, "error", err)
		return
	}
	conn.SetReadLimit(maxFrame)
	p.open.Add(1)
	p.metrics.relays.Inc()
	defer func() {
		p.metrics.relays.Dec()
		p.open.Done()
	}()
	s := &socket{Phone: p, d: d, conn: conn, on: on, talk: &talk{d: d, agent: on.Agent, begun: on}}
	s.run(context.WithoutCancel(r.Context()))
}

// mayRelay holds the opening of a relay to its token and, where the carrier signs
// it, to that. The token is used up with it.
func (p *Phone) mayRelay(r *http.Request, d *dialect) (on reception.OnLine, err error) {
	select {
	case <-p.stopping:
		return on, refusal{http.StatusServiceUnavailable, errors.New("this process is stopping")}
	default:
	}
	number, secret, err := p.numbers.Find(r.Context(), r.URL.Query().Get("number"))
	if err != nil {
		return on, err
	}
	if number.Carrier != d.carrier {
		return on, refusal{http.StatusNotFound, errors.New("the number belongs to another carrier")}
	}
	if d.signedSocket != nil {
		address := "ws" + strings.TrimPrefix(p.public, "http") + r.URL.RequestURI()
		if err := d.signedSocket(r, spellings(address), secret); err != nil {
			return on, refusal{http.StatusForbidden, err}
		}
	}
	id, ok := frontdesk.ParseID(r.PathValue("id"))
	if !ok {
		return on, errTaken
	}
	on, err = p.sessions.Connect(r.Context(), id, r.PathValue("token"))
	if e := exchange.Domain(err); e != nil && e.Kind == frontdesk.NotFound || err == nil && on.Number != number.Number {
		return on, errTaken
	}
	return on, err
}

// socket is one relay while it is open.
type socket struct {
	*Phone
	d    *dialect
	conn *websocket.Conn
	on   reception.OnLine
	talk *talk

	frames chan heardFrame
	closed chan error
	turns  chan turned
	asked  time.Time // when the receptionist was asked
}

// turned is a turn that the receptionist has taken.
type turned struct {
	reply reception.Reply
	err   error
}

const (
	// writeWithin is how long a carrier may take for a frame.
	writeWithin = 5 * time.Second
	// mostWaiting bounds the frames of a caller who is faster than the receptionist.
	mostWaiting = 256
)

// run talks until the relay is over.
func (s *socket) run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.frames, s.closed, s.turns = make(chan heardFrame, mostWaiting), make(chan error, 1), make(chan turned, 1)
	reading := service.Go(s.log, "relay of a call", func() error { return s.read(ctx) })
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	stopping := s.stopping
	for {
		timer.Reset(s.untilDeadline())
		var acts []act
		select {
		case f := <-s.frames:
			acts = s.takeFrame(f)
		case t := <-s.turns:
			acts = s.taken(t)
		case <-timer.C:
			acts = s.talk.tick(s.now())
			s.countRepeats(acts)
		case err := <-reading:
			s.over(err)
			return
		case <-stopping:
			stopping = nil
			if s.talk.hearing { // what was said is answered, and written, before we go
				acts = s.taken(<-s.turns)
			}
			s.do(ctx, acts)
			s.conn.CloseNow() // the carrier asks what to do, and is connected again
			return
		}
		if !s.do(ctx, acts) {
			s.conn.CloseNow()
			return
		}
	}
}

// countRepeats counts what is said again: a text that answers nothing.
func (s *socket) countRepeats(acts []act) {
	for _, a := range acts {
		if _, is := a.send.(textFrame); is {
			s.metrics.repeated.Inc()
		}
	}
}

func (s *socket) untilDeadline() time.Duration {
	now := s.now()
	if at := s.talk.deadline(now); !at.IsZero() {
		return max(0, at.Sub(now))
	}
	return time.Hour
}

// read reads frames until the socket is closed.
func (s *socket) read(ctx context.Context) error {
	for {
		kind, text, err := s.conn.Read(ctx)
		if err != nil {
			return err
		}
		f, err := readFrame(text)
		if err != nil || kind != websocket.MessageText {
			s.log.Warn("telephone: a carrier sent what is no frame", "call", s.on.ID, "error", err)
			continue
		}
		select {
		case s.frames <- f:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *socket) takeFrame(f heardFrame) []act {
	if f.Type == "error" {
		s.log.Warn("telephone: the carrier does not take what was sent", "carrier", s.d.carrier, "call", s.on.ID, "error", f.Description)
	}
	return s.talk.frame(f, s.now())
}

// taken is what becomes of a turn.
func (s *socket) taken(t turned) []act {
	if e := exchange.Domain(t.err); e != nil && e.Kind == frontdesk.NotFound {
		return []act{{close: true}} // the call is held by another relay now
	}
	if t.err != nil {
		s.metrics.faults.Inc()
		s.log.Error("telephone: a turn could not be taken; the caller is asked to say it again", "call", s.on.ID, "error", t.err)
		return s.talk.failed(s.now())
	}
	acts := s.talk.reply(t.reply, s.now())
	s.metrics.answered(s.now().Sub(s.asked))
	return acts
}

// do does what is to be done, and says whether the relay goes on.
func (s *socket) do(ctx context.Context, acts []act) bool {
	for _, a := range acts {
		switch {
		case a.close:
			return false
		case a.hear != nil:
			s.hear(ctx, *a.hear)
		case !s.send(ctx, a.send):
			return false
		}
	}
	return true
}

// hear asks the receptionist, while frames come in.
func (s *socket) hear(ctx context.Context, in conversation.Input) {
	s.asked = s.now()
	id, token := s.on.ID, s.on.Token.Reveal()
	service.Go(s.log, "turn of a call", func() error {
		t := turned{err: errors.New("the turn panicked")}
		defer func() { s.turns <- t }()
		t.reply, t.err = s.sessions.Hear(ctx, id, token, in)
		return nil
	})
}

func (s *socket) send(ctx context.Context, frame any) bool {
	text, err := json.Marshal(frame)
	if err != nil {
		s.log.Error("telephone: a frame could not be written", "call", s.on.ID, "error", err)
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, writeWithin)
	defer cancel()
	if err := s.conn.Write(ctx, websocket.MessageText, text); err != nil {
		s.log.Warn("telephone: a carrier took no frame", "call", s.on.ID, "error", err)
		return false
	}
	return true
}

// endsBy is how long after a relay was closed the carrier may take to tell whether
// the caller has gone. Should it never, the call is over then.
const endsBy = time.Minute

// over is a relay that the carrier has closed. It tells by another request why; should
// that not come, the call ends by itself.
func (s *socket) over(err error) {
	if status := websocket.CloseStatus(err); status != websocket.StatusNormalClosure {
		s.log.Warn("telephone: a relay was cut", "carrier", s.d.carrier, "call", s.on.ID, "error", err)
	}
	s.conn.CloseNow()
	service.Later(s.log, "end of a call", endsBy, func() {
		ctx, cancel := context.WithTimeout(context.Background(), reception.TurnTime)
		defer cancel()
		_, _ = s.sessions.End(ctx, s.on.ID, s.on.Token.Reveal()) // whoever has taken it up since holds another token
	})
}
