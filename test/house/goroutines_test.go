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

// guards is the package whose goroutines survive their panics. All others start
// theirs with it: service.Go, or Go, Keep and Every of a service.Group.
const guards = "internal/service"

// unguarded are the files that may start goroutines by themselves, and why.
var unguarded = map[string]string{
	"cmd/frontdesk/main.go":        "context.AfterFunc gives the signals back, which cannot panic",
	"cmd/frontdesk-speech/main.go": "context.AfterFunc gives the signals back, which cannot panic",
	"internal/store/sqlite.go":     "the timer of a connection closes a channel, once, which cannot panic",
}

// TestEveryGoroutineIsGuarded: a panic on a goroutine that nobody guards ends
// the process, and with it every call.
func TestEveryGoroutineIsGuarded(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	all := files(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		dir := filepath.ToSlash(filepath.Dir(name))
		if strings.HasSuffix(name, "_test.go") || forTests(dir) || dir == guards {
			continue
		}
		for _, how := range bareGoroutines(all[name]) {
			found[name] = true
			if unguarded[name] == "" {
				t.Errorf("%s starts a goroutine by %s: a panic there ends the process; use service.Go or a service.Group", name, how)
			}
		}
	}
	for name := range unguarded {
		if !found[name] {
			t.Errorf("%s may start goroutines by itself and does not: take it out of unguarded", name)
		}
	}
}

func TestGoroutinesBite(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ code, want string }{
		"a go statement":               {"go f()", "a go statement"},
		"a go statement in a function": {"func() { go func() {}() }()", "a go statement"},
		"a wait group":                 {"wg.Go(func() {})", "Go of a wait group"},
		"a timer":                      {"time.AfterFunc(0, f)", "AfterFunc"},
		"the end of a context":         {"context.AfterFunc(ctx, f)", "AfterFunc"},
		"a server's shutdown":          {"server.RegisterOnShutdown(f)", "RegisterOnShutdown"},
		"the guard":                    {`service.Go(log, "x", f)`, ""},
		"a group":                      {`work.Go("x", f)`, ""},
		"none":                         {"f()", ""},
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\nfunc y() {\n"+tt.code+"\n}", parser.SkipObjectResolution)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := strings.Join(bareGoroutines(f), ", "); got != tt.want {
			t.Errorf("%s: found %q, want %q", name, got, tt.want)
		}
	}
}

// bareGoroutines are the ways in which a file starts goroutines that nothing
// guards.
func bareGoroutines(f *ast.File) (ways []string) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			ways = append(ways, "a go statement")
		case *ast.CallExpr:
			called, ok := n.Fun.(*ast.SelectorExpr)
			switch {
			case !ok:
			case called.Sel.Name == "Go" && len(n.Args) == 1: // those of service have a name for their work
				ways = append(ways, "Go of a wait group")
			case called.Sel.Name == "AfterFunc", called.Sel.Name == "RegisterOnShutdown":
				ways = append(ways, called.Sel.Name)
			}
		}
		return true
	})
	return ways
}
