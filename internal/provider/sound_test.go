package provider_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

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
			if err := s.Speak(t.Context(), "Hola", "nova", "es-ES", func(samples []int16) { got = append(got, samples...) }); err != nil || fmt.Sprint(got) != "[1 -2 300]" {
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
