package audio

import (
	"cmp"
	"errors"
	"time"
)

// PlayerOptions say how a Player plays. The zero value is good for a telephone.
type PlayerOptions struct {
	Rate    int           // of the samples; 0: 8000
	Gap     time.Duration // between two prompts; 0: none
	Longest time.Duration // that may wait to be played; 0: 5 minutes
	Comfort float64       // level of the noise while nothing is played, in dBFS; 0: -66
}

// ErrPlayerFull says that more waits to be played than anybody will listen to.
var ErrPlayerFull = errors.New("audio: too much waits to be played: wait until some of it was")

// Player holds what we say, and hands it out in frames of 20 ms. It knows to the
// sample what it has handed out, so that what a caller cannot have heard is not
// taken for said.
type Player struct {
	o       PlayerOptions
	queue   []*prompt // the first is being played
	waiting int       // samples in the queue
	gap     int       // samples of silence before the queue goes on
	fade    []int16   // the end of what was cut off
	noise   uint32
	loud    float64
}

type prompt struct {
	id      string
	samples []int16 // that have not been played
	played  int
	marks   []mark
	whole   bool // no more will be written
}

// mark is a place in a prompt.
type mark struct {
	name string
	at   int // samples from the prompt's beginning
}

// Position is how far a prompt has been played.
type Position struct {
	Prompt string // "": none
	Played int    // samples
	Whole  bool   // it was played to its end
}

// Played is what a frame does besides sounding. The caller hears it as much later
// as the frame takes to get there.
type Played struct {
	Position Position
	Marks    []string // that are reached with this frame
	Ended    []string // prompts that were played to their end with this frame
	Empty    bool     // nothing is left to play, and with the frame before there was
	Silent   bool     // there is nothing of a prompt in this frame
}

// NewPlayer returns a Player with nothing to play.
func NewPlayer(o PlayerOptions) *Player {
	o.Rate = cmp.Or(o.Rate, Rate)
	o.Longest = cmp.Or(o.Longest, 5*time.Minute)
	o.Comfort = cmp.Or(o.Comfort, -66)
	return &Player{o: o, noise: 1, loud: amplitude(o.Comfort)}
}

// Write adds samples to the end of a prompt, which is begun behind all others if
// it is not the last one: speech may be written as it is made. While it is not
// there yet, there is silence.
func (p *Player) Write(id string, samples []int16) error {
	if p.waiting+len(samples) > Count(p.o.Rate, p.o.Longest) {
		return ErrPlayerFull
	}
	last := p.last()
	if last == nil || last.whole || last.id != id {
		p.End()
		last = &prompt{id: id}
		p.queue = append(p.queue, last)
	}
	last.samples = append(last.samples, samples...)
	p.waiting += len(samples)
	return nil
}

// Mark puts a name to the end of what has been written of the last prompt. It
// reports whether there is one.
func (p *Player) Mark(name string) bool {
	last := p.last()
	if last == nil {
		return false
	}
	last.marks = append(last.marks, mark{name, last.played + len(last.samples)})
	return true
}

// End says that nothing more is written of the last prompt. A prompt does not end
// before that, though all of it was played.
func (p *Player) End() {
	if last := p.last(); last != nil {
		last.whole = true
	}
}

func (p *Player) last() *prompt {
	if len(p.queue) == 0 {
		return nil
	}
	return p.queue[len(p.queue)-1]
}

// Empty reports whether there is nothing to play.
func (p *Player) Empty() bool { return len(p.queue) == 0 }

// Waiting is how long what is written will take to play.
func (p *Player) Waiting() time.Duration { return Length(p.o.Rate, p.waiting+p.gap) }

// Next fills frame with what is played next, and says what that is.
func (p *Player) Next(frame []int16) Played {
	out := Played{Silent: true}
	before := len(p.queue) > 0
	for at := 0; at < len(frame); {
		n := p.play(frame[at:], &out)
		if n == 0 {
			n = p.fillSilence(frame[at:])
		}
		at += n
	}
	p.finish(&out) // what ends exactly with the frame
	out.Empty = before && len(p.queue) == 0
	return out
}

// play puts samples of the first prompt into dst, and returns how many.
func (p *Player) play(dst []int16, out *Played) int {
	p.finish(out)
	if p.gap > 0 || len(p.queue) == 0 {
		return 0
	}
	first := p.queue[0]
	n := copy(dst, first.samples)
	first.samples = first.samples[n:]
	first.played += n
	p.waiting -= n
	if n > 0 {
		out.Silent = false
		out.Position = Position{Prompt: first.id, Played: first.played}
	}
	return n
}

// finish reports the marks that are reached, and the first prompt's end.
func (p *Player) finish(out *Played) {
	for len(p.queue) > 0 && p.gap == 0 {
		first := p.queue[0]
		for len(first.marks) > 0 && first.marks[0].at <= first.played {
			out.Marks = append(out.Marks, first.marks[0].name)
			first.marks = first.marks[1:]
		}
		if len(first.samples) > 0 || !first.whole {
			return
		}
		p.queue = p.queue[1:]
		out.Ended = append(out.Ended, first.id)
		out.Position = Position{Prompt: first.id, Played: first.played, Whole: true}
		if len(p.queue) > 0 {
			p.gap = Count(p.o.Rate, p.o.Gap)
		}
	}
}

// fillSilence puts comfortable silence into dst, to its end or to that of a gap: so quiet
// that it is no sound, and enough that the line does not seem dead.
func (p *Player) fillSilence(dst []int16) int {
	if p.gap > 0 {
		dst = dst[:min(p.gap, len(dst))]
		p.gap -= len(dst)
	}
	for i := range dst {
		p.noise ^= p.noise << 13
		p.noise ^= p.noise >> 17
		p.noise ^= p.noise << 5
		dst[i] = clip(p.loud * (float64(p.noise)/(1<<31) - 1))
	}
	for i := range min(len(p.fade), len(dst)) {
		dst[i] += p.fade[i]
	}
	p.fade = p.fade[min(len(p.fade), len(dst)):]
	return len(dst)
}

// Cut drops all there is to play, as of the next frame, and returns how far we
// were. Some milliseconds of it fade away in the next frame, so that it does not
// click; they do not count as played.
func (p *Player) Cut() Position {
	if len(p.queue) == 0 {
		return Position{}
	}
	first := p.queue[0]
	p.fade = append([]int16(nil), first.samples[:min(Count(p.o.Rate, rampTime), len(first.samples))]...)
	if first.played == 0 {
		p.fade = nil
	}
	for i := range p.fade {
		p.fade[i] = int16(int(p.fade[i]) * (len(p.fade) - i) / (len(p.fade) + 1))
	}
	p.queue, p.waiting, p.gap = nil, 0, 0
	return Position{Prompt: first.id, Played: first.played, Whole: first.whole && len(first.samples) == 0}
}
