package callers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// wantedCapture is what has to stand in the books.
type wantedCapture struct {
	Kind          lines
	Service       []string
	ScheduledAt   []string   `json:"scheduled_at"`
	CustomerName  []string   `json:"customer_name"`
	CustomerPhone string     `json:"customer_phone"`
	PartySize     int        `json:"party_size"`
	Notes         [][]string // of each, one has to be noted
}

// judge says what is not as the caller wanted it.
func (h held) judge() (bad []string) {
	w := h.Wants
	if len(w.Outcome) > 0 && !slices.Contains(w.Outcome, h.outcome) {
		bad = append(bad, fmt.Sprintf("outcome %s, not %s", h.outcome, strings.Join(w.Outcome, "/")))
	}
	bad = append(bad, h.judgeCaptures()...)
	if w.Captures != 0 && len(h.captures) != w.Captures {
		bad = append(bad, fmt.Sprintf("%d captures, not %d", len(h.captures), w.Captures))
	}
	bad = append(bad, h.judgeReplies()...)
	for _, question := range h.missed {
		bad = append(bad, fmt.Sprintf("no answer to %q", question))
	}
	if w.Turns != 0 && h.turns > w.Turns {
		bad = append(bad, fmt.Sprintf("%d turns, not %d", h.turns, w.Turns))
	}
	if h.faults != "" {
		bad = append(bad, "fault: "+h.faults)
	}
	return bad
}

// judgeCaptures judges by the capture that comes nearest.
func (h held) judgeCaptures() (best []string) {
	text := h.Wants.Capture
	switch {
	case text == nil:
		return nil
	case bytes.Equal(text, []byte("null")):
		if len(h.captures) == 0 {
			return nil
		}
		c := h.captures[0]
		return []string{fmt.Sprintf("wrote %v %v %v", c["kind"], c["service"], c["scheduled_at"])}
	case len(h.captures) == 0:
		return []string{"wrote nothing down"}
	}
	var want wantedCapture
	if err := json.Unmarshal(text, &want); err != nil {
		return []string{"wants.capture: " + err.Error()}
	}
	for i, c := range h.captures {
		if bad := h.judgeCapture(want, c); i == 0 || len(bad) < len(best) {
			best = bad
		}
	}
	return best
}

func (h held) judgeCapture(want wantedCapture, c map[string]any) (bad []string) {
	wrong := func(format string, args ...any) { bad = append(bad, fmt.Sprintf(format, args...)) }
	of := func(field string) string { s, _ := c[field].(string); return s }
	if len(want.Kind) > 0 && !slices.Contains(want.Kind, of("kind")) {
		wrong("kind %s", of("kind"))
	}
	if len(want.Service) > 0 && !says(of("service"), want.Service) {
		wrong("service %q", of("service"))
	}
	at := of("scheduled_at")
	if len(want.ScheduledAt) > 0 && !slices.Contains(want.ScheduledAt, at[:min(len(at), 19)]) {
		wrong("at %s, not %s", at, want.ScheduledAt[0])
	}
	if len(want.CustomerName) > 0 && !says(of("customer_name"), want.CustomerName) {
		wrong("name %q", of("customer_name"))
	}
	if want.CustomerPhone != "" && of("customer_phone") != want.CustomerPhone {
		wrong("phone %s", of("customer_phone"))
	}
	switch size, ok := c["party_size"].(float64); {
	case want.PartySize == 0:
	case !ok:
		wrong("party not on the capture")
	case int(size) != want.PartySize:
		wrong("party %v", size)
	}
	noted := strings.Join([]string{of("notes"), of("note"), of("service"), of("details")}, " ")
	if of("call_id") != "" {
		noted += " " + h.summary // the customer can find it from the capture
	}
	for _, words := range want.Notes {
		if !says(noted, words) {
			wrong("note lost: %s", words[0])
		}
	}
	return bad
}

// mostOften is how often a conversation may have the same reply.
const mostOften = 2

func (h held) judgeReplies() (bad []string) {
	var all []string
	times, most := map[string]int{}, 0
	for _, l := range h.log {
		if l.who == "R" {
			all = append(all, l.text)
			times[l.text]++
			most = max(most, times[l.text])
		}
	}
	said := strings.Join(all, " ")
	for _, words := range h.Wants.Hears {
		if !says(said, words) {
			bad = append(bad, fmt.Sprintf("never says %q", words[0]))
		}
	}
	for _, word := range h.Wants.NeverHears {
		if says(said, []string{word}) {
			bad = append(bad, fmt.Sprintf("says %q", word))
		}
	}
	if most > mostOften {
		bad = append(bad, fmt.Sprintf("says the same %d times", most))
	}
	return bad
}

// String is the conversation, and what stands in the books after it.
func (h held) String() string {
	var b strings.Builder
	for _, l := range h.log {
		fmt.Fprintf(&b, "      %s: %s", l.who, l.text)
		if l.expect != "" {
			fmt.Fprintf(&b, "   [%s]", l.expect)
		}
		if l.aloud != "" && l.aloud != l.text {
			fmt.Fprintf(&b, "\n         aloud: %s", l.aloud)
		}
		b.WriteByte('\n')
	}
	for _, c := range h.captures {
		for _, field := range []string{"id", "object", "created_at", "updated_at", "status", "call_id", "agent_id"} {
			delete(c, field)
		}
		text, _ := json.Marshal(c)
		fmt.Fprintf(&b, "      = %s\n", text)
	}
	return b.String()
}
