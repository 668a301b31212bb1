package companion

import (
	"errors"
	"fmt"
	"io"
	"math"
	"mime/multipart"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/audio"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/whisper"
)

const (
	mostFile     = 25 << 20
	mostField    = 16 << 10 // of a field that is no file
	mostFields   = 32
	mostRecorded = 5 * time.Minute
	hearingRate  = 16000
)

// form is what a client sends to be heard.
type form struct {
	sound    audio.Sound
	request  whisper.Request
	response string // json, text or verbose_json
}

func (s *Server) transcribe(w http.ResponseWriter, r *http.Request) error {
	hearing := s.hearing.Load()
	if hearing == nil {
		return &frontdesk.Error{Kind: frontdesk.Unavailable, Code: "loading", Wait: retryHearing, Message: "The model is being loaded. Try again in a moment."}
	}
	// A place comes first: it bounds how many files are in memory.
	leave, ok := s.ears.enter()
	if !ok {
		return frontdesk.TooOften(retryHearing, "Too many recordings wait to be heard. Try again later, or use a faster machine or a smaller model.")
	}
	defer leave()
	f, err := readForm(w, r)
	if err != nil {
		return err
	}
	began := s.now()
	done, err := s.ears.turn(r.Context())
	if err != nil {
		return err
	}
	defer done()
	waited := s.now().Sub(began)
	samples, err := atRate(f.sound, hearingRate)
	if err != nil {
		return err
	}
	heard, err := hearing.Hear(r.Context(), samples, f.request)
	if err != nil {
		return fmt.Errorf("hearing: %w", err)
	}
	duration := time.Duration(len(samples)) * time.Second / hearingRate
	s.log.Info("heard", "sound", duration, "waited", waited, "took", s.now().Sub(began)-waited, "language", heard.Language,
		"mel", heard.Times.Mel, "encoder", heard.Times.Encoder, "decoder", heard.Times.Decoder, "tokens", heard.Times.Tokens)
	f.answer(w, heard, duration)
	return nil
}

// readForm reads a form, within bounds.
func readForm(w http.ResponseWriter, r *http.Request) (form, error) {
	f := form{response: "json"}
	r.Body = http.MaxBytesReader(w, r.Body, mostFile+mostFields*mostField)
	parts, err := r.MultipartReader()
	if err != nil {
		return f, &frontdesk.Error{Kind: frontdesk.Invalid, Code: "form_invalid", Message: "Send a form, as multipart/form-data, with a WAV file in the field file.", Cause: err}
	}
	for range mostFields {
		part, err := parts.NextPart()
		switch {
		case errors.Is(err, io.EOF):
			return f, f.complete()
		case err != nil:
			return f, badForm(err)
		}
		if err := f.read(part); err != nil {
			return f, err
		}
	}
	return f, frontdesk.InvalidParam("", "The form has more than %d fields.", mostFields)
}

func badForm(err error) error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return &frontdesk.Error{Kind: frontdesk.TooLarge, Code: "file_too_large", Param: "file", Message: "The file has more than 25 MB. Send less sound at a time, or at 16 kHz with one channel.", Cause: err}
	}
	return &frontdesk.Error{Kind: frontdesk.Invalid, Code: "form_invalid", Message: "The form is cut off or not written as multipart/form-data.", Cause: err}
}

