package whisper

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"frontdesk.dev/frontdesk/internal/onnx"
)

const (
	mostTokens = 224 // that are said in one window
	mostPrompt = 223 // that are taken of a prompt
)

// decode says what is in the encoder's states, token by token. It also returns
// how many tokens it took.
func (m *Model) decode(ctx context.Context, states *onnx.Value, r Request) (Segment, int, error) {
	d := &decoding{m: m, sound: states}
	defer d.close()
	segment, logits, err := d.begin(r)
	if err != nil {
		return Segment{}, 0, err
	}
	var tokens []int64
	var sum float64
	for len(tokens) < mostTokens && !segment.looped {
		if err := ctx.Err(); err != nil {
			return Segment{}, 0, err
		}
		token, logprob := m.choose(logits, len(tokens) == 0, r.Temperature)
		sum += logprob
		if token == m.marks.end {
			break
		}
		tokens = append(tokens, token)
		tokens, segment.looped = unloop(tokens)
		if logits, err = d.step(token); err != nil {
			return Segment{}, 0, err
		}
	}
	segment.Text = strings.TrimSpace(m.words.text(tokens))
	segment.AvgLogprob = sum / float64(len(tokens)+1)
	segment.CompressionRatio = compression(segment.Text)
	return segment, len(tokens), nil
}

// decoding is what the decoder remembers between two tokens.
type decoding struct {
	m      *Model
	sound  *onnx.Value            // the encoder's states
	past   map[string]*onnx.Value // past_key_values, by the names of the inputs
	states *onnx.Value            // what the last run gave: states, or logits if there is no projection
	tokens int                    // of the last run
	logits *onnx.Value            // of the projection
}

func (d *decoding) close() {
	for _, v := range d.past {
		v.Close()
	}
	onnx.Close(d.states, d.logits)
}

// begin tells the model what was said before, the language and the task. It
// returns the logits of the first word, and a segment with what is known so far.
func (d *decoding) begin(r Request) (segment Segment, logits []float32, err error) {
	m := d.m
	language, known := m.marks.languages[r.Language]
	segment.Language = r.Language
	if !known {
		if segment.Language, language, err = d.language(); err != nil {
			return segment, nil, err
		}
	}
	prefix := []int64{}
	if prompt := m.words.encode(sentence(r.Prompt)); len(prompt) > 0 {
		prefix = append(prefix, m.marks.previous)
		prefix = append(prefix, prompt[max(0, len(prompt)-mostPrompt):]...)
	}
	start := len(prefix)
	prefix = append(prefix, m.marks.start, language, m.marks.transcribe, m.marks.noTimes)
	if err := d.first(prefix); err != nil {
		return segment, nil, err
	}
	if logits, err = d.at(start); err != nil {
		return segment, nil, err
	}
	segment.NoSpeechProb = probability(logits, m.marks.noSpeech)
	logits, err = d.at(len(prefix) - 1)
	return segment, logits, err
}

// language is the language that the model thinks it hears. It is asked before it is
// told a prompt: after words of one language it would expect that one.
func (d *decoding) language() (language string, token int64, err error) {
	if err := d.first([]int64{d.m.marks.start}); err != nil {
		return "", 0, err
	}
	logits, err := d.at(0)
	if err != nil {
		return "", 0, err
	}
	for _, l := range Languages {
		if t := d.m.marks.languages[l]; token == 0 || logits[t] > logits[token] {
			language, token = l, t
		}
	}
	return language, token, nil
}

// sentence ends a text with a full stop. The model takes a text without one as half
// a sentence, and may go on from its last word.
func sentence(text string) string {
	text = strings.TrimSpace(text)
	if text == "" || strings.ContainsAny(text[len(text)-1:], ".?!") {
		return text
	}
	return text + "."
}

// first runs the decoder on all the tokens that it begins with.
func (d *decoding) first(tokens []int64) error {
	for _, v := range d.past {
		v.Close()
	}
	d.past = map[string]*onnx.Value{}
	for _, name := range d.m.pastNames() {
		empty, err := d.m.runtime.Floats(nil, 1, d.m.shape.Heads, 0, d.m.shape.Width/d.m.shape.Heads)
		if err != nil {
			return err
		}
		d.past[name] = empty
	}
	return d.run(tokens, false, append(d.m.pastNames("decoder"), d.m.pastNames("encoder")...))
}

// step runs the decoder on one more token and returns the logits of the next. What
// it took from the encoder stays.
func (d *decoding) step(token int64) ([]float32, error) {
	if err := d.run([]int64{token}, true, d.m.pastNames("decoder")); err != nil {
		return nil, err
	}
	return d.at(0)
}

