package audio

import (
	"fmt"
	"math"
)

// A windowed sinc of sincTaps samples of the lower rate, with its edge a little
// under half that rate and a Kaiser window. At 8 kHz it lets through what a
// telephone does, up to 3.4 kHz, and leaves less than -40 dB above 4 kHz.
const (
	sincTaps   = 48
	sincEdge   = 0.4625 // of the lower rate
	kaiserBeta = 5.1
)

// Resampler turns a stream of sound from one rate into another. It is late by
// Delay samples.
type Resampler struct {
	up, down int
	phases   [][]float32 // one filter for each place of an output sample between two of the input
	history  []float32   // input that is still needed, oldest first
	at       int         // of the next output sample: in steps of 1/up of an input sample from history's filter start
}

// NewResampler returns a Resampler between two rates from 8000 to 48000 that are
// multiples of 25, as those of sound files are: each other rate would need a filter
// for every sample.
func NewResampler(from, to int) (*Resampler, error) {
	for _, rate := range [...]int{from, to} {
		if rate < 8000 || rate > 48000 || rate%25 != 0 {
			return nil, fmt.Errorf("audio: cannot resample from %d to %d Hz: use multiples of 25 from 8000 to 48000", from, to)
		}
	}
	step := gcd(from, to)
	r := &Resampler{up: to / step, down: from / step}
	if from == to {
		return r, nil
	}
	// Taps per phase: as many input samples as sincTaps of the lower rate, in whole
	// fours.
	taps := (sincTaps*max(from, to)/to + 3) / 4 * 4
	edge := sincEdge * float64(min(from, to)) / float64(from)
	for phase := range r.up {
		r.phases = append(r.phases, sincPhase(taps, edge, float64(phase)/float64(r.up)))
	}
	r.history = make([]float32, taps-1, taps+from/10)
	return r, nil
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// sincPhase is the filter for an output sample that lies shift of an input
// sample after the middle tap. edge is in cycles per input sample.
func sincPhase(taps int, edge, shift float64) []float32 {
	half := float64(taps) / 2
	weights := make([]float64, taps)
	var sum float64
	for i := range weights {
		x := float64(i) - (half - 1) - shift
		window := 0.0
		if u := x / half; math.Abs(u) < 1 {
			window = bessel(kaiserBeta*math.Sqrt(1-u*u)) / bessel(kaiserBeta)
		}
		weights[i] = window * sinc(2*edge*x)
		sum += weights[i]
	}
	phase := make([]float32, taps)
	for i, w := range weights {
		phase[i] = float32(w / sum)
	}
	return phase
}

func sinc(x float64) float64 {
	if x == 0 {
		return 1
	}
	return math.Sin(math.Pi*x) / (math.Pi * x)
}

// bessel is the modified Bessel function of the first kind and order zero.
func bessel(x float64) float64 {
	sum, term := 1.0, 1.0
	for k := 1.0; term > 1e-9*sum; k++ {
		term *= (x / 2 / k) * (x / 2 / k)
		sum += term
	}
	return sum
}

// Delay is how many samples what comes out is behind what went in.
func (r *Resampler) Delay() int {
	if len(r.phases) == 0 {
		return 0
	}
	return len(r.phases[0]) / 2 * r.up / r.down
}

// Write appends to dst what can be said now of the sound up to the end of src.
func (r *Resampler) Write(dst, src []int16) []int16 {
	if len(r.phases) == 0 {
		return append(dst, src...)
	}
	for _, s := range src {
		r.history = append(r.history, float32(s))
	}
	taps := len(r.phases[0])
	for {
		start := r.at / r.up
		if start+taps > len(r.history) {
			break
		}
		dst = append(dst, clip(float64(dot(r.phases[r.at%r.up], r.history[start:start+taps]))))
		r.at += r.down
	}
	used := min(r.at/r.up, len(r.history))
	r.at -= used * r.up
	r.history = r.history[:copy(r.history, r.history[used:])]
	return dst
}

// dot has four sums, so that a processor need not wait for each addition.
func dot(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	for i := 0; i+3 < len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	return s0 + s1 + s2 + s3
}

// Resample returns all of a sound at another rate, with nothing late.
func Resample(samples []int16, from, to int) ([]int16, error) {
	r, err := NewResampler(from, to)
	if err != nil || from == to {
		return samples, err
	}
	delay, want := r.Delay(), (len(samples)*to+from-1)/from
	out := r.Write(make([]int16, 0, want+2*delay+2), samples)
	out = r.Write(out, make([]int16, len(r.phases[0])))
	return out[min(delay, len(out)):][:want], nil
}
