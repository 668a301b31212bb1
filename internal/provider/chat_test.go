package provider_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/provider"
)

const formSchema = `{"properties":{"name":{"type":"string"}},"type":"object"}`

// streamed writes events as a vendor does, and each at once.
func streamed(w http.ResponseWriter, events ...string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range events {
		fmt.Fprintf(w, "data: %s\n\n", e)
		w.(http.Flusher).Flush()
	}
}

// piece is an event that brings a piece of a form.
func piece(arguments string) string {
	return fmt.Sprintf(`{"id":"c1","object":"chat.completion.chunk","created":1,"model":"small","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":%s}}]},"finish_reason":null}]}`, quote(arguments))
}

func opening(tool string) string {
	return fmt.Sprintf(`{"id":"c1","object":"chat.completion.chunk","created":1,"model":"small","choices":[{"index":0,"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":%s,"arguments":""}}]},"finish_reason":null}]}`, quote(tool))
}

func finish(reason string) string {
	return fmt.Sprintf(`{"id":"c1","object":"chat.completion.chunk","created":1,"model":"small","choices":[{"index":0,"delta":{},"finish_reason":%s}]}`, quote(reason))
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func TestAFormComesInPieces(t *testing.T) {
	t.Parallel()
	tests := map[string][]string{
		"as the vendor of the protocol sends it": {opening("fill_form"), piece(`{"na`), piece(`me":"Ana`), piece(` García"}`), finish("stop"), "[DONE]"},
		"with the reason that others give":       {opening("fill_form"), piece(`{"name":"Ana García"}`), finish("tool_calls"), "[DONE]"},
		"without a last word":                    {opening("fill_form"), piece(`{"name":"Ana García"}`), finish("stop")},
		"with usage at the end":                  {opening("fill_form"), piece(`{"name":"Ana García"}`), finish("stop"), `{"id":"c1","choices":[],"usage":{"total_tokens":9}}`, "[DONE]"},
		"beside a second form":                   {opening("fill_form"), piece(`{"name":"Ana García"}`), strings.Replace(piece(`{"name":"Eva"}`), `"tool_calls":[{"index":0`, `"tool_calls":[{"index":1`, 1), finish("stop"), "[DONE]"},
	}
	for name, events := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ask(t, func(w http.ResponseWriter, _ *http.Request) { streamed(w, events...) })
			if err != nil || string(got) != `{"name":"Ana García"}` {
				t.Errorf("got %s, %v", got, err)
			}
		})
	}
}

func TestWhatIsAsked(t *testing.T) {
	t.Parallel()
	var in struct {
		Model    string
		Stream   bool
		Messages []struct{ Role, Content string }
		Tools    []struct {
			Function struct {
				Name       string
				Parameters json.RawMessage
			}
		}
		ToolChoice struct{ Function struct{ Name string } } `json:"tool_choice"`
	}
	var path, key string
	_, err := ask(t, func(w http.ResponseWriter, r *http.Request) {
		path, key = r.URL.Path, r.Header.Get("Authorization")
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		streamed(w, opening("fill_form"), piece(`{}`), finish("stop"), "[DONE]")
	})
	if err != nil {
		t.Fatal(err)
	}
	if path != "/v1/chat/completions" || key != "Bearer sk-1" || in.Model != "small" || !in.Stream {
		t.Errorf("asked %s with %q: %+v", path, key, in)
	}
	if len(in.Tools) != 1 || in.ToolChoice.Function.Name != "fill_form" || in.Tools[0].Function.Name != "fill_form" || string(in.Tools[0].Function.Parameters) != formSchema {
		t.Errorf("the form is asked for as %+v, %+v", in.Tools, in.ToolChoice)
	}
	if got := fmt.Sprint(in.Messages); got != "[{system do it} {user caller: hola\ncaller: soy Ana}]" {
		t.Errorf("the messages are %s", got)
	}
}

