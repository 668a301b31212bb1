package audio

import (
	"math"
	"slices"
	"time"
)

// What the detector goes by. Levels are in dBFS.
const (
	voiceStarts = 6.0 // dB above the noise that a voice must have
	voiceStays  = 4.0 // dB that are enough once there is one
	leastVoice  = -58.0

	floorLeast   = -70.0
	floorUnknown = -30.0 // the most that is taken for noise before we have listened for a while
	floorMost    = -15.0
	floorBias    = 1.5 // how much the quietest of many frames of noise is under the middle one

	floorPart    = 12 // frames: the noise is the quietest of floorParts+1 of these, 2 s in all
	floorParts   = 8
	steadyFrames = 30  // that stay within steadyRange are no voice, however loud
	steadyRange  = 5.0 // dB
	holeFrames   = 5   // without any sound are a line that is silent; fewer are a hole in it
)

// Detector tells a voice from what else is on the line, by its level above that
// of the noise. The noise is the quietest that was heard in the last two seconds,
// for who speaks makes pauses and what hums does not. Give it frames of 20 ms.
type Detector struct {
	start, hangover int // frames

	highpass highpass
	squares  [4]float64

	floor     float64
	floorMost float64
	smooth    float64
	parts     [floorParts]float64 // the quietest of each part of the last two seconds
	part      float64             // the quietest of this one
	heard     int                 // frames
	recent    [steadyFrames]float64
	empty     int // frames without any sound, to this one

	voiced   bool
	score    int // twice the frames of voice, less those of none: words have short pauses, clicks long ones
	pending  int // frames since the score left zero
	silent   int // frames since the last voice
	speaking bool
}

// Activity is what a Detector says of a frame.
type Activity struct {
	Voice    bool    // in this frame
	Speaking bool    // somebody speaks: Voice, with clicks and short pauses left out
	Level    float64 // of the frame, in dBFS
	Noise    float64 // that it is held against
}

// NewDetector returns a Detector for sound at a rate. Somebody speaks after start
// of voice and until hangover without; 0: 100 ms and 200 ms.
func NewDetector(rate int, start, hangover time.Duration) *Detector {
	if start <= 0 {
		start = 100 * time.Millisecond
	}
	if hangover <= 0 {
		hangover = 200 * time.Millisecond
	}
	d := &Detector{start: int(start / FrameTime), hangover: int(hangover / FrameTime), highpass: newHighpass(rate)}
	d.floor, d.floorMost, d.part = floorUnknown, floorUnknown, math.Inf(1)
	for i := range d.parts {
		d.parts[i] = math.Inf(1)
	}
	return d
}

// Hear takes the next frame.
func (d *Detector) Hear(frame []int16) Activity {
	level := d.level(frame)
	hole := d.isHole(level)
	if !hole {
		d.listenToNoise(level)
	}
	above, least := voiceStarts, leastVoice
	if d.voiced && d.score > 2 {
		above, least = voiceStays, leastVoice-3
	}
	d.voiced = !hole && level > max(d.floor+above, least)
	d.count()
	return Activity{Voice: d.voiced, Speaking: d.speaking, Level: level, Noise: d.floor}
}

// level is that of the middle of four parts of the frame: a click is only in one
// of them.
func (d *Detector) level(frame []int16) float64 {
	if len(frame) < len(d.squares) {
		return quietest
	}
	quarter := len(frame) / len(d.squares)
	for i := range d.squares {
		d.squares[i] = d.highpass.square(frame[i*quarter:(i+1)*quarter]) / float64(quarter)
	}
	sorted := d.squares
	slices.Sort(sorted[:])
	return decibels((sorted[1] + sorted[2]) / 2)
}

// isHole reports whether a frame is empty because something of it was lost, and
// therefore says nothing of the noise.
func (d *Detector) isHole(level float64) bool {
	if level > -85 {
		d.empty = 0
		return false
	}
	d.empty++
	return d.empty < holeFrames
}

// listenToNoise moves the floor. It falls at once and rises after two seconds, or
// sooner when what is heard is as steady as no voice is.
func (d *Detector) listenToNoise(level float64) {
	if d.heard == 0 {
		d.smooth = level
	}
	d.smooth = (d.smooth + level) / 2
	d.recent[d.heard%steadyFrames] = level
	d.heard++
	d.part = min(d.part, d.smooth)
	if d.heard%floorPart == 0 {
		d.parts[d.heard/floorPart%floorParts] = d.part
		d.part = math.Inf(1)
	}
	if d.heard == floorPart*floorParts {
		d.floorMost = floorMost
	}
	if least := slices.Min(d.recent[:]); d.heard >= steadyFrames && slices.Max(d.recent[:])-least < steadyRange {
		d.floorMost = floorMost
		d.part = least
		for i := range d.parts {
			d.parts[i] = least
		}
	}
	quiet := min(d.part, slices.Min(d.parts[:]))
	d.floor = max(floorLeast, min(d.floorMost, quiet+floorBias))
}

// count decides whether somebody speaks.
func (d *Detector) count() {
	if d.voiced {
		d.score, d.silent = min(d.score+2, 2*d.start), 0
	} else {
		d.score, d.silent = max(0, d.score-1), d.silent+1
	}
	d.pending++
	if d.score == 0 {
		d.pending = 0
	}
	switch {
	case !d.speaking && d.score >= 2*d.start:
		d.speaking = true
	case d.speaking && d.silent >= d.hangover:
		d.forget()
	}
}

// forget says that nobody speaks now.
func (d *Detector) forget() { d.speaking, d.score, d.pending = false, 0, 0 }

// highpass takes out a constant offset and the hum of the mains.
type highpass struct {
	keep     float64
	in, out  float64
	anything bool
}

func newHighpass(rate int) highpass {
	return highpass{keep: 1 - 2*math.Pi*100/float64(rate)}
}

// square is the sum of the squares of what is left of samples.
func (h *highpass) square(samples []int16) float64 {
	if !h.anything && len(samples) > 0 {
		h.in, h.anything = float64(samples[0]), true // an offset from the beginning is no click
	}
	var sum float64
	in, out := h.in, h.out
	for _, s := range samples {
		v := float64(s)
		out = v - in + h.keep*out
		in = v
		sum += out * out
	}
	h.in, h.out = in, out
	return sum
}
