package audio

import (
	"bytes"
	"fmt"
	"math"
	"os/exec"
	"testing"
	"time"
)

// spans returns when somebody speaks, as seconds from and to.
func spans(samples []int16, rate int) [][2]float64 {
	d := NewDetector(rate, 0, 0)
	var out [][2]float64
	speaking := false
	inFrames(samples, rate, func(f Frame) {
		now := d.Hear(f.Samples).Speaking
		at := (f.At + FrameTime).Seconds()
		if now && !speaking {
			out = append(out, [2]float64{at, math.Inf(1)})
		}
		if !now && speaking {
			out[len(out)-1][1] = at
		}
		speaking = now
	})
	return out
}

func TestAVoiceIsHeard(t *testing.T) {
	t.Parallel()
	for _, rate := range []int{8000, 16000} {
		for _, tt := range []struct{ speech, snr float64 }{
			{-20, 40}, {-20, 20}, {-20, 15}, {-20, 10}, {-35, 20}, {-45, 20}, {-45, 12},
		} {
			for seed := range uint64(10) {
				t.Run(fmt.Sprintf("%d Hz, speech at %.0f dBFS, %.0f dB above the noise, %d", rate, tt.speech, tt.snr, seed), func(t *testing.T) {
					t.Parallel()
					r := random(seed)
					line := noise(r, rate, 6*time.Second, tt.speech-tt.snr)
					mix(line, voice(r, rate, 1500*time.Millisecond, tt.speech), 2*rate)
					got := spans(line, rate)
					if len(got) == 0 || got[0][0] < 2.05 || got[0][0] > 2.5 {
						t.Fatalf("speech from 2.0 to 3.5 s was heard at %v", got)
					}
					if last := got[len(got)-1][1]; last < 3.2 || last > 3.95 {
						t.Errorf("speech from 2.0 to 3.5 s was heard at %v", got)
					}
				})
			}
		}
	}
}

func TestWhatIsNoVoice(t *testing.T) {
	t.Parallel()
	const rate = 8000
	clicks := func(every time.Duration, width int) []int16 {
		line := noise(random(5), rate, 6*time.Second, -55)
		for at := 0; at < len(line); at += Count(rate, every) {
			for i := range width {
				line[min(at+i, len(line)-1)] = 20000
			}
		}
		return line
	}
	offset := noise(random(6), rate, 6*time.Second, -60)
	for i := range offset {
		offset[i] += 3000
	}
	late := append(make([]int16, 3*rate), offset...)
	hum := mix(noise(random(7), rate, 6*time.Second, -60), Tone(rate, 6*time.Second, -30, 50, 100), 0)
	holes := noise(random(8), rate, 6*time.Second, -40)
	for at := rate; at+480 < len(holes); at += rate {
		clear(holes[at : at+480]) // 60 ms
	}
	tests := map[string][]int16{
		"nothing":                               make([]int16, 6*rate),
		"noise at -60 dBFS":                     noise(random(1), rate, 6*time.Second, -60),
		"noise at -45 dBFS":                     noise(random(2), rate, 6*time.Second, -45),
		"noise at -32 dBFS":                     noise(random(3), rate, 6*time.Second, -32),
		"noise after digital silence, quiet":    append(make([]int16, 3*rate), noise(random(4), rate, 3*time.Second, -60)...),
		"a click every second":                  clicks(time.Second, 8),
		"a key of a keyboard every 150 ms":      clicks(150*time.Millisecond, 30),
		"an offset":                             offset,
		"an offset that comes":                  late,
		"the hum of the mains":                  hum,
		"noise with holes where packets lacked": holes,
		"a line's own codes of silence":         PCMA.Decode(nil, PCMA.Encode(nil, make([]int16, 6*rate))),
	}
	for name, line := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := spans(line, rate); len(got) > 0 {
				t.Errorf("a voice was heard at %v", got)
			}
		})
	}
}

// TestNoiseThatBegins is taken for a voice at first, and not for long. A voice in
// it is heard.
func TestNoiseThatBegins(t *testing.T) {
	t.Parallel()
	const rate = 8000
	r := random(9)
	line := append(noise(r, rate, 2*time.Second, -60), noise(r, rate, 6*time.Second, -38)...)
	mix(line, voice(r, rate, time.Second, -22), 5*rate)
	got := spans(line, rate)
	if len(got) < 2 || got[0][1] > 3.0 || got[1][0] < 5 || got[1][0] > 5.4 {
		t.Errorf("noise from 2 s and a voice from 5 s were heard at %v", got)
	}
}

// TestALongMonologue: the noise is not lost sight of while somebody speaks on.
func TestALongMonologue(t *testing.T) {
	t.Parallel()
	const rate = 8000
	for seed := range uint64(5) {
		r := random(seed)
		line := noise(r, rate, 25*time.Second, -45)
		mix(line, voice(r, rate, 20*time.Second, -25), 2*rate)
		var speaking time.Duration
		for _, s := range spans(line, rate) {
			speaking += time.Duration((min(s[1], 22) - s[0]) * float64(time.Second))
		}
		if speaking < 19*time.Second {
			t.Errorf("%d: of 20 s of speech %v were heard", seed, speaking)
		}
	}
}

// TestASpeechSynthesizer is heard like a caller, where one is installed.
func TestASpeechSynthesizer(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("espeak-ng")
	if err != nil {
		t.Skip("espeak-ng is not installed")
	}
	for _, snr := range []float64{30, 15, 10} {
		file, err := exec.CommandContext(t.Context(), program, "--stdout", "6 1 2, 34 56 78").Output()
		if err != nil {
			t.Fatal(err)
		}
		said, err := ReadWAV(bytes.NewReader(file), 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		line := noise(random(1), said.Rate, Length(said.Rate, len(said.Samples))+4*time.Second, level(said.Samples)-snr)
		mix(line, said.Samples, 2*said.Rate)
		l := NewListener(ListenerOptions{Rate: said.Rate})
		l.SetPatience(1500 * time.Millisecond)
		var got turns
		inFrames(line, said.Rate, func(f Frame) { got.hear(l, f) })
		if len(got.started) != 1 || !near(got.started[0], 2.25, 0.25) || len(got.ended) != 1 {
			t.Errorf("%.0f dB above the noise: started at %v, ended at %v", snr, got.started, got.at)
		}
	}
}
