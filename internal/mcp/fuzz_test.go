package mcp_test

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// serve hands a message to the handler without a connection between.
func (o *office) serve(key, message string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(message))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+key)
	w := httptest.NewRecorder()
	o.handler.ServeHTTP(w, r)
	return w
}

// odd are values that somebody might send.
var odd = []any{
	nil, "", " ", "x", "null", "../..", "a/b", "a?b=c#d", "%2e%2e", "\x00", "ñandú", "😀", "\u202e", strings.Repeat("a", 5000), "2026-11-17", "2026-11-17T10:00:00",
	"2026-02-30", "019cad94-3fe0-7969-a073-f427873f5494", "00000000-0000-0000-0000-000000000000", "-1", "1e9", 0, 1, -1, 25, 26, 1e300, 0.5, true, false,
	[]any{},
	[]any{1, "a"},
	map[string]any{},
	map[string]any{"a": map[string]any{"b": []any{nil}}},
	map[string]any{"0": []any{9, 18}},
	"'; DROP TABLE calls; --", "Bearer x", "\r\nX: y",
}

// fuzzer makes calls that are nearly right.
type fuzzer struct {
	*rand.Rand
	o     *office
	tools []described
}

func (f *fuzzer) call() string {
	tool := f.tools[f.IntN(len(f.tools))]
	arguments := map[string]any{}
	if f.IntN(4) > 0 {
		for name, v := range rows[tool.Name].arguments(f.o.a, []string{"live", "test"}[f.IntN(2)]) {
			arguments[name] = v
		}
	}
	properties, _ := tool.InputSchema["properties"].(map[string]any)
	names := []string{"limit", "x", ""}
	for name := range properties {
		names = append(names, name)
	}
	slices.Sort(names)
	for range f.IntN(4) {
		name, v := names[f.IntN(len(names))], odd[f.IntN(len(odd))]
		if inner, ok := arguments[name].(map[string]any); ok && f.IntN(2) == 0 {
			changed := map[string]any{[]string{"hours", "services", "policy", "business", "voice"}[f.IntN(5)]: v}
			for k, kept := range inner {
				changed[k] = kept
			}
			v = changed
		}
		arguments[name] = v
	}
	var given any = arguments
	if f.IntN(50) == 0 {
		given = odd[f.IntN(len(odd))]
	}
	text, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool.Name, "arguments": given}})
	if f.IntN(50) == 0 { // a byte that is another
		text[f.IntN(len(text))] = byte(f.IntN(256))
	}
	return string(text)
}

// Ten thousand calls with arguments of all kinds: none of them is a fault of ours.
func TestTenThousandCalls(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	tools := o.tools(o.a.live)
	const streams = 8 // at once: what they write is written together
	for n := range streams {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			t.Parallel()
			f := fuzzer{Rand: rand.New(rand.NewPCG(17, uint64(n))), o: o, tools: tools}
			f.callTimes(t, manyCalls/streams)
		})
	}
	t.Cleanup(func() {
		if strings.Contains(o.log.String(), "level=ERROR") {
			t.Error("something went wrong on the way")
		}
	})
}

// callTimes makes some calls, of which none may fail and many must succeed.
func (f *fuzzer) callTimes(t *testing.T, times int) {
	t.Helper()
	fine := 0
	for range times {
		key := f.o.a.live
		if f.IntN(5) == 0 {
			key = []string{f.o.a.test, f.o.b.live, f.o.b.test}[f.IntN(3)]
		}
		message := f.call()
		w := f.o.serve(key, message)
		body := w.Body.String()
		if w.Code >= 500 || strings.Contains(body, "api_error") || strings.Contains(body, "internal error") {
			t.Fatalf("%s\n%d %s", message, w.Code, body)
		}
		if w.Code == http.StatusOK && !strings.Contains(body, `"isError":true`) && strings.Contains(body, `"result"`) {
			fine++
		}
	}
	if fine < times/10 {
		t.Errorf("only %d of %d calls succeeded: the test asks nonsense", fine, times)
	}
}

// FuzzMessage sends any bytes as a message.
func FuzzMessage(f *testing.F) {
	for _, seed := range []string{
		ping, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","id":"a","method":"tools/list","params":{"cursor":"x"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_calls","arguments":{"limit":3}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"talk_to_receptionist","arguments":{"slug":"alfa-desk","text":"hola"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"frontdesk://agents/alfa-desk"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"weekly_review","arguments":{"agent":"x"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"debug"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"x"},"argument":{"name":"a","value":"b"}}}`,
		`[]`, `{}`, `null`, `0`, ``, `{"jsonrpc":"2.0","id":null,"method":"ping"}`,
	} {
		f.Add(seed)
	}
	o := newOffice(f)
	f.Fuzz(func(t *testing.T, message string) {
		w := o.serve(o.a.live, message)
		if w.Code >= 500 || strings.Contains(w.Body.String(), "api_error") {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}
