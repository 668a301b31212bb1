package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"frontdesk.dev/frontdesk/internal/audio"
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

// maxSpeech is how many bytes of sound a text may become: five minutes.
const maxSpeech = 5 * 60 * SpeechRate * 2

// NewSpeech returns a client. It asks nothing yet.
func NewSpeech(o SoundOptions) (*Speech, error) {
	v, err := newVendor("speech", o)
	if err != nil {
		return nil, err
	}
	return &Speech{vendor: v}, nil
}

// Speak has a text spoken by a voice of the endpoint's, in a language such as es-ES, and
// hands the samples to use as they come. use must not keep them.
func (s *Speech) Speak(ctx context.Context, text, voice, locale string, use func(samples []int16)) error {
	ctx, cancel := context.WithTimeout(ctx, s.vendor.timeout)
	defer cancel()
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
		return fmt.Errorf("having a text spoken: %w", err)
	}
	defer answer.Close()
	if err := readPCM(&boundedBody{answer, maxSpeech}, use); err != nil {
		return fmt.Errorf("having a text spoken: %w", classify(err))
	}
	return nil
}

func (s *Speech) ask(ctx context.Context, text, voice, locale string) (io.ReadCloser, error) {
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

// readPCM reads samples, however the pieces fall that they come in.
func readPCM(r io.Reader, use func(samples []int16)) error {
	piece := make([]byte, 8<<10)
	var samples []int16
	kept := 0 // bytes of half a sample
	for {
		n, err := r.Read(piece[kept:])
		n += kept
		samples = audio.DecodePCM(samples[:0], piece[:n])
		if len(samples) > 0 {
			use(samples)
		}
		if kept = n % 2; kept == 1 {
			piece[0] = piece[n-1]
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
