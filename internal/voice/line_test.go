package voice_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/audio"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/internal/trace"
	"frontdesk.dev/frontdesk/internal/trace/tracetest"
	"frontdesk.dev/frontdesk/internal/turns"
	"frontdesk.dev/frontdesk/internal/voice"
	"frontdesk.dev/frontdesk/internal/voice/voicetest"
)

const rate = 8000

// caller is somebody on a socket in memory.
type caller struct {
	testing.TB
	vendor *voicetest.Vendor
	ear    *voicetest.Ear

	mu    sync.Mutex
	says  []int16
	at    time.Duration
	gone  bool
	goes  bool // as soon as everything is said
	clock *time.Ticker
}

func newCaller(t testing.TB, v *voicetest.Vendor) *caller {
	c := &caller{TB: t, vendor: v, ear: v.NewEar(rate), clock: time.NewTicker(audio.FrameTime)}
	t.Cleanup(c.clock.Stop)
	return c
}

func (c *caller) Rate() int { return rate }

func (c *caller) Write(frame []int16) error {
	c.ear.Hear(frame)
	return nil
}

func (c *caller) Read(ctx context.Context) (voice.In, error) {
	select {
	case <-c.clock.C:
	case <-ctx.Done():
		return voice.In{}, ctx.Err()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gone || c.goes && len(c.says) == 0 {
		return voice.In{}, io.EOF
	}
	frame := audio.Frame{At: c.at, Samples: make([]int16, audio.FrameSize(rate))}
	c.at += audio.FrameTime
	c.says = c.says[copy(frame.Samples, c.says):]
	return voice.In{Frame: frame}, nil
}

func (c *caller) say(text string) {
	sound := c.vendor.Sound(text, rate)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.says = append(c.says, sound...)
}

func (c *caller) hangUp() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gone = true
}

type place struct {
	store    *store.Store
	sessions *reception.Sessions
	owner    frontdesk.Owner
	agent    frontdesk.Agent
}

func newPlace(t *testing.T) *place {
	s := storetest.New(t)
	tenant := storetest.Tenant(t, s, "lola")
	now := time.Now()
	p := &place{store: s, owner: frontdesk.Owner{TenantID: tenant.ID, Live: true}, agent: frontdesk.Agent{
		ID: frontdesk.NewID(now), TenantID: tenant.ID, Slug: "desk", Vertical: "clinic", DisplayName: "Clínica Lola",
		Status: frontdesk.AgentActive, Languages: []string{"es", "en"}, Timezone: "Europe/Madrid", CreatedAt: now, UpdatedAt: now,
		Config: frontdesk.AgentConfig{Services: json.RawMessage(`[{"id":"checkup","name":"Revisión","duration_minutes":30,"price":30}]`)},
	}}
	if err := s.CreateAgent(context.Background(), frontdesk.Actor{}, p.agent); err != nil {
		t.Fatal(err)
	}
	p.sessions = reception.NewSessions(reception.SessionOptions{Store: s, Now: time.Now})
	return p
}

// call rings, and holds the call on a line of the caller's until it is over.
func (p *place) call(t *testing.T, c *caller, studio *voice.Studio) (on reception.OnLine, over <-chan *turns.End) {
	return p.callWith(t, c, studio, voice.Watch{})
}

// callWith is call, counted.
func (p *place) callWith(t *testing.T, c *caller, studio *voice.Studio, watch voice.Watch) (on reception.OnLine, over <-chan *turns.End) {
	on, err := p.sessions.Ring(context.Background(), reception.Ringing{Owner: p.owner, AgentID: p.agent.ID, Line: "sip 1", Caller: "+34612345678", Number: "+34910000001"})
	if err != nil {
		t.Fatal(err)
	}
	line := voice.NewLine(voice.LineOptions{Socket: c, Studio: studio, Agent: on.Agent, Hints: turns.Hints(on.Agent), Watch: watch})
	call := turns.NewCall(line, turns.Options{Sessions: p.sessions, On: on, Habits: voice.Habits})
	done := make(chan *turns.End, 1)
	go func() {
		call.Hold(context.Background())
		done <- call.Ended()
	}()
	return on, done
}

