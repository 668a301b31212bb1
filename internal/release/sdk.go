package release

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// sdks makes the files of the SDKs, by their names: the package for npm and the
// wheel and sdist from what was built, and the module for Go from the tree. What
// was not built is left out.
func (r Release) sdks() (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, make := range []func() (map[string][]byte, error){r.npm, r.python, r.goModule} {
		made, err := make()
		if err != nil {
			return nil, fmt.Errorf("sdk: %w", err)
		}
		maps.Copy(files, made)
	}
	return files, nil
}

// npm packs the package as npm pack does.
func (r Release) npm() (map[string][]byte, error) {
	dir := filepath.Join(r.SDKs, "typescript")
	if _, err := os.Stat(dir); os.IsNotExist(err) {
		return nil, nil
	}
	files, err := filesIn(dir, func(string) bool { return true })
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return nil, err
	}
	var about struct{ Name, Version string }
	if err := json.Unmarshal(text, &about); err != nil {
		return nil, fmt.Errorf("package.json: %w", err)
	}
	for i := range files {
		files[i].name = path.Join("package", files[i].name)
	}
	plain, err := tarOf(files, r.Time)
	if err != nil {
		return nil, err
	}
	packed, err := compressed(plain)
	name := strings.ReplaceAll(strings.TrimPrefix(about.Name, "@"), "/", "-") + "-" + about.Version + ".tgz"
	return map[string][]byte{name: packed}, err
}

// python gives the wheel and the sdist out as they were built: the same bytes
// wherever that is.
func (r Release) python() (map[string][]byte, error) {
	dir := filepath.Join(r.SDKs, "python")
	if _, err := os.Stat(dir); os.IsNotExist(err) {
		return nil, nil
	}
	files, err := filesIn(dir, func(string) bool { return true })
	made := map[string][]byte{}
	for _, f := range files {
		made[f.name] = f.content
	}
	return made, err
}

const goModulePath = "frontdesk.dev/frontdesk/sdk/go"

// goModule packs the module as a proxy of modules hands it out.
func (r Release) goModule() (map[string][]byte, error) {
	dir := filepath.Join(r.Source, "sdk", "go")
	files, err := filesIn(dir, func(name string) bool {
		return strings.HasSuffix(name, ".go") || name == "go.mod" || name == "README.md"
	})
	if err != nil {
		return nil, err
	}
	version, err := goVersion(files)
	if err != nil {
		return nil, err
	}
	license, err := os.ReadFile(filepath.Join(r.Source, "LICENSE"))
	if err != nil {
		return nil, err
	}
	packed, err := r.zip(goModulePath+"@v"+version, append(files, file{"LICENSE", 0o644, license}))
	return map[string][]byte{"frontdesk-sdk-go_" + version + ".zip": packed}, err
}

func goVersion(files []file) (string, error) {
	named := regexp.MustCompile(`(?m)^const Version = "(.+)"$`)
	for _, f := range files {
		if m := named.FindSubmatch(f.content); m != nil {
			return string(m[1]), nil
		}
	}
	return "", fmt.Errorf("sdk/go names no Version")
}

// filesIn returns the files below a directory that are wanted, in order.
func filesIn(dir string, wanted func(name string) bool) (files []file, err error) {
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		inside, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		if inside = filepath.ToSlash(inside); !wanted(inside) {
			return nil
		}
		content, err := os.ReadFile(name)
		files = append(files, file{inside, 0o644, content})
		return err
	})
	return files, err
}
