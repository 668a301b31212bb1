package web

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"frontdesk.dev/frontdesk/internal/audio"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/provider"
	"frontdesk.dev/frontdesk/internal/voice"
	"frontdesk.dev/frontdesk/internal/voice/voicetest"
)

// speaker is a visitor's page with a microphone.
type speaker struct {
	*visitor
	vendor *voicetest.Vendor
	ear    *voicetest.Ear
	conn   *websocket.Conn
	ctx    context.Context

	mu    sync.Mutex
	says  []int16
	told  []map[string]any // messages that are no sound
	over  chan struct{}    // closed when the socket is
	fault error            // why
}

// aloud is a desk where visitors can speak.
func aloud(t *testing.T, settings ...func(*Options)) (*desk, *voicetest.Vendor) {
	vendor := voicetest.NewVendor(t)
	return newDesk(t, append(settings, func(o *Options) { o.Studio = vendor.Studio(t) })...), vendor
}

// dial opens the socket of a conversation, and says nothing yet.
func (v *visitor) dial(vendor *voicetest.Vendor) *speaker {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	v.t.Cleanup(cancel)
	header := http.Header{"Origin": {"https://anywhere.example"}}
	for pair := range slices.Chunk(v.headers, 2) {
		header.Set(pair[0], pair[1])
	}
	conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(v.server.URL, "http")+"/web/conversations/"+v.id+"/voice",
		&websocket.DialOptions{HTTPHeader: header})
	if err != nil {
		v.t.Fatal(err)
	}
	v.t.Cleanup(func() { conn.CloseNow() })
	s := &speaker{visitor: v, vendor: vendor, ear: vendor.NewEar(soundRate), conn: conn, ctx: ctx, over: make(chan struct{})}
	go s.read()
	return s
}

// speak opens a microphone that sends silence until something is said.
func (v *visitor) speak(vendor *voicetest.Vendor) *speaker {
	v.t.Helper()
	s := v.dial(vendor)
	s.write(map[string]string{"type": "start", "token": v.token})
	go s.stream()
	return s
}

func (s *speaker) read() {
	defer close(s.over)
	for {
		kind, body, err := s.conn.Read(s.ctx)
		if err != nil {
			s.fault = err
			return
		}
		if kind == websocket.MessageBinary {
			s.ear.Hear(audio.DecodePCM(nil, body))
			continue
		}
		var m map[string]any
		if err := json.Unmarshal(body, &m); err != nil {
			s.fault = err
			return
		}
		s.mu.Lock()
		s.told = append(s.told, m)
		s.mu.Unlock()
	}
}

// stream sends what is said, at the pace of speech, in pieces that are no frames.
func (s *speaker) stream() {
	const piece = 30 * time.Millisecond
	tick := time.NewTicker(piece)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-s.over:
			return
		}
		samples := make([]int16, audio.Count(soundRate, piece))
		s.mu.Lock()
		s.says = s.says[copy(samples, s.says):]
		s.mu.Unlock()
		if s.conn.Write(s.ctx, websocket.MessageBinary, audio.EncodePCM(nil, samples)) != nil {
			return
		}
	}
}

func (s *speaker) write(value any) {
	s.t.Helper()
	body, _ := json.Marshal(value)
	if err := s.conn.Write(s.ctx, websocket.MessageText, body); err != nil {
		s.t.Fatal(err)
	}
}

func (s *speaker) speaks(text string) {
	sound := s.vendor.Sound(text, soundRate)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.says = append(s.says, sound...)
}

// until waits until something is so.
func (s *speaker) until(what string, is func() bool) {
	s.t.Helper()
	tick := time.NewTicker(audio.FrameTime)
	defer tick.Stop()
	for !is() {
		select {
		case <-tick.C:
		case <-s.ctx.Done():
			said, _ := s.ear.Heard()
			s.t.Fatalf("waited in vain for %s; said was %q, told %v", what, said, s.messages(""))
		}
	}
}