// A call by voice is one trace: what was heard and spoken is in it, beside the turns.
func TestACallBySoundIsOneTrace(t *testing.T) {
	t.Parallel()
	collector, vendor := tracetest.New(t), voicetest.NewVendor(t)
	tracer, err := trace.New(trace.Options{URL: collector.URL, Client: http.DefaultClient})
	if err != nil {
		t.Fatal(err)
	}
	p, c := newPlace(t), newCaller(t, vendor)
	p.sessions = reception.NewSessions(reception.SessionOptions{Store: p.store, Now: time.Now, Tracer: tracer})
	on, over := p.call(t, c, vendor.Studio(t))
	c.ear.Await(t, "¿En qué")
	c.say("Soy Ana García, llámenme mañana")
	c.ear.Await(t, "se trata")
	c.hangUp()
	<-over
	if _, err := p.sessions.End(context.Background(), on.ID, on.Token.Reveal()); err != nil {
		t.Fatal(err)
	}
	if err := tracer.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	id := strings.ReplaceAll(string(on.ID), "-", "")
	whole := collector.Wait(t, "conversation", tracetest.In(id, "conversation"))
	if whole.Attrs["frontdesk.channel"] != "phone" || whole.Attrs["frontdesk.tenant"] != string(p.owner.TenantID) {
		t.Errorf("the conversation is %+v", whole)
	}
	for _, name := range []string{"hearing", "speaking", "turn"} {
		if s := collector.Wait(t, name, tracetest.In(id, name)); s.Parent != whole.ID {
			t.Errorf("%s is not a part of the conversation itself: %+v", name, s)
		}
	}
	turn := collector.Wait(t, "turn of words", func(s tracetest.Span) bool { return s.Trace == id && s.Attrs["frontdesk.turn"] == "text" })
	if turn.Attrs["frontdesk.language"] != "es" {
		t.Errorf("the turn is %+v", turn)
	}
	for _, secret := range []string{"Ana", "García", "612345678", "910000001", "Lola"} {
		if bytes.Contains(collector.Raw(), []byte(secret)) {
			t.Errorf("%q was sent to the collector", secret)
		}
	}
}

func TestABookingBySound(t *testing.T) {
	t.Parallel()
	vendor := voicetest.NewVendor(t)
	p, c := newPlace(t), newCaller(t, vendor)
	on, over := p.call(t, c, vendor.Studio(t))
	c.ear.Await(t, "¿En qué")
	c.say("Quiero una revisión el martes a las once de la mañana")
	c.ear.Await(t, "nombre")
	c.say("Soy Ana García")
	c.ear.Await(t, "número")
	c.say("Sí")
	c.ear.Await(t, "correcto?")
	c.say("Sí, correcto")
	c.ear.Await(t, "código")
	c.say("No, gracias, adiós")
	if end := <-over; end == nil {
		t.Error("the line was not ended by us")
	}
	call, err := p.store.Call(context.Background(), p.owner, on.ID)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(call.Transcript), "Ana García") {
		t.Errorf("the transcript is %s", call.Transcript)
	}
	if asked := vendor.Asked(); asked[0] != "" || asked[1] != "es" {
		t.Errorf("the languages that were named with what was said are %q", asked)
	}
}

// What somebody says and then hangs up is heard.
func TestTheLastWordsOfACall(t *testing.T) {
	t.Parallel()
	vendor := voicetest.NewVendor(t)
	p, c := newPlace(t), newCaller(t, vendor)
	on, over := p.call(t, c, vendor.Studio(t))
	c.ear.Await(t, "¿En qué")
	c.say("Soy Ana García, llámenme mañana")
	c.mu.Lock()
	c.goes = true
	c.mu.Unlock()
	<-over
	if _, err := p.sessions.End(context.Background(), on.ID, on.Token.Reveal()); err != nil {
		t.Fatal(err)
	}
	call, err := p.store.Call(context.Background(), p.owner, on.ID)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(call.Transcript), "Ana García") {
		t.Errorf("the transcript is %s", call.Transcript)
	}
}
