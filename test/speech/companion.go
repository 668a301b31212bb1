// Package speech gives tests a mouth and an ear: frontdesk-speech, and callers who
// answer what they have understood.
package speech

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/audio"
	"frontdesk.dev/frontdesk/internal/provider"
	"frontdesk.dev/frontdesk/test/freeport"
)

// Companion is frontdesk-speech, which runs while a test does.
type Companion struct {
	testing.TB
	URL string // its base address
}

// Short says whether there is no time for whole conversations.
func Short() bool { return os.Getenv("FRONTDESK_TEST_SPOKEN") == "short" }

// Start starts it, or skips the test: where the machine is not given to it for itself,
// or its parts are not here.
func Start(t testing.TB) *Companion {
	t.Helper()
	if os.Getenv("FRONTDESK_TEST_SPOKEN") == "" {
		t.Skip("who listens needs the machine for themselves: make spoken")
	}
	models, err := exec.Command("../../scripts/find-speech", "small").Output()
	if err != nil {
		t.Skip("NOT COVERED: Whisper small is not here; scripts/find-speech --install small fetches it")
	}
	if _, err := exec.LookPath("espeak-ng"); err != nil {
		t.Skip("NOT COVERED: espeak-ng is not here; scripts/find-speech --install small installs it")
	}
	listen := freeport.Address(t)
	Run(t, nil, Program(t, "frontdesk-speech"), "--listen", listen, "--models", strings.TrimSpace(string(models)), "--model", "small")
	Await(t, "http://"+listen+"/healthz")
	return &Companion{TB: t, URL: "http://" + listen + "/v1"}
}

// Program builds a program of ours and returns its file.
func Program(t testing.TB, name string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	build := exec.Command("go", "build", "-o", file, "frontdesk.dev/frontdesk/cmd/"+name)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return file
}

// Run runs a program for as long as the test runs. What it prints is shown when the
// test has failed.
func Run(t testing.TB, settings []string, program string, args ...string) {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), settings...)
	var printed bytes.Buffer
	cmd.Stdout, cmd.Stderr = &printed, &printed
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
		if t.Failed() {
			all := printed.String()
			t.Logf("%s:\n%s", filepath.Base(program), all[max(0, len(all)-20_000):])
		}
	})
}

// Await waits until an address answers.
func Await(t testing.TB, address string) {
	t.Helper()
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
			t.Fatalf("%s does not answer: %v", address, err)
		}
	}
}

// Understand makes words of what was heard.
func (c *Companion) Understand(language string, heard audio.Sound) string {
	c.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	_ = w.WriteField("language", language[:2])
	file, err := w.CreateFormFile("file", "heard.wav")
	if err == nil {
		err = audio.WriteWAV(file, heard)
	}
	if err != nil {
		c.Fatal(err)
	}
	w.Close()
	answer, err := http.Post(c.URL+"/audio/transcriptions", w.FormDataContentType(), &body)
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

// Speak makes sound of words, a little slower than we speak ourselves, and by another
// voice.
func (c *Companion) Speak(language, text string, rate int) audio.Sound {
	c.Helper()
	question, err := json.Marshal(map[string]any{"input": text, "voice": "en-us+f2", "language": language, "response_format": "pcm", "speed": .9})
	if err != nil {
		c.Fatal(err)
	}
	answer, err := http.Post(c.URL+"/audio/speech", "application/json", bytes.NewReader(question))
	if err != nil {
		c.Fatal(err)
	}
	defer answer.Body.Close()
	pcm, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		c.Fatalf("%s %v %s", answer.Status, err, pcm)
	}
	samples, err := audio.Resample(audio.DecodePCM(nil, pcm), provider.SpeechRate, rate)
	if err != nil {
		c.Fatal(err)
	}
	return audio.Sound{Rate: rate, Samples: samples}
}
