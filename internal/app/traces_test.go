package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/config"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/internal/trace/tracetest"
)

// What must not be in any trace.
const (
	callersName  = "Eulalia Montenegro"
	callersPhone = "612345678"
	collectorKey = "collector-key-4711"
	modelKey     = "sk-model-4712"
)

// traced is a process that sends traces, with a receiver of deliveries and a language
// model.
type traced struct {
	*process
	collector *tracetest.Collector
	received  chan *http.Request
	log       *logLines
	key       string
}

// logLines is a log that a test reads.
type logLines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logLines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *logLines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// launchTraced launches a process. change may change its settings.
func launchTraced(t *testing.T, change func(*config.Settings)) *traced {
	t.Helper()
	tr := &traced{collector: tracetest.New(t), received: make(chan *http.Request, 100), log: &logLines{}}
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { tr.received <- r }))
	t.Cleanup(receiver.Close)
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"fill_form","arguments":"{}"}}]},"finish_reason":"stop"}]}`+"\n\n")
	}))
	t.Cleanup(model.Close)
	s, url := settings(t)
	s.TracesURL, s.TracesHeaders, s.WebhookAllow = tr.collector.URL, "x-key="+collectorKey, receiver.URL
	s.ModelURL, s.ModelName, s.ModelKey = model.URL+"/v1", "small", modelKey
	change(&s)
	tr.process = launchLogged(t, s, slog.New(slog.NewTextHandler(tr.log, nil)))
	tr.key, tr.fill = seed(t, storetest.Open(t, url))
	got := tr.ask(patience, "POST /v1/connections", tr.key, fmt.Sprintf(`{"name":"CRM","url":%q,"events":["capture.created","call.completed"]}`, receiver.URL))
	if got.status != http.StatusCreated {
		t.Fatal(got)
	}
	return tr
}

// send sends a request with a header of its own.
func (tr *traced) send(t *testing.T, operation, key, body, header, value string) string {
	t.Helper()
	method, path, _ := strings.Cut(operation, " ")
	req, err := http.NewRequestWithContext(t.Context(), method, "http://"+tr.addr+path, strings.NewReader(body))
	must(t, err)
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set(header, value)
	res, err := http.DefaultClient.Do(req)
	must(t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	must(t, err)
	if res.StatusCode/100 != 2 {
		t.Fatalf("%s: %d %s", operation, res.StatusCode, text)
	}
	return string(text)
}

// keepsSecrets says what was sent to the collector and must not have been.
func (tr *traced) keepsSecrets(t *testing.T) {
	t.Helper()
	raw := tr.collector.Raw()
	for _, secret := range []string{callersName, "Eulalia", callersPhone, "eulalia@example.com", tr.key, "svc_", collectorKey, modelKey, "dolor de muelas", tr.fill["capture_id"]} {
		if bytes.Contains(raw, []byte(secret)) {
			t.Errorf("%q was sent to the collector", secret)
		}
	}
}

func TestARequestIsTracedToItsDelivery(t *testing.T) {
	t.Parallel()
	tr := launchTraced(t, func(*config.Settings) {})
	const upstream, span = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	body := `{"agent":"desk","customer_name":"` + callersName + `","customer_phone":"+34` + callersPhone + `","customer_email":"eulalia@example.com","notes":"dolor de muelas"}`
	tr.send(t, "POST /v1/captures", tr.key, body, "Traceparent", "00-"+upstream+"-"+span+"-00")
	delivered := <-tr.received

	request := tr.collector.Wait(t, "request", tracetest.In(upstream, "POST /captures"))
	if request.Parent != span || request.Failed || request.Attrs["http.route"] != "/v1/captures" || request.Attrs["http.response.status_code"] != 201 ||
		request.Attrs["frontdesk.tenant"] == nil || request.Attrs["frontdesk.live"] != true || !strings.HasPrefix(fmt.Sprint(request.Attrs["frontdesk.request_id"]), "req_") {
		t.Errorf("the request is %+v", request)
	}
	written := tr.collector.Wait(t, "write", func(s tracetest.Span) bool {
		return s.Trace == upstream && s.Parent == request.ID && s.Attrs["db.system.name"] != nil && s.Name == "writing a capture"
	})
	sent := tr.collector.Wait(t, "delivery", func(s tracetest.Span) bool {
		return s.Trace == upstream && s.Name == "delivery" && s.Attrs["http.response.status_code"] == 200
	})
	if sent.Parent != written.ID || sent.Attrs["frontdesk.event"] != "capture.created" || sent.Attrs["frontdesk.attempt"] != 1 {
		t.Errorf("the delivery is %+v, made by %+v", sent, written)
	}
	if got, want := delivered.Header.Get("Traceparent"), "00-"+upstream+"-"+sent.ID+"-01"; got != want {
		t.Errorf("the receiver is told %q, and not %q", got, want)
	}
	// The other connection of this tenant cannot be signed for.
	tr.collector.Wait(t, "failed delivery", func(s tracetest.Span) bool {
		return s.Trace == upstream && s.Name == "delivery" && s.Failed && s.Attrs["error.type"] == frontdesk.ConnectFailed
	})
	for _, line := range []string{"msg=request", "msg=delivery"} {
		eventually(t, line+" with the id of the trace", func() bool {
			for l := range strings.Lines(tr.log.String()) {
				if strings.Contains(l, line) && strings.Contains(l, "trace_id="+upstream) {
					return true
				}
			}
			return false
		})
	}
	if h := tr.collector.Header(); h.Get("X-Key") != collectorKey {
		t.Errorf("the collector was sent the headers %v", h)
	}
	tr.keepsSecrets(t)
}

// A request whose writes are one unit, for the sake of its key, is traced as any.
func TestARequestWithAKeyIsTracedToItsDelivery(t *testing.T) {
	t.Parallel()
	tr := launchTraced(t, func(*config.Settings) {})
	tr.send(t, "POST /v1/captures", tr.key, `{"agent":"desk","customer_name":"`+callersName+`"}`, "Idempotency-Key", "once")
	<-tr.received
	request := tr.collector.Wait(t, "request", tracetest.Named("POST /captures"))
	if request.Parent != "" {
		t.Errorf("the request is %+v", request)
	}
	tr.collector.Wait(t, "delivery", tracetest.In(request.Trace, "delivery"))
	tr.collector.Wait(t, "commit", tracetest.In(request.Trace, "keeping an answer"))
	tr.keepsSecrets(t)
}

// Keys in places where they do not belong are not told on.
func TestMisplacedKeysAreNotTraced(t *testing.T) {
	t.Parallel()
	tr := launchTraced(t, func(*config.Settings) {})
	tr.send(t, "GET /v1/calls?limit=1", tr.key, "", "X-Request-Id", tr.key)
	tr.ask(patience, "GET /v1/calls/"+tr.key, tr.key, "")
	tr.ask(patience, "GET /v1/calls?api_key="+tr.key, tr.key, "")
	tr.ask(patience, "GET /v1/"+tr.key, "", "")
	tr.collector.Wait(t, "list", tracetest.Named("GET /calls"))
	tr.collector.Wait(t, "call that is not there", func(s tracetest.Span) bool {
		return s.Attrs["http.response.status_code"] == 404 && s.Name == "GET /calls/{call_id}"
	})
	tr.collector.Wait(t, "address that is not there", func(s tracetest.Span) bool { return s.Attrs["frontdesk.code"] == "route_not_found" })
	tr.keepsSecrets(t)
}

func TestAConversationIsTracedToItsDelivery(t *testing.T) {
	t.Parallel()
	tr := launchTraced(t, func(*config.Settings) {})
	var begun struct{ Conversation struct{ ID, Token string } }
	must(t, json.Unmarshal([]byte(tr.send(t, "POST /web/alfa/desk/conversations", "", `{}`, "Traceparent", "")), &begun))
	c := begun.Conversation
	at := "/web/conversations/" + c.ID
	tr.send(t, "POST "+at+"/messages", c.Token, `{"text":"Tengo dolor de muelas, ¿tienen aparcamiento para clientes?"}`, "Traceparent", "")
	tr.send(t, "POST "+at+"/messages", c.Token, `{"text":"Soy `+callersName+` y mi número es el `+callersPhone+`, que me llamen"}`, "Traceparent", "")
	// Who does not have the token leaves nothing in the trace.
	if got := tr.ask(patience, "POST "+at+"/messages", "guessed", `{"text":"Hola"}`); got.status != http.StatusNotFound {
		t.Error(got)
	}
	tr.send(t, "POST "+at+"/end", c.Token, `{}`, "Traceparent", "")

	id := strings.ReplaceAll(c.ID, "-", "")
	whole := tr.collector.Wait(t, "conversation", tracetest.In(id, "conversation"))
	if whole.Parent != "" || whole.Attrs["frontdesk.channel"] != "web" || whole.Attrs["frontdesk.conversation"] != c.ID || whole.Attrs["frontdesk.outcome"] == "" || whole.Attrs["frontdesk.language"] != "es" {
		t.Errorf("the conversation is %+v", whole)
	}
	turns := map[string]tracetest.Span{}
	for _, s := range tr.collector.Spans() {
		if s.Trace == id && s.Name == "turn" && s.Parent == whole.ID {
			turns[s.ID] = s
		}
	}
	if len(turns) != 3 {
		t.Errorf("there are %d turns: %+v", len(turns), turns)
	}
	for _, name := range []string{"asking the model", "asking the documents"} {
		if s := tr.collector.Wait(t, name, tracetest.In(id, name)); turns[s.Parent].Attrs["frontdesk.turn"] != "text" || s.Failed {
			t.Errorf("%s is in no turn: %+v", name, s)
		}
	}
	tr.collector.Wait(t, "what is written of a turn", func(s tracetest.Span) bool {
		return turns[s.Parent].ID != "" && s.Attrs["db.system.name"] != nil
	})
	tr.collector.Wait(t, "delivery of the call", func(s tracetest.Span) bool {
		return s.Trace == id && s.Name == "delivery" && s.Attrs["frontdesk.event"] == "call.completed" && !s.Failed
	})
	if !strings.Contains(tr.log.String(), "trace_id="+id) {
		t.Error("the log does not name the trace")
	}
	tr.keepsSecrets(t)
}

func TestWithoutACollectorNothingIsTraced(t *testing.T) {
	t.Parallel()
	tr := launchTraced(t, func(s *config.Settings) { s.TracesURL = "" })
	tr.send(t, "POST /v1/captures", tr.key, `{"agent":"desk"}`, "Traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	if h := (<-tr.received).Header; h.Get("Traceparent") != "" {
		t.Errorf("the receiver is told of a trace: %v", h)
	}
	if strings.Contains(tr.log.String(), "trace_id") {
		t.Errorf("the log names a trace:\n%s", tr.log)
	}
}

// Whatever is wrong with the collector, requests are answered, deliveries are made,
// and a stop ends.
func TestWithABrokenCollectorAllElseGoesOn(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	hangs := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	t.Cleanup(hangs.Close)
	t.Cleanup(func() { close(release) })
	refuses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	t.Cleanup(refuses.Close)
	tests := map[string]struct{ url, says string }{
		"nobody is there": {"http://127.0.0.1:1", "does not take spans"},
		"it refuses":      {refuses.URL, "does not take spans"},
		"it hangs":        {hangs.URL, "the last traces were not sent"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr := launchTraced(t, func(s *config.Settings) { s.TracesURL, s.StopTimeout = tt.url, 20*time.Second })
			tr.send(t, "POST /v1/captures", tr.key, `{"agent":"desk"}`, "Traceparent", "")
			if (<-tr.received).Header.Get("Traceparent") == "" {
				t.Error("the receiver is not told of the trace")
			}
			tr.stop()
			must(t, <-tr.stopped)
			if n := strings.Count(tr.log.String(), tt.says); n != 1 {
				t.Errorf("the log says %d times %q:\n%s", n, tt.says, tr.log)
			}
		})
	}
}
