package voice_test

import (
	"bytes"
	"context"
	"math"
	"net/http"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/voice"
	"frontdesk.dev/frontdesk/internal/voice/voicetest"
)

// What is said to many at once is made once, and again only when there was no room to
// keep it.
func TestWhatRepeatsIsMadeOnce(t *testing.T) {
	t.Parallel()
	const text = "¿En qué puedo ayudarle?"
	vendor := voicetest.NewVendor(t)
	studio := vendor.Studio(t)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			c := newCaller(t, vendor)
			if err := studio.Announce(context.Background(), c, frontdesk.Agent{}, "es-ES", text); err != nil {
				t.Error(err)
			}
			if !c.ear.Has(text) {
				t.Error("it was not heard")
			}
		})
	}
	all.Wait()
	if n := vendor.Spoken(text); n != 1 {
		t.Errorf("it was made %d times", n)
	}
}

func TestRoomForSpeechIsBounded(t *testing.T) {
	t.Parallel()
	vendor := voicetest.NewVendor(t)
	studio := voice.NewStudio(voice.Options{Speech: vendor.Speech(t), Memory: 1})
	for _, text := range []string{"Uno.", "Dos.", "Uno."} {
		if err := studio.Announce(context.Background(), newCaller(t, vendor), frontdesk.Agent{}, "es-ES", text); err != nil {
			t.Fatal(err)
		}
	}
	if n := vendor.Spoken("Uno."); n != 2 {
		t.Errorf("it was made %d times", n)
	}
}

func TestASpeakerThatIsAwayIsAskedAgain(t *testing.T) {
	t.Parallel()
	vendor := voicetest.NewVendor(t)
	studio := vendor.Studio(t)
	vendor.SetDown(true)
	say := func() error {
		return studio.Announce(context.Background(), newCaller(t, vendor), frontdesk.Agent{}, "es-ES", "Buenos días.")
	}
	if say() == nil {
		t.Error("nobody speaks, and nobody says so")
	}
	vendor.SetDown(false)
	if err := say(); err != nil {
		t.Error(err)
	}
}

// What is no sound is neither played nor kept, and counted as what it is.
func TestABadAnswerIsNotKept(t *testing.T) {
	t.Parallel()
	vendor := voicetest.NewVendor(t)
	p, c := newPlace(t), newCaller(t, vendor)
	studio := vendor.Studio(t)
	vendor.SetSpeech(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write(bytes.Repeat([]byte("<html>"), 10_000))
	})
	failed := make(chan error, 100)
	on, over := p.callWith(t, c, studio, voice.Watch{Spoken: func(_ time.Duration, err error) { failed <- err }})
	if err := <-failed; err == nil {
		t.Error("a page is counted as speech")
	}
	c.hangUp()
	<-over
	vendor.SetSpeech(nil)
	again := newCaller(t, vendor)
	if err := studio.Announce(context.Background(), again, on.Agent, "es-ES", on.Reply.Text); err != nil {
		t.Fatal(err)
	}
	if !again.ear.Has("¿En qué") {
		t.Error("what is no sound was kept")
	}
}

// A yes that the hearing is not sure of is asked for again, once.
func TestADoubtfulYes(t *testing.T) {
	t.Parallel()
	vendor := voicetest.NewVendor(t)
	vendor.Doubt = func(text string) float64 {
		if text == "Sí, correcto" {
			return math.Log(.3)
		}
		return 0
	}
	p, c := newPlace(t), newCaller(t, vendor)
	_, over := p.call(t, c, vendor.Studio(t))
	c.ear.Await(t, "¿En qué")
	c.say("Quiero una revisión el martes a las once de la mañana, soy Ana García, 612 34 56 78")
	c.ear.Await(t, "correcto?")
	c.say("Sí, correcto")
	c.ear.Await(t, "¿")
	if booked(t, p) != 0 {
		t.Fatal("a doubtful yes is a yes")
	}
	c.say("Sí, eso es")
	c.ear.Await(t, "código")
	c.hangUp()
	if end := <-over; end != nil {
		t.Errorf("the line was ended by us: %+v", end)
	}
	if booked(t, p) != 1 {
		t.Error("the second yes is none")
	}
}

func booked(t *testing.T, p *place) int {
	t.Helper()
	l, err := p.store.Captures(context.Background(), p.owner, frontdesk.CaptureFilter{}, frontdesk.Page{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	return len(l.Items)
}

// Who cannot be heard is asked to say it again, and told that the line is bad when that
// does not help.
func TestNobodyHears(t *testing.T) {
	t.Parallel()
	vendor := voicetest.NewVendor(t)
	p, c := newPlace(t), newCaller(t, vendor)
	_, over := p.call(t, c, vendor.Studio(t))
	c.ear.Await(t, "¿En qué")
	vendor.SetDeaf(true)
	for range 2 {
		c.say("¿A qué hora abren?")
		said, _ := c.ear.Heard()
		c.ear.AwaitMore(t, len(said))
	}
	c.say("¿A qué hora abren?")
	if end := <-over; end == nil || !end.Over {
		t.Errorf("it ended with %+v", end)
	}
}

// A hearing that does not answer has not heard: the caller is asked to say it again, and
// not whether they are there.
func TestAHearingThatHangs(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"from the beginning": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"after its beginning": func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write([]byte(`{"text":`))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			vendor := voicetest.NewVendor(t)
			studio := voice.NewStudio(voice.Options{Hearing: vendor.Hearing(t), Speech: vendor.Speech(t), HearWithin: 2 * time.Second})
			p, c := newPlace(t), newCaller(t, vendor)
			_, over := p.call(t, c, studio)
			c.ear.Await(t, "¿En qué")
			vendor.SetHearing(answer)
			c.say("¿A qué hora abren?")
			c.ear.Await(t, "no le he oído bien")
			if c.ear.Has("ahí") {
				t.Error("they are asked whether they are there")
			}
			vendor.SetHearing(nil)
			c.say("¿A qué hora abren?")
			c.ear.Await(t, "información")
			c.hangUp()
			<-over
		})
	}
}