// hears waits until something is said aloud and nobody speaks.
func (s *speaker) hears(text string) {
	s.t.Helper()
	s.until(text, func() bool {
		state := s.messages("state")
		return s.ear.Has(text) && len(state) > 0 && state[len(state)-1]["state"] == "listening"
	})
}

// messages are those of a type that have come.
func (s *speaker) messages(kind string) (found []map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.told {
		if kind == "" || m["type"] == kind {
			found = append(found, m)
		}
	}
	return found
}

func (s *speaker) has(kind, text string) bool {
	return slices.ContainsFunc(s.messages(kind), func(m map[string]any) bool {
		got, _ := m["text"].(string)
		return strings.Contains(got, text)
	})
}

// closed waits for the end of the socket, and demands an error as the last message.
func (s *speaker) closed(code string) {
	s.t.Helper()
	select {
	case <-s.over:
	case <-s.ctx.Done():
		s.t.Fatal("the socket stays open")
	}
	told := s.messages("error")
	if len(told) == 0 || told[len(told)-1]["code"] != code || told[len(told)-1]["message"] == "" {
		s.t.Errorf("the page is told %v, want an error %s", s.messages(""), code)
	}
}

func TestABookingByMicrophone(t *testing.T) {
	t.Parallel()
	d, vendor := aloud(t)
	v := d.start(`{"language":"es"}`)
	s := v.speak(vendor)
	s.hears("¿En qué")
	s.speaks("Quiero una revisión el martes a las once de la mañana")
	s.hears("nombre")
	s.speaks("Soy Ana García")
	s.hears("teléfono")
	s.write(map[string]string{"type": "text", "text": "612 345 678"})
	s.hears("correcto?")
	s.speaks("Sí, correcto")
	s.hears("código")
	s.speaks("No, gracias, adiós")
	s.until("the end", func() bool { return len(s.messages("ended")) > 0 })
	<-s.over
	if status := websocket.CloseStatus(s.fault); status != websocket.StatusNormalClosure {
		t.Errorf("the socket was closed with %v", s.fault)
	}
	call, err := d.store.Call(context.Background(), frontdesk.Owner{TenantID: d.tenant.ID, Live: true}, frontdesk.ID(v.id))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(call.Transcript), "Ana García") || call.Outcome != frontdesk.Booking {
		t.Errorf("the outcome is %s, the transcript %s", call.Outcome, call.Transcript)
	}
	if !s.has("heard", "Ana García") || s.has("heard", "612") {
		t.Errorf("the captions of what was heard are %v", s.messages("heard"))
	}
	cards := 0
	for _, m := range s.messages("said") {
		reply, _ := m["reply"].(map[string]any)
		if capture, _ := reply["capture"].(map[string]any); capture["confirmation_code"] != nil {
			cards++
			has(t, "what is said", m["reply"], "reply", "capture", "ended", "outcome")
		}
	}
	if cards != 1 {
		t.Errorf("%d of what was said have a card: %v", cards, s.messages("said"))
	}
}

func TestTheMicrophoneIsCutOffByWhoSpeaks(t *testing.T) {
	t.Parallel()
	d, vendor := aloud(t)
	s := d.start(`{"language":"es"}`).speak(vendor)
	s.hears("¿En qué")
	s.speaks("¿Qué servicios hay, y qué cuestan?")
	s.until("an answer", func() bool { return s.ear.Has("Revisión") })
	s.speaks("Quiero una revisión")
	s.until("that it is cut off", func() bool { return len(s.messages("clear")) > 0 })
	states := func() (all []string) {
		for _, m := range s.messages("state") {
			all = append(all, m["state"].(string))
		}
		return all
	}
	s.until("the next question", func() bool { return s.has("heard", "Quiero una revisión") && states()[len(states())-1] == "speaking" })
	if all := strings.Join(states(), " "); !strings.Contains(all, "speaking hearing thinking speaking") {
		t.Errorf("the states are %s", all)
	}
}

