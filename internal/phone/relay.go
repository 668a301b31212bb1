package phone

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/time/rate"

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
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
	defer cancel()
	defer p.enter(on, cancel)()
	s := &socket{Phone: p, d: d, conn: conn, on: on, opened: p.now(), talk: &talk{d: d, agent: on.Agent, begun: on}}
	s.run(ctx)
}

// relays are those that are open on this node.
type relays struct {
	mu   sync.Mutex
	open map[frontdesk.ID]*held
	of   map[frontdesk.ID]int // by tenant
}

// held is one of them.
type held struct{ cancel context.CancelFunc }

// Relays that may be open at once on a node, and of one tenant.
const (
	mostRelays   = 4000
	mostOfTenant = 1000
)

// full says whether there is no room for one more of a tenant's.
func (r *relays) full(tenant frontdesk.ID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.open) >= mostRelays || r.of[tenant] >= mostOfTenant
}

// enter notes that a call is held by a relay, and closes the one that held it before:
// a call has one. What it returns takes the note back.
func (p *Phone) enter(on reception.OnLine, cancel context.CancelFunc) (leave func()) {
	p.open.Add(1)
	p.metrics.relays.Inc()
	mine := &held{cancel}
	p.relays.mu.Lock()
	defer p.relays.mu.Unlock()
	if older := p.relays.open[on.ID]; older != nil {
		older.cancel()
	}
	p.relays.open[on.ID] = mine
	p.relays.of[on.Owner.TenantID]++
	return func() {
		p.relays.mu.Lock()
		defer p.relays.mu.Unlock()
		if p.relays.open[on.ID] == mine {
			delete(p.relays.open, on.ID)
		}
		if p.relays.of[on.Owner.TenantID]--; p.relays.of[on.Owner.TenantID] == 0 {
			delete(p.relays.of, on.Owner.TenantID)
		}
		p.metrics.relays.Dec()
		p.open.Done()
	}
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
	if p.relays.full(number.TenantID) {
		return on, refusal{http.StatusServiceUnavailable, errors.New("as many relays are open as may be")}
	}
	on, err = p.sessions.Connect(r.Context(), id, r.PathValue("token"), number.Number)
	if e := exchange.Domain(err); e != nil && e.Kind == frontdesk.NotFound {
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
	turns  chan turned
	asked  time.Time // when the receptionist was asked
	opened time.Time
	ended  time.Time // when the relay was to end; zero: it was not
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
	// setupWithin is how long a carrier may take to say who calls.
	setupWithin = 10 * time.Second
	// closeWithin is how long it may take to close what we have ended.
	closeWithin = 20 * time.Second
	// longestCall is how long a call lasts at most.
	longestCall = time.Hour
	// framesPerSecond is how many frames a carrier sends for long; framesBurst at once.
	framesPerSecond, framesBurst = 50, 500
)

// run talks until the relay is over.
func (s *socket) run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.frames, s.turns = make(chan heardFrame, mostWaiting), make(chan turned, 1)
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
			if s.expired() {
				s.leave()
				return
			}
			acts = s.onTime()
		case <-ctx.Done(): // another relay holds the call
			s.conn.CloseNow()
			return
		case err := <-reading:
			if status := websocket.CloseStatus(err); status != websocket.StatusNormalClosure {
				s.log.Warn("telephone: a relay was cut", "carrier", s.d.carrier, "call", s.on.ID, "error", err)
			}
			s.leave()
			return
		case <-stopping:
			stopping = nil
			if s.talk.hearing { // what was said is answered, and written, before we go
				acts = s.taken(<-s.turns)
			}
			s.do(ctx, acts)
			s.leave() // the carrier asks what to do, and is connected again
			return
		}
		if !s.do(ctx, acts) {
			s.leave()
			return
		}
		if s.talk.ended && s.ended.IsZero() {
			s.ended = s.now()
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

// onTime does what the time has come for.
func (s *socket) onTime() []act {
	now := s.now()
	if now.Sub(s.on.StartedAt) >= longestCall && !s.talk.ended && s.talk.ending == nil {
		return s.talk.timeUp(now)
	}
	acts := s.talk.tick(now)
	s.countRepeats(acts)
	return acts
}

// expired says whether the carrier has had its time: to say who calls, or to close
// what has ended.
func (s *socket) expired() bool {
	now := s.now()
	return s.talk.said == nil && now.Sub(s.opened) >= setupWithin || s.talk.ended && now.Sub(s.ended) >= closeWithin
}

func (s *socket) untilDeadline() time.Duration {
	now := s.now()
	at := s.on.StartedAt.Add(longestCall)
	switch next := s.talk.deadline(); {
	case s.talk.said == nil:
		at = s.opened.Add(setupWithin)
	case s.talk.ended:
		at = s.ended.Add(closeWithin)
	case !next.IsZero() && (next.Before(at) || s.talk.ending != nil):
		at = next
	}
	return max(0, at.Sub(now))
}

// read reads frames until the socket is closed.
func (s *socket) read(ctx context.Context) error {
	pace := rate.NewLimiter(framesPerSecond, framesBurst)
	for {
		kind, text, err := s.conn.Read(ctx)
		if err != nil {
			return err
		}
		if !pace.Allow() {
			return errors.New("the carrier sends more frames than anybody speaks")
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
		s.log.Warn("telephone: the carrier does not take what was sent", "carrier", s.d.carrier, "call", s.on.ID, "error", briefly(f.Description))
	}
	return s.talk.frame(f, s.now())
}

// briefly is the beginning of what a carrier complains of: what follows may quote what
// was said.
func briefly(text string) string {
	if i := strings.IndexAny(text, ":{\"\n"); i >= 0 {
		text = text[:i]
	}
	return frontdesk.Clip(text, 80)
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
			s.hear(ctx, *a.hear, a.joins)
		case !s.send(ctx, a.send):
			return false
		}
	}
	return true
}

