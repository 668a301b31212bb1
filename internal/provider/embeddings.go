// Package provider speaks to vendors of language models: at the operator's
// choice, never needed. Whoever uses it says in an interface of its own what it
// needs, and goes on without when it fails.
package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/trace"
)

// Embeddings asks an OpenAI-compatible endpoint for the vectors of texts.
type Embeddings struct {
	url    string
	model  string
	key    frontdesk.Secret
	client *http.Client
}

// EmbeddingsOptions say whom to ask. URL is the base, such as
// https://api.example.com/v1.
type EmbeddingsOptions struct {
	URL    string
	Model  string
	Key    frontdesk.Secret // "": none is sent
	Client *http.Client     // guarded
}

// maxVectors is how many bytes an answer may have: 64 texts of 4,096 numbers.
const maxVectors = 16 << 20

// NewEmbeddings returns a client. It asks nothing yet.
func NewEmbeddings(o EmbeddingsOptions) (*Embeddings, error) {
	base, err := baseOf("embeddings", o.URL, o.Model)
	if err != nil {
		return nil, err
	}
	return &Embeddings{base + "/embeddings", o.Model, o.Key, o.Client}, nil
}

// baseOf is the address that the paths of an endpoint are added to, once whom to
// ask has been said in full.
func baseOf(what, base, model string) (string, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return "", fmt.Errorf("the address for %s must be like https://api.example.com/v1", what)
	}
	if model == "" {
		return "", fmt.Errorf("%s: the name of the model is missing", what)
	}
	return strings.TrimSuffix(base, "/"), nil
}

// Embed returns one vector for each text, in their order, all of one length.
func (e *Embeddings) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	ctx, span := trace.Start(ctx, trace.Outside, "asking for embeddings", trace.Number("frontdesk.texts", len(texts)), trace.Text("gen_ai.request.model", e.model))
	vectors, err := e.ask(ctx, texts)
	ended(span, err)
	return vectors, err
}

func (e *Embeddings) ask(ctx context.Context, texts []string) ([][]float32, error) {
	body, err := json.Marshal(map[string]any{"model": e.model, "input": texts, "encoding_format": "float"})
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	if e.key != "" {
		request.Header.Set("Authorization", "Bearer "+e.key.Reveal())
	}
	answer, err := e.client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("asking for embeddings: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("asking for embeddings: the answer is %s", answer.Status)
	}
	var got struct {
		Data []struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
	if err := json.NewDecoder(io.LimitReader(answer.Body, maxVectors)).Decode(&got); err != nil {
		return nil, fmt.Errorf("reading embeddings: %w", err)
	}
	vectors := make([][]float32, len(texts))
	for _, d := range got.Data {
		if d.Index < 0 || d.Index >= len(vectors) {
			return nil, fmt.Errorf("reading embeddings: there is no text %d", d.Index)
		}
		vectors[d.Index] = d.Embedding
	}
	for i, v := range vectors {
		if len(v) == 0 || len(v) != len(vectors[0]) {
			return nil, fmt.Errorf("reading embeddings: text %d has %d numbers, the first has %d", i, len(v), len(vectors[0]))
		}
	}
	return vectors, nil
}