func TestTextGoesOnWhenTheMicrophoneIsClosed(t *testing.T) {
	t.Parallel()
	d, vendor := aloud(t)
	v := d.start(`{"language":"es"}`)
	s := v.speak(vendor)
	s.hears("¿En qué")
	s.speaks("Quiero una revisión")
	s.until("an answer", func() bool { return s.has("heard", "Quiero una revisión") && len(s.messages("said")) == 2 })
	s.conn.Close(websocket.StatusNormalClosure, "")
	if answer := v.say("el martes a las once"); answer["ended"] != false {
		t.Errorf("the answer is %v", answer)
	}
	again := v.speak(vendor)
	again.until("the last answer, once more", func() bool { return again.has("said", "nombre") })
}

func TestTheMicrophoneOfWhoSaysNothingIsClosed(t *testing.T) {
	t.Parallel()
	d, vendor := aloud(t)
	v := d.start(`{"language":"es"}`)
	s := v.speak(vendor)
	s.closed("silence")
	if answer := v.say("Quiero una revisión"); answer["ended"] != false {
		t.Errorf("the conversation has ended: %v", answer)
	}
}

func TestAMicrophoneIsOpenedOnce(t *testing.T) {
	t.Parallel()
	d, vendor := aloud(t)
	v := d.start(`{"language":"es"}`)
	first := v.speak(vendor)
	first.hears("¿En qué")
	second := v.speak(vendor)
	first.closed("opened_elsewhere")
	second.hears("¿En qué")
}

func TestWhoMayNotSpeak(t *testing.T) {
	t.Parallel()
	d, vendor := aloud(t)
	mine, other, over := d.start(""), d.start(""), d.start("")
	over.say("hola")
	over.post("end", "")
	start := func(token string) any { return map[string]string{"type": "start", "token": token} }
	for name, c := range map[string]struct {
		v     *visitor
		first any
		code  string
	}{
		"with a wrong token":                 {mine, start("wrong"), "not_found"},
		"with the token of another":          {mine, start(other.token), "not_found"},
		"in a conversation that has ended":   {over, start(over.token), "not_found"},
		"in one that never was":              {&visitor{d, string(frontdesk.NewID(monday)), mine.token, nil}, start(mine.token), "not_found"},
		"without a token":                    {mine, map[string]string{"type": "start"}, "parameter_invalid"},
		"who begins with something else":     {mine, map[string]string{"type": "text", "token": mine.token}, "parameter_invalid"},
		"who sends a word that is not known": {mine, map[string]string{"type": "start", "key": "x"}, "parameter_unknown"},
		"who sends no object":                {mine, []string{"start"}, "invalid_json"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := *c.v
			v.desk = &desk{}
			*v.desk = *d
			v.t = t
			s := v.dial(vendor)
			s.write(c.first)
			s.closed(c.code)
			if status := websocket.CloseStatus(s.fault); status != websocket.StatusPolicyViolation {
				t.Errorf("the socket was closed with %v", s.fault)
			}
		})
	}
}

func TestSoundBeforeTheToken(t *testing.T) {
	t.Parallel()
	d, vendor := aloud(t)
	s := d.start("").dial(vendor)
	if err := s.conn.Write(s.ctx, websocket.MessageBinary, make([]byte, 640)); err != nil {
		t.Fatal(err)
	}
	s.closed("parameter_invalid")
}

