package whisper

import (
	"math"
	"sync"
)

// What a model of Whisper's was trained with.
const (
	rate      = 16000
	fftSize   = 400
	hop       = 160 // samples from one frame to the next
	bins      = 80
	mostSound = 30 * rate
	// framesPerPosition: the encoder's second convolution halves the frames.
	framesPerPosition = 2
)

// spectrum is what is the same for every recording: the window, the filters, and
// the roots of the transform.
type spectrum struct {
	window  [fftSize]float64
	roots   [fftSize]complex128
	filters [bins]filter
}

// filter is one band of the mel scale: weights of neighbouring frequencies.
type filter struct {
	from    int
	weights []float64
}

var theSpectrum = sync.OnceValue(func() *spectrum {
	s := &spectrum{}
	for i := range s.window {
		angle := 2 * math.Pi * float64(i) / fftSize
		s.window[i] = 0.5 - 0.5*math.Cos(angle)
		s.roots[i] = complex(math.Cos(angle), -math.Sin(angle))
	}
	top := toMel(rate / 2)
	edge := func(i int) float64 { return fromMel(top * float64(i) / (bins + 1)) }
	for b := range s.filters {
		s.filters[b] = band(edge(b), edge(b+1), edge(b+2))
	}
	return s
})

// band is a triangle over the frequencies from low to high, of area one.
func band(low, middle, high float64) (f filter) {
	for k := range fftSize/2 + 1 {
		hz := float64(k) * rate / fftSize
		w := min((hz-low)/(middle-low), (high-hz)/(high-middle))
		if w <= 0 {
			continue
		}
		if f.weights == nil {
			f.from = k
		}
		f.weights = append(f.weights, w*2/(high-low))
	}
	return f
}

// The mel scale of Slaney's Auditory Toolbox: straight up to 1 kHz, logarithmic
// from there.
const (
	melStep  = 200.0 / 3
	melBreak = 1000.0
)

var melLog = math.Log(6.4) / 27

func toMel(hz float64) float64 {
	if hz < melBreak {
		return hz / melStep
	}
	return melBreak/melStep + math.Log(hz/melBreak)/melLog
}

func fromMel(mel float64) float64 {
	if mel < melBreak/melStep {
		return mel * melStep
	}
	return melBreak * math.Exp((mel-melBreak/melStep)*melLog)
}

// logMel is the spectrum of samples in frames, as the encoder takes it: one row
// for each band. What follows the samples is silence, which costs no time.
func logMel(samples []int16, frames int) []float32 {
	s := theSpectrum()
	const quiet = -10 // the logarithm that stands for no sound
	out := make([]float32, bins*frames)
	for i := range out {
		out[i] = quiet
	}
	loudest := float32(quiet)
	// A frame that begins fftSize/2 after the last sample has none of it.
	sounding := min(frames, (len(samples)+fftSize/2)/hop+1)
	var work transform
	// Two frames are the real and the imaginary part of one transform.
	for t := 0; t < sounding; t += 2 {
		powers := work.powers(s, samples, t)
		for half := range min(2, sounding-t) {
			for b := range s.filters {
				v := max(float32(math.Log10(max(s.filters[b].sum(powers[half][:]), 1e-10))), quiet)
				out[b*frames+t+half] = v
				loudest = max(loudest, v)
			}
		}
	}
	for i, v := range out {
		out[i] = (max(v, loudest-8) + 4) / 4
	}
	return out
}

func (f filter) sum(powers []float64) (sum float64) {
	powers = powers[f.from:]
	for i, w := range f.weights {
		sum += w * powers[i]
	}
	return sum
}

// transform is the memory of a Fourier transform.
type transform struct {
	in, out, scratch [fftSize]complex128
	power            [2][fftSize/2 + 1]float64
}

// powers are the powers of the frequencies in frame t and in the one after it.
func (w *transform) powers(s *spectrum, samples []int16, t int) *[2][fftSize/2 + 1]float64 {
	start := t*hop - fftSize/2
	for i := range w.in {
		w.in[i] = complex(at(samples, start+i)*s.window[i], at(samples, start+hop+i)*s.window[i])
	}
	w.fft(s, w.in[:], w.out[:], 1)
	for k := range fftSize/2 + 1 {
		// The transform of a real signal is symmetric: what is not so belongs to
		// the other one.
		a, b := w.out[k], w.out[(fftSize-k)%fftSize]
		re, im := real(a)+real(b), imag(a)-imag(b)
		w.power[0][k] = (re*re + im*im) / 4
		re, im = imag(a)+imag(b), real(b)-real(a)
		w.power[1][k] = (re*re + im*im) / 4
	}
	return &w.power
}

// at is a sample from -1 to 1. Before its beginning the sound is mirrored, as in
// the model's training; after its end there is silence.
func at(samples []int16, i int) float64 {
	if i < 0 {
		i = -i
	}
	if i >= len(samples) {
		return 0
	}
	return float64(samples[i]) / 32768
}

// fft transforms in, of which every stride-th element counts, into out: 400 is
// parted by four and by five until one is left.
func (w *transform) fft(s *spectrum, in, out []complex128, stride int) {
	n := len(out)
	if n == 1 {
		out[0] = in[0]
		return
	}
	radix := 5
	if n%4 == 0 {
		radix = 4
	}
	part := n / radix
	for r := range radix {
		w.fft(s, in[r*stride:], out[r*part:(r+1)*part], stride*radix)
	}
	copy(w.scratch[:n], out)
	for k := range part {
		var x [5]complex128
		for r := range radix {
			x[r] = w.scratch[r*part+k] * s.roots[r*k*stride%fftSize]
		}
		for q := range radix {
			sum := x[0]
			for r := 1; r < radix; r++ {
				sum += x[r] * s.roots[q*r*(fftSize/radix)%fftSize]
			}
			out[q*part+k] = sum
		}
	}
}
