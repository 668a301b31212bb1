package provider_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/audio"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/provider"
)

func soundOptions(t *testing.T, serve http.HandlerFunc) provider.SoundOptions {
	s := httptest.NewServer(serve)
	t.Cleanup(s.Close)
	return provider.SoundOptions{URL: s.URL + "/v1", Model: "ear", Key: frontdesk.Secret("sk-1"), Client: s.Client()}
}

func TestWordsAndHowSureTheyAre(t *testing.T) {
	t.Parallel()
	asked := map[string]string{}
	h, err := provider.NewHearing(soundOptions(t, func(w http.ResponseWriter, r *http.Request) {
		file, _, err := r.FormFile("file")
		if err != nil || r.URL.Path != "/v1/audio/transcriptions" || r.Header.Get("Authorization") != "Bearer sk-1" {
			http.Error(w, "what?", http.StatusTeapot)
			return
		}
		sound, err := audio.ReadWAV(file, 1<<20)
		for _, name := range []string{"model", "language", "prompt"} {
			asked[name] = r.FormValue(name)
		}
		asked["sound"] = fmt.Sprint(sound.Rate, len(sound.Samples), err)
		_, _ = io.WriteString(w, `{"text":" Quería una cita. ","language":"spanish","segments":[{"text":" Quería una cita.","avg_logprob":-0.1,"no_speech_prob":0.02},{"text":"","avg_logprob":-2,"no_speech_prob":0.9}]}`)
	}))
	if err != nil {
		t.Fatal(err)
	}
	got, err := h.Hear(t.Context(), provider.Question{Sound: audio.Sound{Rate: 8000, Samples: make([]int16, 800)}, Language: "es", Hints: "Corte,Tinte"})
	if err != nil {
		t.Fatal(err)
	}
	if got.Text != "Quería una cita." || got.NoSpeech != .02 || got.Sure < .7 || got.Sure > .95 {
		t.Errorf("heard was %+v", got)
	}
	if want := map[string]string{"model": "ear", "language": "es", "prompt": "Corte,Tinte", "sound": "8000 800 <nil>"}; fmt.Sprint(asked) != fmt.Sprint(want) {
		t.Errorf("asked was %v", asked)
	}
}

// A model that knows only the shorter form is asked for that, from the second time on at
// once.
func TestAModelThatAnswersBriefly(t *testing.T) {
	t.Parallel()
	var forms []string
	h, err := provider.NewHearing(soundOptions(t, func(w http.ResponseWriter, r *http.Request) {
		form := r.FormValue("response_format")
		forms = append(forms, form)
		if form != "json" {
			http.Error(w, `{"error":{"message":"no"}}`, http.StatusBadRequest)
			return
		}
		_, _ = io.WriteString(w, `{"text":"Sí"}`)
	}))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got, err := h.Hear(t.Context(), provider.Question{Sound: audio.Sound{Rate: 8000}}); err != nil || got.Text != "Sí" || got.Sure != 1 {
			t.Fatalf("heard was %+v, %v", got, err)
		}
	}
	if strings.Join(forms, " ") != "verbose_json json json" {
		t.Errorf("asked was for %v", forms)
	}
}

