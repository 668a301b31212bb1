package whisper

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"frontdesk.dev/frontdesk/internal/onnx"
)

// Model is a loaded model. It is not safe for concurrent use.
type Model struct {
	runtime          *onnx.Runtime
	encoder, decoder *onnx.Session
	words            *vocabulary
	marks            marks
	shape            shape
	unsaid           []bool // tokens that are never chosen
	unsaidFirst      []int64
	// positions are what the encoder adds to its frames to tell them apart. Nil:
	// the model is heard with windows of 30 s alone.
	positions []float32
	// projection makes logits of the decoder's states. Nil: the decoder does that.
	projection *projection
}

// shape is how large a model is, as its config.json says.
type shape struct {
	Layers    int64 `json:"decoder_layers"`
	Heads     int64 `json:"decoder_attention_heads"`
	Width     int64 `json:"d_model"`
	Positions int   `json:"max_source_positions"`
	Tokens    int   `json:"max_target_positions"`
	Bins      int   `json:"num_mel_bins"`
}

// marks are the tokens that steer the model.
type marks struct {
	start, previous, transcribe, noTimes, noSpeech, end int64
	languages                                           map[string]int64
}

// Options say how a model is loaded.
type Options struct {
	Threads int // of the encoder and the decoder; 0: one for each core
}

// Load reads a model from its folder.
func Load(r *onnx.Runtime, dir string, o Options) (*Model, error) {
	m := &Model{runtime: r}
	if err := m.readSettings(dir); err != nil {
		return nil, err
	}
	err := m.loadEncoder(filepath.Join(dir, "onnx", "encoder_model_quantized.onnx"), onnx.Options(o))
	if err == nil {
		err = m.loadDecoder(filepath.Join(dir, "onnx", "decoder_model_merged_quantized.onnx"), onnx.Options(o))
	}
	if err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// loadEncoder loads the encoder so that it also takes less than 30 s of sound.
func (m *Model) loadEncoder(file string, o onnx.Options) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("whisper: %w", err)
	}
	b, m.positions, err = shortened(b, m.shape.Positions, m.shape.Width)
	if err != nil {
		return err
	}
	if m.encoder, err = m.runtime.NewSession(b, o); err != nil {
		return fmt.Errorf("whisper: loading %s: %w", file, err)
	}
	return nil
}

// loadDecoder loads the decoder, and by itself the table of words that it ends in.
func (m *Model) loadDecoder(file string, o onnx.Options) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("whisper: %w", err)
	}
	b, table, err := withoutLogits(b, m.shape.Width)
	if err != nil {
		return err
	}
	if table != nil {
		if m.projection, err = newProjection(m.runtime, *table, o); err != nil {
			return err
		}
	}
	if m.decoder, err = m.runtime.NewSession(b, o); err != nil {
		return fmt.Errorf("whisper: loading %s: %w", file, err)
	}
	return nil
}

func (m *Model) readSettings(dir string) (err error) {
	var generation struct {
		Suppress      []int64          `json:"suppress_tokens"`
		BeginSuppress []int64          `json:"begin_suppress_tokens"`
		Languages     map[string]int64 `json:"lang_to_id"`
		End           int64            `json:"eos_token_id"`
	}
	err = errors.Join(
		readJSON(filepath.Join(dir, "config.json"), &m.shape),
		readJSON(filepath.Join(dir, "generation_config.json"), &generation),
	)
	if err != nil {
		return err
	}
	if m.shape.Bins != bins || m.shape.Layers < 1 || m.shape.Heads < 1 || m.shape.Width%m.shape.Heads != 0 || m.shape.Positions != mostSound/hop/framesPerPosition {
		return fmt.Errorf("whisper: %s: the model has another form than Whisper's tiny, base, small or medium", dir)
	}
	if m.words, err = readVocabulary(dir); err != nil {
		return err
	}
	m.marks = marks{end: generation.End, languages: map[string]int64{}}
	for _, language := range Languages {
		m.marks.languages[language] = generation.Languages["<|"+language+"|>"]
		if m.marks.languages[language] == 0 {
			return fmt.Errorf("whisper: %s: the model does not know the language %s", dir, language)
		}
	}
	m.unsaid = make([]bool, m.marks.end+1)
	for _, t := range generation.Suppress {
		if t >= 0 && t < m.marks.end {
			m.unsaid[t] = true
		}
	}
	m.unsaidFirst = generation.BeginSuppress
	return m.findMarks()
}

func (m *Model) findMarks() (err error) {
	find := func(into *int64, names ...string) {
		token, missing := m.words.find(names...)
		*into, err = token, errors.Join(err, missing)
	}
	find(&m.marks.start, "<|startoftranscript|>")
	find(&m.marks.previous, "<|startofprev|>")
	find(&m.marks.transcribe, "<|transcribe|>")
	find(&m.marks.noTimes, "<|notimestamps|>")
	find(&m.marks.noSpeech, "<|nospeech|>", "<|nocaptions|>")
	return err
}

// Close gives the model's memory back.
func (m *Model) Close() {
	for _, s := range [...]*onnx.Session{m.encoder, m.decoder} {
		if s != nil {
			s.Close()
		}
	}
	if m.projection != nil {
		m.projection.session.Close()
	}
}

// Times is how long the parts of hearing took.
type Times struct {
	Mel, Encoder, Decoder time.Duration
	Tokens                int
}

func (t *Times) add(u Times) {
	t.Mel += u.Mel
	t.Encoder += u.Encoder
	t.Decoder += u.Decoder
	t.Tokens += u.Tokens
}
