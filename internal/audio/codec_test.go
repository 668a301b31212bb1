package audio

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestEveryCodeStaysTheSame(t *testing.T) {
	t.Parallel()
	for _, law := range []Law{PCMA, PCMU} {
		for c := range 256 {
			code := byte(c)
			got := law.code(law.sample(code))
			if law == PCMU && code == 0x7F {
				code = 0xFF // there are two zeros
			}
			if got != code {
				t.Errorf("%d: code %#x became %#x", law, c, got)
			}
		}
	}
}

func TestKnownCodes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		law    Law
		code   byte
		sample int16
	}{
		{PCMA, 0xD5, 8},
		{PCMA, 0x55, -8},
		{PCMA, 0xAA, 32256},
		{PCMA, 0x2A, -32256},
		{PCMA, 0x80, 5504},
		{PCMU, 0xFF, 0},
		{PCMU, 0x80, 32124},
		{PCMU, 0x00, -32124},
		{PCMU, 0xEF, 132},
		{PCMU, 0xFE, 8},
	}
	for _, tt := range tests {
		if got := tt.law.sample(tt.code); got != tt.sample {
			t.Errorf("%d: code %#x is %d, want %d", tt.law, tt.code, got, tt.sample)
		}
		if got := tt.law.code(tt.sample); got != tt.code {
			t.Errorf("%d: sample %d is %#x, want %#x", tt.law, tt.sample, got, tt.code)
		}
	}
	if a, mu := PCMA.Silence(), PCMU.Silence(); a != 0xD5 || mu != 0xFF {
		t.Errorf("silence is %#x and %#x", a, mu)
	}
}

// TestEverySampleIsNearItsCode: a step is a 32nd of the sample at most.
func TestEverySampleIsNearItsCode(t *testing.T) {
	t.Parallel()
	for _, law := range []Law{PCMA, PCMU} {
		before := math.MinInt16
		for s := math.MinInt16; s <= math.MaxInt16; s++ {
			got := int(law.sample(law.code(int16(s))))
			if off, most := max(got-s, s-got), max(s, -s)/32+8; off > most && s > -32200 && s < 32200 {
				t.Fatalf("%d: sample %d became %d", law, s, got)
			}
			if got < before {
				t.Fatalf("%d: sample %d became %d, which is less than that of the sample before", law, s, got)
			}
			before = got
		}
	}
}

var rates = []int{8000, 16000, 24000, 48000}

func TestASineKeepsItsFrequencyAndLevel(t *testing.T) {
	t.Parallel()
	for _, from := range rates {
		for _, to := range rates {
			for _, frequency := range []float64{200, 1000, 2000, 3300} {
				t.Run(fmt.Sprintf("%d to %d, %.0f Hz", from, to, frequency), func(t *testing.T) {
					t.Parallel()
					in := Tone(from, 500*time.Millisecond, -10, frequency)
					out, err := Resample(in, from, to)
					if err != nil || len(out) != len(in)*to/from {
						t.Fatalf("%d samples of %d, %v", len(out), len(in), err)
					}
					middle := out[len(out)/5 : len(out)*4/5]
					if got := lineLevel(middle, to, frequency); math.Abs(got+10) > 0.5 {
						t.Errorf("level %.2f, want -10", got)
					}
					if all := level(middle); math.Abs(all+10) > 0.5 {
						t.Errorf("level of all there is %.2f, want -10: there is something else", all)
					}
				})
			}
		}
	}
}

func TestResamplingIsNotLate(t *testing.T) {
	t.Parallel()
	for _, from := range rates {
		for _, to := range rates {
			in := make([]int16, from/10)
			for i := range in {
				x := float64(i)/float64(from) - 0.05
				in[i] = clip(20000 * math.Exp(-x*x/2/0.0005/0.0005))
			}
			out, err := Resample(in, from, to)
			if err != nil {
				t.Fatal(err)
			}
			top := slices.Index(out, slices.Max(out))
			if at := float64(top) / float64(to); math.Abs(at-0.05) > 1.01/float64(min(from, to)) {
				t.Errorf("%d to %d: what was at 0.05 s is at %.5f s", from, to, at)
			}
		}
	}
}

