// Package spoken calls the program by telephone and talks to it: nothing between the
// caller's mouth and the book is played by a test. It needs the companion's models and a
// machine that has time, so `make spoken` runs it alone.
package spoken

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/audio"
	"frontdesk.dev/frontdesk/internal/provider"
	"frontdesk.dev/frontdesk/internal/sip/siptest"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

const number = "34910000001"

// house is the program, with the companion that hears and speaks for it.
type house struct {
	testing.TB
	dir       string
	companion string // its base address
	env       []string
	sip       string
}

// open starts both, or skips the test where that cannot be.
func open(t *testing.T) *house {
	t.Helper()
	if os.Getenv("FRONTDESK_TEST_SPOKEN") == "" || storetest.IsPostgres() {
		t.Skip("it needs the machine for itself: make spoken")
	}
	models, err := exec.Command("../../scripts/find-speech", "small").Output()
	if err != nil {
		t.Skip("NOT COVERED: Whisper small is not here; scripts/find-speech --install small fetches it")
	}
	if _, err := exec.LookPath("espeak-ng"); err != nil {
		t.Skip("NOT COVERED: espeak-ng is not here")
	}
	h := &house{TB: t, dir: t.TempDir(), sip: freeAddress(t)}
	listen := freeAddress(t)
	h.companion = "http://" + listen + "/v1"
	h.start("frontdesk-speech", "--listen", listen, "--models", strings.TrimSpace(string(models)), "--model", "small")
	h.await("http://" + listen + "/healthz")
	web := freeAddress(t)
	h.env = []string{
		"FRONTDESK_DATA=" + filepath.Join(h.dir, "data"), "FRONTDESK_LISTEN=" + web, "FRONTDESK_HEARING_URL=" + h.companion,
		"FRONTDESK_SIP_LISTEN=udp:" + h.sip, "FRONTDESK_SIP_ALLOW=127.0.0.0/8", "FRONTDESK_SIP_PORTS=" + freeRange(t),
	}
	h.start("frontdesk", "serve", "--demo")
	h.await("http://" + web + "/healthz")
	return h
}

func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func freeRange(t testing.TB) string {
	_, port, _ := net.SplitHostPort(freeAddress(t))
	first := 0
	_, _ = fmt.Sscan(port, &first)
	first = min(first+first%2, 65000)
	return fmt.Sprintf("%d-%d", first, first+9)
}

// program builds a program of ours.
func (h *house) program(name string) string {
	h.Helper()
	binary := filepath.Join(h.dir, name)
	if _, err := os.Stat(binary); err == nil {
		return binary
	}
	build := exec.Command("go", "build", "-o", binary, "frontdesk.dev/frontdesk/cmd/"+name)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		h.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// start starts a program for as long as the test runs.
func (h *house) start(name string, args ...string) {
	h.Helper()
	cmd := exec.Command(h.program(name), args...)
	cmd.Env = append(os.Environ(), h.env...)
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		h.Fatal(err)
	}
	h.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
		if h.Failed() {
			h.Logf("%s:\n%s", name, log.String())
		}
	})
}

// run runs a command of the program.
func (h *house) run(args ...string) string {
	h.Helper()
	cmd := exec.Command(h.program("frontdesk"), args...)
	cmd.Env = append(os.Environ(), h.env...)
	out, err := cmd.Output()
	if err != nil {
		h.Fatalf("%v: %v %s", args, err, out)
	}
	return string(out)
}

// await waits until an address answers.
func (h *house) await(address string) {
	h.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		answer, err := http.Get(address)
		if err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			h.Fatalf("%s does not answer: %v", address, err)
		}
	}
}

// caller is somebody with a voice and ears.
type caller struct {
	*house
	language string // es-ES
	phone    *siptest.Phone

	mu    sync.Mutex
	heard []int16 // since they spoke last
	loud  time.Duration
	quiet time.Duration
}

func (h *house) call(language string) *caller {
	c := &caller{house: h, language: language}
	c.phone = siptest.Dial(h, h.sip, "612345678", number, c.hear)
	return c
}

func (c *caller) hear(samples []int16) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heard = append(c.heard, samples...)
	loud := false
	for _, s := range samples {
		loud = loud || s > 500 || s < -500
	}
	if loud {
		c.loud, c.quiet = c.loud+audio.FrameTime, 0
	} else {
		c.quiet += audio.FrameTime
	}
}

