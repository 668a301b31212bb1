package mcp_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/mcp"
)

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

func TestWhoIsLetIn(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	metadata := `resource_metadata="` + o.url + `/.well-known/oauth-protected-resource/mcp"`
	tests := map[string]struct {
		header string
		status int
		code   string
		answer string // of WWW-Authenticate
	}{
		"with a live key":      {"Bearer " + o.a.live, 200, "", ""},
		"with a test key":      {"bearer " + o.a.test, 200, "", ""},
		"without a key":        {"", 401, "api_key_missing", "Bearer " + metadata},
		"with a password":      {"Basic YTpi", 401, "api_key_missing", "Bearer " + metadata},
		"with what is no key":  {"Bearer nothing", 401, "api_key_invalid", "Bearer " + metadata + `, error="invalid_token"`},
		"with nobody's key":    {"Bearer " + frontdesk.NewKeySecret(true).Reveal(), 401, "api_key_invalid", "Bearer " + metadata + `, error="invalid_token"`},
		"with a key and blank": {"Bearer  " + o.a.live + " ", 200, "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var headers []string
			if tt.header != "" {
				headers = []string{"Authorization", tt.header}
			}
			a := o.post("", ping, headers...)
			if a.status != tt.status || tt.code != "" && !strings.Contains(a.body, `"code":"`+tt.code+`"`) || a.header.Get("WWW-Authenticate") != tt.answer {
				t.Errorf("got %d %s %v", a.status, a.body, a.header)
			}
			if !strings.HasPrefix(a.header.Get("X-Request-Id"), "req_") {
				t.Error("the answer has no request id")
			}
		})
	}
}

func TestOrigins(t *testing.T) {
	t.Parallel()
	here, published := newOffice(t), newOffice(t, func(s *settings) { s.mcp.PublicURL = "https://desk.example.com/" })
	tests := map[string]struct {
		o            *office
		origin, host string
		status       int
	}{
		"a program":                              {here, "", "", 200},
		"a program that uses another name":       {here, "", "desk.example.com", 200},
		"a page of our own":                      {here, here.url, "", 200},
		"a page of another site":                 {here, "https://evil.example.com", "", 403},
		"a page of another port":                 {here, "http://127.0.0.1:1", "", 403},
		"a name that was pointed at us":          {here, "http://evil.example.com", "evil.example.com", 403},
		"no page in particular":                  {here, "null", "", 403},
		"the published page":                     {published, "https://desk.example.com", "desk.example.com", 200},
		"the published page behind a proxy":      {published, "https://desk.example.com", "backend:8080", 200},
		"the published page without encryption":  {published, "http://desk.example.com", "desk.example.com", 403},
		"a name that was pointed at a published": {published, "http://evil.example.com", "evil.example.com", 403},
		"a page on this machine":                 {published, published.url, "", 200},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var headers []string
			if tt.origin != "" {
				headers = append(headers, "Origin", tt.origin)
			}
			if tt.host != "" {
				headers = append(headers, "Host", tt.host)
			}
			if a := tt.o.post(tt.o.a.live, ping, headers...); a.status != tt.status {
				t.Errorf("got %d %s, want %d", a.status, a.body, tt.status)
			}
		})
	}
}

func TestMetadata(t *testing.T) {
	t.Parallel()
	o := newOffice(t, func(s *settings) { s.mcp.PublicURL = "https://desk.example.com" })
	for _, path := range []string{"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"} {
		if !mcp.Serves(path) {
			t.Errorf("%s is not served", path)
		}
		a := o.send("GET "+path, "", "")
		var m struct {
			Resource string
			Scopes   []string `json:"scopes_supported"`
			Methods  []string `json:"bearer_methods_supported"`
		}
		must(t, json.Unmarshal([]byte(a.body), &m))
		if a.status != 200 || m.Resource != "https://desk.example.com/mcp" || len(m.Scopes) != 10 || len(m.Methods) != 1 || a.header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
		if a := o.send("OPTIONS "+path, "", ""); a.status != http.StatusNoContent {
			t.Errorf("OPTIONS %s: %d", path, a.status)
		}
		if a := o.send("POST "+path, "", ""); a.status != http.StatusMethodNotAllowed || a.header.Get("Allow") == "" {
			t.Errorf("POST %s: %d", path, a.status)
		}
	}
	if mcp.Serves("/mcp/") || mcp.Serves("/v1/calls") || !mcp.Serves("/mcp") {
		t.Error("other addresses are served")
	}
}

