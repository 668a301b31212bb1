package companion

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/audio"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const (
	mostSpeechRequest = 64 << 10
	mostInput         = 4096 // characters
	speechRate        = 24000
	leastSpeed        = 0.25
	mostSpeed         = 4
	// writeWithin is how long a client may take for a piece of speech.
	writeWithin = 30 * time.Second
)

// speechRequest is what a client sends to be spoken.
type speechRequest struct {
	Input    string   `json:"input"`
	Voice    string   `json:"voice"`
	Format   string   `json:"response_format"`
	Speed    *float64 `json:"speed"`
	Language string   `json:"language"` // ours
}

func (s *Server) speak(w http.ResponseWriter, r *http.Request) error {
	in, err := readSpeechRequest(w, r)
	if err != nil {
		return err
	}
	leave, ok := s.mouths.enter()
	if !ok {
		return frontdesk.TooOften(retrySpeaking, "Too many texts wait to be spoken. Try again later.")
	}
	defer leave()
	done, err := s.mouths.turn(r.Context())
	if err != nil {
		return err
	}
	defer done()
	voice, err := s.speaker.voice(r.Context(), in.Voice, in.Language)
	if err != nil {
		return err
	}
	began := s.now()
	out := &speechWriter{w: w, format: in.Format}
	err = s.speaker.speak(r.Context(), plain(in.Input), voice, *in.Speed, out)
	if err != nil && out.begun {
		// The status is sent: that the speech is not whole can only be said by
		// breaking off.
		s.log.Error("speech broke off", "voice", voice, "error", err, "client_gone", r.Context().Err() != nil)
		panic(http.ErrAbortHandler)
	}
	if err != nil {
		return fmt.Errorf("speaking: %w", err)
	}
	s.log.Info("spoke", "voice", voice, "characters", utf8.RuneCountInString(in.Input), "sound", out.spoken(), "took", s.now().Sub(began))
	return nil
}

func readSpeechRequest(w http.ResponseWriter, r *http.Request) (in speechRequest, err error) {
	b, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostSpeechRequest))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return in, &frontdesk.Error{Kind: frontdesk.TooLarge, Code: "request_too_large", Message: "The request is longer than 64 KiB.", Cause: err}
	case err != nil:
		return in, badForm(err)
	}
	if err := json.Unmarshal(b, &in); err != nil {
		return in, &frontdesk.Error{Kind: frontdesk.Invalid, Code: "json_invalid", Message: "Send JSON with input and voice.", Cause: err}
	}
	if in.Speed == nil {
		normal := 1.0
		in.Speed = &normal
	}
	if in.Format == "" {
		in.Format = "wav"
	}
	switch {
	case strings.TrimSpace(plain(in.Input)) == "":
		return in, frontdesk.InvalidParam("input", "Say what to speak.")
	case utf8.RuneCountInString(in.Input) > mostInput:
		return in, frontdesk.InvalidParam("input", "The text is longer than %d characters: send it in parts.", mostInput)
	case in.Format != "wav" && in.Format != "pcm":
		return in, frontdesk.InvalidParam("response_format", "Use wav or pcm, which is 24 kHz, 16 bits, little-endian, one channel.")
	case *in.Speed < leastSpeed || *in.Speed > mostSpeed:
		return in, frontdesk.InvalidParam("speed", "Use a speed from 0.25 to 4.")
	}
	return in, nil
}

// plain is a text without what espeak-ng would take as a command: control
// characters, and phonemes in double brackets.
func plain(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, " "))
	return strings.ReplaceAll(text, "[[", "[ [")
}

// speechWriter writes speech at 24 kHz to a client as it is made.
type speechWriter struct {
	w       http.ResponseWriter
	format  string
	begun   bool
	samples int
	buffer  []byte
}

func (s *speechWriter) spoken() time.Duration {
	return time.Duration(s.samples) * time.Second / speechRate
}

func (s *speechWriter) write(samples []int16) error {
	if len(samples) == 0 {
		return nil
	}
	s.buffer = s.buffer[:0]
	if !s.begun {
		s.begun = true
		s.buffer = s.head()
	}
	s.samples += len(samples)
	s.buffer = audio.EncodePCM(s.buffer, samples)
	control := http.NewResponseController(s.w)
	// A writer that knows no deadlines has none to keep.
	_ = control.SetWriteDeadline(time.Now().Add(writeWithin))
	if _, err := s.w.Write(s.buffer); err != nil {
		return err
	}
	return control.Flush()
}

// head is what comes before the samples. A stream does not know its length: it
// is given as the largest there is, which readers take as "to the end".
func (s *speechWriter) head() []byte {
	if s.format == "pcm" {
		s.w.Header().Set("Content-Type", "audio/pcm")
		return nil
	}
	s.w.Header().Set("Content-Type", "audio/wav")
	var b strings.Builder
	_ = audio.WriteWAV(&b, audio.Sound{Rate: speechRate}) // to memory
	head := []byte(b.String())
	for _, at := range [...]int{4, 40} { // of the file, and of the samples
		copy(head[at:], "\xff\xff\xff\xff")
	}
	return head
}

// speak has a text spoken and writes it as it comes.
func (p *speaker) speak(ctx context.Context, text, voice string, speed float64, out *speechWriter) error {
	sound, wait, err := p.start(ctx, text, voice, speed)
	if err != nil {
		return err
	}
	err = stream(sound, out)
	if err != nil {
		_, _ = io.Copy(io.Discard, sound) // it ends once it has been killed, or has spoken
	}
	if waited := wait(); waited != nil && (err == nil || !out.begun) {
		err = waited
	}
	if err == nil && !out.begun {
		err = errors.New("espeak-ng made no sound")
	}
	return err
}

// stream takes WAV as espeak-ng writes it to a pipe, and writes it on at 24 kHz.
func stream(wav io.Reader, out *speechWriter) error {
	const headSize = 44
	head := make([]byte, headSize)
	if _, err := io.ReadFull(wav, head); err != nil {
		return fmt.Errorf("reading the head of espeak-ng's sound: %w", err)
	}
	form, err := audio.ReadWAV(strings.NewReader(string(head)), headSize)
	if err != nil || string(head[36:40]) != "data" {
		return fmt.Errorf("the head of espeak-ng's sound has another form than expected: %w", err)
	}
	resampler, err := audio.NewResampler(form.Rate, speechRate)
	if err != nil {
		return err
	}
	late := resampler.Delay()
	piece, left := make([]byte, 16<<10), 0
	var in, samples []int16
	for {
		n, err := wav.Read(piece[left:])
		n += left
		in = audio.DecodePCM(in[:0], piece[:n])
		left = copy(piece, piece[n-n%2:n])
		samples = resampler.Write(samples[:0], in)
		if errors.Is(err, io.EOF) {
			samples = resampler.Write(samples, make([]int16, form.Rate*late/speechRate))
		}
		skip := min(late, len(samples))
		late -= skip
		if failed := out.write(samples[skip:]); failed != nil {
			return failed
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}