// listen waits until we have spoken, and returns what the caller has understood.
func (c *caller) listen(says ...string) string {
	c.Helper()
	late := time.After(time.Minute)
	tick := time.NewTicker(audio.FrameTime)
	defer tick.Stop()
	for done := false; !done; {
		c.mu.Lock()
		done = c.loud > 300*time.Millisecond && c.quiet > 1500*time.Millisecond
		c.mu.Unlock()
		if done {
			break
		}
		select {
		case <-tick.C:
		case <-c.phone.Over():
			done = true
		case <-late:
			c.Fatal("nobody speaks")
		}
	}
	c.mu.Lock()
	heard := c.heard
	c.heard, c.loud, c.quiet = nil, 0, 0
	c.mu.Unlock()
	text := c.understand(heard)
	c.Logf("%s: %s", c.language, text)
	for _, word := range says {
		if !strings.Contains(strings.ToLower(text), word) {
			c.Errorf("the caller does not hear %q in %q", word, text)
		}
	}
	return text
}

// understand has the companion make words of what was heard.
func (c *caller) understand(samples []int16) string {
	c.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	_ = w.WriteField("language", c.language[:2])
	file, err := w.CreateFormFile("file", "heard.wav")
	if err == nil {
		err = audio.WriteWAV(file, audio.Sound{Rate: audio.Rate, Samples: samples})
	}
	if err != nil {
		c.Fatal(err)
	}
	w.Close()
	answer, err := http.Post(c.companion+"/audio/transcriptions", w.FormDataContentType(), &body)
	if err != nil {
		c.Fatal(err)
	}
	defer answer.Body.Close()
	var got struct{ Text string }
	if err := json.NewDecoder(answer.Body).Decode(&got); err != nil {
		c.Fatal(err)
	}
	return got.Text
}

// say speaks, a little slower than the companion would.
func (c *caller) say(text string) {
	c.Helper()
	question, err := json.Marshal(map[string]any{"input": text, "voice": "en-us+f2", "language": c.language, "response_format": "pcm", "speed": .9})
	if err != nil {
		c.Fatal(err)
	}
	answer, err := http.Post(c.companion+"/audio/speech", "application/json", bytes.NewReader(question))
	if err != nil {
		c.Fatal(err)
	}
	defer answer.Body.Close()
	pcm, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		c.Fatalf("%s %v %s", answer.Status, err, pcm)
	}
	samples, err := audio.Resample(audio.DecodePCM(nil, pcm), provider.SpeechRate, audio.Rate)
	if err != nil {
		c.Fatal(err)
	}
	c.mu.Lock()
	c.heard, c.loud, c.quiet = nil, 0, 0
	c.mu.Unlock()
	c.phone.Say(samples)
}

func TestABookingIsSpoken(t *testing.T) {
	h := open(t)
	h.run("number", "add", "--tenant", "demo", "--agent", "dental-la-plaza", "--carrier", "sip", "+"+number)
	count := func() int {
		return strings.Count(h.run("capture", "list", "--tenant", "demo", "--agent", "dental-la-plaza", "--kind", "appointment", "--json"), "Carmen Ortega")
	}
	for _, tt := range []struct {
		language, wish, name, own, yes string
		greeting, reading              string // words that the caller hears
	}{
		{"es-ES", "Quiero una limpieza dental el jueves a las once de la mañana.", "Me llamo Carmen Ortega.", "Sí, este número.", "Sí, es correcto.", "ayudarle", "jueves"},
		{"en-GB", "I would like to book a cleaning on Friday at eleven in the morning.", "My name is Carmen Ortega.", "Yes, please.", "Yes, correct.", "", "friday"},
	} {
		before := count()
		c := h.call(tt.language)
		c.listen(tt.greeting)
		c.say(tt.wish)
		c.listen()
		c.say(tt.name)
		c.listen()
		c.say(tt.own)
		c.listen(tt.reading)
		c.say(tt.yes)
		if c.listen(); count() == before { // who is not sure to have heard a yes asks again
			c.say(tt.yes)
			c.listen()
		}
		c.phone.HangUp()
		if after := count(); after != before+1 {
			t.Errorf("%s: nothing was booked", tt.language)
		}
	}
}
