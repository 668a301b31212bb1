package phone_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/carrier"
)

var record = flag.Bool("record", false, "make testdata/recordings anew, which takes a minute")

// recorder writes down what goes between a carrier and a server, a line each.
type recorder struct {
	began time.Time
	path  string // that was posted to last

	mu    sync.Mutex
	lines bytes.Buffer
}

func (r *recorder) trace(direction, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	line := map[string]any{"ms": time.Since(r.began).Milliseconds()}
	post, posted := strings.CutPrefix(text, "POST ")
	switch {
	case posted:
		address, body, _ := strings.Cut(post, " ")
		u, _ := url.Parse(address)
		r.path = map[string]string{"after": "/action"}[filepath.Base(u.Path)]
		if r.path == "" {
			r.path = "/" + filepath.Base(u.Path)
		}
		form, _ := url.ParseQuery(body)
		flat := map[string]string{}
		for key := range form {
			flat[key] = form.Get(key)
		}
		line["dir"], line["path"], line["form"] = "http", r.path, flat
	case direction == "<-" && strings.HasPrefix(text, "<"):
		line["dir"], line["path"], line["response"] = "http", r.path, "…" // tokens are nobody's to read
	case direction == "<-":
		line["dir"], line["frame"] = "out", json.RawMessage(text)
	default:
		line["dir"], line["frame"] = "in", json.RawMessage(text)
	}
	written, err := json.Marshal(line)
	if err == nil {
		r.lines.Write(append(written, '\n'))
	}
}

// TestRecord makes the recordings that TestRecordings replays.
func TestRecord(t *testing.T) {
	if !*record {
		t.Skip("-record makes the recordings anew")
	}
	for name, hold := range map[string]func(*line){
		"booking-interrupted": func(l *line) {
			l.hear()
			must(t, l.Prompt(ctx, "Hello, how much is", "a check-up?"))
			l.hear(12)
			must(t, l.Prompt(ctx, "Fine, I would like to book", "one on Wednesday at noon."))
			l.hear(20)
			l.say("My name is Jane Harper.")
			l.say("No, another one.")
			l.say("Six one two, three four five,", "six seven eight.")
			l.say("Yes, that is right.")
			must(t, l.HangUp(ctx))
		},
		"keys": func(l *line) {
			l.hear()
			l.say("I would like a check-up on Thursday at ten, my name is Tom Reed.")
			l.say("No.")
			must(t, l.Keys(ctx, "612345679#"))
			l.hear()
			must(t, l.Keys(ctx, "1"))
			l.hear()
			must(t, l.HangUp(ctx))
		},
		"socket-dies": func(l *line) {
			l.hear()
			l.say("I would like a check-up on Friday at ten.")
			must(t, l.Lost(ctx))
			l.hear()
			must(t, l.HangUp(ctx))
		},
		"silence": func(l *line) {
			l.hear()
			l.hear() // asked whether they are there
			must(t, l.HangUp(ctx))
		},
	} {
		n := newHouse(t).node()
		r := &recorder{began: time.Now()}
		hold(n.dial(carrier.Twilio, func(o *carrier.Options) { o.Trace, o.Speed = r.trace, 60 }))
		must(t, os.MkdirAll("testdata/recordings", 0o755))
		must(t, os.WriteFile(filepath.Join("testdata/recordings", name+".jsonl"), r.lines.Bytes(), 0o644))
	}
}
