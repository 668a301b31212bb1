package voice

import (
	"cmp"
	"container/list"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"frontdesk.dev/frontdesk/internal/audio"
	"frontdesk.dev/frontdesk/internal/provider"
	"frontdesk.dev/frontdesk/internal/service"
)

// Hearing makes words of sound.
type Hearing interface {
	Hear(ctx context.Context, q provider.Question) (provider.Heard, error)
}

// Speech makes sound of words, at provider.SpeechRate, and hands it to use as it comes.
type Speech interface {
	Speak(ctx context.Context, text, voice, locale string, use func(samples []int16)) error
}

// Options are the parts of a Studio. The first two are needed.
type Options struct {
	Hearing Hearing
	Speech  Speech
	// Voices are the names by which Speech knows our voices, by their ids. One that is
	// not there is called by its id.
	Voices map[string]string
	// Memory is how many bytes of what was spoken are kept, to be said again; 0: 64 MiB.
	Memory int
	// HearWithin is how long a caller waits for what they said to be heard, with a quarter
	// of the time that it took to say, before they are asked to say it again; 0: 8 s.
	HearWithin time.Duration
	Log        *slog.Logger // slog.Default()
}

// Studio is where lines have sound made of words. What was said once is not made again
// while there is room for it. It is safe for concurrent use.
type Studio struct {
	o Options

	mu     sync.Mutex
	kept   map[take]*list.Element // of *recording
	order  list.List              // the one that was played last is first
	size   int                    // bytes
	shares map[string]*share      // of the hearing
}

// take is what makes two recordings the same.
type take struct {
	voice, locale, text string
	rate                int
}

// recording is sound that is being made, or was.
type recording struct {
	take take

	mu      sync.Mutex
	samples []int16
	done    bool
	err     error
	more    chan struct{} // closed when there is more, or it is done
}

// NewStudio returns a studio.
func NewStudio(o Options) *Studio {
	const hearWithin = 8 * time.Second
	o.Memory = cmp.Or(o.Memory, 64<<20)
	o.HearWithin = cmp.Or(o.HearWithin, hearWithin)
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return &Studio{o: o, kept: map[take]*list.Element{}, shares: map[string]*share{}}
}

// speak hands the sound of a text to use, as it comes, until it is whole or ctx ends.
func (s *Studio) speak(ctx context.Context, t take, use func(samples []int16) error) error {
	r := s.recording(ctx, t)
	at := 0
	for {
		r.mu.Lock()
		part, done, err, more := r.samples[at:], r.done, r.err, r.more
		r.mu.Unlock()
		if len(part) > 0 {
			at += len(part)
			if err := use(part); err != nil {
				return err
			}
			continue
		}
		if done {
			return err
		}
		select {
		case <-more:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// recording finds a recording, or begins it. It is made to its end, whoever goes
// meanwhile: what is said once is said again. Its span is that of who asked first.
func (s *Studio) recording(ctx context.Context, t take) *recording {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.kept[t]; e != nil {
		s.order.MoveToFront(e)
		return e.Value.(*recording)
	}
	r := &recording{take: t, more: make(chan struct{})}
	s.kept[t] = s.order.PushFront(r)
	service.Go(s.o.Log, "speech", func() error {
		err := errors.New("making speech panicked")
		defer func() { s.finish(r, err) }()
		err = s.make(context.WithoutCancel(ctx), r)
		return nil
	})
	return r
}

// make has a recording spoken.
func (s *Studio) make(ctx context.Context, r *recording) error {
	const most = 30 * time.Second
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	resampler, err := audio.NewResampler(provider.SpeechRate, r.take.rate)
	if err != nil {
		return err
	}
	err = s.o.Speech.Speak(ctx, r.take.text, cmp.Or(s.o.Voices[r.take.voice], r.take.voice), r.take.locale, func(samples []int16) {
		r.add(func(have []int16) []int16 { return resampler.Write(have, samples) })
	})
	if err != nil {
		return err // nothing is added: what failed from the beginning has no sound at all
	}
	r.add(func(have []int16) []int16 { // what the filter still holds
		return resampler.Write(have, make([]int16, resampler.Delay()*provider.SpeechRate/r.take.rate))
	})
	if r.length() == 0 {
		return errors.New("the speech is empty")
	}
	return nil
}

func (r *recording) add(write func([]int16) []int16) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.samples = write(r.samples)
	close(r.more)
	r.more = make(chan struct{})
}

func (r *recording) length() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.samples)
}

// finish keeps a recording that is whole, and forgets one that is not. Those that were
// not played longest make room.
func (s *Studio) finish(r *recording, err error) {
	const sample = 2 // bytes
	r.mu.Lock()
	r.done, r.err = true, err
	close(r.more)
	r.more = nil
	size := len(r.samples) * sample
	r.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.size += size
	if err != nil {
		s.forget(s.kept[r.take])
	}
	for s.size > s.o.Memory && s.order.Len() > 1 {
		oldest := s.order.Back()
		for oldest != nil && !oldest.Value.(*recording).isDone() {
			oldest = oldest.Prev()
		}
		if oldest == nil {
			return
		}
		s.forget(oldest)
	}
}

func (r *recording) isDone() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.done
}

func (s *Studio) forget(e *list.Element) {
	r := s.order.Remove(e).(*recording)
	delete(s.kept, r.take)
	s.size -= r.length() * 2
}
