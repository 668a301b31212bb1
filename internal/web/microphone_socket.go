package web

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/coder/websocket"
	jsonv2 "github.com/go-json-experiment/json"
	"golang.org/x/time/rate"

	"frontdesk.dev/frontdesk/internal/audio"
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/service"
	"frontdesk.dev/frontdesk/internal/turns"
	"frontdesk.dev/frontdesk/internal/voice"
)

const (
	// soundRate is that of both directions, in samples a second: one channel, 16 bits,
	// the lower byte first.
	soundRate = 16000
	// mostSound is how many bytes a page sends at once: a quarter of a second.
	mostSound = 8 << 10
	// mostAhead is how much sound may come faster than it is spoken, after a network that
	// has stood still.
	mostAhead = 10 * time.Second
	// readWithin is how long a page may leave unread what it is sent.
	readWithin = 2 * time.Second
)

// microphone is the socket of a page whose visitor speaks. Sound comes and goes in
// binary messages; all else is JSON with a type.
type microphone struct {
	conn *websocket.Conn
	log  *slog.Logger

	in       chan voice.In
	out      chan envelope
	mayWrite func() error // nil error: what the visitor writes is taken

	once sync.Once
	left chan struct{} // closed when the microphone is over
	over closing       // why; read once left is closed
	done chan struct{} // closed when nothing more is sent

	silent int // frames in a row without a sound that were to be sent

	// Of the line's own goroutine.
	unanswered int // times that the receptionist has spoken since the visitor has
	goodbye    *time.Timer
}

// envelope is one message to a page.
type envelope struct {
	kind websocket.MessageType
	body []byte
}