func TestAModelThatCannotBeTrusted(t *testing.T) {
	t.Parallel()
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"error":{"message":"sk-1 said: soy Ana"}}`, code)
		}
	}
	events := func(all ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { streamed(w, all...) }
	}
	tests := map[string]struct {
		vendor http.HandlerFunc
		want   error
	}{
		"does not know the key":         {status(401), provider.ErrRefused},
		"has enough of us":              {status(429), provider.ErrRefused},
		"is broken itself":              {status(500), provider.ErrRefused},
		"says so without JSON":          {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(502) }, provider.ErrRefused},
		"sends us elsewhere":            {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/v2", http.StatusTemporaryRedirect) }, provider.ErrRefused},
		"fails in the middle":           {events(opening("fill_form"), piece(`{`), `{"error":{"message":"sk-1 said: soy Ana"}}`), provider.ErrRefused},
		"answers with a page":           {func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>soy Ana</html>") }, provider.ErrBroken},
		"answers with nothing":          {func(http.ResponseWriter, *http.Request) {}, provider.ErrBroken},
		"does not stream":               {func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"choices":[{"message":{}}]}`) }, provider.ErrBroken},
		"sends events that are no JSON": {events(opening("fill_form"), `{"choices":[`, finish("stop")), provider.ErrBroken},
		"breaks the form":               {events(opening("fill_form"), piece(`{"name":"Ana`), finish("stop"), "[DONE]"), provider.ErrBroken},
		"sends a list":                  {events(opening("fill_form"), piece(`["Ana"]`), finish("stop"), "[DONE]"), provider.ErrBroken},
		"sends two forms in one":        {events(opening("fill_form"), piece(`{}{}`), finish("stop"), "[DONE]"), provider.ErrBroken},
		"stops early":                   {events(opening("fill_form"), piece(`{"name":"Ana"}`)), provider.ErrBroken},
		"runs out of words":             {events(opening("fill_form"), piece(`{"name":"Ana"}`), finish("length"), "[DONE]"), provider.ErrBroken},
		"chats":                         {events(`{"id":"c1","choices":[{"index":0,"delta":{"content":"Hello!"},"finish_reason":"stop"}]}`, "[DONE]"), provider.ErrBroken},
		"calls another tool":            {events(opening("cancel_everything"), piece(`{}`), finish("stop"), "[DONE]"), provider.ErrBroken},
		"hangs up":                      {hangUp, provider.ErrBroken},
		"hangs up at once":              {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, provider.ErrAway},
		"never ends the form":           {endless(piece(strings.Repeat("a", 1<<10))), provider.ErrBroken},
		"never ends":                    {endless(`{"id":"c1","choices":[]}`), provider.ErrBroken},
		"never ends a line":             {func(w http.ResponseWriter, _ *http.Request) { pour(w, "data: "+strings.Repeat("a", 1<<16)) }, provider.ErrBroken},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			got, err := askWith(t, tt.vendor, provider.ChatOptions{Log: slog.New(slog.NewTextHandler(&log, nil)), Timeout: time.Minute})
			if got != nil || !errors.Is(err, tt.want) {
				t.Fatalf("got %s, %v; want %v", got, err, tt.want)
			}
			if text := err.Error() + log.String(); strings.Contains(text, "sk-1") || strings.Contains(text, "Ana") {
				t.Errorf("told to others: %s", text)
			}
			if !strings.Contains(log.String(), tt.want.Error()) {
				t.Errorf("the log has %q", log.String())
			}
		})
	}
}

// hangUp breaks the connection off within the form.
func hangUp(w http.ResponseWriter, _ *http.Request) {
	streamed(w, opening("fill_form"), piece(`{"name":`))
	panic(http.ErrAbortHandler)
}

// endless sends an event for as long as somebody reads.
func endless(event string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		streamed(w, opening("fill_form"))
		pour(w, "data: "+event+"\n\n")
	}
}

func pour(w http.ResponseWriter, text string) {
	for {
		if _, err := io.WriteString(w, text); err != nil {
			return
		}
	}
}