func TestWhatAPageMayNotSend(t *testing.T) {
	t.Parallel()
	d, vendor := aloud(t)
	for name, c := range map[string]struct {
		piece, times int
		code         string
	}{
		"half a sample":                      {641, 1, "parameter_invalid"},
		"a piece that is too large":          {mostSound + 2, 1, "parameter_invalid"},
		"more sound for long than is spoken": {mostSound, 60, "rate_limited"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := d.start("")
			v.desk = &desk{}
			*v.desk = *d
			v.t = t
			s := v.dial(vendor)
			s.write(map[string]string{"type": "start", "token": v.token})
			for range c.times {
				if s.conn.Write(s.ctx, websocket.MessageBinary, make([]byte, c.piece)) != nil {
					break // it is closed
				}
			}
			s.closed(c.code)
		})
	}
}

func TestTextBesideTheMicrophoneIsHeldToItsBounds(t *testing.T) {
	t.Parallel()
	d, vendor := aloud(t)
	s := d.start(`{"language":"es"}`).speak(vendor)
	s.hears("¿En qué")
	for _, text := range []string{"", " ", strings.Repeat("a", 1001), "a\x00b"} {
		before := len(s.messages("error"))
		s.write(map[string]string{"type": "text", "text": text})
		s.until("a refusal", func() bool { return len(s.messages("error")) > before })
	}
	s.write(map[string]string{"type": "shout", "text": "hola"})
	s.until("a refusal", func() bool { return len(s.messages("error")) == 5 })
	s.write(map[string]string{"type": "text", "text": "Quiero una revisión"})
	s.until("an answer", func() bool { return len(s.messages("said")) == 2 })
	if len(s.messages("heard")) > 0 {
		t.Errorf("what was written is told as heard: %v", s.messages("heard"))
	}
}

func TestAPageThatSendsNoSoundIsLeft(t *testing.T) {
	t.Parallel()
	vendor := voicetest.NewVendor(t)
	d := newDesk(t)
	w := New(Options{Sessions: d.sessions, Store: d.store, Now: d.Now, Studio: vendor.Studio(t), Log: d.logger()})
	w.soundWithin = 50 * time.Millisecond
	d.server.Config.Handler = w.Handler()
	v := d.start("")
	s := v.dial(vendor)
	s.write(map[string]string{"type": "start", "token": v.token})
	s.closed("no_sound")
}

func TestMicrophonesAreClosedWhenTheServerStops(t *testing.T) {
	t.Parallel()
	vendor := voicetest.NewVendor(t)
	d := newDesk(t)
	w := New(Options{Sessions: d.sessions, Store: d.store, Now: d.Now, Studio: vendor.Studio(t), Log: d.logger()})
	d.server.Config.Handler = w.Handler()
	v := d.start(`{"language":"es"}`)
	s := v.speak(vendor)
	s.hears("¿En qué")
	w.Stop(s.ctx)
	s.closed("stopping")
	v.say("Quiero una revisión")
	_, answer, err := websocket.Dial(s.ctx, "ws"+strings.TrimPrefix(d.server.URL, "http")+"/web/conversations/"+v.id+"/voice", nil)
	if err == nil || answer == nil || answer.StatusCode != 503 {
		t.Errorf("after the stop: %v", err)
	}
}

func TestMicrophonesOfOneAddress(t *testing.T) {
	t.Parallel()
	d, vendor := aloud(t)
	v := d.start("")
	for range mostOfAddress {
		v.dial(vendor)
	}
	_, answer, err := websocket.Dial(t.Context(), "ws"+strings.TrimPrefix(d.server.URL, "http")+"/web/conversations/"+v.id+"/voice", nil)
	if err == nil || answer == nil || answer.StatusCode != 429 || answer.Header.Get("Retry-After") == "" {
		t.Errorf("one more: %v", err)
	}
}

func TestWhereNobodyListens(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	v := d.start("")
	d.do("GET /web/conversations/"+v.id+"/voice", "", "Upgrade", "websocket").refused(404, "not_found", "")
	if d.do("GET /web/lola/desk", "").value()["voice"] != false {
		t.Error("a microphone is offered")
	}
	with, _ := aloud(t)
	if with.do("GET /web/lola/desk", "").value()["voice"] != true {
		t.Error("no microphone is offered")
	}
	with.do("GET /web/conversations/"+with.start("").id+"/voice", "").refused(400, "websocket_required", "")
	with.do("GET /web/conversations/nobody/voice", "", "Upgrade", "websocket").refused(404, "not_found", "")
}

