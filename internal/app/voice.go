package app

import (
	"cmp"
	"fmt"
	"log/slog"
	"time"

	"frontdesk.dev/frontdesk/internal/config"
	"frontdesk.dev/frontdesk/internal/provider"
	"frontdesk.dev/frontdesk/internal/voice"
)

// soundTime is how long somebody waits for what they said to be heard, or for an answer
// to be spoken.
const soundTime = 20 * time.Second

// OpenStudio returns what hears callers and speaks to them ourselves, nil when the
// settings name nobody who does.
func OpenStudio(s config.Settings, log *slog.Logger) (*voice.Studio, error) {
	if s.HearingURL == "" {
		return nil, nil
	}
	o := voice.Options{Log: log}
	names, err := s.VoiceNames()
	if err != nil {
		return nil, err
	}
	o.Voices = names[config.SpeechEndpoint]
	if o.Hearing, err = openHearing(s); err != nil {
		return nil, fmt.Errorf("reading FRONTDESK_HEARING_URL: %w", err)
	}
	if o.Speech, err = openSpeech(s); err != nil {
		return nil, fmt.Errorf("reading FRONTDESK_SPEECH_URL: %w", err)
	}
	return voice.NewStudio(o), nil
}

func openHearing(s config.Settings) (*provider.Hearing, error) {
	client, err := vendorClient("FRONTDESK_HEARING_URL", s.HearingURL, soundTime)
	if err != nil {
		return nil, err
	}
	return provider.NewHearing(provider.SoundOptions{URL: s.HearingURL, Model: s.HearingModel, Key: s.HearingKey, Client: client, Timeout: soundTime})
}

func openSpeech(s config.Settings) (*provider.Speech, error) {
	if s.SpeechURL == "" {
		s.SpeechURL, s.SpeechKey = s.HearingURL, cmp.Or(s.SpeechKey, s.HearingKey)
	}
	client, err := vendorClient("FRONTDESK_SPEECH_URL", s.SpeechURL, soundTime)
	if err != nil {
		return nil, err
	}
	return provider.NewSpeech(provider.SoundOptions{URL: s.SpeechURL, Model: s.SpeechModel, Key: s.SpeechKey, Client: client, Timeout: soundTime})
}
