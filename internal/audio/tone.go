package audio

import (
	"math"
	"strings"
	"time"
)

// keys are the sixteen keys: in the order of their event numbers (RFC 4733).
const keys = "0123456789*#ABCD"

// The frequencies of keys in Hz: each key is one of its row and one of its column.
var (
	rowTones    = [4]float64{697, 770, 852, 941}
	columnTones = [4]float64{1209, 1336, 1477, 1633}
)

// keypad is the keys as they lie.
const keypad = "123A456B789C*0#D"

// rampTime is how long a tone takes to rise and to fall, so that it does not click.
const rampTime = 5 * time.Millisecond

// Tone returns sines of one or more frequencies together, each with a level in
// dBFS.
func Tone(rate int, length time.Duration, level float64, frequencies ...float64) []int16 {
	out := make([]int16, Count(rate, length))
	loud := amplitude(level)
	ramp := float64(Count(rate, rampTime))
	for i := range out {
		var v float64
		for _, f := range frequencies {
			v += math.Sin(2 * math.Pi * f * float64(i) / float64(rate))
		}
		edge := min(1, float64(i)/ramp, float64(len(out)-1-i)/ramp)
		out[i] = clip(v * loud * edge)
	}
	return out
}

// KeyTone returns the sound of a key, as telephones make it; nil for what is no
// key.
func KeyTone(rate int, key byte, length time.Duration) []int16 {
	at := strings.IndexByte(keypad, key)
	if at < 0 {
		return nil
	}
	return Tone(rate, length, -12, rowTones[at/4], columnTones[at%4])
}
