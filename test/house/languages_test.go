package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// speaks is the package that alone may know which language it deals with.
const speaks = "internal/language"

// asking are the files that still ask which language it is. The list only
// shrinks: what a language needs stands in its folder.
var asking = map[string]bool{
	"internal/demo/words.go":       true,
	"internal/frontdesk/answer.go": true,
	"internal/web/page.go":         true,
}

// TestNobodyAsksWhichLanguageItIs: another language is another folder, so no
// package compares a language with one that it knows.
func TestNobodyAsksWhichLanguageItIs(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	all := files(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		dir := filepath.ToSlash(filepath.Dir(name))
		if strings.HasSuffix(name, "_test.go") || forTests(dir) || dir == speaks {
			continue
		}
		for _, code := range comparedLanguages(all[name]) {
			found[name] = true
			if !asking[name] {
				t.Errorf("%s compares with %s: ask the Language of %s for what it needs", name, code, speaks)
			}
		}
	}
	for name := range asking {
		if !found[name] {
			t.Errorf("%s no longer asks which language it is: take it out of the list", name)
		}
	}
}

// comparedLanguages are the codes of languages that a file compares something
// with, or switches on.
func comparedLanguages(file ast.Node) (codes []string) {
	note := func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.BasicLit:
			if e.Value == `"es"` || e.Value == `"en"` {
				codes = append(codes, e.Value)
			}
		case *ast.SelectorExpr:
			if e.Sel.Name == "Spanish" || e.Sel.Name == "English" {
				codes = append(codes, e.Sel.Name)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				note(n.X)
				note(n.Y)
			}
		case *ast.CaseClause:
			for _, e := range n.List {
				note(e)
			}
		}
		return true
	})
	return codes
}

func TestLanguagesBite(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		code string
		want int
	}{
		"a comparison":           {`lang == "es"`, 1},
		"a comparison with none": {`"en" != lang`, 1},
		"a constant":             {`lang == lexicon.English`, 1},
		"a switch":               {`func() { switch lang { case "es", "en": } }`, 2},
		"a table":                {`map[string]int{"es": 1}`, 0},
		"another word":           {`word == "esta"`, 0},
	} {
		e, err := parser.ParseExpr(tt.code)
		if err != nil {
			t.Fatal(err)
		}
		if got := comparedLanguages(e); len(got) != tt.want {
			t.Errorf("%s: found %v", name, got)
		}
	}
}
