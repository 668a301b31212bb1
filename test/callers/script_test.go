package callers

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

// script is a caller: what they say when, and what they want. README.md has the
// format.
type script struct {
	ID            string
	Language      string
	Opens         string
	Answers       map[string]lines
	Otherwise     []string
	Asides        []aside
	AfterReadBack string `json:"after_read_back"`
	MoreAfter     bool   `json:"more_after"`
	Closes        string
	Wants         wants
	Means         map[string]json.RawMessage // by line: the commands that it comes to
}

// lines are one text or several.
type lines []string

func (l *lines) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte(`"`)) {
		*l = make(lines, 1)
		return json.Unmarshal(text, &(*l)[0])
	}
	return json.Unmarshal(text, (*[]string)(l))
}

// aside is said in place of an answer, the first time that something is asked.
type aside struct {
	At    string
	Says  string
	Hears []string
}

type wants struct {
	Outcome    []string
	Capture    json.RawMessage // null: none may be made; missing: not looked at
	Captures   int
	Hears      [][]string
	NeverHears []string `json:"never_hears"`
	Turns      int
}

func readScripts(t testing.TB, folder string) (all []script) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "callers.jsonl"))
	must(t, err)
	for n, line := range bytes.Split(text, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var s script
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatalf("%s, line %d: %v", folder, n+1, err)
		}
		all = append(all, s)
	}
	return all
}

// caller follows a script.
type caller struct {
	script
	asked    map[string]int // how often each thing was
	listens  *aside         // whose answer is due
	readBack bool           // it was read back to them
	closed   bool
	missed   []string // questions that were not answered
}

func newCaller(s script) *caller { return &caller{script: s, asked: map[string]int{}} }

// next is what the caller says to a reply; "": nothing any more. captured is how
// many captures they were told of.
func (c *caller) next(reply, expect string, captured int) string {
	c.hear(reply)
	if expect == "confirm" && c.AfterReadBack != "" && !c.readBack {
		c.readBack = true
		return c.AfterReadBack
	}
	for i, a := range c.Asides {
		if a.At == expect {
			c.Asides = append(c.Asides[:i:i], c.Asides[i+1:]...)
			c.listens = &a
			return a.Says
		}
	}
	if answers := c.Answers[expect]; len(answers) > 0 {
		n := c.asked[expect]
		c.asked[expect]++
		return answers[min(n, len(answers)-1)]
	}
	done := captured > 0 && expect == "" && max(c.Wants.Captures, 1) <= captured && !c.MoreAfter
	if len(c.Otherwise) > 0 && !done {
		line := c.Otherwise[0]
		c.Otherwise = c.Otherwise[1:]
		return line
	}
	if c.closed {
		return ""
	}
	c.closed = true
	return c.Closes
}

// hear holds a reply against the question that was asked last.
func (c *caller) hear(reply string) {
	if c.listens != nil && !says(reply, c.listens.Hears) {
		c.missed = append(c.missed, c.listens.Says)
	}
	c.listens = nil
}

// says tells whether some of the words are in a text, letters' case and accents
// aside.
func says(text string, words []string) bool {
	text = fold(text)
	for _, w := range words {
		if strings.Contains(text, fold(w)) {
			return true
		}
	}
	return false
}

func fold(text string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(strings.ToLower(text)) {
		if r < 0x300 || r > 0x36f {
			b.WriteRune(r)
		}
	}
	return b.String()
}
