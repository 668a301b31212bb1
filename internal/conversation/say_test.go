package conversation

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var gap = regexp.MustCompile(`\{[a-z]+\}`)

func gapsOf(text string) []string {
	gaps := gap.FindAllString(text, -1)
	slices.Sort(gaps)
	return gaps
}

// TestPhrasesAgree: what is said in one language is said in the other, with the
// same gaps to fill.
func TestPhrasesAgree(t *testing.T) {
	t.Parallel()
	all := maps.Clone(phrases)
	maps.Copy(all, onPaper)
	for name, p := range all {
		if p.es == "" || p.en == "" {
			t.Errorf("%s is said in one language only", name)
		}
		if !slices.Equal(gapsOf(p.es), gapsOf(p.en)) {
			t.Errorf("%s has other gaps in Spanish, %v, than in English, %v", name, gapsOf(p.es), gapsOf(p.en))
		}
	}
	for name, text := range amongFriends {
		if p, ok := all[name]; !ok || !slices.Equal(gapsOf(text), gapsOf(p.es)) || text == p.es {
			t.Errorf("%s among friends is %q, else %q", name, text, p.es)
		}
	}
}

// TestPhrasesExist: every phrase that policy names is there. A misspelt one
// would be silence.
func TestPhrasesExist(t *testing.T) {
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
			f, ok := call.Fun.(*ast.SelectorExpr)
			lit, isText := call.Args[0].(*ast.BasicLit)
			if !ok || !isText || f.Sel.Name != "say" && f.Sel.Name != "words" {
				return true
			}
			name, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			named++
			if _, ok := phrases[name]; !ok {
				t.Errorf("%s says %q, which is no phrase", e.Name(), name)
			}
			return true
		})
	}
	if named < 50 {
		t.Errorf("only %d phrases were found in the code", named)
	}
}

func TestHousesThatSayTu(t *testing.T) {
	t.Parallel()
	for greeting, want := range map[string]bool{
		"¡Hola! ¿En qué te puedo ayudar?":           true,
		"Dime, ¿qué necesitas?":                     true,
		"Le atiende Elena. ¿En qué puedo ayudarle?": false,
		"Hello, how can I help?":                    false,
		"":                                          false,
		"Bienvenido a Tecnologías Tuareg, buenos días": false,
	} {
		if got := tuWords.MatchString(greeting); got != want {
			t.Errorf("%q says tú: %v", greeting, got)
		}
	}
}
