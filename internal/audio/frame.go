package audio

import (
	"math"
	"time"
)

// FrameTime is how long a frame is, in all of this package.
const FrameTime = 20 * time.Millisecond

// Frame is a piece of sound and when it was.
type Frame struct {
	At      time.Duration // of its first sample, since the call began
	Samples []int16
}

// FrameSize is how many samples a frame has at a rate.
func FrameSize(rate int) int { return rate / 50 }

// Count is how many samples there are in d at a rate.
func Count(rate int, d time.Duration) int {
	return int(int64(d) * int64(rate) / int64(time.Second))
}

// Length is how long n samples are at a rate.
func Length(rate, n int) time.Duration {
	seconds, rest := n/rate, n%rate
	return time.Duration(seconds)*time.Second + time.Duration(rest)*time.Second/time.Duration(rate)
}

// Framer cuts sound that comes in pieces of any size, as browsers send it, into
// frames. It keeps less than one frame back.
type Framer struct {
	size int
	rest []int16
}

// NewFramer returns a Framer for sound at a rate.
func NewFramer(rate int) *Framer { return &Framer{size: FrameSize(rate)} }

// Write takes samples and hands each frame that is full to use, which must not
// keep it.
func (f *Framer) Write(samples []int16, use func(frame []int16)) {
	for len(samples) > 0 {
		if len(f.rest) == 0 && len(samples) >= f.size {
			use(samples[:f.size])
			samples = samples[f.size:]
			continue
		}
		n := min(f.size-len(f.rest), len(samples))
		f.rest = append(f.rest, samples[:n]...)
		samples = samples[n:]
		if len(f.rest) == f.size {
			use(f.rest)
			f.rest = f.rest[:0]
		}
	}
}

// quietest is the level of a frame without any sound, in dBFS: just under that of
// one bit.
const quietest = -96

// decibels is the level of a mean square of samples, relative to the largest
// sample there is.
func decibels(meanSquare float64) float64 {
	if meanSquare < 0.25 {
		return quietest
	}
	return 10 * math.Log10(meanSquare/(32768*32768))
}

// amplitude is the largest sample of a sine with a level in dBFS.
func amplitude(level float64) float64 {
	return 32768 * math.Sqrt2 * math.Pow(10, level/20)
}

// clip rounds v to a sample.
func clip(v float64) int16 {
	return int16(math.Round(max(-32768, min(32767, v))))
}
