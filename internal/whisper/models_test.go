package whisper_test

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"frontdesk.dev/frontdesk/internal/audio"
	"frontdesk.dev/frontdesk/internal/onnx"
	"frontdesk.dev/frontdesk/internal/whisper"
)

// model loads a model, where there is one.
func model(t testing.TB, name string) *whisper.Model {
	t.Helper()
	out, err := exec.Command("../../scripts/find-speech", name).Output()
	if err != nil {
		t.Skip("NOT COVERED: hearing. There is no model here: run scripts/find-speech --install " + name)
	}
	dir := strings.TrimSpace(string(out))
	library, err := onnx.Open(filepath.Join(dir, "libonnxruntime.so"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := whisper.Load(library, filepath.Join(dir, "whisper-"+name), whisper.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		m.Close()
		library.Close()
	})
	return m
}

// say has a text spoken, as it sounds on the telephone or in a room.
func say(t testing.TB, voice, text string, telephone bool) []int16 {
	t.Helper()
	espeak := exec.Command("espeak-ng", "-v", voice, "-s", "150", "--stdin", "--stdout")
	espeak.Stdin = strings.NewReader(text)
	out, err := espeak.Output()
	if err != nil {
		t.Skip("NOT COVERED: hearing. There is no espeak-ng here to speak: apt-get install espeak-ng")
	}
	sound, err := audio.ReadWAV(bytes.NewReader(out), 1<<24)
	if err != nil {
		t.Fatal(err)
	}
	return resample(t, sound, telephone)
}

func resample(t testing.TB, sound audio.Sound, telephone bool) []int16 {
	t.Helper()
	at := func(samples []int16, from, to int) []int16 {
		out, err := audio.Resample(samples, from, to)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if !telephone {
		return at(sound.Samples, sound.Rate, 16000)
	}
	line := at(sound.Samples, sound.Rate, audio.Rate)
	return at(audio.PCMA.Decode(nil, audio.PCMA.Encode(nil, line)), audio.Rate, 16000)
}

// TestSentencesAreHeard tells whether the model is run rightly, not how well it
// hears: the sentences are such as it hears from espeak-ng. BenchmarkHear counts
// words of sentences that were not chosen so.
func TestSentencesAreHeard(t *testing.T) {
	t.Parallel()
	m := model(t, "base")
	const (
		spanish = "Clínica Dental La Plaza. Elena. Limpieza dental, Revisión general, Blanqueamiento, Ortodoncia, Endodoncia, Implante. Lucía Ramos, Pablo Vidal. ¿En qué puedo ayudarle? Quiero una cita para el jueves por la mañana."
		english = "The Garden Restaurant. Olivia. Starters, main courses, desserts. A table by the window, a high chair. How can I help you? I would like a table for Thursday evening."
	)
	for _, tt := range []struct{ voice, language, text, words, prompt string }{
		{"es", "es", "Necesito cambiar la reserva para el viernes a las nueve de la noche.", "cambiar reserva viernes nueve noche", english},
		{"es", "es", "El restaurante está abierto los domingos por la tarde.", "restaurante abierto domingos tarde", english},
		{"en-us", "en", "Hello, I would like to book a table for six people on Friday evening.", "book table people friday evening", spanish},
		{"en-us", "en", "How much is a haircut, and are you open on Saturdays?", "haircut open saturdays", spanish},
	} {
		samples := say(t, tt.voice, tt.text, false)
		for name, r := range map[string]whisper.Request{
			"the language is known": {Language: tt.language}, "the language is noticed": {},
		} {
			heard, err := m.Hear(t.Context(), samples, r)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s: %s (%v)", name, heard.Text, heard.Times)
			if heard.Language != tt.language {
				t.Errorf("%s: %q is heard as %s", name, tt.text, heard.Language)
			}
			got := wordsOf(heard.Text, tt.language)
			for _, word := range strings.Fields(tt.words) {
				if !slices.Contains(got, word) {
					t.Errorf("%s: %q is not heard in %q", name, word, heard.Text)
				}
			}
		}
		// A small model may translate what follows a prompt of another language, so that
		// only the language is asked for.
		if heard, err := m.Hear(t.Context(), samples, whisper.Request{Prompt: tt.prompt}); err != nil || heard.Language != tt.language {
			t.Errorf("after a prompt of another language %q is heard as %s: %v", tt.text, heard.Language, err)
		}
	}
}

// wordsOf are the words of a text, digits one by one.
func wordsOf(text, language string) (words []string) {
	digits := map[string][]string{
		"es": {"cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve"},
		"en": {"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"},
	}[language]
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }) {
		if strings.Trim(w, "0123456789") != "" {
			words = append(words, w)
			continue
		}
		for _, digit := range w {
			words = append(words, digits[digit-'0'])
		}
	}
	return words
}

