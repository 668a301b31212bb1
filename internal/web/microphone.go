package web

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/service"
	"frontdesk.dev/frontdesk/internal/turns"
	"frontdesk.dev/frontdesk/internal/voice"
)

const (
	// mostMicrophones are open at once on a node, mostOfAddress of one address.
	mostMicrophones = 500
	mostOfAddress   = 20
	// tokenWithin is how soon a page shows the token of its conversation.
	tokenWithin = 10 * time.Second
	// soundWithin is how long a page may be open without a sound of its microphone,
	// which sends silence too.
	soundWithin = 30 * time.Second
)

var (
	noMicrophones = &frontdesk.Error{
		Kind: frontdesk.NotFound, Code: "not_found",
		Message: "Nobody listens to microphones here: the operator has named no hearing endpoint. Send what is said as text.",
	}
	restarting = &frontdesk.Error{
		Kind: frontdesk.Unavailable, Code: "server_stopping",
		Message: "The server restarts. Open the microphone again in a moment; the conversation goes on.",
	}
	noStart = &frontdesk.Error{
		Kind: frontdesk.Invalid, Code: "start_missing",
		Message: `The first message did not come in time. Send {"type": "start", "token": "…"} as soon as the socket is open.`,
	}
	noSocket = &frontdesk.Error{
		Kind: frontdesk.Invalid, Code: "websocket_required",
		Message: "This address is a WebSocket. Open it as one.",
	}
)

// microphone lets a visitor go on with a conversation by voice. Whether it is theirs, the
// token says, which is the first thing they send: an address with a token in it would
// be kept by proxies.
func (s *Web) microphone(v *visit) (answer, error) {
	if s.studio == nil {
		return answer{}, noMicrophones
	}
	if err := s.limit("address", s.messages.Take(v.address, s.now())); err != nil {
		return answer{}, err
	}
	id, ok := frontdesk.ParseID(v.http.PathValue("id"))
	if !ok {
		return answer{}, noConversation
	}
	v.conversation = id
	if v.http.Method != http.MethodGet || !strings.EqualFold(v.http.Header.Get("Upgrade"), "websocket") {
		return answer{}, noSocket
	}
	const soon = 10 * time.Second
	place, err := s.lines.Enter(frontdesk.ID(v.address.String()))
	switch {
	case errors.Is(err, turns.ErrStopping):
		return answer{}, restarting
	case err != nil:
		return answer{}, s.limit("microphones", soon)
	}
	return answer{status: http.StatusSwitchingProtocols, socket: func(w http.ResponseWriter, hr *http.Request) {
		defer place.Leave()
		s.listen(w, hr, v, place)
	}}, nil
}

// listen opens the socket of a microphone and holds it until it is closed.
func (s *Web) listen(w http.ResponseWriter, hr *http.Request, v *visit, place *turns.Place) {
	// Any origin: what counts is the token, as with messages.
	socket := &socketWriter{ResponseWriter: w}
	conn, err := websocket.Accept(socket, hr, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		s.log.Info("a microphone's socket could not be opened", "request_id", v.id, "conversation", v.conversation, "error", err)
		return
	}
	began := time.Now()
	s.metrics.microphones.Inc()
	defer s.metrics.microphones.Dec()
	ctx, cancel := context.WithCancel(context.WithoutCancel(hr.Context()))
	defer cancel()
	m := newMicrophone(conn, s.log.With("request_id", v.id, "conversation", v.conversation))
	writing := service.Go(s.log, "sound to a page", func() error { return m.transmit(ctx) })
	why := s.talk(ctx, m, v, place)
	m.finish(why)
	<-writing
	socket.leave()
	conn.Close(why.status, why.code)
	m.log.Info("microphone closed", "why", why.code, "took", time.Since(began), "visitor", v.address.String())
}

