package bench

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/audio"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/provider"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/internal/turns"
	"frontdesk.dev/frontdesk/internal/voice"
	"frontdesk.dev/frontdesk/internal/voice/voicetest"
)

// BenchmarkVoice is how long a caller waits for a word of ours on a line that carries
// sound: from the end of theirs to the first sound of the answer. Of that, so much is
// waiting whether they go on. With FRONTDESK_HEARING_URL set, that endpoint hears and
// speaks, such as frontdesk-speech; else one that takes no time.
func BenchmarkVoice(b *testing.B) {
	const text = "¿A qué hora abren mañana?"
	vendor := voicetest.NewVendor(b)
	studio, sound := vendor.Studio(b), vendor.Sound(text, audio.Rate)
	if url := os.Getenv("FRONTDESK_HEARING_URL"); url != "" {
		studio, sound = realStudio(b, url, text)
	}
	s := storetest.New(b)
	tenant := storetest.Tenant(b, s, "lola")
	now := time.Now()
	agent := frontdesk.Agent{
		ID: frontdesk.NewID(now), TenantID: tenant.ID, Slug: "desk", Vertical: "clinic", DisplayName: "Clínica Lola",
		Status: frontdesk.AgentActive, Languages: []string{"es"}, Timezone: "Europe/Madrid", CreatedAt: now, UpdatedAt: now,
		Config: frontdesk.AgentConfig{Services: json.RawMessage(`[{"id":"checkup","name":"Revisión","duration_minutes":30,"price":30}]`)},
	}
	if err := s.CreateAgent(context.Background(), frontdesk.Actor{}, agent); err != nil {
		b.Fatal(err)
	}
	on, err := reception.NewSessions(reception.SessionOptions{Store: s, Now: time.Now}).Ring(context.Background(), reception.Ringing{
		Owner: frontdesk.Owner{TenantID: tenant.ID, Live: true}, AgentID: agent.ID, Line: "bench", Number: "+34910000001",
	})
	if err != nil {
		b.Fatal(err)
	}
	w := newWaiting()
	line := voice.NewLine(voice.LineOptions{Socket: w, Studio: studio, Agent: agent, Hints: turns.Hints(agent)})
	call := turns.NewCall(line, turns.Options{Sessions: reception.NewSessions(reception.SessionOptions{Store: s, Now: time.Now}), On: on, Habits: voice.Habits})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go call.Hold(ctx)
	w.answered() // the greeting
	var took []time.Duration
	for b.Loop() {
		w.say(sound)
		took = append(took, w.answered())
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Milliseconds()), "ms-to-sound(p50)")
	b.ReportMetric(float64(took[len(took)-1].Milliseconds()), "ms-to-sound(max)")
	b.ReportMetric(0, "ns/op")
}

func realStudio(b *testing.B, url, text string) (*voice.Studio, []int16) {
	b.Helper()
	o := provider.SoundOptions{URL: url, Model: "whisper-1", Key: frontdesk.Secret(os.Getenv("FRONTDESK_HEARING_KEY")), Client: &http.Client{}}
	hearing, err := provider.NewHearing(o)
	if err != nil {
		b.Fatal(err)
	}
	o.Model = "gpt-4o-mini-tts"
	speech, err := provider.NewSpeech(o)
	if err != nil {
		b.Fatal(err)
	}
	var pcm []int16
	if err := speech.Speak(context.Background(), text, "echo", "es-ES", func(samples []int16) { pcm = append(pcm, samples...) }); err != nil {
		b.Fatal(err)
	}
	sound, err := audio.Resample(pcm, provider.SpeechRate, audio.Rate)
	if err != nil {
		b.Fatal(err)
	}
	names := map[string]string{"voc_es_alba": "nova"}
	return voice.NewStudio(voice.Options{Hearing: hearing, Speech: speech, Voices: names}), sound
}

// waiting is a caller who notes when they are answered.
type waiting struct {
	tick *time.Ticker

	mu    sync.Mutex
	says  []int16
	at    time.Duration
	ended time.Time // what they said
	loud  time.Time // the first sound of ours since
	quiet int       // frames
}

func newWaiting() *waiting { return &waiting{tick: time.NewTicker(audio.FrameTime)} }

func (w *waiting) Rate() int { return audio.Rate }

func (w *waiting) Read(ctx context.Context) (voice.In, error) {
	select {
	case <-w.tick.C:
	case <-ctx.Done():
		return voice.In{}, ctx.Err()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	frame := audio.Frame{At: w.at, Samples: make([]int16, audio.FrameSize(audio.Rate))}
	w.at += audio.FrameTime
	speaks := len(w.says) > 0
	w.says = w.says[copy(frame.Samples, w.says):]
	if speaks && len(w.says) == 0 {
		w.ended, w.loud = time.Now(), time.Time{}
	}
	return voice.In{Frame: frame}, nil
}

func (w *waiting) Write(frame []int16) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.quiet++
	for _, s := range frame {
		if s > 500 || s < -500 {
			w.quiet = 0
			if w.loud.IsZero() {
				w.loud = time.Now()
			}
			break
		}
	}
	return nil
}

func (w *waiting) say(samples []int16) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.says, w.loud, w.ended = slices.Clone(samples), time.Time{}, time.Time{}
}

// answered waits until we have spoken and are silent again, and returns how long it
// took until we began.
func (w *waiting) answered() time.Duration {
	tick := time.NewTicker(audio.FrameTime)
	defer tick.Stop()
	for range tick.C {
		w.mu.Lock()
		done, took := !w.loud.IsZero() && w.quiet > 25 && len(w.says) == 0, w.loud.Sub(w.ended)
		w.mu.Unlock()
		if done {
			return took
		}
	}
	return 0
}