// stalls answers a question for speech with its beginning, and never goes on.
func stalls(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "audio/pcm")
	_, _ = w.Write(audio.EncodePCM(nil, audio.Tone(provider.SpeechRate, 500*time.Millisecond, -18, 440)))
	w.(http.Flusher).Flush()
	<-r.Context().Done()
}

// What is answered is read whatever becomes of the sound of what was said before. The
// greeting is so long that nobody would wait for it to be over.
func TestTextDoesNotWaitForTheSoundOfAMicrophone(t *testing.T) {
	t.Parallel()
	d, vendor := aloud(t)
	greeting := strings.Repeat("Buenos días a todos los que llegan hasta aquí. ", 40)
	d.hire("long", frontdesk.AgentActive, func(a *frontdesk.Agent) { a.Config.Assistant.Greeting = greeting })
	vendor.SetSpeech(stalls)
	begun := d.do("POST /web/lola/long/conversations", `{"language":"es"}`).value()["conversation"].(map[string]any)
	s := (&visitor{d, begun["id"].(string), begun["token"].(string), nil}).speak(vendor)
	s.until("the greeting", func() bool { return s.has("said", "Buenos días a todos") })
	s.speaks("Quiero una revisión")
	s.until("an answer", func() bool { return len(s.messages("said")) == 2 })
}

// Who is not heard in a browser is offered to write, and can.
func TestAMicrophoneThatNobodyHears(t *testing.T) {
	t.Parallel()
	d, vendor := aloud(t)
	v := d.start(`{"language":"es"}`)
	s := v.speak(vendor)
	s.hears("¿En qué")
	vendor.SetDeaf(true)
	for n := range 3 {
		s.speaks("¿A qué hora abren?")
		s.until("what is said of it", func() bool { return len(s.messages("said")) == n+2 })
		s.until("silence", func() bool {
			_, quiet := s.ear.Heard()
			return quiet > 300*time.Millisecond || len(s.messages("said")) == 4
		})
	}
	<-s.over
	if !s.has("said", "escribirme aquí") || s.has("said", "llamar") {
		t.Errorf("said was %v", s.messages("said"))
	}
	if answer := v.say("Quiero una revisión"); answer["ended"] != false {
		t.Errorf("the conversation has ended: %v", answer)
	}
}