func TestMessagesThatAreRefused(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	tests := map[string]struct {
		operation, body string
		status          int
		has             string
	}{
		"a look":                      {"GET /mcp", "", 405, "method_not_allowed"},
		"an end":                      {"DELETE /mcp", "", 405, "method_not_allowed"},
		"a message that is too large": {"POST /mcp", strings.Repeat(" ", 1<<20) + ping, 413, "request_too_large"},
		"several at once":             {"POST /mcp", "[" + ping + "," + ping + "]", 400, "batches"},
		"nothing":                     {"POST /mcp", "", 400, `"code":-32600`},
		"no JSON":                     {"POST /mcp", "{", 400, `"id":null`},
		"a method that is not":        {"POST /mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/delete"}`, 400, `"code":-32601`},
		"a tool that is not":          {"POST /mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete_everything"}}`, 200, "unknown tool"},
		"a call of nothing":           {"POST /mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, 400, "params"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if a := o.send(tt.operation, o.a.live, tt.body); a.status != tt.status || !strings.Contains(a.body, tt.has) {
				t.Errorf("got %d %s, want %d with %q", a.status, a.body, tt.status, tt.has)
			} else if !json.Valid([]byte(a.body)) {
				t.Errorf("the answer is no JSON: %s", a.body)
			}
		})
	}
}

func TestResources(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	type list struct {
		CacheScope string
		Resources  []struct{ URI string }
	}
	names := func(key string) (all []string) {
		l := ask[list](o, key, "resources/list", nil)
		if l.CacheScope != "private" {
			t.Errorf("the list may be kept for others: %q", l.CacheScope)
		}
		for _, r := range l.Resources {
			all = append(all, r.URI)
		}
		return all
	}
	if got := strings.Join(names(o.a.live), " "); got != "frontdesk://llms.txt frontdesk://openapi.json frontdesk://agents/alfa-desk" {
		t.Errorf("got %s", got)
	}
	blind := o.key(o.a.Tenant, true, "calls:read")
	if got := strings.Join(names(blind), " "); got != "frontdesk://llms.txt frontdesk://openapi.json" {
		t.Errorf("without agents:read: %s", got)
	}
	type contents struct {
		Contents []struct{ URI, MIMEType, Text string }
	}
	for uri, has := range map[string]string{
		"frontdesk://openapi.json": `"openapi"`, "frontdesk://llms.txt": "# frontdesk customer API", "frontdesk://agents/alfa-desk": `"slug":"alfa-desk"`,
	} {
		got := ask[contents](o, o.a.live, "resources/read", map[string]any{"uri": uri}).Contents
		if len(got) != 1 || !strings.Contains(got[0].Text, has) || got[0].URI != uri {
			t.Errorf("%s: %.200v", uri, got)
		}
	}
	for name, tt := range map[string]struct{ key, uri, has string }{
		"another's agent":     {o.a.live, "frontdesk://agents/beta-desk", "not found"},
		"a way out":           {o.a.live, "frontdesk://agents/..%2Fcalls", "not found"},
		"nothing":             {o.a.live, "frontdesk://passwords", "not found"},
		"without agents:read": {blind, "frontdesk://agents/alfa-desk", "scope_missing"},
	} {
		a := o.post(tt.key, `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"`+tt.uri+`"}}`)
		if a.status != 200 || !strings.Contains(strings.ToLower(a.body), tt.has) || strings.Contains(a.body, `"result"`) {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
}

func TestPrompts(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	type prompts struct {
		Prompts []struct {
			Name, Title, Description string
			Arguments                []struct{ Name string }
		}
	}
	tools := o.tools(o.a.live)
	all := ask[prompts](o, o.a.live, "prompts/list", nil).Prompts
	if len(all) != 3 {
		t.Fatalf("got %v", all)
	}
	for _, p := range all {
		given := map[string]string{}
		for _, a := range p.Arguments {
			given[a.Name] = "given for " + a.Name
		}
		type message struct {
			Messages []struct {
				Role    string
				Content struct{ Text string }
			}
		}
		got := ask[message](o, o.a.live, "prompts/get", map[string]any{"name": p.Name, "arguments": given})
		text := got.Messages[0].Content.Text
		for name := range given {
			if !strings.Contains(text, given[name]) || strings.Contains(text, "{"+name+"}") {
				t.Errorf("%s does not use %s: %s", p.Name, name, text)
			}
		}
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !(r == '_' || r >= 'a' && r <= 'z') }) {
			if _, known := rows[word]; strings.Contains(word, "_") && known && !has(tools, word) {
				t.Errorf("%s names %s, which is no tool", p.Name, word)
			}
		}
	}
	a := o.post(o.a.live, `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"set_up_business","arguments":{"agent":"desk"}}}`)
	if !strings.Contains(a.body, "parameter_missing") {
		t.Errorf("got %s", a.body)
	}
}
