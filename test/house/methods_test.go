package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// mostMethods is how many methods a type has at most: one with more is several
// things that file names alone divide.
const mostMethods = 40

// large are those that have one method for each thing that somebody outside may ask
// for: commands, requests, queries.
var large = map[string]bool{"internal/cli.program": true, "internal/cli.session": true, "internal/api.API": true, "internal/store.Store": true, "internal/store.tx": true}

func TestNoTypeHasTooManyMethods(t *testing.T) {
	t.Parallel()
	for dir := range floors {
		for name, n := range methodsOf(t, path.Join(root, dir)) {
			if whose := dir + "." + name; n > mostMethods && !large[whose] {
				t.Errorf("%s has %d methods: part it", whose, n)
			}
		}
	}
}

// methodsOf counts the methods of each type of a package, tests left out.
func methodsOf(t *testing.T, dir string) map[string]int {
	t.Helper()
	counts := map[string]int{}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, is := d.(*ast.FuncDecl); is && f.Recv != nil {
				counts[receiverOf(f.Recv.List[0].Type)]++
			}
		}
	}
	return counts
}

func receiverOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiverOf(e.X)
	case *ast.IndexExpr:
		return receiverOf(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
