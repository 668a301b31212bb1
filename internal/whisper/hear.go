package whisper

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/onnx"
)

// Languages are those that a Model hears and tells apart.
var Languages = []string{"es", "en"}

// Request says how to hear.
type Request struct {
	Language    string  // of Languages; empty: whichever of them it is
	Prompt      string  // words that are likely to be said
	Temperature float64 // 0 always chooses the likeliest word
}

// Heard is what was said.
type Heard struct {
	Text     string
	Language string
	Segments []Segment // one for each window of sound
	Times    Times
}

// Segment is what was said in one window.
type Segment struct {
	Text             string
	Language         string
	Start, End       time.Duration
	AvgLogprob       float64
	NoSpeechProb     float64
	CompressionRatio float64
	looped           bool
}

// Hear turns samples, 16,000 a second, into text. It stops when ctx ends.
func (m *Model) Hear(ctx context.Context, samples []int16, r Request) (Heard, error) {
	heard := Heard{Language: r.Language}
	var said []string
	start := 0
	for _, window := range windows(samples) {
		segment, times, err := m.hearWindow(ctx, window, r)
		if err != nil {
			return Heard{}, err
		}
		segment.Start, segment.End = duration(start), duration(start+len(window))
		start += len(window)
		heard.Segments = append(heard.Segments, segment)
		heard.Times.add(times)
		if heard.Language == "" {
			heard.Language = segment.Language
		}
		if segment.Text != "" {
			said = append(said, segment.Text)
		}
	}
	heard.Text = strings.Join(said, " ")
	return heard, nil
}

func duration(samples int) time.Duration {
	return time.Duration(samples) * time.Second / rate
}

// Doubtful results, by Whisper's own thresholds.
const (
	doubtfulLogprob     = -1.0
	doubtfulCompression = 2.4
	silenceProb         = 0.6
)

// hearWindow hears with a little more context than the sound needs. If the result is
// doubtful it hears once more, with twice the context, and takes the better one.
func (m *Model) hearWindow(ctx context.Context, samples []int16, r Request) (Segment, Times, error) {
	if silent(samples) {
		return Segment{Language: r.Language, NoSpeechProb: 1}, Times{}, nil
	}
	positions := m.shape.Positions
	if m.positions != nil {
		positions = min(positions, positionsFor(len(samples)))
	}
	segment, times, err := m.hearOnce(ctx, samples, positions, r)
	if err != nil || positions == m.shape.Positions || !segment.doubtful() {
		return segment.silenced(), times, err
	}
	again, more, err := m.hearOnce(ctx, samples, min(2*positions, m.shape.Positions), r)
	times.add(more)
	if again.better(segment) {
		segment = again
	}
	return segment.silenced(), times, err
}

// better says whether s is to be trusted more than t.
func (s Segment) better(t Segment) bool {
	if s.doubtful() != t.doubtful() {
		return t.doubtful()
	}
	return s.AvgLogprob > t.AvgLogprob
}

func (s Segment) doubtful() bool {
	return s.looped || s.AvgLogprob < doubtfulLogprob || s.CompressionRatio > doubtfulCompression
}

// silenced takes away what the model says when it hears nobody.
func (s Segment) silenced() Segment {
	if s.NoSpeechProb > silenceProb && s.AvgLogprob < doubtfulLogprob {
		s.Text = ""
	}
	return s
}

// silent says whether there is nothing to hear: the model would make something up.
func silent(samples []int16) bool {
	const faint = 33 // -60 dB of the loudest there is
	for _, s := range samples {
		if s > faint || s < -faint {
			return false
		}
	}
	return true
}

// positionsFor is how many positions of the encoder a sound is given: its own, and
// four seconds of silence, since the model expects some.
func positionsFor(samples int) int {
	const margin, step = 200, 50
	n := samples/(hop*framesPerPosition) + margin
	return (n + step - 1) / step * step
}

func (m *Model) hearOnce(ctx context.Context, samples []int16, positions int, r Request) (Segment, Times, error) {
	var times Times
	began := time.Now()
	mel := logMel(samples, positions*framesPerPosition)
	times.Mel = time.Since(began)

	began = time.Now()
	states, err := m.encode(mel, positions)
	times.Encoder = time.Since(began)
	if err != nil {
		return Segment{}, times, err
	}
	defer states.Close()

	began = time.Now()
	segment, tokens, err := m.decode(ctx, states, r)
	times.Decoder, times.Tokens = time.Since(began), tokens
	return segment, times, err
}

func (m *Model) encode(mel []float32, positions int) (*onnx.Value, error) {
	features, err := m.runtime.Floats(mel, 1, bins, int64(positions*framesPerPosition))
	if err != nil {
		return nil, err
	}
	defer features.Close()
	inputs := map[string]*onnx.Value{"input_features": features}
	if m.positions != nil {
		table, err := m.runtime.Floats(m.positions[:positions*int(m.shape.Width)], int64(positions), m.shape.Width)
		if err != nil {
			return nil, err
		}
		defer table.Close()
		inputs[positionsName] = table
	}
	states, err := m.encoder.Run(inputs, "last_hidden_state")
	if err != nil {
		return nil, fmt.Errorf("whisper: encoding: %w", err)
	}
	return states[0], nil
}

// windows parts sound into pieces of 30 s at most, each at the quietest place of
// its last ten seconds.
func windows(samples []int16) (all [][]int16) {
	const search = 10 * rate
	for len(samples) > mostSound {
		cut := mostSound - search + quietest(samples[mostSound-search:mostSound])
		all = append(all, samples[:cut])
		samples = samples[cut:]
	}
	return append(all, samples)
}

// quietest is the middle of the quietest fifth of a second.
func quietest(samples []int16) (at int) {
	const step, width = rate / 50, rate / 5
	least := math.Inf(1)
	for from := 0; from+width <= len(samples); from += step {
		var power float64
		for _, s := range samples[from : from+width] {
			power += float64(s) * float64(s)
		}
		if power < least {
			least, at = power, from+width/2
		}
	}
	return at
}

// compression is how much shorter a text gets: a text that repeats itself gets
// much shorter.
func compression(text string) float64 {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write([]byte(text)) // to memory, which takes everything
	_ = w.Close()
	return float64(len(text)) / float64(b.Len())
}
