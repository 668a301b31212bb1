package voice

import (
	"context"
	"time"

	"frontdesk.dev/frontdesk/internal/audio"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/spoken"
)

// Announce says something to a caller who is not listened to, and returns when it was
// played.
func (s *Studio) Announce(ctx context.Context, socket Socket, agent frontdesk.Agent, locale, text string) error {
	player := audio.NewPlayer(audio.PlayerOptions{Rate: socket.Rate()})
	voice := agent.VoiceFor(languageOf(locale))
	for _, sentence := range spoken.Sentences(text) {
		err := s.speak(ctx, take{voice: voice, locale: locale, text: sentence, rate: socket.Rate()}, func(samples []int16) error { return player.Write("", samples) })
		if err != nil {
			return err
		}
	}
	player.End()
	frame := make([]int16, audio.FrameSize(socket.Rate()))
	tick := time.NewTicker(audio.FrameTime)
	defer tick.Stop()
	for !player.Empty() {
		select {
		case <-tick.C:
			player.Next(frame)
			if err := socket.Write(frame); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
