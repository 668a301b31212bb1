// Package house holds the tests about the code itself: which package may
// import which, and the habits that every file keeps.
package house

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	module = "frontdesk.dev/frontdesk/"
	root   = "../.."
)

// floors says on which floor each package stands. A package imports only
// packages on lower floors.
var floors = map[string]int{
	"cmd/frontdesk":        12,
	"cmd/frontdesk-speech": 12,
	"cmd/release":          12,
	"cmd/sdktypes":         12,

	"internal/cli": 11,

	"internal/app": 10,

	"internal/api":       9,
	"internal/console":   9,
	"internal/demo":      9,
	"internal/devlisten": 9,
	"internal/mcp":       9,
	"internal/phone":     9,
	"internal/carrier":   9,
	"internal/web":       9,

	"internal/voice": 8,

	"internal/turns": 7,

	"internal/description": 6,
	"internal/reception":   6,
	"internal/backup":      6,

	"internal/account":      5,
	"internal/conversation": 5,
	"internal/exchange":     5,
	"internal/knowledge":    5,
	"internal/webhook":      5,
	"internal/notice":       5,
	"internal/privacy":      5,

	"internal/answer":        4,
	"internal/understanding": 4,

	"internal/calendar":    3,
	"internal/certificate": 3,
	"internal/companion":   3,
	"internal/hearing":     3,
	"internal/search":      3,

	"internal/blob":      2,
	"internal/caldav":    2,
	"internal/catalogue": 2,
	"internal/document":  2,
	"internal/provider":  2,
	"internal/release":   2,
	"internal/table":     2,
	"internal/passage":   2,
	"internal/sip":       2,
	"internal/spoken":    2,
	"internal/store":     2,
	"internal/whisper":   2,
	"internal/wire":      2,

	"internal/audio":   1,
	"internal/config":  1,
	"internal/dates":   1,
	"internal/egress":  1,
	"internal/ical":    1,
	"internal/install": 1,
	"internal/lexicon": 1,
	"internal/onnx":    1,
	"internal/opening": 1,
	"internal/pdf":     1,
	"internal/reader":  1,
	"internal/redact":  1,
	"internal/seal":    1,
	"internal/trace":   1,

	// Import nothing of ours. signature is for the world outside as well.
	"internal/frontdesk": 0,
	"internal/language":  0,
	"internal/limit":     0,
	"internal/lockfile":  0,
	"internal/service":   0,
	"signature":          0,
}

// TestTheMainBinaryLoadsNoLibraries: it is static and knows nothing of the
// companion, which loads shared libraries.
func TestTheMainBinaryLoadsNoLibraries(t *testing.T) {
	t.Parallel()
	list := exec.Command("go", "list", "-deps", "./cmd/frontdesk")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for imported := range strings.Lines(string(out)) {
		imported = strings.TrimSpace(imported)
		switch strings.TrimPrefix(imported, module) {
		case "internal/companion", "internal/whisper", "internal/onnx", "github.com/ebitengine/purego":
			t.Errorf("cmd/frontdesk imports %s, which is the companion's alone", imported)
		}
	}
}

// pkg is what go list tells about a package.
type pkg struct {
	ImportPath string
	Name       string
	Imports    []string // of the files that are not tests
}

func (p pkg) place() string { return strings.TrimPrefix(p.ImportPath, module) }

func TestFloors(t *testing.T) {
	t.Parallel()
	for _, fault := range faults(packages(t)) {
		t.Error(fault)
	}
}

