// Package voicetest hears and speaks for tests: a server with the addresses of a
// speech vendor, in whose language every text has a chord of its own.
package voicetest

import (
	"bytes"
	"encoding/json"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/audio"
	"frontdesk.dev/frontdesk/internal/provider"
	"frontdesk.dev/frontdesk/internal/voice"
)

// Vendor is the server. It knows the texts that it was asked to speak.
type Vendor struct {
	*httptest.Server
	// Doubt is how unsure it is of a text, as a logarithm; nil: it is sure.
	Doubt func(text string) float64

	mu     sync.Mutex
	texts  []string
	spoken map[string]int // how often each was made sound of
	asked  []string       // languages that were named with sounds
	down   bool
	deaf   bool

	// What answers instead of it; nil: it does itself.
	speech, hearing http.HandlerFunc
}

// Two bands of tones. None is that of a key.
const (
	lowTones, highTones = 12, 12
	lowest, lowStep     = 380.0, 95.0
	high, highStep      = 1720.0, 130.0
)

// NewVendor starts a vendor, for as long as the test runs.
func NewVendor(t testing.TB) *Vendor {
	v := &Vendor{spoken: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/audio/speech", v.speak)
	mux.HandleFunc("POST /v1/audio/transcriptions", v.hear)
	v.Server = httptest.NewServer(mux)
	t.Cleanup(v.Close)
	return v
}

// Studio is one that has its sound made here.
func (v *Vendor) Studio(t testing.TB) *voice.Studio {
	t.Helper()
	return voice.NewStudio(voice.Options{Hearing: v.Hearing(t), Speech: v.Speech(t)})
}

// Hearing is the part of it that hears.
func (v *Vendor) Hearing(t testing.TB) voice.Hearing {
	t.Helper()
	hearing, err := provider.NewHearing(provider.SoundOptions{URL: v.URL + "/v1", Model: "chords", Client: v.Client()})
	if err != nil {
		t.Fatal(err)
	}
	return hearing
}

// Speech is the part of it that speaks.
func (v *Vendor) Speech(t testing.TB) voice.Speech {
	t.Helper()
	speech, err := provider.NewSpeech(provider.SoundOptions{URL: v.URL + "/v1", Model: "chords", Client: v.Client()})
	if err != nil {
		t.Fatal(err)
	}
	return speech
}

// SetDeaf says whether it makes no words of sound.
func (v *Vendor) SetDeaf(deaf bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.deaf = deaf
}

// SetSpeech has questions for speech answered by h; nil: by the vendor again.
func (v *Vendor) SetSpeech(h http.HandlerFunc) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.speech = h
}

// SetHearing has questions what was said answered by h; nil: by the vendor again.
func (v *Vendor) SetHearing(h http.HandlerFunc) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.hearing = h
}

// SetDown says whether it answers nobody.
func (v *Vendor) SetDown(down bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.down = down
}

// Spoken is how often a text was made sound of.
func (v *Vendor) Spoken(text string) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.spoken[text]
}

// Asked are the languages that were named with sounds.
func (v *Vendor) Asked() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.asked)
}

// Sound is a text as somebody says it: syllables of its chord.
func (v *Vendor) Sound(text string, rate int) []int16 {
	v.mu.Lock()
	n := slices.Index(v.texts, text)
	if n < 0 {
		n = len(v.texts)
		v.texts = append(v.texts, text)
	}
	v.mu.Unlock()
	if n >= lowTones*highTones {
		panic("voicetest: there are no chords left")
	}
	const syllable, pause, letters = 160 * time.Millisecond, 60 * time.Millisecond, 12
	var out []int16
	for range max(2, len(text)/letters) {
		out = append(out, audio.Tone(rate, syllable, -18, lowest+lowStep*float64(n%lowTones), high+highStep*float64(n/lowTones))...)
		out = append(out, make([]int16, audio.Count(rate, pause))...)
	}
	return out
}

// Text is what was said in a sound; "": nothing that is known.
func (v *Vendor) Text(s audio.Sound) string {
	low, lowShare := strongest(s, lowTones, lowest, lowStep)
	up, highShare := strongest(s, highTones, high, highStep)
	v.mu.Lock()
	defer v.mu.Unlock()
	if n := up*lowTones + low; n < len(v.texts) && lowShare > .1 && highShare > .1 {
		return v.texts[n]
	}
	return ""
}

// strongest finds the tone that has most of a sound, and how much that is.
func strongest(s audio.Sound, count int, from, step float64) (at int, share float64) {
	var energy float64
	for _, x := range s.Samples {
		energy += float64(x) * float64(x)
	}
	for i := range count {
		var re, im float64
		// Syllables begin anew: their phases do not go on, so each frame counts by itself.
		sum := 0.0
		size := audio.FrameSize(s.Rate)
		for begin := 0; begin+size <= len(s.Samples); begin += size {
			re, im = 0, 0
			for k, x := range s.Samples[begin : begin+size] {
				sin, cos := math.Sincos(2 * math.Pi * (from + step*float64(i)) * float64(k) / float64(s.Rate))
				re, im = re+cos*float64(x), im+sin*float64(x)
			}
			sum += 2 * (re*re + im*im) / float64(size)
		}
		if sum > share {
			at, share = i, sum
		}
	}
	return at, share / max(energy, 1)
}

