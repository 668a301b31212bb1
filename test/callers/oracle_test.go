package callers

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/provider"
	"frontdesk.dev/frontdesk/internal/redact"
)

// TestOracle has everybody call again whose lines come with what they mean, with
// a model that answers with just that. All of them must be served: what the rules
// alone miss is hearing, and a good model can bring it. Those of whom this does
// not hold yet stand in unserved.txt.
func TestOracle(t *testing.T) {
	t.Parallel()
	known := readUnserved(t)
	c := callAll(t, ".", oracle, func(t *testing.T, h held, bad []string) {
		switch {
		case len(bad) > 0 && !known[h.ID]:
			t.Errorf("%s is not served by a perfect model", h.ID)
		case len(bad) == 0 && known[h.ID]:
			t.Logf("%s is served now: take it out of unserved.txt", h.ID)
		}
	})
	if c.total == 0 {
		t.Skip("there are no callers")
	}
	t.Log(c)
}

// TestOtherOracle is the same with the scripts of another folder.
func TestOtherOracle(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("EVAL")
	if folder == "" {
		t.Skip("EVAL names no folder")
	}
	t.Log(callAll(t, folder, oracle, nil))
}

// TestLiar has everybody call with a model that answers what nobody has said. As
// many are served as without one.
func TestLiar(t *testing.T) {
	t.Parallel()
	liar := func(t *testing.T, _ script) conversation.Model { return vendor(t, func(string) string { return lies }) }
	if c := callAll(t, ".", liar, nil); c.served < readFloor(t) {
		t.Errorf("%d of %d callers are served", c.served, c.total)
	}
}

// lies are commands that no caller has said.
const lies = `{"language":"en","commands":[
	{"do":"yes"},{"do":"abuse"},{"do":"start","task":"cancel","text":"cancel everything"},
	{"do":"set","slot":"date","value":"2027-01-07","text":"the seventh of January"},{"do":"set","slot":"time","value":"03:15","text":"a quarter past three at night"},
	{"do":"set","slot":"party_size","value":19,"text":"the nineteen of us"},{"do":"set","slot":"name","value":"Mallory Grimes","text":"Mallory Grimes"},
	{"do":"set","slot":"phone","value":"+34600999888","text":"600 999 888"},{"do":"set","slot":"email","value":"mallory@example.com","text":"mallory@example.com"},
	{"do":"note","text":"the manager owes me a free visit"},{"do":"message","topic":"urgent","urgency":"urgent","text":"the house is on fire"},
	{"do":"person","text":"get me the manager this instant"},{"do":"ask","text":"what is the manager's password"},
	{"do":"item","value":"Gold bar","quantity":50,"text":"of pure gold"},{"do":"another","task":"order","text":"and the gold"}]}`

// readUnserved are the ids of callers whom a perfect model does not help yet.
func readUnserved(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile("unserved.txt")
	must(t, err)
	known := map[string]bool{}
	for id := range strings.FieldsSeq(string(text)) {
		known[id] = true
	}
	return known
}

// oracle is a vendor that knows what every line of a caller means. A line that
// it does not know, it leaves to the rules.
func oracle(t *testing.T, s script) conversation.Model {
	t.Helper()
	means := map[string]string{}
	for line, commands := range s.Means {
		means[asHeard(line)] = answer(t, asHeard(line), commands)
	}
	return vendor(t, func(line string) string { return cmp.Or(means[asHeard(line)], "{}") })
}

// answer is a model's for a line. Commands that a script writes without the
// words that say so quote the whole line, as the schema wants.
func answer(t *testing.T, line string, commands json.RawMessage) string {
	t.Helper()
	var all []map[string]any
	must(t, json.Unmarshal(commands, &all))
	for _, c := range all {
		_, quoted := c["text"]
		if do, _ := c["do"].(string); !quoted && slices.Contains([]string{"start", "another", "exclude", "relate"}, do) {
			c["text"] = line
		}
	}
	filled, err := json.Marshal(map[string]any{"commands": all})
	must(t, err)
	return string(filled)
}

// asHeard is a line as a model gets it: nothing that is never written down, and
// in one line.
func asHeard(line string) string {
	line = strings.NewReplacer(redact.Card, " ", redact.IBAN, " ", redact.Identity, " ").Replace(redact.Text(cut(line)))
	return strings.Join(strings.Fields(hearing.OneLine(line)), " ")
}

// vendor is an endpoint of the protocol that answers the caller's last line, and
// the model that asks it.
func vendor(t *testing.T, answer func(line string) string) conversation.Model {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Messages []struct{ Content string } }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || len(in.Messages) == 0 {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		said := in.Messages[len(in.Messages)-1].Content
		line := said[strings.LastIndex(said, "\n")+1:]
		stream(w, answer(strings.TrimPrefix(line, "caller: ")))
	}))
	t.Cleanup(s.Close)
	c, err := provider.NewChat(provider.ChatOptions{URL: s.URL + "/v1", Model: "oracle", Client: s.Client(), Timeout: time.Minute})
	must(t, err)
	return c
}

// stream sends what a model has filled in, as the protocol has it.
func stream(w http.ResponseWriter, filled string) {
	w.Header().Set("Content-Type", "text/event-stream")
	var arguments bytes.Buffer
	json.NewEncoder(&arguments).Encode(filled)
	fmt.Fprintf(w, `data: {"id":"c1","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"fill_form","arguments":%s}}]}}]}`+"\n\n", bytes.TrimSpace(arguments.Bytes()))
	fmt.Fprint(w, `data: {"id":"c1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
}
