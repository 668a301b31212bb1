package voice

import (
	"context"
	"fmt"

	"frontdesk.dev/frontdesk/internal/provider"
)

// mostOfShare is how many utterances of one share are heard at once: whoever opens many
// lines does not take the hearing from all others.
const mostOfShare = 4

// share is the hearing of those who share it. It is there while somebody uses it.
type share struct {
	turns chan struct{} // one for each that is being heard
	users int           // those that are, and those that wait
}

// hear makes words of a sound, when it is the turn of its share.
func (s *Studio) hear(ctx context.Context, of string, q provider.Question) (provider.Heard, error) {
	if of == "" {
		return s.o.Hearing.Hear(ctx, q)
	}
	sh := s.joinShare(of)
	defer s.leaveShare(of, sh)
	select {
	case sh.turns <- struct{}{}:
		defer func() { <-sh.turns }()
	case <-ctx.Done():
		return provider.Heard{}, fmt.Errorf("waiting while %d other microphones of %s are heard: %w", mostOfShare, of, ctx.Err())
	}
	return s.o.Hearing.Hear(ctx, q)
}

func (s *Studio) joinShare(of string) *share {
	s.mu.Lock()
	defer s.mu.Unlock()
	sh := s.shares[of]
	if sh == nil {
		sh = &share{turns: make(chan struct{}, mostOfShare)}
		s.shares[of] = sh
	}
	sh.users++
	return sh
}

func (s *Studio) leaveShare(of string, sh *share) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sh.users--; sh.users == 0 {
		delete(s.shares, of)
	}
}
