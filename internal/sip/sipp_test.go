package sip

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/test/freeport"
)

// installed finds a program, or skips the test.
func installed(t *testing.T, name string) string {
	t.Helper()
	file, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("NOT COVERED: there is no %s here (scripts/find-sipp --install)", name)
	}
	return file
}

// sippPort is one for sipp, which takes two of the three after it for sound and pictures.
func sippPort(t testing.TB) int {
	t.Helper()
	return freeport.Take(t, 4)
}

// sipp runs a scenario of testdata and holds it to its end.
func sipp(t *testing.T, scenario string, port int, args ...string) {
	t.Helper()
	file, err := filepath.Abs(filepath.Join("testdata", scenario+".xml"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cmd := exec.Command(installed(t, "sipp"), append([]string{
		"-sf", file, "-i", "127.0.0.1", "-p", strconv.Itoa(port), "-mp", strconv.Itoa(port + 1), "-m", "1", "-nostdin",
		"-timeout", "20s", "-timeout_error", "-trace_err", "-error_file", "errors.log",
	}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TERM=dumb")
	if out, err := cmd.CombinedOutput(); err != nil {
		wrong, _ := os.ReadFile(filepath.Join(dir, "errors.log"))
		t.Fatalf("sipp %s: %v\n%s\n%s", scenario, err, wrong, out[max(0, len(out)-2000):])
	}
}

// unhurried waits as in life: sipp takes an answer that is sent again for one to what
// it asked last, and a busy machine is late.
func unhurried(t *timing) {
	t.t1, t.t2, t.request = patient.t1, patient.t2, patient.request
	t.noNotify, t.lastNotify = patient.noNotify, patient.lastNotify
}

func TestSippCalls(t *testing.T) {
	t.Parallel()
	installed(t, "sipp")
	tests := map[string]struct {
		answer func(context.Context, *Call)
		want   int // the outcome of a transfer; 0: there is none
	}{
		"answer": {answer: echo},
		"cancel": {answer: func(_ context.Context, c *Call) { _ = c.Ringing(); <-c.Done() }},
		"refuse": {answer: echo},
		"hold":   {answer: echo},
		"refer":  {want: 200},
		"busy":   {want: 486},
	}
	for scenario, tt := range tests {
		for _, network := range []string{"udp", "tcp"} {
			t.Run(scenario+" by "+network, func(t *testing.T) {
				t.Parallel()
				outcomes := make(chan int, 1)
				answer := tt.answer
				if tt.want != 0 {
					answer = func(ctx context.Context, c *Call) {
						if c.Answer(ctx) == nil {
							status, _ := c.Refer(ctx, "sip:ana@192.0.2.1")
							outcomes <- status
						}
					}
				}
				s := serve(t, Options{Listen: []string{network + ":127.0.0.1:0"}, Answer: answer}, unhurried)
				sipp(t, scenario, sippPort(t), "-t", map[string]string{"udp": "u1", "tcp": "t1"}[network], s.at(network))
				if tt.want != 0 {
					if got := <-outcomes; got != tt.want {
						t.Errorf("the outcome was %d", got)
					}
				}
			})
		}
	}
}

func TestSippCallsManyTimes(t *testing.T) {
	t.Parallel()
	installed(t, "sipp")
	s := serve(t, Options{Ports: portRange(t, 60), MostCalls: 60}, unhurried)
	// A program that was held up begins all its calls at once: they are fewer than the
	// half of ours that one peer may have without an acknowledgement.
	sipp(t, "answer", sippPort(t), "-m", "200", "-r", "100", "-l", "25", s.at("udp"))
}

func TestSippRegisters(t *testing.T) {
	t.Parallel()
	installed(t, "sipp")
	for password, registered := range map[string]bool{"right": true, "wrong": false} {
		t.Run(password, func(t *testing.T) {
			t.Parallel()
			port := sippPort(t)
			ended := make(chan struct{})
			go func() { defer close(ended); sipp(t, "registrar", port) }()
			s := serve(t, Options{Allow: nobody})
			s.SetTrunks([]Trunk{{Registrar: "sip:127.0.0.1:" + strconv.Itoa(port), User: "desk", Password: frontdesk.Secret(password), Number: "1"}})
			state := until(t, s, "decided", func(s TrunkState) bool { return !s.Until.IsZero() || strings.Contains(s.Error, "password") })
			if state.Until.IsZero() == registered {
				t.Errorf("the state is %+v", state)
			}
			<-ended
		})
	}
}
