package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// newLine is an installation with a hairdresser who can be called, and where its
// server is reached. It is a Wednesday morning.
func newLine(t *testing.T, env ...string) (d *desk, server string) {
	d = newDesk(t, append(env, "FRONTDESK_NOW=2026-11-18T10:00:00Z", "FRONTDESK_LOG_FORMAT=json")...)
	d.must("tenant", "create", "rizos")
	d.must("agent", "import", "../../docs/examples/hairdresser-zaragoza.yaml", "--tenant", "rizos")
	d.must("agent", "set", "--tenant", "rizos", "rizos", "--transfer-number", "+34600111222")
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	logged, log := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		defer log.Close()
		ended <- Main(ctx, []string{"serve"}, strings.NewReader(""), io.Discard, log, d.env)
	}()
	t.Cleanup(func() {
		stop()
		<-ended
	})
	lines := json.NewDecoder(logged)
	_, address := waitForReady(t, lines)
	go io.Copy(io.Discard, io.MultiReader(lines.Buffered(), logged))
	return d, "http://" + address
}

const linePublicURL = "FRONTDESK_PUBLIC_URL=https://desk.example.com"

// try calls the hairdresser and says some lines.
func (d *desk) try(server string, lines []string, args ...string) answer {
	d.t.Helper()
	args = append([]string{"phone", "try", "--tenant", "rizos", "--server", server, "--speed", "0"}, args...)
	return d.feed(strings.Join(lines, "\n")+"\n", args...)
}

// leavesNoNumber holds that no number is left behind.
func (d *desk) leavesNoNumber() {
	d.t.Helper()
	hold(d.t, "number list", d.must("number", "list", "--tenant", "rizos"), "has no telephone numbers")
}

func TestPhoneTry(t *testing.T) {
	d, server := newLine(t, linePublicURL)
	booking := []string{"Quiero un corte de pelo el viernes a las doce.", "Ana García.", "Sí.", "Sí, correcto.", "No, gracias. Adiós."}
	tests := map[string]struct {
		lines []string
		args  []string
		has   []string
	}{
		"a booking with Twilio": {
			booking, nil,
			[]string{"+4477009009", "from +447700900100, in test mode, as twilio does", "[es-ES]", "7 7 0 0", "has ended: booking", "┌ appointment", "2026-11-20 12:00", "Ana García", "+447700900100"},
		},
		"a booking with Telnyx": {
			booking,
			[]string{"--carrier", "telnyx", "--from", "+34612345678", "--agent", "rizos"},
			[]string{"as telnyx does", "6 1 2", "has ended: booking", "+34612345678"},
		},
		"English, a number by keys, and a live call": {
			[]string{"Hello, I'd like a haircut on Friday at five.", "John Smith.", "#612345678", "Yes, that's right."},
			[]string{"--from", "anonymous", "--mode", "live"},
			[]string{"from a withheld number, in live mode", "[en-", "John Smith", "has ended: booking", "+34612345678"},
		},
		"what is cut off, and a socket that breaks": {
			[]string{"/cut 9", "¿Qué horario tenéis?", "Quiero un corte el viernes a las doce.", "/drop", "/hang"},
			[]string{"--carrier", "telnyx"},
			[]string{"cut off after 9 characters", " —\n", "The socket is cut", "has ended: "},
		},
		"a person who takes the call": {
			[]string{"Quiero hablar con una persona.", "¿Hola?", "/take", "nobody hears this"},
			[]string{"--carrier", "telnyx"},
			[]string{"+34600111222 is being called", "hears it ring", "The person hears: ", "The two are talking", "has ended: handoff"},
		},
		"a person who does not": {
			[]string{"Quiero hablar con una persona.", "/refuse", "Ana García."},
			nil,
			[]string{"The person hears: ", "7 7 0 0", "has ended: "},
		},
		"a line that is busy": {[]string{"Quiero hablar con una persona.", "/busy"}, nil, []string{"being called", "comunica"}},
		"nobody at home":      {[]string{"Quiero hablar con una persona.", "/no-answer"}, nil, []string{"being called", "contesta"}},
		"what cannot be typed": {
			[]string{"/keys 12a", "/cut much", "/fly", "/help"},
			nil,
			[]string{"has the keys 0 to 9", "/cut takes a number", "There is no /fly", "/no-answer   nobody answers there"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			a := d.try(server, tt.lines, tt.args...)
			if a.code != 0 {
				t.Fatalf("exit code %d\n%s%s", a.code, a.stdout, a.stderr)
			}
			hold(t, "stdout", a.stdout, tt.has...)
		})
	}
	d.leavesNoNumber()
}