func (v *Vendor) speak(w http.ResponseWriter, r *http.Request) {
	var in struct{ Input, Voice string }
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || v.isDown() {
		http.Error(w, "no", http.StatusServiceUnavailable)
		return
	}
	v.mu.Lock()
	v.spoken[in.Input]++
	other := v.speech
	v.mu.Unlock()
	if other != nil {
		other(w, r)
		return
	}
	w.Header().Set("Content-Type", "audio/pcm")
	_, _ = w.Write(audio.EncodePCM(nil, v.Sound(in.Input, provider.SpeechRate)))
}

func (v *Vendor) isDown() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.down
}

func (v *Vendor) hear(w http.ResponseWriter, r *http.Request) {
	file, _, err := r.FormFile("file")
	v.mu.Lock()
	deaf, other := v.deaf, v.hearing
	v.mu.Unlock()
	if other != nil {
		other(w, r)
		return
	}
	if err != nil || deaf || v.isDown() {
		http.Error(w, "no", http.StatusServiceUnavailable)
		return
	}
	sound, err := audio.ReadWAV(file, 10<<20)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	text := v.Text(sound)
	v.mu.Lock()
	v.asked = append(v.asked, r.FormValue("language"))
	v.mu.Unlock()
	doubt := 0.0
	if v.Doubt != nil {
		doubt = v.Doubt(text)
	}
	var b bytes.Buffer
	_ = json.NewEncoder(&b).Encode(map[string]any{
		"text": text, "segments": []any{map[string]any{"text": text, "avg_logprob": doubt, "no_speech_prob": 0.01}},
	})
	_, _ = w.Write(b.Bytes())
}

// Ear listens to what is played to somebody, and tells what was said.
type Ear struct {
	vendor *Vendor
	rate   int

	mu      sync.Mutex
	said    []string
	current []int16
	quiet   time.Duration // since the last sound
}

// NewEar returns one that has heard nothing.
func (v *Vendor) NewEar(rate int) *Ear { return &Ear{vendor: v, rate: rate} }

// Hear takes what comes next. Two frames of one chord are a text, which is said until
// another is.
func (e *Ear) Hear(samples []int16) {
	e.mu.Lock()
	defer e.mu.Unlock()
	loud := false
	for _, s := range samples {
		loud = loud || s > 600 || s < -600
	}
	if !loud {
		e.quiet += audio.Length(e.rate, len(samples))
		e.current = e.current[:0]
		return
	}
	e.quiet = 0
	e.current = append(e.current, samples...)
	if len(e.current) < 4*audio.FrameSize(e.rate) {
		return
	}
	text := e.vendor.Text(audio.Sound{Rate: e.rate, Samples: e.current})
	e.current = e.current[:0]
	if text != "" && (len(e.said) == 0 || e.said[len(e.said)-1] != text) {
		e.said = append(e.said, text)
	}
}

// Heard is what was said until now, and for how long nobody has spoken.
func (e *Ear) Heard() (said []string, quiet time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.said), e.quiet
}

// Has says whether something was said that has a text in it.
func (e *Ear) Has(text string) bool {
	said, _ := e.Heard()
	return strings.Contains(strings.Join(said, " "), text)
}

// Await waits until something was said, and nobody speaks any more.
func (e *Ear) Await(t testing.TB, text string) {
	t.Helper()
	e.until(t, text, func() bool { return e.Has(text) && e.isQuiet() })
}

// Begins waits until something is being said.
func (e *Ear) Begins(t testing.TB, text string) {
	t.Helper()
	e.until(t, text, func() bool { return e.Has(text) })
}

// AwaitMore waits until more than so many things were said, and nobody speaks any more.
func (e *Ear) AwaitMore(t testing.TB, than int) {
	t.Helper()
	e.until(t, "more", func() bool {
		said, _ := e.Heard()
		return len(said) > than && e.isQuiet()
	})
}

func (e *Ear) isQuiet() bool {
	const quietFor = 300 * time.Millisecond
	_, quiet := e.Heard()
	return quiet > quietFor
}

func (e *Ear) until(t testing.TB, what string, is func() bool) {
	t.Helper()
	late := time.After(time.Minute)
	tick := time.NewTicker(audio.FrameTime)
	defer tick.Stop()
	for !is() {
		select {
		case <-tick.C:
		case <-late:
			said, _ := e.Heard()
			t.Fatalf("nobody says %q; said was %q", what, said)
		}
	}
}
