package provider

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"mime/multipart"
	"net/http"
	"sync/atomic"
	"time"

	"frontdesk.dev/frontdesk/internal/audio"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/trace"
)

// Hearing has an OpenAI-compatible endpoint make words of sound.
type Hearing struct {
	vendor vendor
	// brief says that the endpoint knows only the shorter form of answer, which does
	// not tell how sure it is.
	brief atomic.Bool
}

// SoundOptions say whom to ask. URL is the base, such as https://api.example.com/v1.
type SoundOptions struct {
	URL     string
	Model   string
	Key     frontdesk.Secret // "": none is sent
	Client  *http.Client     // guarded
	Timeout time.Duration    // of one whole answer; 0: 20 s
}

// Heard is what was made of a sound.
type Heard struct {
	Text     string
	Language string // "": not told
	// Sure is how probable its words are, on average, from 0 to 1; 1 where the endpoint
	// does not tell. NoSpeech is how probable it is that nobody speaks.
	Sure, NoSpeech float64
}

// Question is a sound and what is known about it.
type Question struct {
	Sound    audio.Sound
	Language string // that is spoken; "": any
	Hints    string // words that are likely
}

// maxWords is how many bytes an answer may have.
const maxWords = 1 << 20

// NewHearing returns a client. It asks nothing yet.
func NewHearing(o SoundOptions) (*Hearing, error) {
	v, err := newVendor("hearing", o)
	if err != nil {
		return nil, err
	}
	return &Hearing{vendor: v}, nil
}

// Hear makes words of a sound. There may be none in it.
func (h *Hearing) Hear(ctx context.Context, q Question) (Heard, error) {
	ctx, cancel := context.WithTimeout(ctx, h.vendor.timeout)
	defer cancel()
	ctx, span := h.vendor.span(ctx, "hearing", trace.Text("frontdesk.language", q.Language))
	heard, err := h.understand(ctx, q)
	ended(span, err)
	if err != nil {
		return Heard{}, fmt.Errorf("asking what was said: %w", err)
	}
	return heard, nil
}

// understand asks in the form of answer that the endpoint knows.
func (h *Hearing) understand(ctx context.Context, q Question) (Heard, error) {
	heard, err := h.ask(ctx, q, h.brief.Load())
	if errors.Is(err, errBadRequest) && !h.brief.Load() {
		// Some models answer in the shorter form alone.
		if heard, err = h.ask(ctx, q, true); err == nil {
			h.brief.Store(true)
		}
	}
	return heard, err
}

func (h *Hearing) ask(ctx context.Context, q Question, brief bool) (Heard, error) {
	form := map[string]string{"model": h.vendor.model, "response_format": "verbose_json", "language": q.Language, "prompt": q.Hints, "temperature": "0"}
	if brief {
		form["response_format"] = "json"
	}
	body, kind, err := formOf(form, q.Sound)
	if err != nil {
		return Heard{}, err
	}
	answer, err := h.vendor.post(ctx, "/audio/transcriptions", kind, body)
	if err != nil {
		return Heard{}, err
	}
	defer answer.Body.Close()
	var got struct {
		Text     string
		Language string
		Segments []segment
	}
	if err := json.NewDecoder(io.LimitReader(answer.Body, maxWords)).Decode(&got); err != nil {
		if ctx.Err() != nil {
			return Heard{}, classify(ctx.Err())
		}
		return Heard{}, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	heard := Heard{Text: got.Text, Language: got.Language, Sure: 1}
	if len(got.Segments) > 0 {
		heard.Sure, heard.NoSpeech = sureness(got.Segments)
	}
	return heard.trim(q.Sound)
}

// segment is a part of what was heard.
type segment struct {
	Text       string
	AvgLogprob float64 `json:"avg_logprob"`
	NoSpeech   float64 `json:"no_speech_prob"`
}

// sureness is that of all parts together, each as much as it has letters.
func sureness(parts []segment) (sure, noSpeech float64) {
	total, sum := 0.0, 0.0
	noSpeech = 1
	for _, p := range parts {
		weight := float64(len(p.Text) + 1)
		total, sum = total+weight, sum+weight*p.AvgLogprob
		noSpeech = min(noSpeech, p.NoSpeech)
	}
	return min(1, math.Exp(sum/total)), noSpeech
}

// formOf is the body of a question. Fields without a value are left out.
func formOf(fields map[string]string, sound audio.Sound) (body []byte, contentType string, err error) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, name := range []string{"model", "response_format", "language", "prompt", "temperature"} {
		if fields[name] == "" {
			continue
		}
		if err := w.WriteField(name, fields[name]); err != nil {
			return nil, "", err
		}
	}
	file, err := w.CreateFormFile("file", "said.wav")
	if err != nil {
		return nil, "", err
	}
	if err := audio.WriteWAV(file, sound); err != nil {
		return nil, "", err
	}
	if err := w.Close(); err != nil {
		return nil, "", err
	}
	return b.Bytes(), w.FormDataContentType(), nil
}

// vendor is an endpoint.
type vendor struct {
	base    string
	model   string
	key     frontdesk.Secret
	client  *http.Client
	timeout time.Duration
}

func newVendor(what string, o SoundOptions) (vendor, error) {
	const usual = 20 * time.Second
	base, err := baseOf(what, o.URL, o.Model)
	return vendor{base, o.Model, o.Key, o.Client, cmp.Or(o.Timeout, usual)}, err
}

// errBadRequest says that the endpoint does not take what it was asked.
var errBadRequest = fmt.Errorf("%w: it does not take the question", ErrRefused)

// post sends a body and returns the answer, whose body the caller closes. The vendor's
// own words about an error are dropped: they may repeat the key, or what was said.
func (v vendor) post(ctx context.Context, path, contentType string, body []byte) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, v.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", contentType)
	if v.key != "" {
		request.Header.Set("Authorization", "Bearer "+v.key.Reveal())
	}
	answer, err := v.client.Do(request)
	if err != nil {
		return nil, classify(err)
	}
	if answer.StatusCode == http.StatusOK {
		return answer, nil
	}
	answer.Body.Close()
	if answer.StatusCode == http.StatusBadRequest {
		return nil, errBadRequest
	}
	return nil, fmt.Errorf("%w: %s", ErrRefused, answer.Status)
}
