package provider

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"
	"github.com/openai/openai-go/v3/shared"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/trace"
)

// What can be wrong with a model. The errors of Fill are one of these.
var (
	ErrTimeout = errors.New("no answer in time")
	ErrAway    = errors.New("cannot be reached")
	ErrRefused = errors.New("the answer is a refusal")
	ErrBroken  = errors.New("the answer cannot be used")
)

// Chat asks an OpenAI-compatible endpoint to fill in forms.
type Chat struct {
	completions openai.ChatCompletionService
	host        string
	model       string
	timeout     time.Duration
	log         *slog.Logger
}

// ChatOptions say whom to ask. URL is the base, such as
// https://api.example.com/v1.
type ChatOptions struct {
	URL     string
	Model   string
	Key     frontdesk.Secret // "": none is sent
	Client  *http.Client     // guarded
	Timeout time.Duration    // of one whole answer; 0: 4 s
	Log     *slog.Logger     // nil: nothing is written
}

const (
	formName = "fill_form"
	chatTime = 4 * time.Second

	// maxForm is how many bytes a form may have; maxStream, those of the stream
	// that brings it: servers send a few hundred bytes around every word.
	maxForm   = 64 << 10
	maxStream = 4 << 20
)

// NewChat returns a client. It asks nothing yet.
//
// The service is made without its client, which would take keys, addresses and
// headers from the environment.
func NewChat(o ChatOptions) (*Chat, error) {
	base, err := baseOf("the language model", o.URL, o.Model)
	if err != nil {
		return nil, err
	}
	completions := openai.NewChatCompletionService(
		option.WithBaseURL(base+"/"), option.WithAPIKey(o.Key.Reveal()),
		option.WithHTTPClient(strict(o.Client, maxStream)), option.WithMaxRetries(0),
	)
	return &Chat{completions, hostOf(base), o.Model, cmp.Or(o.Timeout, chatTime), cmp.Or(o.Log, slog.New(slog.DiscardHandler))}, nil
}

// Fill has the model fill in a form for the last of the lines that were said.
// It writes a line to the log when that fails; neither the line nor the error
// holds anything that was said, or the key.
func (c *Chat) Fill(ctx context.Context, instructions string, said []string, schema json.RawMessage) (json.RawMessage, error) {
	start := time.Now()
	ctx, span := trace.Start(ctx, trace.Outside, "asking the model", trace.Text("gen_ai.request.model", c.model), trace.Text("server.address", c.host))
	form, err := c.fill(ctx, instructions, said, schema)
	ended(span, err)
	if err == nil {
		return form, nil
	}
	err = fmt.Errorf("asking the model: %w", err)
	if !errors.Is(err, context.Canceled) {
		c.log.WarnContext(ctx, "the model did not help", "model", c.model, "error", err, "after", time.Since(start).Round(time.Millisecond))
	}
	return nil, err
}

func (c *Chat) fill(ctx context.Context, instructions string, said []string, schema json.RawMessage) (json.RawMessage, error) {
	var parameters shared.FunctionParameters
	if err := json.Unmarshal(schema, &parameters); err != nil {
		return nil, fmt.Errorf("reading the form's schema: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	stream := c.completions.NewStreaming(ctx, c.question(instructions, said, parameters))
	defer stream.Close()
	form, err := gather(stream)
	if err != nil {
		return nil, classify(err)
	}
	return form, nil
}

// question leaves out whatever servers differ about, such as temperatures and
// limits of tokens: the deadline and the bounds are ours already.
func (c *Chat) question(instructions string, said []string, parameters shared.FunctionParameters) openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{
		Model: c.model,
		Messages: []openai.ChatCompletionMessageParamUnion{
			openai.SystemMessage(instructions),
			openai.UserMessage(strings.Join(said, "\n")),
		},
		Tools: []openai.ChatCompletionToolUnionParam{openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
			Name: formName, Description: openai.String("Writes down what the last line says."), Parameters: parameters,
		})},
		ToolChoice: openai.ToolChoiceOptionFunctionToolChoice(openai.ChatCompletionNamedToolChoiceFunctionParam{Name: formName}),
	}
}

// gather puts the form together from the pieces of the stream. A stream that
// stops before it says that it is finished brought half a form, even where the
// half is JSON.
func gather(stream *ssestream.Stream[openai.ChatCompletionChunk]) (json.RawMessage, error) {
	var form bytes.Buffer
	finish := ""
	for stream.Next() {
		for _, choice := range stream.Current().Choices {
			for _, call := range choice.Delta.ToolCalls {
				if choice.Index != 0 || call.Index > 0 {
					continue // one form was asked for
				}
				if name := call.Function.Name; name != "" && name != formName {
					return nil, fmt.Errorf("%w: it calls another tool", ErrBroken)
				}
				form.WriteString(call.Function.Arguments)
			}
			finish = cmp.Or(choice.FinishReason, finish)
		}
		if form.Len() > maxForm {
			return nil, fmt.Errorf("%w: the form is longer than %d bytes", ErrBroken, maxForm)
		}
	}
	switch err := stream.Err(); {
	case err != nil:
		return nil, err
	case finish != "tool_calls" && finish != "stop":
		return nil, fmt.Errorf("%w: it ends early", ErrBroken)
	case form.Len() == 0:
		return nil, fmt.Errorf("%w: there is no form in it", ErrBroken)
	case !isObject(form.Bytes()):
		return nil, fmt.Errorf("%w: the form is not a JSON object", ErrBroken)
	}
	return form.Bytes(), nil
}

func isObject(form []byte) bool {
	return json.Valid(form) && bytes.HasPrefix(bytes.TrimSpace(form), []byte("{"))
}

// classify says which of our errors one is. The vendor's own words are dropped:
// they may repeat the key, or what a caller said.
func classify(err error) error {
	var (
		inside  *ssestream.StreamError
		asked   *url.Error
		network net.Error
	)
	switch {
	case errors.Is(err, context.Canceled):
		return context.Canceled
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		return ErrTimeout
	case errors.As(err, &inside):
		return fmt.Errorf("%w: an error inside the stream", ErrRefused)
	case errors.Is(err, errTooLong):
		return fmt.Errorf("%w: it is longer than %d bytes", ErrBroken, maxStream)
	case errors.As(err, &asked) && errors.Is(err, ErrRefused):
		return asked.Err
	case errors.As(err, &asked):
		return fmt.Errorf("%w: %w", ErrAway, asked.Err)
	case errors.Is(err, ErrBroken):
		return err
	}
	return ErrBroken
}
