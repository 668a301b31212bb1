package audio

import "math"

// What a tone must be to be a key. The limits of twist are those that telephone
// companies publish.
const (
	keyLeast     = -36.0 // dBFS of both tones together
	keyShare     = 0.85  // of the sound that the two tones must make up
	keyShareSeen = 0.45  // of it that one window must show, with tones between two lines of its spectrum
	keyMoreHigh  = 2.51  // the column may be 4 dB stronger than the row
	keyMoreLow   = 6.31  // the row may be 8 dB stronger than the column
	keyApart     = 6.31  // how much stronger than its neighbours a tone must be: 8 dB
	keyHits      = 3     // windows in a row, 10 ms apart: 40 ms of the same
	keyMisses    = 2     // windows without it before the same can be pressed again
	keySteadiest = 2.0   // how much its windows may differ: 3 dB
	keyOff       = 0.024 // how far a frequency may be from what it is to be
)

// KeyDetector hears keys in the sound itself, for lines that send no key events. A
// line that does must not be listened to, or a press may be heard twice. It wants
// 50 ms of a key, and 30 ms between two that are the same.
type KeyDetector struct {
	rows, columns [4]bin
	window        []int16 // the last 20 ms
	filled        int

	rate   float64
	before detection // in the window before
	hits   int
	misses int
	down   byte // the key that is pressed, 0: none
}

// NewKeyDetector returns a KeyDetector for sound at a rate.
func NewKeyDetector(rate int) *KeyDetector {
	d := &KeyDetector{window: make([]int16, FrameSize(rate)), rate: float64(rate)}
	for i := range rowTones {
		d.rows[i] = newBin(rowTones[i], rate)
		d.columns[i] = newBin(columnTones[i], rate)
	}
	return d
}

// detection is a key in one window; key is 0 if there is none.
type detection struct {
	key       byte
	total     float64 // of all that is in the window
	low, high line
}

// Hear takes the next samples, a frame at most, and returns the key if one was
// pressed.
func (d *KeyDetector) Hear(samples []int16) (key byte, pressed bool) {
	for len(samples) > 0 {
		n := copy(d.window[d.filled:], samples)
		d.filled += n
		samples = samples[n:]
		if d.filled < len(d.window) {
			break
		}
		if d.count(d.look()) {
			key, pressed = d.down, true
		}
		half := len(d.window) / 2
		d.filled = copy(d.window, d.window[half:])
	}
	return key, pressed
}

// count follows what the windows show, and reports a new press.
func (d *KeyDetector) count(now detection) bool {
	if now.key == d.down {
		d.misses = 0
	} else if d.misses++; d.misses > keyMisses {
		d.down = 0
	}
	if now.key == 0 || !d.sameAs(now) {
		d.hits = 0
	}
	d.before = now
	d.hits++
	if now.key == 0 || now.key == d.down || d.hits < keyHits {
		return false
	}
	d.down, d.misses = now.key, 0
	return true
}

// sameAs reports whether a window shows the same tones as the one before: as loud,
// with the right frequencies, and with hardly anything beside them.
func (d *KeyDetector) sameAs(now detection) bool {
	was := d.before
	if now.key != was.key || now.total > was.total*keySteadiest || was.total > now.total*keySteadiest {
		return false
	}
	low, high := d.off(was.low, now.low), d.off(was.high, now.high)
	if math.Abs(low) > keyOff*now.low.frequency || math.Abs(high) > keyOff*now.high.frequency {
		return false
	}
	// Of a tone beside its line the line shows less than there is.
	n := float64(len(d.window))
	seen := func(off float64) float64 { s := sinc(off * n / d.rate); return s * s }
	power := now.low.power/seen(low) + now.high.power/seen(high)
	return power*2/n > keyShare*now.total
}

// off is by how many Hz a tone misses its line: how far its phase has moved in half
// a window, less how far it should have. That tells it much better than the spectrum
// of a window that short.
func (d *KeyDetector) off(was, now line) float64 {
	hop := float64(len(d.window)/2) / d.rate
	return math.Remainder((now.phase-was.phase)/(2*math.Pi)-now.frequency*hop, 1) / hop
}

// look returns the key whose two tones the window consists of.
func (d *KeyDetector) look() detection {
	var total float64
	for _, s := range d.window {
		total += float64(s) * float64(s)
	}
	n := float64(len(d.window))
	if decibels(total/n) < keyLeast {
		return detection{}
	}
	row, low := strongest(&d.rows, d.window)
	column, high := strongest(&d.columns, d.window)
	if row < 0 || column < 0 || high.power > low.power*keyMoreHigh || low.power > high.power*keyMoreLow {
		return detection{}
	}
	// A sine's energy in the window is 2/n of its line's power.
	if (low.power+high.power)*2/n < keyShareSeen*total {
		return detection{}
	}
	return detection{keypad[row*4+column], total, low, high}
}

// strongest returns which of four tones stands out in samples; -1 if none does.
func strongest(bins *[4]bin, samples []int16) (int, line) {
	var lines [4]line
	best := 0
	for i, b := range bins {
		lines[i] = b.look(samples)
		if lines[i].power > lines[best].power {
			best = i
		}
	}
	for i, l := range lines {
		if i != best && l.power*keyApart > lines[best].power {
			return -1, line{}
		}
	}
	return best, lines[best]
}

// bin finds one frequency in samples, with Goertzel's recursion.
type bin struct{ frequency, cos, sin float64 }

// line is what a bin found.
type line struct{ frequency, power, phase float64 }

func newBin(frequency float64, rate int) bin {
	sin, cos := math.Sincos(2 * math.Pi * frequency / float64(rate))
	return bin{frequency, cos, sin}
}

// look returns the line. Its phase is that at the last sample.
func (b bin) look(samples []int16) line {
	c := 2 * b.cos
	var s1, s2 float64
	for _, s := range samples {
		s1, s2 = float64(s)+c*s1-s2, s1
	}
	re, im := s1-s2*b.cos, s2*b.sin
	return line{b.frequency, re*re + im*im, math.Atan2(im, re)}
}
