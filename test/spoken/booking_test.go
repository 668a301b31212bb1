// Package spoken calls the program by telephone and talks to it: nothing between the
// caller's mouth and the book is played by a test. It needs a machine that has time,
// so it runs after all others.
package spoken

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/test/freeport"
	"frontdesk.dev/frontdesk/test/speech"
)

const number = "34910000001"

// house is the program, with the companion that hears and speaks for it.
type house struct {
	testing.TB
	companion *speech.Companion
	program   string
	settings  []string
	web, sip  string
	key       string
}

func open(t *testing.T) *house {
	t.Helper()
	h := &house{TB: t, companion: speech.Start(t), program: speech.Program(t, "frontdesk"), sip: freeport.Address(t)}
	ports := freeport.Take(t, 10)
	h.web = freeport.Address(t)
	h.settings = []string{
		"FRONTDESK_DATA=" + filepath.Join(t.TempDir(), "data"), "FRONTDESK_LISTEN=" + h.web, "FRONTDESK_HEARING_URL=" + h.companion.URL,
		"FRONTDESK_NOW=2026-11-15T10:00:00+01:00", "FRONTDESK_SIP_LISTEN=udp:" + h.sip, "FRONTDESK_SIP_ALLOW=127.0.0.0/8", fmt.Sprintf("FRONTDESK_SIP_PORTS=%d-%d", ports, ports+9),
	}
	speech.Run(t, h.settings, h.program, "serve", "--demo")
	speech.Await(t, "http://"+h.web+"/healthz")
	h.run("number", "add", "--tenant", "demo", "--agent", "dental-la-plaza", "--carrier", "sip", "+"+number)
	var made struct{ Key string }
	if err := json.Unmarshal([]byte(h.run("key", "create", "--tenant", "demo", "--mode", "live", "--json")), &made); err != nil {
		t.Fatal(err)
	}
	h.key = made.Key
	return h
}

// run runs a command of the program.
func (h *house) run(args ...string) string {
	h.Helper()
	cmd := exec.Command(h.program, args...)
	cmd.Env = append(os.Environ(), h.settings...)
	out, err := cmd.Output()
	if err != nil {
		h.Fatalf("%v: %v %s", args, err, out)
	}
	return string(out)
}

// booked says whether a cleaning is in the book at a time.
func (h *house) booked(at string) bool {
	h.Helper()
	var list struct {
		Data []struct {
			At   string `json:"scheduled_at"`
			What string `json:"service_id"`
		}
	}
	out := h.run("capture", "list", "--tenant", "demo", "--agent", "dental-la-plaza", "--kind", "appointment", "--json")
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		h.Fatalf("%v: %s", err, out)
	}
	for _, a := range list.Data {
		if a.At == at && a.What == "limpieza" {
			return true
		}
	}
	return false
}

// said waits until another call than before is recorded, and returns what its caller
// was heard to say.
func (h *house) said(t *testing.T, before string) (words string) {
	t.Helper()
	late := time.After(time.Minute)
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	call := h.lastCall()
	for ; call == before; call = h.lastCall() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatal("the call is not recorded")
		}
	}
	var one struct {
		Call struct {
			Transcript struct {
				Turns []struct {
					Role, Text  string
					Interrupted bool
				}
			}
		}
	}
	h.get("/calls/"+call, &one)
	for _, turn := range one.Call.Transcript.Turns {
		t.Logf("%-6s %v %s", turn.Role, turn.Interrupted, turn.Text)
		if turn.Role == "caller" {
			words += strings.ToLower(turn.Text) + "\n"
		}
	}
	return words
}

// lastCall is the call that was recorded last.
func (h *house) lastCall() string {
	h.Helper()
	var list struct {
		Data []struct{ ID string }
	}
	h.get("/calls?limit=1", &list)
	if len(list.Data) == 0 {
		h.Fatal("the demo has no calls")
	}
	return list.Data[0].ID
}

func (h *house) get(path string, to any) {
	h.Helper()
	r, err := http.NewRequest("GET", "http://"+h.web+"/v1"+path, nil)
	if err != nil {
		h.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+h.key)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		h.Fatal(err)
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(to); err != nil {
		h.Fatal(err)
	}
}

func TestSpokenByTelephone(t *testing.T) {
	h := open(t)
	for _, tt := range []struct {
		caller speech.Caller
		at     string
		hears  []string
		heard  []string // one of these words is heard from them, and goes into the transcript
	}{
		{speech.Carmen, "2026-11-19T11:00:00", []string{"jueves", "carmen"}, []string{"limpieza", "jueves", "mañana"}},
		{speech.Emily, "2026-11-19T09:00:00", []string{"thursday", "emily"}, []string{"i would like", "thursday"}},
	} {
		t.Run(tt.caller.Language, func(t *testing.T) {
			if h.booked(tt.at) {
				t.Fatal("the demo has a cleaning then")
			}
			before := h.lastCall()
			p := dial(t, h.companion, tt.caller.Language, "sip:"+number+"@"+h.sip)
			if speech.Short() {
				tt.caller.Begin(t, p)
			} else {
				speech.Heard(t, tt.caller.Talk(t, p, func() bool { return h.booked(tt.at) }), tt.hears...)
			}
			p.command("hangup", "")
			if words := h.said(t, before); !slices.ContainsFunc(tt.heard, func(w string) bool { return strings.Contains(words, w) }) {
				t.Errorf("of %q was heard %q", tt.caller.Wish, words)
			}
		})
	}
}