// read takes one field. Those that mean nothing here are read over: clients send
// what other servers understand.
func (f *form) read(part *multipart.Part) error {
	name := part.FormName()
	if name == "file" {
		return f.readFile(part)
	}
	b, err := io.ReadAll(io.LimitReader(part, mostField+1))
	if err != nil {
		return badForm(err)
	}
	if len(b) > mostField {
		return frontdesk.InvalidParam(name, "The field is longer than %d bytes.", mostField)
	}
	value := strings.TrimSpace(string(b))
	switch name {
	case "language":
		return f.setLanguage(value)
	case "prompt":
		f.request.Prompt = strings.ToValidUTF8(value, " ")
	case "response_format":
		if !slices.Contains([]string{"json", "text", "verbose_json"}, value) {
			return frontdesk.InvalidParam(name, "Use json, text or verbose_json.")
		}
		f.response = value
	case "temperature":
		t, err := strconv.ParseFloat(value, 64)
		if err != nil || math.IsNaN(t) || t < 0 || t > 1 {
			return frontdesk.InvalidParam(name, "Use a number from 0 to 1.")
		}
		f.request.Temperature = t
	case "stream":
		if value != "" && value != "false" {
			return frontdesk.InvalidParam(name, "Text is not streamed here: leave stream out.")
		}
	}
	return nil
}

func (f *form) setLanguage(value string) error {
	language, _, _ := strings.Cut(strings.ToLower(value), "-")
	if language != "" && !slices.Contains(whisper.Languages, language) {
		return frontdesk.InvalidParam("language", "Use es or en, or leave it out to have it noticed.")
	}
	f.request.Language = language
	return nil
}

func (f *form) readFile(part *multipart.Part) error {
	if f.sound.Rate != 0 {
		return frontdesk.InvalidParam("file", "Send one file at a time.")
	}
	sound, err := audio.ReadWAV(part, mostFile)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return badForm(err)
	case err != nil:
		return &frontdesk.Error{Kind: frontdesk.Invalid, Code: "file_invalid", Param: "file", Message: "Send a WAV file of 25 MB at most, 16-bit PCM with one channel or two. " + strings.TrimPrefix(err.Error(), "audio: ") + ".", Cause: err}
	case sound.Rate < 8000 || sound.Rate > 48000:
		return frontdesk.InvalidParam("file", "The sound has %d samples a second: send 8,000 to 48,000.", sound.Rate)
	case len(sound.Samples) > sound.Rate*int(mostRecorded/time.Second):
		return frontdesk.InvalidParam("file", "The sound is longer than five minutes: send less at a time.")
	}
	f.sound = sound
	return nil
}

func (f *form) complete() error {
	if f.sound.Rate == 0 {
		return frontdesk.InvalidParam("file", "Send a WAV file in the field file.")
	}
	return nil
}

// atRate is a sound at another rate. Rates are taken to the next 25 Hz, which
// nobody hears.
func atRate(s audio.Sound, rate int) ([]int16, error) {
	return audio.Resample(s.Samples, (s.Rate+12)/25*25, rate)
}

// languageNames are those that OpenAI's servers write.
var languageNames = map[string]string{"es": "spanish", "en": "english"}

func (f form) answer(w http.ResponseWriter, heard whisper.Heard, duration time.Duration) {
	switch f.response {
	case "text":
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, heard.Text+"\n")
	case "verbose_json":
		answer(w, http.StatusOK, f.verbose(heard, duration))
	default:
		answer(w, http.StatusOK, map[string]string{"text": heard.Text})
	}
}

func (f form) verbose(heard whisper.Heard, duration time.Duration) any {
	type segment struct {
		ID               int     `json:"id"`
		Start            float64 `json:"start"`
		End              float64 `json:"end"`
		Text             string  `json:"text"`
		Temperature      float64 `json:"temperature"`
		AvgLogprob       float64 `json:"avg_logprob"`
		CompressionRatio float64 `json:"compression_ratio"`
		NoSpeechProb     float64 `json:"no_speech_prob"`
	}
	segments := []segment{}
	for i, s := range heard.Segments {
		segments = append(segments, segment{
			ID: i, Start: s.Start.Seconds(), End: s.End.Seconds(), Text: s.Text, Temperature: f.request.Temperature,
			AvgLogprob: s.AvgLogprob, CompressionRatio: s.CompressionRatio, NoSpeechProb: s.NoSpeechProb,
		})
	}
	return map[string]any{
		"task": "transcribe", "language": languageNames[heard.Language], "duration": duration.Seconds(),
		"text": heard.Text, "segments": segments,
	}
}
