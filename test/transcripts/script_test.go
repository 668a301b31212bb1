package transcripts

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// script is a golden conversation as its file has it.
type script struct {
	name     string // of the file
	head     []string
	agent    string
	now      string
	language string
	taken    []frontdesk.Capture
	said     []line // the caller's and the receptionist's, in order
	wants    []want
}

// line is one of the conversation: '>' the caller's words, '~' something else
// that the caller does, '<' the receptionist's words, '*' what the call is
// remembered by.
type line struct {
	mark byte
	text string
}

func (l line) String() string { return strings.TrimSpace(string(l.mark) + " " + l.text) }

// want is an expectation, written by hand.
type want struct {
	line  string
	words []string // without quotation marks
}

// scripts reads all golden conversations.
func scripts(t testing.TB) []script {
	t.Helper()
	names, err := filepath.Glob("conversations/*.txt")
	must(t, err)
	all := make([]script, len(names))
	for i, name := range names {
		text, err := os.ReadFile(name)
		must(t, err)
		if all[i], err = parse(name, string(text)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return all
}

func parse(name, text string) (s script, err error) {
	s.name = strings.TrimSuffix(filepath.Base(name), ".txt")
	head, rest, _ := strings.Cut(text, "\n\n")
	for _, l := range strings.Split(head, "\n") {
		s.head = append(s.head, l)
		if err := s.header(l); err != nil {
			return s, err
		}
	}
	for _, l := range strings.Split(rest, "\n") {
		l = strings.TrimSpace(l)
		switch {
		case l == "":
		case len(l) > 2 && l[1] == ' ' && l[0] == '=':
			s.wants = append(s.wants, want{l, words(l[2:])})
		case len(l) > 2 && l[1] == ' ' && strings.IndexByte(">~<*", l[0]) >= 0:
			s.said = append(s.said, line{l[0], l[2:]})
		default:
			return s, fmt.Errorf("what is %q?", l)
		}
	}
	if s.agent == "" || s.now == "" || len(s.wants) == 0 {
		return s, fmt.Errorf("agent, now or the expectations are missing")
	}
	return s, nil
}

// header reads a line of the head.
func (s *script) header(l string) error {
	name, value, _ := strings.Cut(l, ":")
	value = strings.TrimSpace(value)
	switch name {
	case "agent":
		s.agent = value
	case "now":
		s.now = value
	case "language":
		s.language = value
	case "taken":
		s.taken = append(s.taken, takenBy(words(value)))
	default:
		return fmt.Errorf("what is %q in the head?", l)
	}
	return nil
}

// takenBy is an appointment that somebody has: when, for what, and if need be
// name, number and code.
func takenBy(w []string) frontdesk.Capture {
	w = append(w, make([]string, 5)...)
	c := frontdesk.Capture{
		Kind: frontdesk.Appointment, ScheduledAt: frontdesk.LocalTime(w[0] + ":00"), Service: w[1],
		CustomerName: w[2], CustomerPhone: w[3], ConfirmationCode: w[4],
	}
	if c.CustomerName == "" {
		c.CustomerName, c.CustomerPhone = "Vicente Ros", "+34600999000"
	}
	return c
}

var word = regexp.MustCompile(`"[^"]*"|\S+`)

// words splits a line; what stands in quotation marks is one word.
func words(l string) []string {
	all := word.FindAllString(l, -1)
	for i, w := range all {
		all[i] = strings.Trim(w, `"`)
	}
	return all
}

// callers are the caller's lines.
func (s script) callers() []line {
	return slices.DeleteFunc(slices.Clone(s.said), func(l line) bool { return l.mark == '<' || l.mark == '*' })
}

// input is a caller's line as the sessions take it; a pause is what the clock
// moves by before.
func (l line) input() (in conversation.Input, pause time.Duration, err error) {
	if l.mark == '>' {
		return conversation.Input{Kind: conversation.Text, Text: l.text}, 0, nil
	}
	name, rest, _ := strings.Cut(l.text, " ")
	switch name {
	case "silence":
		return conversation.Input{Kind: conversation.Silence}, 0, nil
	case "interrupt":
		return conversation.Input{Kind: conversation.Interrupt}, 0, nil
	case "hangup":
		return conversation.Input{Kind: conversation.Hangup}, 0, nil
	case "keys":
		return conversation.Input{Kind: conversation.Keys, Text: rest}, 0, nil
	case "wait":
		pause, err = time.ParseDuration(rest)
		return conversation.Input{Kind: conversation.Silence}, pause, err
	}
	return in, 0, fmt.Errorf("what is %q?", l)
}

// text is the file with another conversation in it.
func (s script) text(said []line) string {
	var b strings.Builder
	for _, l := range s.head {
		b.WriteString(l + "\n")
	}
	b.WriteString("\n")
	for _, l := range said {
		b.WriteString(l.String() + "\n")
	}
	b.WriteString("\n")
	for _, w := range s.wants {
		b.WriteString(w.line + "\n")
	}
	return b.String()
}
