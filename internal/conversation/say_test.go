package conversation

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

var gap = regexp.MustCompile(`\{[A-Za-z]+\}`)

func gapsOf(text string) []string {
	gaps := gap.FindAllString(strings.ToLower(text), -1)
	slices.Sort(gaps)
	return slices.Compact(gaps)
}

// keysOf are the keys of a section of wording.
func keysOf(l *language.Language, section string) []string {
	var keys []string
	for _, line := range l.Lines(section) {
		key, _, _ := strings.Cut(line, ":")
		if !strings.HasPrefix(key, "said_") && !strings.HasPrefix(key, "catalogue ") { // how dates are said is each language's own
			keys = append(keys, strings.TrimSpace(key))
		}
	}
	return keys
}

// TestWordingsAgree: what is said in one language is said in all, with the same
// gaps to fill, and in each manner too.
func TestWordingsAgree(t *testing.T) {
	t.Parallel()
	first := language.Of(language.Codes()[0])
	for _, code := range language.Codes() {
		l := language.Of(code)
		for _, section := range append([]string{"wording"}, l.Sections("wording ")...) {
			manner := strings.TrimSpace(strings.TrimPrefix(section, "wording"))
			for _, key := range keysOf(l, section) {
				said, other := l.Say(key, manner), first.Say(key, "")
				if other == "" || !slices.Equal(gapsOf(said), gapsOf(other)) {
					t.Errorf("%s of %s %s is %q, in %s %q", key, code, manner, said, first.Code, other)
				}
			}
		}
		for _, key := range keysOf(first, "wording") {
			if l.Say(key, "") == "" && !strings.Contains(key, ".") {
				t.Errorf("%s has no words for %s", code, key)
			}
		}
	}
}

// TestWordingsExist: every wording that the code names is there. A misspelt one
// would be silence.
func TestWordingsExist(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), e.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			name, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || name.Sel.Name != "say" && name.Sel.Name != "words" && name.Sel.Name != "variant" {
				return true
			}
			literal, ok := call.Args[0].(*ast.BasicLit)
			if !ok {
				return true
			}
			phrase, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			named++
			if language.Of(language.Codes()[0]).Say(phrase, "") == "" && !strings.HasSuffix(phrase, "_") {
				t.Errorf("%s: nobody has words for %q", e.Name(), phrase)
			}
			return true
		})
	}
	if named < 60 {
		t.Errorf("only %d wordings were found in the code", named)
	}
}

func TestManner(t *testing.T) {
	t.Parallel()
	for greeting, want := range map[string]string{
		"¡Hola! ¿En qué te ayudo?":                     "tu",
		"Clínica La Plaza, ¿en qué puedo ayudarle?":    "",
		"¿Qué necesitas?":                              "tu",
		"Le atiende Marta. Dígame.":                    "usted",
		"Casa Lola, dime":                              "tu",
		"Good morning, Harbour Store. How can I help?": "",
	} {
		a := frontdesk.Agent{}
		a.Config.Assistant.Greeting = greeting
		if got := Manner(a); got != want {
			t.Errorf("the manner of %q is %q, want %q", greeting, got, want)
		}
	}
}
