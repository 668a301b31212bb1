package audio

import (
	"math"
	"math/rand/v2"
	"time"
)

// random returns a source of numbers that are the same each time.
func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

// level is that of all of samples, in dBFS.
func level(samples []int16) float64 {
	var sum float64
	for _, s := range samples {
		sum += float64(s) * float64(s)
	}
	return decibels(sum / float64(max(1, len(samples))))
}

// lineLevel is the level of one frequency in samples, in dBFS, through a window that keeps
// others out.
func lineLevel(samples []int16, rate int, frequency float64) float64 {
	var re, im, gain float64
	for i, s := range samples {
		w := 0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/float64(len(samples)))
		sin, cos := math.Sincos(2 * math.Pi * frequency * float64(i) / float64(rate))
		re, im, gain = re+w*cos*float64(s), im+w*sin*float64(s), gain+w
	}
	return decibels(2 * (re*re + im*im) / (gain * gain))
}

// noise is white noise with a level in dBFS.
func noise(r *rand.Rand, rate int, length time.Duration, level float64) []int16 {
	out := make([]int16, Count(rate, length))
	loud := amplitude(level) / math.Sqrt2
	for i := range out {
		out[i] = clip(loud * r.NormFloat64())
	}
	return out
}

// voice is something like speech: syllables of 80 to 250 ms with a pitch that moves
// and three formants, a third of them begun by a hiss, with pauses of 20 to 80 ms
// between. Its level in dBFS is that of the syllables.
func voice(r *rand.Rand, rate int, length time.Duration, level float64) []int16 {
	var out []int16
	for len(out) < Count(rate, length) {
		out = append(out, syllable(r, rate, level)...)
		out = append(out, make([]int16, Count(rate, time.Duration(20+r.IntN(60))*time.Millisecond))...)
	}
	return out[:Count(rate, length)]
}

func syllable(r *rand.Rand, rate int, level float64) []int16 {
	n := Count(rate, time.Duration(80+r.IntN(170))*time.Millisecond)
	wave := make([]float64, n)
	pitch, glide := 90+r.Float64()*140, 0.8+r.Float64()*0.4
	formants := [3]float64{300 + r.Float64()*500, 900 + r.Float64()*1400, 2400 + r.Float64()*600}
	phase, sum := 0.0, 0.0
	for i := range wave {
		at := float64(i) / float64(n)
		f := pitch * (1 + (glide-1)*at)
		phase += 2 * math.Pi * f / float64(rate)
		for h := 1; float64(h)*f < 3400; h++ {
			var gain float64
			for k, formant := range formants {
				x := (float64(h)*f - formant) / 120
				gain += 1 / (1 + x*x) / float64(k+1)
			}
			wave[i] += gain * math.Sin(float64(h)*phase)
		}
		wave[i] *= math.Sin(math.Pi * min(1, at*2+0.1) / 2 * min(1, (1-at)*4+0.05))
		sum += wave[i] * wave[i]
	}
	loud := amplitude(level) / math.Sqrt2 / math.Sqrt(sum/float64(n))
	out := make([]int16, n)
	for i := range wave {
		out[i] = clip(wave[i] * loud)
	}
	if r.IntN(3) == 0 {
		out = append(noise(r, rate, 60*time.Millisecond, level-12), out...)
	}
	return out
}

// mix adds b to a, from a place in a.
func mix(a, b []int16, at int) []int16 {
	for i := range b {
		if at+i < len(a) {
			a[at+i] = clip(float64(a[at+i]) + float64(b[i]))
		}
	}
	return a
}

// inFrames hands out samples frame by frame, with when each was.
func inFrames(samples []int16, rate int, use func(Frame)) {
	size := FrameSize(rate)
	for i := 0; i+size <= len(samples); i += size {
		use(Frame{At: Length(rate, i), Samples: samples[i : i+size]})
	}
}
