package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const version = "9.8.7"

// dist is a release of one target: Linux on this machine's kind of processor.
var dist string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "frontdesk-release-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	dist = filepath.Join(dir, "dist")
	if err := build("../..", dist, target()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

func target() string { return "linux/" + runtime.GOARCH }

// build makes a release of the tree in source.
func build(source, out, targets string, env ...string) error {
	c := exec.Command("go", "run", "./cmd/release", "-version", version, "-commit", "0123456789ab", "-out", out, "-targets", targets)
	c.Dir = source
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "SOURCE_DATE_EPOCH=1700000000")
	c.Env = append(c.Env, env...)
	if text, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("building a release: %w\n%s", err, text)
	}
	return nil
}

func path(format string) string {
	return filepath.Join(dist, fmt.Sprintf(format, version, runtime.GOARCH))
}

func TestTheSameBytesFromElsewhere(t *testing.T) {
	t.Parallel()
	elsewhere := copied(t)
	again := filepath.Join(t.TempDir(), "again")
	if err := build(elsewhere, again, target()); err != nil {
		t.Fatal(err)
	}
	same(t, dist, again)
}

// TestTheSameBytesForAll builds every target twice, with nothing kept of the
// first time.
func TestTheSameBytesForAll(t *testing.T) {
	if os.Getenv("FRONTDESK_SOAK") == "" {
		t.Skip("make soak does it")
	}
	t.Parallel()
	dir := t.TempDir()
	one, other := filepath.Join(dir, "one"), filepath.Join(dir, "other")
	if err := build("../..", one, "", "GOCACHE="+filepath.Join(dir, "cache-one")); err != nil {
		t.Fatal(err)
	}
	if err := build(copied(t), other, "", "GOCACHE="+filepath.Join(dir, "cache-other")); err != nil {
		t.Fatal(err)
	}
	same(t, one, other)
	checkSums(t, one, 6*2+2*3)
}

// copied is a copy of what is built from.
func copied(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a copy")
	for _, name := range []string{"cmd", "internal", "signature"} {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join("../..", name))); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"go.mod", "go.sum", "README.md", "LICENSE", "CHANGELOG.md"} {
		if err := os.WriteFile(filepath.Join(dir, name), read(t, filepath.Join("../..", name)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func same(t *testing.T, a, b string) {
	t.Helper()
	one, other := names(t, a), names(t, b)
	if !slices.Equal(one, other) {
		t.Fatalf("files differ: %v and %v", one, other)
	}
	for _, name := range one {
		if !bytes.Equal(read(t, filepath.Join(a, name)), read(t, filepath.Join(b, name))) {
			t.Errorf("%s is not the same twice", name)
		}
	}
}

func TestChecksums(t *testing.T) {
	t.Parallel()
	checkSums(t, dist, 5)
}

// checkSums holds the checksums to the files, and to their being all.
func checkSums(t *testing.T, dir string, want int) {
	t.Helper()
	listed := []string{"SHA256SUMS"}
	for line := range strings.Lines(string(read(t, filepath.Join(dir, "SHA256SUMS")))) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		got := sha256.Sum256(read(t, filepath.Join(dir, name)))
		if hex.EncodeToString(got[:]) != sum {
			t.Errorf("the checksum of %s is wrong", name)
		}
		listed = append(listed, name)
	}
	slices.Sort(listed)
	if all := names(t, dir); !slices.Equal(all, listed) || len(all) != want+1 {
		t.Errorf("%d files %v, of which are listed %v; want %d", len(all), all, listed, want)
	}
}

func TestTheBillListsEveryModule(t *testing.T) {
	t.Parallel()
	var bill struct {
		BOMFormat   string
		SpecVersion string
		Metadata    struct {
			Component struct {
				Hashes []struct{ Alg, Content string }
			}
		}
		Components []struct{ Type, Name, Version, PURL string }
	}
	if err := json.Unmarshal(read(t, path("frontdesk_%s_linux_%s.cdx.json")), &bill); err != nil {
		t.Fatal(err)
	}
	binary := program(t)
	sum := sha256.Sum256(read(t, binary))
	if h := bill.Metadata.Component.Hashes; bill.BOMFormat != "CycloneDX" || bill.SpecVersion != "1.6" || len(h) != 1 || h[0].Content != hex.EncodeToString(sum[:]) {
		t.Errorf("it is of another program: %+v", bill.Metadata)
	}
	var listed []string
	for _, c := range bill.Components {
		if c.Type != "library" || c.PURL != "pkg:golang/"+c.Name+"@"+c.Version {
			t.Errorf("odd: %+v", c)
		}
		listed = append(listed, c.Name+" "+c.Version)
	}
	out, err := exec.Command("go", "version", "-m", binary).Output()
	if err != nil {
		t.Fatal(err)
	}
	modules := 0
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) >= 3 && f[0] == "dep" {
			modules++
			if !slices.Contains(listed, f[1]+" "+f[2]) {
				t.Errorf("%s %s is not listed", f[1], f[2])
			}
		}
	}
	if modules < 20 || len(listed) != modules+1 { // and Go's own library
		t.Errorf("%d are listed, of %d modules", len(listed), modules)
	}
}

func TestTheArchive(t *testing.T) {
	t.Parallel()
	binary := program(t)
	dir := filepath.Dir(binary)
	if got := names(t, dir); !slices.Equal(got, []string{"CHANGELOG.md", "LICENSE", "README.md", "frontdesk"}) {
		t.Errorf("it holds %v", got)
	}
	out, err := exec.Command(binary, "version", "--json").Output()
	if err != nil || !strings.Contains(string(out), `"version":"`+version+`"`) || !strings.Contains(string(out), `"commit":"0123456789ab"`) {
		t.Errorf("%s, %v", out, err)
	}
}

// program is the one in the archive, unpacked.
func program(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	unpack(t, read(t, path("frontdesk_%s_linux_%s.tar.gz")), dir)
	return filepath.Join(dir, fmt.Sprintf("frontdesk_%s_linux_%s", version, runtime.GOARCH), "frontdesk")
}

// unpack writes the files of a compressed archive under dir.
func unpack(t *testing.T, archive []byte, dir string) {
	t.Helper()
	plain, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(plain); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		place := filepath.Join(dir, filepath.FromSlash(h.Name))
		if h.Typeflag == tar.TypeDir {
			err = os.MkdirAll(place, 0o755)
		} else {
			var content []byte
			if content, err = io.ReadAll(r); err == nil {
				err = os.WriteFile(place, content, os.FileMode(h.Mode))
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
