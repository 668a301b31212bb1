package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

// newTalk is an installation with a business that takes calls.
func newTalk(t *testing.T) *desk {
	d := newDesk(t)
	d.must("tenant", "create", "acme")
	d.must("agent", "create", "--tenant", "acme", "--slug", "desk", "--vertical", "clinic", "--name", "Clínica Acme")
	return d
}

func TestTalkFromAPipe(t *testing.T) {
	d := newTalk(t)
	a := d.feed("Hola\n\n¿A qué hora abren?\n", "talk", "--tenant", "acme", "--agent", "desk", "--mode", "test")
	if a.code != 0 {
		t.Fatalf("exit code %d\n%s", a.code, a.stderr)
	}
	hold(t, "stdout", a.stdout, "Clínica Acme (test mode)", "has ended: ")
	if strings.Contains(a.stdout, "> ") {
		t.Errorf("a pipe is prompted:\n%s", a.stdout)
	}
}

// Who says nothing has not called.
func TestTalkWithoutAWord(t *testing.T) {
	d := newTalk(t)
	if a := d.feed("", "talk", "--tenant", "acme", "--agent", "desk"); a.code != 0 || !strings.Contains(a.stdout, "there is no call") {
		t.Errorf("exit code %d\n%s%s", a.code, a.stdout, a.stderr)
	}
	if a := d.feed("/end\n", "talk", "--tenant", "acme", "--agent", "desk", "--json"); a.code != 0 || !strings.Contains(a.stdout, `"call_id":null`) {
		t.Errorf("exit code %d\n%s%s", a.code, a.stdout, a.stderr)
	}
}

func TestTalkInJSON(t *testing.T) {
	d := newTalk(t)
	a := d.feed("Hello, do you speak English?\n/end\nnobody hears this\n", "talk", "--tenant", "acme", "--agent", "desk", "--language", "en", "--json")
	if a.code != 0 {
		t.Fatalf("exit code %d\n%s", a.code, a.stderr)
	}
	var lines []map[string]any
	for text := range strings.Lines(a.stdout) {
		var line map[string]any
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		lines = append(lines, line)
	}
	if len(lines) != 3 {
		t.Fatalf("printed %d lines:\n%s", len(lines), a.stdout)
	}
	greeting := lines[0]["reply"].(map[string]any)
	if greeting["language"] != "en" || greeting["text"] == "" || lines[1]["conversation"] != lines[0]["conversation"] || lines[1]["ended"] != false {
		t.Errorf("printed:\n%s", a.stdout)
	}
	if lines[2]["call_id"] != lines[0]["conversation"] || lines[2]["outcome"] == nil {
		t.Errorf("ended as %v", lines[2])
	}
}

func TestTalkMisuse(t *testing.T) {
	d := newTalk(t)
	d.must("agent", "pause", "--tenant", "acme", "desk")
	tests := map[string]struct {
		args string
		code int
		says string
	}{
		"an unknown agent":    {"talk --tenant acme --agent nobody", 1, `there is no agent "nobody" of the tenant acme that takes calls`},
		"a paused agent":      {"talk --tenant acme --agent desk", 1, "that takes calls in this mode"},
		"an unknown tenant":   {"talk --tenant nobody --agent desk", 1, `there is no tenant "nobody"`},
		"an unknown mode":     {"talk --tenant acme --agent desk --mode prod", 2, "expected live or test"},
		"an unknown language": {"talk --tenant acme --agent desk --language fr", 2, "expected es or en"},
		"no agent":            {"talk --tenant acme", 2, "missing: --agent"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			a := d.run(strings.Fields(tt.args)...)
			if a.code != tt.code {
				t.Errorf("exit code %d; want %d", a.code, tt.code)
			}
			hold(t, "stderr", a.stderr, tt.says)
		})
	}
}
