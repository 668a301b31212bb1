// Package transcripts holds whole conversations with the receptionist, as texts
// that can be read, and a test that says whatever comes to mind.
//
// A file in conversations is one call: its head says whom, when and what is
// taken already; then come the caller's lines (>, or ~ for silence, keys and
// hanging up) and the receptionist's (<, with [what it asks for] and {buttons});
// at the end stands what must come of it, written by hand (=). The calls go
// through the real sessions, calendar, knowledge base and database:
//
//	script -> Sessions.Hear -> reply -> compared with the file, line by line
//
// go test ./test/transcripts -update writes the receptionist's lines anew. It
// never touches the caller's, nor the expectations: who changes those has
// changed his mind about what is right.
//
// No vendor is asked, and no word of a conversation is anybody's but ours.
package transcripts

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
)

var update = flag.Bool("update", false, "write the receptionist's lines anew")

func TestConversations(t *testing.T) {
	t.Parallel()
	h, all := newHouse(t), scripts(t)
	businesses := make([]*business, len(all))
	for i, s := range all {
		businesses[i] = h.move(t, opening{slug: "t" + strconv.Itoa(i), agent: s.agent, now: s.now, taken: s.taken})
	}
	h.readDocuments(t)
	for i, s := range all {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			p := perform(t, businesses[i], s)
			p.check(t)
			if *update {
				must(t, os.WriteFile("conversations/"+s.name+".txt", []byte(s.text(p.said)), 0o644))
				return
			}
			compare(t, s.said, p.said)
		})
	}
}

// performance is a script as it was played.
type performance struct {
	script
	*talk
	said    []line
	replies []string
	codes   []string // that the receptionist gave out
	turns   int      // of the caller, until something was written down
	ended   bool     // by the receptionist, or by hanging up
	outcome frontdesk.Outcome
	call    frontdesk.Call
	made    []frontdesk.Capture
}

// perform plays a script.
func perform(t *testing.T, b *business, s script) *performance {
	t.Helper()
	p := &performance{script: s}
	var reply reception.Reply
	p.talk, reply = b.ring(t, s.language)
	p.note(reply)
	for n, l := range s.callers() {
		in, pause, err := l.input()
		must(t, err)
		if len(p.codes) > 0 {
			in.Text = strings.ReplaceAll(in.Text, "CODE", p.codes[len(p.codes)-1])
		}
		b.clock.Forward(pause)
		reply := p.hear(t, in)
		if reply.Capture != nil && p.turns == 0 {
			p.turns = n + 1
		}
		p.said = append(p.said, l)
		p.note(reply)
	}
	p.outcome = p.end(t)
	p.remember(t)
	return p
}

// note writes a reply down.
func (p *performance) note(r reception.Reply) {
	if r.Capture != nil && !slices.Contains(p.codes, r.Capture.ConfirmationCode) {
		p.codes = append(p.codes, r.Capture.ConfirmationCode)
	}
	text := p.masked(r.Text)
	p.replies = append(p.replies, text)
	text = strings.ReplaceAll(text, "\n", " / ")
	if r.Expect != "" {
		text += " [" + string(r.Expect) + "]"
	}
	if len(r.QuickReplies) > 0 {
		text += " {" + strings.Join(r.QuickReplies, "|") + "}"
	}
	if r.Ended {
		p.ended = true
		text += " [ended: " + string(r.Outcome) + "]"
	}
	p.said = append(p.said, line{'<', strings.TrimSpace(text)})
}

// masked puts a word in the place of codes, which are different every time.
func (p *performance) masked(text string) string {
	for _, code := range p.codes {
		text = strings.ReplaceAll(text, code, "CODE")
	}
	return text
}

// remember reads what the books say of the call.
func (p *performance) remember(t *testing.T) {
	t.Helper()
	var err error
	p.call, err = p.store.Call(ctx, p.owner, p.id)
	must(t, err)
	var summary struct{ Title, Text string }
	must(t, json.Unmarshal(p.call.Summary, &summary))
	p.said = append(p.said, line{'*', p.masked(summary.Title)}, line{'*', strings.TrimSpace(p.masked(summary.Text))})
	p.made = p.captures(t)
}