func TestASlowModelIsLeft(t *testing.T) {
	t.Parallel()
	tests := map[string]http.HandlerFunc{
		"before it says anything": func(_ http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body) // else the server does not see us leave
			<-r.Context().Done()
		},
		"in the middle of the form": func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			streamed(w, opening("fill_form"), piece(`{"name":"Ana"}`))
			<-r.Context().Done()
		},
	}
	for name, vendor := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, err := askWith(t, vendor, provider.ChatOptions{Timeout: 50 * time.Millisecond}); !errors.Is(err, provider.ErrTimeout) {
				t.Errorf("got %s, %v", got, err)
			}
		})
	}
}

func TestACallerWhoHangsUpIsNoFaultOfTheModel(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		cancel()
		<-r.Context().Done()
	}))
	t.Cleanup(s.Close)
	var log bytes.Buffer
	_, err := chat(t, s, provider.ChatOptions{Log: slog.New(slog.NewTextHandler(&log, nil))}).Fill(ctx, "do it", nil, json.RawMessage(formSchema))
	if !errors.Is(err, context.Canceled) || log.Len() > 0 {
		t.Errorf("got %v, and the log has %q", err, log.String())
	}
}

func TestNothingIsAskedTwice(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	_, err := ask(t, func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.Header().Set("X-Should-Retry", "true")
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	if err == nil || asked.Load() != 1 {
		t.Errorf("asked %d times, %v", asked.Load(), err)
	}
}

func TestAModelThatIsAway(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.NotFoundHandler())
	c := chat(t, s, provider.ChatOptions{})
	s.Close()
	if _, err := c.Fill(context.Background(), "do it", nil, json.RawMessage(formSchema)); !errors.Is(err, provider.ErrAway) {
		t.Errorf("got %v", err)
	}
}

// TestTheEnvironmentIsNotAsked is why the library's own client is not used: it
// would send whatever key it finds there.
func TestTheEnvironmentIsNotAsked(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-other")
	t.Setenv("OPENAI_BASE_URL", "http://192.0.2.1/v1")
	t.Setenv("OPENAI_ORG_ID", "org-other")
	t.Setenv("OPENAI_CUSTOM_HEADERS", "X-Other: org-other")
	var headers string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		headers = fmt.Sprint(r.Header)
		streamed(w, opening("fill_form"), piece(`{}`), finish("stop"), "[DONE]")
	}))
	t.Cleanup(s.Close)
	c, err := provider.NewChat(provider.ChatOptions{URL: s.URL, Model: "small", Client: s.Client()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Fill(context.Background(), "do it", nil, json.RawMessage(formSchema)); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(headers, "other") || strings.Contains(headers, "Authorization") {
		t.Errorf("sent %s", headers)
	}
}

func TestWhichModelMustBeSaid(t *testing.T) {
	t.Parallel()
	for _, o := range []provider.ChatOptions{{Model: "small"}, {URL: "api.example.com", Model: "small"}, {URL: "https://api.example.com/v1"}} {
		if _, err := provider.NewChat(o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}

func ask(t *testing.T, vendor http.HandlerFunc) (json.RawMessage, error) {
	t.Helper()
	return askWith(t, vendor, provider.ChatOptions{})
}

func askWith(t *testing.T, vendor http.HandlerFunc, o provider.ChatOptions) (json.RawMessage, error) {
	t.Helper()
	s := httptest.NewServer(vendor)
	t.Cleanup(s.Close)
	return chat(t, s, o).Fill(context.Background(), "do it", []string{"caller: hola", "caller: soy Ana"}, json.RawMessage(formSchema))
}

func chat(t *testing.T, s *httptest.Server, o provider.ChatOptions) *provider.Chat {
	t.Helper()
	o.URL, o.Model, o.Key, o.Client = s.URL+"/v1/", "small", "sk-1", s.Client()
	s.Client().CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c, err := provider.NewChat(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