// pastNames are the inputs that hold what the decoder remembers.
func (m *Model) pastNames(of ...string) (names []string) {
	if len(of) == 0 {
		of = []string{"decoder", "encoder"}
	}
	for layer := range m.shape.Layers {
		for _, part := range of {
			prefix := "past_key_values." + strconv.FormatInt(layer, 10) + "." + part
			names = append(names, prefix+".key", prefix+".value")
		}
	}
	return names
}

// run runs the decoder and keeps what it remembers under the names of renewed.
func (d *decoding) run(tokens []int64, cached bool, renewed []string) error {
	r := d.m.runtime
	ids, err := r.Integers(tokens, 1, int64(len(tokens)))
	if err != nil {
		return err
	}
	defer ids.Close()
	branch, err := r.Booleans([]bool{cached}, 1)
	if err != nil {
		return err
	}
	defer branch.Close()
	inputs := map[string]*onnx.Value{"input_ids": ids, "use_cache_branch": branch, "encoder_hidden_states": d.sound}
	for name, value := range d.past {
		inputs[name] = value
	}
	asked := []string{"logits"}
	for _, name := range renewed {
		asked = append(asked, "present"+strings.TrimPrefix(name, "past_key_values"))
	}
	outputs, err := d.m.decoder.Run(inputs, asked...)
	if err != nil {
		return fmt.Errorf("whisper: decoding: %w", err)
	}
	onnx.Close(d.states)
	d.states, d.tokens = outputs[0], len(tokens)
	for i, name := range renewed {
		d.past[name].Close()
		d.past[name] = outputs[i+1]
	}
	return nil
}

// at is the logits of one place of the last run: how well each word would come
// next.
func (d *decoding) at(place int) ([]float32, error) {
	row, _, err := d.states.Contents()
	if err != nil {
		return nil, err
	}
	size := len(row) / d.tokens
	row = row[place*size:][:size]
	if p := d.m.projection; p != nil {
		if len(row) != p.width {
			return nil, fmt.Errorf("whisper: the decoder has states of %d, not %d", len(row), p.width)
		}
		onnx.Close(d.logits)
		if d.logits, err = p.logits(d.m.runtime, row); err != nil {
			return nil, err
		}
		if row, _, err = d.logits.Contents(); err != nil {
			return nil, err
		}
	}
	if int64(len(row)) <= d.m.marks.noTimes {
		return nil, fmt.Errorf("whisper: the decoder has %d logits, fewer than it has words", len(row))
	}
	return row, nil
}

// choose is the next token and the logarithm of its probability among those that
// may be said: words and the end.
func (m *Model) choose(logits []float32, first bool, temperature float64) (token int64, logprob float64) {
	logits = logits[:m.marks.end+1]
	if first {
		for _, t := range m.unsaidFirst {
			if t >= 0 && t <= m.marks.end {
				logits[t] = float32(math.Inf(-1))
			}
		}
	}
	best, top := math.Inf(-1), float32(math.Inf(-1))
	for t, unsaid := range m.unsaid {
		if unsaid {
			logits[t] = float32(math.Inf(-1))
			continue
		}
		top = max(top, logits[t])
		weight := float64(logits[t])
		if temperature > 0 {
			// The largest of these is drawn as often as its probability says.
			weight = weight/temperature - math.Log(rand.ExpFloat64())
		}
		if weight > best {
			best, token = weight, int64(t)
		}
	}
	var sum float64
	for _, l := range logits {
		sum += math.Exp(float64(l - top))
	}
	return token, float64(logits[token]-top) - math.Log(sum)
}

// probability is that of one token among all.
func probability(logits []float32, token int64) float64 {
	top := logits[0]
	for _, l := range logits {
		top = max(top, l)
	}
	var sum float64
	for _, l := range logits {
		sum += math.Exp(float64(l - top))
	}
	return math.Exp(float64(logits[token]-top)) / sum
}

// unloop notices when the same few tokens come again and again, as they do when
// the model has lost its place, and leaves them once.
func unloop(tokens []int64) ([]int64, bool) {
	const longest, times, least = 24, 4, 16
	for period := 1; period <= longest; period++ {
		n := max(times, (least+period-1)/period) * period
		if n <= len(tokens) && repeats(tokens[len(tokens)-n:], period) {
			return tokens[:len(tokens)-n+period], true
		}
	}
	return tokens, false
}

func repeats(tokens []int64, period int) bool {
	for i := period; i < len(tokens); i++ {
		if tokens[i] != tokens[i-period] {
			return false
		}
	}
	return true
}
