package audio

import (
	"cmp"
	"time"
)

// ListenerOptions say how a Listener takes turns. The zero value is good for a
// telephone.
type ListenerOptions struct {
	Rate    int           // of the samples; 0: 8000
	BargeIn time.Duration // of voice before speech has started; 0: 200 ms
	Preroll time.Duration // kept from before the voice; 0: 200 ms, 1 s at most
	Tail    time.Duration // kept from after it; 0: 200 ms
	Longest time.Duration // that an utterance may be; 0: 30 s
	Noise   time.Duration // of voice that is too little to be a word; 0: 100 ms
}

// Patience is how long a pause must be to end an utterance, until SetPatience
// says otherwise.
const Patience = 800 * time.Millisecond

// Listener finds the utterances in what a caller sends.
//
// Its memory is bounded by ListenerOptions.Longest, and by nothing that the caller
// does.
type Listener struct {
	o        ListenerOptions
	patience time.Duration
	detector *Detector

	next    time.Duration // when the next frame is due
	began   bool
	preroll []int16 // what came last, while nobody speaks
	silence []int16 // a frame of it

	open    bool // an utterance is being heard
	told    bool // that speech started
	current Utterance
	voiced  int // frames in a row with a voice, to this one
	quiet   time.Duration
}

// Utterance is what a caller said between two pauses.
type Utterance struct {
	At      time.Duration // of the first sample, since the call began
	Voiced  time.Duration // how much of it was voice
	Samples []int16
	Cut     bool // it was too long, and goes on in the next, which may have no voice
}

// Heard is what a frame brought.
type Heard struct {
	Started bool       // the caller has spoken long enough to interrupt us
	Ended   *Utterance // the caller has paused; nil: not now
	Voice   bool       // in this frame
}

// NewListener returns a Listener.
func NewListener(o ListenerOptions) *Listener {
	const preroll = 200 * time.Millisecond
	o.Rate = cmp.Or(o.Rate, Rate)
	o.BargeIn = cmp.Or(o.BargeIn, 200*time.Millisecond)
	o.Preroll = min(cmp.Or(o.Preroll, preroll), time.Second)
	o.Tail = cmp.Or(o.Tail, 200*time.Millisecond)
	o.Longest = max(cmp.Or(o.Longest, 30*time.Second), 2*time.Second)
	o.Noise = cmp.Or(o.Noise, 100*time.Millisecond)
	return &Listener{
		o:        o,
		patience: Patience,
		detector: NewDetector(o.Rate, o.Noise, 0),
		silence:  make([]int16, FrameSize(o.Rate)),
	}
}

// SetPatience says how long a pause ends an utterance from now on, also one that
// is being heard: less after a question for a yes or no, more when a number is
// dictated. It is held to be between 0.1 and 5 seconds.
func (l *Listener) SetPatience(d time.Duration) {
	l.patience = max(100*time.Millisecond, min(d, 5*time.Second))
}

// Speaking reports whether an utterance is being heard.
func (l *Listener) Speaking() bool { return l.open }

// Hear takes a frame of 20 ms. Frames are to come in the order of their times:
// what is missing between two counts as a pause, and one that was overtaken is
// passed over. A short word may end without having started, for it would not have
// interrupted us.
func (l *Listener) Hear(frame Frame) Heard {
	var heard Heard
	switch late := frame.At - l.next; {
	case !l.began || late < -time.Second: // the source began anew
		l.began, l.next = true, frame.At
	case late <= -FrameTime:
		return heard
	case late >= FrameTime:
		heard.Ended = l.skip(late)
	}
	l.next += Length(l.o.Rate, len(frame.Samples))
	activity := l.detector.Hear(frame.Samples)
	heard.Voice = activity.Voice
	if !l.open {
		l.awaitSpeech(frame.Samples, activity)
	} else {
		l.extend(frame.Samples, activity.Voice)
	}
	if l.open {
		heard.Started = l.started()
		if heard.Ended == nil {
			heard.Ended = l.ended()
		}
	}
	return heard
}

// Stop ends what is being heard: the caller has hung up. It returns nil when
// nobody speaks.
func (l *Listener) Stop() *Utterance {
	if !l.open {
		return nil
	}
	return l.end()
}

// skip lets time go by for which there are no samples.
func (l *Listener) skip(gap time.Duration) *Utterance {
	until := l.next + gap
	l.preroll = l.preroll[:0]
	var ended *Utterance
	for l.open && ended == nil && l.next+FrameTime <= until {
		l.next += FrameTime
		l.extend(l.silence, false)
		ended = l.ended()
	}
	l.quiet += until - l.next
	l.next = until
	return ended
}

// awaitSpeech keeps what may be the beginning of an utterance, and begins one when
// somebody speaks. Speech is noticed late, so it begins before now.
func (l *Listener) awaitSpeech(samples []int16, activity Activity) {
	pending := time.Duration(l.detector.pending) * FrameTime
	most := Count(l.o.Rate, l.o.Preroll+time.Second)
	l.preroll = append(l.preroll, samples...)
	if over := len(l.preroll) - most; over > 0 {
		l.preroll = l.preroll[:copy(l.preroll, l.preroll[over:])]
	}
	if !activity.Speaking {
		return
	}
	keep := min(Count(l.o.Rate, l.o.Preroll+pending), len(l.preroll))
	l.open, l.quiet, l.voiced = true, 0, 1
	l.current = Utterance{
		At:      l.next - Length(l.o.Rate, keep),
		Voiced:  time.Duration(l.detector.start) * FrameTime,
		Samples: append([]int16(nil), l.preroll[len(l.preroll)-keep:]...),
	}
	l.preroll = l.preroll[:0]
}

// extend adds a frame to the utterance. A single frame of voice in a pause does
// not end the pause.
func (l *Listener) extend(samples []int16, voice bool) {
	l.current.Samples = append(l.current.Samples, samples...)
	l.quiet += FrameTime
	if !voice {
		l.voiced = 0
		return
	}
	l.voiced++
	l.current.Voiced += FrameTime
	if l.voiced > 1 {
		l.quiet = 0
	}
}

func (l *Listener) started() bool {
	if l.told || l.current.Voiced < l.o.BargeIn {
		return false
	}
	l.told = true
	return true
}

// ended returns the utterance if it has come to its end.
func (l *Listener) ended() *Utterance {
	if l.quiet >= l.patience {
		return l.end()
	}
	if Length(l.o.Rate, len(l.current.Samples)) < l.o.Longest {
		return nil
	}
	cut := l.current
	cut.Cut = true
	l.current = Utterance{At: l.next}
	return &cut
}

func (l *Listener) end() *Utterance {
	u := l.current
	if over := l.quiet - l.o.Tail; over > 0 {
		u.Samples = u.Samples[:max(0, len(u.Samples)-Count(l.o.Rate, over))]
	}
	l.open, l.told, l.current = false, false, Utterance{}
	l.detector.forget()
	return &u
}
