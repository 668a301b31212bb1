package sdk

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/release"
)

// TestRelease packs the SDKs as make release does, twice, and installs them.
func TestRelease(t *testing.T) {
	t.Parallel()
	built := filepath.Join(t.TempDir(), "built")
	typescript, err := packed()
	if err != nil {
		t.Fatal(err)
	}
	if typescript != "" {
		if err := os.CopyFS(filepath.Join(built, "typescript"), os.DirFS(filepath.Join(work, "package"))); err != nil {
			t.Fatal(err)
		}
	}
	pythons := found(t, "find-python")
	one, other := released(t, built, pythons), released(t, built, pythons)
	if len(one) != len(other) {
		t.Fatalf("%d and %d files", len(one), len(other))
	}
	for name, content := range one {
		t.Logf("%s: %d bytes", name, len(content))
		if !bytes.Equal(content, other[name]) {
			t.Errorf("%s is not the same twice", name)
		}
	}
	t.Run("npm", func(t *testing.T) {
		if typescript == "" {
			t.Skip("NOT COVERED: the TypeScript compiler is not here")
		}
		npmPackage(t, one["frontdesk-sdk-0.1.0.tgz"])
	})
	t.Run("wheel", func(t *testing.T) {
		if len(pythons) == 0 {
			t.Skip("NOT COVERED: there is no Python here")
		}
		wheel(t, pythons[0], one)
	})
	t.Run("go", func(t *testing.T) { module(t, one["frontdesk-sdk-go_0.1.0.zip"]) })
}

