package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/signature"
)

func TestEventEmit(t *testing.T) {
	d := newDesk(t)
	d.must("tenant", "create", "lola")
	d.must("agent", "create", "--tenant", "lola", "--slug", "desk", "--vertical", "general", "--name", "Desk")
	emit := func(flags ...string) []string {
		return append([]string{"event", "emit", "--tenant", "lola"}, flags...)
	}
	for _, kind := range []string{"capture.created", "call.completed"} {
		got := d.read(emit("--mode", "test", "--type", kind)...)
		if events := got["events"].([]any); got["type"] != kind || len(events) != 1 {
			t.Errorf("%s: %v", kind, got)
		}
	}
	if events := d.read(emit("--mode", "test", "--type", "capture.created", "--count", "3", "--agent", "desk")...)["events"].([]any); len(events) != 3 {
		t.Errorf("three are %v", events)
	}
	hold(t, "text", d.must(emit("--mode", "test", "--type", "call.completed")...), "Emitted call.completed ")
	for name, c := range map[string]struct {
		flags []string
		code  int
		says  string
	}{
		"no mode":               {[]string{"--type", "call.completed"}, 2, "mode"},
		"no type":               {[]string{"--mode", "test"}, 2, "type"},
		"another mode":          {[]string{"--mode", "both", "--type", "call.completed"}, 2, "expected live or test"},
		"another type":          {[]string{"--mode", "test", "--type", "connection.test"}, 2, "capture.created or call.completed"},
		"none at all":           {[]string{"--mode", "test", "--type", "call.completed", "--count", "0"}, 2, "--count"},
		"an agent that is none": {[]string{"--mode", "test", "--type", "call.completed", "--agent", "ghost"}, 1, "No such agent"},
		"nothing to tell of":    {[]string{"--mode", "live", "--type", "call.completed"}, 1, "nothing in this mode yet"},
	} {
		if got := d.run(emit(c.flags...)...); got.code != c.code || !strings.Contains(got.stderr, c.says) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := d.run("event", "emit", "--tenant", "ghost", "--mode", "test", "--type", "call.completed"); got.code != 1 {
		t.Errorf("a tenant that is none: %+v", got)
	}
}

// shared is a buffer that can be read while it is written.
type shared struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *shared) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(b)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// soon waits for what must come.
func soon(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.After(30 * time.Second)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("%s: not in time", what)
		}
	}
}

// TestListen runs the real server, the real tool and a program that refuses the
// second event.
func TestListen(t *testing.T) {
	d := newDesk(t, "FRONTDESK_LOG_FORMAT=json")
	d.must("tenant", "create", "lola")
	test, _ := d.read("key", "create", "--tenant", "lola", "--mode", "test")["key"].(string)
	live, _ := d.read("key", "create", "--tenant", "lola", "--mode", "live")["key"].(string)
	address := d.serve()

	type arrival struct {
		header http.Header
		body   []byte
	}
	arrived := make(chan arrival, 10)
	local := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		arrived <- arrival{r.Header, body}
		if strings.Contains(string(body), "call.completed") {
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(http.StatusFound)
		}
	}))
	defer local.Close()

	out := &shared{}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	code := make(chan int, 1)
	go func() {
		code <- Main(ctx, []string{"listen", "--server", address + "/", "--forward-to", local.URL + "/hook"}, strings.NewReader(""), out, out, append(d.env, "FRONTDESK_KEY="+test))
	}()
	secret := regexp.MustCompile(`whsec_\S+`)
	soon(t, "the secret", func() bool { return secret.MatchString(out.String()) })
	for _, kind := range []string{"capture.created", "call.completed"} {
		id := d.read("event", "emit", "--tenant", "lola", "--mode", "test", "--type", kind)["events"].([]any)[0].(string)
		got := <-arrived
		if err := signature.Verify(secret.FindString(out.String()), got.header, got.body, time.Now()); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		var event struct{ ID, Type string }
		if err := json.Unmarshal(got.body, &event); err != nil || event.ID != id || event.Type != kind || got.header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %s", kind, got.body)
		}
	}
	soon(t, "both lines", func() bool {
		return regexp.MustCompile(`capture\.created  \S+  200 in `).MatchString(out.String()) && regexp.MustCompile(`call\.completed  \S+  302 in `).MatchString(out.String())
	})
	stop()
	if c := <-code; c != 0 {
		t.Errorf("exit code %d: %s", c, out)
	}
	select {
	case again := <-arrived:
		t.Errorf("a redirect was followed, or an event came twice: %s", again.body)
	default:
	}

	for name, c := range map[string]struct {
		args []string
		code int
		says string
	}{
		"no address":         {[]string{"--key", test}, 2, "forward-to"},
		"an address of none": {[]string{"--key", test, "--forward-to", "3000"}, 2, "expected an address"},
		"no key":             {[]string{"--forward-to", local.URL}, 2, "--key"},
		"a live key":         {[]string{"--key", live, "--forward-to", local.URL, "--server", address}, 1, "Use a test key"},
		"a key of nobody":    {[]string{"--key", "svc_test_x", "--forward-to", local.URL, "--server", address}, 1, ""},
		"no server there":    {[]string{"--key", test, "--forward-to", local.URL, "--server", "http://127.0.0.1:1"}, 1, "cannot be reached"},
	} {
		if got := d.run(append([]string{"listen"}, c.args...)...); got.code != c.code || !strings.Contains(got.stderr, c.says) || strings.Contains(got.stderr, test) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// serve runs the server until the test ends, and says where it is.
func (d *desk) serve() string {
	d.t.Helper()
	ctx, stop := context.WithCancel(d.t.Context())
	logged, log := io.Pipe()
	code := make(chan int, 1)
	go func() {
		defer log.Close()
		code <- Main(ctx, []string{"serve"}, strings.NewReader(""), io.Discard, log, d.env)
	}()
	d.t.Cleanup(func() { stop(); <-code })
	lines := json.NewDecoder(logged)
	_, address := waitForReady(d.t, lines)
	go io.Copy(io.Discard, io.MultiReader(lines.Buffered(), logged))
	return "http://" + address
}