// pageNotice is a message to a page that is no sound.
type pageNotice struct {
	Type    string `json:"type"`
	Text    string `json:"text,omitempty"`
	State   string `json:"state,omitempty"`
	Reply   any    `json:"reply,omitempty"`
	Code    string `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
}

func newMicrophone(conn *websocket.Conn, log *slog.Logger) *microphone {
	conn.SetReadLimit(bodyLimit)
	waiting := int(readWithin / audio.FrameTime)
	return &microphone{
		conn: conn, log: log, in: make(chan voice.In, waiting), out: make(chan envelope, waiting),
		left: make(chan struct{}), done: make(chan struct{}),
	}
}

// leave closes the microphone, for the first reason that there is.
func (m *microphone) leave(why closing) {
	m.once.Do(func() {
		m.over = why
		close(m.left)
	})
}

// why is the reason.
func (m *microphone) why() closing {
	m.leave(visitorLeft)
	return m.over
}

// message is what a page has sent.
type message struct {
	kind websocket.MessageType
	body []byte
	err  error
}

// first is the first message, if it comes soon. Reading goes on until the socket is
// closed: a reading that is given up would break it, and nobody could say why.
func (m *microphone) first(ctx context.Context, soon time.Duration) message {
	got := make(chan message, 1)
	service.Go(m.log, "first message of a page", func() error {
		kind, body, err := m.conn.Read(ctx)
		got <- message{kind, body, err}
		return nil
	})
	late := time.NewTimer(soon)
	defer late.Stop()
	select {
	case first := <-got:
		if first.err != nil {
			first.err = readError{first.err}
		}
		return first
	case <-late.C:
		return message{err: noStart}
	}
}

// token reads the first message.
func (m *microphone) token(ctx context.Context, soon time.Duration) (string, error) {
	first := m.first(ctx, soon)
	kind, body, err := first.kind, first.body, first.err
	if err != nil {
		return "", err
	}
	start := frontdesk.InvalidParam("type", `The first message must be {"type": "start", "token": "…"}, with the token of the conversation.`)
	if kind != websocket.MessageText {
		return "", start
	}
	value, err := parseObject(body, []string{"type", "token"})
	if err != nil {
		return "", err
	}
	if token, ok := value["token"].(string); ok && value["type"] == "start" {
		return token, nil
	}
	return "", start
}

// receive takes what the page sends, until it is closed or sends what it may not.
func (m *microphone) receive(ctx context.Context, soundWithin time.Duration) error {
	defer m.leave(visitorLeft)
	quiet := service.Later(m.log, "microphone without sound", soundWithin, func() { m.leave(pageIsSilent) })
	defer quiet.Stop()
	pace := rate.NewLimiter(soundRate*1.05, soundRate*int(mostAhead/time.Second)) // clocks differ a little
	framer := audio.NewFramer(soundRate)
	var at time.Duration
	for {
		kind, body, err := m.conn.Read(ctx)
		if err != nil {
			m.leave(readError{err}.closing())
			return nil
		}
		if kind == websocket.MessageText {
			m.takeText(body)
			continue
		}
		quiet.Reset(soundWithin)
		if len(body) > mostSound || len(body)%2 != 0 {
			m.leave(m.refusedBy(frontdesk.InvalidParam("sound", "A piece of sound has at most 8,192 bytes, two for each sample.")))
			return nil
		}
		if !pace.AllowN(time.Now(), len(body)/2) {
			m.leave(tooMuchSound)
			return nil
		}
		framer.Write(audio.DecodePCM(nil, body), func(frame []int16) {
			m.take(voice.In{Frame: audio.Frame{At: at, Samples: append([]int16(nil), frame...)}})
			at += audio.FrameTime
		})
	}
}

// takeText takes what the visitor writes while the microphone is open.
func (m *microphone) takeText(body []byte) {
	if m.mayWrite() != nil {
		m.leave(tooMuchSound)
		return
	}
	value, err := parseObject(body, []string{"type", "text"})
	var text string
	switch {
	case err != nil:
	case value["type"] != "text":
		err = frontdesk.InvalidParam("type", `type must be "text".`)
	default:
		text, err = textOf(value)
	}
	if err != nil {
		e := exchange.Refusal(err)
		m.tell(pageNotice{Type: "error", Code: e.Code, Message: e.Message})
		return
	}
	m.take(voice.In{Text: text})
}

// take hands something to the line. A page that is ahead of it waits.
func (m *microphone) take(in voice.In) {
	select {
	case m.in <- in:
	case <-m.left:
	}
}

// Read gives the line what came next.
func (m *microphone) Read(ctx context.Context) (voice.In, error) {
	select {
	case in := <-m.in:
		return in, nil
	case <-m.left:
		return voice.In{}, io.EOF
	case <-ctx.Done():
		return voice.In{}, ctx.Err()
	}
}

// Rate is that of the sound.
func (m *microphone) Rate() int { return soundRate }

// Write sends a frame. Of a longer silence only the beginning is sent: the page plays
// silence by itself.
func (m *microphone) Write(frame []int16) error {
	const quiet, longest = 32, 25 // the comfort noise of a line is below; half a second
	m.silent++
	for _, s := range frame {
		if s > quiet || s < -quiet {
			m.silent = 0
			break
		}
	}
	if m.silent <= longest {
		m.send(envelope{websocket.MessageBinary, audio.EncodePCM(nil, frame)})
	}
	return nil
}

func (m *microphone) heard(text string) { m.tell(pageNotice{Type: "heard", Text: text}) }

func (m *microphone) state(s voice.State) { m.tell(pageNotice{Type: "state", State: string(s)}) }

func (m *microphone) said(s turns.Say) {
	n := pageNotice{Type: "said", Text: s.Written}
	if s.Reply != nil {
		m.unanswered++
		n.Reply = s.Reply.Shape()
	}
	m.tell(n)
}

// tell sends something that is no sound.
func (m *microphone) tell(n pageNotice) {
	body, err := jsonv2.Marshal(n, jsonv2.Deterministic(true))
	if err != nil {
		m.log.Error("a message to a page could not be encoded", "type", n.Type, "error", err)
		return
	}
	m.send(envelope{websocket.MessageText, body})
}

// send never waits: who does not read is left.
func (m *microphone) send(e envelope) {
	select {
	case m.out <- e:
	default:
		m.leave(pageIsSlow)
	}
}

// transmit sends what there is to send, until finish says that there will be no more.
func (m *microphone) transmit(ctx context.Context) error {
	for {
		select {
		case e := <-m.out:
			if !m.write(ctx, e) {
				return nil
			}
		case <-m.done:
			return m.transmitRest(ctx)
		}
	}
}

func (m *microphone) transmitRest(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	for {
		select {
		case e := <-m.out:
			if !m.write(ctx, e) {
				return nil
			}
		default:
			return nil
		}
	}
}

// write says whether the page takes more.
func (m *microphone) write(ctx context.Context, e envelope) bool {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	if err := m.conn.Write(ctx, e.kind, e.body); err != nil {
		m.leave(pageIsSlow)
		return false
	}
	return true
}

// finish tells the page why the microphone is over, as the last thing.
func (m *microphone) finish(why closing) {
	m.leave(why)
	switch {
	case why == receptionistEnded:
		m.tell(pageNotice{Type: "ended"})
	case why.message != "":
		m.tell(pageNotice{Type: "error", Code: why.code, Message: why.message})
	}
	close(m.done)
}

// watched is a line whose events the page is told of.
type watched struct {
	*voice.Line
	m *microphone
}

// Listen is that of the line.
func (w watched) Listen(ctx context.Context, tell func(turns.Event)) error {
	return w.Line.Listen(ctx, func(e turns.Event) {
		w.m.watch(e)
		tell(e)
	})
}

// watch tells the page to drop what it would play of something that was cut off, and
// closes the microphone when nobody speaks, before the receptionist takes it for a
// caller who has gone, and ends the conversation.
func (m *microphone) watch(e turns.Event) {
	const questions, wait = 3, 5 * time.Second
	switch e.Kind {
	case turns.CutOff:
		m.tell(pageNotice{Type: "clear"})
	case turns.Words:
		if e.Text != "" {
			m.unanswered = 0
		}
	}
	switch e.Kind {
	case turns.CallerSpeaks, turns.Words, turns.WeSpeak:
		if m.goodbye != nil {
			m.goodbye.Stop()
		}
	case turns.WeStopped, turns.CallerSilent:
		if m.unanswered >= questions {
			m.goodbye = service.Later(m.log, "microphone of nobody", wait, func() { m.leave(nobodySpeaks) })
		}
	}
}
