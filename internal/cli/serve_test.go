package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestServe(t *testing.T) {
	d := newDesk(t, "FRONTDESK_LOG_FORMAT=json", "FRONTDESK_LISTN=:1", "FRONTDESK_NOW=2026-03-01T10:00:00Z")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	logged, log := io.Pipe()
	code := make(chan int, 1)
	go func() {
		defer log.Close()
		code <- Main(ctx, []string{"serve"}, strings.NewReader(""), io.Discard, log, d.env)
	}()
	lines := json.NewDecoder(logged)
	seen, address := waitForReady(t, lines)
	hold(t, "log", seen, "FRONTDESK_LISTN is not a setting", "FRONTDESK_NOW is set", `"level":"WARN"`)
	go io.Copy(io.Discard, io.MultiReader(lines.Buffered(), logged))
	res, err := http.Get("http://" + address + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("/healthz: %s", res.Status)
	}
	if c, status, message := d.findingsOf("--listen", address); status["listen"] != fine {
		t.Errorf("the doctor does not know us: %d %s", c, message["listen"])
	}
	stop()
	if c := <-code; c != 0 {
		t.Errorf("exit code %d", c)
	}
}

// waitForReady reads the log up to the line that says where we listen.
func waitForReady(t *testing.T, lines *json.Decoder) (seen, address string) {
	t.Helper()
	for {
		var line json.RawMessage
		if err := lines.Decode(&line); err != nil {
			t.Fatalf("the log ended: %v\n%s", err, seen)
		}
		seen += string(line) + "\n"
		var fields struct{ Msg, Listen string }
		if err := json.Unmarshal(line, &fields); err != nil {
			t.Fatal(err)
		}
		if fields.Msg == "ready" {
			return seen, fields.Listen
		}
	}
}

func TestServeSaysWhatIsWrong(t *testing.T) {
	d := newDesk(t)
	var stderr bytes.Buffer
	if code := Main(t.Context(), []string{"serve", "--listen", "203.0.113.1:1"}, strings.NewReader(""), io.Discard, &stderr, d.env); code != 1 {
		t.Errorf("exit code %d", code)
	}
	hold(t, "stderr", stderr.String(), "203.0.113.1:1")
}