// hear asks the receptionist, while frames come in.
func (s *socket) hear(ctx context.Context, in conversation.Input, joins bool) {
	s.asked = s.now()
	id, token, m := s.on.ID, s.on.Token.Reveal(), reception.Message{Input: in, Joins: joins, Version: s.talk.version}
	service.Go(s.log, "turn of a call", func() error {
		t := turned{err: errors.New("the turn panicked")}
		defer func() { s.turns <- t }()
		t.reply, t.err = s.sessions.HearOnce(ctx, id, token, m)
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

// keepWords has what was said last heard, if nobody had got to it when the relay broke:
// the next one goes on from there.
func (s *socket) keepWords() {
	for waiting := true; waiting; {
		select {
		case f := <-s.frames:
			if f.Type == "prompt" && f.whole() && len(f.VoicePrompt)+s.talk.waiting() <= mostWords {
				s.talk.words = append(s.talk.words, f.VoicePrompt)
			}
		default:
			waiting = false
		}
	}
	if s.talk.hearing {
		s.taken(<-s.turns) // it is written; the next relay says it
	}
	if s.talk.ended || len(s.talk.words) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), reception.TurnTime)
	defer cancel()
	in := conversation.Input{Kind: conversation.Text, Text: strings.Join(s.talk.words, " "), Cut: true}
	if _, err := s.sessions.HearOnce(ctx, s.on.ID, s.on.Token.Reveal(), reception.Message{Input: in, Version: s.talk.version}); err != nil {
		s.log.Warn("telephone: what was said as a relay broke is lost", "call", s.on.ID, "error", err)
	}
}

// endsBy is how long after a relay was closed the carrier may take to tell whether
// the caller has gone. Should it never, the call is over then.
const endsBy = time.Minute

// leave ends a relay, whatever ended it. The carrier asks what to do then; should that
// not come, the call ends by itself.
func (s *socket) leave() {
	s.conn.CloseNow()
	s.keepWords()
	service.Later(s.log, "end of a call", endsBy, func() {
		ctx, cancel := context.WithTimeout(context.Background(), reception.TurnTime)
		defer cancel()
		_, _ = s.sessions.End(ctx, s.on.ID, s.on.Token.Reveal()) // whoever has taken it up since holds another token
	})
}