// talk holds the conversation of a microphone, and says why it is over.
func (s *Web) talk(ctx context.Context, m *microphone, v *visit, place *turns.Place) closing {
	on, err := s.aloud(ctx, m, v)
	if err != nil {
		return m.refusedBy(err)
	}
	m.mayWrite = func() error { return s.limit("address", s.messages.Take(v.address, s.now())) }
	place.Hold(on.ID, func() { m.leave(openedElsewhere) })
	service.Go(m.log, "sound of a page", func() error { return m.receive(ctx, s.soundWithin) })
	service.Go(m.log, "stop of a microphone", func() error {
		select {
		case <-s.lines.Stopping():
			m.leave(stopping)
		case <-ctx.Done():
		}
		return nil
	})
	line := voice.NewLine(voice.LineOptions{
		Socket: m, Studio: s.studio, Agent: on.Agent, Hints: turns.Hints(on.Agent), Share: v.address.String(),
		Heard: m.heard, Said: func(say turns.Say) { s.counted(say); m.said(say) }, State: m.state, Log: m.log, Watch: s.metrics.sound(),
	})
	// Turns are taken by the clock that sound runs by, whatever the date is that this
	// process was told. That the process stops ends the microphone, not the conversation.
	on.StartedAt = time.Now()
	habits := voice.Habits
	habits.Keyless, habits.Writes = true, true
	call := turns.NewCall(watched{line, m}, turns.Options{
		Sessions: s.sessions, On: on, Habits: habits, From: v.address, Log: m.log,
		Watch: turns.Watch{Answered: s.metrics.turn},
	})
	call.Hold(ctx)
	if end := call.Ended(); end != nil && !end.Over {
		return receptionistEnded
	}
	return m.why()
}

// aloud is the conversation that a microphone opens, once it has shown its token.
func (s *Web) aloud(ctx context.Context, m *microphone, v *visit) (on reception.OnLine, err error) {
	token, err := m.token(ctx, s.tokenWithin)
	if err != nil {
		return on, err
	}
	ctx, cancel := context.WithTimeout(ctx, tokenWithin)
	defer cancel()
	on, err = s.sessions.Aloud(ctx, v.conversation, token)
	return on, unknown(err, noConversation)
}

// counted counts a conversation that ends with what is said.
func (s *Web) counted(say turns.Say) {
	if r := say.Reply; r != nil {
		s.metrics.over(r.Ended, r.Outcome)
	}
}

// Stop closes all microphones. It returns when they are closed, or ctx is over.
func (s *Web) Stop(ctx context.Context) {
	if !s.lines.Stop(ctx) {
		s.log.Warn("microphones that are still open are cut off; their conversations go on by text", "open", s.lines.Count())
	}
}

// closing is why a microphone is closed, for who reads the page and for the log.
type closing struct {
	status  websocket.StatusCode
	code    string
	message string // "": the page is told nothing, or was
}

var (
	visitorLeft       = closing{status: websocket.StatusNormalClosure, code: "closed"}
	receptionistEnded = closing{status: websocket.StatusNormalClosure, code: "ended"}
	pageIsSlow        = closing{websocket.StatusPolicyViolation, "too_slow", "The page does not take the sound that it is sent. Open the microphone again, or write."}
	pageIsSilent      = closing{websocket.StatusPolicyViolation, "no_sound", "No sound came from the microphone, not even silence. Open it again, or write."}
	nobodySpeaks      = closing{websocket.StatusNormalClosure, "silence", "Nobody speaks. The microphone is closed; the conversation goes on by text."}
	tooMuchSound      = closing{websocket.StatusPolicyViolation, "rate_limited", "More sound came than anybody speaks, or more text than anybody writes. Send sound as it is heard."}
	messageTooBig     = closing{websocket.StatusMessageTooBig, "message_too_large", "A message to the microphone has at most 16,384 bytes."}
	noFrame           = closing{websocket.StatusProtocolError, "protocol_error", "What came is no frame of a WebSocket, or not masked."}
	openedElsewhere   = closing{websocket.StatusPolicyViolation, "opened_elsewhere", "The microphone of this conversation was opened again, elsewhere."}
	stopping          = closing{websocket.StatusGoingAway, "stopping", "The server restarts. The conversation goes on by text; the microphone can be opened again."}
)

// refusedBy is why a microphone is closed that is not listened to, or no more.
func (m *microphone) refusedBy(err error) closing {
	var fault readError
	if errors.As(err, &fault) {
		return fault.closing()
	}
	if exchange.Domain(err) == nil {
		m.log.Error("a microphone could not be opened", "error", err)
	}
	e := exchange.Refusal(err)
	return closing{websocket.StatusPolicyViolation, e.Code, e.Message}
}

// readError is that a page has gone, or sends what is no message.
type readError struct{ error }

// Unwrap is what was wrong.
func (e readError) Unwrap() error { return e.error }

// closing is why the microphone is closed.
func (e readError) closing() closing {
	var network net.Error
	switch {
	case errors.Is(e, websocket.ErrMessageTooBig):
		return messageTooBig
	case websocket.CloseStatus(e) != -1, errors.Is(e, io.EOF), errors.Is(e, io.ErrUnexpectedEOF), errors.Is(e, net.ErrClosed),
		errors.Is(e, context.Canceled), errors.Is(e, context.DeadlineExceeded), errors.As(e, &network):
		return visitorLeft
	}
	return noFrame
}