func TestFloorsBite(t *testing.T) {
	t.Parallel()
	ours := func(place string, imports ...string) pkg {
		p := pkg{ImportPath: module + place, Name: path.Base(place)}
		for _, i := range imports {
			p.Imports = append(p.Imports, module+i)
		}
		return p
	}
	tests := map[string]struct {
		p    pkg
		want string
	}{
		"a lower floor is open":               {ours("internal/api", "internal/store", "internal/frontdesk"), ""},
		"a higher floor is closed":            {ours("internal/store", "internal/api"), "internal/store (floor 2) imports internal/api (floor 9)"},
		"the same floor is closed":            {ours("internal/wire", "internal/store"), "internal/wire (floor 2) imports internal/store (floor 2)"},
		"the vocabulary imports nothing":      {ours("internal/frontdesk", "internal/seal"), "internal/frontdesk (floor 0) imports internal/seal (floor 1)"},
		"signature imports nothing":           {ours("signature", "internal/frontdesk"), "signature (floor 0) imports internal/frontdesk (floor 0)"},
		"a new package needs a floor":         {ours("internal/cellar"), "internal/cellar has no floor"},
		"storetest is for tests":              {ours("internal/app", "internal/store/storetest"), "internal/app imports internal/store/storetest, which is for tests"},
		"what stands in test is for tests":    {ours("internal/app", "test/acceptance"), "internal/app imports test/acceptance, which is for tests"},
		"packages for tests import any floor": {ours("test/acceptance", "internal/app"), ""},
		"packages of others are no concern":   {pkg{ImportPath: module + "internal/wire", Name: "wire", Imports: []string{"fmt", "github.com/x/y"}}, ""},
		"a package is a noun of the trade":    {pkg{ImportPath: module + "internal/wire", Name: "helpers"}, "internal/wire is called helpers"},
		"a package for tests has a name too":  {pkg{ImportPath: module + "test/util", Name: "util"}, "test/util is called util"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := strings.Join(faults([]pkg{tt.p}), "\n")
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// faults are all breaches of the floors and of the rule on names.
func faults(all []pkg) (found []string) {
	vague := []string{"util", "utils", "common", "models", "model", "helpers", "helper", "types", "manager"}
	for _, p := range all {
		place := p.place()
		if slices.Contains(vague, p.Name) {
			found = append(found, place+" is called "+p.Name+", which says nothing: name it after what it deals with")
		}
		if forTests(place) {
			continue
		}
		floor, ok := floors[place]
		if !ok {
			found = append(found, place+" has no floor: add it to floors in test/house/floors_test.go")
			continue
		}
		found = append(found, faultyImports(p, floor)...)
	}
	return found
}

func faultyImports(p pkg, floor int) (found []string) {
	for _, imported := range p.Imports {
		place, ours := strings.CutPrefix(imported, module)
		below, known := floors[place]
		switch {
		case !ours:
		case forTests(place):
			found = append(found, p.place()+" imports "+place+", which is for tests alone")
		case known && below >= floor:
			found = append(found, p.place()+" (floor "+strconv.Itoa(floor)+") imports "+place+" (floor "+strconv.Itoa(below)+"): only lower floors are open to it")
		}
	}
	return found
}

// forTests says whether a package is for tests alone: those in test/, what test/sdk
// runs of an SDK, and an xtest inside x, as storetest in store.
func forTests(place string) bool {
	return strings.HasPrefix(place, "test/") || place == "sdk/go/conformance" || path.Base(place) == path.Base(path.Dir(place))+"test"
}

// packages are all of ours.
func packages(t *testing.T) (all []pkg) {
	t.Helper()
	list := exec.Command("go", "list", "-e", "-json=ImportPath,Name,Imports", "./...")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if len(all) < 10 {
		t.Fatalf("go list found %d packages only", len(all))
	}
	return all
}

func TestNoFileNeedsCgo(t *testing.T) {
	t.Parallel()
	for name, f := range files(t) {
		for _, i := range f.Imports {
			if i.Path.Value == `"C"` {
				t.Errorf("%s imports \"C\": the house is built without cgo", name)
			}
		}
	}
}

func TestNoTestSleeps(t *testing.T) {
	t.Parallel()
	for name, f := range files(t) {
		if strings.HasSuffix(name, "_test.go") && sleeps(f) {
			t.Errorf("%s calls time.Sleep: wait for what the test is about, or move a clock", name)
		}
	}
}

func sleeps(f *ast.File) (found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "Sleep" {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "time" {
				found = true
			}
		}
		return true
	})
	return found
}

func TestEveryPackageHasAComment(t *testing.T) {
	t.Parallel()
	// A package of tests alone may have its comment in one of them.
	commented, tested := map[string]bool{}, map[string]bool{}
	for name, f := range files(t) {
		dir, has := filepath.Dir(name), f.Doc != nil && strings.TrimSpace(f.Doc.Text()) != ""
		if strings.HasSuffix(name, "_test.go") {
			tested[dir] = tested[dir] || has
		} else {
			commented[dir] = commented[dir] || has
		}
	}
	for dir, has := range tested {
		if _, code := commented[dir]; !code {
			commented[dir] = has
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(commented)) {
		if !commented[dir] {
			t.Errorf("%s has no package comment: say what it is, the path through it, what it refuses to know", dir)
		}
	}
}

// files parses every Go file of ours; what the go command passes over is not one.
func files(t *testing.T) map[string]*ast.File {
	t.Helper()
	parsed := map[string]*ast.File{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != root && (strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_") || d.Name() == "testdata"):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(name) != ".go":
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		rel, _ := filepath.Rel(root, name)
		parsed[rel] = f
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}