func TestHearingThatCannotBeTrusted(t *testing.T) {
	t.Parallel()
	for name, serve := range map[string]http.HandlerFunc{
		"refused": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "sk-1 is wrong", http.StatusUnauthorized) },
		"no JSON": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") },
		"too long": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"text":"`+strings.Repeat("x", 2<<20)+`"}`)
		},
	} {
		h, err := provider.NewHearing(soundOptions(t, serve))
		if err != nil {
			t.Fatal(err)
		}
		_, err = h.Hear(t.Context(), provider.Question{Sound: audio.Sound{Rate: 8000}})
		if err == nil || strings.Contains(err.Error(), "sk-1") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is heard is words that somebody can have said in that time, and nothing that a
// page or a terminal would obey.
func TestWordsThatNobodySaid(t *testing.T) {
	t.Parallel()
	long := ""
	for i := range 300 {
		long += fmt.Sprintf("palabra%d ", i)
	}
	for name, c := range map[string]struct {
		said    string
		seconds int
		want    string // "": an error
		sure    float64
	}{
		"a sentence":               {"Quiero una mesa.", 2, "Quiero una mesa.", 1},
		"a number":                 {"seis seis seis seis seis seis seis seis seis", 3, "seis seis seis seis seis seis seis seis seis", 1},
		"a loop":                   {strings.Repeat("hola mesa ", 800), 3, "hola mesa", .5},
		"a loop that is cut":       {"Buenas, " + strings.Repeat("una mesa para dos. ", 300) + "una me", 3, "Buenas, una mesa para dos.", .5},
		"a loop with a loop in it": {strings.Repeat("no no no gracias no no no no ", 300), 3, "no no no gracias no no no no", .5},
		"no loop":                  {long, 3, "", 0},
		"one word without an end":  {strings.Repeat("ja", 3000), 3, "", 0},
		"more than is listened to": {long, 90, long[:1000], 1},
		"signs of control":         {"\x1b[31mhola\x00 \u202emesa\u2066\n para\tdos\u200f\x7f", 2, "[31mhola mesa para dos", 1},
	} {
		h, err := provider.NewHearing(soundOptions(t, func(w http.ResponseWriter, _ *http.Request) {
			_ = json.NewEncoder(w).Encode(map[string]string{"text": c.said})
		}))
		if err != nil {
			t.Fatal(err)
		}
		got, err := h.Hear(t.Context(), provider.Question{Sound: audio.Sound{Rate: 8000, Samples: make([]int16, 8000*c.seconds)}})
		switch {
		case c.want == "" && !errors.Is(err, provider.ErrBroken):
			t.Errorf("%s: heard was %+v, %v", name, got, err)
		case c.want != "" && (err != nil || got.Text != c.want || got.Sure != c.sure):
			t.Errorf("%s: heard was %+v, %v", name, got, err)
		}
	}
}

// A text is sent with its language, unless the endpoint does not take that.
func TestSpeechInALanguage(t *testing.T) {
	t.Parallel()
	for name, takes := range map[string]bool{"one that takes it": true, "one that does not": false} {
		var asked []string
		s, err := provider.NewSpeech(soundOptions(t, func(w http.ResponseWriter, r *http.Request) {
			var in struct{ Model, Input, Voice, Language string }
			if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.Language != "" && !takes {
				http.Error(w, "unknown parameter", http.StatusBadRequest)
				return
			}
			asked = append(asked, fmt.Sprint(in))
			_, _ = w.Write(make([]byte, tenth))
			for _, b := range audio.EncodePCM(nil, []int16{1, -2, 300}) { // byte by byte, so that samples are torn
				_, _ = w.Write([]byte{b})
				w.(http.Flusher).Flush()
			}
		}))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			var got []int16
			if err := s.Speak(t.Context(), "Hola", "nova", "es-ES", func(samples []int16) { got = append(got, samples...) }); err != nil || fmt.Sprint(got[min(len(got), tenth/2):]) != "[1 -2 300]" {
				t.Errorf("%s: %v, %v", name, got, err)
			}
		}
		want := "{ear Hola nova es-ES}"
		if !takes {
			want = "{ear Hola nova }"
		}
		if len(asked) != 2 || asked[0] != want {
			t.Errorf("%s: asked was %v", name, asked)
		}
	}
}

// tenth is the bytes of a tenth of a second of speech.
const tenth = provider.SpeechRate / 10 * 2

func TestAnswersThatAreNoSpeech(t *testing.T) {
	t.Parallel()
	noise := audio.EncodePCM(nil, audio.Tone(provider.SpeechRate, time.Second, -18, 440))
	for name, c := range map[string]struct {
		kind string
		body []byte
		text string
		ok   bool
	}{
		"a page to log in at":            {kind: "text/html", body: bytes.Repeat([]byte("<html>"), 2000)},
		"the same that calls itself PCM": {kind: "audio/pcm", body: bytes.Repeat([]byte("<html>"), 2000)},
		"an error":                       {kind: "application/json", body: []byte(`{"error":"no"}`)},
		"an MP3":                         {kind: "audio/mpeg", body: noise},
		"a WAV":                          {kind: "audio/wav", body: noise},
		"another rate":                   {kind: "audio/L16; rate=16000", body: noise},
		"a type that is none":            {kind: "audio/pcm; =", body: noise},
		"nothing":                        {kind: "audio/pcm"},
		"a click":                        {kind: "audio/pcm", body: noise[:1000]},
		"half a sample":                  {kind: "audio/pcm", body: noise[:len(noise)-1]},
		"a moment of a long text":        {kind: "audio/pcm", body: noise, text: strings.Repeat("Buenos días. ", 50)},
		"PCM":                            {kind: "audio/pcm", body: noise, ok: true},
		"PCM of the right rate":          {kind: "audio/L16; rate=24000; channels=1", body: noise, ok: true},
		"bytes":                          {kind: "application/octet-stream", body: noise, ok: true},
		"bytes without a type":           {body: noise, ok: true},
	} {
		for _, streamed := range []bool{false, true} {
			s, err := provider.NewSpeech(soundOptions(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header()["Content-Type"] = nil
				if c.kind != "" {
					w.Header().Set("Content-Type", c.kind)
				}
				if !streamed {
					w.Header().Set("Content-Length", strconv.Itoa(len(c.body)))
				}
				w.(http.Flusher).Flush()
				_, _ = w.Write(c.body)
			}))
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			err = s.Speak(t.Context(), cmp.Or(c.text, "Hola"), "nova", "", func(samples []int16) { n += len(samples) })
			if (err == nil) != c.ok || c.ok && n != len(c.body)/2 {
				t.Errorf("%s, streamed %t: %d samples, %v", name, streamed, n, err)
			}
			if err != nil && !errors.Is(err, provider.ErrBroken) {
				t.Errorf("%s, streamed %t: %v", name, streamed, err)
			}
			if played := c.ok || len(c.body) >= len(noise)-1 && (streamed && name == "half a sample" || c.text != ""); !played && n > 0 {
				t.Errorf("%s, streamed %t: %d samples are played", name, streamed, n)
			}
		}
	}
}

func TestSpeechHasAnEnd(t *testing.T) {
	t.Parallel()
	s, err := provider.NewSpeech(soundOptions(t, func(w http.ResponseWriter, _ *http.Request) {
		for range 20 {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				return
			}
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	if err := s.Speak(t.Context(), "Hola", "nova", "", func(samples []int16) { n += len(samples) }); err == nil {
		t.Errorf("%d samples are taken for a sentence", n)
	}
}