// raw opens the socket of a conversation byte by byte.
func (v *visitor) raw() (net.Conn, *bufio.Reader) {
	v.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(v.server.URL, "http://"))
	if err != nil {
		v.t.Fatal(err)
	}
	v.t.Cleanup(func() { conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	fmt.Fprintf(conn, "GET /web/conversations/%s/voice HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n", v.id)
	r := bufio.NewReader(conn)
	answer, err := http.ReadResponse(r, nil)
	if err != nil || answer.StatusCode != http.StatusSwitchingProtocols {
		v.t.Fatalf("the answer is %v, %v", answer, err)
	}
	return conn, r
}

// frame is a masked one, whose mask changes nothing.
func frame(kind byte, body []byte) []byte {
	return append([]byte{0x80 | kind, 0x80 | 126, byte(len(body) >> 8), byte(len(body)), 0, 0, 0, 0}, body...)
}

func TestBytesThatAreNoFrames(t *testing.T) {
	t.Parallel()
	d, _ := aloud(t)
	v := d.start("")
	start := frame(1, fmt.Appendf(nil, `{"type":"start","token":%q}`, v.token))
	for name, sent := range map[string][]byte{
		"not masked":              {0x81, 2, '{', '}'},
		"longer than anything is": {0x82, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0},
		"not masked, later":       append(bytes.Clone(start), 0x81, 2, '{', '}'),
	} {
		conn, r := v.raw()
		if _, err := conn.Write(sent); err != nil {
			t.Fatal(err)
		}
		conn.(*net.TCPConn).CloseWrite()
		all, _ := io.ReadAll(r)
		if !bytes.Contains(all, []byte(`"code":"protocol_error"`)) || !bytes.Contains(all, []byte("\x88\x10\x03\xeaprotocol_error")) {
			t.Errorf("%s: the page is told %q", name, all)
		}
	}
	if log := d.log.String(); !strings.Contains(log, "why=protocol_error") || strings.Contains(log, "level=ERROR") || strings.Contains(log, "internal_error") {
		t.Errorf("the log is %s", log)
	}
}

func TestAMicrophoneThatNeverStarts(t *testing.T) {
	t.Parallel()
	vendor := voicetest.NewVendor(t)
	d := newDesk(t)
	w := New(Options{Sessions: d.sessions, Store: d.store, Now: d.Now, Studio: vendor.Studio(t), Log: d.logger()})
	w.tokenWithin = 50 * time.Millisecond
	d.server.Config.Handler = w.Handler()
	s := d.start("").dial(vendor)
	s.closed("start_missing")
	if status := websocket.CloseStatus(s.fault); status != websocket.StatusPolicyViolation {
		t.Errorf("the socket was closed with %v", s.fault)
	}
}

// Who is told that they send too much, and goes on, is not read for long.
func TestAFloodOfAMicrophoneIsNotRead(t *testing.T) {
	t.Parallel()
	d, _ := aloud(t)
	v := d.start("")
	conn, r := v.raw()
	go func() { _, _ = io.Copy(io.Discard, r) }()
	if _, err := conn.Write(frame(1, fmt.Appendf(nil, `{"type":"start","token":%q}`, v.token))); err != nil {
		t.Fatal(err)
	}
	const most = 64 << 20 // more than the system takes for who does not read
	flood := bytes.Repeat(frame(2, make([]byte, mostSound)), 16)
	sent := 0
	for sent < most {
		n, err := conn.Write(flood)
		if sent += n; err != nil {
			break
		}
	}
	if sent >= most {
		t.Errorf("%d bytes are taken", sent)
	}
}

// Whoever speaks into many microphones leaves room to be heard for others.
func TestMicrophonesOfOneAddressShareTheHearing(t *testing.T) {
	t.Parallel()
	const share, most = 4, 7
	vendor := voicetest.NewVendor(t)
	d := newDesk(t, func(o *Options) {
		o.TrustedProxies = []netip.Prefix{proxy}
		o.Studio = voice.NewStudio(voice.Options{Hearing: vendor.Hearing(t), Speech: vendor.Speech(t), HearWithin: time.Minute})
	})
	crowd, other := "Quiero una revisión", "¿A qué hora abren?"
	asked := make(chan struct{}, 100)
	vendor.SetHearing(func(w http.ResponseWriter, r *http.Request) {
		file, _, _ := r.FormFile("file")
		sound, _ := audio.ReadWAV(file, 10<<20)
		if vendor.Text(sound) != other {
			asked <- struct{}{}
			<-r.Context().Done()
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]string{"text": other})
	})
	var all []*speaker
	for range most {
		all = append(all, d.start(`{"language":"es"}`, "X-Forwarded-For", "192.0.2.1").speak(vendor))
	}
	for _, s := range all {
		s.hears("¿En qué")
		s.speaks(crowd)
	}
	for range share {
		<-asked
	}
	s := d.start(`{"language":"es"}`, "X-Forwarded-For", "192.0.2.2").speak(vendor)
	s.hears("¿En qué")
	s.speaks(other)
	s.until("what was heard", func() bool { return s.has("heard", other) })
	if n := len(asked); n > 0 {
		t.Errorf("%d of one address are heard at once", share+n)
	}
}