func TestAliasesAreQuiet(t *testing.T) {
	t.Parallel()
	for _, from := range rates {
		for _, to := range rates {
			// Down: what the lower rate cannot hold. Up: the images of what there is.
			var in []int16
			worst := -200.0
			for f := float64(min(from, to))/2 + 10; to < from && f < float64(from)/2; f += 137 {
				in = Tone(from, 100*time.Millisecond, -6, f)
				out, _ := Resample(in, from, to)
				worst = max(worst, level(out[len(out)/5:len(out)*4/5])+6)
			}
			for f := 100.0; to > from && f < 3400; f += 237 {
				in = Tone(from, 100*time.Millisecond, -6, f)
				out, _ := Resample(in, from, to)
				for k := 1; k*from-int(f) < to/2; k++ {
					worst = max(worst, lineLevel(out[len(out)/5:len(out)*4/5], to, float64(k*from)-f)+6)
				}
			}
			if worst > -40 {
				t.Errorf("%d to %d: an alias is at %.1f dB", from, to, worst)
			}
		}
	}
}

func TestResamplingInPiecesIsTheSame(t *testing.T) {
	t.Parallel()
	r := random(1)
	for _, from := range rates {
		for _, to := range rates {
			in := noise(r, from, 100*time.Millisecond, -20)
			whole, _ := NewResampler(from, to)
			want := whole.Write(nil, in)
			pieces, _ := NewResampler(from, to)
			var got []int16
			for rest := in; len(rest) > 0; {
				n := min(r.IntN(300), len(rest))
				got = pieces.Write(got, rest[:n])
				rest = rest[n:]
			}
			if !slices.Equal(got, want) {
				t.Errorf("%d to %d: differs", from, to)
			}
		}
	}
}

func TestRatesOfSoundFiles(t *testing.T) {
	t.Parallel()
	for _, from := range []int{11025, 22050, 32000, 44100, 8025} {
		for _, to := range []int{8000, 16000, 24000} {
			in := Tone(from, time.Second, -10, 440)
			out, err := Resample(in, from, to)
			if err != nil || len(out) != to {
				t.Fatalf("%d to %d: %d samples, %v", from, to, len(out), err)
			}
			middle := out[len(out)/5 : len(out)*4/5]
			if got, all := lineLevel(middle, to, 440), level(middle); math.Abs(got+10) > 0.5 || math.Abs(all+10) > 0.5 {
				t.Errorf("%d to %d: the tone has %.2f, all there is %.2f, want -10", from, to, got, all)
			}
		}
	}
}

func TestRatesThatAreNotServed(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]int{{44100, 7999}, {44101, 8000}, {8000, 0}, {-8000, 8000}, {8000, 96000}} {
		if _, err := Resample(nil, pair[0], pair[1]); err == nil {
			t.Errorf("%v was resampled", pair)
		}
	}
}

func TestFramesOfPiecesOfAnySize(t *testing.T) {
	t.Parallel()
	r := random(2)
	in := noise(r, 16000, time.Second, -20)
	f := NewFramer(16000)
	var got []int16
	for rest := in; len(rest) > 0; {
		n := min(r.IntN(1000), len(rest))
		f.Write(rest[:n], func(frame []int16) {
			if len(frame) != 320 {
				t.Fatalf("a frame of %d", len(frame))
			}
			got = append(got, frame...)
		})
		rest = rest[n:]
	}
	if !slices.Equal(got, in) {
		t.Error("the frames are not what went in")
	}
}

