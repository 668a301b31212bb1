package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"unicode"

	"frontdesk.dev/frontdesk/internal/audio"
	"frontdesk.dev/frontdesk/internal/trace"
)

// Speech has an OpenAI-compatible endpoint speak.
type Speech struct {
	vendor vendor
	// strict says that the endpoint takes no language with a text: OpenAI's own hears it
	// from the text, while others speak English unless they are told.
	strict atomic.Bool
}

// SpeechRate is the rate of what is spoken, in samples a second.
const SpeechRate = 24000

const (
	// maxSpeech is how many bytes of sound a text may become: five minutes.
	maxSpeech = 5 * 60 * SpeechRate * sampleSize
	// minSpeech is how many it becomes at least: a tenth of a second. Nothing is handed
	// on before that much is there, so that what is no sound is not played.
	minSpeech = SpeechRate / 10 * sampleSize
	// minLetter is the sound that a letter takes at least: a tenth of what it takes
	// whoever speaks fast. What is shorter is a part of the text.
	minLetter  = SpeechRate / 200 * sampleSize
	sampleSize = 2 // bytes
)

// NewSpeech returns a client. It asks nothing yet.
func NewSpeech(o SoundOptions) (*Speech, error) {
	v, err := newVendor("speech", o)
	if err != nil {
		return nil, err
	}
	return &Speech{vendor: v}, nil
}

// Speak has a text spoken by a voice of the endpoint's, in a language such as es-ES, and
// hands the samples to use as they come. use must not keep them. An answer that is no
// sound, or not that of the text, is an error, whatever its status says.
func (s *Speech) Speak(ctx context.Context, text, voice, locale string, use func(samples []int16)) error {
	ctx, cancel := context.WithTimeout(ctx, s.vendor.timeout)
	defer cancel()
	ctx, span := s.vendor.span(ctx, "speaking", trace.Text("frontdesk.locale", locale))
	err := s.speak(ctx, text, voice, locale, use)
	ended(span, err)
	if err != nil {
		return fmt.Errorf("having a text spoken: %w", err)
	}
	return nil
}

func (s *Speech) speak(ctx context.Context, text, voice, locale string, use func(samples []int16)) error {
	if s.strict.Load() {
		locale = ""
	}
	answer, err := s.ask(ctx, text, voice, locale)
	if errors.Is(err, errBadRequest) && locale != "" {
		if answer, err = s.ask(ctx, text, voice, ""); err == nil {
			s.strict.Store(true)
		}
	}
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if err := checkSound(answer); err != nil {
		return err
	}
	least := max(minSpeech, lettersOf(text)*minLetter)
	if err := readPCM(&boundedBody{answer.Body, maxSpeech}, least, use); err != nil {
		return classify(err)
	}
	return nil
}

// soundTypes are the types of bare samples. Those that do not say what they send are
// believed.
var soundTypes = []string{"", "audio/pcm", "audio/x-pcm", "audio/l16", "audio/raw", "audio/x-raw", "application/octet-stream", "binary/octet-stream"}

// checkSound says whether an answer can be sound, by what it tells of itself: a page to
// log in at, or an error with the status of a success, is none.
func checkSound(answer *http.Response) error {
	told := answer.Header.Get("Content-Type")
	kind, settings, err := mime.ParseMediaType(told)
	if told != "" && err != nil || !slices.Contains(soundTypes, kind) {
		return fmt.Errorf("%w: it is no bare sound but of the type %.40q", ErrBroken, told)
	}
	if rate := settings["rate"]; rate != "" && rate != strconv.Itoa(SpeechRate) {
		return fmt.Errorf("%w: its rate is %.10q, not %d", ErrBroken, rate, SpeechRate)
	}
	if n := answer.ContentLength; n >= 0 && (n < minSpeech || n%sampleSize != 0) {
		return notSound(n)
	}
	return nil
}

func notSound(bytes int64) error {
	return fmt.Errorf("%w: %d bytes are not the sound of the text", ErrBroken, bytes)
}

func lettersOf(text string) (n int) {
	for _, r := range text {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

func (s *Speech) ask(ctx context.Context, text, voice, locale string) (*http.Response, error) {
	question := map[string]any{"model": s.vendor.model, "input": text, "voice": voice, "response_format": "pcm"}
	if locale != "" {
		question["language"] = locale
	}
	body, err := json.Marshal(question)
	if err != nil {
		return nil, err
	}
	return s.vendor.post(ctx, "/audio/speech", "application/json", body)
}

// readPCM reads samples, however the pieces fall that they come in: least bytes of them,
// and no half one at the end.
func readPCM(r io.Reader, least int, use func(samples []int16)) error {
	head := make([]byte, minSpeech)
	switch n, err := io.ReadFull(r, head); {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return notSound(int64(n))
	case err != nil:
		return err
	case strings.HasPrefix(http.DetectContentType(head), "text/"):
		return fmt.Errorf("%w: it is no sound but text", ErrBroken)
	}
	r = io.MultiReader(bytes.NewReader(head), r)
	piece := make([]byte, 8<<10)
	var samples []int16
	kept, total := 0, 0 // bytes: of half a sample, and of all
	for {
		n, err := r.Read(piece[kept:])
		total += n
		n += kept
		samples = audio.DecodePCM(samples[:0], piece[:n])
		if len(samples) > 0 {
			use(samples)
		}
		if kept = n % sampleSize; kept == 1 {
			piece[0] = piece[n-1]
		}
		switch {
		case errors.Is(err, io.EOF) && (kept > 0 || total < least):
			return notSound(int64(total))
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}