// released returns what is given out of the SDKs, by its name. What Python builds
// is built anew.
func released(t *testing.T, built string, pythons []string) map[string][]byte {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(built)); err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	if len(pythons) > 0 {
		if out, err := exec.Command("../../scripts/build-sdks", "python", filepath.Join(dir, "python")).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	r := release.Release{Source: "../..", Out: t.TempDir(), Version: "9.8.7", Time: time.Unix(1700000000, 0), SDKs: dir}
	if err := r.Make(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	entries, err := os.ReadDir(r.Out)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if files[e.Name()], err = os.ReadFile(filepath.Join(r.Out, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

const largestPackage = 100_000 // bytes

// npmPackage holds the package to its size and contents, and imports it.
func npmPackage(t *testing.T, content []byte) {
	if len(content) == 0 || len(content) > largestPackage {
		t.Fatalf("it has %d bytes, want at most %d", len(content), largestPackage)
	}
	dir := filepath.Join(t.TempDir(), "node_modules", "@frontdesk", "sdk")
	names := unpack(t, content, dir)
	for _, name := range []string{"package.json", "README.md", "LICENSE", "dist/esm/index.js", "dist/esm/index.d.ts", "dist/cjs/index.js", "dist/cjs/index.d.ts"} {
		if !slices.Contains(names, "package/"+name) {
			t.Errorf("%s is missing", name)
		}
	}
	project := filepath.Join(dir, "..", "..", "..")
	imports := map[string]string{
		"esm.mjs": `import Default, { Frontdesk, webhooks, APIError } from "@frontdesk/sdk"; import { fileFromPath } from "@frontdesk/sdk/file"; ` + used,
		"cjs.cjs": `const { default: Default, Frontdesk, webhooks, APIError } = require("@frontdesk/sdk"); const { fileFromPath } = require("@frontdesk/sdk/file"); ` + used,
		// Browsers have no files of their own.
		"browser.mjs": `import Default, { Frontdesk, webhooks, APIError } from "@frontdesk/sdk"; const fileFromPath = () => ({ name: "b.md" }); ` + used,
	}
	for name, code := range imports {
		if err := os.WriteFile(filepath.Join(project, name), []byte(code), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	nodes := found(t, "find-node")
	for _, node := range nodes {
		for name := range imports {
			runs(t, exec.Command(node, filepath.Join(project, name)))
		}
	}
	bundles(t, nodes[0], project)
}

// used says whether what was imported is there and works.
const used = `
const client = new Frontdesk({ apiKey: "svc_test_x" });
if (Default !== Frontdesk || typeof client.calls.list !== "function" || typeof webhooks.verify !== "function" ||
    !(APIError.prototype instanceof Error) || fileFromPath("a/b.md").name !== "b.md") throw new Error("not as expected");
console.log("imported");
`

// bundles runs the same after a bundler has made one file of it, for Node and for
// browsers.
func bundles(t *testing.T, node, project string) {
	t.Helper()
	bundler := found(t, "find-npm", "esbuild")
	if len(bundler) == 0 {
		t.Log("NOT COVERED: esbuild is not here (scripts/find-npm --install esbuild)")
		return
	}
	for platform, entry := range map[string]string{"node": "esm.mjs", "browser": "browser.mjs"} {
		out := filepath.Join(project, platform+"-bundle.mjs")
		c := exec.Command(filepath.Join(bundler[0], "bin", "esbuild"), entry, "--bundle", "--format=esm",
			"--log-level=warning", "--platform="+platform, "--outfile="+out)
		c.Dir = project
		if text, err := c.CombinedOutput(); err != nil || len(text) > 0 {
			t.Fatalf("bundling for %s: %v: %s", platform, err, text)
		}
		runs(t, exec.Command(node, out))
	}
}

func runs(t *testing.T, c *exec.Cmd) {
	t.Helper()
	if out, err := c.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != "imported" {
		t.Errorf("%s: %v: %s", c.Args, err, out)
	}
}

// unpack writes the files of a package for npm into a directory, and returns their
// names.
func unpack(t *testing.T, content []byte, dir string) (names []string) {
	t.Helper()
	plain, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	for archive := tar.NewReader(plain); ; {
		h, err := archive.Next()
		if err == io.EOF {
			return names
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, h.Name)
		to := filepath.Join(dir, strings.TrimPrefix(h.Name, "package/"))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// wheel installs the wheel in a directory of its own, without a network, and imports
// it.
func wheel(t *testing.T, python string, files map[string][]byte) {
	const name = "frontdesk-0.1.0-py3-none-any.whl"
	if files[name] == nil || files["frontdesk-0.1.0.tar.gz"] == nil {
		t.Fatal("the wheel or the sdist is missing")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, files[name], 0o600); err != nil {
		t.Fatal(err)
	}
	install := exec.Command(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps", "--target", filepath.Join(dir, "site"), file)
	if out, err := install.CombinedOutput(); err != nil {
		t.Logf("NOT COVERED: pip is not here, so that the wheel is imported as it is: %v: %s", err, out)
		install = nil
	}
	place := filepath.Join(dir, "site")
	if install == nil {
		place = file // Python imports from zips
	}
	c := exec.Command(python, "-c", `import frontdesk, frontdesk.types; frontdesk.Frontdesk(api_key="svc_test_x"); print("imported")`)
	c.Env = append(os.Environ(), "PYTHONPATH="+place)
	runs(t, c)
}

// module holds the zip to the form that Go's tools know.
func module(t *testing.T, content []byte) {
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	const prefix = "frontdesk.dev/frontdesk/sdk/go@v0.1.0/"
	has := map[string]bool{}
	for _, f := range archive.File {
		name, ok := strings.CutPrefix(f.Name, prefix)
		if !ok {
			t.Errorf("%s is not in %s", f.Name, prefix)
		}
		has[name] = true
	}
	for _, name := range []string{"go.mod", "LICENSE", "README.md", "types.go", "client.go"} {
		if !has[name] {
			t.Errorf("%s is missing", name)
		}
	}
}

// TestVersions: all SDKs have one.
func TestVersions(t *testing.T) {
	t.Parallel()
	for file, pattern := range map[string]string{
		"typescript/package.json":          `"version": "0\.1\.0"`,
		"typescript/src/version.ts":        `"0\.1\.0"`,
		"python/src/frontdesk/_version.py": `"0\.1\.0"`,
		"go/options.go":                    `const Version = "0\.1\.0"`,
	} {
		text, err := os.ReadFile(filepath.Join("../../sdk", file))
		if err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile(pattern).Match(text) {
			t.Errorf("sdk/%s has no %s", file, pattern)
		}
	}
}