func TestWAVThereAndBack(t *testing.T) {
	t.Parallel()
	want := Sound{16000, noise(random(3), 16000, 50*time.Millisecond, -12)}
	var file bytes.Buffer
	if err := WriteWAV(&file, want); err != nil {
		t.Fatal(err)
	}
	got, err := ReadWAV(bytes.NewReader(file.Bytes()), file.Len())
	if err != nil || got.Rate != want.Rate || !slices.Equal(got.Samples, want.Samples) {
		t.Errorf("got %d samples at %d, %v", len(got.Samples), got.Rate, err)
	}
	if _, err := ReadWAV(bytes.NewReader(file.Bytes()), file.Len()-1); err == nil {
		t.Error("a file over the limit was read")
	}
}

// wav is a file with a format and data, after a chunk of odd length.
func wav(coding, channels, rate, bits int, size uint32, data string) string {
	two := func(n int) string { return string([]byte{byte(n), byte(n >> 8)}) }
	four := func(n int) string { return two(n) + two(n>>16) }
	return "RIFF\xff\xff\xff\xffWAVE" + "note" + four(3) + "abc\x00" +
		"fmt " + four(16) + two(coding) + two(channels) + four(rate) + four(0) + two(0) + two(bits) +
		"data" + four(int(size)) + data
}

func TestWAVFilesOfOthers(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		file string
		want string // the samples, or what the error says
	}{
		"one channel":                      {wav(1, 1, 8000, 16, 4, "\x01\x00\xff\xff"), "[1 -1]"},
		"two are mixed":                    {wav(1, 2, 8000, 16, 4, "\x02\x00\x04\x00"), "[3]"},
		"A-law":                            {wav(6, 1, 8000, 8, 2, "\xd5\x55"), "[8 -8]"},
		"mu-law":                           {wav(7, 1, 8000, 8, 1, "\x80"), "[32124]"},
		"a length nobody knew":             {wav(1, 1, 8000, 16, 0xFFFFFFFF, "\x01\x00\x02\x00"), "[1 2]"},
		"half a sample at the end":         {wav(1, 1, 8000, 16, 3, "\x01\x00\x02"), "[1]"},
		"24 bits are refused":              {wav(1, 1, 8000, 24, 0, ""), "write 16-bit PCM"},
		"six channels are refused":         {wav(1, 6, 8000, 16, 0, ""), "write one"},
		"no rate is refused":               {wav(1, 1, 0, 16, 0, ""), "rate is 0"},
		"something else":                   {"ID3", "no WAV"},
		"nothing but a header":             {"RIFF\x00\x00\x00\x00WAVE", "no data"},
		"data before the format":           {"RIFF\x00\x00\x00\x00WAVEdata\x02\x00\x00\x00\x01\x00", "before its format"},
		"a format that is shorter than 16": {"RIFF\x00\x00\x00\x00WAVEfmt \x02\x00\x00\x00\x01\x00", "cut off"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sound, err := ReadWAV(strings.NewReader(tt.file), 1000)
			got := fmt.Sprint(sound.Samples)
			if err != nil {
				got = err.Error()
			}
			if !strings.Contains(got, tt.want) {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func FuzzReadWAV(f *testing.F) {
	f.Add([]byte(wav(1, 1, 8000, 16, 4, "\x01\x00\xff\xff")))
	f.Add([]byte(wav(6, 2, 8000, 8, 5, "\x01\x00\xff\xff\x00")))
	f.Add([]byte(wav(0xFFFE, 2, 8000, 16, 0xFFFFFFFF, "\x01\x00\xff\xff\x00")))
	f.Fuzz(func(t *testing.T, data []byte) {
		sound, err := ReadWAV(bytes.NewReader(data), 4096)
		if err != nil {
			return
		}
		if len(sound.Samples) > len(data) || sound.Rate <= 0 {
			t.Fatalf("%d samples at %d Hz of %d bytes", len(sound.Samples), sound.Rate, len(data))
		}
		var file bytes.Buffer
		if err := WriteWAV(&file, sound); err != nil {
			t.Fatal(err)
		}
		again, err := ReadWAV(&file, 1<<20)
		if err != nil || !slices.Equal(again.Samples, sound.Samples) {
			t.Fatalf("what was written is not what is read: %v", err)
		}
	})
}
