package whisper

import (
	"math"
	"math/cmplx"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/audio"
)

func TestAToneIsInItsBand(t *testing.T) {
	t.Parallel()
	for hz, want := range map[float64]int{440: 11, 1000: 26, 3000: 53} {
		const frames = 200
		mel := logMel(audio.Tone(rate, time.Second, -10, hz), frames)
		for _, frame := range []int{10, 50, 90} {
			best := 0
			for b := range bins {
				if mel[b*frames+frame] > mel[best*frames+frame] {
					best = b
				}
			}
			if best < want-1 || best > want+1 {
				t.Errorf("%.0f Hz is loudest in band %d of frame %d, want about %d", hz, best, frame, want)
			}
		}
	}
}

func TestWhatFollowsTheSoundIsQuiet(t *testing.T) {
	t.Parallel()
	const frames = 300
	mel := logMel(audio.Tone(rate, time.Second, -10, 440), frames)
	loudest := float32(math.Inf(-1))
	for _, v := range mel {
		loudest = max(loudest, v)
	}
	for b := range bins {
		for frame := 103; frame < frames; frame++ {
			// Eight powers of ten below the loudest, on a scale of four.
			if got := mel[b*frames+frame]; math.Abs(float64(got-(loudest-2))) > 1e-5 {
				t.Fatalf("band %d of frame %d is %.3f, want %.3f", b, frame, got, loudest-2)
			}
		}
	}
}

func TestTheTransformIsFouriers(t *testing.T) {
	t.Parallel()
	var w transform
	for i := range w.in {
		w.in[i] = complex(math.Sin(float64(i*i)), math.Cos(float64(3*i)))
	}
	w.fft(theSpectrum(), w.in[:], w.out[:], 1)
	for k := range w.out {
		var want complex128
		for n, x := range w.in {
			want += x * cmplx.Rect(1, -2*math.Pi*float64(k*n%fftSize)/fftSize)
		}
		if cmplx.Abs(w.out[k]-want) > 1e-9 {
			t.Fatalf("frequency %d is %v, want %v", k, w.out[k], want)
		}
	}
}

func TestFiltersCoverTheScale(t *testing.T) {
	t.Parallel()
	for b, f := range theSpectrum().filters {
		if len(f.weights) == 0 || f.from+len(f.weights) > fftSize/2+1 {
			t.Errorf("band %d has %d weights from %d", b, len(f.weights), f.from)
		}
	}
	for hz := 50.0; hz < rate/2; hz += 77 {
		if got := fromMel(toMel(hz)); math.Abs(got-hz) > 1e-6 {
			t.Errorf("%.1f Hz there and back is %.6f", hz, got)
		}
	}
}
