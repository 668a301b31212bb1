// Package spoken calls the program by telephone and talks to it: nothing between the
// caller's mouth and the book is played by a test. It needs a machine that has time,
// so it runs after all others.
package spoken

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

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
}

func open(t *testing.T) *house {
	t.Helper()
	h := &house{TB: t, companion: speech.Start(t), program: speech.Program(t, "frontdesk"), sip: speech.FreeAddress(t)}
	h.web = speech.FreeAddress(t)
	h.settings = []string{
		"FRONTDESK_DATA=" + filepath.Join(t.TempDir(), "data"), "FRONTDESK_LISTEN=" + h.web, "FRONTDESK_HEARING_URL=" + h.companion.URL,
		"FRONTDESK_NOW=2026-11-15T10:00:00+01:00", "FRONTDESK_SIP_LISTEN=udp:" + h.sip, "FRONTDESK_SIP_ALLOW=127.0.0.0/8", "FRONTDESK_SIP_PORTS=" + freeRange(t),
	}
	speech.Run(t, h.settings, h.program, "serve", "--demo")
	speech.Await(t, "http://"+h.web+"/healthz")
	h.run("number", "add", "--tenant", "demo", "--agent", "dental-la-plaza", "--carrier", "sip", "+"+number)
	return h
}

func freeRange(t testing.TB) string {
	_, port, _ := net.SplitHostPort(speech.FreeAddress(t))
	first := 0
	_, _ = fmt.Sscan(port, &first)
	first = min(first+first%2, 65000)
	return fmt.Sprintf("%d-%d", first, first+9)
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

// appointment is one in the book.
type appointment struct {
	ID   string
	At   string `json:"scheduled_at"`
	Of   string `json:"customer_name"`
	What string `json:"service_id"`
}

// latest is the appointment that was made last.
func (h *house) latest() appointment {
	h.Helper()
	var list struct{ Data []appointment }
	out := h.run("capture", "list", "--tenant", "demo", "--agent", "dental-la-plaza", "--kind", "appointment", "--json")
	if err := json.Unmarshal([]byte(out), &list); err != nil || len(list.Data) == 0 {
		h.Fatalf("%v: %s", err, out)
	}
	return list.Data[0]
}

// transcript shows what was heard and said in the last call, once it has ended.
func (h *house) transcript(t *testing.T) {
	t.Helper()
	var key struct{ Key string }
	if err := json.Unmarshal([]byte(h.run("key", "create", "--tenant", "demo", "--mode", "live", "--json")), &key); err != nil {
		t.Fatal(err)
	}
	var list struct {
		Data []struct{ ID string }
	}
	h.get("/calls?limit=1", key.Key, &list)
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
	h.get("/calls/"+list.Data[0].ID, key.Key, &one)
	for _, turn := range one.Call.Transcript.Turns {
		t.Logf("%-6s %v %s", turn.Role, turn.Interrupted, turn.Text)
	}
}

func (h *house) get(path, key string, to any) {
	h.Helper()
	r, err := http.NewRequest("GET", "http://"+h.web+"/v1"+path, nil)
	if err != nil {
		h.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+key)
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
	}{
		{speech.Carmen, "2026-11-19T11:00:00", []string{"jueves", "once", "carmen"}},
		{speech.Emily, "2026-11-20T11:00:00", []string{"friday", "emily"}},
	} {
		t.Run(tt.caller.Language, func(t *testing.T) {
			before := h.latest()
			p := dial(t, h.companion, tt.caller.Language, "sip:"+number+"@"+h.sip)
			t.Cleanup(func() { h.transcript(t) })
			understood := tt.caller.Talk(t, p, func() bool { return h.latest() != before })
			speech.Heard(t, understood, tt.hears...)
			p.command("hangup", "")
			if got := h.latest(); got.At != tt.at || got.What != "limpieza" {
				t.Errorf("booked is %+v", got)
			}
		})
	}
}