// What callers of a business say.
var callers = map[string][]string{
	"es": {
		"Buenos días, quería pedir cita para el martes que viene a las cuatro y media de la tarde.",
		"¿Cuánto cuesta un corte de pelo y hasta qué hora abren los sábados?",
		"Me llamo Carmen Ortega y mi teléfono es el seis uno dos, tres cuatro cinco, siete ocho nueve.",
		"Necesito cambiar la reserva de mañana para el viernes a las nueve de la noche.",
		"Quiero cancelar mi cita del dentista, por favor.",
		"Somos cinco personas y una silla para el bebé.",
		"Sí, está bien.",
		"No, gracias.",
		"El jueves por la mañana.",
		"¿Tienen aparcamiento cerca del restaurante?",
	},
	"en": {
		"Good morning, I would like to make an appointment for next Tuesday at half past four.",
		"How much is a haircut and until what time are you open on Saturdays?",
		"My name is Peter Walsh and my number is six one two, three four five, seven eight nine.",
		"I need to move tomorrow's reservation to Friday at nine in the evening.",
		"I want to cancel my dentist appointment, please.",
		"We are five people and we need a high chair for the baby.",
		"Yes, that is fine.",
		"No, thank you.",
		"Thursday morning.",
		"Is there parking near the restaurant?",
	},
}

// BenchmarkHear says how long an utterance takes, and how many words of a hundred
// are heard right. espeak-ng speaks worse than people do.
func BenchmarkHear(b *testing.B) {
	for _, name := range []string{"base", "small"} {
		for _, language := range whisper.Languages {
			for where, telephone := range map[string]bool{"room": false, "telephone": true} {
				b.Run(name+"/"+language+"/"+where, func(b *testing.B) {
					benchmarkHear(b, model(b, name), language, telephone)
				})
			}
		}
	}
}

func benchmarkHear(b *testing.B, m *whisper.Model, language string, telephone bool) {
	var sounds [][]int16
	for _, text := range callers[language] {
		sounds = append(sounds, say(b, map[string]string{"es": "es", "en": "en-us"}[language], text, telephone))
	}
	var words, right, heard int
	var times whisper.Times
	for b.Loop() {
		for i, text := range callers[language] {
			h, err := m.Hear(b.Context(), sounds[i], whisper.Request{Language: language})
			if err != nil {
				b.Fatal(err)
			}
			want := wordsOf(text, language)
			words += len(want)
			right += common(want, wordsOf(h.Text, language))
			heard++
			times.Mel += h.Times.Mel
			times.Encoder += h.Times.Encoder
			times.Decoder += h.Times.Decoder
		}
	}
	each := func(d time.Duration) float64 { return float64(d.Milliseconds()) / float64(heard) }
	b.ReportMetric(each(times.Mel), "ms-mel")
	b.ReportMetric(each(times.Encoder), "ms-encoder")
	b.ReportMetric(each(times.Decoder), "ms-decoder")
	b.ReportMetric(100*float64(right)/float64(words), "%right")
}

// common is how many words two texts have in common, in order.
func common(want, got []string) int {
	before := make([]int, len(got)+1)
	for _, w := range want {
		row := make([]int, len(got)+1)
		for j, g := range got {
			row[j+1] = max(row[j], before[j+1])
			if w == g {
				row[j+1] = before[j] + 1
			}
		}
		before = row
	}
	return before[len(got)]
}