func TestPhoneTryInJSON(t *testing.T) {
	d, server := newLine(t, linePublicURL)
	a := d.try(server, []string{"Quiero hablar con una persona.", "/take"}, "--json", "--trace")
	if a.code != 0 {
		t.Fatalf("exit code %d\n%s", a.code, a.stderr)
	}
	var keys []string
	var last map[string]any
	for text := range strings.Lines(a.stdout) {
		last = decode(t, text)
		for key := range last {
			keys = append(keys, key)
		}
	}
	for _, key := range []string{"said", "locale", "kept", "calls", "whispered"} {
		if !slices.Contains(keys, key) {
			t.Errorf("%q is missing in\n%s", key, a.stdout)
		}
	}
	if last["outcome"] != string(frontdesk.Handoff) || last["call_id"] == nil {
		t.Errorf("ended as %v", last)
	}
	hold(t, "trace", a.stderr, "-> POST https://desk.example.com/phone/twilio/voice ", "<- <?xml", `-> {"`, `"type":"text"`)
}

// Ctrl-C hangs up, and leaves nothing behind.
func TestPhoneTryInterrupted(t *testing.T) {
	d, server := newLine(t, linePublicURL)
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	typed, keyboard := io.Pipe()
	defer keyboard.Close()
	out := &untilSaid{text: "?", then: interrupt}
	if code := Main(ctx, []string{"phone", "try", "--tenant", "rizos", "--server", server, "--speed", "0"}, typed, out, io.Discard, d.env); code != 0 {
		t.Errorf("exit code %d\n%s", code, out.String())
	}
	d.leavesNoNumber()
}

// untilSaid is an output that does something once a text was written.
type untilSaid struct {
	bytes.Buffer
	text string
	then func()
}

func (u *untilSaid) Write(text []byte) (int, error) {
	defer func() {
		if strings.Contains(u.String(), u.text) {
			u.then()
		}
	}()
	return u.Buffer.Write(text)
}

func TestPhoneTrySaysWhatIsWrong(t *testing.T) {
	d, server := newLine(t) // without a public address
	tests := map[string]struct {
		args string
		code int
		says string
	}{
		"a server without a public address": {"--server " + server, 1, "most likely FRONTDESK_PUBLIC_URL is not set for it"},
		"no server":                         {"--server http://127.0.0.1:1", 1, "start one with `frontdesk serve --demo`"},
		"what is no server":                 {"--server 127.0.0.1:8080", 2, "expected an address such as http://127.0.0.1:8080"},
		"an unknown agent":                  {"--agent nobody", 1, `no agent "nobody"`},
		"an unknown tenant":                 {"--tenant nobody", 1, `there is no tenant "nobody"`},
		"an unknown mode":                   {"--mode prod", 2, "expected live or test"},
		"an unknown carrier":                {"--carrier sip", 2, "expected twilio or telnyx"},
		"a caller who is no number":         {"--from 600111222", 2, "or anonymous"},
		"a speed that is none":              {"--speed -1", 2, "characters a second"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			a := d.run(append(strings.Fields("phone try --tenant rizos"), strings.Fields(tt.args)...)...)
			if a.code != tt.code {
				t.Errorf("exit code %d; want %d", a.code, tt.code)
			}
			hold(t, "stderr", a.stderr, tt.says)
		})
	}
	d.must("agent", "pause", "--tenant", "rizos", "rizos")
	hold(t, "a paused agent", d.try(server, nil).stderr, "takes no calls in test mode: it is paused")
	d.leavesNoNumber()
}

func TestPhoneTryWithAnotherPublicURL(t *testing.T) {
	d, server := newLine(t, linePublicURL)
	d.env = append([]string{"FRONTDESK_PUBLIC_URL=https://other.example.com"}, d.env...)
	a := d.try(server, nil)
	if a.code != 1 {
		t.Errorf("exit code %d", a.code)
	}
	hold(t, "stderr", a.stderr, "403", "Set FRONTDESK_PUBLIC_URL for this command to what it is for the server")
	d.leavesNoNumber()
}

func TestPublicURLs(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ set, server, want string }{
		"one that is set":      {"https://desk.example.com/", "http://127.0.0.1:8080", "https://desk.example.com"},
		"the loopback address": {"", "http://127.0.0.1:8080", "http://127.0.0.1:8080 http://localhost:8080"},
		"every address":        {"", "http://[::]:8080", "http://localhost:8080 http://127.0.0.1:8080"},
		"the name":             {"", "http://localhost:8080", "http://localhost:8080 http://127.0.0.1:8080"},
		"another machine":      {"", "http://10.0.0.7:8080", "http://10.0.0.7:8080"},
		"one without any port": {"", "http://localhost", "http://localhost"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := strings.Join(publicURLs(tt.set, tt.server), " "); got != tt.want {
				t.Errorf("got %s; want %s", got, tt.want)
			}
		})
	}
}
