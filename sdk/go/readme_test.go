package frontdesk

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// What README.md shows is compiled: its program is example/main.go, and its
// other pieces are those of the examples.
func TestREADME(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	program, examples := read("example/main.go"), flat(read("example_test.go"))
	pieces := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(read("README.md"), -1)
	if len(pieces) < 12 {
		t.Errorf("found %d pieces", len(pieces))
	}
	for _, piece := range pieces {
		switch code := piece[1]; {
		case strings.HasPrefix(code, "package main"):
			if !strings.HasSuffix(program, code) { // after its comment
				t.Errorf("example/main.go is not\n%s", code)
			}
		case !strings.Contains(examples, flat(code)):
			t.Errorf("no example has\n%s", code)
		}
	}
}

// flat takes away the indentation.
func flat(code string) string {
	return regexp.MustCompile(`(?m)^\t+`).ReplaceAllString(code, "")
}