// check holds the expectations, and what is true of every call.
func (p *performance) check(t *testing.T) {
	t.Helper()
	if faults := p.faults.String(); faults != "" {
		t.Errorf("the sessions complain: %s", faults)
	}
	if p.call.Outcome != p.outcome {
		t.Errorf("it ended as %s and is recorded as %s", p.outcome, p.call.Outcome)
	}
	for _, w := range p.wants {
		if fault := p.misses(t, w.words); fault != "" {
			t.Errorf("%s: %s", w.line, fault)
		}
	}
	if t.Failed() {
		t.Logf("the conversation:\n%s", p.text(p.said))
	}
}

// misses says in what an expectation is not met.
func (p *performance) misses(t *testing.T, w []string) string {
	t.Helper()
	rest := strings.Join(w[1:], " ")
	switch w[0] {
	case "outcome":
		return differs(string(p.outcome), rest)
	case "language":
		return differs(p.call.Language, rest)
	case "ended":
		return differs(fmt.Sprint(p.ended), "true")
	case "captures", "capture":
		return p.missesCapture(w)
	case "cancelled", "kept":
		return p.missesStatus(t, w[0] == "cancelled", rest)
	case "moved":
		return p.missesMove(t, w[1], w[2])
	case "turns":
		most, err := strconv.Atoi(w[len(w)-1])
		must(t, err)
		if p.turns == 0 || p.turns > most {
			return fmt.Sprintf("it took %d", p.turns)
		}
		return ""
	case "says":
		if !slices.ContainsFunc(p.replies, func(r string) bool { return strings.Contains(r, rest) }) {
			return "it was not said"
		}
		return ""
	case "never":
		if slices.ContainsFunc(p.replies, func(r string) bool { return strings.Contains(r, rest) }) {
			return "it was said"
		}
		return ""
	}
	return "nobody knows what that means"
}

func differs(got, want string) string {
	if got == want {
		return ""
	}
	return "it is " + got
}

// missesCapture looks for what was written down: kind, time, service, name and
// number, * being any. What is not expected must not be there.
func (p *performance) missesCapture(w []string) string {
	expected := 0
	for _, other := range p.wants {
		if other.words[0] == "capture" {
			expected++
		}
	}
	if len(p.made) != expected {
		return fmt.Sprintf("%d were written down: %v", len(p.made), described(p.made))
	}
	if w[0] == "captures" || slices.ContainsFunc(p.made, func(c frontdesk.Capture) bool { return fits(c, w[1:]) }) {
		return ""
	}
	return fmt.Sprintf("written down was %v", described(p.made))
}

func fits(c frontdesk.Capture, w []string) bool {
	for i, value := range parts(c) {
		if i < len(w) && w[i] != "*" && w[i] != value {
			return false
		}
	}
	return true
}

func parts(c frontdesk.Capture) []string {
	values := []string{c.Kind, string(c.ScheduledAt), c.Service, c.CustomerName, c.CustomerPhone}
	for i, v := range values {
		if v == "" {
			values[i] = "-"
		}
	}
	return values
}

func described(all []frontdesk.Capture) (said []string) {
	for _, c := range all {
		said = append(said, fmt.Sprintf("%q", parts(c)))
	}
	return said
}

// missesStatus looks for an appointment that was, or was not, cancelled.
func (p *performance) missesStatus(t *testing.T, cancelled bool, at string) string {
	t.Helper()
	for _, c := range p.appointments(t) {
		if string(c.ScheduledAt) == at && (c.Status == frontdesk.Cancelled) == cancelled {
			return ""
		}
	}
	return "it is not so"
}

// missesMove looks for an appointment that is at another time now.
func (p *performance) missesMove(t *testing.T, from, to string) string {
	t.Helper()
	if p.missesStatus(t, false, from) == "" {
		return "it stands at its old time"
	}
	return p.missesStatus(t, false, to)
}

// compare says where the conversation has changed.
func compare(t *testing.T, want, got []line) {
	t.Helper()
	for i := range max(len(want), len(got)) {
		var w, g line
		if i < len(want) {
			w = want[i]
		}
		if i < len(got) {
			g = got[i]
		}
		if w != g {
			t.Errorf("line %d is\n\t%s\nand was\n\t%s", i+1, g, w)
			return
		}
	}
}

func TestThereAreEnoughConversations(t *testing.T) {
	t.Parallel()
	all := scripts(t)
	if len(all) < 70 {
		t.Errorf("there are %d", len(all))
	}
	spoken := map[string]int{}
	for _, s := range all {
		spoken[s.language]++
	}
	if spoken["es"] < len(all)/3 || spoken["en"] < len(all)/3 {
		t.Errorf("they are %v", spoken)
	}
}
